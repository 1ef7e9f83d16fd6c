// Orthogonal polynomials of degree n at x: their shapes, types and overloads.

#define TORCH_ASSERT_ONLY_METHOD_OPERATORS
#include <ATen/ScalarOps.h>
#include <ATen/TensorIterator.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/OrthogonalPolynomials.h>
#include <ATen/ops/special_chebyshev_polynomial_t.h>
#include <ATen/ops/special_chebyshev_polynomial_t_native.h>
#include <ATen/ops/special_chebyshev_polynomial_u.h>
#include <ATen/ops/special_chebyshev_polynomial_u_native.h>
#include <ATen/ops/special_chebyshev_polynomial_v.h>
#include <ATen/ops/special_chebyshev_polynomial_v_native.h>
#include <ATen/ops/special_chebyshev_polynomial_w.h>
#include <ATen/ops/special_chebyshev_polynomial_w_native.h>
#include <ATen/ops/special_hermite_polynomial_h.h>
#include <ATen/ops/special_hermite_polynomial_h_native.h>
#include <ATen/ops/special_hermite_polynomial_he.h>
#include <ATen/ops/special_hermite_polynomial_he_native.h>
#include <ATen/ops/special_laguerre_polynomial_l.h>
#include <ATen/ops/special_laguerre_polynomial_l_native.h>
#include <ATen/ops/special_legendre_polynomial_p.h>
#include <ATen/ops/special_legendre_polynomial_p_native.h>
#include <ATen/ops/special_shifted_chebyshev_polynomial_t.h>
#include <ATen/ops/special_shifted_chebyshev_polynomial_t_native.h>
#include <ATen/ops/special_shifted_chebyshev_polynomial_u.h>
#include <ATen/ops/special_shifted_chebyshev_polynomial_u_native.h>
#include <ATen/ops/special_shifted_chebyshev_polynomial_v.h>
#include <ATen/ops/special_shifted_chebyshev_polynomial_v_native.h>
#include <ATen/ops/special_shifted_chebyshev_polynomial_w.h>
#include <ATen/ops/special_shifted_chebyshev_polynomial_w_native.h>
#include <c10/core/Scalar.h>

namespace at::native {

#define FOR_EACH_FUNCTION(F)        \
  F(chebyshev_polynomial_t)         \
  F(chebyshev_polynomial_u)         \
  F(chebyshev_polynomial_v)         \
  F(chebyshev_polynomial_w)         \
  F(hermite_polynomial_h)           \
  F(hermite_polynomial_he)          \
  F(laguerre_polynomial_l)          \
  F(legendre_polynomial_p)          \
  F(shifted_chebyshev_polynomial_t) \
  F(shifted_chebyshev_polynomial_u) \
  F(shifted_chebyshev_polynomial_v) \
  F(shifted_chebyshev_polynomial_w)

#define DEFINE_STUB(name) DEFINE_DISPATCH(name##_stub);
FOR_EACH_FUNCTION(DEFINE_STUB)
#undef DEFINE_STUB

#define IMPLEMENT(name)                                                         \
  TORCH_IMPL_FUNC(special_##name##_out)                                         \
  (const Tensor& /*x*/, const Tensor& /*n*/, const Tensor& /*result*/) {        \
    name##_stub(device_type(), *this);                                          \
  }                                                                             \
  Tensor special_##name(const Scalar& x, const Tensor& n) {                     \
    return at::special_##name(wrapped_scalar_tensor(x), n);                     \
  }                                                                             \
  Tensor special_##name(const Tensor& x, const Scalar& n) {                     \
    return at::special_##name(x, wrapped_scalar_tensor(n));                     \
  }                                                                             \
  Tensor& special_##name##_out(const Scalar& x, const Tensor& n, Tensor& out) { \
    return at::special_##name##_out(out, wrapped_scalar_tensor(x), n);          \
  }                                                                             \
  Tensor& special_##name##_out(const Tensor& x, const Scalar& n, Tensor& out) { \
    return at::special_##name##_out(out, x, wrapped_scalar_tensor(n));          \
  }

FOR_EACH_FUNCTION(IMPLEMENT)

}  // namespace at::native

namespace at::meta {

#define DECIDE_SHAPE(name)                                            \
  TORCH_META_FUNC(special_##name)(const Tensor& x, const Tensor& n) { \
    build_borrowing_binary_float_op(maybe_get_output(), x, n);        \
  }

FOR_EACH_FUNCTION(DECIDE_SHAPE)

}  // namespace at::meta
