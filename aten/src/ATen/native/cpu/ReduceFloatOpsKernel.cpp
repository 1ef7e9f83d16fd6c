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
#include <ATen/native/cpu/ReducedElement.h>
#include <ATen/native/cpu/StridedReduce.h>
#include <c10/core/ScalarType.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

namespace at::native {
inline namespace CPU_CAPABILITY {
namespace {

using vec::Vectorized;

// (sum |x|^p)^(1/p), accumulated in double.
struct TwoNormOp {
  using acc_t = double;
  double identity() const { return 0; }
  double reduce(double acc, double x) const { return acc + x * x; }
  // Sums squares in vectors of floats and adds the sum of each run in double. A run whose sum may
  // have overflowed or underflowed is summed again in double.
  double reduce_run(const float* data, int64_t n) const {
    using Vec = Vectorized<float>;
    constexpr int64_t kStep = 4 * Vec::size();
    double total = 0;
    int64_t i = 0;
    while (i + kStep <= n) {
      const int64_t begin = i;
      Vec acc[4] = {Vec(0.0f), Vec(0.0f), Vec(0.0f), Vec(0.0f)};
      const int64_t end = std::min(n, i + kVectorRun * kStep);
      for (; i + kStep <= end; i += kStep) {
#pragma GCC unroll 4
        for (int k = 0; k < 4; ++k) {
          const Vec x = Vec::loadu(data + i + k * Vec::size());
          acc[k] = vec::fmadd(x, x, acc[k]);
        }
      }
      float lanes[Vec::size()];
      ((acc[0] + acc[1]) + (acc[2] + acc[3])).store(lanes);
      float sum = 0;
      for (const float lane : lanes) sum += lane;
      if (sum > 1e-25f && sum < 1e37f) {
        total += static_cast<double>(sum);
      } else {
        for (int64_t k = begin; k < i; ++k) total = reduce(total, static_cast<double>(data[k]));
      }
    }
    for (; i < n; ++i) total = reduce(total, static_cast<double>(data[i]));
    return total;
  }
  double combine(double a, double b) const { return a + b; }
  double project(double acc) const { return std::sqrt(acc); }
};

struct OneNormOp {
  using acc_t = double;
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
  AT_DISPATCH_FLOATING_TYPES(self.scalar_type(), "norm_cpu", [&] {
    if (p == 2) {
      strided_reduce<scalar_t, scalar_t>(out, self, mask, TwoNormOp{});
    } else if (p == 1) {
      strided_reduce<scalar_t, scalar_t>(out, self, mask, OneNormOp{});
    } else if (std::isinf(p)) {
      strided_reduce<scalar_t, scalar_t>(out, self, mask, ExtremeNormOp{p > 0});
    } else {
      strided_reduce<scalar_t, scalar_t>(out, self, mask, GeneralNormOp{p});
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
  // Goes along lines that begin at `first`, a step apart, side by side: one waits for its total
  // while another is added to.
  const auto along = [&]<int64_t kLines>(int64_t first) {
    acc_t totals[kLines];
    std::fill_n(totals, kLines, start);
    for (int64_t i = 0; i < n; ++i) {
      for (int64_t k = 0; k < kLines; ++k) {
        const int64_t at = first + k * n + i;
        totals[k] = add(totals[k], static_cast<acc_t>(vec::to_float(in[at])));
        result[at] = vec::to_element<scalar_t>(totals[k]);
      }
    }
  };
  at::parallel_for(0, lines, grain, [&](int64_t begin, int64_t end) {
    if (inner == 1) {
      constexpr int64_t kLines = 4;
      int64_t line = begin;
      for (; line + kLines <= end; line += kLines) along.template operator()<kLines>(line * n);
      for (; line < end; ++line) along.template operator()<1>(line * n);
      return;
    }
    // Lines that lie beside each other, which are read row by row.
    constexpr int64_t kTogether = 64;
    for (int64_t line = begin; line < end;) {
      const int64_t place = line % inner;
      const int64_t count = std::min({kTogether, inner - place, end - line});
      int64_t at = (line - place) * n + place;
      acc_t totals[kTogether];
      std::fill_n(totals, count, start);
      for (int64_t i = 0; i < n; ++i, at += inner) {
        for (int64_t k = 0; k < count; ++k) {
          totals[k] = add(totals[k], static_cast<acc_t>(vec::to_float(in[at + k])));
          result[at + k] = vec::to_element<scalar_t>(totals[k]);
        }
      }
      line += count;
    }
  });
}

void cumsum_kernel(const TensorBase& out, const TensorBase& self, int64_t dim) {
  AT_DISPATCH_ALL_TYPES_AND_COMPLEX_AND2(kHalf, kBFloat16, self.scalar_type(), "cumsum_cpu", [&] {
    using acc_t = at::acc_type<scalar_t, /*is_cuda=*/false>;
    scan<scalar_t>(out, self, dim, acc_t(0),
                   [](acc_t sum, acc_t x) { return wrapping_add(sum, x); });
  });
}

void cumprod_kernel(const TensorBase& out, const TensorBase& self, int64_t dim) {
  AT_DISPATCH_ALL_TYPES_AND_COMPLEX_AND2(
      kHalf, kBFloat16, self.scalar_type(), "cumprod_out_cpu", [&] {
        using acc_t = at::opmath_type<scalar_t>;
        scan<scalar_t>(out, self, dim, acc_t(1),
                       [](acc_t product, acc_t x) { return wrapping_mul(product, x); });
      });
}

}  // namespace
}  // namespace CPU_CAPABILITY

REGISTER_DISPATCH(norm_stub, &CPU_CAPABILITY::norm_kernel)
REGISTER_DISPATCH(std_var_stub, &CPU_CAPABILITY::std_var_kernel)
REGISTER_DISPATCH(cumsum_stub, &CPU_CAPABILITY::cumsum_kernel)
REGISTER_DISPATCH(cumprod_stub, &CPU_CAPABILITY::cumprod_kernel)

}  // namespace at::native
