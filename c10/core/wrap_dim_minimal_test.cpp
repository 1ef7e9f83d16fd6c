#include <c10/core/WrapDimMinimal.h>
#include <c10/util/expect_throw.h>
#include <gtest/gtest.h>

#include <cstdint>

namespace {

TEST(WrapDimTest, NegativeCountsFromTheEnd) {
  for (int64_t rank = 1; rank < 6; ++rank) {
    for (int64_t dim = -rank; dim < rank; ++dim) {
      EXPECT_EQ(c10::maybe_wrap_dim(dim, rank), (dim + rank) % rank);
    }
  }
}

TEST(WrapDimTest, RefusesWhatIsOutside) {
  EXPECT_THROW_MESSAGE(c10::maybe_wrap_dim(2, 2), c10::IndexError,
                       "Dimension out of range (expected to be in range of [-2, 1], but got 2)");
  EXPECT_THROW_MESSAGE(c10::maybe_wrap_dim(-3, 2), c10::IndexError,
                       "Dimension out of range (expected to be in range of [-2, 1], but got -3)");
  EXPECT_THROW_MESSAGE(c10::maybe_wrap_dim(0, -1), c10::IndexError,
                       "Rank cannot be negative but got -1");
}

TEST(WrapDimTest, ScalarsMayBeWrapped) {
  EXPECT_EQ(c10::maybe_wrap_dim(0, 0), 0);
  EXPECT_EQ(c10::maybe_wrap_dim(-1, 0), 0);
  EXPECT_THROW_MESSAGE(c10::maybe_wrap_dim(3, 0), c10::IndexError,
                       "Dimension out of range (expected to be in range of [-1, 0], but got 3)");
  EXPECT_THROW_MESSAGE(c10::maybe_wrap_dim(0, 0, /*wrap_scalar=*/false), c10::IndexError,
                       "Dimension specified as 0 but tensor has no dimensions");
}

}  // namespace
