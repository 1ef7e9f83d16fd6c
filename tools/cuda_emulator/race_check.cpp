#include "tools/cuda_emulator/race_check.h"

#include <algorithm>
#include <string>

namespace emulator {

void RaceCheck::clear() {
  std::fill(bytes_.begin(), bytes_.end(), Byte());
  epoch_ = 1;
}

// Whether an earlier use is by another thread, and not ordered before this one.
bool RaceCheck::disturbs(const Use& earlier, const Warp& warp, unsigned thread) const {
  if (earlier.epoch != epoch_) return false;
  if (earlier.several_warps || earlier.thread / kLanes != warp.index()) return true;
  if (earlier.warp_epoch < warp.epoch) return false;
  return earlier.several_lanes || earlier.thread != thread;
}

// Some bytes of a vector may be the padding of a structure; not all.
void RaceCheck::check_written(unsigned lane, std::size_t offset, unsigned bytes) const {
  const auto begin = bytes_.begin() + static_cast<std::ptrdiff_t>(offset);
  if (std::any_of(begin, begin + bytes, [](const Byte& byte) { return byte.written; })) return;
  throw Fault{Error::Kind::kUninitialized, lane,
              "byte " + std::to_string(offset) + " of shared memory is read, and nobody wrote it"};
}

void RaceCheck::access(const Warp& warp, unsigned lane, std::size_t offset, unsigned bytes,
                       Access access, const std::byte* value) {
  const unsigned thread = warp.index() * kLanes + lane;
  const std::byte* present = warp.block().shared + offset;
  if (access == Access::kRead) check_written(lane, offset, bytes);
  for (unsigned i = 0; i < bytes; ++i) {
    Byte& byte = bytes_[offset + i];
    const auto race = [&](const char* earlier, const Use& use, const char* now) {
      throw Fault{Error::Kind::kRace, lane,
                  "byte " + std::to_string(offset + i) + " of shared memory: thread " +
                      std::to_string(thread) + " " + now + " what thread " +
                      std::to_string(use.thread) + " has " + earlier + ", with no barrier between"};
    };
    if (access == Access::kRead) {
      if (disturbs(byte.write, warp, thread)) race("written", byte.write, "reads");
      Use& read = byte.read;
      if (read.epoch != epoch_) {
        read = Use();
      } else if (read.thread / kLanes != warp.index()) {
        read.several_warps = true;
      } else if (read.warp_epoch != warp.epoch) {
        read.several_lanes = false;
      } else if (read.thread != thread) {
        read.several_lanes = true;
      }
      read.epoch = epoch_;
      read.warp_epoch = warp.epoch;
      read.thread = static_cast<std::uint16_t>(thread);
      continue;
    }
    const bool both_atomic = access == Access::kAtomic && byte.write.access == Access::kAtomic;
    const bool same = access == Access::kWrite && byte.written && value && present[i] == value[i];
    if (!same) {
      if (!both_atomic && disturbs(byte.write, warp, thread)) race("written", byte.write, "writes");
      if (disturbs(byte.read, warp, thread)) race("read", byte.read, "writes");
    }
    byte.written = true;
    byte.write = {epoch_, warp.epoch, static_cast<std::uint16_t>(thread), false, false, access};
  }
}

}  // namespace emulator
