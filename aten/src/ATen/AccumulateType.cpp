#include <ATen/AccumulateType.h>

#include <c10/util/Exception.h>

namespace at {

c10::ScalarType toAccumulateType(c10::ScalarType type, c10::DeviceType device) {
  return toAccumulateType(type, device == c10::kCUDA);
}

c10::ScalarType toAccumulateType(c10::ScalarType type, bool is_cuda) {
  if (type == c10::ScalarType::Bool) return type;
  if (c10::isIntegralType(type, /*includeBool=*/false)) return c10::ScalarType::Long;
  if (c10::isComplexType(type)) return is_cuda ? type : c10::ScalarType::ComplexDouble;
  TORCH_CHECK(c10::isFloatingType(type), "Unrecognized ScalarType: ", type);
  return is_cuda ? toOpMathType(type) : c10::ScalarType::Double;
}

}  // namespace at
