// The gradients of attention by tiles (T. Dao, "FlashAttention-2", arXiv:2307.08691).
//
// A block has 64 keys, 16 for each warp. It keeps their gradients in registers and loops over tiles
// of queries. With P the softmax, recomputed from the logarithms of its sums, and D the sums of
// dO * O over features:
//   dV = P^T dO,  dS = P * (dO V^T - D) * scale,  dK = dS^T Q,  dQ = dS K.
// The blocks' shares of dQ meet by atomic additions, so its last bits depend on their order.

#define TORCH_ASSERT_NO_OPERATORS
#include <ATen/native/cuda/Attention.cuh>

#include <c10/util/BFloat16.h>
#include <c10/util/Half.h>
#include <ATen/native/cuda/BlockReduce.cuh>

#include <algorithm>

namespace at::native {
namespace {

using namespace attention;  // NOLINT: this file's own subject
using tensor_cores::Tile;

template <typename T>
struct Backward {
  Operand<const T> query;
  Operand<const T> key;
  Operand<const T> value;
  Operand<const T> mask;  // without data where there is none
  int64_t mask_column_stride;
  Operand<const T> output;
  Operand<const T> grad_output;
  const float* logsumexp;
  float* delta;  // the sums D, (batch, head, query)
  float* grad_query;
  Operand<T> grad_key;
  Operand<T> grad_value;
  int queries;
  int keys;
  int features;
  bool causal;
  float scale;

  C10_DEVICE int64_t head() const { return int64_t{blockIdx.z} * gridDim.y + blockIdx.y; }
};

// One warp for each query.
template <typename T>
__global__ void __launch_bounds__(kThreads) delta_kernel(Backward<T> p) {
  const int query = static_cast<int>(blockIdx.x * kWarps + threadIdx.x / kWarp);
  if (query >= p.queries) return;
  const T* out = p.output.rows() + query * p.output.stride;
  const T* grad = p.grad_output.rows() + query * p.grad_output.stride;
  float sum = 0;
  for (int f = static_cast<int>(threadIdx.x) % kWarp; f < p.features; f += kWarp) {
    sum += static_cast<float>(out[f]) * static_cast<float>(grad[f]);
  }
  sum = warp_reduce(sum, Add());
  if (threadIdx.x % kWarp == 0) p.delta[p.head() * p.queries + query] = sum;
}

// Queries at a time: as many as the registers have room for.
template <int kFeatures>
constexpr int kQueries = kFeatures <= 64 ? 64 : 32;

// Sixteen rows of the transposed scores or weights as the left side of a product: columns
// [16 k, 16 k + 16).
template <typename T, int kCount>
C10_DEVICE void as_a(uint32_t (&a)[4], const float (&x)[kCount][4], int k) {
  const float (&low)[4] = x[2 * k];
  const float (&high)[4] = x[2 * k + 1];
  a[0] = tensor_cores::pack<T>(low[0], low[1]);
  a[1] = tensor_cores::pack<T>(low[2], low[3]);
  a[2] = tensor_cores::pack<T>(high[0], high[1]);
  a[3] = tensor_cores::pack<T>(high[2], high[3]);
}

// c = rows [row, row + 16) of `left` times the transpose of `right`.
template <typename T, int kFeatures, int kCount>
C10_DEVICE void multiply_transposed(float (&c)[kCount][4], const Tile<T, kFeatures>& left, int row,
                                    const Tile<T, kFeatures>& right) {
#pragma unroll
  for (int n = 0; n < kCount; ++n) {
#pragma unroll
    for (int e = 0; e < 4; ++e) c[n][e] = 0;
  }
#pragma unroll
  for (int f = 0; f < kFeatures / 16; ++f) {
    uint32_t a[4];
    left.load_a(a, row, f * 16);
#pragma unroll
    for (int n = 0; n < kCount / 2; ++n) {
      uint32_t b[4];
      right.load_b_transposed(b, n * 16, f * 16);
      tensor_cores::multiply_add<T>(c[2 * n], a, b[0], b[1]);
      tensor_cores::multiply_add<T>(c[2 * n + 1], a, b[2], b[3]);
    }
  }
}

// c += x times `right`, x being sixteen rows in registers.
template <typename T, int kFeatures, int kCount>
C10_DEVICE void multiply_add(float (&c)[kFeatures / 8][4], const float (&x)[kCount][4],
                             const Tile<T, kFeatures>& right) {
#pragma unroll
  for (int k = 0; k < kCount / 2; ++k) {
    uint32_t a[4];
    as_a<T>(a, x, k);
#pragma unroll
    for (int n = 0; n < kFeatures / 16; ++n) {
      uint32_t b[4];
      right.load_b(b, k * 16, n * 16);
      tensor_cores::multiply_add<T>(c[2 * n], a, b[0], b[1]);
      tensor_cores::multiply_add<T>(c[2 * n + 1], a, b[2], b[3]);
    }
  }
}

// Writes sixteen rows; each thread has two of them.
template <typename T, int kFeatures>
C10_DEVICE void write_rows(const Operand<T>& operand, const float (&c)[kFeatures / 8][4], int first,
                           int count, int features) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
  T* rows = operand.rows();
#pragma unroll
  for (int r = 0; r < 2; ++r) {
    const int row = first + lane / 4 + r * 8;
    if (row >= count) continue;
#pragma unroll
    for (int n = 0; n < kFeatures / 8; ++n) {
      const int f = n * 8 + lane % 4 * 2;
      if (f >= features) continue;
      *reinterpret_cast<uint32_t*>(rows + row * operand.stride + f) =
          tensor_cores::pack<T>(c[n][2 * r], c[n][2 * r + 1]);
    }
  }
}

template <typename T, int kFeatures>
constexpr size_t kSharedBytes =
    (2 * (kTile + kQueries<kFeatures>)*kFeatures + kTile * kTile) * sizeof(T) +
    2 * kQueries<kFeatures> * sizeof(float);

template <typename T, int kFeatures, bool kMask>
__global__ void __launch_bounds__(kThreads) attention_backward_kernel(Backward<T> p) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
  using FeatureTile = Tile<T, kFeatures>;
  constexpr int kStep = kQueries<kFeatures>;
  constexpr int kElements = kTile * kFeatures;
  constexpr int kStepElements = kStep * kFeatures;
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  extern __shared__ __align__(128) char memory[];
  auto* shared = reinterpret_cast<T*>(memory);
  const FeatureTile key{shared};
  const FeatureTile value{shared + kElements};
  const FeatureTile query{shared + 2 * kElements};
  const FeatureTile grad{query.data + kStepElements};
  const Tile<T, kTile> grad_scores{grad.data + kStepElements};  // [key][query]
  auto* log_sums = reinterpret_cast<float*>(grad_scores.data + kTile * kTile);
  float* deltas = log_sums + kStep;

