#include <c10/core/Contiguity.h>
#include <c10/core/Layout.h>
#include <c10/core/MemoryFormat.h>
#include <c10/util/accumulate.h>
#include <c10/util/expect_throw.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <random>
#include <set>
#include <sstream>
#include <vector>

namespace {

using c10::IntArrayRef;
using Dims = std::vector<int64_t>;

// Places of all elements, in row-major order of their indices.
std::vector<int64_t> places(const Dims& sizes, const Dims& strides) {
  std::vector<int64_t> result{0};
  for (size_t d = 0; d < sizes.size(); ++d) {
    std::vector<int64_t> next;
    for (const int64_t base : result) {
      for (int64_t i = 0; i < sizes[d]; ++i) next.push_back(base + i * strides[d]);
    }
    result = next;
  }
  return result;
}

TEST(ContiguityTest, AgreesWithWhereTheElementsAre) {
  std::mt19937 random{std::random_device()()};
  for (int round = 0; round < 2000; ++round) {
    const size_t dim = random() % 5;
    Dims sizes(dim);
    for (int64_t& size : sizes) size = 1 + static_cast<int64_t>(random() % 3);
    // Row-major strides of a random order of dimensions, sometimes spoiled.
    std::vector<size_t> order(dim);
    std::iota(order.begin(), order.end(), 0);
    std::shuffle(order.begin(), order.end(), random);
    Dims strides(dim);
    int64_t stride = 1;
    for (const size_t d : order) {
      strides[d] = stride;
      stride *= sizes[d];
    }
    if (dim > 0 && random() % 3 == 0) strides[random() % dim] = static_cast<int64_t>(random() % 5);

    const std::vector<int64_t> where = places(sizes, strides);
    std::vector<int64_t> row_major(where.size());
    std::iota(row_major.begin(), row_major.end(), 0);
    std::vector<int64_t> sorted = where;
    std::sort(sorted.begin(), sorted.end());
    const int64_t numel = c10::multiply_integers(sizes);
    SCOPED_TRACE(c10::str("sizes ", sizes, " strides ", strides));
    EXPECT_EQ(c10::_compute_contiguous(sizes, strides, numel), where == row_major);
    EXPECT_EQ(c10::_compute_non_overlapping_and_dense(sizes, strides), sorted == row_major);
    if (dim == 4) {
      const c10::DimVector strides_2d = c10::get_channels_last_strides_2d(sizes);
      const Dims channels_last(strides_2d.begin(), strides_2d.end());
      EXPECT_EQ(c10::_compute_channels_last_contiguous_2d(sizes, strides),
                where == places(sizes, channels_last));
    }
  }
}

TEST(ContiguityTest, EmptyIsContiguous) {
  EXPECT_TRUE(c10::_compute_contiguous({0, 3}, {7, 7}, 0));
}

TEST(MemoryFormatTest, ChannelsLastStrides) {
  EXPECT_EQ(c10::get_channels_last_strides_2d({2, 3, 4, 5}), (c10::DimVector{60, 1, 15, 3}));
  EXPECT_EQ(c10::get_channels_last_strides_2d({3, 4, 5}), (c10::DimVector{1, 15, 3}));
  EXPECT_EQ(c10::get_channels_last_strides_3d({2, 3, 4, 5, 6}),
            (c10::DimVector{360, 1, 90, 18, 3}));
  EXPECT_THROW_CONTAINS(c10::get_channels_last_strides_2d({1, 2}), c10::Error,
                        "ChannelsLast2d doesn't support size 2");
}

TEST(MemoryFormatTest, RecognisesChannelsLast) {
  EXPECT_TRUE(c10::is_channels_last_strides_2d({2, 3, 4, 5}, {60, 1, 15, 3}));
  EXPECT_FALSE(c10::is_channels_last_strides_2d({2, 3, 4, 5}, {60, 20, 5, 1}));
  EXPECT_TRUE(c10::is_channels_last_strides_2d({2, 3, 4, 5}, {120, 1, 30, 6}));  // with holes
  EXPECT_FALSE(c10::is_channels_last_strides_2d({2, 3, 4, 5}, {0, 0, 0, 0}));    // expanded
  EXPECT_FALSE(c10::is_channels_last_strides_2d({2, 3, 4}, {1, 15, 3}));
  // One channel, one row: row-major strides are meant.
  EXPECT_FALSE(c10::is_channels_last_strides_2d({2, 1, 1, 1}, {1, 1, 1, 1}));
  EXPECT_TRUE(c10::is_channels_last_strides_3d({2, 3, 4, 5, 6}, {360, 1, 90, 18, 3}));
  EXPECT_FALSE(c10::is_channels_last_strides_3d({2, 3, 4, 5, 6}, {360, 120, 30, 6, 1}));
}

TEST(MemoryFormatTest, Prints) {
  std::ostringstream out;
  out << c10::MemoryFormat::Contiguous << " " << c10::MemoryFormat::ChannelsLast << " "
      << c10::MemoryFormat::Preserve << " " << c10::Layout::Strided << " "
      << c10::Layout::SparseCsr;
  EXPECT_EQ(out.str(), "Contiguous ChannelsLast Preserve Strided SparseCsr");
  EXPECT_THROW_MESSAGE(out << c10::Layout::NumOptions, c10::Error, "Unknown layout");
  EXPECT_THROW_MESSAGE(out << c10::MemoryFormat::NumOptions, c10::Error, "Unknown memory format 4");
}

}  // namespace
