#pragma once

// Half and BFloat16 elements one by one as floats. ReducedFloat.h has vectors of them.

#include <ATen/cpu/vec/vec.h>
#include <c10/macros/Macros.h>

#if defined(__F16C__)
#include <immintrin.h>
#endif

#include <type_traits>

namespace at::vec {
inline namespace CPU_CAPABILITY {

// One element, by the processor where it can: c10::Half counts bits. Other types stay
// as they are.
template <typename T>
C10_ALWAYS_INLINE auto to_float(T x) {
  if constexpr (!is_reduced_floating_point_v<T>) {
    return x;
  } else {
#if defined(__F16C__)
    if constexpr (std::is_same_v<T, c10::Half>) return _cvtsh_ss(x.x);
#endif
    return static_cast<float>(x);
  }
}
// The element of a type that a number becomes.
template <typename T, typename U>
C10_ALWAYS_INLINE T to_element(U x) {
#if defined(__F16C__)
  if constexpr (std::is_same_v<T, c10::Half>) {
    const auto bits = _cvtss_sh(static_cast<float>(x), _MM_FROUND_TO_NEAREST_INT);
    return T(bits, T::from_bits());
  }
#endif
  return static_cast<T>(x);
}

}  // namespace CPU_CAPABILITY
}  // namespace at::vec
