// Distances between the rows of two matrices, and their gradients, in vectors along the rows.

#define TORCH_ASSERT_NO_OPERATORS
#include <ATen/native/Distance.h>

#include <ATen/Dispatch.h>
#include <ATen/Parallel.h>
#include <ATen/core/TensorBase.h>
#include <ATen/cpu/vec/vec.h>
#include <ATen/native/cpu/PartialVectors.h>
#include <c10/core/ScalarType.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <vector>

namespace at::native {
inline namespace CPU_CAPABILITY {
namespace {

using vec::Vectorized;

// The norms: `add` takes the size of a difference, `join` two sums, of elements or of vectors of
// them. A size of 0 changes nothing.
template <typename T>
struct Sums {
  template <typename U>
  static U join(const U& a, const U& b) {
    return a + b;
  }
  static T finish(T sum) { return sum; }
};
template <typename T>
struct CountNorm : Sums<T> {
  using V = Vectorized<T>;
  static T add(T sum, T x) { return x != 0 ? sum + 1 : sum; }
  static V add(const V& sum, const V& x) { return sum + x.ne(V(T(0))); }
};
template <typename T>
struct OneNorm : Sums<T> {
  template <typename U>
  static U add(const U& sum, const U& x) {
    return sum + x;
  }
};
template <typename T>
struct TwoNorm : Sums<T> {
  template <typename U>
  static U add(const U& sum, const U& x) {
    return sum + x * x;
  }
  static T finish(T sum) { return std::sqrt(sum); }
};
template <typename T>
struct PowerNorm : Sums<T> {
  using V = Vectorized<T>;
  T p;
  T add(T sum, T x) const { return sum + std::pow(x, p); }
  V add(const V& sum, const V& x) const { return sum + x.pow(V(p)); }
  T finish(T sum) const { return std::pow(sum, T(1) / p); }
};
template <typename T>
struct LargestNorm {
  using V = Vectorized<T>;
  static T add(T most, T x) { return most < x || x != x ? x : most; }
  static V add(const V& most, const V& x) { return vec::maximum(most, x); }
  template <typename U>
  static U join(const U& a, const U& b) {
    return add(a, b);
  }
  static T finish(T most) { return most; }
};

// The norm of the difference of two rows.
template <typename T, typename Norm>
T distance(const T* x, const T* y, int64_t k, const Norm& norm) {
  using V = Vectorized<T>;
  constexpr int64_t kStep = V::size();
  constexpr int64_t kChains = 4;
  if (k < kStep) {
    T sum(0);
    for (int64_t d = 0; d < k; ++d) sum = norm.add(sum, std::abs(x[d] - y[d]));
    return norm.finish(sum);
  }
  V sums[kChains];
  const auto take = [&](V& to, const V& a, const V& b) { to = norm.add(to, V((a - b).abs())); };
  int64_t d = 0;
  for (; d + kChains * kStep <= k; d += kChains * kStep) {
#pragma GCC unroll 4
    for (int64_t c = 0; c < kChains; ++c) {
      const int64_t at = d + c * kStep;
      take(sums[c], V::loadu(x + at), V::loadu(y + at));
    }
  }
  for (; d + kStep <= k; d += kStep) take(sums[0], V::loadu(x + d), V::loadu(y + d));
  if (d < k) take(sums[1], vec::load_part(x + d, k - d), vec::load_part(y + d, k - d));
  T lanes[kStep];
  norm.join(norm.join(sums[0], sums[1]), norm.join(sums[2], sums[3])).store(lanes);
  for (int64_t half = kStep / 2; half > 0; half /= 2) {
    for (int64_t k = 0; k < half; ++k) lanes[k] = norm.join(lanes[k], lanes[k + half]);
  }
  return norm.finish(lanes[0]);
}

template <typename T, typename Norm>
void distances(const TensorBase& out, const TensorBase& left, const TensorBase& right,
               const Norm& norm) {
  const int64_t n = left.size(-2);
  const int64_t m = right.size(-2);
  const int64_t k = left.size(-1);
  const T* const a = left.const_data_ptr<T>();
  const T* const b = right.const_data_ptr<T>();
  T* const to = out.mutable_data_ptr<T>();
  const int64_t grain = std::max<int64_t>(1, 16384 / (m * k));
  if (a != b || n != m) {
    at::parallel_for(0, out.numel() / m, grain, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        const T* rows = b + i / n * m * k;
        for (int64_t j = 0; j < m; ++j) {
          to[i * m + j] = distance(a + i * k, rows + j * k, k, norm);
        }
      }
    });
    return;
  }
  // The distances of a matrix to itself: each pair once. A short line of pairs goes with a long
  // one, so that threads have equal shares.
  const int64_t half = (n + 1) / 2;
  at::parallel_for(0, out.numel() / (n * n) * half, grain, [&](int64_t begin, int64_t end) {
    for (int64_t t = begin; t < end; ++t) {
      const T* rows = a + t / half * n * k;
      T* result = to + t / half * n * n;
      const auto line = [&](int64_t i) {
        for (int64_t j = i; j < n; ++j) {
          const T found = distance(rows + i * k, rows + j * k, k, norm);
          result[i * n + j] = found;
          result[j * n + i] = found;
        }
      };
      const int64_t i = t % half;
      line(i);
      if (n - 1 - i != i) line(n - 1 - i);
    }
  });
}

void cdist_kernel(const TensorBase& out, const TensorBase& left, const TensorBase& right,
                  double p) {
  AT_DISPATCH_FLOATING_TYPES(left.scalar_type(), "cdist", [&] {
    if (p == 0) {
      distances<scalar_t>(out, left, right, CountNorm<scalar_t>());
    } else if (p == 1) {
      distances<scalar_t>(out, left, right, OneNorm<scalar_t>());
    } else if (p == 2) {
      distances<scalar_t>(out, left, right, TwoNorm<scalar_t>());
    } else if (std::isinf(p)) {
      distances<scalar_t>(out, left, right, LargestNorm<scalar_t>());
    } else {
      PowerNorm<scalar_t> norm;
      norm.p = static_cast<scalar_t>(p);
      distances<scalar_t>(out, left, right, norm);
    }
  });
}

// The derivatives of a distance by the difference along one dimension, times its gradient: `factor`
// is what the dimensions share. A difference of 0 has the derivative 0: for p < 1 that is a
// subgradient of an infinite slope.
template <typename T>
struct OneSlope {
  using V = Vectorized<T>;
  static V sign(const V& x) { return x.gt(V(T(0))) - x.lt(V(T(0))); }
  static T factor(T grad, T /*length*/) { return grad; }
  static V of(const V& factor, const V& /*length*/, const V& x) { return factor * sign(x); }
};
template <typename T>
struct TwoSlope : OneSlope<T> {
  using V = Vectorized<T>;
  static T factor(T grad, T length) { return grad / length; }
  static V of(const V& factor, const V& /*length*/, const V& x) { return factor * x; }
};
template <typename T>
struct LargestSlope : OneSlope<T> {
  using V = Vectorized<T>;
  static V of(const V& factor, const V& length, const V& x) {
    return factor * OneSlope<T>::sign(x) * x.abs().eq(length);
  }
};
template <typename T>
struct PowerSlope : OneSlope<T> {
  using V = Vectorized<T>;
  T p;
  V of(const V& factor, const V& length, const V& x) const {
    const V zero(T(0));
    const V slope = factor * OneSlope<T>::sign(x) * (x.abs() / length).pow(V(p - 1));
    return V::blendv(zero, slope, x != zero);
  }
};

// out = the sum of the slopes between x and each of the `m` rows.
template <typename T, typename Slope>
void gradient_of_row(T* out, const T* x, const T* rows, const T* grads, const T* lengths, int64_t m,
                     int64_t k, const Slope& slope, std::vector<int64_t>& places) {
  using V = Vectorized<T>;
  using Reg = vec::Register<T>;
  static constexpr int64_t kStep = V::size();
  constexpr int kChains = 4;
  places.clear();
  for (int64_t j = 0; j < m; ++j) {
    // Most pairs of pdist have no gradient.
    if (lengths[j] != 0 && (grads[j] != 0 || !std::isfinite(lengths[j]))) places.push_back(j);
  }
  // The vectors from `d` on, the last of which has `part` elements.
  const auto sum = [&]<int kVectors>(int64_t d, int64_t part) {
    const auto load = [part](const T* p, int v) -> V {
      return v + 1 < kVectors ? V::loadu(p + v * kStep) : vec::load_part(p + v * kStep, part);
    };
    Reg sums[kVectors];
    Reg from[kVectors];
#pragma GCC unroll 4
    for (int v = 0; v < kVectors; ++v) {
      sums[v] = Reg{};
      from[v] = vec::to_register(load(x + d, v));
    }
    for (const int64_t j : places) {
      const V factor(slope.factor(grads[j], lengths[j]));
      const V length(lengths[j]);
#pragma GCC unroll 4
      for (int v = 0; v < kVectors; ++v) {
        const V difference = std::bit_cast<V>(from[v]) - load(rows + j * k + d, v);
        sums[v] += vec::to_register(V(slope.of(factor, length, difference)));
      }
    }
#pragma GCC unroll 4
    for (int v = 0; v < kVectors; ++v) {
      vec::store_part(out + d + v * kStep, std::bit_cast<V>(sums[v]),
                      v + 1 < kVectors ? kStep : part);
    }
  };
  int64_t d = 0;
  for (; d + kChains * kStep <= k; d += kChains * kStep) sum.template operator()<kChains>(d, kStep);
  for (; d < k; d += kStep) sum.template operator()<1>(d, std::min(kStep, k - d));
}

template <typename T, typename Slope>
void gradients(const TensorBase& out, const TensorBase& grad, const TensorBase& left,
               const TensorBase& right, const TensorBase& cdist, const Slope& slope) {
  const int64_t n = left.size(-2);
  const int64_t m = right.size(-2);
  const int64_t k = left.size(-1);
  const T* const a = left.const_data_ptr<T>();
  const T* const b = right.const_data_ptr<T>();
  const T* const grads = grad.const_data_ptr<T>();
  const T* const lengths = cdist.const_data_ptr<T>();
  T* const to = out.mutable_data_ptr<T>();
  at::parallel_for(0, out.numel() / k, std::max<int64_t>(1, 16384 / (m * k)),
                   [&](int64_t begin, int64_t end) {
                     std::vector<int64_t> places;
                     for (int64_t i = begin; i < end; ++i) {
                       gradient_of_row(to + i * k, a + i * k, b + i / n * m * k, grads + i * m,
                                       lengths + i * m, m, k, slope, places);
                     }
                   });
}

void cdist_backward_kernel(const TensorBase& out, const TensorBase& grad, const TensorBase& left,
                           const TensorBase& right, double p, const TensorBase& cdist) {
  AT_DISPATCH_FLOATING_TYPES(left.scalar_type(), "cdist_backward", [&] {
    if (p == 1) {
      gradients<scalar_t>(out, grad, left, right, cdist, OneSlope<scalar_t>());
    } else if (p == 2) {
      gradients<scalar_t>(out, grad, left, right, cdist, TwoSlope<scalar_t>());
    } else if (std::isinf(p)) {
      gradients<scalar_t>(out, grad, left, right, cdist, LargestSlope<scalar_t>());
    } else {
      PowerSlope<scalar_t> slope;
      slope.p = static_cast<scalar_t>(p);
      gradients<scalar_t>(out, grad, left, right, cdist, slope);
    }
  });
}

}  // namespace
}  // namespace CPU_CAPABILITY

REGISTER_DISPATCH(cdist_stub, &CPU_CAPABILITY::cdist_kernel)
REGISTER_DISPATCH(cdist_backward_stub, &CPU_CAPABILITY::cdist_backward_kernel)

}  // namespace at::native
