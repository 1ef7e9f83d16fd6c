#include <algorithm>
#include <bit>
#include <cstdint>
#include <type_traits>

#include "tools/cuda_emulator/elementwise.h"

// and, or, xor, not, shifts, fields of bits, counts, permutations of bytes.
namespace emulator {
namespace {

struct And {
  template <class T>
  T operator()(T a, T b) const {
    return a & b;
  }
};
struct Or {
  template <class T>
  T operator()(T a, T b) const {
    return a | b;
  }
};
struct Xor {
  template <class T>
  T operator()(T a, T b) const {
    return a ^ b;
  }
};
struct Not {
  template <class T>
  T operator()(T a) const {
    return static_cast<T>(~a);
  }
};
struct IsZero {
  template <class T>
  T operator()(T a) const {
    return a == 0;
  }
};
// Amounts beyond the width shift everything out.
struct ShiftLeft {
  template <class T>
  T operator()(T a, std::uint32_t amount) const {
    return amount >= 8 * sizeof(T) ? 0 : static_cast<T>(std::make_unsigned_t<T>(a) << amount);
  }
};
struct ShiftRight {
  template <class T>
  T operator()(T a, std::uint32_t amount) const {
    if (amount < 8 * sizeof(T)) return static_cast<T>(a >> amount);
    return std::is_signed_v<T> && a < 0 ? static_cast<T>(-1) : T{0};
  }
};

template <bool kLeft, bool kClamp>
struct Funnel {
  std::uint32_t operator()(std::uint32_t low, std::uint32_t high, std::uint32_t amount) const {
    amount = kClamp ? std::min(amount, 32u) : amount & 31;
    const std::uint64_t both = std::uint64_t{high} << 32 | low;
    return static_cast<std::uint32_t>(kLeft ? both << amount >> 32 : both >> amount);
  }
};

// A field of `length` bits at `position`: the last 8 bits of both count.
struct Extract {
  template <class T>
  T operator()(T a, std::uint32_t position, std::uint32_t length) const {
    constexpr std::uint32_t kBits = 8 * sizeof(T);
    using U = std::make_unsigned_t<T>;
    position &= 0xff;
    length &= 0xff;
    if (length == 0) return 0;
    const bool sign =
        std::is_signed_v<T> && (U(a) >> std::min(position + length - 1, kBits - 1)) & 1;
    U field = position < kBits ? static_cast<U>(U(a) >> position) : U{0};
    const std::uint32_t known = std::min(length, position < kBits ? kBits - position : 0);
    if (known < kBits) {
      const U mask = static_cast<U>((U{1} << known) - 1);
      field = sign ? field | static_cast<U>(~mask) : field & mask;
    }
    return static_cast<T>(field);
  }
};

template <class T>
void insert(Warp& warp, const Instruction& instruction, std::uint32_t lanes) {
  constexpr std::uint32_t kBits = 8 * sizeof(T);
  T* d = warp.values<T>(instruction.operands[0]);
  const T* a = warp.values<T>(instruction.operands[1]);
  const T* b = warp.values<T>(instruction.operands[2]);
  const std::uint32_t* positions = warp.values<std::uint32_t>(instruction.operands[3]);
  const std::uint32_t* lengths = warp.values<std::uint32_t>(instruction.operands[4]);
  each_lane(lanes, [&](unsigned lane) {
    const std::uint32_t position = positions[lane] & 0xff;
    const std::uint32_t length = lengths[lane] & 0xff;
    const T ones = length >= kBits ? static_cast<T>(-1) : static_cast<T>((T{1} << length) - 1);
    const T mask = position >= kBits ? T{0} : static_cast<T>(ones << position);
    const T field = position >= kBits ? T{0} : static_cast<T>(a[lane] << position);
    d[lane] = (b[lane] & ~mask) | (field & mask);
  });
}

struct CountOnes {
  static constexpr bool kSigned = false;
  template <class T>
  std::uint32_t operator()(T a) const {
    return static_cast<std::uint32_t>(std::popcount(a));
  }
};
struct LeadingZeros {
  static constexpr bool kSigned = false;
  template <class T>
  std::uint32_t operator()(T a) const {
    return static_cast<std::uint32_t>(std::countl_zero(a));
  }
};
// The place of the highest bit that is not the sign; of nothing, all ones.
template <bool kShiftAmount>
struct HighestBit {
  static constexpr bool kSigned = true;
  template <class T>
  std::uint32_t operator()(T value) const {
    using U = std::make_unsigned_t<T>;
    U a = static_cast<U>(value);
    if (std::is_signed_v<T> && value < 0) a = static_cast<U>(~a);
    if (a == 0) return 0xffffffffu;
    const auto zeros = static_cast<std::uint32_t>(std::countl_zero(a));
    return kShiftAmount ? zeros : static_cast<std::uint32_t>(8 * sizeof(T)) - 1 - zeros;
  }
};
struct Reverse {
  template <class T>
  T operator()(T a) const {
    T result = 0;
    for (unsigned bit = 0; bit < 8 * sizeof(T); ++bit)
      result |= static_cast<T>((a >> bit & 1) << (8 * sizeof(T) - 1 - bit));
    return result;
  }
};

// Each nibble of the selector chooses one byte of both sources; its high bit copies that byte's
// sign.
struct Permute {
  std::uint32_t operator()(std::uint32_t a, std::uint32_t b, std::uint32_t selector) const {
    const std::uint64_t both = std::uint64_t{b} << 32 | a;
    std::uint32_t result = 0;
    for (unsigned i = 0; i < 4; ++i) {
      const std::uint32_t choice = selector >> (4 * i) & 0xf;
      std::uint32_t byte = both >> (8 * (choice & 7)) & 0xff;
      if (choice & 8) byte = byte & 0x80 ? 0xff : 0;
      result |= byte << (8 * i);
    }
    return result;
  }
};

// Bit i of the table is the result for the bits a, b, c of i.
void look_up(Warp& warp, const Instruction& instruction, std::uint32_t lanes) {
  std::uint32_t* d = warp.values<std::uint32_t>(instruction.operands[0]);
  const std::uint32_t* a = warp.values<std::uint32_t>(instruction.operands[1]);
  const std::uint32_t* b = warp.values<std::uint32_t>(instruction.operands[2]);
  const std::uint32_t* c = warp.values<std::uint32_t>(instruction.operands[3]);
  each_lane(lanes, [&](unsigned lane) {
    std::uint32_t result = 0;
    for (unsigned i = 0; i < 8; ++i) {
      if (!(instruction.immediate >> i & 1)) continue;
      result |= (i & 4 ? a[lane] : ~a[lane]) & (i & 2 ? b[lane] : ~b[lane]) &
                (i & 1 ? c[lane] : ~c[lane]);
    }
    d[lane] = result;
  });
}

// Predicates are one bit for each lane.
template <class F>
void predicate_logic(Warp& warp, const Instruction& instruction, std::uint32_t lanes) {
  const std::uint32_t a =
      warp.predicate(instruction.operands[1]) ^ (instruction.flags & 1 ? kAllLanes : 0);
  const std::uint32_t b =
      warp.predicate(instruction.operands[2]) ^ (instruction.flags & 2 ? kAllLanes : 0);
  std::uint32_t& d = warp.predicate(instruction.operands[0]);
  d = (d & ~lanes) | (F()(a, b) & lanes);
}

template <class F>
void decode_logic(Decoder& decoder, const Statement& statement, Instruction& instruction) {
  const Type type = type_of(statement);
  if (type == Type::kPredicate) {
    if (statement.operands.size() != 3) throw Unknown{"it has another number of operands"};
    for (int i = 0; i < 3; ++i) instruction.operands[i] = decoder.predicate(statement.operands[i]);
    instruction.flags = static_cast<std::uint8_t>(statement.operands[1].negated |
                                                  statement.operands[2].negated << 1);
    instruction.execute = &predicate_logic<F>;
    return;
  }
  decode_operands(decoder, statement, instruction, type, 2);
  instruction.execute = for_integer(type, [](auto zero) -> Execute {
    using T = decltype(zero);
    return &binary<F, T, T, T>;
  });
}

template <class F>
void decode_not(Decoder& decoder, const Statement& statement, Instruction& instruction) {
  const Type type = type_of(statement);
  if (type == Type::kPredicate) {
    instruction.operands[0] = decoder.predicate(statement.operands.at(0));
    instruction.operands[1] = decoder.predicate(statement.operands.at(1));
    instruction.operands[2] = decoder.constant(0, 1);
    instruction.flags = statement.operands[1].negated;
    instruction.execute = &predicate_logic<Xor>;
    return;
  }
  decode_operands(decoder, statement, instruction, type, 1);
  instruction.execute = for_integer(type, [](auto zero) -> Execute {
    using T = decltype(zero);
    return &unary<F, T, T>;
  });
}

template <class F>
void decode_shift(Decoder& decoder, const Statement& statement, Instruction& instruction) {
  const Type type = type_of(statement);
  if (statement.operands.size() != 3) throw Unknown{"it has another number of operands"};
  instruction.operands[0] = decoder.destination(statement.operands[0], type);
  instruction.operands[1] = decoder.source(statement.operands[1], type);
  instruction.operands[2] = decoder.source(statement.operands[2], Type::kU32);
  instruction.execute = for_integer(type, [](auto zero) -> Execute {
    using T = decltype(zero);
    return &binary<F, T, T, std::uint32_t>;
  });
}

// A count of 32 bits, whatever the type.
template <class F>
void decode_count(Decoder& decoder, const Statement& statement, Instruction& instruction) {
  const Type type = type_of(statement);
  if (statement.operands.size() != 2) throw Unknown{"it has another number of operands"};
  instruction.operands[0] = decoder.destination(statement.operands[0], Type::kU32);
  instruction.operands[1] = decoder.source(statement.operands[1], type);
  const bool wide = bytes_of(type) == 8;
  if constexpr (F::kSigned) {
    if (is_signed(type)) {
      instruction.execute =
          wide ? &unary<F, std::uint32_t, std::int64_t> : &unary<F, std::uint32_t, std::int32_t>;
      return;
    }
  }
  instruction.execute =
      wide ? &unary<F, std::uint32_t, std::uint64_t> : &unary<F, std::uint32_t, std::uint32_t>;
}

void decode_extract(Decoder& decoder, const Statement& statement, Instruction& instruction) {
  const Type type = type_of(statement);
  if (statement.operands.size() != 4) throw Unknown{"it has another number of operands"};
  instruction.operands[0] = decoder.destination(statement.operands[0], type);
  instruction.operands[1] = decoder.source(statement.operands[1], type);
  instruction.operands[2] = decoder.source(statement.operands[2], Type::kU32);
  instruction.operands[3] = decoder.source(statement.operands[3], Type::kU32);
  instruction.execute = for_integer(type, [](auto zero) -> Execute {
    using T = decltype(zero);
    return &ternary<Extract, T, T, std::uint32_t, std::uint32_t>;
  });
}

void decode_insert(Decoder& decoder, const Statement& statement, Instruction& instruction) {
  const Type type = type_of(statement);
  if (statement.operands.size() != 5) throw Unknown{"it has another number of operands"};
  instruction.operands[0] = decoder.destination(statement.operands[0], type);
  instruction.operands[1] = decoder.source(statement.operands[1], type);
  instruction.operands[2] = decoder.source(statement.operands[2], type);
  instruction.operands[3] = decoder.source(statement.operands[3], Type::kU32);
  instruction.operands[4] = decoder.source(statement.operands[4], Type::kU32);
  instruction.execute = bytes_of(type) == 8 ? &insert<std::uint64_t> : &insert<std::uint32_t>;
}

void decode_funnel(Decoder& decoder, const Statement& statement, Instruction& instruction) {
  decode_operands(decoder, statement, instruction, Type::kB32, 3);
  const bool left = has_word(statement, "l");
  const bool clamp = has_word(statement, "clamp");
  using U = std::uint32_t;
  if (left) {
    instruction.execute = clamp ? &ternary<Funnel<true, true>, U, U, U, U>
                                : &ternary<Funnel<true, false>, U, U, U, U>;
  } else {
    instruction.execute = clamp ? &ternary<Funnel<false, true>, U, U, U, U>
                                : &ternary<Funnel<false, false>, U, U, U, U>;
  }
}

void decode_reverse(Decoder& decoder, const Statement& statement, Instruction& instruction) {
  const Type type = type_of(statement);
  decode_operands(decoder, statement, instruction, type, 1);
  instruction.execute = bytes_of(type) == 8 ? &unary<Reverse, std::uint64_t, std::uint64_t>
                                            : &unary<Reverse, std::uint32_t, std::uint32_t>;
}

void decode_permute(Decoder& decoder, const Statement& statement, Instruction& instruction) {
  if (statement.words.size() != 1) throw Unknown{"it has no other modes"};
  decode_operands(decoder, statement, instruction, Type::kB32, 3);
  using U = std::uint32_t;
  instruction.execute = &ternary<Permute, U, U, U, U>;
}

void decode_look_up(Decoder& decoder, const Statement& statement, Instruction& instruction) {
  if (statement.operands.size() != 5) throw Unknown{"it has another number of operands"};
  instruction.operands[0] = decoder.destination(statement.operands[0], Type::kB32);
  for (int i = 1; i < 4; ++i)
    instruction.operands[i] = decoder.source(statement.operands[i], Type::kB32);
  instruction.immediate = static_cast<std::int64_t>(statement.operands[4].bits);
  instruction.execute = &look_up;
}

}  // namespace

void add_bit_instructions(DecodeTable& table) {
  table["and"] = decode_logic<And>;
  table["or"] = decode_logic<Or>;
  table["xor"] = decode_logic<Xor>;
  table["not"] = decode_not<Not>;
  table["cnot"] = decode_not<IsZero>;
  table["shl"] = decode_shift<ShiftLeft>;
  table["shr"] = decode_shift<ShiftRight>;
  table["shf"] = decode_funnel;
  table["bfe"] = decode_extract;
  table["bfi"] = decode_insert;
  table["popc"] = decode_count<CountOnes>;
  table["clz"] = decode_count<LeadingZeros>;
  table["bfind"] = [](Decoder& decoder, const Statement& statement, Instruction& instruction) {
    (has_word(statement, "shiftamt")
         ? decode_count<HighestBit<true>>
         : decode_count<HighestBit<false>>)(decoder, statement, instruction);
  };
  table["brev"] = decode_reverse;
  table["prmt"] = decode_permute;
  table["lop3"] = decode_look_up;
}

}  // namespace emulator
