// Elements in another order: rolled, turned, tiled, repeated; windows; other names of transpose.

#define TORCH_ASSERT_ONLY_METHOD_OPERATORS
#include <ATen/WrapDimUtils.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/_unsafe_view.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/fliplr_native.h>
#include <ATen/ops/flipud_native.h>
#include <ATen/ops/moveaxis_native.h>
#include <ATen/ops/repeat_interleave.h>
#include <ATen/ops/repeat_interleave_native.h>
#include <ATen/ops/roll_native.h>
#include <ATen/ops/rot90_native.h>
#include <ATen/ops/swapaxes_native.h>
#include <ATen/ops/swapdims_native.h>
#include <ATen/ops/tile_native.h>
#include <ATen/ops/unfold_backward_native.h>
#include <ATen/ops/unfold_native.h>
#include <ATen/ops/zeros.h>
#include <c10/core/ScalarType.h>
#include <c10/util/Exception.h>

#include <algorithm>
#include <numeric>
#include <optional>
#include <vector>

namespace at::native {

// ---- roll

namespace {

// In two pieces, the end before the start.
Tensor roll_one(const Tensor& self, int64_t shift, int64_t dim) {
  const int64_t size = self.size(dim);
  const int64_t start = ((size - shift % size) % size);
  if (start == 0) return self.clone(MemoryFormat::Preserve);
  return at::cat({self.narrow(dim, start, size - start), self.narrow(dim, 0, start)}, dim);
}

}  // namespace

Tensor roll(const Tensor& self, IntArrayRef shifts, IntArrayRef dims) {
  TORCH_CHECK(!shifts.empty(), "`shifts` required");
  if (dims.empty() && shifts.size() == 1) {
    if (self.numel() == 0) return self.clone(MemoryFormat::Preserve);
    return at::_unsafe_view(roll_one(self.contiguous().view(self.numel()), shifts[0], 0),
                            self.sizes());
  }
  TORCH_CHECK(shifts.size() == dims.size(),
              "shifts and dimensions must align. shifts: ", shifts.size(), ", dims:", dims.size());
  Tensor result = self;
  for (size_t i = 0; i < dims.size(); ++i) {
    const int64_t dim = at::maybe_wrap_dim(dims[i], self.dim(), /*wrap_scalar=*/false);
    if (self.numel() == 0) continue;
    if (self.dim() == 0) continue;
    result = roll_one(result, shifts[i], dim);
  }
  return result.is_same(self) ? self.clone(MemoryFormat::Preserve) : result;
}

// ---- flips and turns

Tensor fliplr(const Tensor& self) {
  TORCH_CHECK(self.dim() >= 2, "Input must be >= 2-d.");
  return self.flip({1});
}

Tensor flipud(const Tensor& self) {
  TORCH_CHECK(self.dim() >= 1, "Input must be >= 1-d.");
  return self.flip({0});
}

Tensor rot90(const Tensor& self, int64_t k, IntArrayRef dims) {
  const int64_t ndim = self.dim();
  TORCH_CHECK(dims.size() == 2, "expected total rotation dims == 2, but got dims = ", dims.size());
  TORCH_CHECK(ndim >= 2, "expected total dims >= 2, but got total dims = ", ndim);
  TORCH_CHECK(dims[0] != dims[1] && std::abs(dims[0] - dims[1]) != ndim,
              "expected rotation dims to be different, but got dim0 = ", dims[0],
              " and dim1 = ", dims[1]);
  TORCH_CHECK(dims[0] < ndim && dims[0] >= -ndim, "Rotation dim0 out of range, dim0 = ", dims[0]);
  TORCH_CHECK(dims[1] < ndim && dims[1] >= -ndim, "Rotation dim1 out of range, dim1 = ", dims[1]);
  switch (((k % 4) + 4) % 4) {
    case 1:
      return self.flip({dims[1]}).transpose_(dims[0], dims[1]);
    case 2:
      return self.flip(dims);
    case 3:
      return self.flip({dims[0]}).transpose_(dims[0], dims[1]);
    default:
      return self.clone(MemoryFormat::Contiguous);
  }
}

// ---- repetition

Tensor tile(const Tensor& self, IntArrayRef dims) {
  // Missing leading repeats are 1.
  const int64_t missing = self.dim() - static_cast<int64_t>(dims.size());
  if (missing <= 0) return self.repeat(dims);
  std::vector<int64_t> repeats(static_cast<size_t>(missing), 1);
  repeats.insert(repeats.end(), dims.begin(), dims.end());
  return self.repeat(repeats);
}

// The index i as often as `repeats` says, for every i.
Tensor repeat_interleave_cpu(const Tensor& repeats, std::optional<int64_t> output_size) {
  TORCH_CHECK(repeats.dim() == 1, "repeat_interleave only accept 1D vector as repeat");
  TORCH_CHECK(repeats.scalar_type() == kLong || repeats.scalar_type() == kInt,
              "repeats has to be Long or Int tensor");
  const Tensor counts = repeats.to(kLong).contiguous();
  const auto* count = counts.const_data_ptr<int64_t>();
  int64_t total = 0;
  for (int64_t i = 0; i < counts.numel(); ++i) {
    TORCH_CHECK(count[i] >= 0, "repeats can not be negative");
    total += count[i];
  }
  TORCH_CHECK(!output_size.has_value() || *output_size == total,
              "allocated size does not match required size");
  Tensor result = at::empty({total}, repeats.options());
  Tensor places = at::empty({total}, counts.options());
  auto* out = places.mutable_data_ptr<int64_t>();
  for (int64_t i = 0; i < counts.numel(); ++i) out = std::fill_n(out, count[i], i);
  return result.copy_(places);
}

Tensor repeat_interleave(const Tensor& self, const Tensor& repeats, std::optional<int64_t> dim,
                         std::optional<int64_t> output_size) {
  const Tensor input = dim.has_value() ? self : self.flatten();
  const int64_t d = at::maybe_wrap_dim(dim.value_or(0), input.dim());
  TORCH_CHECK(repeats.dim() == 0 || repeats.dim() == 1, "repeats must be 0-dim or 1-dim tensor");
  const int64_t size = input.dim() == 0 ? 1 : input.size(d);
  Tensor counts = repeats;
  if (repeats.dim() == 0 || (repeats.dim() == 1 && repeats.size(0) == 1)) {
    counts = repeats.reshape({1}).expand({size});
  } else {
    TORCH_CHECK(repeats.size(0) == size,
                "repeats must have the same size as input along dim, but got repeats.size(0) = ",
                repeats.size(0), " and input.size(", d, ") = ", size);
  }
  return input.index_select(d, at::repeat_interleave(counts, output_size));
}

Tensor repeat_interleave(const Tensor& self, int64_t repeats, std::optional<int64_t> dim_opt,
                         std::optional<int64_t> output_size) {
  TORCH_CHECK(repeats >= 0, "Repeats must be non-negative");
  const Tensor input = dim_opt.has_value() ? self : self.flatten();
  const int64_t dim = at::maybe_wrap_dim(dim_opt.value_or(0), input.dim());
  if (input.dim() == 0) return input.expand({repeats}).clone(MemoryFormat::Contiguous);
  TORCH_CHECK(!output_size.has_value() || *output_size == input.size(dim) * repeats,
              "repeat_interleave: Invalid output_size, expected ", input.size(dim) * repeats,
              " but got ", output_size.value_or(0));
  std::vector<int64_t> shape = input.sizes().vec();
  shape.insert(shape.begin() + dim + 1, repeats);
  return input.unsqueeze(dim + 1)
      .expand(shape)
      .clone(MemoryFormat::Contiguous)
      .flatten(dim, dim + 1);
}

// ---- windows

Tensor unfold(const Tensor& self, int64_t d, int64_t size, int64_t step) {
  // A zero-dimensional tensor unfolds as a vector of one element.
  const int64_t dim = at::maybe_wrap_dim(d, self.dim());
  const int64_t max_size = self.dim() == 0 ? 1 : self.size(dim);
  TORCH_CHECK(size >= 0, "size is ", size, " but must be >= 0");
  TORCH_CHECK(size <= max_size, "maximum size for tensor at dimension ", dim, " is ", max_size,
              " but size is ", size);
  TORCH_CHECK(step > 0, "step is ", step, " but must be > 0");
  std::vector<int64_t> sizes = self.sizes().vec();
  std::vector<int64_t> strides = self.strides().vec();
  const auto at_dim = static_cast<size_t>(dim);
  sizes.push_back(size);
  strides.push_back(self.dim() == 0 ? 1 : self.stride(dim));
  if (self.dim() > 0) {
    sizes[at_dim] = (self.size(dim) - size) / step + 1;
    strides[at_dim] *= step;
  }
  return self.as_strided(sizes, strides);
}

Tensor unfold_backward(const Tensor& grad, IntArrayRef input_sizes, int64_t dim, int64_t size,
                       int64_t step) {
  Tensor result = at::zeros(input_sizes, grad.options());
  if (input_sizes.empty()) return size == 0 ? result : result.add(grad.reshape({}));
  const int64_t d = at::maybe_wrap_dim(dim, result.dim());
  const int64_t windows = grad.size(d);
  if (windows == 0) return result;
  // Elements of windows that do not overlap: one of each at a time, or as many as a step has.
  constexpr int64_t kShortRow = 16;
  const int64_t together = step < kShortRow && step < windows ? 1 : step;
  for (int64_t first = 0; first < size; first += together) {
    const int64_t count = std::min(together, size - first);
    result.slice(d, first, first + (windows - 1) * step + count)
        .unfold(d, count, step)
        .add_(grad.slice(-1, first, first + count));
  }
  return result;
}

// ---- other names

Tensor moveaxis(const Tensor& self, IntArrayRef source, IntArrayRef destination) {
  return self.movedim(source, destination);
}

Tensor moveaxis(const Tensor& self, int64_t source, int64_t destination) {
  return self.movedim(source, destination);
}

Tensor swapaxes(const Tensor& self, int64_t axis0, int64_t axis1) {
  return self.transpose(axis0, axis1);
}

Tensor& swapaxes_(Tensor& self, int64_t axis0, int64_t axis1) {
  return self.transpose_(axis0, axis1);
}

Tensor swapdims(const Tensor& self, int64_t dim0, int64_t dim1) {
  return self.transpose(dim0, dim1);
}

Tensor& swapdims_(Tensor& self, int64_t dim0, int64_t dim1) { return self.transpose_(dim0, dim1); }

}  // namespace at::native
