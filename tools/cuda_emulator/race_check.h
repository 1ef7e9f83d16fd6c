#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "tools/cuda_emulator/asynchronous.h"
#include "tools/cuda_emulator/warp.h"

namespace emulator {

// Finds data races in shared memory (two threads access a byte, one of them writes, and there is no
// barrier in between) and reads of bytes that were not written. A barrier of the block orders all
// its threads, bar.warp.sync those of its warp.
class RaceCheck {
 public:
  enum class Access : std::uint8_t { kRead, kWrite, kAtomic };

  explicit RaceCheck(std::size_t bytes) : bytes_(bytes) {}

  // At the beginning of a block.
  void clear();
  // All threads have met.
  void barrier() { ++epoch_; }
  // Throws Fault. `value` is what a write puts there: a write of what is there already disturbs
  // nobody.
  void access(const Warp& warp, unsigned lane, std::size_t offset, unsigned bytes, Access access,
              const std::byte* value);

 private:
  struct Use {
    std::uint32_t epoch = 0;
    std::uint32_t warp_epoch = 0;
    std::uint16_t thread = 0;
    bool several_lanes = false;
    bool several_warps = false;
    Access access = Access::kRead;
  };
  struct Byte {
    Use read;
    Use write;
    bool written = false;
  };

  void check_written(unsigned lane, std::size_t offset, unsigned bytes) const;
  bool disturbs(const Use& earlier, const Warp& warp, unsigned thread) const;

  std::vector<Byte> bytes_;
  std::uint32_t epoch_ = 1;
};

// A write to any address: looked at when it is of shared memory, and asynchronous instructions read
// there, or races are looked for.
template <class T>
void check_race(const Warp& warp, unsigned lane, std::uint64_t address, const T& value) {
  const Block& block = warp.block();
  const std::uint64_t offset = address - reinterpret_cast<std::uintptr_t>(block.shared);
  if ((!block.races && !block.asynchronous) || offset >= block.shared_bytes) return;
  if (block.asynchronous) block.asynchronous->written(warp, offset, sizeof value);
  if (!block.races) return;
  block.races->access(warp, lane, offset, sizeof value, RaceCheck::Access::kWrite,
                      reinterpret_cast<const std::byte*>(&value));
}

}  // namespace emulator
