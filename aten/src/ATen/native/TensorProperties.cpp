// Questions about the type and shape of tensors.

#define TORCH_ASSERT_ONLY_METHOD_OPERATORS
#include <ATen/MemoryOverlap.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/TypeProperties.h>
#include <ATen/ops/_debug_has_internal_overlap_native.h>
#include <ATen/ops/can_cast_native.h>
#include <ATen/ops/is_complex_native.h>
#include <ATen/ops/is_floating_point_native.h>
#include <ATen/ops/is_same_size_native.h>
#include <ATen/ops/is_signed_native.h>
#include <ATen/ops/promote_types_native.h>
#include <ATen/ops/result_type_native.h>
#include <c10/core/Scalar.h>
#include <c10/core/ScalarType.h>

#include <cstdint>

namespace at::native {

bool is_floating_point(const Tensor& self) { return c10::isFloatingType(self.scalar_type()); }

bool is_complex(const Tensor& self) { return c10::isComplexType(self.scalar_type()); }

bool is_signed(const Tensor& self) { return c10::isSignedType(self.scalar_type()); }

bool is_same_size(const Tensor& self, const Tensor& other) {
  return self.sizes().equals(other.sizes());
}

int64_t _debug_has_internal_overlap(const Tensor& self) {
  return static_cast<int64_t>(at::has_internal_overlap(self));
}

bool can_cast(ScalarType from_, ScalarType to) { return c10::canCast(from_, to); }

ScalarType promote_types(ScalarType type1, ScalarType type2) {
  return c10::promoteTypes(type1, type2);
}

ScalarType result_type(const Tensor& tensor, const Tensor& other) {
  return result_type(static_cast<const TensorBase&>(tensor), static_cast<const TensorBase&>(other));
}

ScalarType result_type(const Tensor& tensor, const Scalar& other) {
  return result_type(static_cast<const TensorBase&>(tensor), other);
}

ScalarType result_type(const Scalar& scalar, const Tensor& tensor) {
  return result_type(scalar, static_cast<const TensorBase&>(tensor));
}

}  // namespace at::native
