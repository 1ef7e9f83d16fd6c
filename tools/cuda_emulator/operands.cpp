#include <algorithm>
#include <bit>
#include <string>
#include <tuple>

#include "tools/cuda_emulator/decoder.h"
#include "tools/cuda_emulator/half.h"

// What the operands of instructions stand for: registers, constants, special registers, addresses.
namespace emulator {
namespace {

// The bits of a constant as an operand of a type.
std::uint64_t constant_bits(const Operand& operand, Type type) {
  if (operand.kind == Operand::Kind::kInteger) return operand.bits;
  const double value = operand.single
                           ? std::bit_cast<float>(static_cast<std::uint32_t>(operand.bits))
                           : std::bit_cast<double>(operand.bits);
  switch (type) {
    case Type::kF64:
      return std::bit_cast<std::uint64_t>(value);
    case Type::kF16:
      return half_bits(value);
    case Type::kBF16:
      return bfloat_bits(value);
    default:
      // A move of bits: as wide as it was written.
      if (bytes_of(type) == 8) return std::bit_cast<std::uint64_t>(value);
      return operand.single ? operand.bits
                            : std::bit_cast<std::uint32_t>(static_cast<float>(value));
  }
}

}  // namespace

Type parse_type(std::string_view word) {
  static const std::unordered_map<std::string_view, Type> types = {
      {"pred", Type::kPredicate}, {"b8", Type::kB8},     {"b16", Type::kB16},
      {"b32", Type::kB32},        {"b64", Type::kB64},   {"b128", Type::kB128},
      {"u8", Type::kU8},          {"u16", Type::kU16},   {"u32", Type::kU32},
      {"u64", Type::kU64},        {"s8", Type::kS8},     {"s16", Type::kS16},
      {"s32", Type::kS32},        {"s64", Type::kS64},   {"f16", Type::kF16},
      {"f16x2", Type::kF16x2},    {"bf16", Type::kBF16}, {"bf16x2", Type::kBF16x2},
      {"f32", Type::kF32},        {"f64", Type::kF64},   {"tf32", Type::kTF32}};
  const auto found = types.find(word);
  return found == types.end() ? Type::kNone : found->second;
}

bool has_word(const Statement& statement, std::string_view word) {
  return std::find(statement.words.begin(), statement.words.end(), word) != statement.words.end();
}

std::vector<Type> types_of(const Statement& statement) {
  std::vector<Type> types;
  for (const std::string_view word : statement.words) {
    const Type type = parse_type(word);
    if (type != Type::kNone) types.push_back(type);
  }
  return types;
}

Type type_of(const Statement& statement) {
  const std::vector<Type> types = types_of(statement);
  if (types.size() != 1) throw Unknown{"it has not one type"};
  return types[0];
}

std::uint32_t Decoder::scratch(int bytes) { return allocate(bytes, 1); }

std::uint32_t Decoder::constant(int bytes, std::uint64_t value) {
  if (bytes == 2) value &= 0xffff;
  if (bytes == 4) value &= 0xffffffff;
  const auto [entry, inserted] = constants_.try_emplace({bytes, value});
  if (inserted) {
    entry->second = allocate(bytes, 1);
    function_.constants.push_back({entry->second, bytes, value});
  }
  return entry->second;
}

std::uint32_t Decoder::special(Special special, int bytes, std::int64_t argument) {
  const auto [entry, inserted] = specials_.try_emplace({special, bytes, argument});
  if (inserted) {
    entry->second = allocate(bytes, 1);
    function_.specials.push_back({special, entry->second, bytes, argument});
  }
  return entry->second;
}

const Decoder::Register* Decoder::find_register(std::string_view name, Register* storage) const {
  const std::size_t digits = name.find_last_not_of("0123456789") + 1;
  const std::string_view prefix = name.substr(0, digits);
  std::uint64_t number = 0;
  const bool numbered = digits < name.size() && digits > 0;
  if (numbered) {
    for (const char c : name.substr(digits)) number = number * 10 + (c - '0');
  }
  for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope) {
    const auto found = scope->registers.find(name);
    if (found != scope->registers.end()) return &found->second;
    if (!numbered) continue;
    const auto range = scope->ranges.find(prefix);
    if (range == scope->ranges.end() || number >= range->second.count) continue;
    const Register& first = range->second.first;
    const std::uint32_t each = first.bytes == 0 ? 4 : first.bytes * 32;
    *storage = {static_cast<std::uint32_t>(first.offset + each * number), first.bytes};
    return storage;
  }
  return nullptr;
}

bool Decoder::is_register(const Operand& operand) const {
  Register storage;
  return operand.kind == Operand::Kind::kName && find_register(operand.name, &storage);
}

const Symbol& Decoder::symbol(std::string_view name) {
  for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope) {
    const auto found = scope->symbols.find(name);
    if (found != scope->symbols.end()) return found->second;
  }
  const auto found = program_.symbols.find(name);
  if (found == program_.symbols.end())
    throw Unknown{"'" + std::string(name) + "' was not declared"};
  if (found->second.space != Space::kShared) return found->second;
  // Shared memory of the module has its place in each kernel that uses it; the size of dynamic
  // memory is zero.
  if (!function_.entry) throw Unknown{"shared memory of a function that is called"};
  Symbol symbol = found->second;
  if (symbol.bytes == 0) {
    uses_dynamic_shared_ = true;
    symbol.address = -1;
  } else {
    const std::size_t alignment = static_cast<std::size_t>(symbol.address);
    shared_ = (shared_ + alignment - 1) / alignment * alignment;
    symbol.address = static_cast<std::int64_t>(shared_);
    shared_ += symbol.bytes;
  }
  return scopes_[0].symbols[found->first] = symbol;
}

