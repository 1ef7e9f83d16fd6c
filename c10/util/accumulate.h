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

// Of dimensions in any container; a list in braces is an IntArrayRef.

/// The number of elements in the dimensions from `k` to the last.
template <typename Container = IntArrayRef>
inline int64_t numelements_from_dim(int k, const Container& dims) {
  TORCH_INTERNAL_ASSERT_DEBUG_ONLY(k >= 0);
  if (static_cast<size_t>(k) > dims.size()) return 1;
  return multiply_integers(std::next(dims.begin(), k), dims.end());
}
/// The number of elements in the dimensions before `k`.
template <typename Container = IntArrayRef>
inline int64_t numelements_to_dim(int k, const Container& dims) {
  TORCH_INTERNAL_ASSERT(0 <= k && static_cast<size_t>(k) <= dims.size());
  return multiply_integers(dims.begin(), std::next(dims.begin(), k));
}
/// The number of elements in the dimensions from the smaller of `k` and `l` to before the larger.
template <typename Container = IntArrayRef>
inline int64_t numelements_between_dim(int k, int l, const Container& dims) {
  const int first = k < l ? k : l;
  const int last = k < l ? l : k;
  TORCH_INTERNAL_ASSERT(0 <= first && static_cast<size_t>(last) <= dims.size());
  return multiply_integers(std::next(dims.begin(), first), std::next(dims.begin(), last));
}

}  // namespace c10
