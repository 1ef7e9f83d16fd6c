// Products of Half and BFloat16 matrices on tensor cores, through the warp matrix functions of the
// CUDA C++ Programming Guide.
//
// A block makes a square of 128 results out of tiles 32 deep; each of its eight warps has 32 x 64
// of it in registers. While a tile is multiplied, the next is on its way into registers.

#define TORCH_ASSERT_NO_OPERATORS
#include <ATen/native/cuda/GemmTensorCores.h>

#include <ATen/cuda/CUDAContext.h>
#include <c10/core/ScalarType.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAStream.h>
#include <c10/macros/Macros.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <mma.h>

#include <algorithm>
#include <cstdint>
#include <type_traits>

namespace at::native {
namespace {

namespace wmma = nvcuda::wmma;

constexpr int kThreads = 256;
constexpr int kTile = 128;
constexpr int kDepth = 32;
constexpr int kFragment = 16;
constexpr int kWarpRows = 32;
constexpr int kWarpColumns = 64;
constexpr int kVector = 8;  // elements of sixteen bytes
// Rows of shared memory start in different banks.
constexpr int kPadding = 8;

// A matrix whose elements are neighbours along `fast`; `slow_stride` apart along the other.
template <typename T>
struct Tiled {
  const T* data;
  int64_t batch_stride;
  int64_t slow_stride;
  bool aligned;
};

template <typename T>
struct Arguments {
  int64_t m, n, k, batch;
  Tiled<T> a, b;
  const T* source;
  int64_t source_batch_stride, source_row_stride, source_column_stride;
  T* result;
  int64_t result_batch_stride, result_row_stride, result_column_stride;
  float alpha, beta;
};

// kFast neighbours of each of kSlow rows: two vectors for each thread.
template <int kSlow, int kFast>
struct Tile {
  static constexpr int kVectors = kSlow * kFast / kVector / kThreads;
  static constexpr int kStride = kFast + kPadding;

  template <typename T>
  C10_DEVICE static void fetch(uint4 (&registers)[kVectors], const Tiled<T>& matrix, const T* data,
                               int64_t slow_start, int64_t slow_size, int64_t fast_start,
                               int64_t fast_size) {
#pragma unroll
    for (int v = 0; v < kVectors; ++v) {
      const int i = (v * kThreads + threadIdx.x) * kVector;
      const int64_t slow = slow_start + i / kFast;
      const int64_t fast = fast_start + i % kFast;
      registers[v] = make_uint4(0, 0, 0, 0);
      if (slow >= slow_size) continue;
      const T* place = data + slow * matrix.slow_stride + fast;
      if (matrix.aligned && fast + kVector <= fast_size) {
        registers[v] = *reinterpret_cast<const uint4*>(place);
      } else {
        T* elements = reinterpret_cast<T*>(&registers[v]);
#pragma unroll
        for (int e = 0; e < kVector; ++e) {
          if (fast + e < fast_size) elements[e] = place[e];
        }
      }
    }
  }
  template <typename T>
  C10_DEVICE static void store(T* shared, const uint4 (&registers)[kVectors]) {
#pragma unroll
    for (int v = 0; v < kVectors; ++v) {
      const int i = (v * kThreads + threadIdx.x) * kVector;
      *reinterpret_cast<uint4*>(shared + i / kFast * kStride + i % kFast) = registers[v];
    }
  }
};

// kARows: a's rows are contiguous, else its columns; likewise b.
template <typename T, bool kARows, bool kBRows>
__global__ void __launch_bounds__(kThreads) tensor_core_kernel(Arguments<T> p) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
  using ATile = std::conditional_t<kARows, Tile<kTile, kDepth>, Tile<kDepth, kTile>>;
  using BTile = std::conditional_t<kBRows, Tile<kDepth, kTile>, Tile<kTile, kDepth>>;
  using ALayout = std::conditional_t<kARows, wmma::row_major, wmma::col_major>;
  using BLayout = std::conditional_t<kBRows, wmma::row_major, wmma::col_major>;
  constexpr int kRows = kWarpRows / kFragment;
  constexpr int kColumns = kWarpColumns / kFragment;

  __shared__ __align__(32) T a_shared[kTile * (kDepth + kPadding) + kDepth * kPadding];
  __shared__ __align__(32) T b_shared[kTile * (kDepth + kPadding) + kDepth * kPadding];
  __shared__ __align__(32) float results[kThreads / 32][kFragment * kFragment];

  const int warp = threadIdx.x / 32;
  const int lane = threadIdx.x % 32;
  const int warp_row = warp % (kTile / kWarpRows) * kWarpRows;
  const int warp_column = warp / (kTile / kWarpRows) * kWarpColumns;
  const int64_t row_start = int64_t{blockIdx.x} * kTile;
  const int64_t column_start = int64_t{blockIdx.y} * kTile;

