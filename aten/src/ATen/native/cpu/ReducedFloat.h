#pragma once

// Half and BFloat16 elements in memory as vectors of floats.

#include <ATen/cpu/vec/vec.h>

#include <cstdint>
#include <type_traits>

namespace at::vec {
inline namespace CPU_CAPABILITY {

// As many elements of 16 bits at `p`, which need not be aligned, as there are floats in a vector.
template <typename T>
Vectorized<float> load_as_float(const T* p) {
  static_assert(is_reduced_floating_point_v<T>);
#if AT_VEC_CONVERTS_BY_HIGHWAY
  const hw::ScalableTag<float> wide;
  const hw::Rebind<
      std::conditional_t<std::is_same_v<T, c10::Half>, hwy::float16_t, hwy::bfloat16_t>,
      hw::ScalableTag<float>>
      narrow;
  return hw::PromoteTo(wide,
                       hw::LoadU(narrow, reinterpret_cast<const hw::TFromD<decltype(narrow)>*>(p)));
#else
  float out[Vectorized<float>::size()];
  for (int i = 0; i < Vectorized<float>::size(); ++i) out[i] = static_cast<float>(p[i]);
  return Vectorized<float>::loadu(out);
#endif
}

// Rounds to the nearest, ties to even.
template <typename T>
void store_from_float(T* p, const Vectorized<float>& v) {
  static_assert(is_reduced_floating_point_v<T>);
#if AT_VEC_CONVERTS_BY_HIGHWAY
  if constexpr (std::is_same_v<T, c10::Half>) {
    const hw::Rebind<hwy::float16_t, hw::ScalableTag<float>> narrow;
    hw::StoreU(hw::DemoteTo(narrow, v.values), narrow, reinterpret_cast<hwy::float16_t*>(p));
  } else {
    // Highway before 1.2 cuts the digits off.
    const hw::RebindToUnsigned<hw::ScalableTag<float>> bits;
    const hw::Rebind<uint16_t, hw::ScalableTag<float>> narrow;
    const auto u = hw::BitCast(bits, v.values);
    const auto odd = hw::And(hw::ShiftRight<16>(u), hw::Set(bits, 1));
    const auto up = hw::Add(u, hw::Add(odd, hw::Set(bits, 0x7fff)));
    const auto nan = hw::Set(bits, 0x7fc00000);
    const auto rounded =
        hw::ShiftRight<16>(hw::IfThenElse(hw::RebindMask(bits, hw::IsNaN(v.values)), nan, up));
    hw::StoreU(hw::DemoteTo(narrow, hw::BitCast(hw::RebindToSigned<decltype(bits)>(), rounded)),
               narrow, reinterpret_cast<uint16_t*>(p));
  }
#else
  float in[Vectorized<float>::size()];
  v.store(in);
  for (int i = 0; i < Vectorized<float>::size(); ++i) p[i] = static_cast<T>(in[i]);
#endif
}

// n elements that lie together.
template <typename T>
void widen(float* out, const T* in, int64_t n) {
  constexpr int64_t kStep = Vectorized<float>::size();
  int64_t i = 0;
  for (; i + kStep <= n; i += kStep) load_as_float(in + i).store(out + i);
  for (; i < n; ++i) out[i] = static_cast<float>(in[i]);
}
template <typename T>
void narrow(T* out, const float* in, int64_t n) {
  constexpr int64_t kStep = Vectorized<float>::size();
  int64_t i = 0;
  for (; i + kStep <= n; i += kStep) {
    store_from_float(out + i, Vectorized<float>::loadu(in + i));
  }
  for (; i < n; ++i) out[i] = static_cast<T>(in[i]);
}

}  // namespace CPU_CAPABILITY
}  // namespace at::vec
