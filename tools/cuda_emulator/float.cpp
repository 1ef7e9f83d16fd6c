#include <bit>
#include <cfenv>
#include <cmath>
#include <cstdint>
#include <limits>

#include "tools/cuda_emulator/elementwise.h"
#include "tools/cuda_emulator/float_operations.h"
#include "tools/cuda_emulator/rounding.h"

// add, sub, mul, fma, div, rcp, sqrt, min, max, neg, abs, copysign of float32 and float64. Those of
// 16 bits are in half.cpp, those of integers in integer.cpp.
namespace emulator {
namespace {

enum Flag : std::uint8_t { kFlush = 1, kSaturate = 2 };

template <class T>
T flush(T value) {
  return std::fpclassify(value) == FP_SUBNORMAL ? std::copysign(T{0}, value) : value;
}

// With a rounding mode, flushed subnormal numbers, or a result in [0, 1].
template <class F, class T, int kSources>
void rounded(Warp& warp, const Instruction& instruction, std::uint32_t lanes) {
  T* d = warp.values<T>(instruction.operands[0]);
  const T* a = warp.values<T>(instruction.operands[1]);
  const T* b = warp.values<T>(instruction.operands[kSources > 1 ? 2 : 1]);
  const T* c = warp.values<T>(instruction.operands[kSources > 2 ? 3 : 1]);
  const bool flushes = instruction.flags & kFlush;
  const RoundingMode mode(static_cast<Rounding>(instruction.mode));
  each_lane(lanes, [&](unsigned lane) {
    const T x = flushes ? flush(a[lane]) : a[lane];
    const T y = flushes ? flush(b[lane]) : b[lane];
    const T z = flushes ? flush(c[lane]) : c[lane];
    T result;
    if constexpr (kSources == 1) result = F()(x);
    if constexpr (kSources == 2) result = F()(x, y);
    if constexpr (kSources == 3) result = F()(x, y, z);
    if (instruction.flags & kSaturate) result = result > 0 ? std::fmin(result, T{1}) : T{0};
    d[lane] = flushes ? flush(result) : result;
  });
}

template <class F, class T, int kSources>
Execute choose(const Instruction& instruction) {
  if (instruction.flags || static_cast<Rounding>(instruction.mode) != Rounding::kNearest) {
    return &rounded<F, T, kSources>;
  }
  if constexpr (kSources == 1) return &unary<F, T, T>;
  if constexpr (kSources == 2) return &binary<F, T, T, T>;
  if constexpr (kSources == 3) return &ternary<F, T, T, T, T>;
}

template <class F, int kSources>
void decode(Decoder& decoder, const Statement& statement, Instruction& instruction) {
  const Type type = type_of(statement);
  decode_operands(decoder, statement, instruction, type, kSources);
  instruction.mode = static_cast<std::uint8_t>(rounding_of(statement));
  instruction.flags = static_cast<std::uint8_t>((has_word(statement, "ftz") ? kFlush : 0) |
                                                (has_word(statement, "sat") ? kSaturate : 0));
  if (type == Type::kF32) {
    instruction.execute = choose<F, float, kSources>(instruction);
  } else if (type == Type::kF64) {
    instruction.execute = choose<F, double, kSources>(instruction);
  } else {
    throw Unknown{"it has no such type"};
  }
}

// One name for integers, float32 and float64, and 16 bits.
template <class F, int kSources>
void add_form(DecodeTable& table, std::string_view name) {
  static Decode integer = nullptr;
  const auto found = table.find(name);
  integer = found == table.end() ? nullptr : found->second;
  table[name] = [](Decoder& decoder, const Statement& statement, Instruction& instruction) {
    const Type type = type_of(statement);
    if (!is_float(type)) {
      if (!integer) throw Unknown{"it is of floating point"};
      integer(decoder, statement, instruction);
    } else if (type == Type::kF32 || type == Type::kF64) {
      decode<F, kSources>(decoder, statement, instruction);
    } else if constexpr (requires { F::kHalf; }) {
      decode_half(decoder, statement, instruction, F::kHalf, kSources);
    } else {
      throw Unknown{"it has no such type"};
    }
  };
}

template <class F, class NaN>
void add_extreme(DecodeTable& table, std::string_view name) {
  static Decode plain = nullptr;
  add_form<F, 2>(table, name);
  plain = table[name];
  table[name] = [](Decoder& decoder, const Statement& statement, Instruction& instruction) {
    const Type type = type_of(statement);
    if (has_word(statement, "NaN") && (type == Type::kF32 || type == Type::kF64)) {
      decode<NaN, 2>(decoder, statement, instruction);
    } else {
      plain(decoder, statement, instruction);
    }
  };
}

template <class T>
void test_property(Warp& warp, const Instruction& instruction, std::uint32_t lanes) {
  const T* a = warp.values<T>(instruction.operands[1]);
  std::uint32_t& d = warp.predicate(instruction.operands[0]);
  std::uint32_t result = 0;
  each_lane(lanes, [&](unsigned lane) {
    if (instruction.immediate >> std::fpclassify(a[lane]) & 1) result |= 1u << lane;
  });
  d = (d & ~lanes) | result;
}

void decode_test(Decoder& decoder, const Statement& statement, Instruction& instruction) {
  const Type type = type_of(statement);
  instruction.operands[0] = decoder.predicate(statement.operands.at(0));
  instruction.operands[1] = decoder.source(statement.operands.at(1), type);
  const auto classes = [&]() -> int {
    const std::string_view property = statement.words.at(0);
    if (property == "infinite") return 1 << FP_INFINITE;
    if (property == "finite") return 1 << FP_NORMAL | 1 << FP_SUBNORMAL | 1 << FP_ZERO;
    if (property == "number") return ~(1 << FP_NAN);
    if (property == "notanumber") return 1 << FP_NAN;
    if (property == "normal") return 1 << FP_NORMAL;
    if (property == "subnormal") return 1 << FP_SUBNORMAL;
    throw Unknown{"a property that is not known"};
  };
  instruction.immediate = classes();
  instruction.execute = type == Type::kF64 ? &test_property<double> : &test_property<float>;
}

}  // namespace

Rounding rounding_of(const Statement& statement) {
  if (has_word(statement, "rz")) return Rounding::kZero;
  if (has_word(statement, "rm")) return Rounding::kDown;
  if (has_word(statement, "rp")) return Rounding::kUp;
  return Rounding::kNearest;
}

void add_float_instructions(DecodeTable& table) {
  add_form<float_operations::Add, 2>(table, "add");
  add_form<float_operations::Subtract, 2>(table, "sub");
  add_form<float_operations::Multiply, 2>(table, "mul");
  add_form<float_operations::MultiplyAdd, 3>(table, "fma");
  add_form<float_operations::MultiplyAdd, 3>(table, "mad");
  add_form<float_operations::Divide, 2>(table, "div");
  add_form<float_operations::Reciprocal, 1>(table, "rcp");
  add_form<float_operations::SquareRoot, 1>(table, "sqrt");
  add_form<float_operations::Negate, 1>(table, "neg");
  add_form<float_operations::Absolute, 1>(table, "abs");
  add_form<float_operations::CopySign, 2>(table, "copysign");
  add_extreme<float_operations::Minimum, float_operations::MinimumNaN>(table, "min");
  add_extreme<float_operations::Maximum, float_operations::MaximumNaN>(table, "max");
  table["testp"] = decode_test;
}

}  // namespace emulator
