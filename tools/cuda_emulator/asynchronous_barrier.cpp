#include <cstdint>
#include <cstring>
#include <string>

#include "tools/cuda_emulator/asynchronous.h"
#include "tools/cuda_emulator/elementwise.h"
#include "tools/cuda_emulator/race_check.h"

// mbarrier.* of shared memory, fences, and cp.async.bulk.tensor. A wait that finds a phase
// unfinished lets the other warps of the block go on, and so does an arrival: what came too early,
// they use at once. One that announces bytes goes on itself to the copies.
namespace emulator {
namespace {

std::uint32_t shared_offset(Warp& warp, const Instruction& instruction, unsigned position,
                            unsigned lane, std::int64_t immediate) {
  const std::uint32_t base = instruction.wide_address
                                 ? static_cast<std::uint32_t>(warp.values<std::uint64_t>(
                                       instruction.operands[position])[lane])
                                 : warp.values<std::uint32_t>(instruction.operands[position])[lane];
  return base + static_cast<std::uint32_t>(immediate);
}

// The barrier of a lane. For races its use is a read: uses do not disturb each other, but its start
// and end must be ordered with them.
std::uint32_t barrier_offset(Warp& warp, const Instruction& instruction, unsigned lane,
                             RaceCheck::Access access) {
  Block& block = warp.block();
  const std::uint32_t offset = shared_offset(warp, instruction, 1, lane, instruction.immediate);
  if (offset % 8 || std::uint64_t{offset} + 8 > block.shared_bytes) {
    throw Fault{offset % 8 ? Error::Kind::kMisaligned : Error::Kind::kAddress, lane,
                "an mbarrier at offset " + std::to_string(offset) + " of " +
                    std::to_string(block.shared_bytes) + " bytes of shared memory"};
  }
  if (block.races) block.races->access(warp, lane, offset, 8, access, nullptr);
  return offset;
}

void start(Warp& warp, const Instruction& instruction, std::uint32_t lanes) {
  const std::uint32_t* count = warp.values<std::uint32_t>(instruction.operands[2]);
  each_lane(lanes, [&](unsigned lane) {
    const std::uint32_t offset = barrier_offset(warp, instruction, lane, RaceCheck::Access::kWrite);
    warp.block().asynchronous->start_barrier(warp, lane, offset, count[lane]);
  });
}

void end(Warp& warp, const Instruction& instruction, std::uint32_t lanes) {
  each_lane(lanes, [&](unsigned lane) {
    warp.block().asynchronous->end_barrier(
        lane, barrier_offset(warp, instruction, lane, RaceCheck::Access::kWrite));
  });
}

enum Flag : std::uint8_t { kArrives = 1, kExpects = 2, kParity = 4 };

void arrive(Warp& warp, const Instruction& instruction, std::uint32_t lanes) {
  Asynchronous& all = *warp.block().asynchronous;
  std::uint64_t* state = warp.values<std::uint64_t>(instruction.operands[0]);
  const std::uint32_t* value = warp.values<std::uint32_t>(instruction.operands[2]);
  each_lane(lanes, [&](unsigned lane) {
    const std::uint32_t offset = barrier_offset(warp, instruction, lane, RaceCheck::Access::kRead);
    const bool expects = instruction.flags & kExpects;
    if (expects) all.expect(lane, offset, value[lane]);
    if (instruction.flags & kArrives)
      state[lane] = all.arrive(lane, offset, expects ? 1 : value[lane]);
  });
}

void test(Warp& warp, const Instruction& instruction, std::uint32_t lanes) {
  Asynchronous& all = *warp.block().asynchronous;
  const bool parity = instruction.flags & kParity;
  std::uint32_t done = 0;
  each_lane(lanes, [&](unsigned lane) {
    const std::uint64_t phases =
        all.phases(lane, barrier_offset(warp, instruction, lane, RaceCheck::Access::kRead));
    // The state is the phase in which its arrival came.
    const bool over =
        parity ? (phases & 1) != (warp.values<std::uint32_t>(instruction.operands[2])[lane] & 1)
               : phases != warp.values<std::uint64_t>(instruction.operands[2])[lane];
    done |= over ? 1u << lane : 0;
  });
  std::uint32_t& d = warp.predicate(instruction.operands[0]);
  d = (d & ~lanes) | done;
  if (done != lanes) warp.stalled = &instruction;
}

void decode_barrier(Decoder& decoder, const Statement& statement, Instruction& instruction) {
  decoder.function().asynchronous = true;
  const std::vector<Operand>& operands = statement.operands;
  const std::string_view operation = statement.words.at(0);
  if (has_word(statement, "noComplete") || has_word(statement, "shared::cluster") ||
      !has_word(statement, "b64")) {
    throw Unknown{"it has another form"};
  }
  if (operation == "init" || operation == "inval") {
    decoder.address(operands.at(0), instruction, 1);
    if (operation == "init") instruction.operands[2] = decoder.source(operands.at(1), Type::kU32);
    instruction.execute = operation == "init" ? &start : &end;
    return;
  }
  if (operation == "arrive" || operation == "expect_tx") {
    const bool arrives = operation == "arrive";
    const bool expects = has_word(statement, "expect_tx");
    instruction.flow = expects ? Flow::kNext : Flow::kYield;
    const std::size_t address = arrives ? 1 : 0;
    instruction.operands[0] =
        arrives ? decoder.destination(operands.at(0), Type::kB64) : decoder.scratch(8);
    decoder.address(operands.at(address), instruction, 1);
    const bool given = operands.size() > address + 1;
    if (expects && !given) throw Unknown{"it has no number of bytes"};
    instruction.operands[2] =
        given ? decoder.source(operands[address + 1], Type::kU32) : decoder.constant(4, 1);
    instruction.flags =
        static_cast<std::uint8_t>((arrives ? kArrives : 0) | (expects ? kExpects : 0));
    instruction.execute = &arrive;
    return;
  }
  if (operation != "test_wait" && operation != "try_wait") throw Unknown{"it is not implemented"};
  const bool parity = has_word(statement, "parity");
  instruction.flow = Flow::kYield;
  instruction.operands[0] = decoder.predicate(operands.at(0));
  decoder.address(operands.at(1), instruction, 1);
  instruction.operands[2] = decoder.source(operands.at(2), parity ? Type::kU32 : Type::kB64);
  instruction.flags = parity ? kParity : 0;
  instruction.execute = &test;
}

void start_copies(Warp& warp, const Instruction& instruction, std::uint32_t lanes) {
  std::uint64_t maps[kLanes] = {};
  const std::uint64_t* base = warp.values<std::uint64_t>(instruction.operands[1]);
  each_lane(lanes, [&](unsigned lane) {
    maps[lane] = base[lane];
    constexpr unsigned kAlignment = 64;
    if (maps[lane] % kAlignment) {
      throw Fault{Error::Kind::kMisaligned, lane, "a tensor map at no multiple of 64"};
    }
  });
  check_addresses(warp, lanes, kTensorMapBytes / 2, false, maps);
  each_lane(lanes, [&](unsigned lane) {
    Asynchronous::Copy copy{};
    std::memcpy(&copy.map, reinterpret_cast<const void*>(maps[lane]), sizeof copy.map);
    for (unsigned d = 0; d < 4; ++d)
      copy.position[d] = warp.values<std::int32_t>(instruction.list[d])[lane];
    copy.destination = warp.values<std::uint32_t>(instruction.operands[0])[lane];
    copy.barrier = warp.values<std::uint32_t>(instruction.operands[2])[lane];
    copy.bytes = copy.map.box[0] * copy.map.box[1] * kTensorElement;
    copy.warp = &warp;
    copy.instruction = &instruction;
    copy.lane = lane;
    warp.block().asynchronous->start_copy(warp, copy);
  });
}

void publish(Warp& warp, const Instruction&, std::uint32_t) {
  if (warp.block().asynchronous) warp.block().asynchronous->publish(warp);
}

void publish_barriers(Warp& warp, const Instruction&, std::uint32_t) {
  if (warp.block().asynchronous) warp.block().asynchronous->publish_barriers(warp);
}

void nothing(Warp&, const Instruction&, std::uint32_t) {}

// fence.proxy.async, fence.mbarrier_init and those that order what is ordered here anyway.
void decode_fence(Decoder&, const Statement& statement, Instruction& instruction) {
  const bool async = has_word(statement, "async") || has_word(statement, "async::generic") ||
                     has_word(statement, "async.shared::cta");
  instruction.execute = has_word(statement, "mbarrier_init")    ? &publish_barriers
                        : has_word(statement, "proxy") && async ? &publish
                                                                : &nothing;
}

}  // namespace

// cp.async.bulk.tensor.4d.shared::cluster.global.mbarrier::complete_tx::bytes
//     [to], [map, {c0, c1, c2, c3}], [barrier];
void decode_bulk_copy(Decoder& decoder, const Statement& statement, Instruction& instruction) {
  decoder.function().asynchronous = true;
  const std::vector<Operand>& operands = statement.operands;
  if (!has_word(statement, "tensor") || !has_word(statement, "4d") ||
      !has_word(statement, "mbarrier::complete_tx::bytes") || operands.size() != 3 ||
      operands[1].parts.size() != 4) {
    throw Unknown{"a copy that is not implemented"};
  }
  const auto shared = [&](const Operand& operand, int position) {
    decoder.address(operand, instruction, position);
    if (instruction.wide_address || instruction.immediate != 0)
      throw Unknown{"shared addresses in a register of 32 bits"};
  };
  shared(operands[0], 0);
  shared(operands[2], 2);
  decoder.address(operands[1], instruction, 1);
  if (!instruction.wide_address || instruction.immediate != 0)
    throw Unknown{"the address of a map in a register of 64 bits"};
  std::vector<std::uint32_t> positions;
  for (const Operand& part : operands[1].parts)
    positions.push_back(decoder.source(part, Type::kS32));
  instruction.list = decoder.list(positions);
  instruction.execute = &start_copies;
}

void add_asynchronous_barrier_instructions(DecodeTable& table) {
  table["mbarrier"] = decode_barrier;
  table["fence"] = decode_fence;
}

}  // namespace emulator
