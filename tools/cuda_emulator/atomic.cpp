#include <algorithm>
#include <atomic>
#include <cstdint>
#include <string_view>
#include <type_traits>

#include "tools/cuda_emulator/elementwise.h"
#include "tools/cuda_emulator/float_operations.h"
#include "tools/cuda_emulator/half.h"
#include "tools/cuda_emulator/race_check.h"

// atom and red. They are atomic on the host too: several threads of it may run blocks.
namespace emulator {
namespace {

enum class Operation : std::uint8_t {
  kAdd,
  kMinimum,
  kMaximum,
  kAnd,
  kOr,
  kXor,
  kExchange,
  kIncrement,
  kDecrement
};

template <Operation operation, class T>
T combine(T old, T value) {
  if constexpr (std::is_floating_point_v<T>) {
    switch (operation) {
      case Operation::kAdd:
        return float_operations::Add()(old, value);
      case Operation::kMinimum:
        return float_operations::Minimum()(old, value);
      case Operation::kMaximum:
        return float_operations::Maximum()(old, value);
      default:
        return value;
    }
  } else {
    using U = std::make_unsigned_t<T>;
    switch (operation) {
      case Operation::kAdd:
        return static_cast<T>(static_cast<U>(old) + static_cast<U>(value));
      case Operation::kMinimum:
        return std::min(old, value);
      case Operation::kMaximum:
        return std::max(old, value);
      case Operation::kAnd:
        return old & value;
      case Operation::kOr:
        return old | value;
      case Operation::kXor:
        return old ^ value;
      case Operation::kExchange:
        return value;
      case Operation::kIncrement:
        return static_cast<U>(old) >= static_cast<U>(value) ? T{0} : static_cast<T>(old + 1);
      case Operation::kDecrement:
        return old == 0 || static_cast<U>(old) > static_cast<U>(value) ? value
                                                                       : static_cast<T>(old - 1);
    }
    return value;
  }
}

void check(Warp& warp, const Instruction& instruction, std::uint32_t lanes, unsigned bytes,
           std::uint64_t* addresses) {
  const Block& block = warp.block();
  resolve(warp, instruction, lanes, bytes, true, addresses);
  if (!block.races) return;
  const auto shared = reinterpret_cast<std::uintptr_t>(block.shared);
  each_lane(lanes, [&](unsigned lane) {
    if (addresses[lane] - shared < block.shared_bytes) {
      block.races->access(warp, lane, addresses[lane] - shared, bytes, RaceCheck::Access::kAtomic,
                          nullptr);
    }
  });
}

template <class T, class F>
void update(Warp& warp, const Instruction& instruction, std::uint32_t lanes, F&& next) {
  std::uint64_t addresses[kLanes];
  check(warp, instruction, lanes, sizeof(T), addresses);
  T* d = instruction.operands[0] ? warp.values<T>(instruction.operands[0]) : nullptr;
  for (std::uint32_t rest = lanes; rest; rest &= rest - 1) {
    const auto lane = static_cast<unsigned>(__builtin_ctz(rest));
    std::atomic_ref<T> place(*reinterpret_cast<T*>(addresses[lane]));
    T old = place.load(std::memory_order_relaxed);
    while (!place.compare_exchange_weak(old, next(old, lane))) {
    }
    if (d) d[lane] = old;
  }
}

template <Operation operation, class T>
void combine_atomically(Warp& warp, const Instruction& instruction, std::uint32_t lanes) {
  const T* b = warp.values<T>(instruction.operands[2]);
  update<T>(warp, instruction, lanes,
            [&](T old, unsigned lane) { return combine<operation>(old, b[lane]); });
}

template <class T>
void compare_and_swap(Warp& warp, const Instruction& instruction, std::uint32_t lanes) {
  const T* b = warp.values<T>(instruction.operands[2]);
  const T* c = warp.values<T>(instruction.operands[3]);
  update<T>(warp, instruction, lanes,
            [&](T old, unsigned lane) { return old == b[lane] ? c[lane] : old; });
}

std::uint16_t add_half(std::uint16_t a, std::uint16_t b, bool brain) {
  return brain ? bfloat_bits(double{bfloat_value(a)} + bfloat_value(b))
               : half_bits(double{half_value(a)} + half_value(b));
}

template <class T, bool kBrain>
void add_halves(Warp& warp, const Instruction& instruction, std::uint32_t lanes) {
  const T* b = warp.values<T>(instruction.operands[2]);
  update<T>(warp, instruction, lanes, [&](T old, unsigned lane) {
    T result = 0;
    for (unsigned shift = 0; shift < 8 * sizeof(T); shift += 16) {
      const std::uint16_t sum = add_half(static_cast<std::uint16_t>(old >> shift),
                                         static_cast<std::uint16_t>(b[lane] >> shift), kBrain);
      result |= static_cast<T>(T{sum} << shift);
    }
    return result;
  });
}

template <Operation operation>
Execute choose_type(Type type) {
  switch (type) {
    case Type::kB32:
    case Type::kU32:
      return &combine_atomically<operation, std::uint32_t>;
    case Type::kS32:
      return &combine_atomically<operation, std::int32_t>;
    case Type::kB64:
    case Type::kU64:
      return &combine_atomically<operation, std::uint64_t>;
    case Type::kS64:
      return &combine_atomically<operation, std::int64_t>;
    case Type::kF32:
      return &combine_atomically<operation, float>;
    case Type::kF64:
      return &combine_atomically<operation, double>;
    default:
      break;
  }
  if (operation == Operation::kAdd) {
    if (type == Type::kF16) return &add_halves<std::uint16_t, false>;
    if (type == Type::kBF16) return &add_halves<std::uint16_t, true>;
    if (type == Type::kF16x2) return &add_halves<std::uint32_t, false>;
    if (type == Type::kBF16x2) return &add_halves<std::uint32_t, true>;
  }
  throw Unknown{"it has no such type"};
}

Execute choose(const Statement& statement, Type type) {
  if (has_word(statement, "add")) return choose_type<Operation::kAdd>(type);
  if (has_word(statement, "min")) return choose_type<Operation::kMinimum>(type);
  if (has_word(statement, "max")) return choose_type<Operation::kMaximum>(type);
  if (has_word(statement, "and")) return choose_type<Operation::kAnd>(type);
  if (has_word(statement, "or")) return choose_type<Operation::kOr>(type);
  if (has_word(statement, "xor")) return choose_type<Operation::kXor>(type);
  if (has_word(statement, "exch")) return choose_type<Operation::kExchange>(type);
  if (has_word(statement, "inc")) return choose_type<Operation::kIncrement>(type);
  if (has_word(statement, "dec")) return choose_type<Operation::kDecrement>(type);
  throw Unknown{"an operation that is not known"};
}

// atom.global.add.f32 d, [a], b; red.global.add.f32 [a], b; atom.global.cas.b32 d, [a], b, c
void decode_atomic(Decoder& decoder, const Statement& statement, Instruction& instruction) {
  const bool returns = statement.opcode == "atom";
  const Type type = type_of(statement);
  const bool swaps = has_word(statement, "cas");
  const std::vector<Operand>& operands = statement.operands;
  if (operands.size() != (returns ? 2u : 1u) + (swaps ? 2u : 1u))
    throw Unknown{"it has another number of operands"};
  std::size_t next = 0;
  if (returns) instruction.operands[0] = decoder.destination(operands[next++], type);
  instruction.space = space_of(statement);
  decoder.address(operands[next++], instruction, 1);
  instruction.operands[2] = decoder.source(operands[next++], type);
  if (!swaps) {
    instruction.execute = choose(statement, type);
    return;
  }
  instruction.operands[3] = decoder.source(operands[next++], type);
  switch (bytes_of(type)) {
    case 2:
      instruction.execute = &compare_and_swap<std::uint16_t>;
      break;
    case 4:
      instruction.execute = &compare_and_swap<std::uint32_t>;
      break;
    case 8:
      instruction.execute = &compare_and_swap<std::uint64_t>;
      break;
    default:
      throw Unknown{"it has no such type"};
  }
}

}  // namespace

void add_atomic_instructions(DecodeTable& table) {
  table["atom"] = decode_atomic;
  table["red"] = decode_atomic;
}

}  // namespace emulator
