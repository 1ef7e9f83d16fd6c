// Running sums and products along a dimension.
//
// A block scans a line in chunks: each thread its own elements, then each warp its threads, then
// the block its warps. If there are only a few long lines, each is cut into parts, and a first
// kernel computes the total of each part.

#define TORCH_ASSERT_NO_OPERATORS
#include <ATen/native/ReduceOps.h>

#include <ATen/AccumulateType.h>
#include <ATen/Dispatch.h>
#include <ATen/core/TensorBase.h>
#include <c10/core/ScalarType.h>
#include <c10/macros/Macros.h>
#include <ATen/native/cuda/BlockReduce.cuh>
#include <ATen/native/cuda/BlockScan.cuh>
#include <ATen/native/cuda/LaunchUtils.cuh>

#include <algorithm>
#include <cstdint>

namespace at::native {
namespace {

constexpr int kThreads = 256;
constexpr int kWarps = kThreads / kWarp;
constexpr int kBlocksPerProcessor = 8;

// `lines` lines of n elements that are `inner` apart, in parts of part_size elements.
struct Lines {
  int64_t lines;
  int64_t n;
  int64_t inner;
  int64_t part_size;
  int parts;

  C10_DEVICE int64_t begin_of(int64_t line) const {
    return line / inner * inner * n + line % inner;
  }
};

// Writes the total of each part of a row to totals[line][part].
template <typename T, typename acc_t, typename Op>
__global__ void __launch_bounds__(kThreads)
    row_totals_kernel(const T* in, Lines lines, Op op, acc_t* totals) {
  __shared__ alignas(16) char memory[kWarps * sizeof(acc_t)];
  const int64_t line = blockIdx.x;
  const int64_t begin = static_cast<int64_t>(blockIdx.y) * lines.part_size;
  const int64_t end = min(begin + lines.part_size, lines.n);
  acc_t acc = Op::template identity<acc_t>();
  for (int64_t i = begin + threadIdx.x; i < end; i += kThreads) {
    acc = op(acc, static_cast<acc_t>(in[line * lines.n + i]));
  }
  acc = block_reduce(acc, op, reinterpret_cast<acc_t*>(memory));
  if (threadIdx.x == 0) totals[line * lines.parts + blockIdx.y] = acc;
}

// Scans rows; each thread takes kSize elements at a time.
template <int kSize, typename T, typename acc_t, typename Op>
__global__ void __launch_bounds__(kThreads)
    row_scan_kernel(T* out, const T* in, Lines lines, Op op, const acc_t* totals) {
  __shared__ alignas(16) char memory[kWarps * sizeof(acc_t)];
  auto* shared = reinterpret_cast<acc_t*>(memory);
  const int64_t line = blockIdx.x;
  const int64_t begin = static_cast<int64_t>(blockIdx.y) * lines.part_size;
  const int64_t end = min(begin + lines.part_size, lines.n);
  const T* from = in + line * lines.n;
  T* to = out + line * lines.n;

  acc_t carry = Op::template identity<acc_t>();
  if (totals != nullptr) {
    for (int part = static_cast<int>(threadIdx.x); part < static_cast<int>(blockIdx.y);
         part += kThreads) {
      carry = op(carry, totals[line * lines.parts + part]);
    }
    carry = block_reduce(carry, op, shared);
  }
  for (int64_t chunk = begin; chunk < end; chunk += kThreads * kSize) {
    const int64_t i = chunk + threadIdx.x * kSize;
    acc_t values[kSize];
    if (i < end) {
      const auto loaded = *reinterpret_cast<const Pack<T, kSize>*>(from + i);
      values[0] = static_cast<acc_t>(loaded.at[0]);
#pragma unroll
      for (int k = 1; k < kSize; ++k) {
        values[k] = op(values[k - 1], static_cast<acc_t>(loaded.at[k]));
      }
    } else {
#pragma unroll
      for (int k = 0; k < kSize; ++k) values[k] = Op::template identity<acc_t>();
    }
    const BlockScan<acc_t> scan = block_scan<kThreads>(values[kSize - 1], op, shared);
    const acc_t before = op(carry, scan.before);
    if (i < end) {
      Pack<T, kSize> result;
#pragma unroll
      for (int k = 0; k < kSize; ++k) result.at[k] = static_cast<T>(op(before, values[k]));
      *reinterpret_cast<Pack<T, kSize>*>(to + i) = result;
    }
    carry = op(carry, scan.total);
  }
}

// Writes totals[part][line] of strided lines, with one thread per line.
template <typename T, typename acc_t, typename Op>
__global__ void __launch_bounds__(kThreads)
    across_totals_kernel(const T* in, Lines lines, Op op, acc_t* totals) {
  const int64_t line = static_cast<int64_t>(blockIdx.x) * kThreads + threadIdx.x;
  if (line >= lines.lines) return;
  const T* from = in + lines.begin_of(line);
  const int64_t begin = static_cast<int64_t>(blockIdx.y) * lines.part_size;
  const int64_t end = min(begin + lines.part_size, lines.n);
  acc_t acc = Op::template identity<acc_t>();
#pragma unroll 4
  for (int64_t i = begin; i < end; ++i) acc = op(acc, static_cast<acc_t>(from[i * lines.inner]));
  totals[blockIdx.y * lines.lines + line] = acc;
}

template <typename T, typename acc_t, typename Op>
__global__ void __launch_bounds__(kThreads)
    across_scan_kernel(T* out, const T* in, Lines lines, Op op, const acc_t* totals) {
  const int64_t line = static_cast<int64_t>(blockIdx.x) * kThreads + threadIdx.x;
  if (line >= lines.lines) return;
  const int64_t base = lines.begin_of(line);
  const int64_t begin = static_cast<int64_t>(blockIdx.y) * lines.part_size;
  const int64_t end = min(begin + lines.part_size, lines.n);
  acc_t acc = Op::template identity<acc_t>();
  if (totals != nullptr) {
#pragma unroll 4
    for (int part = 0; part < static_cast<int>(blockIdx.y); ++part) {
      acc = op(acc, totals[part * lines.lines + line]);
    }
  }
#pragma unroll 4
  for (int64_t i = begin; i < end; ++i) {
    acc = op(acc, static_cast<acc_t>(in[base + i * lines.inner]));
    out[base + i * lines.inner] = static_cast<T>(acc);
  }
}

// Chooses the number of parts per line, given `blocks` blocks for each part.
void choose_parts(Lines& lines, int64_t blocks, int64_t least_part) {
  const int64_t wanted = int64_t{multiprocessor_count()} * kBlocksPerProcessor;
  const int64_t parts =
      blocks >= wanted / 2
          ? 1
          : std::clamp<int64_t>(std::min(wanted / blocks, lines.n / least_part), 1, kThreads * 4);
  lines.part_size = ceil_div(ceil_div(lines.n, parts), kThreads) * kThreads;
  lines.parts = static_cast<int>(ceil_div(lines.n, lines.part_size));
}

template <typename T, typename Op>
void scan(T* out, const T* in, Lines lines, const Op& op, cudaStream_t stream) {
  using acc_t = at::acc_type<T, /*is_cuda=*/true>;
  constexpr int kSize = kPack<T>;
  const bool rows = lines.inner == 1;
  const int64_t blocks = rows ? lines.lines : ceil_div(lines.lines, kThreads);
  choose_parts(lines, blocks, rows ? int64_t{kThreads} * kSize * 4 : kThreads);
  const dim3 grid(grid_size(blocks), static_cast<unsigned>(lines.parts));
  const bool split = lines.parts > 1;
  Workspace totals(split ? sizeof(acc_t) * static_cast<size_t>(lines.lines * lines.parts) : 0);
  acc_t* const sums = split ? totals.get<acc_t>() : nullptr;
  if (split) {
    if (rows) {
      row_totals_kernel<<<grid, kThreads, 0, stream>>>(in, lines, op, sums);
    } else {
      across_totals_kernel<<<grid, kThreads, 0, stream>>>(in, lines, op, sums);
    }
    C10_CUDA_KERNEL_LAUNCH_CHECK();
  }
  if (!rows) {
    across_scan_kernel<<<grid, kThreads, 0, stream>>>(out, in, lines, op, sums);
  } else if (lines.n % kSize == 0 && is_packable(in) && is_packable(out)) {
    row_scan_kernel<kSize><<<grid, kThreads, 0, stream>>>(out, in, lines, op, sums);
  } else {
    row_scan_kernel<1><<<grid, kThreads, 0, stream>>>(out, in, lines, op, sums);
  }
  C10_CUDA_KERNEL_LAUNCH_CHECK();
}

template <typename Op>
void scan_cuda(const char* name, const TensorBase& out, const TensorBase& self, int64_t dim) {
  if (self.numel() == 0) return;
  check_same_gpu(name, {&self, &out});
  const c10::cuda::CUDAGuard guard(self.device());
  const cudaStream_t stream = c10::cuda::getCurrentCUDAStream();
  Lines lines{};
  lines.n = self.size(dim);
  lines.inner = 1;
  for (int64_t d = dim + 1; d < self.dim(); ++d) lines.inner *= self.size(d);
  lines.lines = self.numel() / lines.n;
  AT_DISPATCH_ALL_TYPES_AND_COMPLEX_AND2(kHalf, kBFloat16, self.scalar_type(), name, [&] {
    scan(static_cast<scalar_t*>(out.mutable_data_ptr()),
         static_cast<const scalar_t*>(self.const_data_ptr()), lines, Op(), stream);
  });
}

void cumsum_kernel_cuda(const TensorBase& out, const TensorBase& self, int64_t dim) {
  scan_cuda<Sum>("cumsum_cuda", out, self, dim);
}

void cumprod_kernel_cuda(const TensorBase& out, const TensorBase& self, int64_t dim) {
  scan_cuda<Product>("cumprod_cuda", out, self, dim);
}

}  // namespace

REGISTER_CUDA_DISPATCH(cumsum_stub, &cumsum_kernel_cuda)
REGISTER_CUDA_DISPATCH(cumprod_stub, &cumprod_kernel_cuda)

}  // namespace at::native
