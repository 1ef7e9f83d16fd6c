#include <c10/util/MaybeOwned.h>
#include <c10/util/intrusive_ptr.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>

namespace {

using Owned = c10::MaybeOwned<std::shared_ptr<int>>;

TEST(MaybeOwnedTest, BorrowingDoesNotCount) {
  const auto value = std::make_shared<int>(3);
  const Owned borrowed = Owned::borrowed(value);
  EXPECT_TRUE(borrowed.unsafeIsBorrowed());
  EXPECT_EQ(value.use_count(), 1);
  EXPECT_EQ(&*borrowed, &value);
  EXPECT_EQ(**borrowed, 3);
}

TEST(MaybeOwnedTest, OwningKeepsAlive) {
  auto value = std::make_shared<int>(3);
  std::weak_ptr<int> watch = value;
  {
    const Owned owned = Owned::owned(std::move(value));
    EXPECT_FALSE(owned.unsafeIsBorrowed());
    EXPECT_FALSE(watch.expired());
    EXPECT_EQ(*owned->get(), 3);
  }
  EXPECT_TRUE(watch.expired());
}

TEST(MaybeOwnedTest, CopiesAndMovesKeepTheKind) {
  const auto value = std::make_shared<int>(1);
  Owned borrowed = Owned::borrowed(value);
  Owned owned = Owned::owned(std::make_shared<int>(2));
  Owned copy = owned;
  EXPECT_EQ((*owned).use_count(), 2);
  copy = borrowed;
  EXPECT_TRUE(copy.unsafeIsBorrowed());
  EXPECT_EQ((*owned).use_count(), 1);
  borrowed = std::move(owned);
  EXPECT_FALSE(borrowed.unsafeIsBorrowed());
  EXPECT_EQ(**borrowed, 2);
}

TEST(MaybeOwnedTest, ATemporaryGivesItsValueAway) {
  const std::shared_ptr<int> taken = *Owned::owned(std::in_place, std::make_shared<int>(5));
  EXPECT_EQ(*taken, 5);
  EXPECT_EQ(taken.use_count(), 1);
}

}  // namespace
