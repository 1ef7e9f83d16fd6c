// Maxima and means over windows.

#define TORCH_ASSERT_NO_OPERATORS
#include <ATen/native/Pool.h>

#include <ATen/Dispatch.h>
#include <ATen/OpMathType.h>
#include <c10/core/ScalarType.h>
#include <c10/macros/Macros.h>
#include <c10/util/Exception.h>
#include <ATen/native/cuda/LaunchUtils.cuh>

#include <cstdint>
#include <limits>
#include <type_traits>

namespace at::native {
namespace {

constexpr int kThreads = 256;

// One dimension of a pooling in 32 bits.
struct Axis {
  int in, out, kernel, stride, padding, dilation;

  C10_DEVICE int begin_of(int i) const { return static_cast<int>(adaptive_begin(i, out, in)); }
  C10_DEVICE int end_of(int i) const { return static_cast<int>(adaptive_end(i, out, in)); }
};

struct Geometry {
  Axis axes[3];

  explicit Geometry(const PoolGeometry& g) {
    for (size_t d = 0; d < 3; ++d) {
      TORCH_CHECK(g.in_size() <= std::numeric_limits<int32_t>::max(),
                  "pooling on a GPU takes volumes of up to ", std::numeric_limits<int32_t>::max(),
                  " elements, but got ", g.in_size());
      axes[d] = {static_cast<int>(g.in[d]),      static_cast<int>(g.out[d]),
                 static_cast<int>(g.kernel[d]),  static_cast<int>(g.stride[d]),
                 static_cast<int>(g.padding[d]), static_cast<int>(g.dilation[d])};
    }
  }
  C10_DEVICE int in_size() const { return axes[0].in * axes[1].in * axes[2].in; }
  C10_DEVICE int out_size() const { return axes[0].out * axes[1].out * axes[2].out; }
};

// ---- maxima

// First and last element (exclusive) of a window, and the step between its elements.
struct Window {
  int begin, end, step;

  C10_DEVICE Window(const Axis& a, bool adaptive, int i) {
    if (adaptive) {
      begin = a.begin_of(i);
      end = a.end_of(i);
      step = 1;
      return;
    }
    step = a.dilation;
    begin = i * a.stride - a.padding;
    end = min(begin + (a.kernel - 1) * step + 1, a.in);
    if (begin < 0) begin += (-begin + step - 1) / step * step;
  }
};

template <typename T>
C10_DEVICE T lowest() {
  if constexpr (std::is_integral_v<T>) {
    return std::numeric_limits<T>::lowest();
  } else {
    return -std::numeric_limits<T>::infinity();
  }
}

// A thread an output. NaN counts as the greatest.
template <typename T>
__global__ void __launch_bounds__(kThreads)
    max_pool_kernel(Geometry g, bool adaptive, int64_t count, const T* x, T* y, int64_t* indices) {
  const int64_t o = static_cast<int64_t>(blockIdx.x) * kThreads + threadIdx.x;
  if (o >= count) return;
  const int place_out = static_cast<int>(o % g.out_size());
  const T* in = x + o / g.out_size() * g.in_size();
  const Window depths(g.axes[0], adaptive, place_out / (g.axes[1].out * g.axes[2].out));
  const Window rows(g.axes[1], adaptive, place_out / g.axes[2].out % g.axes[1].out);
  const Window columns(g.axes[2], adaptive, place_out % g.axes[2].out);
  T best = lowest<T>();
  int place = (depths.begin * g.axes[1].in + rows.begin) * g.axes[2].in + columns.begin;
  for (int d = depths.begin; d < depths.end; d += depths.step) {
    for (int h = rows.begin; h < rows.end; h += rows.step) {
      const int row = (d * g.axes[1].in + h) * g.axes[2].in;
      for (int w = columns.begin; w < columns.end; w += columns.step) {
        const T value = in[row + w];
        if (value > best || value != value) {
          best = value;
          place = row + w;
        }
      }
    }
  }
  y[o] = best;
  indices[o] = place;
}

// ---- means

// The elements of one window along one dimension, and how many it has with its padding.
struct Span {
  int begin, end, padded;

  C10_DEVICE Span(const Axis& a, bool adaptive, int i) {
    if (adaptive) {
      begin = a.begin_of(i);
      end = a.end_of(i);
      padded = end - begin;
      return;
    }
    const int first = i * a.stride - a.padding;
    const int last = min(first + a.kernel, a.in + a.padding);
    padded = last - first;
    begin = max(first, 0);
    end = min(last, a.in);
  }
  C10_DEVICE int size() const { return max(end - begin, 0); }
};

C10_DEVICE int64_t divisor_of(const AveragePool& pool, const Span& d, const Span& h,
                              const Span& w) {
  if (pool.divisor != 0) return pool.divisor;
  return pool.count_include_pad ? int64_t{d.padded} * h.padded * w.padded
                                : int64_t{d.size()} * h.size() * w.size();
}

template <typename T>
__global__ void __launch_bounds__(kThreads)
    average_pool_kernel(Geometry g, AveragePool pool, int64_t count, const T* x, T* y) {
  using acc_t = opmath_type<T>;
  const int64_t o = static_cast<int64_t>(blockIdx.x) * kThreads + threadIdx.x;
  if (o >= count) return;
  const int place = static_cast<int>(o % g.out_size());
  const T* in = x + o / g.out_size() * g.in_size();
  const Span depths(g.axes[0], pool.adaptive, place / (g.axes[1].out * g.axes[2].out));
  const Span rows(g.axes[1], pool.adaptive, place / g.axes[2].out % g.axes[1].out);
  const Span columns(g.axes[2], pool.adaptive, place % g.axes[2].out);
  acc_t sum(0);
  for (int d = depths.begin; d < depths.end; ++d) {
    for (int h = rows.begin; h < rows.end; ++h) {
      const T* row = in + (d * g.axes[1].in + h) * g.axes[2].in;
      for (int w = columns.begin; w < columns.end; ++w) sum += static_cast<acc_t>(row[w]);
    }
  }
  const bool empty = depths.size() == 0 || rows.size() == 0 || columns.size() == 0;
  y[o] = empty ? T(0)
               : static_cast<T>(sum / static_cast<acc_t>(divisor_of(pool, depths, rows, columns)));
}

// The outputs whose windows hold element `i`: [begin, end).
struct Holders {
  int begin, end;

