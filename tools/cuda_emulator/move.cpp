#include <chrono>
#include <cstdint>
#include <string_view>

#include "tools/cuda_emulator/elementwise.h"

// mov, with vectors of parts and special registers; addresses of one space as those of another.
namespace emulator {
namespace {

template <class T>
void copy(Warp& warp, const Instruction& instruction, std::uint32_t lanes) {
  T* d = warp.values<T>(instruction.operands[0]);
  const T* a = warp.values<T>(instruction.operands[1]);
  each_lane(lanes, [&](unsigned lane) { d[lane] = a[lane]; });
}

void copy_predicate(Warp& warp, const Instruction& instruction, std::uint32_t lanes) {
  const std::uint32_t a =
      warp.predicate(instruction.operands[1]) ^ (instruction.flags ? kAllLanes : 0);
  std::uint32_t& d = warp.predicate(instruction.operands[0]);
  d = (d & ~lanes) | (a & lanes);
}

template <class T>
T part_of(Warp& warp, std::uint32_t offset, unsigned lane) {
  return warp.values<T>(offset)[lane];
}

// mov.b64 d, {a, b}: the first is the lowest.
template <class Whole, class Part>
void pack(Warp& warp, const Instruction& instruction, std::uint32_t lanes) {
  Whole* d = warp.values<Whole>(instruction.operands[0]);
  each_lane(lanes, [&](unsigned lane) {
    Whole result = 0;
    for (unsigned i = 0; i < instruction.count; ++i) {
      result |=
          static_cast<Whole>(static_cast<Whole>(part_of<Part>(warp, instruction.list[i], lane))
                             << (8 * sizeof(Part) * i));
    }
    d[lane] = result;
  });
}

template <class Whole, class Part>
void unpack(Warp& warp, const Instruction& instruction, std::uint32_t lanes) {
  const Whole* a = warp.values<Whole>(instruction.operands[1]);
  each_lane(lanes, [&](unsigned lane) {
    const Whole whole = a[lane];
    for (unsigned i = 0; i < instruction.count; ++i) {
      warp.values<Part>(instruction.list[i])[lane] =
          static_cast<Part>(whole >> (8 * sizeof(Part) * i));
    }
  });
}

template <class Whole, class Part>
Execute choose(bool packs) {
  return packs ? &pack<Whole, Part> : &unpack<Whole, Part>;
}

void decode_parts(Decoder& decoder, const Statement& statement, Instruction& instruction, int bytes,
                  bool packs) {
  const std::vector<Operand>& parts = statement.operands[packs ? 1 : 0].parts;
  const int each = parts.empty() ? 0 : bytes / static_cast<int>(parts.size());
  const Type part = each == 2 ? Type::kB16 : each == 4 ? Type::kB32 : Type::kNone;
  if (part == Type::kNone) throw Unknown{"parts of this size"};
  const Type whole = bytes == 8 ? Type::kB64 : Type::kB32;
  std::vector<std::uint32_t> registers;
  for (const Operand& operand : parts) {
    registers.push_back(packs ? decoder.source(operand, part) : decoder.destination(operand, part));
  }
  instruction.count = static_cast<std::uint8_t>(parts.size());
  instruction.list = decoder.list(registers);
  if (packs) {
    instruction.operands[0] = decoder.destination(statement.operands[0], whole);
  } else {
    instruction.operands[1] = decoder.source(statement.operands[1], whole);
  }
  instruction.execute = bytes == 4  ? choose<std::uint32_t, std::uint16_t>(packs)
                        : each == 4 ? choose<std::uint64_t, std::uint32_t>(packs)
                                    : choose<std::uint64_t, std::uint16_t>(packs);
}

template <class T>
void read_clock(Warp& warp, const Instruction& instruction, std::uint32_t lanes) {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  const auto ticks = std::chrono::duration_cast<std::chrono::nanoseconds>(now).count();
  T* d = warp.values<T>(instruction.operands[0]);
  each_lane(lanes, [&](unsigned lane) { d[lane] = static_cast<T>(ticks); });
}

void decode_move(Decoder& decoder, const Statement& statement, Instruction& instruction) {
  const Type type = type_of(statement);
  if (statement.operands.size() != 2) throw Unknown{"it has another number of operands"};
  const Operand& to = statement.operands[0];
  const Operand& from = statement.operands[1];
  if (type == Type::kPredicate) {
    instruction.operands[0] = decoder.predicate(to);
    instruction.operands[1] = decoder.predicate(from);
    instruction.flags = from.negated;
    instruction.execute = &copy_predicate;
    return;
  }
  const int bytes = bytes_of(type);
  if (to.kind == Operand::Kind::kVector || from.kind == Operand::Kind::kVector) {
    decode_parts(decoder, statement, instruction, bytes, from.kind == Operand::Kind::kVector);
    return;
  }
  instruction.operands[0] = decoder.destination(to, type);
  if (from.name.starts_with("%clock") || from.name.starts_with("%globaltimer")) {
    instruction.execute = bytes == 8 ? &read_clock<std::uint64_t> : &read_clock<std::uint32_t>;
    return;
  }
  instruction.operands[1] = decoder.source(from, type);
  switch (bytes) {
    case 2:
      instruction.execute = &copy<std::uint16_t>;
      break;
    case 4:
      instruction.execute = &copy<std::uint32_t>;
      break;
    case 8:
      instruction.execute = &copy<std::uint64_t>;
      break;
    default:
      throw Unknown{"it has no such type"};
  }
}

// Shared addresses count from the block's memory, all others are the host's.
template <class T, bool kTo>
void shift_shared(Warp& warp, const Instruction& instruction, std::uint32_t lanes) {
  T* d = warp.values<T>(instruction.operands[0]);
  const T* a = warp.values<T>(instruction.operands[1]);
  const T base = static_cast<T>(reinterpret_cast<std::uintptr_t>(warp.block().shared));
  each_lane(lanes, [&](unsigned lane) { d[lane] = kTo ? a[lane] - base : a[lane] + base; });
}

void decode_address_conversion(Decoder& decoder, const Statement& statement,
                               Instruction& instruction) {
  const Type type = type_of(statement);
  if (type != Type::kU64) throw Unknown{"addresses have 64 bits"};
  decode_operands(decoder, statement, instruction, type, 1);
  bool shared = false;
  for (const std::string_view word : statement.words) shared |= word.starts_with("shared");
  if (!shared) {
    instruction.execute = &copy<std::uint64_t>;
  } else if (has_word(statement, "to")) {
    instruction.execute = &shift_shared<std::uint64_t, true>;
  } else {
    instruction.execute = &shift_shared<std::uint64_t, false>;
  }
}

// isspacep: whether a generic address is of a space.
void test_space(Warp& warp, const Instruction& instruction, std::uint32_t lanes) {
  const std::uint64_t* a = warp.values<std::uint64_t>(instruction.operands[1]);
  const auto shared = reinterpret_cast<std::uintptr_t>(warp.block().shared);
  std::uint32_t result = 0;
  each_lane(lanes, [&](unsigned lane) {
    const auto local = reinterpret_cast<std::uintptr_t>(warp.local(lane));
    const bool is_shared = a[lane] - shared < warp.block().shared_bytes;
    const bool is_local = a[lane] - local < warp.local_bytes();
    const bool is = instruction.space == Space::kShared  ? is_shared
                    : instruction.space == Space::kLocal ? is_local
                                                         : !is_shared && !is_local;
    if (is) result |= 1u << lane;
  });
  std::uint32_t& d = warp.predicate(instruction.operands[0]);
  d = (d & ~lanes) | result;
}

void decode_space_test(Decoder& decoder, const Statement& statement, Instruction& instruction) {
  instruction.operands[0] = decoder.predicate(statement.operands.at(0));
  instruction.operands[1] = decoder.source(statement.operands.at(1), Type::kB64);
  const std::string_view space = statement.words.at(0);
  instruction.space = space.starts_with("shared") ? Space::kShared
                      : space == "local"          ? Space::kLocal
                                                  : Space::kGlobal;
  if (instruction.space == Space::kGlobal && space != "global")
    throw Unknown{"a space that is not implemented"};
  instruction.execute = &test_space;
}

}  // namespace

void add_move_instructions(DecodeTable& table) {
  table["mov"] = decode_move;
  table["cvta"] = decode_address_conversion;
  table["isspacep"] = decode_space_test;
}

}  // namespace emulator
