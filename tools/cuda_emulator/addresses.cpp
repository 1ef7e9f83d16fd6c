#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <string>

#include "tools/cuda_emulator/race_check.h"
#include "tools/cuda_emulator/warp.h"

// Where an access goes, and whether it may.
namespace emulator {
namespace {

std::string hexadecimal(std::uint64_t value) {
  char text[24];
  std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(value));
  return text;
}

std::string access_text(unsigned bytes, bool write) {
  return std::string(write ? "a write of " : "a read of ") + std::to_string(bytes) + " bytes at ";
}

// Whether the bytes from `low` to `bytes` after `high` are in one allocation; at the end of the
// addresses sums wrap around.
bool inside(std::uint64_t low, std::uint64_t high, unsigned bytes, const Allocation& allocation) {
  return low >= allocation.begin && high < allocation.end && bytes <= allocation.end - high;
}
bool inside(std::uint64_t address, unsigned bytes, const Allocation& allocation) {
  return inside(address, address, bytes, allocation);
}

[[noreturn]] void refuse(unsigned lane, std::uint64_t address, unsigned bytes, bool write,
                         const Allocation* nearest) {
  std::string text = access_text(bytes, write) + hexadecimal(address);
  if (!nearest) {
    text += ", which is not allocated";
  } else if (write && !nearest->writable && inside(address, bytes, *nearest)) {
    text += ", which may only be read";
  } else {
    text += ", beyond the end of an allocation of " +
            std::to_string(nearest->end - nearest->begin) + " bytes at " +
            hexadecimal(nearest->begin);
  }
  throw Fault{Error::Kind::kAddress, lane, text};
}

bool find_variable(const Warp& warp, std::uint64_t address, Allocation* found) {
  for (const Allocation& allocation : warp.block().kernel.program->allocations) {
    if (inside(address, 1, allocation)) {
      *found = allocation;
      return true;
    }
  }
  return false;
}

// Global memory, by its allocations; the last ones are remembered.
void check_global(Warp& warp, unsigned lane, std::uint64_t address, unsigned bytes, bool write) {
  std::array<Allocation, 4>& recent = warp.block().recent;
  for (std::size_t i = 0; i < recent.size(); ++i) {
    if (inside(address, bytes, recent[i]) && (!write || recent[i].writable)) {
      std::swap(recent[0], recent[i]);
      return;
    }
  }
  Allocation found{};
  if (!find_variable(warp, address, &found)) {
    const FindAllocation find = find_allocation();
    if (!find) return;
    if (!find(address, &found)) refuse(lane, address, bytes, write, nullptr);
  }
  if (!inside(address, bytes, found) || (write && !found.writable))
    refuse(lane, address, bytes, write, &found);
  std::copy_backward(recent.begin(), recent.end() - 1, recent.end());
  recent[0] = found;
}

void check_lane(Warp& warp, unsigned lane, std::uint64_t address, unsigned bytes, bool write) {
  const Block& block = warp.block();
  const auto shared = reinterpret_cast<std::uintptr_t>(block.shared);
  if (address - shared < block.shared_bytes) {
    if (address - shared + bytes > block.shared_bytes) {
      throw Fault{Error::Kind::kAddress, lane,
                  access_text(bytes, write) + "offset " + std::to_string(address - shared) +
                      " of " + std::to_string(block.shared_bytes) + " bytes of shared memory"};
    }
    if (block.races && !write) {
      block.races->access(warp, lane, address - shared, bytes, RaceCheck::Access::kRead, nullptr);
    }
    return;
  }
  const auto local = reinterpret_cast<std::uintptr_t>(warp.local(lane));
  if (address - local < warp.local_bytes() && address - local + bytes <= warp.local_bytes()) return;
  check_global(warp, lane, address, bytes, write);
}

}  // namespace

void check_addresses(Warp& warp, std::uint32_t lanes, unsigned bytes, bool write,
                     const std::uint64_t* addresses) {
  std::uint64_t low = ~std::uint64_t{0};
  std::uint64_t high = 0;
  std::uint64_t bits = 0;
  each_lane(lanes, [&](unsigned lane) {
    low = std::min(low, addresses[lane]);
    high = std::max(high, addresses[lane]);
    bits |= addresses[lane];
  });
  // Vectors of three or so do not exist: sizes are powers of two.
  if (bits & (bytes - 1)) {
    each_lane(lanes, [&](unsigned lane) {
      if (addresses[lane] & (bytes - 1)) {
        throw Fault{Error::Kind::kMisaligned, lane,
                    access_text(bytes, write) + hexadecimal(addresses[lane]) +
                        ", which is not aligned to them"};
      }
    });
  }
  const Block& block = warp.block();
  const auto parameters = reinterpret_cast<std::uintptr_t>(block.parameters);
  if (!write &&
      inside(low, high, bytes, {parameters, parameters + block.kernel.parameter_bytes, false}))
    return;
  for (const Allocation& allocation : block.recent) {
    if (inside(low, high, bytes, allocation) && (!write || allocation.writable)) return;
  }
  each_lane(lanes, [&](unsigned lane) { check_lane(warp, lane, addresses[lane], bytes, write); });
}

void resolve(Warp& warp, const Instruction& instruction, std::uint32_t lanes, unsigned bytes,
             bool write, std::uint64_t* addresses) {
  const auto offset = static_cast<std::uint64_t>(instruction.immediate);
  if (instruction.space == Space::kShared) {
    Block& block = warp.block();
    const auto base = reinterpret_cast<std::uintptr_t>(block.shared);
    const std::uint64_t* wide = warp.values<std::uint64_t>(instruction.operands[1]);
    const std::uint32_t* narrow = warp.values<std::uint32_t>(instruction.operands[1]);
    std::uint32_t high = 0;
    each_lane(lanes, [&](unsigned lane) {
      const std::uint32_t address = static_cast<std::uint32_t>(
          (instruction.wide_address ? static_cast<std::uint32_t>(wide[lane]) : narrow[lane]) +
          offset);
      high = std::max(high, address);
      addresses[lane] = base + address;
    });
    if (std::uint64_t{high} + bytes > block.shared_bytes) {
      each_lane(lanes, [&](unsigned lane) {
        if (addresses[lane] - base + bytes > block.shared_bytes) {
          throw Fault{Error::Kind::kAddress, lane,
                      access_text(bytes, write) + "offset " +
                          std::to_string(addresses[lane] - base) + " of " +
                          std::to_string(block.shared_bytes) + " bytes of shared memory"};
        }
      });
    }
    std::uint64_t bits = 0;
    each_lane(lanes, [&](unsigned lane) { bits |= addresses[lane]; });
    if ((bits & (bytes - 1)) || (block.races && !write))
      check_addresses(warp, lanes, bytes, write, addresses);
    return;
  }
  const std::uint64_t* base = warp.values<std::uint64_t>(instruction.operands[1]);
  if (!instruction.wide_address) {
    const std::uint32_t* narrow = warp.values<std::uint32_t>(instruction.operands[1]);
    each_lane(lanes, [&](unsigned lane) { addresses[lane] = narrow[lane] + offset; });
  } else {
    each_lane(lanes, [&](unsigned lane) { addresses[lane] = base[lane] + offset; });
  }
  check_addresses(warp, lanes, bytes, write, addresses);
}

}  // namespace emulator
