#pragma once

// The types that many elements are accumulated in.

#include <ATen/OpMathType.h>
#include <c10/core/DeviceType.h>
#include <c10/core/ScalarType.h>
#include <c10/macros/Export.h>

#include <cstdint>
#include <type_traits>

namespace at {

// On the CPU: double for floating point, complex<double> for complex, int64 for integers.
template <typename T, bool is_cuda>
struct AccumulateType {
  using type = std::conditional_t<std::is_integral_v<T>, int64_t, double>;
};
template <bool is_cuda>
struct AccumulateType<bool, is_cuda> {
  using type = bool;
};
template <typename T>
  requires(!std::is_same_v<T, bool>)
struct AccumulateType<T, true> {
  using type = std::conditional_t<std::is_integral_v<T>, int64_t, opmath_type<T>>;
};
template <typename T>
struct AccumulateType<c10::complex<T>, false> {
  using type = c10::complex<double>;
};
template <typename T>
struct AccumulateType<c10::complex<T>, true> {
  using type = c10::complex<T>;
};

template <typename T, bool is_cuda>
using acc_type = typename AccumulateType<T, is_cuda>::type;

// The same for dtypes.
TORCH_API c10::ScalarType toAccumulateType(c10::ScalarType type, c10::DeviceType device);
TORCH_API c10::ScalarType toAccumulateType(c10::ScalarType type, bool is_cuda);

}  // namespace at
