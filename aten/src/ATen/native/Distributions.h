#pragma once

// Loops of random numbers.

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

}  // namespace at::native
