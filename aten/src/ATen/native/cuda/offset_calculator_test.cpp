// Division by multiplication against the host's own division.

#include <ATen/native/cuda/OffsetCalculator.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <random>

namespace at::native {
namespace {

TEST(DividerTest, DividesWhatIsBelowTwoToThe31st) {
  const auto seed = std::random_device()();
  std::mt19937 engine(seed);
  std::uniform_int_distribution<uint32_t> any(1, INT32_MAX);
  for (int round = 0; round < 100000; ++round) {
    // Divisors of every order of magnitude, and the neighbours of powers of two.
    const uint32_t scaled = any(engine) >> (round % 31);
    const uint32_t divisor =
        round % 3 == 0 ? (uint32_t{1} << (round % 31)) + round % 2 : (scaled == 0 ? 1 : scaled);
    const Divider divider(divisor);
    for (const uint32_t n : {uint32_t{0}, divisor - 1, divisor, any(engine) >> (round % 29),
                             any(engine) / divisor * divisor, uint32_t{INT32_MAX}}) {
      ASSERT_EQ(divider.div(n), n / divisor) << n << " by " << divisor << ", seed " << seed;
    }
  }
}

}  // namespace
}  // namespace at::native
