// Convolutions without cuDNN: the implicit GEMM of ConvGather.cuh for any type, and the choice
// among the kernels of this folder.

#define TORCH_ASSERT_NO_OPERATORS
#include <ATen/native/ConvImplicitGemm.h>

#include <ATen/Dispatch.h>
#include <ATen/OpMathType.h>
#include <ATen/core/TensorBase.h>
#include <ATen/native/cuda/Gemm.h>
#include <c10/core/ScalarType.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAStream.h>
#include <c10/macros/Macros.h>
#include <ATen/native/cuda/ConvGather.cuh>
#include <ATen/native/cuda/LaunchUtils.cuh>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace at::native {
namespace conv {
namespace {

constexpr int kSide = 16;  // a block is kSide x kSide threads
constexpr int kThreads = kSide * kSide;
constexpr int kRows = 128;
constexpr int kColumns = 64;
constexpr int kDepth = 16;

// Stores value(depth, across) to this thread's share of tile[depth][across].
template <int kAcross, typename Acc, typename F>
C10_DEVICE void fill(Acc (&tile)[kDepth][kAcross + 1], bool along_depth, const F& value) {
#pragma unroll
  for (int i = 0; i < kAcross * kDepth / kThreads; ++i) {
    const int element = i * kThreads + threadIdx.y * kSide + threadIdx.x;
    const int depth = along_depth ? element % kDepth : element / kAcross;
    const int across = along_depth ? element / kDepth : element % kAcross;
    tile[depth][across] = value(depth, across);
  }
}

// Rows, columns and depth as in ConvTensorCores.cu.
template <typename T, typename Acc, bool kWeight>
__global__ void __launch_bounds__(kThreads)
    conv_kernel(Problem p, Operands<T> all, Parts parts, Acc* sums_of_parts) {
  constexpr int kMicroRows = kRows / kSide;
  constexpr int kMicroColumns = kColumns / kSide;
  __shared__ Acc rows[kDepth][kRows + 1];
  __shared__ Acc columns[kDepth][kColumns + 1];
  __shared__ Pixel pixels[kWeight ? kDepth : kRows];
  __shared__ Tap taps[kWeight ? kColumns : kDepth];
  __shared__ Residue residue;
  const int thread = static_cast<int>(threadIdx.y * kSide + threadIdx.x);
  const uint32_t first_row = blockIdx.x * kRows;
  const uint32_t first_column = blockIdx.y * kColumns;
  const auto dense_channels = static_cast<uint32_t>(p.dense_channels);
  const int turns = p.groups * (kWeight ? parts.count : p.residues());

  for (int turn = static_cast<int>(blockIdx.z); turn < turns; turn += static_cast<int>(gridDim.z)) {
    __syncthreads();
    if (thread == 0) residue.set(p, kWeight ? 0 : turn / p.groups);
    __syncthreads();
    const Operands<T> group = all.of(p, turn % p.groups);
    const uint32_t begin = kWeight ? turn / p.groups * parts.pixels : 0;
    const uint32_t end = kWeight ? min(residue.pixels, begin + parts.pixels) : residue.taps;
    if (!kWeight && first_row >= residue.pixels) continue;
    if constexpr (kWeight) {
      if (thread < kColumns) taps[thread] = residue.tap(p, first_column + thread);
    } else {
      if (thread < kRows) pixels[thread] = residue.pixel(p, first_row + thread, residue.pixels);
    }
    const auto gathered = [&](const Pixel& pixel, const Tap& tap) {
      return is_inside(p, pixel, tap)
                 ? static_cast<Acc>(group.gathered[pixel.gathered + tap.gathered])
                 : Acc(0);
    };

    Acc sums[kMicroRows][kMicroColumns] = {};
    for (uint32_t index = begin; index < end; index += kDepth) {
      if (thread < kDepth) {
        if constexpr (kWeight) {
          pixels[thread] = residue.pixel(p, index + thread, end);
        } else {
          taps[thread] = residue.tap(p, index + thread);
        }
      }
      __syncthreads();  // the previous tiles are consumed
      if constexpr (kWeight) {
        fill<kRows>(rows, p.dense.channel != 1, [&](int depth, int across) {
          const Pixel& pixel = pixels[depth];
          const uint32_t dense_channel = first_row + across;
          return pixel.exists() && dense_channel < dense_channels
                     ? static_cast<Acc>(group.dense[pixel.dense + dense_channel * p.dense.channel])
                     : Acc(0);
        });
        fill<kColumns>(columns, !p.channels_fastest, [&](int depth, int across) {
          return gathered(pixels[depth], taps[across]);
        });
      } else {
        fill<kRows>(rows, p.channels_fastest,
                    [&](int depth, int across) { return gathered(pixels[across], taps[depth]); });
        fill<kColumns>(columns, p.weight.batch != 1, [&](int depth, int across) {
          const Tap& tap = taps[depth];
          const uint32_t dense_channel = first_column + across;
          return tap.exists() && dense_channel < dense_channels
                     ? static_cast<Acc>(group.weight[dense_channel * p.weight.batch + tap.weight])
                     : Acc(0);
        });
      }
      __syncthreads();
#pragma unroll
      for (int depth = 0; depth < kDepth; ++depth) {
        Acc row[kMicroRows];
        Acc column[kMicroColumns];
#pragma unroll
        for (int i = 0; i < kMicroRows; ++i) row[i] = rows[depth][i * kSide + threadIdx.x];
#pragma unroll
        for (int j = 0; j < kMicroColumns; ++j) {
          column[j] = columns[depth][j * kSide + threadIdx.y];
        }
#pragma unroll
        for (int i = 0; i < kMicroRows; ++i) {
#pragma unroll
          for (int j = 0; j < kMicroColumns; ++j) sums[i][j] += row[i] * column[j];
        }
      }
    }
    __syncthreads();  // the row table is complete even if the loop did not run

#pragma unroll
    for (int i = 0; i < kMicroRows; ++i) {
      const int row = i * kSide + static_cast<int>(threadIdx.x);
#pragma unroll
      for (int j = 0; j < kMicroColumns; ++j) {
        const uint32_t column = first_column + j * kSide + threadIdx.y;
        if constexpr (kWeight) {
          const uint32_t dense_channel = first_row + row;
          if (dense_channel >= dense_channels || column >= residue.taps) continue;
          sums_of_parts[(int64_t{turn} * dense_channels + dense_channel) * residue.taps + column] =
              sums[i][j];
        } else {
          const Pixel& pixel = pixels[row];
          if (!pixel.exists() || column >= dense_channels) continue;
          const Acc bias = group.bias == nullptr ? Acc(0) : static_cast<Acc>(group.bias[column]);
          group.dense[pixel.dense + column * p.dense.channel] = static_cast<T>(sums[i][j] + bias);
        }
      }
    }
  }
}

template <typename T, typename Acc>
__global__ void __launch_bounds__(kThreads)
    add_parts_kernel(Problem p, Operands<T> all, const Acc* parts, int count) {
  Residue residue;
  residue.set(p, 0);
  const int64_t results = int64_t{p.groups} * p.dense_channels * residue.taps;
  for (int64_t i = int64_t{blockIdx.x} * kThreads + threadIdx.x; i < results;
       i += int64_t{gridDim.x} * kThreads) {
    Acc sum = 0;
    for (int part = 0; part < count; ++part) sum += parts[part * results + i];
    const int64_t dense_channel = i / residue.taps;
    const Tap tap = residue.tap(p, static_cast<uint32_t>(i % residue.taps));
    all.of(p, static_cast<int>(dense_channel / p.dense_channels))
        .weight[dense_channel % p.dense_channels * p.weight.batch + tap.weight] =
        static_cast<T>(sum);
  }
}

template <typename T>
void run_in_tiles(ConvProduct product, const Problem& p, const Tensors& t) {
  using Acc = opmath_type<T>;
  Residue residue{};
  residue.set(p, 0);  // has the most pixels
  const dim3 threads(kSide, kSide);
  const auto stream = c10::cuda::getCurrentCUDAStream();
  const auto grid = [](int64_t rows, int64_t columns, int64_t turns) {
    return dim3(grid_size(ceil_div(rows, kRows)),
                static_cast<unsigned>(ceil_div(columns, kColumns)),
                static_cast<unsigned>(std::min(turns, kMaxGridY)));
  };
  if (product != ConvProduct::BACKWARD_WEIGHT) {
    conv_kernel<T, Acc, false>
        <<<grid(residue.pixels, p.dense_channels, int64_t{p.groups} * p.residues()), threads, 0,
           stream>>>(p, t.as<T>(), Parts{}, nullptr);
    C10_CUDA_KERNEL_LAUNCH_CHECK();
    return;
  }
  const int64_t blocks =
      ceil_div(p.dense_channels, kRows) * ceil_div(residue.taps, kColumns) * p.groups;
  const Parts parts = parts_of(residue.pixels, blocks, kDepth);
  Workspace sums(sizeof(Acc) * static_cast<size_t>(parts.count) * p.groups * p.dense_channels *
                 residue.taps);
  conv_kernel<T, Acc, true><<<grid(p.dense_channels, residue.taps, int64_t{p.groups} * parts.count),
                              threads, 0, stream>>>(p, t.as<T>(), parts, sums.get<Acc>());
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  add_parts(p, t, sums.get<Acc>(), parts.count);
}

Strides strides_of(const TensorBase& t) {
  const auto stride = [&](int64_t dim) { return t.size(dim) == 1 ? 0 : t.stride(dim); };
  Strides result{stride(0), stride(1), {0, 0, 0}};
  for (int64_t d = 2; d < t.dim(); ++d) result.dims[d + 3 - t.dim()] = stride(d);
  return result;
}

Problem problem_of(ConvProduct product, const ConvGeometry& g, const TensorBase& x,
                   const TensorBase& w, const TensorBase& y) {
  const bool backward_input = product == ConvProduct::BACKWARD_INPUT;
  Problem p{};
  p.backward_input = backward_input;
  p.batch = static_cast<int>(g.batch);
  p.groups = static_cast<int>(g.groups);
  p.channels = static_cast<int>(backward_input ? g.out_channels : g.in_channels);
  p.dense_channels = static_cast<int>(backward_input ? g.in_channels : g.out_channels);
  for (size_t d = 0; d < 3; ++d) {
    p.gathered_size[d] = static_cast<int>(backward_input ? g.out[d] : g.in[d]);
    p.dense_size[d] = static_cast<int>(backward_input ? g.in[d] : g.out[d]);
    p.kernel[d] = static_cast<int>(g.kernel[d]);
    p.stride[d] = static_cast<int>(g.stride[d]);
    p.padding[d] = static_cast<int>(g.padding[d]);
    p.dilation[d] = static_cast<int>(g.dilation[d]);
  }
  p.gathered = strides_of(backward_input ? y : x);
  p.dense = strides_of(backward_input ? x : y);
  p.weight = strides_of(w);
  p.weight_group = g.out_channels * p.weight.batch;
  if (backward_input) std::swap(p.weight.batch, p.weight.channel);
  p.channels_fastest = p.gathered.channel == 1;
  return p;
}

// Whether every 32-bit index, and the sum of two, stays in range.
bool fits(const ConvGeometry& g) {
  constexpr int64_t kMost = 1 << 29;
  const auto reach = [&](size_t d) {
    return g.in[d] + 2 * g.padding[d] + g.stride[d] * 2 + g.dilation[d] * g.kernel[d];
  };
  if (reach(0) > kMost || reach(1) > kMost || reach(2) > kMost) return false;
  const int64_t most_columns = kMaxGridY * kColumns;
  const auto residues = static_cast<double>(g.stride[0]) * static_cast<double>(g.stride[1]) *
                        static_cast<double>(g.stride[2]);
  return static_cast<double>(g.groups) * (residues + kMaxGridY) < kMost &&
         g.batch * g.in_size() < kMost && g.batch * g.out_size() < kMost &&
         g.out_channels * g.kernel_size() < most_columns &&
         g.in_channels * g.kernel_size() < most_columns;
}

// A 1x1 kernel needs no gather: multiply the weight with each image, by cuBLAS if it is built in.
// Images too small to fill a tile take the implicit GEMM.
bool run_as_product(ConvProduct product, const ConvGeometry& g, const Problem& p,
                    const Tensors& t) {
  constexpr int64_t kLeast = 128;
  constexpr int64_t kMost = int64_t{1} << 21;  // most tiles in a grid
  if (!g.is_pointwise() || g.groups != 1 || product == ConvProduct::BACKWARD_WEIGHT ||
      g.out_size() < kLeast || g.out_size() > kMost) {
    return false;
  }
  // The distance between consecutive pixels, or 0 if it varies.
  const auto pixel_stride = [&](const Strides& s) {
    int64_t step = 0;
    int64_t next = 0;
    for (size_t d = 3; d-- > 0;) {
      if (g.in[d] == 1) continue;
      if (step == 0) step = next = s.dims[d];
      if (s.dims[d] != next) return int64_t{0};
      next *= g.in[d];
    }
    return step;
  };
  const int64_t gathered = pixel_stride(p.gathered);
  const int64_t dense = pixel_stride(p.dense);
  if (gathered == 0 || dense == 0) return false;
  GemmProblem gemm_problem{p.batch,
                           p.dense_channels,
                           g.out_size(),
                           p.channels,
                           {t.weight, 0, p.weight.batch, p.weight.channel},
                           {t.gathered, p.gathered.batch, p.gathered.channel, gathered},
                           {t.bias, 0, 1, 0},
                           {t.dense, p.dense.batch, p.dense.channel, dense},
                           1.0,
                           t.bias == nullptr ? 0.0 : 1.0};
  if (t.bias != nullptr || !gemm_by_library(t.dtype, gemm_problem)) gemm(t.dtype, gemm_problem);
  return true;
}

}  // namespace

Parts parts_of(int64_t pixels, int64_t blocks, int64_t multiple) {
  constexpr int64_t kBlocksEach = 4;  // per multiprocessor
  constexpr int64_t kLeastSteps = 4;
  const int64_t wanted = ceil_div(kBlocksEach * multiprocessor_count(), blocks);
  const int64_t most = ceil_div(pixels, kLeastSteps * multiple);
  const int64_t steps = ceil_div(ceil_div(pixels, multiple), std::min(wanted, most));
  return {static_cast<int>(ceil_div(pixels, steps * multiple)),
          static_cast<uint32_t>(steps * multiple)};
}

void add_parts(const Problem& p, const Tensors& t, const void* parts, int count) {
  Residue residue{};
  residue.set(p, 0);
  const unsigned blocks =
      loop_grid_size(int64_t{p.groups} * p.dense_channels * residue.taps, kThreads);
  AT_DISPATCH_FLOATING_TYPES_AND2(kHalf, kBFloat16, t.dtype, "convolution_cuda", [&] {
    using Acc = opmath_type<scalar_t>;
    add_parts_kernel<<<blocks, kThreads, 0, c10::cuda::getCurrentCUDAStream()>>>(
        p, t.as<scalar_t>(), static_cast<const Acc*>(parts), count);
    C10_CUDA_KERNEL_LAUNCH_CHECK();
  });
}

}  // namespace conv

