#pragma once

// What random numbers may be asked for, the same on every device.

#include <ATen/core/TensorBase.h>

#include <cstdint>
#include <optional>

namespace at::native {

// The integers from 0 to this one are exact in `dtype`.
TORCH_API int64_t largest_exact_integer(ScalarType dtype);

// `count` integers, from `first` on.
struct IntegerRange {
  uint64_t count;
  int64_t first;
};

// The integers that random_(from, to) draws from: up to the largest exact one if `to` is missing.
// Throws if there are none, or if `dtype` does not hold them.
TORCH_API IntegerRange random_range(int64_t from, std::optional<int64_t> to, ScalarType dtype);

// Each throws what PyTorch throws for a parameter outside of its range.
TORCH_API void check_uniform(double from, double to, ScalarType dtype);
TORCH_API void check_normal(double std);
TORCH_API void check_exponential(double lambd);
TORCH_API void check_bernoulli(double p);

}  // namespace at::native
