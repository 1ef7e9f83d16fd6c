#pragma once

// The stubs of what normalisations are made of: passes over contiguous rows.

#include <ATen/native/DispatchStub.h>
#include <c10/core/ScalarType.h>

#include <cstdint>

namespace at::native {

// Rows are `count` rows of `length` elements of `dtype` (float, double, BFloat16, Half); statistics
// are doubles, one a row.

// The mean of each row and the sum of squared distances from it.
using row_moments_fn = void (*)(c10::ScalarType dtype, int64_t count, int64_t length, const void* x,
                                double* mean, double* squares);
DECLARE_DISPATCH(row_moments_fn, row_moments_stub)

// y = x * scale[row] + shift[row]
using row_affine_fn = void (*)(c10::ScalarType dtype, int64_t count, int64_t length, const void* x,
                               const double* scale, const double* shift, void* y);
DECLARE_DISPATCH(row_affine_fn, row_affine_stub)

// The sums over each row of dy and of dy * (x - mean[row]).
using row_dots_fn = void (*)(c10::ScalarType dtype, int64_t count, int64_t length, const void* dy,
                             const void* x, const double* mean, double* sum, double* dot);
DECLARE_DISPATCH(row_dots_fn, row_dots_stub)

// dx = dy * a[row] + x * b[row] + c[row]
using row_gradient_fn = void (*)(c10::ScalarType dtype, int64_t count, int64_t length,
                                 const void* dy, const void* x, const double* a, const double* b,
                                 const double* c, void* dx);
DECLARE_DISPATCH(row_gradient_fn, row_gradient_stub)

// y = (x - mean) * rstd * gamma + beta along rows, and the mean and 1 / std of each: of `dtype` on
// the CPU, of the type that it is computed in (float for Half and BFloat16) on a GPU. Without a
// mean (root mean square) x is not centred. gamma and beta may be null.
using layer_norm_fn = void (*)(c10::ScalarType dtype, int64_t count, int64_t length, const void* x,
                               const void* gamma, const void* beta, double eps, bool centred,
                               void* y, void* mean, void* rstd);
DECLARE_DISPATCH(layer_norm_fn, layer_norm_stub)

// The same for rows of which each `groups` have gammas and betas of their own, one row after the
// other: group_norm of elements without further dimensions. On the CPU.
using group_norm_fn = void (*)(c10::ScalarType dtype, int64_t count, int64_t length, int64_t groups,
                               const void* x, const void* gamma, const void* beta, double eps,
                               void* y, void* mean, void* rstd);
DECLARE_DISPATCH(group_norm_fn, group_norm_stub)

// The gradients of layer_norm_stub: dx, and where not null dgamma and dbeta, which have one row's
// length and are overwritten: doubles, and floats where x is on a device that shaders run on.
using layer_norm_backward_fn = void (*)(c10::ScalarType dtype, int64_t count, int64_t length,
                                        const void* dy, const void* x, const void* mean,
                                        const void* rstd, const void* gamma, bool centred, void* dx,
                                        void* dgamma, void* dbeta);
DECLARE_DISPATCH(layer_norm_backward_fn, layer_norm_backward_stub)

// The gradients of group_norm_stub; dgamma and dbeta have `groups` rows.
using group_norm_backward_fn = void (*)(c10::ScalarType dtype, int64_t count, int64_t length,
                                        int64_t groups, const void* dy, const void* x,
                                        const void* mean, const void* rstd, const void* gamma,
                                        void* dx, double* dgamma, double* dbeta);
DECLARE_DISPATCH(group_norm_backward_fn, group_norm_backward_stub)

}  // namespace at::native
