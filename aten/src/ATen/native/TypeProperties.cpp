#include <ATen/native/TypeProperties.h>

#include <ATen/core/Tensor.h>
#include <c10/core/DefaultDtype.h>
#include <c10/util/Exception.h>

namespace at::native {

namespace {

ScalarType promoteSkippingUndefined(ScalarType a, ScalarType b) {
  if (a == ScalarType::Undefined) return b;
  if (b == ScalarType::Undefined) return a;
  return c10::promoteTypes(a, b);
}

// The type of `higher`, unless `lower`'s category is above it.
ScalarType combineCategories(ScalarType higher, ScalarType lower) {
  if (c10::isComplexType(higher)) return higher;
  if (c10::isFloatingType(higher)) {
    // A complex number with a float tensor: complex, as wide as the tensor.
    if (c10::isComplexType(lower)) return c10::toComplexType(higher);
    return higher;
  }
  if (higher == ScalarType::Bool || c10::isFloatingType(lower) || c10::isComplexType(lower)) {
    return promoteSkippingUndefined(higher, lower);
  }
  if (higher != ScalarType::Undefined) return higher;
  return lower;
}

// A number's type when it meets tensors: only its category is its own.
ScalarType wrappedType(ScalarType type) {
  if (c10::isComplexType(type)) return c10::toComplexType(c10::get_default_dtype_as_scalartype());
  if (c10::isFloatingType(type)) return c10::get_default_dtype_as_scalartype();
  return type;
}

}  // namespace

ResultTypeState update_result_type_state(const TensorBase& tensor,
                                         const ResultTypeState& in_state) {
  if (!tensor.defined()) return in_state;
  ResultTypeState state = in_state;
  const bool wrapped = tensor.unsafeGetTensorImpl()->is_wrapped_number();
  const ScalarType current = wrapped ? wrappedType(tensor.scalar_type()) : tensor.scalar_type();
  if (tensor.dim() > 0) {
    state.dimResult = promoteSkippingUndefined(state.dimResult, current);
  } else if (wrapped) {
    state.wrappedResult = promoteSkippingUndefined(state.wrappedResult, current);
  } else {
    state.zeroResult = promoteSkippingUndefined(state.zeroResult, current);
  }
  return state;
}

ResultTypeState update_result_type_state(const c10::Scalar& scalar,
                                         const ResultTypeState& in_state) {
  ResultTypeState state = in_state;
  state.wrappedResult = promoteSkippingUndefined(state.wrappedResult, wrappedType(scalar.type()));
  return state;
}

ScalarType result_type(const ResultTypeState& state) {
  return combineCategories(state.dimResult,
                           combineCategories(state.zeroResult, state.wrappedResult));
}

ScalarType result_type(TensorList tensors) {
  ResultTypeState state;
  for (const Tensor& tensor : tensors) state = update_result_type_state(tensor, state);
  return result_type(state);
}

ScalarType result_type(const TensorBase& a, const TensorBase& b) {
  return result_type(update_result_type_state(b, update_result_type_state(a, {})));
}
ScalarType result_type(const TensorBase& a, const c10::Scalar& b) {
  return result_type(update_result_type_state(b, update_result_type_state(a, {})));
}
ScalarType result_type(const c10::Scalar& a, const TensorBase& b) { return result_type(b, a); }
ScalarType result_type(const c10::Scalar& a, const c10::Scalar& b) {
  return result_type(update_result_type_state(b, update_result_type_state(a, {})));
}

}  // namespace at::native
