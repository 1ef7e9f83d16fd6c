// Attention by tiles of scores, with a running maximum and sum, on tensor cores (T. Dao,
// "FlashAttention-2", arXiv:2307.08691).
//
// A block has 64 queries, 16 for each warp, and goes through the keys 64 at a time; the next tile
// of keys and values is on its way while one is worked on. Scores never leave the registers: the
// layout in which one product leaves them is the one in which the next takes them.

#define TORCH_ASSERT_NO_OPERATORS
#include <ATen/native/cuda/AttentionKernelSm90.h>
#include <ATen/native/cuda/Attention.cuh>

#include <c10/util/BFloat16.h>
#include <c10/util/Half.h>

#include <algorithm>

namespace at::native {
namespace {

using namespace attention;  // NOLINT: this file's own subject
using tensor_cores::Tile;

template <typename T>
struct Forward {
  Operand<const T> query;
  Operand<const T> key;
  Operand<const T> value;
  Operand<const T> mask;  // without data where there is none
  int64_t mask_column_stride;
  Operand<T> output;
  float* logsumexp;
  int queries;
  int keys;
  int features;
  bool causal;
  float scale;  // times log2(e)
};

// Over the four lanes that share a row.
C10_DEVICE float row_max(float x) {
  x = fmaxf(x, __shfl_xor_sync(0xFFFFFFFFu, x, 1));
  return fmaxf(x, __shfl_xor_sync(0xFFFFFFFFu, x, 2));
}
C10_DEVICE float row_sum(float x) {
  x += __shfl_xor_sync(0xFFFFFFFFu, x, 1);
  return x + __shfl_xor_sync(0xFFFFFFFFu, x, 2);
}

template <typename T, int kFeatures, bool kMask>
__global__ void __launch_bounds__(kThreads) attention_kernel(Forward<T> p) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
  using FeatureTile = Tile<T, kFeatures>;
  constexpr int kElements = kTile * kFeatures;
  extern __shared__ __align__(128) char memory[];
  auto* shared = reinterpret_cast<T*>(memory);
  // Two tiles of keys, then two of values.
  const auto keys_of = [shared](int i) { return FeatureTile{shared + i % 2 * kElements}; };
  const auto values_of = [shared](int i) { return FeatureTile{shared + (2 + i % 2) * kElements}; };

  // Later queries see more keys where causal: they start first.
  const int tile =
      p.causal ? static_cast<int>(gridDim.x - 1 - blockIdx.x) : static_cast<int>(blockIdx.x);
  const int first_query = tile * kTile;
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const int warp_row = static_cast<int>(threadIdx.x) / 32 * 16;
  const int rows[2] = {first_query + warp_row + lane / 4, first_query + warp_row + lane / 4 + 8};
  const int column = lane % 4 * 2;

  const T* key_rows = p.key.rows();
  const T* value_rows = p.value.rows();
  const int last = p.causal ? min(p.keys, first_query + kTile) : p.keys;
  const int tiles = (last + kTile - 1) / kTile;
  const auto load = [&](int i) {
    keys_of(i).template load<kTile, kThreads>(key_rows, p.key.stride, int64_t{i} * kTile, p.keys,
                                              p.features);
    values_of(i).template load<kTile, kThreads>(value_rows, p.value.stride, int64_t{i} * kTile,
                                                p.keys, p.features);
    tensor_cores::commit_copies();
  };

  // The queries pass through the second tile of values, which is not needed yet.
  values_of(1).template load<kTile, kThreads>(p.query.rows(), p.query.stride, first_query,
                                              p.queries, p.features);
  tensor_cores::commit_copies();
  load(0);
  tensor_cores::wait_copies<1>();
  __syncthreads();
  uint32_t query[kFeatures / 16][4];
#pragma unroll
  for (int f = 0; f < kFeatures / 16; ++f) values_of(1).load_a(query[f], warp_row, f * 16);
  __syncthreads();

  Mask<T> mask;
  if constexpr (kMask) mask = {p.mask.rows(), p.mask.stride, p.mask_column_stride};
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  float out[kFeatures / 8][4] = {};
  float max[2] = {-kInfinity, -kInfinity};
  float sum[2] = {0, 0};

