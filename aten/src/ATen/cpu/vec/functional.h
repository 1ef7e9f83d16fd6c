#pragma once

// Whole-array loops over Vectorized: map and reduce.

#include <ATen/cpu/vec/vec.h>

#include <cstdint>

namespace at::vec {
inline namespace CPU_CAPABILITY {

// Combines the elements of one vector.
template <typename T, typename Op>
T vec_reduce_all(const Op& op, const Vectorized<T>& v, int64_t size = Vectorized<T>::size()) {
  T values[Vectorized<T>::size()];
  v.store(values);
  T result = values[0];
  for (int64_t i = 1; i < size; ++i) {
    result = op(Vectorized<T>(result), Vectorized<T>(values[i]))[0];
  }
  return result;
}

// Combines `map(x)` over `size` elements, at least one.
template <typename T, typename Map, typename Reduce>
T map_reduce_all(const Map& map, const Reduce& reduce, const T* data, int64_t size) {
  using Vec = Vectorized<T>;
  if (size < Vec::size()) return vec_reduce_all(reduce, map(Vec::loadu(data, size)), size);
  Vec acc = map(Vec::loadu(data));
  int64_t i = Vec::size();
  for (; i + Vec::size() <= size; i += Vec::size()) acc = reduce(acc, map(Vec::loadu(data + i)));
  if (i < size) {
    const Vec rest = map(Vec::loadu(data + i, size - i));
    acc = Vec::set(acc, reduce(acc, rest), size - i);
  }
  return vec_reduce_all(reduce, acc);
}

template <typename T, typename Reduce>
T reduce_all(const Reduce& reduce, const T* data, int64_t size) {
  return map_reduce_all([](const Vectorized<T>& x) { return x; }, reduce, data, size);
}

// out[i] = op(in[i]); `out` may be `in`.
template <typename T, typename Op>
void map(const Op& op, T* out, const T* in, int64_t size) {
  using Vec = Vectorized<T>;
  int64_t i = 0;
  for (; i + Vec::size() <= size; i += Vec::size()) op(Vec::loadu(in + i)).store(out + i);
  if (i < size) op(Vec::loadu(in + i, size - i)).store(out + i, static_cast<int>(size - i));
}

// out[i] = op(a[i], b[i]).
template <typename T, typename Op>
void map2(const Op& op, T* out, const T* a, const T* b, int64_t size) {
  using Vec = Vectorized<T>;
  int64_t i = 0;
  for (; i + Vec::size() <= size; i += Vec::size()) {
    op(Vec::loadu(a + i), Vec::loadu(b + i)).store(out + i);
  }
  if (i < size) {
    op(Vec::loadu(a + i, size - i), Vec::loadu(b + i, size - i))
        .store(out + i, static_cast<int>(size - i));
  }
}

}  // namespace CPU_CAPABILITY
}  // namespace at::vec
