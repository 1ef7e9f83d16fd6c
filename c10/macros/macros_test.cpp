#include <c10/macros/Macros.h>
#include <gtest/gtest.h>

#include <string>
#include <type_traits>

namespace {

TEST(MacrosTest, ConcatenateExpandsItsArguments) {
#define PREFIX left
  const int leftright = 7;
  EXPECT_EQ(C10_CONCATENATE(PREFIX, right), leftright);
#undef PREFIX
}

TEST(MacrosTest, StringizeExpandsItsArgument) {
#define VALUE 42
  EXPECT_EQ(std::string(C10_STRINGIZE(VALUE)), "42");
#undef VALUE
}

TEST(MacrosTest, AnonymousVariablesDoNotCollide) {
  // Two on one line would be a redefinition if the names were alike.
  C10_UNUSED int C10_ANONYMOUS_VARIABLE(v) = 1;
  C10_UNUSED int C10_ANONYMOUS_VARIABLE(v) = 2;
  constexpr int first = C10_UID;
  constexpr int second = C10_UID;
  EXPECT_LT(first, second);
}

TEST(MacrosTest, LikelyKeepsTruthValues) {
  EXPECT_TRUE(C10_LIKELY(2));
  EXPECT_FALSE(C10_LIKELY(0));
  EXPECT_TRUE(C10_UNLIKELY(2));
  EXPECT_FALSE(C10_UNLIKELY(0));
}

struct Pinned {
  Pinned() = default;
  C10_DISABLE_COPY_AND_ASSIGN(Pinned);
};

TEST(MacrosTest, DisableCopyAndAssign) {
  EXPECT_FALSE(std::is_copy_constructible_v<Pinned>);
  EXPECT_FALSE(std::is_copy_assignable_v<Pinned>);
}

}  // namespace
