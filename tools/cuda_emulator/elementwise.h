#pragma once

#include <cstdint>

#include "tools/cuda_emulator/decoder.h"
#include "tools/cuda_emulator/warp.h"

// Instructions that compute each lane by itself: F()(a, b, ...) of operands 1, 2, 3 to operand 0.
namespace emulator {

template <class F, class D, class A>
void unary(Warp& warp, const Instruction& instruction, std::uint32_t lanes) {
  D* d = warp.values<D>(instruction.operands[0]);
  const A* a = warp.values<A>(instruction.operands[1]);
  each_lane(lanes, [&](unsigned lane) { d[lane] = F()(a[lane]); });
}

template <class F, class D, class A, class B>
void binary(Warp& warp, const Instruction& instruction, std::uint32_t lanes) {
  D* d = warp.values<D>(instruction.operands[0]);
  const A* a = warp.values<A>(instruction.operands[1]);
  const B* b = warp.values<B>(instruction.operands[2]);
  each_lane(lanes, [&](unsigned lane) { d[lane] = F()(a[lane], b[lane]); });
}

template <class F, class D, class A, class B, class C>
void ternary(Warp& warp, const Instruction& instruction, std::uint32_t lanes) {
  D* d = warp.values<D>(instruction.operands[0]);
  const A* a = warp.values<A>(instruction.operands[1]);
  const B* b = warp.values<B>(instruction.operands[2]);
  const C* c = warp.values<C>(instruction.operands[3]);
  each_lane(lanes, [&](unsigned lane) { d[lane] = F()(a[lane], b[lane], c[lane]); });
}

// The instance of `choose<T>()` for the C++ type of an integer type; signless ones are unsigned.
template <class Choose>
Execute for_integer(Type type, Choose&& choose) {
  switch (type) {
    case Type::kB16:
    case Type::kU16:
      return choose(std::uint16_t());
    case Type::kS16:
      return choose(std::int16_t());
    case Type::kB32:
    case Type::kU32:
      return choose(std::uint32_t());
    case Type::kS32:
      return choose(std::int32_t());
    case Type::kB64:
    case Type::kU64:
      return choose(std::uint64_t());
    case Type::kS64:
      return choose(std::int64_t());
    default:
      throw Unknown{"it has no such type"};
  }
}

// operands[0] to be written, and the following read, all of one type.
inline void decode_operands(Decoder& decoder, const Statement& statement, Instruction& instruction,
                            Type type, std::size_t sources) {
  if (statement.operands.size() != sources + 1) throw Unknown{"it has another number of operands"};
  instruction.operands[0] = decoder.destination(statement.operands[0], type);
  for (std::size_t i = 1; i <= sources; ++i) {
    instruction.operands[i] = decoder.source(statement.operands[i], type);
  }
}

inline Type wider(Type type) {
  switch (type) {
    case Type::kU16:
      return Type::kU32;
    case Type::kS16:
      return Type::kS32;
    case Type::kU32:
      return Type::kU64;
    case Type::kS32:
      return Type::kS64;
    default:
      throw Unknown{"it has no wide result of this type"};
  }
}

}  // namespace emulator
