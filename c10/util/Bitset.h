#pragma once

// 64 bits, and the numbers of those that are set.

#include <cstddef>
#include <cstdint>

namespace c10::utils {

struct bitset final {
  static constexpr size_t NUM_BITS() { return 64; }

  constexpr bitset() noexcept = default;

  /// `index` is below 64; not checked.
  constexpr void set(size_t index) noexcept { bits_ |= bit(index); }
  constexpr void unset(size_t index) noexcept { bits_ &= ~bit(index); }
  constexpr bool get(size_t index) const noexcept { return (bits_ & bit(index)) != 0; }
  constexpr bool is_entirely_unset() const noexcept { return bits_ == 0; }

  /// Calls func(index) for every bit that is set, from the lowest on.
  template <class Func>
  void for_each_set_bit(Func&& func) const {
    for (size_t index = 0; index < NUM_BITS(); ++index) {
      if (get(index)) func(index);
    }
  }

  friend constexpr bool operator==(bitset, bitset) noexcept = default;

 private:
  static constexpr uint64_t bit(size_t index) noexcept { return uint64_t{1} << index; }
  uint64_t bits_ = 0;
};

}  // namespace c10::utils
