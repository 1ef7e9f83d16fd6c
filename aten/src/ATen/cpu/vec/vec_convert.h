#pragma once

// Half and BFloat16 vectors compute as two float vectors.

#include <ATen/cpu/vec/vec_highway.h>
#include <c10/util/BFloat16.h>
#include <c10/util/Half.h>

#include <tuple>
#include <type_traits>

namespace at::vec {
inline namespace CPU_CAPABILITY {

template <typename T>
inline constexpr bool is_reduced_floating_point_v =
    std::is_same_v<T, c10::Half> || std::is_same_v<T, c10::BFloat16>;

// What a kernel for `T` accumulates and computes in.
template <typename T>
using vec_opmath_t = std::conditional_t<is_reduced_floating_point_v<T>, float, T>;

// The lower and the upper half of `v`.
template <typename T>
std::tuple<Vectorized<float>, Vectorized<float>> convert_to_float(const Vectorized<T>& v) {
  static_assert(is_reduced_floating_point_v<T>);
  static_assert(Vectorized<T>::size() == 2 * Vectorized<float>::size());
  constexpr int kHalf = Vectorized<float>::size();
  T in[2 * kHalf];
  float out[2 * kHalf];
  v.store(in);
  for (int i = 0; i < 2 * kHalf; ++i) out[i] = static_cast<float>(in[i]);
  return {Vectorized<float>::loadu(out), Vectorized<float>::loadu(out + kHalf)};
}

template <typename T>
Vectorized<T> convert_from_float(const Vectorized<float>& low, const Vectorized<float>& high) {
  static_assert(is_reduced_floating_point_v<T>);
  static_assert(Vectorized<T>::size() == 2 * Vectorized<float>::size());
  constexpr int kHalf = Vectorized<float>::size();
  float in[2 * kHalf];
  T out[2 * kHalf];
  low.store(in);
  high.store(in + kHalf);
  for (int i = 0; i < 2 * kHalf; ++i) out[i] = static_cast<T>(in[i]);
  return Vectorized<T>::loadu(out);
}

}  // namespace CPU_CAPABILITY
}  // namespace at::vec
