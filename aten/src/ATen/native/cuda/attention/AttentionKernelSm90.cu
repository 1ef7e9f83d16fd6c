// The tiled attention of AttentionKernel.cu with Hopper's asynchronous copies and products (J. Shah
// et al., "FlashAttention-3", arXiv:2407.08608).
//
// A block has 128 queries. A producer thread copies tiles of 128 keys and values, two stages ahead;
// two consumer warpgroups of 64 queries each keep scores and results in registers. The softmax of
// one tile overlaps with the product of the previous tile's weights and values.
//
// Tensor maps make a copy one instruction for 64 columns of a tile, swizzle rows as wgmma reads
// them and zero-fill beyond the ends. cp.async.bulk without a map cannot swizzle, and cp.async
// would occupy a warpgroup with addresses. The driver writes the maps; its function is looked up
// through the runtime, so that nothing links libcuda.
//
// This file is also compiled for sm_90a. For all other architectures the kernel is empty: only
// sm_90a code has barriers in static shared memory, by which has_code_for_sm90a() recognises it.

#define TORCH_ASSERT_NO_OPERATORS
#include <ATen/native/cuda/AttentionKernelSm90.h>
#include <ATen/native/cuda/TensorMap.h>
#include <ATen/native/cuda/Attention.cuh>
#include <ATen/native/cuda/TensorCopies.cuh>
#include <ATen/native/cuda/WarpgroupProducts.cuh>

#include <c10/util/BFloat16.h>
#include <c10/util/Half.h>

#include <limits>

namespace at::native {
namespace {

using attention::kLn2;
using attention::kLog2E;
using attention::Operand;

constexpr int kWarpgroup = 128;
constexpr int kConsumers = 2;
constexpr int kBlock = (1 + kConsumers) * kWarpgroup;
constexpr int kQueries = 64 * kConsumers;
constexpr int kKeys = 128;
constexpr int kRows = 128;  // of every tile
static_assert(kQueries == kRows && kKeys == kRows);
constexpr int kStages = 2;
constexpr int kColumns = 64;                       // elements in 128 bytes
constexpr uint32_t kSlice = kRows * kColumns * 2;  // bytes of kColumns columns of a tile
constexpr uint32_t kAlignment = 1024;

// Queries, then the stages of keys, then those of values.
constexpr uint32_t tile_bytes(int features) { return kSlice * features / kColumns; }
constexpr uint32_t shared_bytes(int features) {
  return (1 + 2 * kStages) * tile_bytes(features) + kAlignment;
}

template <typename T>
struct Forward {
  TensorMap query;
  TensorMap key;
  TensorMap value;
  Operand<T> output;
  float* logsumexp;
  int queries;
  int keys;
  int features;
  bool causal;
  float scale;  // times log2(e)
};

#ifdef __CUDA_ARCH_FEAT_SM90_ALL

using tensor_copies::Barrier;

struct Barriers {
  Barrier query;
  Barrier key_full[kStages];
  Barrier value_full[kStages];
  Barrier key_empty[kStages];
  Barrier value_empty[kStages];
};

// The layout of the tiles in shared memory.
template <int kFeatures>
struct Tiles {
  uint32_t begin;
  C10_DEVICE uint32_t query() const { return begin; }
  C10_DEVICE uint32_t key(int stage) const { return begin + (1 + stage) * tile_bytes(kFeatures); }
  C10_DEVICE uint32_t value(int stage) const { return key(kStages + stage); }
};

C10_DEVICE float exp2_fast(float x) {
  float result;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(result) : "f"(x));
  return result;
}

// The maximum over the four lanes that share a row.
C10_DEVICE float row_max(float x) {
  x = fmaxf(x, __shfl_xor_sync(0xFFFFFFFFu, x, 1));
  return fmaxf(x, __shfl_xor_sync(0xFFFFFFFFu, x, 2));
}
C10_DEVICE float row_sum(float x) {
  x += __shfl_xor_sync(0xFFFFFFFFu, x, 1);
  return x + __shfl_xor_sync(0xFFFFFFFFu, x, 2);
}

// The producer: one thread starts each copy as soon as its stage is free.
template <typename T, int kFeatures>
C10_DEVICE void produce(const Forward<T>& p, Barriers& barriers, Tiles<kFeatures> tiles,
                        int first_query, int count) {
  const int head = static_cast<int>(blockIdx.y);
  const int batch = static_cast<int>(blockIdx.z);
  const auto copy = [&](const TensorMap& from, uint32_t to, int row, Barrier& barrier) {
    barrier.arrive_and_expect(tile_bytes(kFeatures));
#pragma unroll
    for (int c = 0; c < kFeatures / kColumns; ++c) {
      tensor_copies::copy_box(to + c * kSlice, from, c * kColumns, row, head, batch, barrier);
    }
  };
  const auto copy_values = [&](int i) {
    const int stage = i % kStages;
    // Waiting for the phase before the first returns at once.
    barriers.value_empty[stage].wait(i / kStages + 1);
    copy(p.value, tiles.value(stage), i * kKeys, barriers.value_full[stage]);
  };
  copy(p.query, tiles.query(), first_query, barriers.query);
  for (int i = 0; i < count; ++i) {
    const int stage = i % kStages;
    barriers.key_empty[stage].wait(i / kStages + 1);
    copy(p.key, tiles.key(stage), i * kKeys, barriers.key_full[stage]);
    if (i > 0) copy_values(i - 1);
  }
  copy_values(count - 1);
}

// A consumer warpgroup: 64 queries.
template <typename T, int kFeatures>
C10_DEVICE void consume(const Forward<T>& p, Barriers& barriers, Tiles<kFeatures> tiles,
                        int first_query, int group, int count) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const int warp = static_cast<int>(threadIdx.x) / 32 % 4;
  const int first_row = first_query + group * 64;
  const int rows[2] = {first_row + warp * 16 + lane / 4, first_row + warp * 16 + lane / 4 + 8};
  const int column = lane % 4 * 2;
  constexpr float kInfinity = std::numeric_limits<float>::infinity();

