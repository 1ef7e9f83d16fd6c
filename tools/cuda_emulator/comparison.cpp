#include <cstdint>
#include <string_view>
#include <type_traits>

#include "tools/cuda_emulator/elementwise.h"
#include "tools/cuda_emulator/half.h"

// setp, set, selp, slct.
namespace emulator {
namespace {

enum class Comparison : std::uint8_t {
  kEqual,
  kNotEqual,
  kLess,
  kLessEqual,
  kGreater,
  kGreaterEqual,
  kEqualUnordered,
  kNotEqualUnordered,
  kLessUnordered,
  kLessEqualUnordered,
  kGreaterUnordered,
  kGreaterEqualUnordered,
  kNumbers,
  kNaN
};

enum class Combination : std::uint8_t { kNone, kAnd, kOr, kXor };

template <Comparison comparison, class T>
bool compare(T a, T b) {
  switch (comparison) {
    case Comparison::kEqual:
      return a == b;
    case Comparison::kNotEqual:
      return a < b || a > b;
    case Comparison::kLess:
      return a < b;
    case Comparison::kLessEqual:
      return a <= b;
    case Comparison::kGreater:
      return a > b;
    case Comparison::kGreaterEqual:
      return a >= b;
    case Comparison::kEqualUnordered:
      return !(a < b || a > b);
    case Comparison::kNotEqualUnordered:
      return a != b;
    case Comparison::kLessUnordered:
      return !(a >= b);
    case Comparison::kLessEqualUnordered:
      return !(a > b);
    case Comparison::kGreaterUnordered:
      return !(a <= b);
    case Comparison::kGreaterEqualUnordered:
      return !(a < b);
    case Comparison::kNumbers:
      return a == a && b == b;
    case Comparison::kNaN:
      return a != a || b != b;
  }
  return false;
}

// Halves are compared as what they stand for.
struct HalfFormat {
  using Bits = std::uint16_t;
  static float value(Bits bits) { return half_value(bits); }
};
struct BrainFormat {
  using Bits = std::uint16_t;
  static float value(Bits bits) { return bfloat_value(bits); }
};
template <class T>
struct Plain {
  using Bits = T;
  static T value(T bits) { return bits; }
};

template <Comparison comparison, class Format>
std::uint32_t compare_lanes(Warp& warp, const Instruction& instruction, std::uint32_t lanes) {
  const auto* a = warp.values<typename Format::Bits>(instruction.operands[2]);
  const auto* b = warp.values<typename Format::Bits>(instruction.operands[3]);
  if (lanes == kAllLanes) {
    std::uint8_t results[kLanes];
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      results[lane] = compare<comparison>(Format::value(a[lane]), Format::value(b[lane]));
    }
    std::uint32_t mask = 0;
    for (unsigned lane = 0; lane < kLanes; ++lane) mask |= std::uint32_t{results[lane]} << lane;
    return mask;
  }
  std::uint32_t mask = 0;
  each_lane(lanes, [&](unsigned lane) {
    mask |= std::uint32_t{compare<comparison>(Format::value(a[lane]), Format::value(b[lane]))}
            << lane;
  });
  return mask;
}

std::uint32_t combine(std::uint32_t result, std::uint32_t with, std::uint8_t combination) {
  switch (static_cast<Combination>(combination)) {
    case Combination::kNone:
      return result;
    case Combination::kAnd:
      return result & with;
    case Combination::kOr:
      return result | with;
    case Combination::kXor:
      return result ^ with;
  }
  return result;
}

// Writes the result, and its opposite to the second predicate, each combined with a third.
template <Comparison comparison, class Format>
void set_predicate(Warp& warp, const Instruction& instruction, std::uint32_t lanes) {
  const std::uint32_t result = compare_lanes<comparison, Format>(warp, instruction, lanes);
  const std::uint32_t with = instruction.operands[4]
                                 ? warp.predicate(instruction.operands[4]) ^
                                       static_cast<std::uint32_t>(instruction.immediate)
                                 : 0;
  std::uint32_t& first = warp.predicate(instruction.operands[0]);
  const std::uint32_t opposite = combine(~result, with, instruction.mode) & lanes;
  first = (first & ~lanes) | (combine(result, with, instruction.mode) & lanes);
  if (!instruction.operands[1]) return;
  std::uint32_t& second = warp.predicate(instruction.operands[1]);
  second = (second & ~lanes) | opposite;
}

// Writes all ones, or 1.0.
template <Comparison comparison, class Format>
void set_value(Warp& warp, const Instruction& instruction, std::uint32_t lanes) {
  const std::uint32_t result = compare_lanes<comparison, Format>(warp, instruction, lanes);
  const std::uint32_t with = instruction.operands[4]
                                 ? warp.predicate(instruction.operands[4]) ^
                                       static_cast<std::uint32_t>(instruction.immediate)
                                 : 0;
  const std::uint32_t combined = combine(result, with, instruction.mode);
  std::uint32_t* d = warp.values<std::uint32_t>(instruction.operands[0]);
  const std::uint32_t value = instruction.flags ? 0x3f800000u : 0xffffffffu;
  each_lane(lanes, [&](unsigned lane) { d[lane] = combined >> lane & 1 ? value : 0; });
}

template <Comparison comparison, class Format>
Execute form(bool predicate) {
  return predicate ? &set_predicate<comparison, Format> : &set_value<comparison, Format>;
}

template <Comparison comparison>
Execute choose_type(Type type, bool predicate) {
  switch (type) {
    case Type::kB16:
    case Type::kU16:
      return form<comparison, Plain<std::uint16_t>>(predicate);
    case Type::kS16:
      return form<comparison, Plain<std::int16_t>>(predicate);
    case Type::kB32:
    case Type::kU32:
      return form<comparison, Plain<std::uint32_t>>(predicate);
    case Type::kS32:
      return form<comparison, Plain<std::int32_t>>(predicate);
    case Type::kB64:
    case Type::kU64:
      return form<comparison, Plain<std::uint64_t>>(predicate);
    case Type::kS64:
      return form<comparison, Plain<std::int64_t>>(predicate);
    case Type::kF32:
      return form<comparison, Plain<float>>(predicate);
    case Type::kF64:
      return form<comparison, Plain<double>>(predicate);
    case Type::kF16:
      return form<comparison, HalfFormat>(predicate);
    case Type::kBF16:
      return form<comparison, BrainFormat>(predicate);
    default:
      throw Unknown{"it has no such type"};
  }
}

Execute choose(std::string_view name, Type type, bool predicate) {
  if (name == "eq") return choose_type<Comparison::kEqual>(type, predicate);
  if (name == "ne") return choose_type<Comparison::kNotEqual>(type, predicate);
  if (name == "lt" || name == "lo") return choose_type<Comparison::kLess>(type, predicate);
  if (name == "le" || name == "ls") return choose_type<Comparison::kLessEqual>(type, predicate);
  if (name == "gt" || name == "hi") return choose_type<Comparison::kGreater>(type, predicate);
  if (name == "ge" || name == "hs") return choose_type<Comparison::kGreaterEqual>(type, predicate);
  if (name == "equ") return choose_type<Comparison::kEqualUnordered>(type, predicate);
  if (name == "neu") return choose_type<Comparison::kNotEqualUnordered>(type, predicate);
  if (name == "ltu") return choose_type<Comparison::kLessUnordered>(type, predicate);
  if (name == "leu") return choose_type<Comparison::kLessEqualUnordered>(type, predicate);
  if (name == "gtu") return choose_type<Comparison::kGreaterUnordered>(type, predicate);
  if (name == "geu") return choose_type<Comparison::kGreaterEqualUnordered>(type, predicate);
  if (name == "num") return choose_type<Comparison::kNumbers>(type, predicate);
  if (name == "nan") return choose_type<Comparison::kNaN>(type, predicate);
  throw Unknown{"a comparison that is not known"};
}

// setp.lt.and.s32 %p|%q, a, b, !c; set.lt.and.u32.s32 d, a, b, c
void decode_comparison(Decoder& decoder, const Statement& statement, Instruction& instruction) {
  const bool predicate = statement.opcode == "setp";
  const std::vector<Type> types = types_of(statement);
  const std::size_t count = statement.operands.size();
  if (types.size() != (predicate ? 1 : 2) || count < 3 || count > 4)
    throw Unknown{"it has another form"};
  if (has_word(statement, "ftz")) throw Unknown{"comparisons that flush are not implemented"};
  const Type type = types.back();
  const Operand& result = statement.operands[0];
  if (predicate) {
    instruction.operands[0] = decoder.predicate(result);
    if (!result.parts.empty()) instruction.operands[1] = decoder.predicate(result.parts[0]);
  } else {
    if (bytes_of(types[0]) != 4) throw Unknown{"it has no such type"};
    instruction.operands[0] = decoder.destination(result, types[0]);
    instruction.flags = types[0] == Type::kF32;
  }
  instruction.operands[2] = decoder.source(statement.operands[1], type);
  instruction.operands[3] = decoder.source(statement.operands[2], type);
  if (count == 4) {
    instruction.operands[4] = decoder.predicate(statement.operands[3]);
    instruction.immediate = statement.operands[3].negated ? kAllLanes : 0;
    instruction.mode = static_cast<std::uint8_t>(has_word(statement, "and")  ? Combination::kAnd
                                                 : has_word(statement, "or") ? Combination::kOr
                                                                             : Combination::kXor);
  }
  instruction.execute = choose(statement.words.at(0), type, predicate);
}

template <class T>
void select(Warp& warp, const Instruction& instruction, std::uint32_t lanes) {
  T* d = warp.values<T>(instruction.operands[0]);
  const T* a = warp.values<T>(instruction.operands[1]);
  const T* b = warp.values<T>(instruction.operands[2]);
  const std::uint32_t choice = warp.predicate(instruction.operands[3]);
  each_lane(lanes, [&](unsigned lane) { d[lane] = choice >> lane & 1 ? a[lane] : b[lane]; });
}

void decode_select(Decoder& decoder, const Statement& statement, Instruction& instruction) {
  const Type type = type_of(statement);
  if (statement.operands.size() != 4) throw Unknown{"it has another number of operands"};
  const bool negated = statement.operands[3].negated;
  instruction.operands[0] = decoder.destination(statement.operands[0], type);
  instruction.operands[1] = decoder.source(statement.operands[negated ? 2 : 1], type);
  instruction.operands[2] = decoder.source(statement.operands[negated ? 1 : 2], type);
  instruction.operands[3] = decoder.predicate(statement.operands[3]);
  switch (bytes_of(type)) {
    case 2:
      instruction.execute = &select<std::uint16_t>;
      break;
    case 4:
      instruction.execute = &select<std::uint32_t>;
      break;
    case 8:
      instruction.execute = &select<std::uint64_t>;
      break;
    default:
      throw Unknown{"it has no such type"};
  }
}

// a when c is not negative.
template <class T, class C>
void select_by_sign(Warp& warp, const Instruction& instruction, std::uint32_t lanes) {
  T* d = warp.values<T>(instruction.operands[0]);
  const T* a = warp.values<T>(instruction.operands[1]);
  const T* b = warp.values<T>(instruction.operands[2]);
  const C* c = warp.values<C>(instruction.operands[3]);
  each_lane(lanes, [&](unsigned lane) { d[lane] = c[lane] >= 0 ? a[lane] : b[lane]; });
}

void decode_select_by_sign(Decoder& decoder, const Statement& statement, Instruction& instruction) {
  const std::vector<Type> types = types_of(statement);
  if (types.size() != 2 || statement.operands.size() != 4) throw Unknown{"it has another form"};
  instruction.operands[0] = decoder.destination(statement.operands[0], types[0]);
  instruction.operands[1] = decoder.source(statement.operands[1], types[0]);
  instruction.operands[2] = decoder.source(statement.operands[2], types[0]);
  instruction.operands[3] = decoder.source(statement.operands[3], types[1]);
  const bool real = types[1] == Type::kF32;
  switch (bytes_of(types[0])) {
    case 4:
      instruction.execute = real ? &select_by_sign<std::uint32_t, float>
                                 : &select_by_sign<std::uint32_t, std::int32_t>;
      break;
    case 8:
      instruction.execute = real ? &select_by_sign<std::uint64_t, float>
                                 : &select_by_sign<std::uint64_t, std::int32_t>;
      break;
    default:
      throw Unknown{"it has no such type"};
  }
}

}  // namespace

void add_comparison_instructions(DecodeTable& table) {
  table["setp"] = decode_comparison;
  table["set"] = decode_comparison;
  table["selp"] = decode_select;
  table["slct"] = decode_select_by_sign;
}

}  // namespace emulator
