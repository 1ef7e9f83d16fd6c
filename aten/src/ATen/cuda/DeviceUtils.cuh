#pragma once

// Votes and shuffles of a warp, for every element type.

#include <c10/util/BFloat16.h>
#include <c10/util/Half.h>
#include <c10/util/complex_type.h>
#include <cuda.h>

#include <cstdint>
#include <cstring>
#include <type_traits>

#ifndef C10_WARP_SIZE
#define C10_WARP_SIZE 32
#endif

__device__ __forceinline__ unsigned int ACTIVE_MASK() { return __activemask(); }
__device__ __forceinline__ void WARP_SYNC(unsigned mask = 0xffffffff) { __syncwarp(mask); }
__device__ __forceinline__ unsigned int WARP_BALLOT(int predicate, unsigned int mask = 0xffffffff) {
  return __ballot_sync(mask, predicate);
}
__device__ __forceinline__ int WARP_ALL(int predicate, unsigned int mask = 0xffffffff) {
  return __all_sync(mask, predicate);
}
__device__ __forceinline__ int WARP_ANY(int predicate, unsigned int mask = 0xffffffff) {
  return __any_sync(mask, predicate);
}

namespace at::cuda::detail {
// Moves a value of any size word by word; `shuffle` moves one.
template <typename T, typename Shuffle>
__device__ __forceinline__ T shuffled(T value, const Shuffle& shuffle) {
  constexpr int kWords = (sizeof(T) + 3) / 4;
  unsigned int words[kWords] = {};
  memcpy(words, &value, sizeof(T));
#pragma unroll
  for (int i = 0; i < kWords; ++i) words[i] = shuffle(words[i]);
  memcpy(&value, words, sizeof(T));
  return value;
}
}  // namespace at::cuda::detail

template <typename T>
__device__ __forceinline__ T WARP_SHFL(T value, int srcLane, int width = warpSize,
                                       unsigned int mask = 0xffffffff) {
  return at::cuda::detail::shuffled(
      value, [=](unsigned int word) { return __shfl_sync(mask, word, srcLane, width); });
}
template <typename T>
__device__ __forceinline__ T WARP_SHFL_XOR(T value, int laneMask, int width = warpSize,
                                           unsigned int mask = 0xffffffff) {
  return at::cuda::detail::shuffled(
      value, [=](unsigned int word) { return __shfl_xor_sync(mask, word, laneMask, width); });
}
template <typename T>
__device__ __forceinline__ T WARP_SHFL_UP(T value, unsigned int delta, int width = warpSize,
                                          unsigned int mask = 0xffffffff) {
  return at::cuda::detail::shuffled(
      value, [=](unsigned int word) { return __shfl_up_sync(mask, word, delta, width); });
}
template <typename T>
__device__ __forceinline__ T WARP_SHFL_DOWN(T value, unsigned int delta, int width = warpSize,
                                            unsigned int mask = 0xffffffff) {
  return at::cuda::detail::shuffled(
      value, [=](unsigned int word) { return __shfl_down_sync(mask, word, delta, width); });
}

/// Reads through the cache of constants.
template <typename T>
__device__ __forceinline__ T doLdg(const T* p) {
  if constexpr (std::is_arithmetic_v<T> && !std::is_same_v<T, bool>) {
    return __ldg(p);
  } else {
    return *p;
  }
}
