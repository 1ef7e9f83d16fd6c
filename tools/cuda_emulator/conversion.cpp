#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "tools/cuda_emulator/elementwise.h"
#include "tools/cuda_emulator/half.h"
#include "tools/cuda_emulator/rounding.h"

// cvt between integers and floating point.
namespace emulator {
namespace {

enum Flag : std::uint8_t { kFlush = 1, kSaturate = 2, kToInteger = 4, kRelu = 8 };

struct Half {
  std::uint16_t bits;
};
struct Brain {
  std::uint16_t bits;
};

template <class T>
constexpr bool kIsReal = std::is_same_v<T, float> || std::is_same_v<T, double> ||
                         std::is_same_v<T, Half> || std::is_same_v<T, Brain>;

template <class T>
auto number(T value) {
  if constexpr (std::is_same_v<T, Half>) {
    return half_value(value.bits);
  } else if constexpr (std::is_same_v<T, Brain>) {
    return bfloat_value(value.bits);
  } else {
    return value;
  }
}

template <class T>
T flush(T value) {
  return std::fpclassify(value) == FP_SUBNORMAL ? std::copysign(T{0}, value) : value;
}

template <class T>
T to_integral(T value, Rounding rounding) {
  switch (rounding) {
    case Rounding::kNearest:
      return std::nearbyint(value);
    case Rounding::kZero:
      return std::trunc(value);
    case Rounding::kDown:
      return std::floor(value);
    case Rounding::kUp:
      return std::ceil(value);
  }
  return value;
}

// Clamped; what is not a number is 0, or the highest bit where 64 bits are involved.
template <class D, class A>
D clamped(A value) {
  if (value != value) {
    if (sizeof(D) < 8 && sizeof(A) < 8) return 0;
    return static_cast<D>(std::uint64_t{1} << (8 * sizeof(D) - 1));
  }
  const A high = std::ldexp(A{1}, std::numeric_limits<D>::digits);
  const A low = std::is_signed_v<D> ? -high : A{0};
  if (value >= high) return std::numeric_limits<D>::max();
  if (value <= low) return std::numeric_limits<D>::min();
  return static_cast<D>(value);
}

template <class D, class A>
D convert_one(A value, Rounding rounding, int flags) {
  if constexpr (kIsReal<D>) {
    auto real = number(value);
    if constexpr (kIsReal<A>) {
      if (flags & kFlush) real = flush(real);
      if (flags & kToInteger) real = to_integral(real, rounding);
    }
    if constexpr (std::is_same_v<D, Half> || std::is_same_v<D, Brain>) {
      using Exact = std::conditional_t<std::is_same_v<decltype(real), float>, float, double>;
      Exact exact = static_cast<Exact>(real);
      if (flags & kSaturate) exact = exact > 0 ? std::fmin(exact, Exact{1}) : Exact{0};
      if (flags & kRelu && exact < 0) exact = 0;
      if (exact != exact) return D{0x7fff};
      if constexpr (std::is_same_v<D, Half>) {
        return D{half_bits(exact)};
      } else {
        return D{bfloat_bits(exact)};
      }
    } else {
      D result = static_cast<D>(real);
      if (flags & kFlush) result = flush(result);
      if (flags & kSaturate) result = result > 0 ? std::fmin(result, D{1}) : D{0};
      return result;
    }
  } else if constexpr (kIsReal<A>) {
    auto real = number(value);
    if (flags & kFlush) real = flush(real);
    return clamped<D>(to_integral(real, rounding));
  } else {
    if (flags & kSaturate) {
      const __int128 wide = value;
      return static_cast<D>(
          std::clamp<__int128>(wide, std::numeric_limits<D>::min(), std::numeric_limits<D>::max()));
    }
    return static_cast<D>(value);
  }
}

// A register may be wider than the type: its low bits are read.
template <class A>
const A* read(Warp& warp, std::uint32_t offset, unsigned bytes, A* storage) {
  if (bytes == sizeof(A)) return warp.values<A>(offset);
  const std::byte* source = warp.values<std::byte>(offset);
  for (unsigned lane = 0; lane < kLanes; ++lane)
    __builtin_memcpy(&storage[lane], source + lane * bytes, sizeof(A));
  return storage;
}

// A wider register is extended by the sign.
template <class R, class D>
void write(Warp& warp, std::uint32_t offset, std::uint32_t lanes, const D* results) {
  R* d = warp.values<R>(offset);
  each_lane(lanes, [&](unsigned lane) {
    if constexpr (std::is_integral_v<D>) {
      d[lane] = static_cast<R>(results[lane]);
    } else {
      R bits = 0;
      __builtin_memcpy(&bits, &results[lane], sizeof(D) < sizeof(R) ? sizeof(D) : sizeof(R));
      d[lane] = bits;
    }
  });
}

template <class D, class A>
void convert(Warp& warp, const Instruction& instruction, std::uint32_t lanes) {
  A storage[kLanes];
  const A* a = read(warp, instruction.operands[1], instruction.operands[3], storage);
  D results[kLanes];
  const auto rounding = static_cast<Rounding>(instruction.mode);
  if (rounding == Rounding::kNearest && !instruction.flags && (kIsReal<D> || !kIsReal<A>)) {
    each_lane(lanes, [&](unsigned lane) {
      results[lane] = convert_one<D>(a[lane], Rounding::kNearest, 0);
    });
  } else {
    const RoundingMode mode(instruction.flags & kToInteger ? Rounding::kNearest : rounding);
    each_lane(lanes, [&](unsigned lane) {
      results[lane] = convert_one<D>(a[lane], rounding, instruction.flags);
    });
  }
  switch (instruction.operands[2]) {
    case 2:
      write<std::uint16_t>(warp, instruction.operands[0], lanes, results);
      break;
    case 4:
      write<std::uint32_t>(warp, instruction.operands[0], lanes, results);
      break;
    default:
      write<std::uint64_t>(warp, instruction.operands[0], lanes, results);
      break;
  }
}

template <class D>
Execute choose_source(Type type) {
  switch (type) {
    case Type::kU8:
      return &convert<D, std::uint8_t>;
    case Type::kS8:
      return &convert<D, std::int8_t>;
    case Type::kU16:
      return &convert<D, std::uint16_t>;
    case Type::kS16:
      return &convert<D, std::int16_t>;
    case Type::kU32:
      return &convert<D, std::uint32_t>;
    case Type::kS32:
      return &convert<D, std::int32_t>;
    case Type::kU64:
      return &convert<D, std::uint64_t>;
    case Type::kS64:
      return &convert<D, std::int64_t>;
    case Type::kF16:
      return &convert<D, Half>;
    case Type::kBF16:
      return &convert<D, Brain>;
    case Type::kF32:
      return &convert<D, float>;
    case Type::kF64:
      return &convert<D, double>;
    default:
      throw Unknown{"it has no such type"};
  }
}

Execute choose(Type destination, Type source) {
  switch (destination) {
    case Type::kU8:
      return choose_source<std::uint8_t>(source);
    case Type::kS8:
      return choose_source<std::int8_t>(source);
    case Type::kU16:
      return choose_source<std::uint16_t>(source);
    case Type::kS16:
      return choose_source<std::int16_t>(source);
    case Type::kU32:
      return choose_source<std::uint32_t>(source);
    case Type::kS32:
      return choose_source<std::int32_t>(source);
    case Type::kU64:
      return choose_source<std::uint64_t>(source);
    case Type::kS64:
      return choose_source<std::int64_t>(source);
    case Type::kF16:
      return choose_source<Half>(source);
    case Type::kBF16:
      return choose_source<Brain>(source);
    case Type::kF32:
      return choose_source<float>(source);
    case Type::kF64:
      return choose_source<double>(source);
    default:
      throw Unknown{"it has no such type"};
  }
}

// cvt.rn.f16x2.f32 d, a, b: a is the upper half.
template <class D>
void convert_pair(Warp& warp, const Instruction& instruction, std::uint32_t lanes) {
  std::uint32_t* d = warp.values<std::uint32_t>(instruction.operands[0]);
  const float* a = warp.values<float>(instruction.operands[1]);
  const float* b = warp.values<float>(instruction.operands[2]);
  each_lane(lanes, [&](unsigned lane) {
    const std::uint32_t high = convert_one<D>(a[lane], Rounding::kNearest, instruction.flags).bits;
    d[lane] = high << 16 | convert_one<D>(b[lane], Rounding::kNearest, instruction.flags).bits;
  });
}

// 10 bits of mantissa, ties away from zero.
void convert_tf32(Warp& warp, const Instruction& instruction, std::uint32_t lanes) {
  std::uint32_t* d = warp.values<std::uint32_t>(instruction.operands[0]);
  const std::uint32_t* a = warp.values<std::uint32_t>(instruction.operands[1]);
  each_lane(lanes, [&](unsigned lane) {
    const bool finite = (a[lane] & 0x7f800000u) != 0x7f800000u;
    d[lane] = (finite ? a[lane] + 0x1000u : a[lane]) & 0xffffe000u;
  });
}

std::uint32_t source_register(Decoder& decoder, const Operand& operand, Type type,
                              std::uint32_t* bytes) {
  int found = 0;
  if (decoder.is_register(operand)) {
    const std::uint32_t offset = decoder.any_register(operand, &found);
    *bytes = static_cast<std::uint32_t>(found);
    if (found >= bytes_of(type)) return offset;
    throw Unknown{"a source is narrower than its type"};
  }
  *bytes = std::max(2, bytes_of(type));
  return decoder.source(operand, type);
}

void decode_conversion(Decoder& decoder, const Statement& statement, Instruction& instruction) {
  const std::vector<Type> types = types_of(statement);
  if (types.size() != 2) throw Unknown{"it has not two types"};
  instruction.flags = static_cast<std::uint8_t>((has_word(statement, "ftz") ? kFlush : 0) |
                                                (has_word(statement, "sat") ? kSaturate : 0) |
                                                (has_word(statement, "relu") ? kRelu : 0));
  const bool pair = types[0] == Type::kF16x2 || types[0] == Type::kBF16x2;
  if (pair || types[0] == Type::kTF32) {
    if (types[1] != Type::kF32 || !(has_word(statement, "rn") || has_word(statement, "rna"))) {
      throw Unknown{"a rounding or type that is not implemented"};
    }
    decode_operands(decoder, statement, instruction, Type::kB32, pair ? 2 : 1);
    instruction.execute = types[0] == Type::kTF32    ? &convert_tf32
                          : types[0] == Type::kF16x2 ? &convert_pair<Half>
                                                     : &convert_pair<Brain>;
    return;
  }
  if (statement.operands.size() != 2) throw Unknown{"it has another number of operands"};
  const auto rounding = [&] {
    if (has_word(statement, "rni")) return Rounding::kNearest;
    if (has_word(statement, "rzi")) return Rounding::kZero;
    if (has_word(statement, "rmi")) return Rounding::kDown;
    if (has_word(statement, "rpi")) return Rounding::kUp;
    return rounding_of(statement);
  }();
  for (const std::string_view word : {"rni", "rzi", "rmi", "rpi"}) {
    if (has_word(statement, word)) instruction.flags |= kToInteger;
  }
  instruction.mode = static_cast<std::uint8_t>(rounding);
  const bool half = types[0] == Type::kF16 || types[0] == Type::kBF16;
  if (half && rounding != Rounding::kNearest && !(instruction.flags & kToInteger)) {
    throw Unknown{"a rounding that is not implemented"};
  }
  int bytes = 0;
  instruction.operands[0] = decoder.any_register(statement.operands[0], &bytes);
  if (bytes < bytes_of(types[0])) throw Unknown{"the destination is narrower than its type"};
  instruction.operands[2] = static_cast<std::uint32_t>(bytes);
  instruction.operands[1] =
      source_register(decoder, statement.operands[1], types[1], &instruction.operands[3]);
  instruction.execute = choose(types[0], types[1]);
}

}  // namespace

void add_conversion_instructions(DecodeTable& table) { table["cvt"] = decode_conversion; }

}  // namespace emulator
