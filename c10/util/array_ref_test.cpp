#include <c10/util/ArrayRef.h>
#include <c10/util/DimVector.h>
#include <c10/util/OptionalArrayRef.h>
#include <c10/util/expect_throw.h>
#include <gtest/gtest.h>

#include <array>
#include <optional>
#include <sstream>
#include <string>
#include <type_traits>
#include <vector>

namespace {

using c10::ArrayRef;
using c10::IntArrayRef;
using c10::OptionalIntArrayRef;

std::vector<int64_t> taken(IntArrayRef list) { return list.vec(); }

TEST(ArrayRefTest, TakesEveryKindOfList) {
  const std::vector<int64_t> expected{1, 2, 3};
  const std::array<int64_t, 3> array{1, 2, 3};
  const int64_t raw[] = {1, 2, 3};
  const c10::DimVector small{1, 2, 3};
  EXPECT_EQ(taken(expected), expected);
  EXPECT_EQ(taken(array), expected);
  EXPECT_EQ(taken(raw), expected);
  EXPECT_EQ(taken(small), expected);
  EXPECT_EQ(taken({1, 2, 3}), expected);
  EXPECT_EQ(taken(IntArrayRef(raw, 3)), expected);
  EXPECT_EQ(taken(IntArrayRef(raw, raw + 3)), expected);
  const int64_t one = 5;
  EXPECT_EQ(taken(one), std::vector<int64_t>{5});
  EXPECT_EQ(taken({}), std::vector<int64_t>{});
}

TEST(ArrayRefTest, ReadsElements) {
  const std::vector<int64_t> values{4, 5, 6};
  const IntArrayRef list(values);
  EXPECT_EQ(list.front(), 4);
  EXPECT_EQ(list.back(), 6);
  EXPECT_EQ(list[1], 5);
  EXPECT_EQ(list.at(2), 6);
  EXPECT_EQ(std::vector<int64_t>(list.rbegin(), list.rend()), (std::vector<int64_t>{6, 5, 4}));
  EXPECT_EQ(list.data(), values.data());
}

TEST(ArrayRefTest, Slices) {
  const std::vector<int64_t> values{4, 5, 6};
  const IntArrayRef list(values);
  EXPECT_EQ(list.slice(1), IntArrayRef({5, 6}));
  EXPECT_EQ(list.slice(0, 2), IntArrayRef({4, 5}));
  EXPECT_TRUE(list.slice(3).empty());
}

TEST(ArrayRefTest, RefusesWhatIsOutside) {
  const std::vector<int64_t> values{4, 5, 6};
  const IntArrayRef list(values);
  EXPECT_THROW_MESSAGE(list.at(3), c10::Error, "ArrayRef: invalid index Index = 3; Length = 3");
  EXPECT_THROW_MESSAGE(list.slice(2, 2), c10::Error,
                       "ArrayRef: invalid slice, N = 2; M = 2; size = 3");
  EXPECT_THROW_MESSAGE(list.slice(4), c10::Error, "ArrayRef: invalid slice, N = 4; size = 3");
  EXPECT_THROW_MESSAGE(IntArrayRef().front(), c10::Error,
                       "ArrayRef: attempted to access front() of empty list");
  EXPECT_THROW_MESSAGE(IntArrayRef().back(), c10::Error,
                       "ArrayRef: attempted to access back() of empty list");
}

TEST(ArrayRefTest, ComparesElements) {
  const std::vector<int64_t> values{1, 2};
  EXPECT_TRUE(IntArrayRef(values) == IntArrayRef({1, 2}));
  EXPECT_FALSE(IntArrayRef(values) == IntArrayRef({1, 3}));
  EXPECT_FALSE(IntArrayRef(values) == IntArrayRef({1}));
  EXPECT_TRUE(values == IntArrayRef({1, 2}));
  EXPECT_TRUE(IntArrayRef({1, 2}) == values);
  EXPECT_TRUE(IntArrayRef({1}) != values);
}

TEST(ArrayRefTest, Prints) {
  std::ostringstream out;
  out << IntArrayRef({1, 2, 3}) << IntArrayRef();
  EXPECT_EQ(out.str(), "[1, 2, 3][]");
}

TEST(ArrayRefTest, NoAssignmentFromTemporaries) {
  EXPECT_FALSE((std::is_assignable_v<ArrayRef<int>&, int>));
  EXPECT_TRUE((std::is_assignable_v<ArrayRef<int>&, ArrayRef<int>>));
}

TEST(ArrayRefTest, WorksInConstantExpressions) {
  static constexpr int kValues[] = {1, 2, 3};
  constexpr ArrayRef<int> list(kValues);
  static_assert(list.size() == 3 && list[2] == 3);
}

std::string described(OptionalIntArrayRef list) {
  return list.has_value() ? c10::str(*list) : "none";
}

TEST(OptionalArrayRefTest, TakesListsElementsAndNothing) {
  const std::vector<int64_t> values{1, 2};
  EXPECT_EQ(described(std::nullopt), "none");
  EXPECT_EQ(described(values), "[1, 2]");
  EXPECT_EQ(described(IntArrayRef(values)), "[1, 2]");
  EXPECT_EQ(described({3, 4}), "[3, 4]");
  EXPECT_EQ(described(7), "[7]");
  EXPECT_EQ(described(std::optional<IntArrayRef>()), "none");
  EXPECT_EQ(described(std::optional<IntArrayRef>(values)), "[1, 2]");
  EXPECT_EQ(described(std::optional<std::vector<int64_t>>(values)), "[1, 2]");
  EXPECT_EQ(described(std::optional<std::vector<int64_t>>()), "none");
}

TEST(OptionalArrayRefTest, BehavesAsAnOptional) {
  const std::vector<int64_t> values{1, 2};
  OptionalIntArrayRef list = values;
  EXPECT_TRUE(static_cast<bool>(list));
  EXPECT_EQ(list->size(), 2u);
  EXPECT_EQ(list.value().front(), 1);
  EXPECT_TRUE(list == IntArrayRef(values));
  list.reset();
  EXPECT_FALSE(list.has_value());
  EXPECT_THROW(list.value(), std::bad_optional_access);
  EXPECT_TRUE(list.value_or(values) == IntArrayRef(values));
  list = IntArrayRef(values);
  EXPECT_TRUE(list.has_value());
  list = std::nullopt;
  EXPECT_FALSE(list.has_value());
}

}  // namespace