  for (int64_t batch = blockIdx.z; batch < p.batch; batch += gridDim.z) {
    const T* a = p.a.data + batch * p.a.batch_stride;
    const T* b = p.b.data + batch * p.b.batch_stride;
    uint4 a_next[ATile::kVectors];
    uint4 b_next[BTile::kVectors];
    const auto fetch = [&](int64_t k) {
      if constexpr (kARows) {
        ATile::fetch(a_next, p.a, a, row_start, p.m, k, p.k);
      } else {
        ATile::fetch(a_next, p.a, a, k, p.k, row_start, p.m);
      }
      if constexpr (kBRows) {
        BTile::fetch(b_next, p.b, b, k, p.k, column_start, p.n);
      } else {
        BTile::fetch(b_next, p.b, b, column_start, p.n, k, p.k);
      }
    };

    wmma::fragment<wmma::accumulator, kFragment, kFragment, kFragment, float> sums[kRows][kColumns];
#pragma unroll
    for (int i = 0; i < kRows; ++i) {
#pragma unroll
      for (int j = 0; j < kColumns; ++j) wmma::fill_fragment(sums[i][j], 0.0f);
    }

    fetch(0);
    for (int64_t k = 0; k < p.k; k += kDepth) {
      __syncthreads();  // the tiles before have been multiplied
      ATile::store(a_shared, a_next);
      BTile::store(b_shared, b_next);
      __syncthreads();
      if (k + kDepth < p.k) fetch(k + kDepth);
#pragma unroll
      for (int depth = 0; depth < kDepth; depth += kFragment) {
        wmma::fragment<wmma::matrix_a, kFragment, kFragment, kFragment, T, ALayout> rows[kRows];
#pragma unroll
        for (int i = 0; i < kRows; ++i) {
          const int row = warp_row + i * kFragment;
          const T* place = kARows ? a_shared + row * ATile::kStride + depth
                                  : a_shared + depth * ATile::kStride + row;
          wmma::load_matrix_sync(rows[i], place, ATile::kStride);
        }
#pragma unroll
        for (int j = 0; j < kColumns; ++j) {
          const int column = warp_column + j * kFragment;
          const T* place = kBRows ? b_shared + depth * BTile::kStride + column
                                  : b_shared + column * BTile::kStride + depth;
          wmma::fragment<wmma::matrix_b, kFragment, kFragment, kFragment, T, BLayout> columns;
          wmma::load_matrix_sync(columns, place, BTile::kStride);
#pragma unroll
          for (int i = 0; i < kRows; ++i) {
            wmma::mma_sync(sums[i][j], rows[i], columns, sums[i][j]);
          }
        }
      }
    }

    // How a fragment lies in registers is the compiler's business: results go through memory.
    T* result = p.result + batch * p.result_batch_stride;
    const T* source = p.source + batch * p.source_batch_stride;
#pragma unroll
    for (int i = 0; i < kRows; ++i) {
#pragma unroll
      for (int j = 0; j < kColumns; ++j) {
        __syncwarp();
        wmma::store_matrix_sync(results[warp], sums[i][j], kFragment, wmma::mem_row_major);
        __syncwarp();
        for (int e = lane; e < kFragment * kFragment; e += 32) {
          const int64_t row = row_start + warp_row + i * kFragment + e / kFragment;
          const int64_t column = column_start + warp_column + j * kFragment + e % kFragment;
          if (row >= p.m || column >= p.n) continue;
          float value = p.alpha * results[warp][e];
          if (p.beta != 0.0f) {
            value +=
                p.beta * static_cast<float>(
                             source[row * p.source_row_stride + column * p.source_column_stride]);
          }
          result[row * p.result_row_stride + column * p.result_column_stride] =
              static_cast<T>(value);
        }
      }
    }
  }
#endif
}

// The strides of a matrix that is contiguous along its rows or its columns.
bool is_fast(int64_t fast_stride, int64_t fast_size) { return fast_stride == 1 || fast_size == 1; }

template <typename T>
Tiled<T> tiled(const GemmOperand<const void*>& operand, bool rows, int64_t batch) {
  const int64_t slow_stride = rows ? operand.row_stride : operand.column_stride;
  const bool aligned = reinterpret_cast<uintptr_t>(operand.data) % 16 == 0 &&
                       slow_stride % kVector == 0 &&
                       (batch == 1 || operand.batch_stride % kVector == 0);
  return {static_cast<const T*>(operand.data), operand.batch_stride, slow_stride, aligned};
}

template <typename T>
bool run(const GemmProblem& p) {
  const bool a_rows = is_fast(p.a.column_stride, p.k);
  const bool b_rows = is_fast(p.b.column_stride, p.n);
  if (!a_rows && !is_fast(p.a.row_stride, p.m)) return false;
  if (!b_rows && !is_fast(p.b.row_stride, p.k)) return false;
  const int64_t columns = (p.n + kTile - 1) / kTile;
  if (columns > 65535) return false;
  const Arguments<T> arguments{p.m,
                               p.n,
                               p.k,
                               p.batch,
                               tiled<T>(p.a, a_rows, p.batch),
                               tiled<T>(p.b, b_rows, p.batch),
                               static_cast<const T*>(p.source.data),
                               p.source.batch_stride,
                               p.source.row_stride,
                               p.source.column_stride,
                               static_cast<T*>(p.result.data),
                               p.result.batch_stride,
                               p.result.row_stride,
                               p.result.column_stride,
                               static_cast<float>(p.alpha),
                               static_cast<float>(p.beta)};
  const dim3 grid(static_cast<unsigned>((p.m + kTile - 1) / kTile), static_cast<unsigned>(columns),
                  static_cast<unsigned>(std::min<int64_t>(p.batch, 65535)));
  const auto kernel =
      a_rows
          ? (b_rows ? &tensor_core_kernel<T, true, true> : &tensor_core_kernel<T, true, false>)
          : (b_rows ? &tensor_core_kernel<T, false, true> : &tensor_core_kernel<T, false, false>);
  kernel<<<grid, kThreads, 0, c10::cuda::getCurrentCUDAStream()>>>(arguments);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return true;
}

}  // namespace

bool gemm_on_tensor_cores(ScalarType dtype, const GemmProblem& p) {
  if (dtype != ScalarType::Half && dtype != ScalarType::BFloat16) return false;
  // Few results leave most of a tile empty.
  if (p.m < kFragment || p.n < kFragment || p.k == 0) return false;
  if (at::cuda::getCurrentDeviceProperties()->major < 8) return false;
  return dtype == ScalarType::Half ? run<__half>(p) : run<__nv_bfloat16>(p);
}

}  // namespace at::native
