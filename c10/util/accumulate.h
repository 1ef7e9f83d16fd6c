#pragma once

#include <c10/util/ArrayRef.h>

#include <cstdint>
#include <iterator>
#include <type_traits>

namespace c10 {

/// The sum of integers, in int64.
template <typename Iter>
inline int64_t sum_integers(Iter begin, Iter end) {
  static_assert(std::is_integral_v<typename std::iterator_traits<Iter>::value_type>);
  int64_t sum = 0;
  for (; begin != end; ++begin) sum += static_cast<int64_t>(*begin);
  return sum;
}
template <typename Container>
inline int64_t sum_integers(const Container& container) {
  return sum_integers(container.begin(), container.end());
}

/// The product of integers, in int64; 1 for an empty list.
template <typename Iter>
inline int64_t multiply_integers(Iter begin, Iter end) {
  static_assert(std::is_integral_v<typename std::iterator_traits<Iter>::value_type>);
  int64_t product = 1;
  for (; begin != end; ++begin) product *= static_cast<int64_t>(*begin);
  return product;
}
template <typename Container>
inline int64_t multiply_integers(const Container& container) {
  return multiply_integers(container.begin(), container.end());
}

/// The number of elements in the dimensions from `k` to the last.
inline int64_t numelements_from_dim(int k, IntArrayRef dims) {
  TORCH_INTERNAL_ASSERT_DEBUG_ONLY(k >= 0);
  return static_cast<size_t>(k) > dims.size() ? 1 : multiply_integers(dims.begin() + k, dims.end());
}
/// The number of elements in the dimensions before `k`.
inline int64_t numelements_to_dim(int k, IntArrayRef dims) {
  TORCH_INTERNAL_ASSERT(0 <= k && static_cast<size_t>(k) <= dims.size());
  return multiply_integers(dims.begin(), dims.begin() + k);
}

}  // namespace c10