  const int first_key = static_cast<int>(blockIdx.x) * kTile;
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const int warp_row = static_cast<int>(threadIdx.x) / 32 * 16;
  const int column = lane % 4 * 2;
  const float score_scale = p.scale * kLog2E;

  key.template load<kTile, kThreads>(p.key.rows(), p.key.stride, first_key, p.keys, p.features);
  value.template load<kTile, kThreads>(p.value.rows(), p.value.stride, first_key, p.keys,
                                       p.features);
  Mask<T> mask;
  if constexpr (kMask) mask = {p.mask.rows(), p.mask.stride, p.mask_column_stride};
  float grad_key[kFeatures / 8][4] = {};
  float grad_value[kFeatures / 8][4] = {};

  for (int first_query = p.causal ? first_key : 0; first_query < p.queries; first_query += kStep) {
    query.template load<kStep, kThreads>(p.query.rows(), p.query.stride, first_query, p.queries,
                                         p.features);
    grad.template load<kStep, kThreads>(p.grad_output.rows(), p.grad_output.stride, first_query,
                                        p.queries, p.features);
    tensor_cores::commit_copies();
    if (threadIdx.x < kStep) {
      const int q = first_query + static_cast<int>(threadIdx.x);
      const int64_t line = p.head() * p.queries + q;
      const float log_sum = q < p.queries ? p.logsumexp[line] : -kInfinity;
      // Weights become 0 where there is no query, or it sees nothing.
      log_sums[threadIdx.x] = log_sum == -kInfinity ? kInfinity : log_sum * kLog2E;
      deltas[threadIdx.x] = q < p.queries ? p.delta[line] : 0.0f;
    }
    tensor_cores::wait_copies<0>();
    __syncthreads();

    float weights[kStep / 8][4];  // [key][query], as all that follows
    multiply_transposed<T, kFeatures>(weights, key, warp_row, query);
#pragma unroll
    for (int n = 0; n < kStep / 8; ++n) {
#pragma unroll
      for (int e = 0; e < 4; ++e) {
        const int k = first_key + warp_row + lane / 4 + e / 2 * 8;
        const int in_tile = n * 8 + column + e % 2;
        const int q = first_query + in_tile;
        float s = weights[n][e] * score_scale;
        if (kMask && q < p.queries && k < p.keys) s += mask.at(q, k);
        const bool seen = k < p.keys && !(p.causal && k > q);
        weights[n][e] = seen ? exp2f(s - log_sums[in_tile]) : 0.0f;
      }
    }
    multiply_add<T, kFeatures>(grad_value, weights, grad);

    float scores[kStep / 8][4];
    multiply_transposed<T, kFeatures>(scores, value, warp_row, grad);
#pragma unroll
    for (int n = 0; n < kStep / 8; ++n) {
#pragma unroll
      for (int e = 0; e < 4; ++e) {
        const float delta = deltas[n * 8 + column + e % 2];
        scores[n][e] = weights[n][e] * (scores[n][e] - delta) * p.scale;
      }
      const int row = warp_row + lane / 4;
      *reinterpret_cast<uint32_t*>(grad_scores.at(row, n * 8 + column)) =
          tensor_cores::pack<T>(scores[n][0], scores[n][1]);
      *reinterpret_cast<uint32_t*>(grad_scores.at(row + 8, n * 8 + column)) =
          tensor_cores::pack<T>(scores[n][2], scores[n][3]);
    }
    multiply_add<T, kFeatures>(grad_key, scores, query);
    __syncthreads();

    // Sixteen queries and a share of the features for this warp, all keys of the block.
    constexpr int kGroups = kStep / 16;
    constexpr int kShare = kFeatures / 16 * kGroups / kWarps;
    const int warp = static_cast<int>(threadIdx.x) / 32;
    const int warp_query = warp % kGroups * 16;
    uint32_t a[kTile / 16][4];
#pragma unroll
    for (int k = 0; k < kTile / 16; ++k) grad_scores.load_a_transposed(a[k], k * 16, warp_query);
    float* grad_query = p.grad_query + p.head() * p.queries * p.features;
#pragma unroll
    for (int share = 0; share < kShare; ++share) {
      const int n = warp / kGroups * kShare + share;
      float c[2][4] = {};
#pragma unroll
      for (int k = 0; k < kTile / 16; ++k) {
        uint32_t b[4];
        key.load_b(b, k * 16, n * 16);
        tensor_cores::multiply_add<T>(c[0], a[k], b[0], b[1]);
        tensor_cores::multiply_add<T>(c[1], a[k], b[2], b[3]);
      }
#pragma unroll
      for (int h = 0; h < 2; ++h) {
#pragma unroll
        for (int e = 0; e < 4; ++e) {
          const int q = first_query + warp_query + lane / 4 + e / 2 * 8;
          const int f = n * 16 + h * 8 + column + e % 2;
          if (q < p.queries && f < p.features) {
            atomicAdd(grad_query + int64_t{q} * p.features + f, c[h][e]);
          }
        }
      }
    }
    __syncthreads();
  }
  tensor_cores::wait_copies<0>();
  write_rows<T, kFeatures>(p.grad_key, grad_key, first_key + warp_row, p.keys, p.features);
  write_rows<T, kFeatures>(p.grad_value, grad_value, first_key + warp_row, p.keys, p.features);
#endif
}

