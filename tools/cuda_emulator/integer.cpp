#include <algorithm>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "tools/cuda_emulator/elementwise.h"

// add, sub, mul, mad, div, rem, abs, neg, min, max, sad of integers, and dot products of bytes.
namespace emulator {
namespace {

// Unsigned and at least 32 bits wide, so that nothing overflows or is promoted.
template <class T>
using Wrapping = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;
template <class T>
using Wide = std::conditional_t<
    std::is_signed_v<T>,
    std::conditional_t<sizeof(T) == 8, __int128,
                       std::conditional_t<sizeof(T) == 4, std::int64_t, std::int32_t>>,
    std::conditional_t<sizeof(T) == 8, unsigned __int128,
                       std::conditional_t<sizeof(T) == 4, std::uint64_t, std::uint32_t>>>;

struct Add {
  template <class T>
  T operator()(T a, T b) const {
    return static_cast<T>(Wrapping<T>(a) + Wrapping<T>(b));
  }
};
struct Subtract {
  template <class T>
  T operator()(T a, T b) const {
    return static_cast<T>(Wrapping<T>(a) - Wrapping<T>(b));
  }
};
template <class F>
struct Saturated {
  std::int32_t operator()(std::int32_t a, std::int32_t b) const {
    const std::int64_t exact = F()(std::int64_t{a}, std::int64_t{b});
    return static_cast<std::int32_t>(std::clamp<std::int64_t>(
        exact, std::numeric_limits<std::int32_t>::min(), std::numeric_limits<std::int32_t>::max()));
  }
};
struct MultiplyLow {
  template <class T>
  T operator()(T a, T b) const {
    return static_cast<T>(Wrapping<T>(a) * Wrapping<T>(b));
  }
};
struct MultiplyHigh {
  template <class T>
  T operator()(T a, T b) const {
    return static_cast<T>((Wide<T>(a) * Wide<T>(b)) >> (8 * sizeof(T)));
  }
};
struct MultiplyWide {
  template <class T>
  Wide<T> operator()(T a, T b) const {
    return Wide<T>(a) * Wide<T>(b);
  }
};
template <class F>
struct ThenAdd {
  template <class T, class C>
  C operator()(T a, T b, C c) const {
    return Add()(static_cast<C>(F()(a, b)), c);
  }
};
// A GPU does not stop at a division by zero.
struct Divide {
  template <class T>
  T operator()(T a, T b) const {
    if (b == 0) return static_cast<T>(-1);
    if (std::is_signed_v<T> && b == static_cast<T>(-1)) return Subtract()(T{0}, a);
    return static_cast<T>(a / b);
  }
};
struct Remainder {
  template <class T>
  T operator()(T a, T b) const {
    if (b == 0) return a;
    if (std::is_signed_v<T> && b == static_cast<T>(-1)) return 0;
    return static_cast<T>(a % b);
  }
};
struct Minimum {
  template <class T>
  T operator()(T a, T b) const {
    return b < a ? b : a;
  }
};
struct Maximum {
  template <class T>
  T operator()(T a, T b) const {
    return a < b ? b : a;
  }
};
struct Negate {
  template <class T>
  T operator()(T a) const {
    return Subtract()(T{0}, a);
  }
};
struct Absolute {
  template <class T>
  T operator()(T a) const {
    return a < 0 ? Subtract()(T{0}, a) : a;
  }
};
struct AbsoluteDifferences {
  template <class T>
  T operator()(T a, T b, T c) const {
    return Add()(a < b ? Subtract()(b, a) : Subtract()(a, b), c);
  }
};

void decode_low_or_high(Decoder& decoder, const Statement& statement, Instruction& instruction,
                        bool add) {
  const Type type = type_of(statement);
  const bool wide = has_word(statement, "wide");
  const bool high = has_word(statement, "hi");
  if (has_word(statement, "sat")) throw Unknown{"products that saturate are not implemented"};
  if (wide) {
    if (statement.operands.size() != (add ? 4 : 3))
      throw Unknown{"it has another number of operands"};
    instruction.operands[0] = decoder.destination(statement.operands[0], wider(type));
    instruction.operands[1] = decoder.source(statement.operands[1], type);
    instruction.operands[2] = decoder.source(statement.operands[2], type);
    if (add) instruction.operands[3] = decoder.source(statement.operands[3], wider(type));
  } else {
    if (!high && !has_word(statement, "lo")) throw Unknown{"it is neither lo, hi nor wide"};
    decode_operands(decoder, statement, instruction, type, add ? 3 : 2);
  }
  instruction.execute = for_integer(type, [&](auto zero) -> Execute {
    using T = decltype(zero);
    if constexpr (sizeof(T) < 8) {
      using W = Wide<T>;
      if (wide)
        return add ? &ternary<ThenAdd<MultiplyWide>, W, T, T, W> : &binary<MultiplyWide, W, T, T>;
    }
    if (high)
      return add ? &ternary<ThenAdd<MultiplyHigh>, T, T, T, T> : &binary<MultiplyHigh, T, T, T>;
    return add ? &ternary<ThenAdd<MultiplyLow>, T, T, T, T> : &binary<MultiplyLow, T, T, T>;
  });
}

// dp4a: a sum of products of bytes.
template <class A, class B>
void dot_product(Warp& warp, const Instruction& instruction, std::uint32_t lanes) {
  std::uint32_t* d = warp.values<std::uint32_t>(instruction.operands[0]);
  const std::uint32_t* a = warp.values<std::uint32_t>(instruction.operands[1]);
  const std::uint32_t* b = warp.values<std::uint32_t>(instruction.operands[2]);
  const std::uint32_t* c = warp.values<std::uint32_t>(instruction.operands[3]);
  each_lane(lanes, [&](unsigned lane) {
    std::uint32_t sum = c[lane];
    for (int i = 0; i < 4; ++i) {
      const A left = static_cast<A>(a[lane] >> (8 * i));
      const B right = static_cast<B>(b[lane] >> (8 * i));
      sum += static_cast<std::uint32_t>(std::int64_t{left} * right);
    }
    d[lane] = sum;
  });
}

void decode_dot_product(Decoder& decoder, const Statement& statement, Instruction& instruction) {
  const std::vector<Type> types = types_of(statement);
  if (types.size() != 2) throw Unknown{"it has not two types"};
  decode_operands(decoder, statement, instruction, Type::kB32, 3);
  const bool left = is_signed(types[0]);
  const bool right = is_signed(types[1]);
  using U = std::uint8_t;
  using S = std::int8_t;
  instruction.execute = left ? (right ? &dot_product<S, S> : &dot_product<S, U>)
                             : (right ? &dot_product<U, S> : &dot_product<U, U>);
}

template <class F>
void decode_binary(Decoder& decoder, const Statement& statement, Instruction& instruction) {
  const Type type = type_of(statement);
  decode_operands(decoder, statement, instruction, type, 2);
  if (has_word(statement, "sat")) {
    if (type != Type::kS32) throw Unknown{"it saturates .s32 alone"};
    if constexpr (std::is_same_v<F, Add> || std::is_same_v<F, Subtract>) {
      instruction.execute = &binary<Saturated<F>, std::int32_t, std::int32_t, std::int32_t>;
      return;
    }
  }
  instruction.execute = for_integer(type, [](auto zero) -> Execute {
    using T = decltype(zero);
    return &binary<F, T, T, T>;
  });
}

template <class F>
void decode_unary(Decoder& decoder, const Statement& statement, Instruction& instruction) {
  const Type type = type_of(statement);
  decode_operands(decoder, statement, instruction, type, 1);
  instruction.execute = for_integer(type, [](auto zero) -> Execute {
    using T = decltype(zero);
    return &unary<F, T, T>;
  });
}

}  // namespace

// Names that float types share are taken by float.cpp, which passes the others on to these.
void add_integer_instructions(DecodeTable& table) {
  table["add"] = decode_binary<Add>;
  table["sub"] = decode_binary<Subtract>;
  table["div"] = decode_binary<Divide>;
  table["rem"] = decode_binary<Remainder>;
  table["min"] = decode_binary<Minimum>;
  table["max"] = decode_binary<Maximum>;
  table["neg"] = decode_unary<Negate>;
  table["abs"] = decode_unary<Absolute>;
  table["mul"] = [](Decoder& decoder, const Statement& statement, Instruction& instruction) {
    decode_low_or_high(decoder, statement, instruction, false);
  };
  table["mad"] = [](Decoder& decoder, const Statement& statement, Instruction& instruction) {
    decode_low_or_high(decoder, statement, instruction, true);
  };
  table["sad"] = [](Decoder& decoder, const Statement& statement, Instruction& instruction) {
    const Type type = type_of(statement);
    decode_operands(decoder, statement, instruction, type, 3);
    instruction.execute = for_integer(type, [](auto zero) -> Execute {
      using T = decltype(zero);
      return &ternary<AbsoluteDifferences, T, T, T, T>;
    });
  };
  table["dp4a"] = decode_dot_product;
}

}  // namespace emulator
