#pragma once

// Combining, for each thread of a block, the values of the threads before it.

#include <c10/macros/Macros.h>
#include <ATen/native/cuda/BlockReduce.cuh>

#include <cstdint>
#include <cstring>

namespace at::native {

struct Sum {
  template <typename T>
  C10_DEVICE static T identity() {
    return T(0);
  }
  template <typename T>
  C10_DEVICE T operator()(T a, T b) const {
    return a + b;
  }
};

struct Product {
  template <typename T>
  C10_DEVICE static T identity() {
    return T(1);
  }
  template <typename T>
  C10_DEVICE T operator()(T a, T b) const {
    return a * b;
  }
};

// The value of the lane `distance` below, of any type.
template <typename T>
C10_DEVICE T shuffle_up(const T& value, int distance) {
  constexpr int kWords = (sizeof(T) + 3) / 4;
  uint32_t words[kWords] = {};
  memcpy(words, &value, sizeof(T));
#pragma unroll
  for (int i = 0; i < kWords; ++i) words[i] = __shfl_up_sync(kWholeWarp, words[i], distance);
  T result;
  memcpy(&result, words, sizeof(T));
  return result;
}

// What the threads before this one have, and the total of the block.
template <typename T>
struct BlockScan {
  T before;
  T total;
};

// For blocks of kThreads. `shared` has a place for each warp and may be used again after the call.
template <int kThreads, typename T, typename Op>
C10_DEVICE BlockScan<T> block_scan(T value, const Op& op, T* shared) {
  const int lane = static_cast<int>(threadIdx.x) % kWarp;
  const int warp = static_cast<int>(threadIdx.x) / kWarp;
  T through = value;
#pragma unroll
  for (int distance = 1; distance < kWarp; distance *= 2) {
    const T below = shuffle_up(through, distance);
    if (lane >= distance) through = op(below, through);
  }
  if (lane == kWarp - 1) shared[warp] = through;
  const T own_warp = shuffle_up(through, 1);
  __syncthreads();
  BlockScan<T> result{Op::template identity<T>(), Op::template identity<T>()};
#pragma unroll
  for (int i = 0; i < kThreads / kWarp; ++i) {
    if (i == warp) result.before = result.total;
    result.total = op(result.total, shared[i]);
  }
  if (lane > 0) result.before = op(result.before, own_warp);
  __syncthreads();
  return result;
}

}  // namespace at::native
