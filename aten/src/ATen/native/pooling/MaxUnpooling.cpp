// What was the maximum of a window back at its place, with zeros elsewhere.

#define TORCH_ASSERT_ONLY_METHOD_OPERATORS
#include <ATen/Context.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/OutVariant.h>
#include <ATen/ops/max_unpool2d_native.h>
#include <ATen/ops/max_unpool3d_native.h>
#include <ATen/ops/zeros.h>
#include <c10/core/ScalarType.h>
#include <c10/util/Exception.h>

#include <cstdint>
#include <vector>

namespace at::native {
namespace {

Tensor max_unpool(const Tensor& self, const Tensor& indices, IntArrayRef output_size,
                  int64_t dims) {
  at::globalContext().alertNotDeterministic(dims == 2 ? "max_unpooling2d_forward_out"
                                                      : "max_unpooling3d_forward_out");
  TORCH_CHECK(indices.scalar_type() == kLong,
              "elements in indices should be type int64 but got: ", indices.scalar_type());
  TORCH_CHECK(static_cast<int64_t>(output_size.size()) == dims, "There should be exactly ", dims,
              " elements in output_size, but got ", output_size.size());
  TORCH_CHECK(self.dim() == dims + 1 || self.dim() == dims + 2, "Input to max_unpooling", dims,
              "d should be a ", dims + 1, "d or ", dims + 2, "d Tensor, but got: ", self.sizes());
  TORCH_CHECK(self.sizes() == indices.sizes(),
              "Expected shape of indices to be same as that of the input tensor (", self.sizes(),
              ") but got indices tensor with shape: ", indices.sizes());
  for (int64_t d = self.dim() - dims - 1; d < self.dim(); ++d) {
    TORCH_CHECK(self.size(d) > 0, "max_unpooling", dims,
                "d(): Expected input to have non-zero size for non-batch dimensions, but got ",
                self.sizes(), " with dimension ", d, " being empty.");
  }
  std::vector<int64_t> planes =
      self.sizes().slice(0, self.sizes().size() - output_size.size()).vec();
  std::vector<int64_t> shape = planes;
  int64_t volume = 1;
  for (const int64_t size : output_size) {
    volume *= size;
    shape.push_back(size);
  }
  planes.push_back(volume);
  if (indices.numel() > 0) {
    const int64_t least = indices.min().item().toLong();
    const int64_t most = indices.max().item().toLong();
    TORCH_CHECK(least >= 0 && most < volume,
                "Found an invalid max index: ", least < 0 ? least : most,
                " (output volumes are of size ", c10::Join("x", output_size), ")");
  }
  int64_t inputs = 1;
  for (int64_t d = -dims; d < 0; ++d) inputs *= self.size(d);
  planes.back() = inputs;
  const Tensor places = indices.contiguous().view(planes);
  const Tensor values = self.contiguous().view(planes);
  planes.back() = volume;
  const Tensor result = at::zeros(planes, self.options()).scatter_(-1, places, values);
  return result.view(shape).contiguous(self.suggest_memory_format());
}

}  // namespace

Tensor max_unpool2d_cpu(const Tensor& self, const Tensor& indices, IntArrayRef output_size) {
  return max_unpool(self, indices, output_size, 2);
}

Tensor& max_unpool2d_out_cpu(const Tensor& self, const Tensor& indices, IntArrayRef output_size,
                             Tensor& out) {
  return write_out(out, max_unpool(self, indices, output_size, 2));
}

Tensor max_unpool3d_cpu(const Tensor& self, const Tensor& indices, IntArrayRef output_size,
                        IntArrayRef /*stride*/, IntArrayRef /*padding*/) {
  return max_unpool(self, indices, output_size, 3);
}

Tensor& max_unpool3d_out_cpu(const Tensor& self, const Tensor& indices, IntArrayRef output_size,
                             IntArrayRef /*stride*/, IntArrayRef /*padding*/, Tensor& out) {
  return write_out(out, max_unpool(self, indices, output_size, 3));
}

}  // namespace at::native
