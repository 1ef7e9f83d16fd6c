#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <type_traits>

#include "tools/cuda_emulator/decoder.h"

namespace emulator {

enum class HalfOperation : std::uint8_t {
  kAdd,
  kSubtract,
  kMultiply,
  kMultiplyAdd,
  kNegate,
  kAbsolute,
  kMinimum,
  kMaximum
};

// The form of an instruction for .f16, .bf16 and pairs of them.
void decode_half(Decoder& decoder, const Statement& statement, Instruction& instruction,
                 HalfOperation operation, std::size_t sources);

namespace float_operations {

// The one NaN that arithmetic in float32 makes.
template <class T>
T canonical(T value) {
  if constexpr (std::is_same_v<T, float>) {
    return value == value ? value : std::bit_cast<float>(0x7fffffffu);
  } else {
    return value;
  }
}

struct Add {
  static constexpr HalfOperation kHalf = HalfOperation::kAdd;
  template <class T>
  T operator()(T a, T b) const {
    return canonical(a + b);
  }
};
struct Subtract {
  static constexpr HalfOperation kHalf = HalfOperation::kSubtract;
  template <class T>
  T operator()(T a, T b) const {
    return canonical(a - b);
  }
};
struct Multiply {
  static constexpr HalfOperation kHalf = HalfOperation::kMultiply;
  template <class T>
  T operator()(T a, T b) const {
    return canonical(a * b);
  }
};
struct MultiplyAdd {
  static constexpr HalfOperation kHalf = HalfOperation::kMultiplyAdd;
  template <class T>
  T operator()(T a, T b, T c) const {
    return canonical(std::fma(a, b, c));
  }
};
struct Divide {
  template <class T>
  T operator()(T a, T b) const {
    return canonical(a / b);
  }
};
struct Reciprocal {
  template <class T>
  T operator()(T a) const {
    return canonical(T{1} / a);
  }
};
struct SquareRoot {
  template <class T>
  T operator()(T a) const {
    return canonical(std::sqrt(a));
  }
};
struct Negate {
  static constexpr HalfOperation kHalf = HalfOperation::kNegate;
  template <class T>
  T operator()(T a) const {
    return -a;
  }
};
struct Absolute {
  static constexpr HalfOperation kHalf = HalfOperation::kAbsolute;
  template <class T>
  T operator()(T a) const {
    return std::fabs(a);
  }
};
// The sign of the first, the value of the second.
struct CopySign {
  template <class T>
  T operator()(T a, T b) const {
    return std::copysign(b, a);
  }
};
// A NaN loses against a number, and -0 is less than 0.
struct Minimum {
  static constexpr HalfOperation kHalf = HalfOperation::kMinimum;
  template <class T>
  T operator()(T a, T b) const {
    if (a != a) return canonical(b);
    if (a == b) return std::signbit(a) ? a : b;
    return b < a ? b : a;
  }
};
struct Maximum {
  static constexpr HalfOperation kHalf = HalfOperation::kMaximum;
  template <class T>
  T operator()(T a, T b) const {
    if (a != a) return canonical(b);
    if (a == b) return std::signbit(a) ? b : a;
    return a < b ? b : a;
  }
};
struct MinimumNaN {
  template <class T>
  T operator()(T a, T b) const {
    return a != a || b != b ? canonical(a + b) : Minimum()(a, b);
  }
};
struct MaximumNaN {
  template <class T>
  T operator()(T a, T b) const {
    return a != a || b != b ? canonical(a + b) : Maximum()(a, b);
  }
};

}  // namespace float_operations
}  // namespace emulator