bool Decoder::special_register(std::string_view name, Special* special, int* bytes) const {
  static const std::unordered_map<std::string_view, Special> specials = {
      {"%tid.x", Special::kTidX},
      {"%tid.y", Special::kTidY},
      {"%tid.z", Special::kTidZ},
      {"%ntid.x", Special::kNtidX},
      {"%ntid.y", Special::kNtidY},
      {"%ntid.z", Special::kNtidZ},
      {"%ctaid.x", Special::kCtaidX},
      {"%ctaid.y", Special::kCtaidY},
      {"%ctaid.z", Special::kCtaidZ},
      {"%nctaid.x", Special::kNctaidX},
      {"%nctaid.y", Special::kNctaidY},
      {"%nctaid.z", Special::kNctaidZ},
      {"%laneid", Special::kLane},
      {"%warpid", Special::kWarp},
      {"%nwarpid", Special::kWarps},
      {"%lanemask_eq", Special::kLanesEqual},
      {"%lanemask_lt", Special::kLanesLess},
      {"%lanemask_le", Special::kLanesLessEqual},
      {"%lanemask_gt", Special::kLanesGreater},
      {"%lanemask_ge", Special::kLanesGreaterEqual},
      {"%smid", Special::kZero},
      {"%gridid", Special::kZero},
      {"%dynamic_smem_size", Special::kDynamicShared},
      {"%total_smem_size", Special::kTotalShared}};
  const auto found = specials.find(name);
  if (found == specials.end()) return false;
  *special = found->second;
  *bytes = name == "%gridid" ? 8 : 4;
  return true;
}

std::uint32_t Decoder::any_register(const Operand& operand, int* bytes) {
  Register storage;
  if (operand.kind == Operand::Kind::kName) {
    if (operand.name == "_") {
      *bytes = 8;
      return scratch(8);
    }
    if (const Register* found = find_register(operand.name, &storage)) {
      *bytes = found->bytes;
      return found->offset;
    }
  }
  throw Unknown{"an operand is not a register"};
}

std::uint32_t Decoder::source(const Operand& operand, Type type) {
  const int bytes = register_bytes(type);
  if (operand.negated || type == Type::kPredicate) throw Unknown{"a predicate as an operand"};
  if (operand.kind == Operand::Kind::kInteger || operand.kind == Operand::Kind::kFloat) {
    return constant(bytes, constant_bits(operand, type));
  }
  if (operand.kind != Operand::Kind::kName) throw Unknown{"an operand that is not understood"};
  if (is_register(operand)) {
    int found = 0;
    const std::uint32_t offset = any_register(operand, &found);
    if (found != bytes) throw Unknown{"'" + std::string(operand.name) + "' has another width"};
    return offset;
  }
  if (operand.name == "WARP_SZ") return constant(bytes, 32);
  Special special_name;
  int special_bytes = 0;
  if (special_register(operand.name, &special_name, &special_bytes))
    return special(special_name, bytes);
  const Symbol& found = symbol(operand.name);
  const std::int64_t address = found.address + operand.offset;
  switch (found.space) {
    case Space::kParameter:
      return special(Special::kParameterAddress, bytes, address);
    case Space::kLocal:
      return special(Special::kLocalAddress, bytes, address);
    case Space::kShared:
      if (found.address < 0) {
        // Known when the whole body has been read: its constants are mended then.
        const std::uint32_t offset = allocate(bytes, 1);
        function_.constants.push_back({offset, -bytes, static_cast<std::uint64_t>(operand.offset)});
        return offset;
      }
      return constant(bytes, static_cast<std::uint64_t>(address));
    default:
      return constant(bytes, static_cast<std::uint64_t>(address));
  }
}

std::uint32_t Decoder::destination(const Operand& operand, Type type) {
  if (operand.kind == Operand::Kind::kName && operand.name == "_")
    return scratch(register_bytes(type));
  int found = 0;
  const std::uint32_t offset = any_register(operand, &found);
  if (found != register_bytes(type))
    throw Unknown{"'" + std::string(operand.name) + "' has another width"};
  return offset;
}

std::uint32_t Decoder::predicate(const Operand& operand) {
  if (operand.kind == Operand::Kind::kInteger) return constant(0, operand.bits != 0);
  if (operand.kind == Operand::Kind::kName && operand.name == "_") return scratch(0);
  int bytes = 0;
  const std::uint32_t offset = any_register(operand, &bytes);
  if (bytes != 0) throw Unknown{"'" + std::string(operand.name) + "' is not a predicate"};
  return offset;
}

void Decoder::address(const Operand& operand, Instruction& instruction, int position) {
  if (operand.kind != Operand::Kind::kAddress) throw Unknown{"an operand is not an address"};
  instruction.immediate = operand.offset;
  instruction.wide_address = true;
  if (operand.name.empty()) {
    instruction.operands[position] = constant(8, 0);
    return;
  }
  Register storage;
  if (const Register* found = find_register(operand.name, &storage)) {
    if (found->bytes != 8 && found->bytes != 4)
      throw Unknown{"an address in a register of this width"};
    instruction.wide_address = found->bytes == 8;
    instruction.operands[position] = found->offset;
    return;
  }
  const Symbol& found = symbol(operand.name);
  if (found.space == Space::kLocal && instruction.space == Space::kParameter)
    instruction.space = Space::kLocal;
  Operand name;
  name.name = operand.name;
  instruction.operands[position] = source(name, Type::kB64);
}

const std::uint32_t* Decoder::list(std::vector<std::uint32_t> registers) {
  return function_.lists.emplace_back(std::move(registers)).data();
}

}  // namespace emulator
