#pragma once

#include <cstdint>
#include <string_view>

namespace emulator {

// The types in the names of instructions.
enum class Type : std::uint8_t {
  kNone,
  kPredicate,
  kB8,
  kB16,
  kB32,
  kB64,
  kB128,
  kU8,
  kU16,
  kU32,
  kU64,
  kS8,
  kS16,
  kS32,
  kS64,
  kF16,
  kF16x2,
  kBF16,
  kBF16x2,
  kF32,
  kF64,
  kTF32
};

// kNone for a word that is not a type.
Type parse_type(std::string_view word);

constexpr int bytes_of(Type type) {
  switch (type) {
    case Type::kNone:
    case Type::kPredicate:
      return 0;
    case Type::kB8:
    case Type::kU8:
    case Type::kS8:
      return 1;
    case Type::kB16:
    case Type::kU16:
    case Type::kS16:
    case Type::kF16:
    case Type::kBF16:
      return 2;
    case Type::kB64:
    case Type::kU64:
    case Type::kS64:
    case Type::kF64:
      return 8;
    case Type::kB128:
      return 16;
    default:
      return 4;
  }
}

constexpr bool is_signed(Type type) {
  return type == Type::kS8 || type == Type::kS16 || type == Type::kS32 || type == Type::kS64;
}

constexpr bool is_float(Type type) { return type >= Type::kF16; }

}  // namespace emulator
