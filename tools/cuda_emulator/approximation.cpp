#include <bit>
#include <cmath>
#include <cstdint>

#include "tools/cuda_emulator/elementwise.h"
#include "tools/cuda_emulator/float_operations.h"

// Functions that a GPU approximates. The host's are nearer to the truth: what the approximation
// loses is not modelled, but which numbers it flushes, and that float64 has 20 bits of mantissa,
// is.
namespace emulator {
namespace {

enum class Approximation : std::uint8_t {
  kExp2,
  kLog2,
  kSin,
  kCos,
  kTanh,
  kReciprocal,
  kSquareRoot,
  kReciprocalRoot,
  kDivide
};

constexpr std::uint8_t kFlush = 1;

float flush(float value) {
  return std::fpclassify(value) == FP_SUBNORMAL ? std::copysign(0.0f, value) : value;
}

template <Approximation function>
float value_of(float a, float b) {
  switch (function) {
    case Approximation::kExp2:
      return std::exp2(a);
    case Approximation::kLog2:
      return std::log2(a);
    case Approximation::kSin:
      return std::sin(a);
    case Approximation::kCos:
      return std::cos(a);
    case Approximation::kTanh:
      return std::tanh(a);
    case Approximation::kReciprocal:
      return 1.0f / a;
    case Approximation::kSquareRoot:
      return std::sqrt(a);
    case Approximation::kReciprocalRoot:
      return static_cast<float>(1.0 / std::sqrt(static_cast<double>(a)));
    case Approximation::kDivide:
      return a / b;
  }
  return 0;
}

template <Approximation function>
void approximate(Warp& warp, const Instruction& instruction, std::uint32_t lanes) {
  float* d = warp.values<float>(instruction.operands[0]);
  const float* a = warp.values<float>(instruction.operands[1]);
  const float* b =
      warp.values<float>(instruction.operands[function == Approximation::kDivide ? 2 : 1]);
  const bool flushes = instruction.flags & kFlush;
  each_lane(lanes, [&](unsigned lane) {
    const float x = flushes ? flush(a[lane]) : a[lane];
    const float y = flushes ? flush(b[lane]) : b[lane];
    float result = float_operations::canonical(value_of<function>(x, y));
    // A divisor whose reciprocal is subnormal.
    if (function == Approximation::kDivide && instruction.mode && std::fabs(y) > 0x1p126f &&
        std::isfinite(y) && std::isfinite(x)) {
      result = std::copysign(0.0f, result);
    }
    d[lane] = flushes ? flush(result) : result;
  });
}

// With .ftz the upper 32 bits of a float64, without it a full one.
template <Approximation function>
void approximate_double(Warp& warp, const Instruction& instruction, std::uint32_t lanes) {
  double* d = warp.values<double>(instruction.operands[0]);
  const double* a = warp.values<double>(instruction.operands[1]);
  const bool flushes = instruction.flags & kFlush;
  each_lane(lanes, [&](unsigned lane) {
    double x = a[lane];
    if (flushes && std::fpclassify(x) == FP_SUBNORMAL) x = std::copysign(0.0, x);
    double result = function == Approximation::kReciprocal ? 1 / x : 1 / std::sqrt(x);
    if (flushes && std::fpclassify(result) == FP_SUBNORMAL) result = std::copysign(0.0, result);
    if (flushes && result != result) {
      result = std::bit_cast<double>(std::uint64_t{0x7fffffff00000000});
    } else if (flushes) {
      result = std::bit_cast<double>(std::bit_cast<std::uint64_t>(result) & 0xffffffff00000000u);
    }
    d[lane] = result;
  });
}

template <Approximation function>
void decode(Decoder& decoder, const Statement& statement, Instruction& instruction) {
  const Type type = type_of(statement);
  decode_operands(decoder, statement, instruction, type,
                  function == Approximation::kDivide ? 2 : 1);
  instruction.flags = has_word(statement, "ftz") ? kFlush : 0;
  instruction.mode = has_word(statement, "approx");
  if (type == Type::kF32) {
    instruction.execute = &approximate<function>;
    return;
  }
  if constexpr (function == Approximation::kReciprocal ||
                function == Approximation::kReciprocalRoot) {
    if (type == Type::kF64) {
      instruction.execute = &approximate_double<function>;
      return;
    }
  }
  throw Unknown{"it has no such type"};
}

// The exact forms have the same name.
template <Approximation function>
void add_form(DecodeTable& table, std::string_view name) {
  static Decode exact = nullptr;
  const auto found = table.find(name);
  exact = found == table.end() ? nullptr : found->second;
  table[name] = [](Decoder& decoder, const Statement& statement, Instruction& instruction) {
    if (has_word(statement, "approx") || has_word(statement, "full")) {
      decode<function>(decoder, statement, instruction);
    } else if (exact) {
      exact(decoder, statement, instruction);
    } else {
      throw Unknown{"it is an approximation"};
    }
  };
}

}  // namespace

void add_approximation_instructions(DecodeTable& table) {
  add_form<Approximation::kExp2>(table, "ex2");
  add_form<Approximation::kLog2>(table, "lg2");
  add_form<Approximation::kSin>(table, "sin");
  add_form<Approximation::kCos>(table, "cos");
  add_form<Approximation::kTanh>(table, "tanh");
  add_form<Approximation::kReciprocal>(table, "rcp");
  add_form<Approximation::kSquareRoot>(table, "sqrt");
  add_form<Approximation::kReciprocalRoot>(table, "rsqrt");
  add_form<Approximation::kDivide>(table, "div");
}

}  // namespace emulator
