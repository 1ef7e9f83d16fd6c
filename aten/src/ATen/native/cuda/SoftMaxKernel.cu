// softmax and log_softmax, forwards and backwards.
//
// A contiguous line that fits into registers is read once. A longer or a strided line is read
// twice: the first pass keeps a running maximum and the sum relative to it (M. Milakov and N.
// Gimelshein, "Online normalizer calculation for softmax", arXiv:1805.02867).

#define TORCH_ASSERT_NO_OPERATORS
#include <ATen/native/SoftMax.h>

#include <ATen/Dispatch.h>
#include <ATen/OpMathType.h>
#include <ATen/core/TensorBase.h>
#include <c10/core/ScalarType.h>
#include <c10/macros/Macros.h>
#include <ATen/native/cuda/LaunchUtils.cuh>
#include <ATen/native/cuda/RowTile.cuh>

#include <cstdint>
#include <limits>

namespace at::native {
namespace {

constexpr int kLineThreads = 512;   // per long line
constexpr int kAcrossColumns = 32;  // neighbouring lines of a block
constexpr int kAcrossRows = 8;      // threads per line

// The maximum of the elements so far, and the sum of exp(x - maximum).
template <typename T>
struct Online {
  T max = -std::numeric_limits<T>::infinity();
  T sum = 0;

  C10_DEVICE void add(T x) {
    if (x > max) {
      sum *= ::exp(max - x);
      max = x;
    }
    // -inf - -inf is NaN; exp(-inf) adds nothing.
    if (!(x == max && x == -std::numeric_limits<T>::infinity())) sum += ::exp(x - max);
  }
};

struct JoinOnline {
  template <typename T>
  C10_DEVICE Online<T> operator()(const Online<T>& a, const Online<T>& b) const {
    Online<T> result;
    result.max = a.max > b.max ? a.max : b.max;
    result.sum = a.sum * (a.max == result.max ? T(1) : ::exp(a.max - result.max)) +
                 b.sum * (b.max == result.max ? T(1) : ::exp(b.max - result.max));
    return result;
  }
};

// Computes exp(x - max) / sum, or x - max - log(sum).
template <bool kLog, typename T>
struct Epilogue {
  T max;
  T factor;  // 1 / sum, or log(sum)

