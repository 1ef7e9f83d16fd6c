#pragma once

// The formulas of reductions, shared by the CPU and CUDA kernels. T is a scalar.

#include <ATen/native/BinaryFormulas.h>
#include <ATen/native/Formula.h>

#include <limits>

namespace at::native {
inline namespace AT_FORMULA_NAMESPACE {
namespace reduction {

// The larger (or smaller) of two. NaN wins over everything.
template <typename T>
C10_HOST_DEVICE T extreme(T a, T b, bool largest) {
  return largest ? binary::Maximum()(a, b) : binary::Minimum()(a, b);
}

// Neutral for it.
template <typename T>
C10_HOST_DEVICE T extreme_identity(bool largest) {
  using limits = std::numeric_limits<T>;
  if constexpr (limits::has_infinity) {
    return largest ? -limits::infinity() : limits::infinity();
  } else {
    return largest ? limits::lowest() : limits::max();
  }
}

// The mean of numbers, and the sum of their squared distances from it. One pass by B. P. Welford,
// "Note on a method for calculating corrected sums of squares and products", 1962; parts are joined
// as in Chan, Golub and LeVeque, 1979.
template <typename T>
struct Moments {
  T mean = 0;
  T squares = 0;
  T count = 0;

  C10_HOST_DEVICE void add(T x) {
    count += T(1);
    const T delta = x - mean;
    mean += delta / count;
    squares += delta * (x - mean);
  }
  C10_HOST_DEVICE static Moments join(const Moments& a, const Moments& b) {
    if (a.count == T(0)) return b;
    if (b.count == T(0)) return a;
    const T count = a.count + b.count;
    const T delta = b.mean - a.mean;
    const T share = b.count / count;
    return {a.mean + delta * share, a.squares + b.squares + delta * delta * a.count * share, count};
  }
  // The variance; infinite or NaN if there are no more numbers than `correction`.
  C10_HOST_DEVICE T variance(T correction) const {
    return squares / (count > correction ? count - correction : T(0));
  }
};

}  // namespace reduction
}  // namespace AT_FORMULA_NAMESPACE
}  // namespace at::native
