#include <ATen/ScalarOps.h>

#include <ATen/Dispatch.h>
#include <ATen/EmptyTensor.h>
#include <ATen/core/Tensor.h>
#include <c10/core/ScalarType.h>

namespace at {
namespace detail {

Tensor scalar_tensor_static(const Scalar& s, ScalarType dtype, c10::Device device) {
  Tensor tensor(device.is_meta() ? empty_meta({}, dtype) : empty_cpu({}, dtype));
  if (!device.is_meta()) {
    AT_DISPATCH_ALL_TYPES_AND_COMPLEX_AND4(
        kBool, kHalf, kBFloat16, kUInt64, dtype, "fill_out",
        [&] { *static_cast<scalar_t*>(tensor.mutable_data_ptr()) = s.to<scalar_t>(); });
  }
  return tensor;
}

}  // namespace detail

namespace native {

Tensor wrapped_scalar_tensor(const Scalar& scalar, c10::Device device) {
  Tensor tensor = c10::scalar_to_tensor(scalar, device);
  tensor.unsafeGetTensorImpl()->set_wrapped_number(true);
  return tensor;
}

}  // namespace native
}  // namespace at

namespace c10 {

at::Tensor scalar_to_tensor(const Scalar& s, const Device device) {
  ScalarType dtype = ScalarType::Double;
  if (s.isBoolean()) {
    dtype = ScalarType::Bool;
  } else if (s.isComplex()) {
    dtype = ScalarType::ComplexDouble;
  } else if (s.isIntegral(/*includeBool=*/false)) {
    // What int64 does not hold.
    dtype = s.type() == ScalarType::UInt64 ? ScalarType::UInt64 : ScalarType::Long;
  }
  return at::detail::scalar_tensor_static(s, dtype, device);
}

}  // namespace c10
