#include <algorithm>
#include <cstdint>
#include <cstring>

#include "tools/cuda_emulator/asynchronous.h"
#include "tools/cuda_emulator/elementwise.h"
#include "tools/cuda_emulator/race_check.h"

// cp.async. A copy is made when its thread waits for it, as late as may be: what is used before is
// old.
namespace emulator {
namespace {

constexpr std::uint8_t kSizeGiven = 1;

void begin_copy(Warp& warp, const Instruction& instruction, std::uint32_t lanes) {
  const Block& block = warp.block();
  const auto bytes = instruction.count;
  const std::uint32_t* destination = warp.values<std::uint32_t>(instruction.operands[0]);
  const std::uint64_t* wide = warp.values<std::uint64_t>(instruction.operands[0]);
  const std::uint64_t* source = warp.values<std::uint64_t>(instruction.operands[1]);
  const std::uint32_t* size = warp.values<std::uint32_t>(instruction.operands[2]);
  const auto shared = reinterpret_cast<std::uintptr_t>(block.shared);
  each_lane(lanes, [&](unsigned lane) {
    PendingCopy copy{};
    const std::uint32_t offset =
        (instruction.wide_address ? static_cast<std::uint32_t>(wide[lane]) : destination[lane]) +
        instruction.operands[3];
    copy.destination = shared + offset;
    copy.source = source[lane] + static_cast<std::uint64_t>(instruction.immediate);
    copy.bytes = bytes;
    copy.source_bytes =
        instruction.flags & kSizeGiven ? std::min<std::uint32_t>(size[lane], bytes) : bytes;
    copy.lane = lane;
    copy.group = warp.copy_group[lane];
    if (offset % bytes || std::uint64_t{offset} + bytes > block.shared_bytes) {
      throw Fault{offset % bytes ? Error::Kind::kMisaligned : Error::Kind::kAddress, lane,
                  "an asynchronous copy of " + std::to_string(bytes) + " bytes to offset " +
                      std::to_string(offset) + " of " + std::to_string(block.shared_bytes) +
                      " bytes of shared memory"};
    }
    std::uint64_t addresses[kLanes];
    addresses[lane] = copy.source;
    if (copy.source % bytes) {
      throw Fault{Error::Kind::kMisaligned, lane,
                  "an asynchronous copy of " + std::to_string(bytes) +
                      " bytes from an address that is not aligned to them"};
    }
    // Less than all need not be a power of two.
    for (unsigned i = 0; i < copy.source_bytes;) {
      const unsigned part = copy.source_bytes - i >= bytes ? bytes : 1;
      addresses[lane] = copy.source + i;
      check_addresses(warp, 1u << lane, part, false, addresses);
      i += part;
    }
    warp.copies.push_back(copy);
  });
}

void commit(Warp& warp, const Instruction&, std::uint32_t lanes) {
  each_lane(lanes, [&](unsigned lane) { ++warp.copy_group[lane]; });
}

// All but the last groups that were committed, or all.
void wait(Warp& warp, const Instruction& instruction, std::uint32_t lanes) {
  const Block& block = warp.block();
  const auto shared = reinterpret_cast<std::uintptr_t>(block.shared);
  const auto finish = [&](const PendingCopy& copy) {
    if (!(lanes >> copy.lane & 1)) return false;
    const auto pending = static_cast<std::uint64_t>(instruction.immediate);
    const bool all = instruction.flags;
    if (!all && copy.group + pending >= warp.copy_group[copy.lane]) return false;
    std::byte data[16] = {};
    std::memcpy(data, reinterpret_cast<const void*>(copy.source), copy.source_bytes);
    if (block.asynchronous)
      block.asynchronous->written(warp, copy.destination - shared, copy.bytes);
    if (block.races) {
      block.races->access(warp, copy.lane, copy.destination - shared, copy.bytes,
                          RaceCheck::Access::kWrite, data);
    }
    std::memcpy(reinterpret_cast<void*>(copy.destination), data, copy.bytes);
    return true;
  };
  std::erase_if(warp.copies, finish);
}

// cp.async.cg.shared.global.L2::128B [to], [from], 16, size;
void decode_copy(Decoder& decoder, const Statement& statement, Instruction& instruction) {
  if (has_word(statement, "commit_group")) {
    instruction.execute = &commit;
    return;
  }
  if (has_word(statement, "wait_group") || has_word(statement, "wait_all")) {
    instruction.flags = has_word(statement, "wait_all");
    if (!instruction.flags)
      instruction.immediate = static_cast<std::int64_t>(statement.operands.at(0).bits);
    instruction.execute = &wait;
    return;
  }
  if (has_word(statement, "bulk")) {
    decode_bulk_copy(decoder, statement, instruction);
    return;
  }
  if (!has_word(statement, "async") || has_word(statement, "mbarrier"))
    throw Unknown{"a copy that is not implemented"};
  const std::vector<Operand>& operands = statement.operands;
  if (operands.size() < 3 || operands[2].kind != Operand::Kind::kInteger)
    throw Unknown{"it has another form"};
  decoder.address(operands[0], instruction, 0);
  const bool wide_destination = instruction.wide_address;
  instruction.operands[3] = static_cast<std::uint32_t>(instruction.immediate);
  decoder.address(operands[1], instruction, 1);
  if (!instruction.wide_address) throw Unknown{"global addresses have 64 bits"};
  instruction.wide_address = wide_destination;
  instruction.count = static_cast<std::uint8_t>(operands[2].bits);
  if (operands[2].bits != 4 && operands[2].bits != 8 && operands[2].bits != 16)
    throw Unknown{"a size of 4, 8 or 16"};
  if (operands.size() > 3) {
    instruction.operands[2] = decoder.source(operands[3], Type::kU32);
    instruction.flags = kSizeGiven;
  }
  instruction.execute = &begin_copy;
}

}  // namespace

void add_asynchronous_copy_instructions(DecodeTable& table) { table["cp"] = decode_copy; }

}  // namespace emulator
