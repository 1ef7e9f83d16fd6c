// Loops of norms, variances and running sums.

#define TORCH_ASSERT_NO_OPERATORS
#include <ATen/native/ReduceOps.h>

#include <ATen/AccumulateType.h>
#include <ATen/Dispatch.h>
#include <ATen/OpMathType.h>
#include <ATen/Parallel.h>
#include <ATen/TensorIterator.h>
#include <ATen/core/TensorBase.h>
#include <ATen/cpu/vec/vec.h>
#include <ATen/native/ReduceFormulas.h>
#include <ATen/native/Wrapping.h>
#include <ATen/native/cpu/PartialVectors.h>
#include <ATen/native/cpu/ReducedElement.h>
#include <ATen/native/cpu/ReducedFloat.h>
#include <ATen/native/cpu/StridedReduce.h>
#include <c10/core/ScalarType.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

namespace at::native {
inline namespace CPU_CAPABILITY {
namespace {

using vec::Vectorized;

// Norms, (sum |x|^p)^(1/p), are accumulated in double: squares of floats do not overflow there.
struct DoubleVectors {
  using vec_t = Vectorized<double>;
  static vec_t vec_identity() { return vec_t(0.0); }
  static vec_t vec_combine(const vec_t& a, const vec_t& b) { return a + b; }
};

struct TwoNormOp : DoubleVectors {
  using acc_t = double;
  static vec_t vec_reduce(const vec_t& acc, const vec_t& x) { return vec::fmadd(x, x, acc); }
  double identity() const { return 0; }
  double reduce(double acc, double x) const { return acc + x * x; }
  double combine(double a, double b) const { return a + b; }
  double project(double acc) const { return std::sqrt(acc); }
};

struct OneNormOp : DoubleVectors {
  using acc_t = double;
  static vec_t vec_reduce(const vec_t& acc, const vec_t& x) { return acc + x.abs(); }
  double identity() const { return 0; }
  double reduce(double acc, double x) const { return acc + std::abs(x); }
  double combine(double a, double b) const { return a + b; }
  double project(double acc) const { return acc; }
};

// The limits for p = inf and p = -inf: the largest and the smallest magnitude.
struct ExtremeNormOp {
  using acc_t = double;
  bool largest;
  double identity() const { return largest ? 0 : std::numeric_limits<double>::infinity(); }
  double combine(double a, double b) const { return reduction::extreme(a, b, largest); }
  double reduce(double acc, double x) const { return combine(acc, std::abs(x)); }
  double project(double acc) const { return acc; }
};

// p = 0 counts the elements that are not zero.
struct GeneralNormOp {
  using acc_t = double;
  double p;
  double identity() const { return 0; }
  double reduce(double acc, double x) const {
    return acc + (p == 0 ? (x == 0 ? 0.0 : 1.0) : std::pow(std::abs(x), p));
  }
  double combine(double a, double b) const { return a + b; }
  double project(double acc) const { return p == 0 ? acc : std::pow(acc, 1.0 / p); }
};

void norm_kernel(const TensorBase& out, const TensorBase& self, DimMask mask, double p) {
  AT_DISPATCH_FLOATING_TYPES_AND2(kHalf, kBFloat16, self.scalar_type(), "norm_cpu", [&] {
    using out_t = vec::vec_opmath_t<scalar_t>;
    if (p == 2) {
      strided_reduce<scalar_t, out_t>(out, self, mask, TwoNormOp{});
    } else if (p == 1) {
      strided_reduce<scalar_t, out_t>(out, self, mask, OneNormOp{});
    } else if (std::isinf(p)) {
      strided_reduce<scalar_t, out_t>(out, self, mask, ExtremeNormOp{p > 0});
    } else {
      strided_reduce<scalar_t, out_t>(out, self, mask, GeneralNormOp{p});
    }
  });
}

struct WelfordOp {
  using acc_t = reduction::Moments<double>;
  double correction;
  bool take_sqrt;

  acc_t identity() const { return {}; }
  acc_t reduce(acc_t acc, double x) const {
    acc.add(x);
    return acc;
  }
  // Blocks by their own means: two passes in the cache instead of a division for each element.
  template <typename T>
  acc_t reduce_run(const T* data, int64_t n) const {
    constexpr int64_t kBlock = 512;
    acc_t total;
    for (int64_t i = 0; i < n; i += kBlock) {
      const int64_t count = std::min(kBlock, n - i);
      const double mean = sum(data + i, count, [](double x) { return x; }) / count;
      const auto squared = [mean](double x) { return (x - mean) * (x - mean); };
      total = combine(total, {mean, sum(data + i, count, squared), static_cast<double>(count)});
    }
    return total;
  }
  acc_t combine(acc_t a, acc_t b) const { return acc_t::join(a, b); }
  double project(acc_t acc) const {
    const double variance = acc.variance(correction);
    return take_sqrt ? std::sqrt(variance) : variance;
  }

 private:
  // In lanes that the compiler makes vectors of.
  template <typename T, typename F>
  static double sum(const T* data, int64_t n, const F& f) {
    constexpr int64_t kLanes = 16;
    double lanes[kLanes] = {};
    int64_t i = 0;
    for (; i + kLanes <= n; i += kLanes) {
      for (int64_t k = 0; k < kLanes; ++k) lanes[k] += f(static_cast<double>(data[i + k]));
    }
    for (; i < n; ++i) lanes[0] += f(static_cast<double>(data[i]));
    double total = 0;
    for (const double lane : lanes) total += lane;
    return total;
  }
};

void std_var_kernel(const TensorBase& out, const TensorBase& self, DimMask mask, double correction,
                    bool take_sqrt) {
  AT_DISPATCH_FLOATING_TYPES(self.scalar_type(), "std_cpu", [&] {
    strided_reduce<scalar_t, scalar_t>(out, self, mask, WelfordOp{correction, take_sqrt});
  });
}

// Whether running totals in A of elements of T may be joined in another order: where no part of
// them can overflow alone.
template <typename T, typename A>
constexpr bool kScansVectors =
    std::is_integral_v<T> || (std::is_same_v<A, double> &&
                              (vec::is_reduced_floating_point_v<T> || std::is_same_v<T, float>));

// As many elements as a vector has lanes, converted.
template <typename Reg, typename T>
Reg load_as(const T* p) {
  if constexpr (!std::is_integral_v<T>) {
    return vec::to_register(vec::load_as_double(p));
  } else {
    typedef T Elements __attribute__((vector_size(sizeof(T) * vec::kLanesOf<Reg>)));
    Elements elements;
    std::memcpy(&elements, p, sizeof(elements));
    return __builtin_convertvector(elements, Reg);
  }
}
template <typename T, typename Reg>
void store_from(T* p, const Reg& v) {
  if constexpr (!std::is_integral_v<T>) {
    vec::store_from_double(p, std::bit_cast<Vectorized<double>>(v));
  } else {
    typedef T Elements __attribute__((vector_size(sizeof(T) * vec::kLanesOf<Reg>)));
    const auto elements = __builtin_convertvector(v, Elements);
    std::memcpy(p, &elements, sizeof(elements));
  }
}

// Running totals of elements that lie together, in vectors: each lane takes in those before it.
// Returns how many elements were done, whose total `total` becomes.
template <typename T, typename A, typename F>
int64_t scan_vectors(const T* in, T* out, int64_t n, A& total, A start, const F& add) {
  using Totals = vec::Register<A>;
  constexpr int kLanes = vec::kLanesOf<Totals>;
  const auto identity = Totals{} + start;
  auto before = Totals{} + total;
  int64_t i = 0;
  for (; i + kLanes <= n; i += kLanes) {
    auto v = load_as<Totals>(in + i);
    const auto take_in = [&]<int kDistance>() {
      if constexpr (kDistance < kLanes) v = add(v, vec::shift_lanes<kDistance>(v, identity));
    };
    take_in.template operator()<1>();
    take_in.template operator()<2>();
    take_in.template operator()<4>();
    take_in.template operator()<8>();
    v = add(v, before);
    store_from(out + i, v);
    before = vec::broadcast_lane<kLanes - 1>(v);
  }
  total = before[0];
  return i;
}

// Running totals along `dim`: `add(total, element)` of the elements so far, from `start` on.
template <typename scalar_t, typename acc_t, typename F>
void scan(const TensorBase& out, const TensorBase& self, int64_t dim, acc_t start, const F& add) {
  const int64_t n = self.size(dim);
  int64_t inner = 1;
  for (int64_t d = dim + 1; d < self.dim(); ++d) inner *= self.size(d);
  const int64_t lines = n == 0 ? 0 : self.numel() / n;
  const int64_t grain = std::max<int64_t>(1, at::internal::GRAIN_SIZE / std::max<int64_t>(n, 1));
  const auto* in = static_cast<const scalar_t*>(self.const_data_ptr());
  auto* result = static_cast<scalar_t*>(out.mutable_data_ptr());
  // Goes along lines beside each other, the first of which begins at `first`, from element `begin`
  // on.
  const auto along = [&]<int kLines>(int64_t first, int64_t begin, acc_t total) {
    acc_t totals[kLines];
#pragma GCC unroll 4
    for (int k = 0; k < kLines; ++k) totals[k] = total;
    for (int64_t i = begin; i < n; ++i) {
#pragma GCC unroll 4
      for (int k = 0; k < kLines; ++k) {
        const int64_t at = first + i * inner + k;
        totals[k] = add(totals[k], static_cast<acc_t>(vec::to_float(in[at])));
        result[at] = vec::to_element<scalar_t>(totals[k]);
      }
    }
  };
  at::parallel_for(0, lines, grain, [&](int64_t begin, int64_t end) {
    if (inner == 1) {
      for (int64_t line = begin; line < end; ++line) {
        acc_t total = start;
        int64_t done = 0;
        if constexpr (kScansVectors<scalar_t, acc_t>) {
          done = scan_vectors(in + line * n, result + line * n, n, total, start, add);
        }
        along.template operator()<1>(line * n, done, total);
      }
      return;
    }
    // Lines that lie beside each other, which are read row by row.
    constexpr int64_t kTogether = 64;
    constexpr int64_t kFew = 8;
    for (int64_t line = begin; line < end;) {
      const int64_t place = line % inner;
      const int64_t count = std::min({kTogether, inner - place, end - line});
      const int64_t first = (line - place) * n + place;
      if (count < kFew) {
        if (count >= 4) {
          along.template operator()<4>(first, 0, start);
          line += 4;
        } else if (count >= 2) {
          along.template operator()<2>(first, 0, start);
          line += 2;
        } else {
          along.template operator()<1>(first, 0, start);
          line += 1;
        }
        continue;
      }
      acc_t totals[kTogether];
      std::fill_n(totals, count, start);
      for (int64_t i = 0; i < n; ++i) {
        const int64_t at = first + i * inner;
        if constexpr (vec::is_reduced_floating_point_v<scalar_t>) {
          float row[kTogether];
          vec::widen(row, in + at, count);
          for (int64_t k = 0; k < count; ++k) {
            totals[k] = add(totals[k], static_cast<acc_t>(row[k]));
            row[k] = static_cast<float>(totals[k]);
          }
          vec::narrow(result + at, row, count);
        } else {
          for (int64_t k = 0; k < count; ++k) {
            totals[k] = add(totals[k], static_cast<acc_t>(in[at + k]));
            result[at + k] = static_cast<scalar_t>(totals[k]);
          }
        }
      }
      line += count;
    }
  });
}

void cumsum_kernel(const TensorBase& out, const TensorBase& self, int64_t dim) {
  AT_DISPATCH_ALL_TYPES_AND_COMPLEX_AND2(kHalf, kBFloat16, self.scalar_type(), "cumsum_cpu", [&] {
    using acc_t = wrapping_type<at::acc_type<scalar_t, /*is_cuda=*/false>>;
    scan<scalar_t>(out, self, dim, acc_t(0),
                   [](const auto& sum, const auto& x) { return sum + x; });
  });
}

void cumprod_kernel(const TensorBase& out, const TensorBase& self, int64_t dim) {
  AT_DISPATCH_ALL_TYPES_AND_COMPLEX_AND2(
      kHalf, kBFloat16, self.scalar_type(), "cumprod_out_cpu", [&] {
        // Products of 8 floats, or of 8 elements of 16 bits, do not overflow in double.
        using acc_t = wrapping_type<
            std::conditional_t<c10::is_complex<scalar_t>::value || std::is_integral_v<scalar_t>,
                               at::opmath_type<scalar_t>, double>>;
        scan<scalar_t>(out, self, dim, acc_t(1),
                       [](const auto& product, const auto& x) { return product * x; });
      });
}

}  // namespace
}  // namespace CPU_CAPABILITY

REGISTER_DISPATCH(norm_stub, &CPU_CAPABILITY::norm_kernel)
REGISTER_DISPATCH(std_var_stub, &CPU_CAPABILITY::std_var_kernel)
REGISTER_DISPATCH(cumsum_stub, &CPU_CAPABILITY::cumsum_kernel)
REGISTER_DISPATCH(cumprod_stub, &CPU_CAPABILITY::cumprod_kernel)

}  // namespace at::native
