#pragma once

// Rows kept in registers: read once, then traversed any number of times.
//
// A row is shared by blockDim.x threads: one warp, with blockDim.y rows a block, or a whole block.
// Each thread holds kTilePacks packs of kSize elements, blockDim.x packs apart.

#include <c10/macros/Macros.h>
#include <ATen/native/cuda/BlockReduce.cuh>
#include <ATen/native/cuda/LaunchUtils.cuh>

#include <cstdint>

namespace at::native {

constexpr int kTilePacks = 4;
constexpr int kTileThreads = 1024;  // of the longest row
constexpr int kTileWarps = kTileThreads / kWarp;
constexpr int kTileRows = 4;  // rows of one warp in a block

// The longest row that a tile holds.
template <int kSize>
constexpr int64_t kLongestTile = int64_t{kTileThreads} * kTilePacks * kSize;

template <typename T, int kSize>
struct RowTile {
  Pack<T, kSize> packs[kTilePacks];

  // The first element of this thread's pack `p`. The pack exists if that is below `n`, a multiple
  // of kSize.
  C10_DEVICE static int first(int p) {
    return (p * static_cast<int>(blockDim.x) + static_cast<int>(threadIdx.x)) * kSize;
  }
  C10_DEVICE void load(const T* row, int n) {
#pragma unroll
    for (int p = 0; p < kTilePacks; ++p) {
      if (first(p) < n) packs[p] = *reinterpret_cast<const Pack<T, kSize>*>(row + first(p));
    }
  }
  C10_DEVICE void store(T* row, int n) const {
#pragma unroll
    for (int p = 0; p < kTilePacks; ++p) {
      if (first(p) < n) *reinterpret_cast<Pack<T, kSize>*>(row + first(p)) = packs[p];
    }
  }
  // Calls f(index in the row, pack, index in the pack) for the elements of this thread.
  template <typename F>
  C10_DEVICE static void for_each(int n, const F& f) {
#pragma unroll
    for (int p = 0; p < kTilePacks; ++p) {
      if (first(p) >= n) continue;
#pragma unroll
      for (int k = 0; k < kSize; ++k) f(first(p) + k, p, k);
    }
  }
};

// Combines over the threads of a row. All threads of the block call it.
template <typename T, typename Combine>
C10_DEVICE T row_reduce(T value, const Combine& combine, T* shared) {
  return blockDim.x == kWarp ? warp_reduce(value, combine) : block_reduce(value, combine, shared);
}

// The row of this thread, whether a warp or a block has it.
C10_DEVICE inline int64_t tile_row() {
  return static_cast<int64_t>(blockIdx.x) * blockDim.y + threadIdx.y;
}

struct TileLaunch {
  dim3 threads;
  unsigned blocks;
};

// How rows of `n` elements are laid out in packs of `size`.
inline TileLaunch tile_launch(int64_t rows, int64_t n, int size) {
  unsigned width = kWarp;
  while (width < kTileThreads && int64_t{width} * kTilePacks * size < n) width *= 2;
  const unsigned together = width == kWarp ? kTileRows : 1;
  return {dim3(width, together), grid_size(ceil_div(rows, together))};
}

}  // namespace at::native
