// Loops of norms, variances and running sums.

#define TORCH_ASSERT_NO_OPERATORS
#include <ATen/native/ReduceOps.h>

#include <ATen/AccumulateType.h>
#include <ATen/Dispatch.h>
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

void cumsum_kernel(const TensorBase& out, const TensorBase& self, int64_t dim) {
  const int64_t n = self.size(dim);
  int64_t inner = 1;
  for (int64_t d = dim + 1; d < self.dim(); ++d) inner *= self.size(d);
  const int64_t lines = n == 0 ? 0 : self.numel() / n;
  const int64_t grain = std::max<int64_t>(1, at::internal::GRAIN_SIZE / std::max<int64_t>(n, 1));
  AT_DISPATCH_ALL_TYPES_AND_COMPLEX_AND2(kHalf, kBFloat16, self.scalar_type(), "cumsum_cpu", [&] {
    const auto* in = static_cast<const scalar_t*>(self.const_data_ptr());
    auto* result = static_cast<scalar_t*>(out.mutable_data_ptr());
    at::parallel_for(0, lines, grain, [&](int64_t begin, int64_t end) {
      using acc_t = at::acc_type<scalar_t, /*is_cuda=*/false>;
      if (inner == 1) {
        for (int64_t start = begin * n; start < end * n; start += n) {
          acc_t sum(0);
          for (int64_t i = start; i < start + n; ++i) {
            sum = wrapping_add(sum, static_cast<acc_t>(vec::to_float(in[i])));
            result[i] = vec::to_element<scalar_t>(sum);
          }
        }
        return;
      }
      // Lines that lie beside each other, which are read row by row.
      constexpr int64_t kTogether = 64;
      for (int64_t line = begin; line < end;) {
        const int64_t place = line % inner;
        const int64_t count = std::min({kTogether, inner - place, end - line});
        int64_t start = (line - place) * n + place;
        acc_t sums[kTogether];
        std::fill_n(sums, count, acc_t(0));
        for (int64_t i = 0; i < n; ++i, start += inner) {
          for (int64_t k = 0; k < count; ++k) {
            sums[k] = wrapping_add(sums[k], static_cast<acc_t>(vec::to_float(in[start + k])));
            result[start + k] = vec::to_element<scalar_t>(sums[k]);
          }
        }
        line += count;
      }
    });
  });
}

}  // namespace
}  // namespace CPU_CAPABILITY

REGISTER_DISPATCH(norm_stub, &CPU_CAPABILITY::norm_kernel)
REGISTER_DISPATCH(std_var_stub, &CPU_CAPABILITY::std_var_kernel)
REGISTER_DISPATCH(cumsum_stub, &CPU_CAPABILITY::cumsum_kernel)

}  // namespace at::native
