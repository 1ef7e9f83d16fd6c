// Bessel functions and Airy's function Ai. cpu/BesselKernel.cpp has the formulas.

#define TORCH_ASSERT_ONLY_METHOD_OPERATORS
#include <ATen/TensorIterator.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/SpecialBessel.h>
#include <ATen/ops/special_airy_ai_native.h>
#include <ATen/ops/special_bessel_j0_native.h>
#include <ATen/ops/special_bessel_j1_native.h>
#include <ATen/ops/special_bessel_y0_native.h>
#include <ATen/ops/special_bessel_y1_native.h>
#include <ATen/ops/special_modified_bessel_i0_native.h>
#include <ATen/ops/special_modified_bessel_i1_native.h>
#include <ATen/ops/special_modified_bessel_k0_native.h>
#include <ATen/ops/special_modified_bessel_k1_native.h>
#include <ATen/ops/special_scaled_modified_bessel_k0_native.h>
#include <ATen/ops/special_scaled_modified_bessel_k1_native.h>
#include <ATen/ops/special_spherical_bessel_j0_native.h>

namespace at::native {
#define FOR_EACH_FUNCTION(F)   \
  F(airy_ai)                   \
  F(bessel_j0)                 \
  F(bessel_j1)                 \
  F(bessel_y0)                 \
  F(bessel_y1)                 \
  F(modified_bessel_i0)        \
  F(modified_bessel_i1)        \
  F(modified_bessel_k0)        \
  F(modified_bessel_k1)        \
  F(scaled_modified_bessel_k0) \
  F(scaled_modified_bessel_k1) \
  F(spherical_bessel_j0)

#define IMPLEMENT(name)                                                                     \
  DEFINE_DISPATCH(special_##name##_stub);                                                   \
  TORCH_IMPL_FUNC(special_##name##_out)(const Tensor& /*self*/, const Tensor& /*result*/) { \
    special_##name##_stub(device_type(), *this);                                            \
  }

FOR_EACH_FUNCTION(IMPLEMENT)

}  // namespace at::native

namespace at::meta {

#define DECIDE_SHAPE(name)                                    \
  TORCH_META_FUNC(special_##name)(const Tensor& self) {       \
    build_borrowing_unary_float_op(maybe_get_output(), self); \
  }

FOR_EACH_FUNCTION(DECIDE_SHAPE)

}  // namespace at::meta
