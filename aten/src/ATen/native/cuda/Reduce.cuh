#pragma once

// Reductions of any set of dimensions of a tensor of any strides.
//
// An operation is a type with
//   acc_t                                        the accumulator
//   acc_t identity() const
//   acc_t reduce(acc_t, T x, int64_t i) const    accumulates x, the i-th input of the output
//   acc_t combine(acc_t, acc_t) const            joins two accumulators, in any order
//   void store(int64_t output, acc_t) const      writes a result
//
// If neighbouring elements belong to the same output, neighbouring threads share it and combine
// with shuffles; if they belong to different outputs, each thread has its own. With few outputs,
// several blocks reduce parts of each, and a second kernel joins the parts in a fixed order, so
// that results are deterministic.

#include <ATen/core/TensorBase.h>
#include <ATen/native/ReduceOpsUtils.h>
#include <ATen/native/cuda/OffsetCalculator.h>
#include <c10/macros/Macros.h>
#include <c10/util/Exception.h>
#include <ATen/native/cuda/BlockReduce.cuh>
#include <ATen/native/cuda/LaunchUtils.cuh>

#include <algorithm>
#include <cstdint>
#include <type_traits>

namespace at::native {
namespace reduce {

constexpr int kThreads = 256;
constexpr int kUnroll = 4;

// Loops over some dimensions of a tensor, innermost first, with strides in elements.
struct Nest {
  // The offset of element number `index`.
  C10_DEVICE int64_t offset(int64_t index) const {
    int64_t result = 0;
#pragma unroll 1
    for (int d = 0; d + 1 < dims; ++d) {
      const int64_t quotient =
          index >> 31 == 0 ? static_cast<int64_t>(sizes[d].div(static_cast<uint32_t>(index)))
                           : index / sizes[d].divisor;
      result += (index - quotient * sizes[d].divisor) * strides[d];
      index = quotient;
    }
    return result + index * strides[dims - 1];
  }
  bool is_contiguous() const { return dims == 1 && strides[0] == 1; }

