// Loops of softmax and log_softmax, forwards and backwards.

#define TORCH_ASSERT_NO_OPERATORS
#include <ATen/native/SoftMax.h>

#include <ATen/Dispatch.h>
#include <ATen/OpMathType.h>
#include <ATen/Parallel.h>
#include <ATen/TensorIterator.h>
#include <ATen/core/TensorBase.h>
#include <ATen/cpu/vec/functional.h>
#include <ATen/cpu/vec/vec.h>
#include <c10/core/ScalarType.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace at::native {
inline namespace CPU_CAPABILITY {

using vec::Vectorized;

namespace {

// Calls `line(offset, n, stride)` for every line along `dim` of a contiguous tensor.
template <typename F>
void for_each_line(const TensorBase& t, int64_t dim, F&& line) {
  const int64_t n = t.size(dim);
  const int64_t stride = t.stride(dim);
  const int64_t lines = t.numel() / n;
  const int64_t grain = std::max<int64_t>(1, at::internal::GRAIN_SIZE / n);
  at::parallel_for(0, lines, grain, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      line((i / stride) * n * stride + i % stride, n, stride);
    }
  });
}

// Whether whole vectors of a line can be taken: its elements lie together, and are computed in.
template <typename scalar_t>
bool by_vectors(int64_t stride) {
  return std::is_same_v<scalar_t, at::opmath_type<scalar_t>> && stride == 1;
}

// dst[i] = exp(src[i] - shift); returns the sum.
template <typename scalar_t>
auto exp_of_line(scalar_t* dst, const scalar_t* src, int64_t n, int64_t stride,
                 at::opmath_type<scalar_t> shift) {
  using opmath_t = at::opmath_type<scalar_t>;
  opmath_t sum = 0;
  int64_t i = 0;
  if constexpr (std::is_same_v<scalar_t, opmath_t>) {
    using Vec = Vectorized<scalar_t>;
    if (by_vectors<scalar_t>(stride)) {
      Vec total(opmath_t(0));
      for (; i + Vec::size() <= n; i += Vec::size()) {
        const Vec power = (Vec::loadu(src + i) - Vec(shift)).exp();
        power.store(dst + i);
        total = total + power;
      }
      sum = vec::vec_reduce_all<scalar_t>([](const Vec& a, const Vec& b) { return a + b; }, total);
    }
  }
  for (; i < n; ++i) {
    dst[i * stride] = std::exp(static_cast<opmath_t>(src[i * stride]) - shift);
    sum += static_cast<opmath_t>(dst[i * stride]);
  }
  return sum;
}

template <typename scalar_t>
at::opmath_type<scalar_t> max_of_line(const scalar_t* src, int64_t n, int64_t stride) {
  using opmath_t = at::opmath_type<scalar_t>;
  opmath_t result = -std::numeric_limits<opmath_t>::infinity();
  int64_t i = 0;
  if constexpr (std::is_same_v<scalar_t, opmath_t>) {
    using Vec = Vectorized<scalar_t>;
    if (by_vectors<scalar_t>(stride) && n >= Vec::size()) {
      Vec largest = Vec::loadu(src);
      for (i = Vec::size(); i + Vec::size() <= n; i += Vec::size()) {
        largest = vec::maximum(largest, Vec::loadu(src + i));
      }
      result = vec::vec_reduce_all<scalar_t>(
          [](const Vec& a, const Vec& b) { return vec::maximum(a, b); }, largest);
    }
  }
  for (; i < n && result == result; ++i) {
    const auto x = static_cast<opmath_t>(src[i * stride]);
    result = (x > result || x != x) ? x : result;
  }
  return result;
}

// out[i] = op(a[i], b[i]) along a line, op taking numbers and vectors alike.
template <typename scalar_t, typename Op>
void map_line(scalar_t* out, const scalar_t* a, const scalar_t* b, int64_t n, int64_t stride,
              Op op) {
  using opmath_t = at::opmath_type<scalar_t>;
  int64_t i = 0;
  if constexpr (std::is_same_v<scalar_t, opmath_t>) {
    using Vec = Vectorized<scalar_t>;
    if (by_vectors<scalar_t>(stride)) {
      for (; i + Vec::size() <= n; i += Vec::size()) {
        op(Vec::loadu(a + i), Vec::loadu(b + i)).store(out + i);
      }
    }
  }
  for (; i < n; ++i) {
    out[i * stride] =
        op(static_cast<opmath_t>(a[i * stride]), static_cast<opmath_t>(b[i * stride]));
  }
}

// The sum of op(a[i], b[i]) along a line.
template <typename scalar_t, typename Op>
at::opmath_type<scalar_t> sum_line(const scalar_t* a, const scalar_t* b, int64_t n, int64_t stride,
                                   Op op) {
  using opmath_t = at::opmath_type<scalar_t>;
  opmath_t sum = 0;
  int64_t i = 0;
  if constexpr (std::is_same_v<scalar_t, opmath_t>) {
    using Vec = Vectorized<scalar_t>;
    if (by_vectors<scalar_t>(stride)) {
      Vec total(opmath_t(0));
      for (; i + Vec::size() <= n; i += Vec::size()) {
        total = total + op(Vec::loadu(a + i), Vec::loadu(b + i));
      }
      sum = vec::vec_reduce_all<scalar_t>([](const Vec& x, const Vec& y) { return x + y; }, total);
    }
  }
  for (; i < n; ++i) {
    sum += op(static_cast<opmath_t>(a[i * stride]), static_cast<opmath_t>(b[i * stride]));
  }
  return sum;
}

