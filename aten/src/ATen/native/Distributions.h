#pragma once

// Loops of random numbers.

#include <ATen/core/MT19937RNGEngine.h>
#include <ATen/native/DispatchStub.h>
#include <c10/core/ScalarType.h>

#include <cstdint>

namespace at::native {

constexpr int64_t kNormalBlock = 16;

// Box and Muller, in place, of float or double: each block is eight pairs of uniform numbers in
// [0, 1), those of a pair eight apart, which become normal ones.
using normal_fill_fn = void (*)(void* data, int64_t blocks, double mean, double std,
                                c10::ScalarType dtype);
DECLARE_DISPATCH(normal_fill_fn, normal_fill_stub)

// `n` numbers in [from, to) of a floating-point type, as uniform_real_distribution draws them; what
// is rounded to `to` becomes `from`.
using uniform_fill_fn = void (*)(void* data, int64_t n, double from, double to,
                                 c10::ScalarType dtype, mt19937_data_pod& engine);
DECLARE_DISPATCH(uniform_fill_fn, uniform_fill_stub)

// `n` bytes that are 1 with probability `p`, else 0, as bernoulli_distribution<double> draws them.
using bernoulli_fill_fn = void (*)(uint8_t* data, int64_t n, double p, mt19937_data_pod& engine);
DECLARE_DISPATCH(bernoulli_fill_fn, bernoulli_fill_stub)

}  // namespace at::native
