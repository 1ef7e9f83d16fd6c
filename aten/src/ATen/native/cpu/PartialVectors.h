#pragma once

// Vectors of which memory has only the first elements, the sum of the elements of one, arrays of
// them that stay in registers, and moves of lanes.

#include <ATen/cpu/vec/vec.h>

#include <bit>
#include <cstdint>
#include <utility>

namespace at::vec {
inline namespace CPU_CAPABILITY {

// Whether the processor loads and stores parts of vectors itself, without touching the rest.
// Highway emulates that elsewhere by loads of whole vectors.
#if AT_VEC_ON_HIGHWAY && HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX2
template <typename T>
constexpr bool kLoadsParts = sizeof(T) >= 4;
#else
template <typename T>
constexpr bool kLoadsParts = false;
#endif

// The first `count` elements at p, and zeros; count is positive.
template <typename T>
Vectorized<T> load_part(const T* p, int64_t count) {
#if AT_VEC_ON_HIGHWAY
  if constexpr (kLoadsParts<T>) {
    const typename Vectorized<T>::D d;
    return hw::MaskedLoad(hw::FirstN(d, static_cast<size_t>(count)), d, p);
  }
#endif
  return Vectorized<T>::loadu(p, count);
}

template <typename T>
void store_part(T* p, const Vectorized<T>& v, int64_t count) {
#if AT_VEC_ON_HIGHWAY
  if constexpr (kLoadsParts<T>) {
    const typename Vectorized<T>::D d;
    hw::BlendedStore(v.values, hw::FirstN(d, static_cast<size_t>(count)), d, p);
    return;
  }
#endif
  v.store(p, static_cast<int>(count));
}

template <typename T>
T sum_of_lanes(const Vectorized<T>& v) {
#if AT_VEC_ON_HIGHWAY
  return hw::GetLane(hw::SumOfLanes(typename Vectorized<T>::D(), v.values));
#else
  T lanes[Vectorized<T>::size()];
  v.store(lanes);
  T total(0);
  for (const T lane : lanes) total += lane;
  return total;
#endif
}

// A vector as the compiler's own type: it keeps arrays of these in registers, and none of classes.
template <typename T>
struct RegisterOf {
  typedef T type __attribute__((vector_size(sizeof(T) * Vectorized<T>::size())));
};
template <typename T>
using Register = typename RegisterOf<T>::type;
template <typename T>
Register<T> to_register(const Vectorized<T>& v) {
  return std::bit_cast<Register<T>>(v);
}

template <typename Reg>
constexpr int kLanesOf = sizeof(Reg) / sizeof(std::declval<Reg>()[0]);

// The vector whose lane l is `lane(l)`, l being a constant: a shuffle, where it picks lanes.
template <typename Reg, typename F>
Reg make_lanes(const F& lane) {
  return [&]<int... kLane>(std::integer_sequence<int, kLane...>) {
    return Reg{lane.template operator()<kLane>()...};
  }(std::make_integer_sequence<int, kLanesOf<Reg>>());
}
// Lane l ^ kDistance of v, kDistance being a power of 2.
template <int kDistance, typename Reg>
Reg swap_lanes(const Reg& v) {
  return make_lanes<Reg>([&]<int kLane>() { return v[kLane ^ kDistance]; });
}
// Lane l - kDistance of v; the first lanes are those of `first`.
template <int kDistance, typename Reg>
Reg shift_lanes(const Reg& v, const Reg& first) {
  return make_lanes<Reg>([&]<int kLane>() {
    if constexpr (kLane < kDistance) {
      return first[kLane];
    } else {
      return v[kLane - kDistance];
    }
  });
}
template <int kLane, typename Reg>
Reg broadcast_lane(const Reg& v) {
  return make_lanes<Reg>([&]<int>() { return v[kLane]; });
}

}  // namespace CPU_CAPABILITY
}  // namespace at::vec