namespace {

bool conv_implicit_gemm(ConvProduct product, const ConvGeometry& g, const TensorBase& x,
                        const TensorBase& w, const TensorBase& bias, const TensorBase& y) {
  const ScalarType dtype = x.scalar_type();
  if (!c10::isFloatingType(dtype) || !conv::fits(g)) return false;
  const bool backward_input = product == ConvProduct::BACKWARD_INPUT;
  const conv::Problem p = conv::problem_of(product, g, x, w, y);
  const conv::Tensors t{dtype, (backward_input ? y : x).mutable_data_ptr(), w.mutable_data_ptr(),
                        (backward_input ? x : y).mutable_data_ptr(),
                        bias.defined() ? bias.const_data_ptr() : nullptr};
  constexpr int64_t kFewChannels = 8;
  if (g.groups > 1 && std::min(g.in_channels, g.out_channels) < kFewChannels) {
    conv::run_directly(product, p, t);
    return true;
  }
  if (conv::run_as_product(product, g, p, t) || conv::run_on_tensor_cores(product, p, t)) {
    return true;
  }
  AT_DISPATCH_FLOATING_TYPES_AND2(kHalf, kBFloat16, dtype, "convolution_cuda",
                                  [&] { conv::run_in_tiles<scalar_t>(product, p, t); });
  return true;
}

}  // namespace

REGISTER_CUDA_DISPATCH(conv_implicit_gemm_stub, &conv_implicit_gemm)

}  // namespace at::native
