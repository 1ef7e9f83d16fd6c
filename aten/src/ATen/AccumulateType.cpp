#include <ATen/AccumulateType.h>

#include <ATen/Dispatch.h>

namespace at {

c10::ScalarType toAccumulateType(c10::ScalarType type, c10::DeviceType device) {
  return toAccumulateType(type, device == c10::kCUDA);
}

c10::ScalarType toAccumulateType(c10::ScalarType type, bool is_cuda) {
  return AT_DISPATCH_ALL_TYPES_AND_COMPLEX_AND3(
      c10::ScalarType::Half, c10::ScalarType::BFloat16, c10::ScalarType::Bool, type,
      "toAccumulateType", [&] {
        return is_cuda ? c10::CppTypeToScalarType<acc_type<scalar_t, true>>::value
                       : c10::CppTypeToScalarType<acc_type<scalar_t, false>>::value;
      });
}

}  // namespace at
