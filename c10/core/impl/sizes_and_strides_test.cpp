#include <c10/core/impl/SizesAndStrides.h>
#include <c10/util/expect_throw.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <utility>
#include <vector>

namespace {

using c10::IntArrayRef;
using c10::impl::SizesAndStrides;

std::vector<int64_t> counted(size_t count, int64_t from) {
  std::vector<int64_t> values;
  for (size_t i = 0; i < count; ++i) values.push_back(from + static_cast<int64_t>(i));
  return values;
}

SizesAndStrides make(size_t dims) {
  SizesAndStrides s;
  s.set_sizes(counted(dims, 10));
  s.set_strides(counted(dims, 100));
  return s;
}

void expect_is(const SizesAndStrides& s, size_t dims) {
  EXPECT_EQ(s.size(), dims);
  EXPECT_EQ(s.sizes_arrayref(), IntArrayRef(counted(dims, 10)));
  EXPECT_EQ(s.strides_arrayref(), IntArrayRef(counted(dims, 100)));
}

TEST(SizesAndStridesTest, StartsWithOneEmptyDimension) {
  const SizesAndStrides s;
  EXPECT_EQ(s.size(), 1u);
  EXPECT_EQ(s.size_at(0), 0);
  EXPECT_EQ(s.stride_at(0), 1);
}

// Inline and on the heap, copied and moved onto both.
TEST(SizesAndStridesTest, CopiesAndMovesBetweenInlineAndHeap) {
  for (const size_t from : {0u, 1u, 5u, 6u, 9u}) {
    for (const size_t to : {0u, 3u, 5u, 6u, 12u}) {
      const SizesAndStrides source = make(from);
      SizesAndStrides target = make(to);
      target = source;
      expect_is(target, from);
      expect_is(source, from);
      SizesAndStrides moved = make(to);
      moved = std::move(target);
      expect_is(moved, from);
      EXPECT_EQ(target.size(), 0u);  // NOLINT
      target.set_sizes(counted(7, 10));
      EXPECT_EQ(target.size(), 7u);
      SizesAndStrides constructed(std::move(moved));
      expect_is(constructed, from);
      SizesAndStrides copied(constructed);
      expect_is(copied, from);
      EXPECT_TRUE(copied == constructed);
    }
  }
}

TEST(SizesAndStridesTest, SelfAssignment) {
  SizesAndStrides s = make(8);
  auto& alias = s;
  s = alias;
  expect_is(s, 8);
  s = std::move(alias);
  expect_is(s, 8);
}

TEST(SizesAndStridesTest, ResizeKeepsTheFirstDimensions) {
  for (const size_t from : {0u, 2u, 5u, 6u, 9u}) {
    for (const size_t to : {0u, 1u, 5u, 6u, 7u, 11u}) {
      SizesAndStrides s = make(from);
      s.resize(to);
      ASSERT_EQ(s.size(), to);
      for (size_t d = 0; d < to; ++d) {
        const auto i = static_cast<int64_t>(d);
        EXPECT_EQ(s.size_at(d), d < from ? 10 + i : 0) << from << " to " << to;
        EXPECT_EQ(s.stride_at(d), d < from ? 100 + i : 0) << from << " to " << to;
      }
    }
  }
}

TEST(SizesAndStridesTest, StridesMustMatch) {
  SizesAndStrides s = make(2);
  EXPECT_THROW(s.set_strides({1}), c10::Error);
}

TEST(SizesAndStridesTest, SetSizesFromItself) {
  SizesAndStrides s = make(4);
  s.set_sizes(s.sizes_arrayref().slice(1));
  EXPECT_EQ(s.sizes_arrayref(), IntArrayRef({11, 12, 13}));
}

}  // namespace
