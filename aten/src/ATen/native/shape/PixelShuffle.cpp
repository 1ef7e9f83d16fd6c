// Rearrangements of channels.

#define TORCH_ASSERT_ONLY_METHOD_OPERATORS
#include <ATen/core/Tensor.h>
#include <ATen/ops/_unsafe_view.h>
#include <ATen/ops/channel_shuffle_native.h>
#include <ATen/ops/native_channel_shuffle.h>
#include <ATen/ops/native_channel_shuffle_native.h>
#include <ATen/ops/pixel_shuffle_native.h>
#include <ATen/ops/pixel_unshuffle_native.h>
#include <c10/util/Exception.h>

#include <numeric>
#include <vector>

namespace at::native {
namespace {

// The dimensions before the last three, and then `rest`.
std::vector<int64_t> with_batch(const Tensor& self, const std::vector<int64_t>& rest) {
  std::vector<int64_t> shape(self.sizes().begin(), self.sizes().end() - 3);
  shape.insert(shape.end(), rest.begin(), rest.end());
  return shape;
}

// A permutation that leaves the batch and orders the rest.
std::vector<int64_t> with_batch_order(const Tensor& self, const std::vector<int64_t>& order) {
  std::vector<int64_t> dims(static_cast<size_t>(self.dim() - 3));
  std::iota(dims.begin(), dims.end(), 0);
  for (const int64_t d : order) dims.push_back(self.dim() - 3 + d);
  return dims;
}

// A copy of `split`, in which `channels` dimensions from `first` on make up the channels of the
// result and others its height and width, with the sizes of the result. The channels are last in
// memory where they are in `self`.
Tensor joined(const Tensor& self, const Tensor& split, int64_t first, int64_t channels,
              IntArrayRef sizes) {
  if (self.suggest_memory_format() == MemoryFormat::Contiguous || first != 1) {
    return at::_unsafe_view(split.clone(MemoryFormat::Contiguous), sizes);
  }
  std::vector<int64_t> from(static_cast<size_t>(channels));
  std::vector<int64_t> to(static_cast<size_t>(channels));
  std::iota(from.begin(), from.end(), first);
  std::iota(to.begin(), to.end(), -channels);
  std::vector<int64_t> channels_last = sizes.vec();
  channels_last.erase(channels_last.begin() + first);
  channels_last.push_back(sizes[static_cast<size_t>(first)]);
  const Tensor copy = split.movedim(from, to).clone(MemoryFormat::Contiguous);
  return at::_unsafe_view(copy, channels_last).movedim(-1, first);
}

}  // namespace

// (C r^2, H, W) to (C, H r, W r) (Shi and others, arXiv:1609.05158).
Tensor pixel_shuffle(const Tensor& self, int64_t upscale_factor) {
  TORCH_CHECK(self.dim() >= 3,
              "pixel_shuffle expects input to have at least 3 dimensions, but got input with ",
              self.dim(), " dimension(s)");
  TORCH_CHECK(upscale_factor > 0, "pixel_shuffle expects a positive upscale_factor, but got ",
              upscale_factor);
  const int64_t r = upscale_factor;
  const int64_t c = self.size(-3);
  const int64_t h = self.size(-2);
  const int64_t w = self.size(-1);
  // Divided twice: r * r may not fit.
  TORCH_CHECK(
      c % r == 0 && c / r % r == 0,
      "pixel_shuffle expects its input's 'channel' dimension to be divisible by the square of upscale_factor, but input.size(-3)=",
      c, " is not divisible by ", r * r);
  const Tensor split = self.reshape(with_batch(self, {c / r / r, r, r, h, w}))
                           .permute(with_batch_order(self, {0, 3, 1, 4, 2}));
  return joined(self, split, self.dim() - 3, 1, with_batch(self, {c / r / r, h * r, w * r}));
}

Tensor pixel_unshuffle(const Tensor& self, int64_t downscale_factor) {
  TORCH_CHECK(self.dim() >= 3,
              "pixel_unshuffle expects input to have at least 3 dimensions, but got input with ",
              self.dim(), " dimension(s)");
  TORCH_CHECK(downscale_factor > 0, "pixel_unshuffle expects a positive downscale_factor, but got ",
              downscale_factor);
  const int64_t r = downscale_factor;
  const int64_t c = self.size(-3);
  const int64_t h = self.size(-2);
  const int64_t w = self.size(-1);
  TORCH_CHECK(
      h % r == 0,
      "pixel_unshuffle expects height to be divisible by downscale_factor, but input.size(-2)=", h,
      " is not divisible by ", r);
  TORCH_CHECK(
      w % r == 0,
      "pixel_unshuffle expects width to be divisible by downscale_factor, but input.size(-1)=", w,
      " is not divisible by ", r);
  const Tensor split = self.reshape(with_batch(self, {c, h / r, r, w / r, r}))
                           .permute(with_batch_order(self, {0, 2, 4, 1, 3}));
  return joined(self, split, self.dim() - 3, 3, with_batch(self, {c * r * r, h / r, w / r}));
}

Tensor channel_shuffle(const Tensor& self, int64_t groups) {
  TORCH_CHECK(self.dim() > 2,
              "channel_shuffle expects input with > 2 dims, but got input with sizes ",
              self.sizes());
  TORCH_CHECK(groups > 0,
              "Number of groups to divide channels in must be positive. Value of groups:", groups);
  TORCH_CHECK(self.size(1) % groups == 0, "Number of channels must be divisible by groups. Got ",
              self.size(1), " channels and ", groups, " groups.");
  return at::native_channel_shuffle(self, groups);
}

Tensor native_channel_shuffle(const Tensor& self, int64_t groups) {
  TORCH_CHECK(groups > 0,
              "Number of groups to divide channels in must be positive. Value of groups:", groups);
  if (self.numel() == 0) return self.alias();
  const int64_t batch = self.size(0);
  const int64_t channels = self.size(1);
  const Tensor split = self.reshape({batch, groups, channels / groups, -1}).transpose(1, 2);
  return joined(self, split, 1, 2, self.sizes());
}

}  // namespace at::native
