#include <cstdint>

#include "tools/cuda_emulator/elementwise.h"

// Arithmetic with the carry flag: add.cc, addc, sub.cc, subc, mad.cc, madc.
namespace emulator {
namespace {

enum Flag : std::uint8_t { kReads = 1, kWrites = 2, kHigh = 4 };

template <class T>
void add_with_carry(Warp& warp, const Instruction& instruction, std::uint32_t lanes) {
  T* d = warp.values<T>(instruction.operands[0]);
  const T* a = warp.values<T>(instruction.operands[1]);
  const T* b = warp.values<T>(instruction.operands[2]);
  std::uint32_t carries = 0;
  each_lane(lanes, [&](unsigned lane) {
    const T in = instruction.flags & kReads ? (warp.carry >> lane) & 1 : 0;
    T sum;
    const bool first = __builtin_add_overflow(a[lane], b[lane], &sum);
    const bool second = __builtin_add_overflow(sum, in, &sum);
    d[lane] = sum;
    if (first || second) carries |= 1u << lane;
  });
  if (instruction.flags & kWrites) warp.carry = (warp.carry & ~lanes) | carries;
}

template <class T>
void subtract_with_borrow(Warp& warp, const Instruction& instruction, std::uint32_t lanes) {
  T* d = warp.values<T>(instruction.operands[0]);
  const T* a = warp.values<T>(instruction.operands[1]);
  const T* b = warp.values<T>(instruction.operands[2]);
  std::uint32_t borrows = 0;
  each_lane(lanes, [&](unsigned lane) {
    const T in = instruction.flags & kReads ? (warp.carry >> lane) & 1 : 0;
    T difference;
    const bool first = __builtin_sub_overflow(a[lane], b[lane], &difference);
    const bool second = __builtin_sub_overflow(difference, in, &difference);
    d[lane] = difference;
    if (first || second) borrows |= 1u << lane;
  });
  if (instruction.flags & kWrites) warp.carry = (warp.carry & ~lanes) | borrows;
}

template <class T, class Wide>
void multiply_add_with_carry(Warp& warp, const Instruction& instruction, std::uint32_t lanes) {
  T* d = warp.values<T>(instruction.operands[0]);
  const T* a = warp.values<T>(instruction.operands[1]);
  const T* b = warp.values<T>(instruction.operands[2]);
  const T* c = warp.values<T>(instruction.operands[3]);
  std::uint32_t carries = 0;
  each_lane(lanes, [&](unsigned lane) {
    const T in = instruction.flags & kReads ? (warp.carry >> lane) & 1 : 0;
    const Wide product = Wide{a[lane]} * b[lane];
    const T part = static_cast<T>(instruction.flags & kHigh ? product >> (8 * sizeof(T)) : product);
    T sum;
    const bool first = __builtin_add_overflow(part, c[lane], &sum);
    const bool second = __builtin_add_overflow(sum, in, &sum);
    d[lane] = sum;
    if (first || second) carries |= 1u << lane;
  });
  if (instruction.flags & kWrites) warp.carry = (warp.carry & ~lanes) | carries;
}

enum class Operation { kAdd, kSubtract, kMultiplyAdd };

template <Operation operation>
void decode(Decoder& decoder, const Statement& statement, Instruction& instruction) {
  const Type type = type_of(statement);
  const bool writes = has_word(statement, "cc");
  const bool reads = statement.opcode.ends_with("c");
  instruction.flags = static_cast<std::uint8_t>((reads ? kReads : 0) | (writes ? kWrites : 0) |
                                                (has_word(statement, "hi") ? kHigh : 0));
  const bool wide = bytes_of(type) == 8;
  if (operation == Operation::kMultiplyAdd) {
    // High halves of signed products differ.
    if (is_signed(type)) throw Unknown{"products with carry are unsigned here"};
    decode_operands(decoder, statement, instruction, type, 3);
    instruction.execute = wide ? &multiply_add_with_carry<std::uint64_t, unsigned __int128>
                               : &multiply_add_with_carry<std::uint32_t, std::uint64_t>;
    return;
  }
  decode_operands(decoder, statement, instruction, type, 2);
  if (operation == Operation::kAdd) {
    instruction.execute = wide ? &add_with_carry<std::uint64_t> : &add_with_carry<std::uint32_t>;
  } else {
    instruction.execute =
        wide ? &subtract_with_borrow<std::uint64_t> : &subtract_with_borrow<std::uint32_t>;
  }
}

// The forms without a carry have the same name.
template <Operation operation>
void add_form(DecodeTable& table, std::string_view name) {
  static Decode without = nullptr;
  without = table.at(name);
  table[name] = [](Decoder& decoder, const Statement& statement, Instruction& instruction) {
    (has_word(statement, "cc") ? decode<operation> : without)(decoder, statement, instruction);
  };
}

}  // namespace

void add_carry_instructions(DecodeTable& table) {
  add_form<Operation::kAdd>(table, "add");
  add_form<Operation::kSubtract>(table, "sub");
  add_form<Operation::kMultiplyAdd>(table, "mad");
  table["addc"] = decode<Operation::kAdd>;
  table["subc"] = decode<Operation::kSubtract>;
  table["madc"] = decode<Operation::kMultiplyAdd>;
}

}  // namespace emulator
