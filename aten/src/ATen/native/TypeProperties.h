#pragma once

// Type promotion over several operands. Tensors with dimensions decide first, then
// zero-dimensional tensors, then numbers: a lower group counts only when its category (bool,
// integer, floating point, complex) is higher.

#include <ATen/core/TensorBase.h>
#include <c10/core/Scalar.h>
#include <c10/macros/Export.h>

namespace at::native {

struct ResultTypeState {
  ScalarType dimResult = ScalarType::Undefined;
  ScalarType wrappedResult = ScalarType::Undefined;
  ScalarType zeroResult = ScalarType::Undefined;
};

TORCH_API ResultTypeState update_result_type_state(const TensorBase& tensor,
                                                   const ResultTypeState& in_state);
TORCH_API ResultTypeState update_result_type_state(const c10::Scalar& scalar,
                                                   const ResultTypeState& in_state);
TORCH_API ScalarType result_type(const ResultTypeState& state);

TORCH_API ScalarType result_type(TensorList tensors);
TORCH_API ScalarType result_type(const TensorBase& a, const TensorBase& b);
TORCH_API ScalarType result_type(const TensorBase& a, const c10::Scalar& b);
TORCH_API ScalarType result_type(const c10::Scalar& a, const TensorBase& b);
TORCH_API ScalarType result_type(const c10::Scalar& a, const c10::Scalar& b);

}  // namespace at::native
