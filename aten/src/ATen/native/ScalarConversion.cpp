#include <ATen/native/DispatchUnsigned.h>
#include <ATen/native/ScalarConversion.h>

#include <ATen/ScalarOps.h>
#include <ATen/core/Tensor.h>
#include <c10/core/Scalar.h>

namespace at::native {

void check_convert(const Scalar& scalar, ScalarType dtype) {
  AT_DISPATCH_STORED_TYPES(dtype, "check_convert", [&] { (void)scalar.to<scalar_t>(); });
}

Tensor wrapped_scalar_tensor_and_check_convert(const Scalar& scalar, const Tensor& tensor) {
  check_convert(scalar, tensor.scalar_type());
  return wrapped_scalar_tensor(scalar);
}

}  // namespace at::native
