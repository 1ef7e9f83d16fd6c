// Loops of softmax and log_softmax, forwards and backwards.

#define TORCH_ASSERT_NO_OPERATORS
#include <ATen/native/SoftMax.h>

#include <ATen/Dispatch.h>
#include <ATen/OpMathType.h>
#include <ATen/Parallel.h>
#include <ATen/TensorIterator.h>
#include <ATen/core/TensorBase.h>
#include <ATen/cpu/vec/vec.h>
#include <ATen/native/cpu/Formulas.h>
#include <ATen/native/cpu/ReducedFloat.h>
#include <c10/core/ScalarType.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

namespace at::native {
inline namespace CPU_CAPABILITY {

using vec::Vectorized;

namespace {

// A vector of the numbers that elements are computed as.
template <typename scalar_t>
using WideVec = Vectorized<at::opmath_type<scalar_t>>;

template <typename scalar_t>
WideVec<scalar_t> load_wide(const scalar_t* p) {
  if constexpr (vec::is_reduced_floating_point_v<scalar_t>) {
    return vec::load_as_float(p);
  } else {
    return Vectorized<scalar_t>::loadu(p);
  }
}

template <typename scalar_t>
void store_wide(scalar_t* p, const WideVec<scalar_t>& v) {
  if constexpr (vec::is_reduced_floating_point_v<scalar_t>) {
    vec::store_from_float(p, v);
  } else {
    v.store(p);
  }
}

// Every line along `dim` of contiguous tensors: `line(out, a, b, n)` takes numbers that lie
// together, copies where elements do not or have 16 bits; `lines(out, a, b, n, stride)` takes as
// many neighbouring lines as a vector has elements.
template <typename scalar_t, typename Line, typename Lines>
void for_each_line(const TensorBase& output, const TensorBase& first, const TensorBase& second,
                   int64_t dim, const Line& line, const Lines& lines) {
  using opmath_t = at::opmath_type<scalar_t>;
  constexpr int64_t kTogether = WideVec<scalar_t>::size();
  auto* out = static_cast<scalar_t*>(output.mutable_data_ptr());
  const auto* a = static_cast<const scalar_t*>(first.const_data_ptr());
  const auto* b = static_cast<const scalar_t*>(second.const_data_ptr());
  const int64_t n = output.size(dim);
  const int64_t stride = output.stride(dim);
  const bool copies = stride != 1 || !std::is_same_v<scalar_t, opmath_t>;
  const int64_t grain = std::max<int64_t>(1, at::internal::GRAIN_SIZE / n);
  at::parallel_for(0, output.numel() / n, grain, [&](int64_t begin, int64_t end) {
    std::vector<opmath_t> copy(copies ? static_cast<size_t>(3 * n) : 0);
    const auto gather = [&](opmath_t* to, const scalar_t* from) {
      if constexpr (vec::is_reduced_floating_point_v<scalar_t>) {
        if (stride == 1) {
          vec::widen(to, from, n);
          return;
        }
      }
      for (int64_t k = 0; k < n; ++k) to[k] = static_cast<opmath_t>(from[k * stride]);
    };
    for (int64_t i = begin; i < end;) {
      const int64_t offset = (i / stride) * n * stride + i % stride;
      if (std::min(stride - i % stride, end - i) >= kTogether) {
        lines(out + offset, a + offset, b + offset, n, stride);
        i += kTogether;
        continue;
      }
      ++i;
      if constexpr (std::is_same_v<scalar_t, opmath_t>) {
        if (!copies) {
          line(out + offset, a + offset, b + offset, n);
          continue;
        }
      }
      opmath_t* results = copy.data();
      opmath_t* as = results + n;
      gather(as, a + offset);
      opmath_t* bs = as;
      if (b != a) {
        bs = as + n;
        gather(bs, b + offset);
      }
      line(results, as, bs, n);
      if constexpr (vec::is_reduced_floating_point_v<scalar_t>) {
        if (stride == 1) {
          vec::narrow(out + offset, results, n);
          continue;
        }
      }
      for (int64_t k = 0; k < n; ++k) out[offset + k * stride] = static_cast<scalar_t>(results[k]);
    }
  });
}

// The elements of a vector, half with half.
template <typename T, typename F>
T combine_lanes(const Vectorized<T>& v, const F& combine) {
  T lanes[Vectorized<T>::size()];
  v.store(lanes);
  for (int width = Vectorized<T>::size() / 2; width > 0; width /= 2) {
    for (int k = 0; k < width; ++k) lanes[k] = combine(lanes[k], lanes[k + width]);
  }
  return lanes[0];
}

template <typename T>
T sum_of(const Vectorized<T>& v) {
  return combine_lanes(v, [](T a, T b) { return a + b; });
}

// NaN is larger than everything.
template <typename T>
T larger(T a, T b) {
  return (a > b || a != a) ? a : b;
}

// dst[i] = exp(src[i] - shift), where nothing is above the shift; returns the sum.
template <typename T>
T exp_of_line(T* dst, const T* src, int64_t n, T shift) {
  using Vec = Vectorized<T>;
  Vec total(T(0));
  int64_t i = 0;
  for (; i + Vec::size() <= n; i += Vec::size()) {
    const Vec power = exp_or_zero(Vec::loadu(src + i) - Vec(shift));
    power.store(dst + i);
    total = total + power;
  }
  T sum = sum_of(total);
  for (; i < n; ++i) {
    dst[i] = std::exp(src[i] - shift);
    sum += dst[i];
  }
  return sum;
}

template <typename T>
T max_of_line(const T* src, int64_t n) {
  using Vec = Vectorized<T>;
  T result = -std::numeric_limits<T>::infinity();
  int64_t i = 0;
  if (n >= Vec::size()) {
    Vec largest = Vec::loadu(src);
    for (i = Vec::size(); i + Vec::size() <= n; i += Vec::size()) {
      largest = vec::maximum(largest, Vec::loadu(src + i));
    }
    result = combine_lanes(largest, larger<T>);
  }
  for (; i < n; ++i) result = larger(result, src[i]);
  return result;
}

// The largest of each of neighbouring lines.
template <typename scalar_t>
WideVec<scalar_t> max_of_lines(const scalar_t* src, int64_t n, int64_t stride) {
  auto largest = load_wide(src);
  for (int64_t i = 1; i < n; ++i) largest = vec::maximum(largest, load_wide(src + i * stride));
  return largest;
}

// out[i] = op(a[i], b[i]) along a line, op taking numbers and vectors alike.
template <typename T, typename Op>
void map_line(T* out, const T* a, const T* b, int64_t n, const Op& op) {
  using Vec = Vectorized<T>;
  int64_t i = 0;
  for (; i + Vec::size() <= n; i += Vec::size()) {
    op(Vec::loadu(a + i), Vec::loadu(b + i)).store(out + i);
  }
  for (; i < n; ++i) out[i] = op(a[i], b[i]);
}

// The sum of op(a[i], b[i]) along a line.
template <typename T, typename Op>
T sum_line(const T* a, const T* b, int64_t n, const Op& op) {
  using Vec = Vectorized<T>;
  Vec total(T(0));
  int64_t i = 0;
  for (; i + Vec::size() <= n; i += Vec::size()) {
    total = total + op(Vec::loadu(a + i), Vec::loadu(b + i));
  }
  T sum = sum_of(total);
  for (; i < n; ++i) sum += op(a[i], b[i]);
  return sum;
}

void softmax_lines(const TensorBase& output, const TensorBase& input, int64_t dim) {
  AT_DISPATCH_FLOATING_TYPES_AND2(kBFloat16, kHalf, input.scalar_type(), "softmax", [&] {
    for_each_line<scalar_t>(
        output, input, input, dim,
        [](auto* out, const auto* in, const auto*, int64_t n) {
          const auto max = max_of_line(in, n);
          const auto sum = exp_of_line(out, in, n, max);
          map_line(out, out, out, n, [sum](auto y, auto) { return y / decltype(y)(sum); });
        },
        [](scalar_t* out, const scalar_t* in, const scalar_t*, int64_t n, int64_t stride) {
          using Vec = WideVec<scalar_t>;
          const Vec max = max_of_lines(in, n, stride);
          Vec sum(0);
          for (int64_t i = 0; i < n; ++i) {
            const Vec power = exp_or_zero(load_wide(in + i * stride) - max);
            sum = sum + power;
            // Elements of 16 bits would lose digits before the division.
            if constexpr (std::is_same_v<typename Vec::value_type, scalar_t>) {
              power.store(out + i * stride);
            }
          }
          for (int64_t i = 0; i < n; ++i) {
            if constexpr (std::is_same_v<typename Vec::value_type, scalar_t>) {
              (Vec::loadu(out + i * stride) / sum).store(out + i * stride);
            } else {
              store_wide(out + i * stride, exp_or_zero(load_wide(in + i * stride) - max) / sum);
            }
          }
        });
  });
}

// x - max - log(sum(exp(x - max)))
void log_softmax_lines(const TensorBase& output, const TensorBase& input, int64_t dim) {
  AT_DISPATCH_FLOATING_TYPES_AND2(kBFloat16, kHalf, input.scalar_type(), "log_softmax", [&] {
    for_each_line<scalar_t>(
        output, input, input, dim,
        [](auto* out, const auto* in, const auto*, int64_t n) {
          const auto max = max_of_line(in, n);
          const auto log_sum = std::log(exp_of_line(out, in, n, max));
          map_line(out, in, in, n, [max, log_sum](auto x, auto) {
            return x - decltype(x)(max) - decltype(x)(log_sum);
          });
        },
        [](scalar_t* out, const scalar_t* in, const scalar_t*, int64_t n, int64_t stride) {
          using Vec = WideVec<scalar_t>;
          const Vec max = max_of_lines(in, n, stride);
          Vec sum(0);
          for (int64_t i = 0; i < n; ++i) {
            sum = sum + exp_or_zero(load_wide(in + i * stride) - max);
          }
          const Vec log_sum = sum.log();
          for (int64_t i = 0; i < n; ++i) {
            store_wide(out + i * stride, load_wide(in + i * stride) - max - log_sum);
          }
        });
  });
}

// out = finish(a, b, sum(term(a, b))) along every line.
template <typename scalar_t, typename Term, typename Finish>
void backward_lines(const TensorBase& grad_input, const TensorBase& grad, const TensorBase& output,
                    int64_t dim, const Term& term, const Finish& finish) {
  for_each_line<scalar_t>(
      grad_input, grad, output, dim,
      [&](auto* out, const auto* g, const auto* y, int64_t n) {
        const auto sum = sum_line(g, y, n, term);
        map_line(out, g, y, n, [&](auto a, auto b) { return finish(a, b, decltype(a)(sum)); });
      },
      [&](scalar_t* out, const scalar_t* g, const scalar_t* y, int64_t n, int64_t stride) {
        WideVec<scalar_t> sum(0);
        for (int64_t i = 0; i < n; ++i) {
          sum = sum + term(load_wide(g + i * stride), load_wide(y + i * stride));
        }
        for (int64_t i = 0; i < n; ++i) {
          store_wide(out + i * stride,
                     finish(load_wide(g + i * stride), load_wide(y + i * stride), sum));
        }
      });
}

// (grad - sum(grad * output)) * output
void softmax_backward_lines(const TensorBase& grad_input, const TensorBase& grad,
                            const TensorBase& output, int64_t dim) {
  AT_DISPATCH_FLOATING_TYPES_AND2(kBFloat16, kHalf, grad.scalar_type(), "softmax_backward", [&] {
    backward_lines<scalar_t>(
        grad_input, grad, output, dim, [](auto g, auto y) { return g * y; },
        [](auto g, auto y, auto sum) { return (g - sum) * y; });
  });
}

// grad - exp(output) * sum(grad)
void log_softmax_backward_lines(const TensorBase& grad_input, const TensorBase& grad,
                                const TensorBase& output, int64_t dim) {
  AT_DISPATCH_FLOATING_TYPES_AND2(
      kBFloat16, kHalf, grad.scalar_type(), "log_softmax_backward", [&] {
        backward_lines<scalar_t>(
            grad_input, grad, output, dim, [](auto g, auto) { return g; },
            [](auto g, auto y, auto sum) { return g - exp_of(y) * sum; });
      });
}

}  // namespace
}  // namespace CPU_CAPABILITY

REGISTER_DISPATCH(softmax_kernel, &CPU_CAPABILITY::softmax_lines)
REGISTER_DISPATCH(log_softmax_kernel, &CPU_CAPABILITY::log_softmax_lines)
REGISTER_DISPATCH(softmax_backward_kernel, &CPU_CAPABILITY::softmax_backward_lines)
REGISTER_DISPATCH(log_softmax_backward_kernel, &CPU_CAPABILITY::log_softmax_backward_lines)

}  // namespace at::native
