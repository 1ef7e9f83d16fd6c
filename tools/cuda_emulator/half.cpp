#include "tools/cuda_emulator/half.h"

#include <cmath>
#include <cstdint>

#include "tools/cuda_emulator/elementwise.h"
#include "tools/cuda_emulator/float_operations.h"

// Arithmetic of .f16, .bf16, .f16x2 and .bf16x2.
namespace emulator {
namespace {

enum Flag : std::uint8_t { kBrain = 1, kSaturate = 2, kRelu = 4, kNaN = 8 };

double value_of(std::uint16_t bits, bool brain) {
  return brain ? bfloat_value(bits) : half_value(bits);
}

std::uint16_t compute(HalfOperation operation, std::uint16_t a, std::uint16_t b, std::uint16_t c,
                      int flags) {
  const bool brain = flags & kBrain;
  const double x = value_of(a, brain);
  const double y = value_of(b, brain);
  double result = 0;
  switch (operation) {
    case HalfOperation::kNegate:
      return a ^ 0x8000;
    case HalfOperation::kAbsolute:
      return a & 0x7fff;
    case HalfOperation::kAdd:
      result = x + y;
      break;
    case HalfOperation::kSubtract:
      result = x - y;
      break;
    case HalfOperation::kMultiply:
      result = x * y;
      break;
    case HalfOperation::kMultiplyAdd:
      result = std::fma(x, y, value_of(c, brain));
      break;
    case HalfOperation::kMinimum:
      result =
          flags & kNaN ? float_operations::MinimumNaN()(x, y) : float_operations::Minimum()(x, y);
      break;
    case HalfOperation::kMaximum:
      result =
          flags & kNaN ? float_operations::MaximumNaN()(x, y) : float_operations::Maximum()(x, y);
      break;
  }
  if (result != result) return 0x7fff;
  if (flags & kSaturate) result = result > 0 ? std::fmin(result, 1.0) : 0.0;
  if (flags & kRelu && result < 0) result = 0;
  return brain ? bfloat_bits(result) : half_bits(result);
}

template <class T>
void execute(Warp& warp, const Instruction& instruction, std::uint32_t lanes) {
  T* d = warp.values<T>(instruction.operands[0]);
  const T* a = warp.values<T>(instruction.operands[1]);
  const T* b = warp.values<T>(instruction.operands[2]);
  const T* c = warp.values<T>(instruction.operands[3]);
  const auto operation = static_cast<HalfOperation>(instruction.mode);
  each_lane(lanes, [&](unsigned lane) {
    T result = 0;
    for (unsigned shift = 0; shift < 8 * sizeof(T); shift += 16) {
      const auto part = [&](T value) { return static_cast<std::uint16_t>(value >> shift); };
      result |= static_cast<T>(
          T{compute(operation, part(a[lane]), part(b[lane]), part(c[lane]), instruction.flags)}
          << shift);
    }
    d[lane] = result;
  });
}

}  // namespace

void decode_half(Decoder& decoder, const Statement& statement, Instruction& instruction,
                 HalfOperation operation, std::size_t sources) {
  const Type type = type_of(statement);
  const bool pair = type == Type::kF16x2 || type == Type::kBF16x2;
  if (has_word(statement, "ftz")) throw Unknown{"subnormal numbers of sixteen bits are kept"};
  decode_operands(decoder, statement, instruction, type, sources);
  // Unused sources are read, but not looked at.
  for (std::size_t i = sources + 1; i < 4; ++i) instruction.operands[i] = instruction.operands[1];
  instruction.mode = static_cast<std::uint8_t>(operation);
  instruction.flags = static_cast<std::uint8_t>(
      (type == Type::kBF16 || type == Type::kBF16x2 ? kBrain : 0) |
      (has_word(statement, "sat") ? kSaturate : 0) | (has_word(statement, "relu") ? kRelu : 0) |
      (has_word(statement, "NaN") ? kNaN : 0));
  instruction.execute = pair ? &execute<std::uint32_t> : &execute<std::uint16_t>;
}

}  // namespace emulator
