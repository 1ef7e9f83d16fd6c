#define TORCH_ASSERT_ONLY_METHOD_OPERATORS
#include <ATen/native/AxisSampling.h>

#include <ATen/ops/empty.h>
#include <ATen/ops/zeros.h>
#include <c10/core/Device.h>
#include <c10/core/ScalarType.h>

#include <algorithm>
#include <vector>

namespace at::native {
namespace {

template <typename T>
Tensor on_device(ArrayRef<T> values, ScalarType dtype, const Tensor& like) {
  const Tensor host =
      at::empty({static_cast<int64_t>(values.size())},
                like.options().dtype(c10::CppTypeToScalarType<T>::value).device(kCPU));
  std::copy(values.begin(), values.end(), host.mutable_data_ptr<T>());
  return host.to(like.options().dtype(dtype));
}

// The weights as a tensor that is multiplied with (…, positions, count, …).
Tensor weights_of(const Tensor& x, int64_t axis, int64_t count, ArrayRef<double> weight) {
  std::vector<int64_t> shape(static_cast<size_t>(x.dim() + 1), 1);
  shape[static_cast<size_t>(axis)] = static_cast<int64_t>(weight.size()) / count;
  shape[static_cast<size_t>(axis + 1)] = count;
  return on_device(weight, x.scalar_type(), x).view(shape);
}

}  // namespace

Tensor sample_axis(const Tensor& x, int64_t axis, int64_t count, IntArrayRef index,
                   ArrayRef<double> weight) {
  const Tensor read = x.index_select(axis, on_device(index, kLong, x));
  if (weight.empty()) return read;
  std::vector<int64_t> shape = read.sizes().vec();
  shape[static_cast<size_t>(axis)] /= count;
  shape.insert(shape.begin() + axis + 1, count);
  return read.view(shape).mul(weights_of(x, axis, count, weight)).sum({axis + 1});
}

Tensor scatter_axis(const Tensor& grad, int64_t axis, int64_t size, int64_t count,
                    IntArrayRef index, ArrayRef<double> weight) {
  std::vector<int64_t> shape = grad.sizes().vec();
  Tensor parts = grad;
  if (!weight.empty()) {
    shape[static_cast<size_t>(axis)] *= count;
    parts = grad.unsqueeze(axis + 1).mul(weights_of(grad, axis, count, weight)).reshape(shape);
  }
  shape[static_cast<size_t>(axis)] = size;
  return at::zeros(shape, grad.options()).index_add_(axis, on_device(index, kLong, grad), parts);
}

}  // namespace at::native
