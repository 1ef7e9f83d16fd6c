#pragma once

#include <vector>

#include "tools/cuda_emulator/warp.h"

namespace emulator {

constexpr unsigned kBarriers = 16;

enum class BarrierReduction : std::uint8_t { kNone, kCount, kAnd, kOr };

struct Barrier {
  unsigned number;
  unsigned threads;  // that it waits for; 0 is the whole block
};

// The barrier at which a warp stands.
Barrier barrier_of(const Warp& warp);

// What bar.red gives to all threads that came.
void reduce_at_barrier(const std::vector<Warp*>& warps);

}  // namespace emulator
