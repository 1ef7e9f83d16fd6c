#pragma once

// Where a kernel's random numbers begin.

#include <c10/macros/Macros.h>

#include <cstdint>

namespace at {

// What a generator gives a kernel: a seed and an offset, in blocks of four numbers. A kernel that
// is being captured into a graph gets the place where every replay finds them.
struct PhiloxCudaState {
  uint64_t seed = 0;
  uint64_t offset = 0;
  // Null, or the seed and the offset of the replay.
  const uint64_t* replayed = nullptr;

  C10_HOST_DEVICE uint64_t current_seed() const { return replayed != nullptr ? replayed[0] : seed; }
  C10_HOST_DEVICE uint64_t current_offset() const {
    return replayed != nullptr ? replayed[1] + offset : offset;
  }
};

}  // namespace at