template <typename T, int kFeatures>
void launch(const AttentionGradients& gradients, cudaStream_t stream) {
  const AttentionProblem& problem = gradients.problem;
  Workspace delta(static_cast<size_t>(problem.batch * problem.heads * problem.queries) *
                  sizeof(float));
  const AttentionOperand<const void*> output{problem.output.data, problem.output.strides};
  const Backward<T> p{Operand<const T>(problem.query),
                      Operand<const T>(problem.key),
                      Operand<const T>(problem.value),
                      Operand<const T>(problem.mask),
                      problem.mask_column_stride,
                      Operand<const T>(output),
                      Operand<const T>(gradients.grad_output),
                      static_cast<const float*>(problem.logsumexp),
                      delta.get<float>(),
                      gradients.grad_query,
                      Operand<T>(gradients.grad_key),
                      Operand<T>(gradients.grad_value),
                      static_cast<int>(problem.queries),
                      static_cast<int>(problem.keys),
                      static_cast<int>(problem.features),
                      problem.causal,
                      static_cast<float>(problem.scale)};
  const auto heads = static_cast<unsigned>(problem.heads);
  const auto batch = static_cast<unsigned>(problem.batch);
  if (problem.queries > 0) {
    delta_kernel<<<dim3(grid_size(ceil_div(problem.queries, kWarps)), heads, batch), kThreads, 0,
                   stream>>>(p);
    C10_CUDA_KERNEL_LAUNCH_CHECK();
  }
  constexpr size_t kBytes = kSharedBytes<T, kFeatures>;
  const auto kernel = problem.mask.data != nullptr
                          ? &attention_backward_kernel<T, kFeatures, true>
                          : &attention_backward_kernel<T, kFeatures, false>;
  allow_shared_memory(kernel, kBytes);
  const dim3 grid(static_cast<unsigned>(ceil_tiles(problem.keys)), heads, batch);
  kernel<<<grid, kThreads, kBytes, stream>>>(p);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
}

void flash_attention_backward_kernel_cuda(const AttentionGradients& gradients, ScalarType dtype) {
  const AttentionProblem& problem = gradients.problem;
  check_problem(problem);
  if (problem.batch * problem.heads * problem.keys == 0) return;
  const cudaStream_t stream = c10::cuda::getCurrentCUDAStream();
  const bool narrow = problem.features <= 64;
  if (dtype == kHalf) {
    narrow ? launch<c10::Half, 64>(gradients, stream) : launch<c10::Half, 128>(gradients, stream);
  } else {
    TORCH_CHECK(dtype == kBFloat16, "attention by tiles takes Half and BFloat16, but got ", dtype);
    narrow ? launch<c10::BFloat16, 64>(gradients, stream)
           : launch<c10::BFloat16, 128>(gradients, stream);
  }
}

}  // namespace

REGISTER_CUDA_DISPATCH(flash_attention_backward_stub, &flash_attention_backward_kernel_cuda)

}  // namespace at::native