  float scores[kKeys / 2];
  uint32_t weights[kKeys / 16][4];
  float out[kFeatures / 2] = {};
  float max[2] = {-kInfinity, -kInfinity};
  float sum[2] = {0, 0};
  float shrink[2];

  const auto start_scores = [&](int i) {
    barriers.key_full[i % kStages].wait(i / kStages);
    warpgroup::keep(scores);
    warpgroup::begin_products();
    const uint32_t query = tiles.query() + group * (kSlice / kConsumers);
    const uint32_t key = tiles.key(i % kStages);
#pragma unroll
    for (int f = 0; f < kFeatures / 16; ++f) {
      const uint32_t step = f * 16 / kColumns * kSlice + f * 16 % kColumns * 2;
      const uint64_t a = warpgroup::matrix_descriptor(query + step, 0);
      const uint64_t b = warpgroup::matrix_descriptor(key + step, 0);
      if (f == 0) {
        warpgroup::multiply_rows<T, false>(scores, a, b);
      } else {
        warpgroup::multiply_rows<T, true>(scores, a, b);
      }
    }
    warpgroup::commit_products();
  };
  const auto start_values = [&](int i) {
    barriers.value_full[i % kStages].wait(i / kStages);
    warpgroup::keep(out);
    warpgroup::keep(weights);
    warpgroup::begin_products();
#pragma unroll
    for (int k = 0; k < kKeys / 16; ++k) {
      const uint32_t rows_of_step = tiles.value(i % kStages) + k * 16 * kColumns * 2;
      warpgroup::multiply_columns<T>(out, weights[k],
                                     warpgroup::matrix_descriptor(rows_of_step, kSlice));
    }
    warpgroup::commit_products();
  };
  // Tells the producer that this warp has read a tile.
  const auto release = [&](Barrier& barrier) {
    __syncwarp();
    if (lane == 0) barrier.arrive();
  };
  // Turns the scores of tile i into weights, in float.
  const auto weigh = [&](int i) {
    warpgroup::keep(scores);
    const int first_key = i * kKeys;
    if (first_key + kKeys > p.keys || (p.causal && first_key + kKeys > first_row + 1)) {
#pragma unroll
      for (int r = 0; r < 2; ++r) {
        // Keys that the row sees, counted from the lane's first column.
        const int seen = (p.causal ? min(p.keys, rows[r] + 1) : p.keys) - first_key - column;
#pragma unroll
        for (int n = 0; n < kKeys / 8; ++n) {
          if (n * 8 >= seen) scores[4 * n + 2 * r] = -kInfinity;
          if (n * 8 + 1 >= seen) scores[4 * n + 2 * r + 1] = -kInfinity;
        }
      }
    }
    float base[2];
#pragma unroll
    for (int r = 0; r < 2; ++r) {
      float largest = max[r];
#pragma unroll
      for (int n = 0; n < kKeys / 8; ++n) {
        largest = fmaxf(largest, fmaxf(scores[4 * n + 2 * r], scores[4 * n + 2 * r + 1]));
      }
      largest = row_max(largest);
      base[r] = largest == -kInfinity ? 0.0f : largest * p.scale;  // nothing seen yet
      shrink[r] = exp2_fast(max[r] * p.scale - base[r]);
      max[r] = largest;
      sum[r] *= shrink[r];
    }
#pragma unroll
    for (int e = 0; e < kKeys / 2; ++e) {
      const int r = e / 2 % 2;
      scores[e] = exp2_fast(fmaf(scores[e], p.scale, -base[r]));
      sum[r] += scores[e];
    }
  };
  const auto round_weights = [&] {
#pragma unroll
    for (int e = 0; e < kKeys / 4; ++e) {
      weights[e / 4][e % 4] = tensor_cores::pack<T>(scores[2 * e], scores[2 * e + 1]);
    }
  };

