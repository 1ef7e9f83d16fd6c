#pragma once

#include <ATen/Parallel.h>

#include <cstdint>
#include <vector>

namespace at {

// `f(chunk_begin, chunk_end, ident)` reduces a chunk, `sf` combines two results. Chunks, and the
// order they are combined in, depend on the range and grain size alone.
template <class scalar_t, class F, class SF>
scalar_t parallel_reduce(int64_t begin, int64_t end, int64_t grain_size, scalar_t ident, const F& f,
                         const SF& sf) {
  if (begin >= end) return ident;
  if (grain_size <= 0) grain_size = end - begin;
  const int64_t chunks = divup(end - begin, grain_size);
  if (chunks == 1) return f(begin, end, ident);
  std::vector<scalar_t> partial(static_cast<size_t>(chunks), ident);
  scalar_t* results = partial.data();
  parallel_for(0, chunks, 1, [&](int64_t first, int64_t last) {
    for (int64_t i = first; i < last; ++i) {
      const int64_t from = begin + i * grain_size;
      const int64_t to = from + grain_size < end ? from + grain_size : end;
      results[i] = f(from, to, ident);
    }
  });
  scalar_t result = ident;
  for (const scalar_t& value : partial) result = sf(result, value);
  return result;
}

}  // namespace at
