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

// As many elements of 16 or 32 bits as there are doubles in a vector.
template <typename T>
Vectorized<double> load_as_double(const T* p) {
#if AT_VEC_CONVERTS_BY_HIGHWAY
  const hw::ScalableTag<double> wide;
  const hw::Rebind<float, hw::ScalableTag<double>> floats;
  if constexpr (std::is_same_v<T, float>) {
    return hw::PromoteTo(wide, hw::LoadU(floats, p));
  } else {
    static_assert(is_reduced_floating_point_v<T>);
    using Element =
        std::conditional_t<std::is_same_v<T, c10::Half>, hwy::float16_t, hwy::bfloat16_t>;
    const hw::Rebind<Element, hw::ScalableTag<double>> narrow;
    const auto elements = hw::LoadU(narrow, reinterpret_cast<const Element*>(p));
    return hw::PromoteTo(wide, hw::PromoteTo(floats, elements));
  }
#else
  double out[Vectorized<double>::size()];
  for (int i = 0; i < Vectorized<double>::size(); ++i) {
    out[i] = static_cast<double>(static_cast<float>(p[i]));
  }
  return Vectorized<double>::loadu(out);
#endif
}

#if AT_VEC_CONVERTS_BY_HIGHWAY
// Stores floats, `floats` being their tag, as elements of 16 bits.
template <typename T, class D>
void store_narrowed(T* p, D floats, hw::Vec<D> v) {
  if constexpr (std::is_same_v<T, c10::Half>) {
    const hw::Rebind<hwy::float16_t, D> narrow;
    hw::StoreU(hw::DemoteTo(narrow, v), narrow, reinterpret_cast<hwy::float16_t*>(p));
  } else {
    // Highway before 1.2 cuts the digits off.
    const hw::RebindToUnsigned<D> bits;
    const hw::Rebind<uint16_t, D> narrow;
    const auto u = hw::BitCast(bits, v);
    const auto odd = hw::And(hw::ShiftRight<16>(u), hw::Set(bits, 1));
    const auto up = hw::Add(u, hw::Add(odd, hw::Set(bits, 0x7fff)));
    const auto nan = hw::Set(bits, 0x7fc00000);
    const auto rounded =
        hw::ShiftRight<16>(hw::IfThenElse(hw::RebindMask(bits, hw::IsNaN(v)), nan, up));
    hw::StoreU(hw::DemoteTo(narrow, hw::BitCast(hw::RebindToSigned<decltype(bits)>(), rounded)),
               narrow, reinterpret_cast<uint16_t*>(p));
  }
}
#endif

// Rounds to the nearest, ties to even.
template <typename T>
void store_from_float(T* p, const Vectorized<float>& v) {
  static_assert(is_reduced_floating_point_v<T>);
#if AT_VEC_CONVERTS_BY_HIGHWAY
  store_narrowed(p, hw::ScalableTag<float>(), v.values);
#else
  float in[Vectorized<float>::size()];
  v.store(in);
  for (int i = 0; i < Vectorized<float>::size(); ++i) p[i] = static_cast<T>(in[i]);
#endif
}

// Rounds to a float, and that to elements of 16 bits.
template <typename T>
void store_from_double(T* p, const Vectorized<double>& v) {
#if AT_VEC_CONVERTS_BY_HIGHWAY
  const hw::Rebind<float, hw::ScalableTag<double>> floats;
  const auto rounded = hw::DemoteTo(floats, v.values);
  if constexpr (std::is_same_v<T, float>) {
    hw::StoreU(rounded, floats, p);
  } else {
    store_narrowed(p, floats, rounded);
  }
#else
  double in[Vectorized<double>::size()];
  v.store(in);
  for (int i = 0; i < Vectorized<double>::size(); ++i) {
    p[i] = static_cast<T>(static_cast<float>(in[i]));
  }
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
