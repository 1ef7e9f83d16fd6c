#include <c10/util/UniqueVoidPtr.h>
#include <gtest/gtest.h>

#include <type_traits>
#include <utility>

namespace {

using c10::detail::UniqueVoidPtr;

int freed = 0;
void count_free(void* context) {
  ++freed;
  delete static_cast<int*>(context);
}
void other_free(void*) {}

TEST(UniqueVoidPtrTest, FreesItsContextOnce) {
  freed = 0;
  {
    int* context = new int(1);
    UniqueVoidPtr first(context, context, &count_free);
    UniqueVoidPtr second(std::move(first));
    EXPECT_FALSE(static_cast<bool>(first));  // NOLINT
    EXPECT_EQ(second.get(), context);
    UniqueVoidPtr third;
    third = std::move(second);
    EXPECT_EQ(freed, 0);
  }
  EXPECT_EQ(freed, 1);
}

TEST(UniqueVoidPtrTest, AssignmentFreesWhatWasThere) {
  freed = 0;
  int* a = new int(1);
  int* b = new int(2);
  UniqueVoidPtr target(a, a, &count_free);
  target = UniqueVoidPtr(b, b, &count_free);
  EXPECT_EQ(freed, 1);
  EXPECT_EQ(target.get(), b);
  target.clear();
  EXPECT_EQ(freed, 2);
  EXPECT_EQ(target.get(), nullptr);
}

TEST(UniqueVoidPtrTest, BorrowedDataIsNotFreed) {
  int value = 3;
  UniqueVoidPtr borrowed(&value);
  EXPECT_EQ(borrowed.get(), &value);
  EXPECT_EQ(borrowed.get_context(), nullptr);
}

TEST(UniqueVoidPtrTest, ReleaseGivesTheContextAway) {
  freed = 0;
  int* context = new int(1);
  {
    UniqueVoidPtr ptr(context, context, &count_free);
    EXPECT_EQ(ptr.release_context(), context);
  }
  EXPECT_EQ(freed, 0);
  delete context;
}

TEST(UniqueVoidPtrTest, DeleterIsComparedBeforeUse) {
  int value = 0;
  UniqueVoidPtr ptr(&value, &value, &other_free);
  EXPECT_EQ(ptr.cast_context<int>(&other_free), &value);
  EXPECT_EQ(ptr.cast_context<int>(&count_free), nullptr);
  EXPECT_FALSE(ptr.compare_exchange_deleter(&count_free, &other_free));
  EXPECT_TRUE(ptr.compare_exchange_deleter(&other_free, &c10::detail::deleteNothing));
  EXPECT_EQ(ptr.get_deleter(), &c10::detail::deleteNothing);
  EXPECT_FALSE(std::is_copy_constructible_v<UniqueVoidPtr>);
}

}  // namespace
