#pragma once

// Half and BFloat16 vectors compute as two float vectors.

#include <ATen/cpu/vec/vec_base.h>
#include <c10/util/BFloat16.h>
#include <c10/util/Half.h>

#include <cstdint>
#include <tuple>
#include <type_traits>

// The wheel is without this header, because extensions have no Highway: their vectors are the
// arrays of vec_base.h.
#if __has_include(<ATen/cpu/vec/vec_highway.h>)
#include <ATen/cpu/vec/vec_highway.h>
#else
#define AT_VEC_ON_HIGHWAY 0
#endif

// Below AVX2 an x86 processor cannot convert float16, and what Highway 1.3 computes in its place
// makes 65536 of an infinity.
#if AT_VEC_ON_HIGHWAY && !(HWY_ARCH_X86 && HWY_TARGET > HWY_AVX2)
#define AT_VEC_CONVERTS_BY_HIGHWAY 1
#else
#define AT_VEC_CONVERTS_BY_HIGHWAY 0
#endif

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
  v.store(in);
#if AT_VEC_CONVERTS_BY_HIGHWAY
  const hw::ScalableTag<float> wide;
  const hw::Rebind<
      std::conditional_t<std::is_same_v<T, c10::Half>, hwy::float16_t, hwy::bfloat16_t>,
      hw::ScalableTag<float>>
      narrow;
  const auto* p = reinterpret_cast<const hw::TFromD<decltype(narrow)>*>(in);
  return {Vectorized<float>(hw::PromoteTo(wide, hw::LoadU(narrow, p))),
          Vectorized<float>(hw::PromoteTo(wide, hw::LoadU(narrow, p + kHalf)))};
#else
  float out[2 * kHalf];
  for (int i = 0; i < 2 * kHalf; ++i) out[i] = static_cast<float>(in[i]);
  return {Vectorized<float>::loadu(out), Vectorized<float>::loadu(out + kHalf)};
#endif
}

template <typename T>
Vectorized<T> convert_from_float(const Vectorized<float>& low, const Vectorized<float>& high) {
  static_assert(is_reduced_floating_point_v<T>);
  static_assert(Vectorized<T>::size() == 2 * Vectorized<float>::size());
  constexpr int kHalf = Vectorized<float>::size();
  T out[2 * kHalf];
#if AT_VEC_CONVERTS_BY_HIGHWAY
  if constexpr (std::is_same_v<T, c10::Half>) {
    const hw::Rebind<hwy::float16_t, hw::ScalableTag<float>> narrow;
    auto* p = reinterpret_cast<hwy::float16_t*>(out);
    hw::StoreU(hw::DemoteTo(narrow, low.values), narrow, p);
    hw::StoreU(hw::DemoteTo(narrow, high.values), narrow, p + kHalf);
  } else {
    // To the nearest, ties to even; Highway before 1.2 cuts the digits off.
    const hw::RebindToUnsigned<hw::ScalableTag<float>> bits;
    const hw::Rebind<uint16_t, hw::ScalableTag<float>> narrow;
    const auto rounded = [&](hw::Vec<hw::ScalableTag<float>> x) {
      const auto u = hw::BitCast(bits, x);
      const auto odd = hw::And(hw::ShiftRight<16>(u), hw::Set(bits, 1));
      const auto up = hw::Add(u, hw::Add(odd, hw::Set(bits, 0x7fff)));
      const auto nan = hw::Set(bits, 0x7fc00000);
      return hw::ShiftRight<16>(hw::IfThenElse(hw::RebindMask(bits, hw::IsNaN(x)), nan, up));
    };
    auto* p = reinterpret_cast<uint16_t*>(out);
    hw::StoreU(hw::DemoteTo(narrow,
                            hw::BitCast(hw::RebindToSigned<decltype(bits)>(), rounded(low.values))),
               narrow, p);
    hw::StoreU(hw::DemoteTo(
                   narrow, hw::BitCast(hw::RebindToSigned<decltype(bits)>(), rounded(high.values))),
               narrow, p + kHalf);
  }
#else
  float in[2 * kHalf];
  low.store(in);
  high.store(in + kHalf);
  for (int i = 0; i < 2 * kHalf; ++i) out[i] = static_cast<T>(in[i]);
#endif
  return Vectorized<T>::loadu(out);
}

}  // namespace CPU_CAPABILITY
}  // namespace at::vec