  barriers.query.wait(0);
  start_scores(0);
  warpgroup::wait_products<0>();
  release(barriers.key_empty[0]);
  weigh(0);
  round_weights();
  for (int i = 1; i < count; ++i) {
    start_scores(i);
    start_values(i - 1);
    warpgroup::wait_products<1>();
    release(barriers.key_empty[i % kStages]);
    weigh(i);
    warpgroup::wait_products<0>();
    warpgroup::keep(out);
    release(barriers.value_empty[(i - 1) % kStages]);
#pragma unroll
    for (int e = 0; e < kFeatures / 2; ++e) out[e] *= shrink[e / 2 % 2];
    round_weights();
  }
  start_values(count - 1);
  warpgroup::wait_products<0>();
  warpgroup::keep(out);

  T* out_rows = p.output.rows();
#pragma unroll
  for (int r = 0; r < 2; ++r) {
    const float total = row_sum(sum[r]);
    if (rows[r] >= p.queries) continue;
    // A query that sees nothing attends to nothing.
    const float factor = total == 0.0f ? 0.0f : 1.0f / total;
    if (lane % 4 == 0 && p.logsumexp != nullptr) {
      const int64_t line = (int64_t{blockIdx.z} * gridDim.y + blockIdx.y) * p.queries + rows[r];
      p.logsumexp[line] = total == 0.0f ? -kInfinity : max[r] * p.scale * kLn2 + logf(total);
    }
#pragma unroll
    for (int n = 0; n < kFeatures / 8; ++n) {
      const int f = n * 8 + column;
      if (f >= p.features) continue;
      *reinterpret_cast<uint32_t*>(out_rows + rows[r] * p.output.stride + f) =
          tensor_cores::pack<T>(out[4 * n + 2 * r] * factor, out[4 * n + 2 * r + 1] * factor);
    }
  }
}

#endif

