#pragma once

// The formulas of elementwise functions of two arguments, shared by the CPU and CUDA kernels. V is
// the type of the elements: a scalar, or a vector of them. T is a scalar.

#include <ATen/native/Formula.h>
#include <ATen/native/UnaryFormulas.h>
#include <ATen/native/Wrapping.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace at::native {
inline namespace AT_FORMULA_NAMESPACE {
namespace binary {

// The quotient, rounded towards zero. A GPU has no trap for the division of integers by zero: the
// result is unspecified there, as in PyTorch. Kernels of the CPU check the divisor.
struct TruncatedQuotient {
  template <typename V>
  C10_HOST_DEVICE V operator()(V a, V b) const {
    if constexpr (std::is_integral_v<V>) {
      return static_cast<V>(a / b);
    } else {
      return unary::truncated(V(a / b));
    }
  }
};

// C's remainder, which has the sign of the dividend. The same holds of integers.
struct Fmod {
  template <typename T>
  C10_HOST_DEVICE T operator()(T a, T b) const {
    if constexpr (std::is_integral_v<T>) {
      return static_cast<T>(a % b);
    } else {
      return std::fmod(a, b);
    }
  }
};

// add, and mul. Integers wrap around.
template <typename N>
struct AddScaled {
  N alpha;
  template <typename T>
  C10_HOST_DEVICE T operator()(T a, T b) const {
    if constexpr (std::is_integral_v<T>) {
      return wrapping_add(a, wrapping_mul(static_cast<T>(alpha), b));
    } else {
      return a + static_cast<T>(alpha) * b;
    }
  }
};
struct Product {
  template <typename V>
  C10_HOST_DEVICE V operator()(V a, V b) const {
    if constexpr (std::is_integral_v<V>) {
      return wrapping_mul(a, b);
    } else {
      return a * b;
    }
  }
};

// mse_loss
struct SquaredDifference {
  template <typename V>
  C10_HOST_DEVICE V operator()(V a, V b) const {
    return (a - b) * (a - b);
  }
};

// Gradients take the gradient of the result first, and then the result.
struct SigmoidBackward {
  template <typename V>
  C10_HOST_DEVICE V operator()(V grad, V y) const {
    return grad * (constant<V>(1) - y) * y;
  }
};
struct TanhBackward {
  template <typename V>
  C10_HOST_DEVICE V operator()(V grad, V y) const {
    return grad * (constant<V>(1) - y * y);
  }
};

// Takes the input x, not the result. `low` is 0 where the input is not clamped.
template <typename N>
struct LogitBackward {
  N low;
  bool clamped;
  template <typename V>
  C10_HOST_DEVICE V operator()(V grad, V x) const {
    const V one = constant<V>(1);
    const V outside = constant<V>(clamped ? N(0) : std::numeric_limits<N>::quiet_NaN());
    return select((x < constant<V>(low)) | (x > one - constant<V>(low)), outside,
                  V(grad / (x * (one - x))));
  }
};

// A NaN in either argument is the result. Of equal arguments, such as 0 and -0, the first.
struct Maximum {
  template <typename T>
  C10_HOST_DEVICE T operator()(T a, T b) const {
    if (a != a) return a;
    return b != b || a < b ? b : a;
  }
};
struct Minimum {
  template <typename T>
  C10_HOST_DEVICE T operator()(T a, T b) const {
    if (a != a) return a;
    return b != b || b < a ? b : a;
  }
};

// x log(y): 0 where x is, NaN where y is.
struct XLogY {
  template <typename V>
  C10_HOST_DEVICE V operator()(V x, V y) const {
    const V zero = constant<V>(0);
    return select(y != y, y, select(x == zero, zero, V(x * log_of(y))));
  }
};
struct XLog1PY {
  template <typename V>
  C10_HOST_DEVICE V operator()(V x, V y) const {
    const V zero = constant<V>(0);
    return select(y != y, y, select(x == zero, zero, V(x * log1p_of(y))));
  }
};

// log(exp(a) + exp(b)) or log2(2^a + 2^b), without overflow. Equal infinities are their own sum.
template <bool kBase2>
struct LogAddExp {
  template <typename T>
  C10_HOST_DEVICE T operator()(T a, T b) const {
    if (std::isinf(a) && a == b) return a;
    const T high = Maximum()(a, b);
    const T difference = -std::abs(a - b);
    if constexpr (kBase2) {
      constexpr T kLog2E = static_cast<T>(1.44269504088896340736);
      return high + std::log1p(std::exp2(difference)) * kLog2E;
    } else {
      return high + std::log1p(std::exp(difference));
    }
  }
};

// Shifts by a negative number or by all the bits leave nothing, or the sign. Without branches, so
// that the compiler may make vectors.
template <typename T>
using ShiftedWord = std::conditional_t<sizeof(T) == 8, uint64_t, uint32_t>;

struct ShiftLeft {
  template <typename T>
  C10_HOST_DEVICE T operator()(T a, T b) const {
    using Word = ShiftedWord<T>;
    constexpr auto kBits = static_cast<Word>(sizeof(T) * 8);
    const auto shift = static_cast<Word>(b);
    const Word moved = static_cast<Word>(a) << (shift & (8 * sizeof(Word) - 1));
    return static_cast<T>(shift < kBits ? moved : Word(0));
  }
};
struct ShiftRight {
  template <typename T>
  C10_HOST_DEVICE T operator()(T a, T b) const {
    using Word = ShiftedWord<T>;
    constexpr auto kBits = static_cast<Word>(sizeof(T) * 8);
    const auto shift = static_cast<Word>(b);
    if constexpr (std::is_signed_v<T>) {
      return static_cast<T>(a >> (shift < kBits ? shift : kBits - 1));
    } else {
      const Word moved = static_cast<Word>(a) >> (shift & (8 * sizeof(Word) - 1));
      return static_cast<T>(shift < kBits ? moved : Word(0));
    }
  }
};

}  // namespace binary
}  // namespace AT_FORMULA_NAMESPACE
}  // namespace at::native