  C10_DEVICE Epilogue(T max_of_line, T sum)
      : max(max_of_line), factor(kLog ? ::log(sum) : T(1) / sum) {}
  C10_DEVICE T operator()(T x) const { return kLog ? x - max - factor : ::exp(x - max) * factor; }
};

// ---- forwards

template <bool kLog, int kSize, typename T>
__global__ void __launch_bounds__(kTileThreads)
    softmax_tile_kernel(T* out, const T* in, int64_t rows, int n) {
  using acc_t = opmath_type<T>;
  __shared__ acc_t shared[kTileWarps];
  const int64_t row = tile_row();
  const bool there = row < rows;
  const int length = there ? n : 0;

  RowTile<T, kSize> tile;
  tile.load(in + row * n, length);
  acc_t max = -std::numeric_limits<acc_t>::infinity();
  tile.for_each(length, [&](int, int p, int k) {
    max = Max()(max, static_cast<acc_t>(tile.packs[p].at[k]));
  });
  max = row_reduce(max, Max(), shared);
  acc_t sum = 0;
  tile.for_each(length, [&](int, int p, int k) {
    sum += ::exp(static_cast<acc_t>(tile.packs[p].at[k]) - max);
  });
  sum = row_reduce(sum, Add(), shared);
  const Epilogue<kLog, acc_t> epilogue(max, sum);
  tile.for_each(length, [&](int, int p, int k) {
    T& x = tile.packs[p].at[k];
    x = static_cast<T>(epilogue(static_cast<acc_t>(x)));
  });
  tile.store(out + row * n, length);
}

// One block per line.
template <bool kLog, int kSize, typename T>
__global__ void __launch_bounds__(kLineThreads)
    softmax_line_kernel(T* out, const T* in, int64_t n) {
  using acc_t = opmath_type<T>;
  using Packed = Pack<T, kSize>;
  __shared__ alignas(16) char memory[kLineThreads / kWarp * sizeof(Online<acc_t>)];
  const auto* from = reinterpret_cast<const Packed*>(in + blockIdx.x * n);
  auto* to = reinterpret_cast<Packed*>(out + blockIdx.x * n);
  const int64_t packs = n / kSize;

  Online<acc_t> line;
  for (int64_t i = threadIdx.x; i < packs; i += kLineThreads) {
    const Packed x = from[i];
#pragma unroll
    for (int k = 0; k < kSize; ++k) line.add(static_cast<acc_t>(x.at[k]));
  }
  line = block_reduce(line, JoinOnline(), reinterpret_cast<Online<acc_t>*>(memory));
  const Epilogue<kLog, acc_t> epilogue(line.max, line.sum);
  for (int64_t i = threadIdx.x; i < packs; i += kLineThreads) {
    Packed x = from[i];
#pragma unroll
    for (int k = 0; k < kSize; ++k) {
      x.at[k] = static_cast<T>(epilogue(static_cast<acc_t>(x.at[k])));
    }
    to[i] = x;
  }
}

// The strided line of a thread: its column and its first element.
struct AcrossLine {
  bool there;
  int64_t begin;
};

C10_DEVICE AcrossLine across_line(int64_t lines, int64_t n, int64_t inner) {
  const int64_t line = static_cast<int64_t>(blockIdx.x) * kAcrossColumns + threadIdx.x;
  return {line < lines, line / inner * inner * n + line % inner};
}

// Combines the values of each column of threads.
template <typename T, typename Combine>
C10_DEVICE T reduce_across(T value, const Combine& combine) {
  __shared__ alignas(16) char memory[kAcrossRows * kAcrossColumns * sizeof(T)];
  auto* shared = reinterpret_cast<T(*)[kAcrossColumns]>(memory);
  shared[threadIdx.y][threadIdx.x] = value;
  __syncthreads();
  value = shared[0][threadIdx.x];
#pragma unroll
  for (int i = 1; i < kAcrossRows; ++i) value = combine(value, shared[i][threadIdx.x]);
  return value;
}

// Strided lines: elements are `inner` apart, and neighbouring threads have neighbouring lines.
template <bool kLog, typename T>
__global__ void __launch_bounds__(kAcrossColumns* kAcrossRows)
    softmax_across_kernel(T* out, const T* in, int64_t lines, int64_t n, int64_t inner) {
  using acc_t = opmath_type<T>;
  const AcrossLine mine = across_line(lines, n, inner);
  const int64_t length = mine.there ? n : 0;
  Online<acc_t> line;
  for (int64_t i = threadIdx.y; i < length; i += kAcrossRows) {
    line.add(static_cast<acc_t>(in[mine.begin + i * inner]));
  }
  line = reduce_across(line, JoinOnline());
  const Epilogue<kLog, acc_t> epilogue(line.max, line.sum);
  for (int64_t i = threadIdx.y; i < length; i += kAcrossRows) {
    const int64_t at = mine.begin + i * inner;
    out[at] = static_cast<T>(epilogue(static_cast<acc_t>(in[at])));
  }
}

// ---- backwards

// The term that is summed over a line, and the gradient given that sum.
template <bool kLog, typename T>
struct Gradient {
  C10_DEVICE static T term(T grad, T y) { return kLog ? grad : grad * y; }
  C10_DEVICE static T result(T grad, T y, T sum) {
    return kLog ? grad - ::exp(y) * sum : (grad - sum) * y;
  }
};

template <bool kLog, int kSize, typename T>
__global__ void __launch_bounds__(kTileThreads)
    softmax_backward_tile_kernel(T* out, const T* grad, const T* y, int64_t rows, int n) {
  using acc_t = opmath_type<T>;
  using G = Gradient<kLog, acc_t>;
  __shared__ acc_t shared[kTileWarps];
  const int64_t row = tile_row();
  const int length = row < rows ? n : 0;
  RowTile<T, kSize> grads;
  RowTile<T, kSize> ys;
  grads.load(grad + row * n, length);
  ys.load(y + row * n, length);
  acc_t sum = 0;
  grads.for_each(length, [&](int, int p, int k) {
    sum += G::term(static_cast<acc_t>(grads.packs[p].at[k]), static_cast<acc_t>(ys.packs[p].at[k]));
  });
  sum = row_reduce(sum, Add(), shared);
  grads.for_each(length, [&](int, int p, int k) {
    T& g = grads.packs[p].at[k];
    g = static_cast<T>(
        G::result(static_cast<acc_t>(g), static_cast<acc_t>(ys.packs[p].at[k]), sum));
  });
  grads.store(out + row * n, length);
}

template <bool kLog, int kSize, typename T>
__global__ void __launch_bounds__(kLineThreads)
    softmax_backward_line_kernel(T* out, const T* grad, const T* y, int64_t n) {
  using acc_t = opmath_type<T>;
  using G = Gradient<kLog, acc_t>;
  using Packed = Pack<T, kSize>;
  __shared__ acc_t shared[kLineThreads / kWarp];
  const int64_t begin = blockIdx.x * n;
  const auto* grads = reinterpret_cast<const Packed*>(grad + begin);
  const auto* ys = reinterpret_cast<const Packed*>(y + begin);
  auto* to = reinterpret_cast<Packed*>(out + begin);
  const int64_t packs = n / kSize;
  acc_t sum = 0;
  for (int64_t i = threadIdx.x; i < packs; i += kLineThreads) {
    const Packed g = grads[i];
    const Packed r = ys[i];
#pragma unroll
    for (int k = 0; k < kSize; ++k) {
      sum += G::term(static_cast<acc_t>(g.at[k]), static_cast<acc_t>(r.at[k]));
    }
  }
  sum = block_reduce(sum, Add(), shared);
  for (int64_t i = threadIdx.x; i < packs; i += kLineThreads) {
    Packed g = grads[i];
    const Packed r = ys[i];
#pragma unroll
    for (int k = 0; k < kSize; ++k) {
      g.at[k] =
          static_cast<T>(G::result(static_cast<acc_t>(g.at[k]), static_cast<acc_t>(r.at[k]), sum));
    }
    to[i] = g;
  }
}

template <bool kLog, typename T>
__global__ void __launch_bounds__(kAcrossColumns* kAcrossRows)
    softmax_backward_across_kernel(T* out, const T* grad, const T* y, int64_t lines, int64_t n,
                                   int64_t inner) {
  using acc_t = opmath_type<T>;
  using G = Gradient<kLog, acc_t>;
  const AcrossLine mine = across_line(lines, n, inner);
  const int64_t length = mine.there ? n : 0;
  acc_t sum = 0;
  for (int64_t i = threadIdx.y; i < length; i += kAcrossRows) {
    const int64_t at = mine.begin + i * inner;
    sum += G::term(static_cast<acc_t>(grad[at]), static_cast<acc_t>(y[at]));
  }
  sum = reduce_across(sum, Add());
  for (int64_t i = threadIdx.y; i < length; i += kAcrossRows) {
    const int64_t at = mine.begin + i * inner;
    out[at] =
        static_cast<T>(G::result(static_cast<acc_t>(grad[at]), static_cast<acc_t>(y[at]), sum));
  }
}

// ---- choice of the kernel

template <bool kLog, int kSize, typename T>
void launch_rows(T* out, const T* in, int64_t rows, int64_t n, cudaStream_t stream) {
  if (n <= kLongestTile<kSize>) {
    const TileLaunch launch = tile_launch(rows, n, kSize);
    softmax_tile_kernel<kLog, kSize>
        <<<launch.blocks, launch.threads, 0, stream>>>(out, in, rows, static_cast<int>(n));
  } else {
    softmax_line_kernel<kLog, kSize><<<grid_size(rows), kLineThreads, 0, stream>>>(out, in, n);
  }
}

template <bool kLog, int kSize, typename T>
void launch_backward_rows(T* out, const T* grad, const T* y, int64_t rows, int64_t n,
                          cudaStream_t stream) {
  if (n <= kLongestTile<kSize>) {
    const TileLaunch launch = tile_launch(rows, n, kSize);
    softmax_backward_tile_kernel<kLog, kSize>
        <<<launch.blocks, launch.threads, 0, stream>>>(out, grad, y, rows, static_cast<int>(n));
  } else {
    softmax_backward_line_kernel<kLog, kSize>
        <<<grid_size(rows), kLineThreads, 0, stream>>>(out, grad, y, n);
  }
}

const dim3 kAcrossThreads(kAcrossColumns, kAcrossRows);

template <bool kLog>
void softmax_cuda(const char* name, const TensorBase& output, const TensorBase& input,
                  int64_t dim) {
  check_same_gpu(name, {&input, &output});
  const c10::cuda::CUDAGuard guard(input.device());
  const cudaStream_t stream = c10::cuda::getCurrentCUDAStream();
  const int64_t n = input.size(dim);
  const int64_t inner = input.stride(dim);
  const int64_t lines = input.numel() / n;
  AT_DISPATCH_FLOATING_TYPES_AND2(kBFloat16, kHalf, input.scalar_type(), name, [&] {
    const auto* in = static_cast<const scalar_t*>(input.const_data_ptr());
    auto* out = static_cast<scalar_t*>(output.mutable_data_ptr());
    constexpr int kSize = kPack<scalar_t>;
    if (inner != 1) {
      softmax_across_kernel<kLog>
          <<<grid_size(ceil_div(lines, kAcrossColumns)), kAcrossThreads, 0, stream>>>(
              out, in, lines, n, inner);
    } else if (n % kSize == 0 && is_packable(in) && is_packable(out)) {
      launch_rows<kLog, kSize>(out, in, lines, n, stream);
    } else {
      launch_rows<kLog, 1>(out, in, lines, n, stream);
    }
    C10_CUDA_KERNEL_LAUNCH_CHECK();
  });
}

template <bool kLog>
void softmax_backward_cuda(const char* name, const TensorBase& grad_input, const TensorBase& grad,
                           const TensorBase& output, int64_t dim) {
  check_same_gpu(name, {&grad, &output, &grad_input});
  const c10::cuda::CUDAGuard guard(grad.device());
  const cudaStream_t stream = c10::cuda::getCurrentCUDAStream();
  const int64_t n = grad.size(dim);
  const int64_t inner = grad.stride(dim);
  const int64_t lines = grad.numel() / n;
  AT_DISPATCH_FLOATING_TYPES_AND2(kBFloat16, kHalf, grad.scalar_type(), name, [&] {
    const auto* g = static_cast<const scalar_t*>(grad.const_data_ptr());
    const auto* y = static_cast<const scalar_t*>(output.const_data_ptr());
    auto* out = static_cast<scalar_t*>(grad_input.mutable_data_ptr());
    constexpr int kSize = kPack<scalar_t>;
    if (inner != 1) {
      softmax_backward_across_kernel<kLog>
          <<<grid_size(ceil_div(lines, kAcrossColumns)), kAcrossThreads, 0, stream>>>(
              out, g, y, lines, n, inner);
    } else if (n % kSize == 0 && is_packable(g) && is_packable(y) && is_packable(out)) {
      launch_backward_rows<kLog, kSize>(out, g, y, lines, n, stream);
    } else {
      launch_backward_rows<kLog, 1>(out, g, y, lines, n, stream);
    }
    C10_CUDA_KERNEL_LAUNCH_CHECK();
  });
}

void softmax_kernel_cuda(const TensorBase& output, const TensorBase& input, int64_t dim) {
  softmax_cuda<false>("softmax", output, input, dim);
}

void log_softmax_kernel_cuda(const TensorBase& output, const TensorBase& input, int64_t dim) {
  softmax_cuda<true>("log_softmax", output, input, dim);
}

void softmax_backward_kernel_cuda(const TensorBase& grad_input, const TensorBase& grad,
                                  const TensorBase& output, int64_t dim) {
  softmax_backward_cuda<false>("softmax_backward", grad_input, grad, output, dim);
}

void log_softmax_backward_kernel_cuda(const TensorBase& grad_input, const TensorBase& grad,
                                      const TensorBase& output, int64_t dim) {
  softmax_backward_cuda<true>("log_softmax_backward", grad_input, grad, output, dim);
}

}  // namespace

REGISTER_CUDA_DISPATCH(softmax_kernel, &softmax_kernel_cuda)
REGISTER_CUDA_DISPATCH(log_softmax_kernel, &log_softmax_kernel_cuda)
REGISTER_CUDA_DISPATCH(softmax_backward_kernel, &softmax_backward_kernel_cuda)
REGISTER_CUDA_DISPATCH(log_softmax_backward_kernel, &log_softmax_backward_kernel_cuda)

}  // namespace at::native
