#include <c10/util/accumulate.h>
#include <c10/util/expect_throw.h>
#include <c10/util/irange.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <type_traits>
#include <vector>

namespace {

template <class Range>
std::vector<int64_t> listed(Range range) {
  std::vector<int64_t> result;
  for (const auto i : range) result.push_back(static_cast<int64_t>(i));
  return result;
}

TEST(IrangeTest, CountsUpToTheEnd) {
  EXPECT_EQ(listed(c10::irange(3)), (std::vector<int64_t>{0, 1, 2}));
  EXPECT_EQ(listed(c10::irange(-2, 2)), (std::vector<int64_t>{-2, -1, 0, 1}));
}

TEST(IrangeTest, EmptyWhenTheEndIsBefore) {
  EXPECT_TRUE(listed(c10::irange(0)).empty());
  EXPECT_TRUE(listed(c10::irange(-5)).empty());
  EXPECT_TRUE(listed(c10::irange(3, 1)).empty());
  EXPECT_TRUE(listed(c10::irange(3, 3)).empty());
}

TEST(IrangeTest, HasTheTypeOfTheEnd) {
  for (const auto i : c10::irange(size_t{1}))
    static_assert(std::is_same_v<decltype(i), const size_t>);
  for (const auto i : c10::irange(0, int64_t{1})) {
    static_assert(std::is_same_v<decltype(i), const int64_t>);
  }
}

TEST(AccumulateTest, SumsAndProducts) {
  const std::vector<int> values{2, 3, 7};
  EXPECT_EQ(c10::sum_integers(values), 2 + 3 + 7);
  EXPECT_EQ(c10::multiply_integers(values), 2 * 3 * 7);
  EXPECT_EQ(c10::multiply_integers(std::vector<int>{}), 1);
  EXPECT_EQ(c10::sum_integers(std::vector<int>{}), 0);
  const std::vector<int> large{1 << 20, 1 << 20};
  EXPECT_EQ(c10::multiply_integers(large), int64_t{1} << 40);
}

TEST(AccumulateTest, ElementsFromAndToADimension) {
  EXPECT_EQ(c10::numelements_from_dim(1, {2, 3, 4}), 12);
  EXPECT_EQ(c10::numelements_from_dim(4, {2, 3, 4}), 1);
  EXPECT_EQ(c10::numelements_to_dim(2, {2, 3, 4}), 6);
  EXPECT_EQ(c10::numelements_to_dim(0, {2, 3, 4}), 1);
  EXPECT_THROW(c10::numelements_to_dim(4, {2, 3, 4}), c10::Error);
}

}  // namespace