  int dims = 0;
  Divider sizes[kMaxDims];
  int64_t strides[kMaxDims];
};

inline Nest device_nest(const LoopNest& loops) {
  Nest nest;
  nest.dims = 1;
  nest.strides[0] = 0;
  if (loops.numel == 0) return nest;
  nest.dims = static_cast<int>(loops.sizes.size());
  TORCH_CHECK(nest.dims <= kMaxDims, "tensor has too many (>", kMaxDims, ") dims");
  for (int d = 0; d < nest.dims; ++d) {
    const auto from = static_cast<size_t>(nest.dims - 1 - d);
    const int64_t size = loops.sizes[from];
    // offset() never divides by the outermost size.
    TORCH_CHECK(from == 0 || size <= INT32_MAX,
                "reductions on a GPU take inner dimensions of up to ", INT32_MAX,
                " elements, but one has ", size);
    if (from != 0) nest.sizes[d] = Divider(static_cast<uint32_t>(size));
    nest.strides[d] = loops.strides[from];
  }
  return nest;
}

// Outputs per thread of columns_kernel: a pack, or fewer if accumulators are large.
template <typename T, typename acc_t>
constexpr int columns_of_a_thread() {
  constexpr size_t kMostShared = 16384;
  int size = kPack<T>;
  while (size > 1 && size * kThreads * sizeof(acc_t) > kMostShared) size /= 2;
  return size;
}

// The layout of the work. Part p of an output reduces elements [p * part_size, (p + 1) *
// part_size).
struct Shape {
  int64_t outputs;
  int64_t inputs;
  int64_t part_size;
  int parts;
};

// Stores results, or partial results as [output][part].
template <typename Op>
C10_DEVICE void finish(const Op& op, const Shape& shape, typename Op::acc_t* partial,
                       int64_t output, typename Op::acc_t acc) {
  if (partial == nullptr) {
    op.store(output, acc);
  } else {
    partial[output * shape.parts + blockIdx.y] = acc;
  }
}

// Reduces elements [begin, end) of a contiguous row with blockDim.x threads.
template <typename T, typename Op>
C10_DEVICE typename Op::acc_t reduce_row(const Op& op, const T* row, int64_t begin, int64_t end) {
  using acc_t = typename Op::acc_t;
  constexpr int kSize = kPack<T>;
  constexpr int kAccs = kSize < 4 ? 4 : kSize;
  const auto step = static_cast<int64_t>(blockDim.x);
  const auto thread = static_cast<int64_t>(threadIdx.x);
  acc_t acc[kAccs];
#pragma unroll
  for (int k = 0; k < kAccs; ++k) acc[k] = op.identity();

  // Single elements up to the first aligned pack.
  const auto misaligned =
      static_cast<int64_t>(reinterpret_cast<uintptr_t>(row + begin) / sizeof(T) % kSize);
  int64_t body = misaligned == 0 ? begin : begin + kSize - misaligned;
  if (body > end) body = end;
  for (int64_t i = begin + thread; i < body; i += step) acc[0] = op.reduce(acc[0], row[i], i);

  const int64_t packs = (end - body) / kSize;
  const auto* from = reinterpret_cast<const Pack<T, kSize>*>(row + body);
  int64_t pack = thread;
  for (; pack + (kUnroll - 1) * step < packs; pack += kUnroll * step) {
    Pack<T, kSize> loaded[kUnroll];
#pragma unroll
    for (int u = 0; u < kUnroll; ++u) loaded[u] = from[pack + u * step];
#pragma unroll
    for (int u = 0; u < kUnroll; ++u) {
#pragma unroll
      for (int k = 0; k < kSize; ++k) {
        acc_t& a = acc[(u * kSize + k) % kAccs];
        a = op.reduce(a, loaded[u].at[k], body + (pack + u * step) * kSize + k);
      }
    }
  }
  for (; pack < packs; pack += step) {
    const Pack<T, kSize> loaded = from[pack];
#pragma unroll
    for (int k = 0; k < kSize; ++k) {
      acc[k] = op.reduce(acc[k], loaded.at[k], body + pack * kSize + k);
    }
  }
  for (int64_t i = body + packs * kSize + thread; i < end; i += step) {
    acc[0] = op.reduce(acc[0], row[i], i);
  }
#pragma unroll
  for (int k = 1; k < kAccs; ++k) acc[0] = op.combine(acc[0], acc[k]);
  return acc[0];
}

// Reduces elements [begin, end) at any strides with blockDim.x threads.
template <typename T, typename Op>
C10_DEVICE typename Op::acc_t reduce_strided(const Op& op, const T* base, const Nest& nest,
                                             int64_t begin, int64_t end) {
  using acc_t = typename Op::acc_t;
  const auto step = static_cast<int64_t>(blockDim.x);
  acc_t acc[kUnroll];
#pragma unroll
  for (int u = 0; u < kUnroll; ++u) acc[u] = op.identity();
  int64_t i = begin + threadIdx.x;
  for (; i + (kUnroll - 1) * step < end; i += kUnroll * step) {
    T loaded[kUnroll];
#pragma unroll
    for (int u = 0; u < kUnroll; ++u) loaded[u] = base[nest.offset(i + u * step)];
#pragma unroll
    for (int u = 0; u < kUnroll; ++u) acc[u] = op.reduce(acc[u], loaded[u], i + u * step);
  }
  for (; i < end; i += step) acc[0] = op.reduce(acc[0], base[nest.offset(i)], i);
#pragma unroll
  for (int u = 1; u < kUnroll; ++u) acc[0] = op.combine(acc[0], acc[u]);
  return acc[0];
}

// blockDim.x threads (a power of two) per output, blockDim.y outputs per block.
template <typename T, typename Op>
__global__ void __launch_bounds__(kThreads)
    rows_kernel(Op op, const T* data, Shape shape, Nest kept, Nest reduced, bool contiguous,
                typename Op::acc_t* partial) {
  using acc_t = typename Op::acc_t;
  __shared__ alignas(16) char memory[kThreads / kWarp * sizeof(acc_t)];
  auto* shared = reinterpret_cast<acc_t*>(memory);
  const int64_t output = static_cast<int64_t>(blockIdx.x) * blockDim.y + threadIdx.y;
  const int64_t begin = static_cast<int64_t>(blockIdx.y) * shape.part_size;
  const int64_t end = min(begin + shape.part_size, shape.inputs);
  const auto combine = [&op](const acc_t& a, const acc_t& b) { return op.combine(a, b); };

  acc_t acc = op.identity();
  if (output < shape.outputs) {
    const T* base = data + kept.offset(output);
    acc = contiguous ? reduce_row<T>(op, base, begin, end)
                     : reduce_strided<T>(op, base, reduced, begin, end);
  }
  const int width = static_cast<int>(blockDim.x);
  acc = warp_reduce(acc, combine, width < kWarp ? width : kWarp);
  if (width > kWarp) {
    const int warps = width / kWarp;
    const int warp = static_cast<int>(threadIdx.y * blockDim.x + threadIdx.x) / kWarp;
    if (threadIdx.x % kWarp == 0) shared[warp] = acc;
    __syncthreads();
    if (threadIdx.x == 0) {
      for (int i = 1; i < warps; ++i) acc = op.combine(acc, shared[warp + i]);
    }
  }
  if (threadIdx.x == 0 && output < shape.outputs) finish(op, shape, partial, output, acc);
}

// Each thread has kSize neighbouring outputs, and a warp neighbouring threads' outputs. The rows of
// threads of a block share the reduced elements.
template <int kSize, typename T, typename Op>
__global__ void __launch_bounds__(kThreads)
    columns_kernel(Op op, const T* data, Shape shape, Nest kept, Nest reduced,
                   typename Op::acc_t* partial) {
  using acc_t = typename Op::acc_t;
  constexpr int kRows = kThreads / kWarp;
  __shared__ alignas(16) char memory[kThreads * kSize * sizeof(acc_t)];
  auto* shared = reinterpret_cast<acc_t(*)[kSize][kWarp]>(memory);
  const int64_t output = (static_cast<int64_t>(blockIdx.x) * kWarp + threadIdx.x) * kSize;
  const int64_t begin = static_cast<int64_t>(blockIdx.y) * shape.part_size;
  const int64_t end = min(begin + shape.part_size, shape.inputs);

  acc_t acc[kSize];
#pragma unroll
  for (int k = 0; k < kSize; ++k) acc[k] = op.identity();
  if (output < shape.outputs) {
    const T* base = data + kept.offset(output);
    int64_t i = begin + threadIdx.y;
    for (; i + (kUnroll - 1) * kRows < end; i += kUnroll * kRows) {
      Pack<T, kSize> loaded[kUnroll];
#pragma unroll
      for (int u = 0; u < kUnroll; ++u) {
        loaded[u] = *reinterpret_cast<const Pack<T, kSize>*>(base + reduced.offset(i + u * kRows));
      }
#pragma unroll
      for (int u = 0; u < kUnroll; ++u) {
#pragma unroll
        for (int k = 0; k < kSize; ++k) {
          acc[k] = op.reduce(acc[k], loaded[u].at[k], i + u * kRows);
        }
      }
    }
    for (; i < end; i += kRows) {
      const auto loaded = *reinterpret_cast<const Pack<T, kSize>*>(base + reduced.offset(i));
#pragma unroll
      for (int k = 0; k < kSize; ++k) acc[k] = op.reduce(acc[k], loaded.at[k], i);
    }
  }
#pragma unroll
  for (int k = 0; k < kSize; ++k) shared[threadIdx.y][k][threadIdx.x] = acc[k];
  __syncthreads();
#pragma unroll 1
  for (int half = kRows / 2; half > 0; half /= 2) {
    if (static_cast<int>(threadIdx.y) < half) {
#pragma unroll
      for (int k = 0; k < kSize; ++k) {
        acc_t& mine = shared[threadIdx.y][k][threadIdx.x];
        mine = op.combine(mine, shared[threadIdx.y + half][k][threadIdx.x]);
      }
    }
    __syncthreads();
  }
  if (threadIdx.y == 0 && output < shape.outputs) {
#pragma unroll
    for (int k = 0; k < kSize; ++k) {
      finish(op, shape, partial, output + k, shared[0][k][threadIdx.x]);
    }
  }
}

// Joins the parts of each output with one warp.
template <typename Op>
__global__ void __launch_bounds__(kThreads)
    join_kernel(Op op, const typename Op::acc_t* partial, Shape shape) {
  using acc_t = typename Op::acc_t;
  const int64_t output = (static_cast<int64_t>(blockIdx.x) * kThreads + threadIdx.x) / kWarp;
  if (output >= shape.outputs) return;  // the same for all lanes of a warp
  acc_t acc = op.identity();
  for (int part = static_cast<int>(threadIdx.x) % kWarp; part < shape.parts; part += kWarp) {
    acc = op.combine(acc, partial[output * shape.parts + part]);
  }
  acc = warp_reduce(acc, [&op](const acc_t& a, const acc_t& b) { return op.combine(a, b); });
  if (threadIdx.x % kWarp == 0) op.store(output, acc);
}

// Chooses the number of parts per output so that the blocks fill the GPU.
inline void choose_parts(Shape& shape, int64_t blocks, int64_t least_part, int64_t multiple) {
  constexpr int kBlocksPerProcessor = 8;
  const int64_t wanted = int64_t{multiprocessor_count()} * kBlocksPerProcessor;
  int64_t parts = blocks >= wanted / 2 ? 1 : ceil_div(wanted, blocks);
  parts = std::min({parts, shape.inputs / least_part, kMaxGridY});
  parts = std::max<int64_t>(parts, 1);
  shape.part_size =
      std::max(ceil_div(ceil_div(shape.inputs, parts), multiple), int64_t{1}) * multiple;
  shape.parts = static_cast<int>(std::max(ceil_div(shape.inputs, shape.part_size), int64_t{1}));
}

inline int ceil_power_of_2(int64_t n) {
  int result = 1;
  while (result < n && result < kThreads) result *= 2;
  return result;
}

template <typename T, typename Op>
void launch_rows(const Op& op, const T* data, Shape shape, const Nest& kept, const Nest& reduced,
                 cudaStream_t stream) {
  using acc_t = typename Op::acc_t;
  constexpr int kSize = kPack<T>;
  // A few packs per thread; wider if the outputs are too few to fill the GPU.
  int width = ceil_power_of_2(shape.inputs / (kSize * kUnroll));
  const int64_t enough = int64_t{multiprocessor_count()} * 2 * kThreads;
  while (width < kThreads && shape.outputs * width < enough && shape.inputs / kSize >= 2 * width) {
    width *= 2;
  }
  const dim3 threads(static_cast<unsigned>(width), static_cast<unsigned>(kThreads / width));
  const int64_t blocks = ceil_div(shape.outputs, threads.y);
  choose_parts(shape, blocks, int64_t{kThreads} * kSize * kUnroll, kSize);
  const bool split = shape.parts > 1;
  Workspace partial(split ? sizeof(acc_t) * shape.outputs * shape.parts : 0);
  rows_kernel<T>
      <<<dim3(grid_size(blocks), static_cast<unsigned>(shape.parts)), threads, 0, stream>>>(
          op, data, shape, kept, reduced, reduced.is_contiguous(),
          split ? partial.get<acc_t>() : nullptr);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  if (!split) return;
  join_kernel<<<grid_size(ceil_div(shape.outputs * kWarp, kThreads)), kThreads, 0, stream>>>(
      op, partial.get<acc_t>(), shape);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
}

template <int kSize, typename T, typename Op>
void launch_columns(const Op& op, const T* data, Shape shape, const Nest& kept, const Nest& reduced,
                    cudaStream_t stream) {
  using acc_t = typename Op::acc_t;
  constexpr int kRows = kThreads / kWarp;
  const int64_t blocks = ceil_div(shape.outputs, kWarp * kSize);
  choose_parts(shape, blocks, kRows * kUnroll, 1);
  const bool split = shape.parts > 1;
  Workspace partial(split ? sizeof(acc_t) * shape.outputs * shape.parts : 0);
  columns_kernel<kSize, T>
      <<<dim3(grid_size(blocks), static_cast<unsigned>(shape.parts)), dim3(kWarp, kRows), 0,
         stream>>>(op, data, shape, kept, reduced, split ? partial.get<acc_t>() : nullptr);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  if (!split) return;
  join_kernel<<<grid_size(ceil_div(shape.outputs * kWarp, kThreads)), kThreads, 0, stream>>>(
      op, partial.get<acc_t>(), shape);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
}

// Whether packs of outputs are aligned at every offset.
template <int kSize, typename T>
bool packs_columns(const T* data, const LoopNest& kept, const LoopNest& reduced) {
  if (reinterpret_cast<uintptr_t>(data) % (sizeof(T) * kSize) != 0) return false;
  if (kept.inner_stride() != 1 || kept.inner_size() % kSize != 0) return false;
  const auto aligned = [](int64_t stride) { return stride % kSize == 0; };
  return std::all_of(kept.strides.begin(), kept.strides.end() - 1, aligned) &&
         std::all_of(reduced.strides.begin(), reduced.strides.end(), aligned);
}

}  // namespace reduce

// Reduces the dimensions in `mask` of `self`, a tensor of type T, on the current stream of its
// device. Outputs are numbered in row-major order of the dimensions that are kept.
template <typename T, typename Op>
void gpu_reduce(const TensorBase& self, DimMask mask, const Op& op) {
  static_assert(std::is_trivially_copyable_v<typename Op::acc_t>);
  const c10::cuda::CUDAGuard guard(self.device());
  const cudaStream_t stream = c10::cuda::getCurrentCUDAStream();
  const ReductionLoops loops = reduction_loops(self, mask);
  const LoopNest& kept = loops.kept;
  const LoopNest& reduced = loops.reduced;
  if (kept.numel == 0) return;

  const auto* data = static_cast<const T*>(self.const_data_ptr());
  const reduce::Shape shape{kept.numel, reduced.numel, reduced.numel, 1};
  const reduce::Nest kept_nest = reduce::device_nest(kept);
  const reduce::Nest reduced_nest = reduce::device_nest(reduced);
  constexpr int64_t kLeastColumns = 16;  // fewer would leave most of a warp idle
  const bool across = kept.numel >= kLeastColumns && reduced.numel > 1 && kept.inner_size() > 1 &&
                      kept.inner_stride() < reduced.inner_stride();
  constexpr int kSize = reduce::columns_of_a_thread<T, typename Op::acc_t>();
  if (!across) {
    reduce::launch_rows<T>(op, data, shape, kept_nest, reduced_nest, stream);
  } else if (kSize > 1 && reduce::packs_columns<kSize>(data, kept, reduced)) {
    reduce::launch_columns<kSize, T>(op, data, shape, kept_nest, reduced_nest, stream);
  } else {
    reduce::launch_columns<1, T>(op, data, shape, kept_nest, reduced_nest, stream);
  }
}

}  // namespace at::native