template <typename T, int kFeatures>
__global__ void __launch_bounds__(kBlock, 1)
    attention_kernel_sm90(const __grid_constant__ Forward<T> p) {
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
  __shared__ Barriers barriers;
  extern __shared__ char memory[];
  const uint32_t address = tensor_copies::address_of(memory);
  const Tiles<kFeatures> tiles{(address + kAlignment - 1) / kAlignment * kAlignment};

  // With a causal mask later queries take longer, so they start first.
  const int tile =
      p.causal ? static_cast<int>(gridDim.x - 1 - blockIdx.x) : static_cast<int>(blockIdx.x);
  const int first_query = tile * kQueries;
  const int last = p.causal ? min(p.keys, first_query + kQueries) : p.keys;
  const int count = (last + kKeys - 1) / kKeys;

  if (threadIdx.x == 0) {
    constexpr uint32_t kConsumerWarps = kConsumers * 4;
    barriers.query.start(1);
    for (int stage = 0; stage < kStages; ++stage) {
      barriers.key_full[stage].start(1);
      barriers.value_full[stage].start(1);
      barriers.key_empty[stage].start(kConsumerWarps);
      barriers.value_empty[stage].start(kConsumerWarps);
    }
    tensor_copies::publish_barriers();
  }
  __syncthreads();

  // 65536 registers of a multiprocessor for one block.
  const int group = static_cast<int>(threadIdx.x) / kWarpgroup;
  if (group == 0) {
    warpgroup::give_registers_back<24>();
    if (threadIdx.x == 0) produce<T, kFeatures>(p, barriers, tiles, first_query, count);
  } else {
    warpgroup::take_registers<240>();
    consume<T, kFeatures>(p, barriers, tiles, first_query, group - 1, count);
  }
#endif
}

template <typename T, int kFeatures>
bool launch(const AttentionProblem& problem, cudaStream_t stream) {
  const auto kernel = &attention_kernel_sm90<T, kFeatures>;
  if (!has_code_for_sm90a(reinterpret_cast<const void*>(kernel))) return false;
  Forward<T> p{{},
               {},
               {},
               Operand<T>(problem.output),
               static_cast<float*>(problem.logsumexp),
               static_cast<int>(problem.queries),
               static_cast<int>(problem.keys),
               static_cast<int>(problem.features),
               problem.causal,
               static_cast<float>(problem.scale) * kLog2E};
  const auto describe = [&](TensorMap* map, const AttentionOperand<const void*>& operand,
                            int64_t positions) {
    return describe_tensor(map, operand.data,
                           {problem.batch, problem.heads, positions, problem.features},
                           operand.strides, kRows, kColumns);
  };
  if (!describe(&p.query, problem.query, problem.queries) ||
      !describe(&p.key, problem.key, problem.keys) ||
      !describe(&p.value, problem.value, problem.keys)) {
    return false;
  }
  const dim3 grid(static_cast<unsigned>(ceil_div(problem.queries, int64_t{kQueries})),
                  static_cast<unsigned>(problem.heads), static_cast<unsigned>(problem.batch));
  constexpr uint32_t kBytes = shared_bytes(kFeatures);
  attention::allow_shared_memory(kernel, kBytes);
  kernel<<<grid, kBlock, kBytes, stream>>>(p);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return true;
}

}  // namespace

bool launch_attention_sm90(const AttentionProblem& problem, ScalarType dtype, cudaStream_t stream) {
  if (problem.mask.data != nullptr || problem.keys == 0) return false;
  if (!(static_cast<float>(problem.scale) > 0)) return false;
  const bool narrow = problem.features <= 64;
  if (dtype == kHalf) {
    return narrow ? launch<c10::Half, 64>(problem, stream)
                  : launch<c10::Half, 128>(problem, stream);
  }
  return narrow ? launch<c10::BFloat16, 64>(problem, stream)
                : launch<c10::BFloat16, 128>(problem, stream);
}

}  // namespace at::native
