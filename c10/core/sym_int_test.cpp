#include <c10/core/Scalar.h>
#include <c10/core/SymInt.h>
#include <c10/core/SymIntArrayRef.h>
#include <c10/util/Exception.h>
#include <c10/util/StringUtil.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <type_traits>
#include <unordered_set>
#include <vector>

namespace {

using c10::SymFloat;
using c10::SymInt;

// Only on demand, as in PyTorch: code that forgets to ask compiles in neither.
static_assert(std::is_convertible_v<int64_t, SymInt> && !std::is_convertible_v<SymInt, int64_t>);
static_assert(std::is_trivially_copyable_v<SymInt> && sizeof(SymInt) == 8);

TEST(SymInt, GivesItsIntegerBack) {
  const SymInt n = 7;
  EXPECT_EQ(n.guard_int(__FILE__, __LINE__), 7);
  EXPECT_EQ(n.expect_int(), 7);
  EXPECT_EQ(n.maybe_as_int(), std::optional<int64_t>(7));
  EXPECT_FALSE(n.is_symbolic());
  EXPECT_EQ(SymInt().expect_int(), 0);
  EXPECT_EQ(c10::str("n = ", SymInt(-3)), "n = -3");
  EXPECT_EQ(c10::Scalar(n).toLong(), 7);
  EXPECT_EQ(std::numeric_limits<SymInt>::max(), INT64_MAX);
  EXPECT_EQ((std::unordered_set<SymInt>{1, 1, 2}).size(), 2);
}

TEST(SymInt, ComputesWithIntegers) {
  SymInt n = 7;
  EXPECT_EQ(n + 1, 8);
  EXPECT_EQ(1 - n, -6);
  EXPECT_EQ(n * n, 49);
  EXPECT_EQ(n / 2, 3);
  EXPECT_EQ(n % size_t(4), 3);
  EXPECT_EQ(-n, -7);
  n += 2;
  n *= 3;
  n -= 1;
  n /= 2;
  EXPECT_EQ(n, 13);
  EXPECT_TRUE(n > 12 && n >= 13 && n < 14 && n <= 13 && n != 12);
  EXPECT_EQ(n.min(5), 5);
  EXPECT_EQ(n.max(5), 13);
  EXPECT_TRUE(n.sym_eq(13).guard_bool(__FILE__, __LINE__));
  EXPECT_FALSE(n.sym_lt(13).sym_or(false).expect_true(__FILE__, __LINE__));
}

TEST(SymInt, KeepsTheFractionOfFloats) {
  const SymInt n = 3;
  static_assert(std::is_same_v<decltype(n * 0.5), SymFloat>);
  EXPECT_EQ((n * 0.5).expect_float(), 1.5);
  EXPECT_EQ((1.0f / SymInt(4)).guard_float(__FILE__, __LINE__), 0.25);
  EXPECT_TRUE(SymInt(0) < 0.5);
  EXPECT_FALSE(SymInt(0) == 0.5);
  EXPECT_TRUE(0.5 != SymInt(0));
  EXPECT_EQ((n + SymFloat(0.25)).expect_float(), 3.25);
}

TEST(SymInt, ListsAreListsOfIntegers) {
  const std::vector<int64_t> sizes = {2, 3};
  const c10::SymIntArrayRef symbolic = c10::fromIntArrayRefSlow(sizes);
  EXPECT_EQ(symbolic[1], 3);
  EXPECT_EQ(C10_AS_INTARRAYREF_SLOW(symbolic).data(), sizes.data());
  EXPECT_EQ(C10_AS_INTARRAYREF_SLOW_ALLOC(symbolic), c10::DimVector({2, 3}));
  EXPECT_TRUE(c10::sym_equals(symbolic, {2, 3}).expect_bool());
  EXPECT_EQ(c10::str(symbolic), "[2, 3]");
}

TEST(SymBool, ChecksAsACondition) {
  TORCH_SYM_CHECK(SymInt(2).sym_gt(1), "never");
  try {
    TORCH_SYM_CHECK(SymInt(2).sym_lt(1), "two is not below ", SymInt(1));
    FAIL();
  } catch (const c10::Error& e) {
    EXPECT_STREQ(e.what_without_backtrace(), "two is not below 1");
  }
  EXPECT_TRUE(TORCH_GUARD_OR_FALSE(SymInt(2).sym_eq(2)));
  EXPECT_FALSE(TORCH_STATICALLY_KNOWN_TRUE(1 > 2));
}

}  // namespace
