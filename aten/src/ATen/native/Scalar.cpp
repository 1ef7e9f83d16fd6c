// The number in a tensor of one element.

#define TORCH_ASSERT_ONLY_METHOD_OPERATORS
#include <c10/core/Scalar.h>

#include <ATen/core/Tensor.h>
#include <ATen/native/DispatchUnsigned.h>
#include <ATen/ops/_assert_async_native.h>
#include <ATen/ops/_local_scalar_dense.h>
#include <ATen/ops/_local_scalar_dense_native.h>
#include <ATen/ops/is_nonzero_native.h>
#include <ATen/ops/item_native.h>
#include <c10/util/Exception.h>

#include <string_view>

namespace at::native {

Scalar item(const Tensor& self) {
  const int64_t numel = self.numel();
  TORCH_CHECK(numel == 1, "a Tensor with ", numel, " elements cannot be converted to Scalar");
  TORCH_CHECK(!self.is_meta(), "Tensor.item() cannot be called on meta tensors");
  return at::_local_scalar_dense(self);
}

Scalar _local_scalar_dense_cpu(const Tensor& self) {
  Scalar r;
  AT_DISPATCH_STORED_TYPES(self.scalar_type(), "_local_scalar_dense_cpu",
                           [&] { r = Scalar(*self.const_data_ptr<scalar_t>()); });
  return r;
}

bool is_nonzero(const Tensor& self) {
  const int64_t n = self.numel();
  TORCH_CHECK(n != 0, "Boolean value of Tensor with no values is ambiguous");
  TORCH_CHECK(n < 2, "Boolean value of Tensor with more than one value is ambiguous");
  const Scalar value = self.item();
  if (value.isFloatingPoint()) return value.to<double>() != 0;
  if (value.isBoolean()) return value.to<bool>();
  if (value.isComplex()) return value.to<c10::complex<double>>() != c10::complex<double>(0.0, 0.0);
  return !value.equal(int64_t{0});
}

// The host waits for a GPU's value, which PyTorch's kernel checks later.
void _assert_async_msg(const Tensor& self, std::string_view assert_msg) {
  if (self.is_meta()) return;
  TORCH_CHECK(native::is_nonzero(self), assert_msg);
}

void _assert_async(const Tensor& self) {
  _assert_async_msg(self, "Expected Tensor with single nonzero value, but got zero");
}

}  // namespace at::native
