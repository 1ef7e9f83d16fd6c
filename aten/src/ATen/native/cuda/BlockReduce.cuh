#pragma once

// Combining the values of neighbouring threads.

#include <c10/macros/Macros.h>

#include <cstdint>
#include <cstring>

namespace at::native {

constexpr int kWarp = 32;
constexpr unsigned kWholeWarp = 0xFFFFFFFFu;

// The value that the lane `distance` away has, of any type.
template <typename T>
C10_DEVICE T shuffle_xor(const T& value, int distance) {
  constexpr int kWords = (sizeof(T) + 3) / 4;
  uint32_t words[kWords] = {};
  memcpy(words, &value, sizeof(T));
#pragma unroll
  for (int i = 0; i < kWords; ++i) words[i] = __shfl_xor_sync(kWholeWarp, words[i], distance);
  T result;
  memcpy(&result, words, sizeof(T));
  return result;
}

// Every lane receives the combination of `width` neighbours (a power of two up to 32). All lanes of
// the warp call it.
template <typename T, typename Combine>
C10_DEVICE T warp_reduce(T value, const Combine& combine, int width = kWarp) {
#pragma unroll 1
  for (int distance = width / 2; distance > 0; distance /= 2) {
    value = combine(value, shuffle_xor(value, distance));
  }
  return value;
}

// Every thread receives the combination of the block's, whose size is a multiple of 32. `shared`
// has a place for each warp and may be used again after the call.
template <typename T, typename Combine>
C10_DEVICE T block_reduce(T value, const Combine& combine, T* shared) {
  const int warps = static_cast<int>(blockDim.x) / kWarp;
  value = warp_reduce(value, combine);
  if (warps == 1) return value;
  const int warp = static_cast<int>(threadIdx.x) / kWarp;
  if (threadIdx.x % kWarp == 0) shared[warp] = value;
  __syncthreads();
  value = shared[0];
  for (int i = 1; i < warps; ++i) value = combine(value, shared[i]);
  __syncthreads();
  return value;
}

struct Add {
  template <typename T>
  C10_DEVICE T operator()(T a, T b) const {
    return a + b;
  }
};

// A NaN wins.
struct Max {
  template <typename T>
  C10_DEVICE T operator()(T a, T b) const {
    return a != a || b < a ? a : b;
  }
};

}  // namespace at::native
