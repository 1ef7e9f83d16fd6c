// Loops of softmax and log_softmax, forwards and backwards.

#define TORCH_ASSERT_NO_OPERATORS
#include <ATen/native/SoftMax.h>

#include <ATen/Dispatch.h>
#include <ATen/OpMathType.h>
#include <ATen/Parallel.h>
#include <ATen/TensorIterator.h>
#include <ATen/core/TensorBase.h>
#include <ATen/cpu/vec/vec.h>
#include <ATen/native/cpu/FloatLoops.h>
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

// Loads and stores that touch no memory beyond their elements: Highway's do so where the processor
// has masks.
#if AT_VEC_ON_HIGHWAY && HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX2
#define AT_VEC_HAS_MASKS 1
#else
#define AT_VEC_HAS_MASKS 0
#endif

namespace {

// A vector of the numbers that elements are computed as.
template <typename scalar_t>
using WideVec = Vectorized<at::opmath_type<scalar_t>>;

// The first `count` elements at `p`, fewer than a vector has, and `rest` for the others.
template <typename T>
Vectorized<T> load_first(const T* p, int64_t count, T rest) {
#if AT_VEC_HAS_MASKS
  namespace hw = at::vec::hw;
  const typename Vectorized<T>::D d;
  const auto mask = hw::FirstN(d, static_cast<size_t>(count));
  return hw::IfThenElse(mask, hw::MaskedLoad(mask, d, p), hw::Set(d, rest));
#else
  return Vectorized<T>::set(Vectorized<T>(rest), Vectorized<T>::loadu(p, count), count);
#endif
}

template <typename T>
void store_first(T* p, const Vectorized<T>& v, int64_t count) {
#if AT_VEC_HAS_MASKS
  namespace hw = at::vec::hw;
  const typename Vectorized<T>::D d;
  hw::BlendedStore(v.values, hw::FirstN(d, static_cast<size_t>(count)), d, p);
#else
  v.store(p, static_cast<int>(count));
#endif
}

// Elements of 16 bits are converted in blocks of so many, because a line may be shorter than a
// vector.
constexpr int64_t kConverted = 1024;

// Calls `chunk(first, as, bs, count)` for floats of each block of two lines of 16-bit elements.
template <typename scalar_t, typename Chunk>
void each_chunk(const scalar_t* a, const scalar_t* b, int64_t n, const Chunk& chunk) {
  alignas(64) float as[kConverted];
  alignas(64) float others[kConverted];
  float* const bs = a == b ? as : others;
  for (int64_t first = 0; first < n; first += kConverted) {
    const int64_t count = std::min(kConverted, n - first);
    vec::widen(as, a + first, count);
    if (a != b) vec::widen(bs, b + first, count);
    chunk(first, as, bs, count);
  }
}

// Calls `line` for lines whose elements lie together. Lines of 16-bit elements that are longer than
// a block go to `long_line`, which reads them as often as it needs: a copy of floats would not stay
// in the cache.
template <typename scalar_t, typename Line, typename LongLine>
void each_dense_line(scalar_t* out, const scalar_t* a, const scalar_t* b, int64_t lines, int64_t n,
                     const Line& line, const LongLine& long_line) {
  using opmath_t = at::opmath_type<scalar_t>;
  if constexpr (std::is_same_v<scalar_t, opmath_t>) {
    for (int64_t i = 0; i < lines; ++i) line(out + i * n, a + i * n, b + i * n, n);
  } else if (n > kConverted) {
    for (int64_t i = 0; i < lines; ++i) long_line(out + i * n, a + i * n, b + i * n, n);
  } else {
    const int64_t most = std::min(lines, std::max<int64_t>(1, kConverted / n));
    std::vector<opmath_t> copy(static_cast<size_t>(3 * most * n));
    opmath_t* results = copy.data();
    opmath_t* as = results + most * n;
    opmath_t* bs = a == b ? as : as + most * n;
    for (int64_t begin = 0; begin < lines; begin += most) {
      const int64_t count = std::min(most, lines - begin);
      vec::widen(as, a + begin * n, count * n);
      if (a != b) vec::widen(bs, b + begin * n, count * n);
      for (int64_t i = 0; i < count; ++i) line(results + i * n, as + i * n, bs + i * n, n);
      vec::narrow(out + begin * n, results, count * n);
    }
  }
}

// Every line along `dim` of contiguous tensors: `line(out, a, b, n)` takes numbers that lie
// together, copies where elements do not or have 16 bits; `long_line(out, a, b, n)` takes elements
// of 16 bits; `lines(out, a, b, n, stride)` takes as many neighbouring lines as a vector has
// elements.
template <typename scalar_t, typename Line, typename LongLine, typename Lines>
void for_each_line(const TensorBase& output, const TensorBase& first, const TensorBase& second,
                   int64_t dim, const Line& line, const LongLine& long_line, const Lines& lines) {
  using opmath_t = at::opmath_type<scalar_t>;
  constexpr int64_t kTogether = WideVec<scalar_t>::size();
  auto* out = static_cast<scalar_t*>(output.mutable_data_ptr());
  const auto* a = static_cast<const scalar_t*>(first.const_data_ptr());
  const auto* b = static_cast<const scalar_t*>(second.const_data_ptr());
  const int64_t n = output.size(dim);
  const int64_t stride = output.stride(dim);
  const int64_t grain = std::max<int64_t>(1, at::internal::GRAIN_SIZE / n);
  at::parallel_for(0, output.numel() / n, grain, [&](int64_t begin, int64_t end) {
    if (stride == 1) {
      const int64_t offset = begin * n;
      each_dense_line(out + offset, a + offset, b + offset, end - begin, n, line, long_line);
      return;
    }
    std::vector<opmath_t> copy(static_cast<size_t>(3 * n));
    const auto gather = [&](opmath_t* to, const scalar_t* from) {
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
      opmath_t* results = copy.data();
      opmath_t* as = results + n;
      gather(as, a + offset);
      opmath_t* bs = as;
      if (b != a) {
        bs = as + n;
        gather(bs, b + offset);
      }
      line(results, as, bs, n);
      for (int64_t k = 0; k < n; ++k) out[offset + k * stride] = static_cast<scalar_t>(results[k]);
    }
  });
}

template <typename T>
T sum_of(const Vectorized<T>& v) {
#if AT_VEC_ON_HIGHWAY
  namespace hw = at::vec::hw;
  const typename Vectorized<T>::D d;
  return hw::GetLane(hw::SumOfLanes(d, v.values));
#else
  T sum = v[0];
  for (int k = 1; k < Vectorized<T>::size(); ++k) sum += v[k];
  return sum;
#endif
}

// NaN is larger than everything.
template <typename T>
T max_of(const Vectorized<T>& v) {
#if AT_VEC_ON_HIGHWAY
  namespace hw = at::vec::hw;
  const typename Vectorized<T>::D d;
  if (!hw::AllFalse(d, hw::IsNaN(v.values))) return std::numeric_limits<T>::quiet_NaN();
  return hw::GetLane(hw::MaxOfLanes(d, v.values));
#else
  T max = v[0];
  for (int k = 1; k < Vectorized<T>::size(); ++k) max = (max > v[k] || max != max) ? max : v[k];
  return max;
#endif
}

// Calls `whole(i)` for each vector of a line, and `part(i, count)` for the elements at its end.
template <typename T, typename Whole, typename Part>
void vectors_of_line(int64_t n, const Whole& whole, const Part& part) {
  constexpr int64_t kStep = Vectorized<T>::size();
  int64_t i = 0;
  for (; i + kStep <= n; i += kStep) whole(i);
  if (i < n) part(i, n - i);
}

// dst[i] = exp(src[i] - shift), where nothing is above the shift; returns the sum. Without kStore
// the sum alone.
template <bool kStore = true, typename T>
T exp_of_line(T* dst, const T* src, int64_t n, T shift) {
  using Vec = Vectorized<T>;
  Vec total(T(0));
  vectors_of_line<T>(
      n,
      [&](int64_t i) {
        const Vec power = exp_or_zero(Vec::loadu(src + i) - Vec(shift));
        if constexpr (kStore) power.store(dst + i);
        total = total + power;
      },
      [&](int64_t i, int64_t count) {
        const Vec power = exp_or_zero(load_first(src + i, count, shift) - Vec(shift));
        if constexpr (kStore) store_first(dst + i, power, count);
        total = total + Vec::set(Vec(T(0)), power, count);
      });
  return sum_of(total);
}

template <typename T>
T max_of_line(const T* src, int64_t n) {
  using Vec = Vectorized<T>;
  constexpr T kLowest = -std::numeric_limits<T>::infinity();
  Vec largest(kLowest);
  vectors_of_line<T>(
      n, [&](int64_t i) { largest = vec::maximum(largest, Vec::loadu(src + i)); },
      [&](int64_t i, int64_t count) {
        largest = vec::maximum(largest, load_first(src + i, count, kLowest));
      });
  return max_of(largest);
}

// The largest of each of neighbouring lines.
template <typename scalar_t>
WideVec<scalar_t> max_of_lines(const scalar_t* src, int64_t n, int64_t stride) {
  auto largest = load_wide(src);
  for (int64_t i = 1; i < n; ++i) largest = vec::maximum(largest, load_wide(src + i * stride));
  return largest;
}

// out[i] = op(a[i], b[i]) along a line.
template <typename T, typename Op>
void map_line(T* out, const T* a, const T* b, int64_t n, const Op& op) {
  using Vec = Vectorized<T>;
  vectors_of_line<T>(
      n, [&](int64_t i) { op(Vec::loadu(a + i), Vec::loadu(b + i)).store(out + i); },
      [&](int64_t i, int64_t count) {
        const Vec y = op(load_first(a + i, count, T(0)), load_first(b + i, count, T(0)));
        store_first(out + i, y, count);
      });
}

// The sum of op(a[i], b[i]) along a line; op of zeros is 0.
template <typename T, typename Op>
T sum_line(const T* a, const T* b, int64_t n, const Op& op) {
  using Vec = Vectorized<T>;
  Vec total(T(0));
  vectors_of_line<T>(
      n, [&](int64_t i) { total = total + op(Vec::loadu(a + i), Vec::loadu(b + i)); },
      [&](int64_t i, int64_t count) {
        total = total + op(load_first(a + i, count, T(0)), load_first(b + i, count, T(0)));
      });
  return sum_of(total);
}

// The largest element of a line of 16-bit elements.
template <typename scalar_t>
float max_of_chunks(const scalar_t* in, int64_t n) {
  float max = -std::numeric_limits<float>::infinity();
  each_chunk(in, in, n, [&](int64_t, const float* as, const float*, int64_t count) {
    const float largest = max_of_line(as, count);
    if (!(largest <= max)) max = largest;  // NaN wins, and stays: nothing is at most NaN.
  });
  return max;
}

// The sum of exp(in[i] - max).
template <typename scalar_t>
double sum_of_chunks(const scalar_t* in, int64_t n, float max) {
  double sum = 0;
  each_chunk(in, in, n, [&](int64_t, float* as, const float*, int64_t count) {
    sum += static_cast<double>(exp_of_line(as, as, count, max));
  });
  return sum;
}

void softmax_lines(const TensorBase& output, const TensorBase& input, int64_t dim) {
  const char* const name =
      dim + 1 == input.dim() ? "softmax_lastdim_kernel_impl" : "softmax_kernel_impl";
  AT_DISPATCH_FLOATING_TYPES_AND2(kBFloat16, kHalf, input.scalar_type(), name, [&] {
    for_each_line<scalar_t>(
        output, input, input, dim,
        [](auto* out, const auto* in, const auto*, int64_t n) {
          const auto max = max_of_line(in, n);
          const auto sum = exp_of_line(out, in, n, max);
          map_line(out, out, out, n, [sum](auto y, auto) { return y / decltype(y)(sum); });
        },
        [](auto* out, const auto* in, const auto*, int64_t n) {
          const float max = max_of_chunks(in, n);
          const auto sum = static_cast<float>(sum_of_chunks(in, n, max));
          each_chunk(in, in, n, [&](int64_t first, float* as, const float*, int64_t count) {
            exp_of_line(as, as, count, max);
            map_line(as, as, as, count, [sum](auto y, auto) { return y / decltype(y)(sum); });
            vec::narrow(out + first, as, count);
          });
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
  const char* const name =
      dim + 1 == input.dim() ? "log_softmax_lastdim_kernel_impl" : "log_softmax_kernel_impl";
  AT_DISPATCH_FLOATING_TYPES_AND2(kBFloat16, kHalf, input.scalar_type(), name, [&] {
    for_each_line<scalar_t>(
        output, input, input, dim,
        [](auto* out, const auto* in, const auto*, int64_t n) {
          const auto max = max_of_line(in, n);
          // The output may be the input.
          const auto log_sum = std::log(exp_of_line</*kStore=*/false>(out, in, n, max));
          map_line(out, in, in, n, [max, log_sum](auto x, auto) {
            return x - decltype(x)(max) - decltype(x)(log_sum);
          });
        },
        [](auto* out, const auto* in, const auto*, int64_t n) {
          const float max = max_of_chunks(in, n);
          const auto log_sum = static_cast<float>(std::log(sum_of_chunks(in, n, max)));
          each_chunk(in, in, n, [&](int64_t first, float* as, const float*, int64_t count) {
            map_line(as, as, as, count, [max, log_sum](auto x, auto) {
              return x - decltype(x)(max) - decltype(x)(log_sum);
            });
            vec::narrow(out + first, as, count);
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
      [&](auto* out, const auto* g, const auto* y, int64_t n) {
        double total = 0;
        each_chunk(g, y, n, [&](int64_t, const float* gs, const float* ys, int64_t count) {
          total += static_cast<double>(sum_line(gs, ys, count, term));
        });
        const auto sum = static_cast<float>(total);
        each_chunk(g, y, n, [&](int64_t first, float* gs, const float* ys, int64_t count) {
          map_line(gs, gs, ys, count,
                   [&](auto a, auto b) { return finish(a, b, decltype(a)(sum)); });
          vec::narrow(out + first, gs, count);
        });
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
  const char* const name = dim + 1 == grad.dim() ? "softmax_backward_lastdim_kernel_impl"
                                                 : "softmax_backward_kernel_impl";
  AT_DISPATCH_FLOATING_TYPES_AND2(kBFloat16, kHalf, grad.scalar_type(), name, [&] {
    backward_lines<scalar_t>(
        grad_input, grad, output, dim, [](auto g, auto y) { return g * y; },
        [](auto g, auto y, auto sum) { return (g - sum) * y; });
  });
}

// grad - exp(output) * sum(grad)
void log_softmax_backward_lines(const TensorBase& grad_input, const TensorBase& grad,
                                const TensorBase& output, int64_t dim) {
  const char* const name = dim + 1 == grad.dim() ? "log_softmax_backward_lastdim_kernel_impl"
                                                 : "log_softmax_backward_kernel_impl";
  AT_DISPATCH_FLOATING_TYPES_AND2(kBFloat16, kHalf, grad.scalar_type(), name, [&] {
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