  C10_DEVICE Holders(const Axis& a, bool adaptive, int i) {
    if (adaptive) {
      begin = static_cast<int>(adaptive_begin(i, a.in, a.out));
      end = static_cast<int>(adaptive_end(i, a.in, a.out));
      return;
    }
    const int at = i + a.padding;
    begin = at < a.kernel ? 0 : (at - a.kernel) / a.stride + 1;
    end = min(at / a.stride + 1, a.out);
  }
};

// One thread for each element of the input adds the gradients of the windows that contain it.
template <typename T>
__global__ void __launch_bounds__(kThreads)
    average_pool_backward_kernel(Geometry g, AveragePool pool, int64_t count, const T* gy, T* gx) {
  using acc_t = opmath_type<T>;
  const int64_t i = static_cast<int64_t>(blockIdx.x) * kThreads + threadIdx.x;
  if (i >= count) return;
  const int place = static_cast<int>(i % g.in_size());
  const T* out = gy + i / g.in_size() * g.out_size();
  const Holders depths(g.axes[0], pool.adaptive, place / (g.axes[1].in * g.axes[2].in));
  const Holders rows(g.axes[1], pool.adaptive, place / g.axes[2].in % g.axes[1].in);
  const Holders columns(g.axes[2], pool.adaptive, place % g.axes[2].in);
  acc_t sum(0);
  for (int d = depths.begin; d < depths.end; ++d) {
    const Span depth(g.axes[0], pool.adaptive, d);
    for (int h = rows.begin; h < rows.end; ++h) {
      const Span row(g.axes[1], pool.adaptive, h);
      for (int w = columns.begin; w < columns.end; ++w) {
        const Span column(g.axes[2], pool.adaptive, w);
        const T grad = out[(d * g.axes[1].out + h) * g.axes[2].out + w];
        sum += static_cast<acc_t>(grad) / static_cast<acc_t>(divisor_of(pool, depth, row, column));
      }
    }
  }
  gx[i] = static_cast<T>(sum);
}

void max_pool_kernel_cuda(const PoolGeometry& g, bool adaptive, ScalarType dtype, const void* x,
                          void* y, int64_t* indices) {
  const int64_t count = g.planes * g.out_size();
  const cudaStream_t stream = c10::cuda::getCurrentCUDAStream();
  AT_DISPATCH_ALL_TYPES_AND2(kBFloat16, kHalf, dtype, "max_pool_cuda", [&] {
    max_pool_kernel<<<grid_size(ceil_div(count, kThreads)), kThreads, 0, stream>>>(
        Geometry(g), adaptive, count, static_cast<const scalar_t*>(x), static_cast<scalar_t*>(y),
        indices);
  });
  C10_CUDA_KERNEL_LAUNCH_CHECK();
}

void average_pool_kernel_cuda(const PoolGeometry& g, const AveragePool& pool, ScalarType dtype,
                              const void* x, void* y) {
  const int64_t count = g.planes * g.out_size();
  const cudaStream_t stream = c10::cuda::getCurrentCUDAStream();
  AT_DISPATCH_FLOATING_TYPES_AND2(kBFloat16, kHalf, dtype, "avg_pool_cuda", [&] {
    average_pool_kernel<<<grid_size(ceil_div(count, kThreads)), kThreads, 0, stream>>>(
        Geometry(g), pool, count, static_cast<const scalar_t*>(x), static_cast<scalar_t*>(y));
  });
  C10_CUDA_KERNEL_LAUNCH_CHECK();
}

void average_pool_backward_kernel_cuda(const PoolGeometry& g, const AveragePool& pool,
                                       ScalarType dtype, const void* gy, void* gx) {
  const int64_t count = g.planes * g.in_size();
  if (count == 0) return;
  const cudaStream_t stream = c10::cuda::getCurrentCUDAStream();
  AT_DISPATCH_FLOATING_TYPES_AND2(kBFloat16, kHalf, dtype, "avg_pool_backward_cuda", [&] {
    average_pool_backward_kernel<<<grid_size(ceil_div(count, kThreads)), kThreads, 0, stream>>>(
        Geometry(g), pool, count, static_cast<const scalar_t*>(gy), static_cast<scalar_t*>(gx));
  });
  C10_CUDA_KERNEL_LAUNCH_CHECK();
}

}  // namespace

REGISTER_CUDA_DISPATCH(max_pool_stub, &max_pool_kernel_cuda)
REGISTER_CUDA_DISPATCH(average_pool_stub, &average_pool_kernel_cuda)
REGISTER_CUDA_DISPATCH(average_pool_backward_stub, &average_pool_backward_kernel_cuda)

}  // namespace at::native
