// Convolutions of groups of few channels, such as depthwise ones: one thread for each result, or
// one block for some taps of a weight's gradient. Names are those of ConvGather.cuh.

#define TORCH_ASSERT_NO_OPERATORS
#include <ATen/Dispatch.h>
#include <ATen/OpMathType.h>
#include <c10/core/ScalarType.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAStream.h>
#include <c10/macros/Macros.h>
#include <ATen/native/cuda/BlockReduce.cuh>
#include <ATen/native/cuda/ConvGather.cuh>
#include <ATen/native/cuda/LaunchUtils.cuh>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace at::native::conv {
namespace {

constexpr int kThreads = 256;
constexpr int kTaps = 9;  // of one block, a kernel of 3 x 3

// blockIdx.y counts residues, blockIdx.x ranges of the results of one. Neighbouring threads write
// neighbouring elements.
template <typename T, typename Acc>
__global__ void __launch_bounds__(kThreads) image_kernel(Problem p, Operands<T> all) {
  __shared__ Residue residue;
  for (int turn = static_cast<int>(blockIdx.y); turn < p.residues();
       turn += static_cast<int>(gridDim.y)) {
    __syncthreads();
    if (threadIdx.x == 0) residue.set(p, turn);
    __syncthreads();
    const int64_t channels = int64_t{p.groups} * p.dense_channels;
    const int64_t i = int64_t{blockIdx.x} * kThreads + threadIdx.x;
    if (i >= channels * residue.pixels) continue;
    const bool channels_fastest = p.dense.channel == 1;
    const int64_t channel = channels_fastest ? i % channels : i / residue.pixels;
    const int64_t index = channels_fastest ? i / channels : i % residue.pixels;
    const int dense_channel = static_cast<int>(channel % p.dense_channels);
    const Operands<T> group = all.of(p, static_cast<int>(channel / p.dense_channels));
    const Pixel pixel = residue.pixel(p, static_cast<uint32_t>(index), residue.pixels);
    const T* weight = group.weight + dense_channel * p.weight.batch;
    Acc sum = group.bias == nullptr ? Acc(0) : static_cast<Acc>(group.bias[dense_channel]);
    for (uint32_t t = 0; t < residue.taps; t += residue.axes[2].taps) {
      // One row of the kernel.
      Tap tap = residue.tap(p, t);
      for (int k = 0; k < residue.axes[2].taps; ++k) {
        if (is_inside(p, pixel, tap)) {
          sum += static_cast<Acc>(group.gathered[pixel.gathered + tap.gathered]) *
                 static_cast<Acc>(weight[tap.weight]);
        }
        tap.by[2] += residue.axes[2].tap_step;
        tap.gathered += residue.axes[2].tap_step * p.gathered.dims[2];
        tap.weight += residue.axes[2].first_step * p.weight.dims[2];
      }
    }
    group.dense[pixel.dense + dense_channel * p.dense.channel] = static_cast<T>(sum);
  }
}

// blockIdx.x counts groups of kTaps taps of one channel of the dense image, blockIdx.y parts of the
// pixels.
template <typename T, typename Acc>
__global__ void __launch_bounds__(kThreads)
    weight_kernel(Problem p, Operands<T> all, Parts parts, Acc* sums_of_parts) {
  __shared__ Residue residue;
  __shared__ Tap taps[kTaps];
  __shared__ Acc shared[kThreads / kWarp];
  if (threadIdx.x == 0) residue.set(p, 0);
  __syncthreads();
  const uint32_t chunks = (residue.taps + kTaps - 1) / kTaps;
  const uint32_t first = blockIdx.x % chunks * kTaps;
  const int64_t channel = blockIdx.x / chunks;
  const int dense_channel = static_cast<int>(channel % p.dense_channels);
  const Operands<T> group = all.of(p, static_cast<int>(channel / p.dense_channels));
  if (threadIdx.x < kTaps) taps[threadIdx.x] = residue.tap(p, first + threadIdx.x);
  __syncthreads();

  for (int part = static_cast<int>(blockIdx.y); part < parts.count;
       part += static_cast<int>(gridDim.y)) {
    const uint32_t begin = part * parts.pixels;
    const uint32_t end = min(residue.pixels, begin + parts.pixels);
    Acc sums[kTaps] = {};
    for (uint32_t i = begin + threadIdx.x; i < end; i += kThreads) {
      const Pixel pixel = residue.pixel(p, i, end);
      const Acc dense =
          static_cast<Acc>(group.dense[pixel.dense + dense_channel * p.dense.channel]);
#pragma unroll
      for (int t = 0; t < kTaps; ++t) {
        const Tap& tap = taps[t];
        if (is_inside(p, pixel, tap)) {
          sums[t] += dense * static_cast<Acc>(group.gathered[pixel.gathered + tap.gathered]);
        }
      }
    }
    Acc* results = sums_of_parts +
                   (int64_t{part} * p.groups * p.dense_channels + channel) * residue.taps + first;
#pragma unroll
    for (int t = 0; t < kTaps; ++t) {
      const Acc sum = block_reduce(sums[t], Add{}, shared);
      if (threadIdx.x == 0 && first + t < residue.taps) results[t] = sum;
    }
  }
}

}  // namespace

void run_directly(ConvProduct product, const Problem& problem, const Tensors& t) {
  Problem p = problem;
  p.channels_fastest = false;  // the taps of a kernel's row are consecutive
  Residue residue{};
  residue.set(p, 0);  // the one with most pixels
  const int64_t channels = int64_t{p.groups} * p.dense_channels;
  const auto stream = c10::cuda::getCurrentCUDAStream();
  AT_DISPATCH_FLOATING_TYPES_AND2(kHalf, kBFloat16, t.dtype, "convolution_cuda", [&] {
    using Acc = opmath_type<scalar_t>;
    if (product != ConvProduct::BACKWARD_WEIGHT) {
      const dim3 grid(grid_size(ceil_div(channels * residue.pixels, kThreads)),
                      static_cast<unsigned>(std::min<int64_t>(p.residues(), kMaxGridY)));
      image_kernel<scalar_t, Acc><<<grid, kThreads, 0, stream>>>(p, t.as<scalar_t>());
      C10_CUDA_KERNEL_LAUNCH_CHECK();
      return;
    }
    const int64_t blocks = channels * ceil_div(residue.taps, kTaps);
    const Parts parts = parts_of(residue.pixels, blocks, kThreads);
    Workspace sums(sizeof(Acc) * static_cast<size_t>(parts.count) * channels * residue.taps);
    const dim3 grid(grid_size(blocks),
                    static_cast<unsigned>(std::min<int64_t>(parts.count, kMaxGridY)));
    weight_kernel<scalar_t, Acc>
        <<<grid, kThreads, 0, stream>>>(p, t.as<scalar_t>(), parts, sums.get<Acc>());
    C10_CUDA_KERNEL_LAUNCH_CHECK();
    add_parts(p, t, sums.get<Acc>(), parts.count);
  });
}

}  // namespace at::native::conv
