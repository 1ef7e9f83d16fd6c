#pragma once

// The stubs of orthogonal polynomials: the inputs are x and the degree, floating point numbers of
// the common type.

#include <ATen/native/DispatchStub.h>

namespace at {
struct TensorIteratorBase;

namespace native {

using polynomial_fn = void (*)(TensorIteratorBase& iter);
DECLARE_DISPATCH(polynomial_fn, chebyshev_polynomial_t_stub)
DECLARE_DISPATCH(polynomial_fn, chebyshev_polynomial_u_stub)
DECLARE_DISPATCH(polynomial_fn, chebyshev_polynomial_v_stub)
DECLARE_DISPATCH(polynomial_fn, chebyshev_polynomial_w_stub)
DECLARE_DISPATCH(polynomial_fn, hermite_polynomial_h_stub)
DECLARE_DISPATCH(polynomial_fn, hermite_polynomial_he_stub)
DECLARE_DISPATCH(polynomial_fn, laguerre_polynomial_l_stub)
DECLARE_DISPATCH(polynomial_fn, legendre_polynomial_p_stub)
DECLARE_DISPATCH(polynomial_fn, shifted_chebyshev_polynomial_t_stub)
DECLARE_DISPATCH(polynomial_fn, shifted_chebyshev_polynomial_u_stub)
DECLARE_DISPATCH(polynomial_fn, shifted_chebyshev_polynomial_v_stub)
DECLARE_DISPATCH(polynomial_fn, shifted_chebyshev_polynomial_w_stub)

}  // namespace native
}  // namespace at
