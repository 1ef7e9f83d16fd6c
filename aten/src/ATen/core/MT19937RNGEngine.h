#pragma once

#include <array>
#include <cstdint>

namespace at {

constexpr int MERSENNE_STATE_N = 624;
constexpr int MERSENNE_STATE_M = 397;

// The state as it is saved: `left` draws remain before the words are renewed.
struct mt19937_data_pod {
  uint64_t seed_;
  int left_;
  bool seeded_;
  uint32_t next_;
  std::array<uint32_t, MERSENNE_STATE_N> state_;
};

// The Mersenne Twister of Matsumoto and Nishimura (1998), 32-bit words, period 2^19937 - 1. Gives
// the numbers of std::mt19937 for the same seed.
class mt19937 {
 public:
  explicit mt19937(uint64_t seed = 5489) { init_with_uint32(seed); }

  mt19937_data_pod data() const { return data_; }
  void set_data(const mt19937_data_pod& data) { data_ = data; }
  uint64_t seed() const { return data_.seed_; }
  bool is_valid() const {
    return data_.seeded_ && data_.left_ > 0 && data_.left_ <= MERSENNE_STATE_N &&
           data_.next_ <= MERSENNE_STATE_N;
  }

  uint32_t operator()() {
    if (--data_.left_ == 0) next_state();
    uint32_t y = data_.state_[data_.next_++];
    y ^= y >> 11;
    y ^= (y << 7) & 0x9d2c5680;
    y ^= (y << 15) & 0xefc60000;
    y ^= y >> 18;
    return y;
  }

 private:
  void init_with_uint32(uint64_t seed) {
    data_.seed_ = seed;
    data_.seeded_ = true;
    data_.state_[0] = static_cast<uint32_t>(seed);
    for (uint32_t j = 1; j < MERSENNE_STATE_N; ++j) {
      const uint32_t previous = data_.state_[j - 1];
      data_.state_[j] = 1812433253U * (previous ^ (previous >> 30)) + j;
    }
    data_.left_ = 1;
    data_.next_ = 0;
  }

  static uint32_t twist(uint32_t u, uint32_t v) {
    const uint32_t mixed = (u & 0x80000000U) | (v & 0x7fffffffU);
    return (mixed >> 1) ^ ((v & 1U) != 0 ? 0x9908b0dfU : 0U);
  }

  void next_state() {
    auto& s = data_.state_;
    constexpr int n = MERSENNE_STATE_N;
    constexpr int m = MERSENNE_STATE_M;
    data_.left_ = n;
    data_.next_ = 0;
    for (int j = 0; j < n - m; ++j) s[j] = s[j + m] ^ twist(s[j], s[j + 1]);
    for (int j = n - m; j < n - 1; ++j) s[j] = s[j + m - n] ^ twist(s[j], s[j + 1]);
    s[n - 1] = s[m - 1] ^ twist(s[n - 1], s[0]);
  }

  mt19937_data_pod data_;
};

}  // namespace at