// exp of a number or of a vector.
template <typename T>
T exp_of(T x) {
  return std::exp(x);
}
template <typename T>
Vectorized<T> exp_of(const Vectorized<T>& x) {
  return x.exp();
}

void softmax_lines(const TensorBase& output, const TensorBase& input, int64_t dim) {
  AT_DISPATCH_FLOATING_TYPES_AND2(kBFloat16, kHalf, input.scalar_type(), "softmax", [&] {
    using opmath_t = at::opmath_type<scalar_t>;
    const auto* in = static_cast<const scalar_t*>(input.const_data_ptr());
    auto* out = static_cast<scalar_t*>(output.mutable_data_ptr());
    for_each_line(input, dim, [&](int64_t offset, int64_t n, int64_t stride) {
      scalar_t* row = out + offset;
      const opmath_t max = max_of_line(in + offset, n, stride);
      const opmath_t sum = exp_of_line(row, in + offset, n, stride, max);
      map_line(row, row, row, n, stride, [sum](auto y, auto) { return y / decltype(y)(sum); });
    });
  });
}

// x - max - log(sum(exp(x - max)))
void log_softmax_lines(const TensorBase& output, const TensorBase& input, int64_t dim) {
  AT_DISPATCH_FLOATING_TYPES_AND2(kBFloat16, kHalf, input.scalar_type(), "log_softmax", [&] {
    using opmath_t = at::opmath_type<scalar_t>;
    const auto* in = static_cast<const scalar_t*>(input.const_data_ptr());
    auto* out = static_cast<scalar_t*>(output.mutable_data_ptr());
    for_each_line(input, dim, [&](int64_t offset, int64_t n, int64_t stride) {
      const scalar_t* src = in + offset;
      scalar_t* row = out + offset;
      const opmath_t max = max_of_line(src, n, stride);
      const opmath_t log_sum = std::log(exp_of_line(row, src, n, stride, max));
      map_line(row, src, src, n, stride, [max, log_sum](auto x, auto) {
        return x - decltype(x)(max) - decltype(x)(log_sum);
      });
    });
  });
}

// (grad - sum(grad * output)) * output
void softmax_backward_lines(const TensorBase& grad_input, const TensorBase& grad,
                            const TensorBase& output, int64_t dim) {
  AT_DISPATCH_FLOATING_TYPES_AND2(kBFloat16, kHalf, grad.scalar_type(), "softmax_backward", [&] {
    using opmath_t = at::opmath_type<scalar_t>;
    const auto* g = static_cast<const scalar_t*>(grad.const_data_ptr());
    const auto* y = static_cast<const scalar_t*>(output.const_data_ptr());
    auto* out = static_cast<scalar_t*>(grad_input.mutable_data_ptr());
    for_each_line(grad, dim, [&](int64_t offset, int64_t n, int64_t stride) {
      const opmath_t sum =
          sum_line(g + offset, y + offset, n, stride, [](auto a, auto b) { return a * b; });
      map_line(out + offset, g + offset, y + offset, n, stride,
               [sum](auto a, auto b) { return (a - decltype(a)(sum)) * b; });
    });
  });
}

// grad - exp(output) * sum(grad)
void log_softmax_backward_lines(const TensorBase& grad_input, const TensorBase& grad,
                                const TensorBase& output, int64_t dim) {
  AT_DISPATCH_FLOATING_TYPES_AND2(
      kBFloat16, kHalf, grad.scalar_type(), "log_softmax_backward", [&] {
        using opmath_t = at::opmath_type<scalar_t>;
        const auto* g = static_cast<const scalar_t*>(grad.const_data_ptr());
        const auto* y = static_cast<const scalar_t*>(output.const_data_ptr());
        auto* out = static_cast<scalar_t*>(grad_input.mutable_data_ptr());
        for_each_line(grad, dim, [&](int64_t offset, int64_t n, int64_t stride) {
          const opmath_t sum =
              sum_line(g + offset, g + offset, n, stride, [](auto a, auto) { return a; });
          map_line(out + offset, g + offset, y + offset, n, stride,
                   [sum](auto a, auto b) { return a - exp_of(b) * decltype(a)(sum); });
        });
      });
}

}  // namespace
}  // namespace CPU_CAPABILITY

REGISTER_DISPATCH(softmax_kernel, &CPU_CAPABILITY::softmax_lines)
REGISTER_DISPATCH(log_softmax_kernel, &CPU_CAPABILITY::log_softmax_lines)
REGISTER_DISPATCH(softmax_backward_kernel, &CPU_CAPABILITY::softmax_backward_lines)
REGISTER_DISPATCH(log_softmax_backward_kernel, &CPU_CAPABILITY::log_softmax_backward_lines)

}  // namespace at::native
