#include "tools/cuda_emulator/asynchronous.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <string>

#include "tools/cuda_emulator/products.h"

namespace emulator {
namespace {

[[noreturn]] void refuse(unsigned lane, const std::string& text) {
  throw Fault{Error::Kind::kAsynchronous, lane, text};
}

std::string at(std::uint32_t offset) {
  return " at offset " + std::to_string(offset) + " of shared memory";
}

// Piece p of a row of 128 bytes lies at p ^ (row % 8).
std::uint32_t exchanged(std::uint32_t offset) { return offset ^ (offset >> 3 & 0x70); }

}  // namespace

void Asynchronous::start() {
  barriers_.clear();
  copies_.clear();
  std::fill(writer_.begin(), writer_.end(), 0);
}

void Asynchronous::finish() const {
  if (copies_.empty()) return;
  const Copy& copy = copies_.front();
  throw Error(Error::Kind::kAsynchronous, "the block has ended before its copies have arrived" +
                                              copy.warp->place(copy.instruction, copy.lane));
}

Asynchronous::Barrier& Asynchronous::find(unsigned lane, std::uint32_t offset) {
  const auto found = barriers_.find(offset);
  if (found == barriers_.end()) refuse(lane, "no mbarrier was started" + at(offset));
  return found->second;
}

void Asynchronous::advance(Barrier& barrier) {
  if (barrier.arrivals != 0 || barrier.bytes != 0) return;
  ++barrier.phases;
  barrier.arrivals = barrier.expected;
}

void Asynchronous::start_barrier(const Warp& warp, unsigned lane, std::uint32_t offset,
                                 std::uint32_t count) {
  constexpr std::uint32_t kMost = (1u << 20) - 1;
  if (count == 0 || count > kMost) {
    refuse(lane, "an mbarrier of " + std::to_string(count) + " arrivals: from 1 to " +
                     std::to_string(kMost));
  }
  barriers_[offset] = {count, count, 0, 0, warp.index(), false};
}

void Asynchronous::end_barrier(unsigned lane, std::uint32_t offset) {
  find(lane, offset);
  barriers_.erase(offset);
}

std::uint64_t Asynchronous::arrive(unsigned lane, std::uint32_t offset, std::uint32_t count) {
  Barrier& barrier = find(lane, offset);
  const std::uint64_t phase = barrier.phases;
  if (barrier.arrivals < count) {
    refuse(lane, "more arrivals in a phase than the " + std::to_string(barrier.expected) +
                     " of the mbarrier" + at(offset));
  }
  barrier.arrivals -= count;
  advance(barrier);
  return phase;
}

void Asynchronous::expect(unsigned lane, std::uint32_t offset, std::uint32_t bytes) {
  find(lane, offset).bytes += bytes;
}

std::uint64_t Asynchronous::phases(unsigned lane, std::uint32_t offset) {
  return find(lane, offset).phases;
}

void Asynchronous::start_copy(Warp& warp, const Copy& copy) {
  const Barrier& barrier = find(copy.lane, copy.barrier);
  if (!barrier.published) {
    refuse(copy.lane, "a copy counts at the mbarrier" + at(copy.barrier) +
                          ", which was started with no fence.mbarrier_init or fence.proxy.async");
  }
  const TensorMap& map = copy.map;
  if (map.mark != TensorMap::kMark) refuse(copy.lane, "this is no tensor map");
  constexpr std::uint32_t kAlignment = 1024;
  if (copy.destination % kAlignment) {
    throw Fault{Error::Kind::kMisaligned, copy.lane,
                "a copy of a box" + at(copy.destination) + ", no multiple of 1024"};
  }
  if (std::uint64_t{copy.destination} + copy.bytes > block_.shared_bytes) {
    throw Fault{Error::Kind::kAddress, copy.lane,
                "a copy of " + std::to_string(copy.bytes) + " bytes" + at(copy.destination) +
                    ", which has " + std::to_string(block_.shared_bytes)};
  }
  for (const Copy& other : copies_) {
    if (copy.destination < other.destination + other.bytes &&
        other.destination < copy.destination + copy.bytes) {
      refuse(copy.lane, "two copies on their way to one place" + at(copy.destination));
    }
  }
  for (const Warp& other : block_.warps()) {
    if (other.products && other.products->reads(copy.destination, copy.bytes)) {
      refuse(copy.lane, "a copy to what an unfinished product of warp " +
                            std::to_string(other.index()) + " reads" + at(copy.destination));
    }
  }
  for (std::uint32_t offset = 0; offset < copy.bytes; offset += 16) {
    if (writer_[(copy.destination + offset) / 16]) {
      refuse(copy.lane, "a copy over what a thread has written with no fence.proxy.async since" +
                            at(copy.destination + offset));
    }
  }
  // Every row that lies in the tensor must lie in memory.
  const std::int64_t first = copy.position[0];
  const std::int64_t last = std::min<std::int64_t>(first + map.box[0], map.extent[0]) - 1;
  if (first < 0) refuse(copy.lane, "a box before the beginning of the tensor");
  for (std::uint32_t row = 0; row < map.box[1] && last >= first; ++row) {
    const std::int64_t position = std::int64_t{copy.position[1]} + row;
    if (position < 0 || position >= map.extent[1] || copy.position[2] < 0 ||
        copy.position[2] >= static_cast<std::int64_t>(map.extent[2]) || copy.position[3] < 0 ||
        copy.position[3] >= static_cast<std::int64_t>(map.extent[3])) {
      continue;
    }
    const std::uint64_t begin = map.address + static_cast<std::uint64_t>(position) * map.stride[0] +
                                static_cast<std::uint64_t>(copy.position[2]) * map.stride[1] +
                                static_cast<std::uint64_t>(copy.position[3]) * map.stride[2];
    std::uint64_t addresses[kLanes];
    for (const std::int64_t column : {first, last}) {
      addresses[copy.lane] = begin + static_cast<std::uint64_t>(column) * kTensorElement;
      check_addresses(warp, 1u << copy.lane, kTensorElement, false, addresses);
    }
  }
  copies_.push_back(copy);
}

bool Asynchronous::finish_copy() {
  if (copies_.empty()) return false;
  const std::array<unsigned, 3>& index = block_.index;
  const bool first = (index[0] + index[1] + index[2]) % 2;
  const auto chosen = first ? copies_.begin() : copies_.end() - 1;
  const Copy copy = *chosen;
  copies_.erase(chosen);
  const TensorMap& map = copy.map;
  const auto inside = [&](int dimension, std::int64_t position) {
    return position >= 0 && position < static_cast<std::int64_t>(map.extent[dimension]);
  };
  std::uint32_t offset = copy.destination;
  for (std::uint32_t row = 0; row < map.box[1]; ++row) {
    const std::int64_t position = std::int64_t{copy.position[1]} + row;
    const bool there =
        inside(1, position) && inside(2, copy.position[2]) && inside(3, copy.position[3]);
    for (std::uint32_t column = 0; column < map.box[0]; ++column, offset += kTensorElement) {
      std::uint16_t value = 0;
      const std::int64_t feature = std::int64_t{copy.position[0]} + column;
      if (there && inside(0, feature)) {
        const std::uint64_t address = map.address +
                                      static_cast<std::uint64_t>(feature) * kTensorElement +
                                      static_cast<std::uint64_t>(position) * map.stride[0] +
                                      static_cast<std::uint64_t>(copy.position[2]) * map.stride[1] +
                                      static_cast<std::uint64_t>(copy.position[3]) * map.stride[2];
        std::memcpy(&value, reinterpret_cast<const void*>(address), sizeof value);
      }
      std::memcpy(block_.shared + exchanged(offset), &value, sizeof value);
    }
  }
  try {
    Barrier& barrier = find(copy.lane, copy.barrier);
    barrier.bytes -= copy.bytes;
    advance(barrier);
  } catch (const Fault& fault) {
    throw Error(fault.kind, fault.text + copy.warp->place(copy.instruction, copy.lane));
  }
  return true;
}

void Asynchronous::written(const Warp& warp, std::size_t offset, std::size_t bytes) {
  for (std::size_t piece = offset / 16; piece <= (offset + bytes - 1) / 16; ++piece)
    writer_[piece] = static_cast<std::uint16_t>(warp.index() + 1);
}

void Asynchronous::publish(const Warp& warp) {
  const auto own = static_cast<std::uint16_t>(warp.index() + 1);
  std::replace(writer_.begin(), writer_.end(), own, std::uint16_t{0});
  publish_barriers(warp);
}

void Asynchronous::publish_barriers(const Warp& warp) {
  for (auto& [offset, barrier] : barriers_) barrier.published |= barrier.warp == warp.index();
}

void Asynchronous::check_product(unsigned lane, std::uint32_t offset) const {
  if (writer_[offset / 16]) {
    refuse(lane, "a product reads what warp " + std::to_string(writer_[offset / 16] - 1) +
                     " has written with no fence.proxy.async since" + at(offset));
  }
  for (const Copy& copy : copies_) {
    if (offset >= copy.destination && offset < copy.destination + copy.bytes)
      refuse(lane,
             "a product reads the target of a copy that no thread has waited for" + at(offset));
  }
}

}  // namespace emulator