  for (int i = 0; i < tiles; ++i) {
    if (i + 1 < tiles) {
      load(i + 1);
      tensor_cores::wait_copies<1>();
    } else {
      tensor_cores::wait_copies<0>();
    }
    __syncthreads();
    const FeatureTile key = keys_of(i);
    const FeatureTile value = values_of(i);
    const int first_key = i * kTile;

    float scores[kTile / 8][4] = {};
#pragma unroll
    for (int f = 0; f < kFeatures / 16; ++f) {
#pragma unroll
      for (int n = 0; n < kTile / 16; ++n) {
        uint32_t b[4];
        key.load_b_transposed(b, n * 16, f * 16);
        tensor_cores::multiply_add<T>(scores[2 * n], query[f], b[0], b[1]);
        tensor_cores::multiply_add<T>(scores[2 * n + 1], query[f], b[2], b[3]);
      }
    }

    const bool edge =
        first_key + kTile > p.keys || (p.causal && first_key + kTile > first_query + 1);
    float tile_max[2] = {max[0], max[1]};
#pragma unroll
    for (int n = 0; n < kTile / 8; ++n) {
#pragma unroll
      for (int e = 0; e < 4; ++e) {
        float& s = scores[n][e];
        const int row = rows[e / 2];
        const int k = first_key + n * 8 + column + e % 2;
        s *= p.scale;
        if (kMask && row < p.queries && k < p.keys) s += mask.at(row, k);
        if (edge && (k >= p.keys || (p.causal && k > row))) s = -kInfinity;
        tile_max[e / 2] = fmaxf(tile_max[e / 2], s);
      }
    }
    float base[2];
#pragma unroll
    for (int r = 0; r < 2; ++r) {
      const float new_max = row_max(tile_max[r]);
      base[r] = new_max == -kInfinity ? 0.0f : new_max;  // nothing seen yet
      const float shrink = exp2f(max[r] - base[r]);
      max[r] = new_max;
      sum[r] *= shrink;
#pragma unroll
      for (int n = 0; n < kFeatures / 8; ++n) {
        out[n][2 * r] *= shrink;
        out[n][2 * r + 1] *= shrink;
      }
    }
#pragma unroll
    for (int n = 0; n < kTile / 8; ++n) {
#pragma unroll
      for (int e = 0; e < 4; ++e) {
        scores[n][e] = exp2f(scores[n][e] - base[e / 2]);
        sum[e / 2] += scores[n][e];
      }
    }
#pragma unroll
    for (int k = 0; k < kTile / 16; ++k) {
      const float (&low)[4] = scores[2 * k];
      const float (&high)[4] = scores[2 * k + 1];
      const uint32_t weights[4] = {
          tensor_cores::pack<T>(low[0], low[1]), tensor_cores::pack<T>(low[2], low[3]),
          tensor_cores::pack<T>(high[0], high[1]), tensor_cores::pack<T>(high[2], high[3])};
#pragma unroll
      for (int n = 0; n < kFeatures / 16; ++n) {
        uint32_t b[4];
        value.load_b(b, k * 16, n * 16);
        tensor_cores::multiply_add<T>(out[2 * n], weights, b[0], b[1]);
        tensor_cores::multiply_add<T>(out[2 * n + 1], weights, b[2], b[3]);
      }
    }
    __syncthreads();
  }

  T* out_rows = p.output.rows();
#pragma unroll
  for (int r = 0; r < 2; ++r) {
    const float total = row_sum(sum[r]);
    if (rows[r] >= p.queries) continue;
    // A query that sees nothing attends to nothing.
    const float factor = total == 0.0f ? 0.0f : 1.0f / total;
    if (lane % 4 == 0 && p.logsumexp != nullptr) {
      const int64_t line = (int64_t{blockIdx.z} * gridDim.y + blockIdx.y) * p.queries + rows[r];
      p.logsumexp[line] = total == 0.0f ? -kInfinity : max[r] * kLn2 + logf(total);
    }
#pragma unroll
    for (int n = 0; n < kFeatures / 8; ++n) {
      const int f = n * 8 + column;
      if (f >= p.features) continue;
      *reinterpret_cast<uint32_t*>(out_rows + rows[r] * p.output.stride + f) =
          tensor_cores::pack<T>(out[n][2 * r] * factor, out[n][2 * r + 1] * factor);
    }
  }
#endif
}

template <typename T, int kFeatures>
void launch(const AttentionProblem& problem, cudaStream_t stream) {
  const Forward<T> p{Operand<const T>(problem.query),
                     Operand<const T>(problem.key),
                     Operand<const T>(problem.value),
                     Operand<const T>(problem.mask),
                     problem.mask_column_stride,
                     Operand<T>(problem.output),
                     static_cast<float*>(problem.logsumexp),
                     static_cast<int>(problem.queries),
                     static_cast<int>(problem.keys),
                     static_cast<int>(problem.features),
                     problem.causal,
                     static_cast<float>(problem.scale) * kLog2E};
  constexpr size_t kBytes = 4 * kTile * kFeatures * sizeof(T);
  const dim3 grid(static_cast<unsigned>(ceil_tiles(problem.queries)),
                  static_cast<unsigned>(problem.heads), static_cast<unsigned>(problem.batch));
  const auto kernel = problem.mask.data != nullptr ? &attention_kernel<T, kFeatures, true>
                                                   : &attention_kernel<T, kFeatures, false>;
  allow_shared_memory(kernel, kBytes);
  kernel<<<grid, kThreads, kBytes, stream>>>(p);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
}

void flash_attention_kernel_cuda(const AttentionProblem& problem, ScalarType dtype) {
  check_problem(problem);
  if (problem.batch * problem.heads * problem.queries == 0) return;
  const cudaStream_t stream = c10::cuda::getCurrentCUDAStream();
  TORCH_CHECK(dtype == kHalf || dtype == kBFloat16,
              "attention by tiles takes Half and BFloat16, but got ", dtype);
  if (launch_attention_sm90(problem, dtype, stream)) return;
  const bool narrow = problem.features <= 64;
  if (dtype == kHalf) {
    narrow ? launch<c10::Half, 64>(problem, stream) : launch<c10::Half, 128>(problem, stream);
  } else {
    narrow ? launch<c10::BFloat16, 64>(problem, stream)
           : launch<c10::BFloat16, 128>(problem, stream);
  }
}

bool has_flash_attention_cuda(c10::Device device) {
  return compute_capability_major(device.index()) >= kLeastCapability;
}

}  // namespace

REGISTER_CUDA_DISPATCH(has_flash_attention_stub, &has_flash_attention_cuda)
REGISTER_CUDA_DISPATCH(flash_attention_stub, &flash_attention_kernel_cuda)

}  // namespace at::native
