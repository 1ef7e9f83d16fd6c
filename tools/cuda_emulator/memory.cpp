#include <cstdint>
#include <cstring>
#include <type_traits>

#include "tools/cuda_emulator/elementwise.h"
#include "tools/cuda_emulator/race_check.h"

// ld and st of every space, alone and as vectors.
namespace emulator {
namespace {

template <class M, class R>
void load(Warp& warp, const Instruction& instruction, std::uint32_t lanes) {
  std::uint64_t addresses[kLanes];
  const unsigned count = instruction.count;
  resolve(warp, instruction, lanes, sizeof(M) * count, false, addresses);
  for (unsigned i = 0; i < count; ++i) {
    R* d = warp.values<R>(count == 1 ? instruction.operands[0] : instruction.list[i]);
    each_lane(lanes, [&](unsigned lane) {
      M value;
      std::memcpy(&value, reinterpret_cast<const std::byte*>(addresses[lane]) + i * sizeof(M),
                  sizeof(M));
      d[lane] = static_cast<R>(value);
    });
  }
}

template <class M, class R>
void store(Warp& warp, const Instruction& instruction, std::uint32_t lanes) {
  std::uint64_t addresses[kLanes];
  const unsigned count = instruction.count;
  resolve(warp, instruction, lanes, sizeof(M) * count, true, addresses);
  for (unsigned i = 0; i < count; ++i) {
    const R* a = warp.values<R>(count == 1 ? instruction.operands[0] : instruction.list[i]);
    each_lane(lanes, [&](unsigned lane) {
      const M value = static_cast<M>(a[lane]);
      const std::uint64_t address = addresses[lane] + i * sizeof(M);
      check_race(warp, lane, address, value);
      std::memcpy(reinterpret_cast<std::byte*>(address), &value, sizeof(M));
    });
  }
}

template <class M>
Execute choose_load(int bytes) {
  switch (bytes) {
    case 2:
      if constexpr (sizeof(M) <= 2) return &load<M, std::uint16_t>;
      break;
    case 4:
      if constexpr (sizeof(M) <= 4) return &load<M, std::uint32_t>;
      break;
    case 8:
      return &load<M, std::uint64_t>;
    default:
      break;
  }
  throw Unknown{"a register is narrower than its type"};
}

template <class M>
Execute choose_store(int bytes) {
  switch (bytes) {
    case 2:
      if constexpr (sizeof(M) <= 2) return &store<M, std::uint16_t>;
      break;
    case 4:
      if constexpr (sizeof(M) <= 4) return &store<M, std::uint32_t>;
      break;
    case 8:
      return &store<M, std::uint64_t>;
    default:
      break;
  }
  throw Unknown{"a register is narrower than its type"};
}

Execute choose(Type type, int bytes, bool loads) {
  switch (type) {
    case Type::kS8:
      return loads ? choose_load<std::int8_t>(bytes) : choose_store<std::uint8_t>(bytes);
    case Type::kS16:
      return loads ? choose_load<std::int16_t>(bytes) : choose_store<std::uint16_t>(bytes);
    case Type::kS32:
      return loads ? choose_load<std::int32_t>(bytes) : choose_store<std::uint32_t>(bytes);
    default:
      break;
  }
  switch (bytes_of(type)) {
    case 1:
      return loads ? choose_load<std::uint8_t>(bytes) : choose_store<std::uint8_t>(bytes);
    case 2:
      return loads ? choose_load<std::uint16_t>(bytes) : choose_store<std::uint16_t>(bytes);
    case 4:
      return loads ? choose_load<std::uint32_t>(bytes) : choose_store<std::uint32_t>(bytes);
    case 8:
      return loads ? choose_load<std::uint64_t>(bytes) : choose_store<std::uint64_t>(bytes);
    default:
      throw Unknown{"it has no such type"};
  }
}

void decode_access(Decoder& decoder, const Statement& statement, Instruction& instruction) {
  const bool loads = statement.opcode != "st";
  const Type type = type_of(statement);
  if (statement.operands.size() != 2) throw Unknown{"it has another number of operands"};
  const Operand& value = statement.operands[loads ? 0 : 1];
  instruction.space = space_of(statement);
  decoder.address(statement.operands[loads ? 1 : 0], instruction, 1);
  const std::vector<Operand> alone = {value};
  const std::vector<Operand>& values = value.kind == Operand::Kind::kVector ? value.parts : alone;
  const unsigned count = has_word(statement, "v2")   ? 2
                         : has_word(statement, "v4") ? 4
                         : has_word(statement, "v8") ? 8
                                                     : 1;
  if (values.size() != count) throw Unknown{"a vector of another length"};
  instruction.count = static_cast<std::uint8_t>(count);
  std::vector<std::uint32_t> registers;
  int bytes = 0;
  for (const Operand& operand : values) {
    int width = 0;
    if (operand.name == "_" || !decoder.is_register(operand)) continue;
    decoder.any_register(operand, &width);
    if (bytes && width != bytes) throw Unknown{"registers of different widths"};
    bytes = width;
  }
  if (!bytes) bytes = std::max(2, bytes_of(type));
  const Type width = bytes == 2 ? Type::kB16 : bytes == 4 ? Type::kB32 : Type::kB64;
  for (const Operand& operand : values) {
    if (operand.name == "_") {
      registers.push_back(decoder.scratch(8));
    } else if (loads) {
      registers.push_back(decoder.destination(operand, width));
    } else {
      registers.push_back(
          decoder.source(operand, operand.kind == Operand::Kind::kFloat ? type : width));
    }
  }
  instruction.operands[0] = registers[0];
  if (count > 1) instruction.list = decoder.list(registers);
  instruction.execute = choose(type, bytes, loads);
}

void nothing(Warp&, const Instruction&, std::uint32_t) {}

}  // namespace

Space space_of(const Statement& statement) {
  for (const std::string_view word : statement.words) {
    if (word.starts_with("shared")) return Space::kShared;
    if (word == "global") return Space::kGlobal;
    if (word == "local") return Space::kLocal;
    if (word.starts_with("param")) return Space::kParameter;
    if (word == "const") return Space::kConstant;
  }
  return Space::kGeneric;
}

void add_memory_instructions(DecodeTable& table) {
  table["ld"] = decode_access;
  table["ldu"] = decode_access;
  table["st"] = decode_access;
  const Decode order = [](Decoder&, const Statement&, Instruction& instruction) {
    instruction.execute = &nothing;
  };
  for (const std::string_view name : {"membar", "prefetch", "prefetchu", "discard", "applypriority",
                                      "nanosleep", "griddepcontrol", "pmevent", "setmaxnreg"}) {
    table[name] = order;
  }
}

}  // namespace emulator
