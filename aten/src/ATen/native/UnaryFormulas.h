#pragma once

// The formulas of elementwise functions of one argument, shared by the CPU and CUDA kernels. N is
// the type of the parameters. V is the type of the elements: a scalar, or a vector of them. T is a
// scalar.

#include <ATen/native/Formula.h>
#include <ATen/native/Wrapping.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace at::native {
inline namespace AT_FORMULA_NAMESPACE {
namespace unary {

// The nearest integer; of two, the even one.
template <typename V>
C10_HOST_DEVICE V rounded(V x) {
  if constexpr (std::is_arithmetic_v<V>) {
    return std::nearbyint(x);
  } else {
    return x.round();
  }
}

// The integer part.
template <typename V>
C10_HOST_DEVICE V truncated(V x) {
  if constexpr (std::is_arithmetic_v<V>) {
    return std::trunc(x);
  } else {
    return x.trunc();
  }
}

// Integers wrap around: the smallest one is its own negative, and its own magnitude.
struct Negative {
  template <typename V>
  C10_HOST_DEVICE V operator()(V x) const {
    if constexpr (std::is_integral_v<V>) {
      return wrapping_neg(x);
    } else {
      return -x;
    }
  }
};
struct Magnitude {
  template <typename V>
  C10_HOST_DEVICE V operator()(V x) const {
    if constexpr (std::is_integral_v<V>) {
      return x < V(0) ? wrapping_neg(x) : x;
    } else if constexpr (std::is_arithmetic_v<V>) {
      return std::abs(x);
    } else {
      return x.abs();
    }
  }
};

// 1, 0 or -1. NaN has the sign 0, as in PyTorch.
struct Sign {
  template <typename V>
  C10_HOST_DEVICE V operator()(V x) const {
    const V zero(0);
    if constexpr (std::is_arithmetic_v<V>) {
      return static_cast<V>(static_cast<int>(zero < x) - static_cast<int>(x < zero));
    } else {
      return select(V(x > zero), V(1), select(V(x < zero), V(-1), zero));
    }
  }
};

// Whether the highest bit is set: -0 and NaN may have it. By the bits, because GCC 12 ends with an
// internal error where it makes vectors of std::signbit.
struct SignBit {
  template <typename T>
  C10_HOST_DEVICE bool operator()(T x) const {
    if constexpr (std::is_unsigned_v<T>) {
      return false;
    } else if constexpr (std::is_integral_v<T>) {
      return x < 0;
    } else {
      using Bits = std::conditional_t<sizeof(T) == 8, int64_t,
                                      std::conditional_t<sizeof(T) == 4, int32_t, int16_t>>;
      return std::bit_cast<Bits>(x) < 0;
    }
  }
};

struct Fraction {
  template <typename V>
  C10_HOST_DEVICE V operator()(V x) const {
    return x - truncated(x);
  }
};

// Names are looked up in std for real numbers and in c10 for complex ones, which CPU kernels have.
struct Sigmoid {
  template <typename T>
  C10_HOST_DEVICE T operator()(T x) const {
    using std::exp;
    return T(1) / (T(1) + exp(-x));
  }
};

// sin(pi x) / (pi x), 1 at 0.
struct Sinc {
  template <typename T>
  C10_HOST_DEVICE T operator()(T x) const {
    using std::sin;
    if (x == T(0)) return T(1);
    const T product = x * T(3.14159265358979323846);
    return sin(product) / product;
  }
};

// -x log(x), 0 at 0, -inf for negative numbers.
struct Entropy {
  template <typename T>
  C10_HOST_DEVICE T operator()(T x) const {
    if (x != x) return x;
    if (x > 0) return -x * log_of(x);
    return x == 0 ? T(0) : -std::numeric_limits<T>::infinity();
  }
};

// Limits that are numbers of N. Comparisons with a NaN are false, so that a NaN element stays.
template <typename N>
struct ClampTo {
  N low, high;
  template <typename T>
  C10_HOST_DEVICE T operator()(T x) const {
    return clamped(x, static_cast<T>(low), static_cast<T>(high));
  }
};
template <typename N>
struct ClampFrom {
  N low;
  template <typename T>
  C10_HOST_DEVICE T operator()(T x) const {
    return x < static_cast<T>(low) ? static_cast<T>(low) : x;
  }
};
template <typename N>
struct ClampUntil {
  N high;
  template <typename T>
  C10_HOST_DEVICE T operator()(T x) const {
    return static_cast<T>(high) < x ? static_cast<T>(high) : x;
  }
};

// log(x / (1 - x)); with `clamps`, x is brought into [eps, 1 - eps] first. NaN gives NaN.
template <typename N>
struct Logit {
  N eps;
  bool clamps;
  template <typename V>
  C10_HOST_DEVICE V operator()(V x) const {
    const V one = constant<V>(1);
    const V low = constant<V>(eps);
    if (clamps) x = clamped(x, low, V(one - low));
    return log_of(V(x / (one - x)));
  }
};

// Numbers in the place of NaN and the infinities.
template <typename N>
struct NanToNum {
  N nan, low, high;
  template <typename V>
  C10_HOST_DEVICE V operator()(V x) const {
    const V infinity = constant<V>(std::numeric_limits<double>::infinity());
    const V finite =
        select(x == V(-infinity), constant<V>(low), V(select(x == infinity, constant<V>(high), x)));
    // A vector's != is false for NaN.
    return select(x == x, finite, constant<V>(nan));
  }
};

// To a number of decimal places; `scale` is 10 to the power of their number, of its opposite with
// `before_point`.
template <typename N>
struct RoundDecimals {
  N scale;
  bool before_point;
  template <typename V>
  C10_HOST_DEVICE V operator()(V x) const {
    const V factor = constant<V>(scale);
    return before_point ? V(rounded(V(x / factor)) * factor) : V(rounded(V(x * factor)) / factor);
  }
};

}  // namespace unary
}  // namespace AT_FORMULA_NAMESPACE
}  // namespace at::native
