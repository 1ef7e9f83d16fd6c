#pragma once

// The stubs of what normalisations are made of: passes over contiguous rows.

#include <ATen/native/DispatchStub.h>
#include <c10/core/ScalarType.h>

#include <cstdint>

namespace at::native {

// Rows are `count` rows of `length` elements of `dtype` (float, double, BFloat16, Half); statistics
// are doubles, one for each row or one for each column.
enum class StatisticsOf : uint8_t { Rows, Columns };

// The mean of each row or column and the sum of squared distances from it.
using norm_moments_fn = void (*)(c10::ScalarType dtype, StatisticsOf of, int64_t count,
                                 int64_t length, const void* x, double* mean, double* squares);
DECLARE_DISPATCH(norm_moments_fn, norm_moments_stub)

// y = x * scale + shift
using norm_affine_fn = void (*)(c10::ScalarType dtype, StatisticsOf of, int64_t count,
                                int64_t length, const void* x, const double* scale,
                                const double* shift, void* y);
DECLARE_DISPATCH(norm_affine_fn, norm_affine_stub)

// The sums over each row or column of dy and of dy * (x - mean).
using norm_dots_fn = void (*)(c10::ScalarType dtype, StatisticsOf of, int64_t count, int64_t length,
                              const void* dy, const void* x, const double* mean, double* sum,
                              double* dot);
DECLARE_DISPATCH(norm_dots_fn, norm_dots_stub)

// dx = dy * a + x * b + c
using norm_gradient_fn = void (*)(c10::ScalarType dtype, StatisticsOf of, int64_t count,
                                  int64_t length, const void* dy, const void* x, const double* a,
                                  const double* b, const double* c, void* dx);
DECLARE_DISPATCH(norm_gradient_fn, norm_gradient_stub)

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
