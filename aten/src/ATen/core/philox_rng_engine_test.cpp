#include <ATen/core/PhiloxRNGEngine.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <set>

namespace {

using Four = at::Philox4_32::Four;

void expect_four(const Four& four, uint32_t a, uint32_t b, uint32_t c, uint32_t d) {
  EXPECT_EQ(four.x[0], a);
  EXPECT_EQ(four.x[1], b);
  EXPECT_EQ(four.x[2], c);
  EXPECT_EQ(four.x[3], d);
}

// The known answers that come with the authors' Random123 library, for philox4x32-10.
TEST(PhiloxEngineTest, GivesTheKnownAnswers) {
  expect_four(at::Philox4_32(0, 0, 0).next4(), 0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8);
  expect_four(at::Philox4_32(~uint64_t{0}, ~uint64_t{0}, ~uint64_t{0}).next4(), 0x408f276d,
              0x41c83b0e, 0xa20bc7c6, 0x6d5451fd);
  // Key and counter are digits of pi.
  expect_four(at::Philox4_32(0x299f31d0a4093822, 0x0370734413198a2e, 0x85a308d3243f6a88).next4(),
              0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1);
}

TEST(PhiloxEngineTest, AnOffsetSkipsFourNumbers) {
  at::Philox4_32 from_start(42, 7, 0);
  for (int i = 0; i < 8; ++i) from_start();
  at::Philox4_32 later(42, 7, 2);
  for (int i = 0; i < 8; ++i) EXPECT_EQ(from_start(), later());
}

TEST(PhiloxEngineTest, TheCounterCarries) {
  at::Philox4_32 engine(1, 2, 0xffffffff);
  engine.next4();
  const Four next = engine.next4();
  expect_four(at::Philox4_32(1, 2, 0x100000000).next4(), next.x[0], next.x[1], next.x[2],
              next.x[3]);
}

TEST(PhiloxEngineTest, SubsequencesDiffer) {
  std::set<uint32_t> seen;
  for (uint64_t subsequence = 0; subsequence < 1000; ++subsequence) {
    seen.insert(at::Philox4_32(3, subsequence, 0)());
  }
  EXPECT_GT(seen.size(), 995U);
}

TEST(PhiloxEngineTest, IncrPassesOverFourNumbers) {
  at::Philox4_32 passed(42, 7, 0);
  passed.incr();
  passed.incr_n(0xffffffff);
  at::Philox4_32 later(42, 7, 0x100000000);
  for (int i = 0; i < 4; ++i) EXPECT_EQ(passed(), later());
  // From the last number of a subsequence to the first of the next.
  at::Philox4_32 last(42, 7, ~uint64_t{0});
  last.incr_n(1);
  at::Philox4_32 next(42, 8, 0);
  EXPECT_EQ(last(), next());
}

}  // namespace
