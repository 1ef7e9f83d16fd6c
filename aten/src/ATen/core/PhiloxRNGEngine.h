#pragma once

// Philox4x32-10: random numbers as a function of a seed and a counter, so that every thread of a
// GPU draws its own without a state. J. Salmon and others, "Parallel Random Numbers: As Easy as
// 1, 2, 3", 2011.

#include <c10/macros/Macros.h>

#include <cstdint>

namespace at {

class philox_engine {
 public:
  // The numbers from 4 * offset on in one of 2^64 subsequences.
  C10_HOST_DEVICE explicit philox_engine(uint64_t seed, uint64_t subsequence = 0,
                                         uint64_t offset = 0)
      : key_{static_cast<uint32_t>(seed), static_cast<uint32_t>(seed >> 32)},
        counter_{static_cast<uint32_t>(offset), static_cast<uint32_t>(offset >> 32),
                 static_cast<uint32_t>(subsequence), static_cast<uint32_t>(subsequence >> 32)} {}

  struct Four {
    uint32_t x[4];
  };

  // The next four numbers.
  C10_HOST_DEVICE Four next4() {
    Four result{{counter_[0], counter_[1], counter_[2], counter_[3]}};
    uint32_t key0 = key_[0];
    uint32_t key1 = key_[1];
    for (int round = 0; round < kRounds; ++round) {
      const uint64_t product0 = uint64_t{kMultiplier0} * result.x[0];
      const uint64_t product1 = uint64_t{kMultiplier1} * result.x[2];
      result = {{static_cast<uint32_t>(product1 >> 32) ^ result.x[1] ^ key0,
                 static_cast<uint32_t>(product1),
                 static_cast<uint32_t>(product0 >> 32) ^ result.x[3] ^ key1,
                 static_cast<uint32_t>(product0)}};
      key0 += kWeyl0;
      key1 += kWeyl1;
    }
    incr();
    return result;
  }

  // Passes over the next four numbers, or the next 4 * n.
  C10_HOST_DEVICE void incr() {
    if (++counter_[0] == 0 && ++counter_[1] == 0 && ++counter_[2] == 0) ++counter_[3];
  }
  C10_HOST_DEVICE void incr_n(uint64_t n) {
    const uint64_t low = counter_[0] + (uint64_t{counter_[1]} << 32);
    const uint64_t sum = low + n;
    counter_[0] = static_cast<uint32_t>(sum);
    counter_[1] = static_cast<uint32_t>(sum >> 32);
    if (sum < low && ++counter_[2] == 0) ++counter_[3];
  }

  // One number at a time.
  C10_HOST_DEVICE uint32_t operator()() {
    if (used_ == 4) {
      four_ = next4();
      used_ = 0;
    }
    return four_.x[used_++];
  }

 private:
  static constexpr int kRounds = 10;
  static constexpr uint32_t kMultiplier0 = 0xD2511F53;
  static constexpr uint32_t kMultiplier1 = 0xCD9E8D57;
  static constexpr uint32_t kWeyl0 = 0x9E3779B9;
  static constexpr uint32_t kWeyl1 = 0xBB67AE85;

  uint32_t key_[2];
  uint32_t counter_[4];
  Four four_{};
  int used_ = 4;
};

using Philox4_32 = philox_engine;

}  // namespace at
