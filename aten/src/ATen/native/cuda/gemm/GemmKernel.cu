// Products of matrices of any strides: tiles of both in shared memory, a square of results in the
// registers of each thread.

#define TORCH_ASSERT_NO_OPERATORS
#include <ATen/native/cuda/Gemm.h>

#include <ATen/Dispatch.h>
#include <ATen/OpMathType.h>
#include <ATen/cuda/CUDAContext.h>
#include <ATen/native/cuda/GemmTensorCores.h>
#include <c10/core/ScalarType.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAStream.h>
#include <c10/macros/Macros.h>
#include <c10/util/Exception.h>

#include <algorithm>
#include <cstdint>
#include <type_traits>

namespace at::native {
namespace {

constexpr int kSide = 16;  // a block is kSide x kSide threads
constexpr int kThreads = kSide * kSide;
constexpr int kDepth = 8;  // of a tile along k

template <typename T>
struct Matrix {
  explicit Matrix(const GemmOperand<const void*>& operand)
      : data(static_cast<const T*>(operand.data)),
        batch_stride(operand.batch_stride),
        row_stride(operand.row_stride),
        column_stride(operand.column_stride) {}
  const T* data;
  int64_t batch_stride, row_stride, column_stride;
};

template <typename T, typename Acc>
struct Arguments {
  int64_t m, n, k, batch;
  Matrix<T> a, b, source;
  T* result;
  int64_t result_batch_stride, result_row_stride, result_column_stride;
  Acc alpha, beta;
};

// Fills tile[depth][across] with a kDepth x kTile piece; zeros outside. Neighbouring threads read
// neighbours in memory: along k when `k_first`.
template <int kTile, typename T, typename Acc>
C10_DEVICE void load_tile(Acc (&tile)[kDepth][kTile + 1], const T* data, int64_t across_stride,
                          int64_t k_stride, int64_t across_start, int64_t across_size,
                          int64_t k_start, int64_t k_size) {
  const int thread = threadIdx.y * kSide + threadIdx.x;
  const bool k_first = k_stride == 1;
#pragma unroll
  for (int element = 0; element < kTile * kDepth / kThreads; ++element) {
    const int i = element * kThreads + thread;
    const int depth = k_first ? i % kDepth : i / kTile;
    const int across = k_first ? i / kDepth : i % kTile;
    const int64_t row = across_start + across;
    const int64_t column = k_start + depth;
    tile[depth][across] = row < across_size && column < k_size
                              ? static_cast<Acc>(data[row * across_stride + column * k_stride])
                              : Acc(0);
  }
}

template <int kMicro, typename T, typename Acc>
__global__ void __launch_bounds__(kThreads) gemm_kernel(Arguments<T, Acc> p) {
  constexpr int kTile = kSide * kMicro;
  __shared__ Acc a_tile[kDepth][kTile + 1];
  __shared__ Acc b_tile[kDepth][kTile + 1];
  const int64_t row_start = int64_t{blockIdx.x} * kTile;
  const int64_t column_start = int64_t{blockIdx.y} * kTile;
  for (int64_t batch = blockIdx.z; batch < p.batch; batch += gridDim.z) {
    const T* a = p.a.data + batch * p.a.batch_stride;
    const T* b = p.b.data + batch * p.b.batch_stride;
    Acc sums[kMicro][kMicro] = {};
    for (int64_t k = 0; k < p.k; k += kDepth) {
      load_tile<kTile>(a_tile, a, p.a.row_stride, p.a.column_stride, row_start, p.m, k, p.k);
      load_tile<kTile>(b_tile, b, p.b.column_stride, p.b.row_stride, column_start, p.n, k, p.k);
      __syncthreads();
#pragma unroll
      for (int depth = 0; depth < kDepth; ++depth) {
        Acc rows[kMicro];
        Acc columns[kMicro];
#pragma unroll
        for (int i = 0; i < kMicro; ++i) rows[i] = a_tile[depth][i * kSide + threadIdx.y];
#pragma unroll
        for (int j = 0; j < kMicro; ++j) columns[j] = b_tile[depth][j * kSide + threadIdx.x];
#pragma unroll
        for (int i = 0; i < kMicro; ++i) {
#pragma unroll
          for (int j = 0; j < kMicro; ++j) sums[i][j] += rows[i] * columns[j];
        }
      }
      __syncthreads();
    }
    T* result = p.result + batch * p.result_batch_stride;
    const T* source = p.source.data + batch * p.source.batch_stride;
#pragma unroll
    for (int i = 0; i < kMicro; ++i) {
      const int64_t row = row_start + i * kSide + threadIdx.y;
      if (row >= p.m) continue;
#pragma unroll
      for (int j = 0; j < kMicro; ++j) {
        const int64_t column = column_start + j * kSide + threadIdx.x;
        if (column >= p.n) continue;
        Acc value = p.alpha * sums[i][j];
        if (p.beta != Acc(0)) {
          value +=
              p.beta *
              static_cast<Acc>(source[row * p.source.row_stride + column * p.source.column_stride]);
        }
        result[row * p.result_row_stride + column * p.result_column_stride] = static_cast<T>(value);
      }
    }
  }
}

template <int kMicro, typename T>
void launch(const GemmProblem& p) {
  using Acc = opmath_type<T>;
  constexpr int64_t kTile = kSide * kMicro;
  const Arguments<T, Acc> arguments{p.m,
                                    p.n,
                                    p.k,
                                    p.batch,
                                    Matrix<T>(p.a),
                                    Matrix<T>(p.b),
                                    Matrix<T>(p.source),
                                    static_cast<T*>(p.result.data),
                                    p.result.batch_stride,
                                    p.result.row_stride,
                                    p.result.column_stride,
                                    static_cast<Acc>(p.alpha),
                                    static_cast<Acc>(p.beta)};
  const int64_t columns = (p.n + kTile - 1) / kTile;
  TORCH_CHECK(columns <= 65535, "a product of ", p.n,
              " columns is more than a GPU launches: multiply the transposes, or parts");
  const dim3 grid(static_cast<unsigned>((p.m + kTile - 1) / kTile), static_cast<unsigned>(columns),
                  static_cast<unsigned>(std::min<int64_t>(p.batch, 65535)));
  gemm_kernel<kMicro>
      <<<grid, dim3(kSide, kSide), 0, c10::cuda::getCurrentCUDAStream()>>>(arguments);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
}

}  // namespace

void gemm(ScalarType dtype, const GemmProblem& p) {
  if (p.m == 0 || p.n == 0 || p.batch == 0) return;
  if (gemm_on_tensor_cores(dtype, p)) return;
  AT_DISPATCH_FLOATING_AND_COMPLEX_TYPES_AND2(kHalf, kBFloat16, dtype, "addmm_cuda", [&] {
    // A large square needs many registers, and enough of them to fill the GPU.
    if constexpr (std::is_same_v<opmath_type<scalar_t>, float>) {
      const int64_t blocks = (p.m + 127) / 128 * ((p.n + 127) / 128) * p.batch;
      if (blocks >= at::cuda::getCurrentDeviceProperties()->multiProcessorCount) {
        launch<8, scalar_t>(p);
        return;
      }
    }
    launch<4, scalar_t>(p);
  });
}

}  // namespace at::native
