#include <cuda_runtime_api.h>
#include <gtest/gtest.h>
#include <ATen/cuda/detail/IndexUtils.cuh>

#include <cstdint>
#include <random>
#include <set>
#include <vector>

namespace at::cuda::detail {
namespace {

// Counts offsets instead of comparing strides.
bool overlaps(const std::vector<int64_t>& sizes, const std::vector<int64_t>& strides) {
  std::vector<int64_t> offsets = {0};
  for (size_t d = 0; d < sizes.size(); ++d) {
    std::vector<int64_t> next;
    for (const int64_t offset : offsets) {
      for (int64_t i = 0; i < sizes[d]; ++i) next.push_back(offset + i * strides[d]);
    }
    offsets = next;
  }
  return std::set<int64_t>(offsets.begin(), offsets.end()).size() < offsets.size();
}

TEST(IndexUtilsTest, FindsEveryOverlap) {
  const unsigned seed = std::random_device()();
  SCOPED_TRACE(seed);
  std::mt19937 random(seed);
  int found = 0;
  for (int i = 0; i < 5000; ++i) {
    std::vector<int64_t> sizes(random() % 4);
    std::vector<int64_t> strides(sizes.size());
    for (int64_t& size : sizes) size = random() % 5;
    for (int64_t& stride : strides) stride = random() % 12;
    if (!overlaps(sizes, strides)) continue;
    ++found;
    EXPECT_TRUE(maybeOverlappingIndices(sizes, strides))
        << IntArrayRef(sizes) << " with strides " << IntArrayRef(strides);
  }
  EXPECT_GT(found, 0);
}

TEST(IndexUtilsTest, DenseAndSlicedTensorsDoNotOverlap) {
  EXPECT_FALSE(maybeOverlappingIndices({}, {}));
  EXPECT_FALSE(maybeOverlappingIndices({2, 3, 4}, {12, 4, 1}));
  EXPECT_FALSE(maybeOverlappingIndices({4, 3, 2}, {1, 4, 12}));
  EXPECT_FALSE(maybeOverlappingIndices({2, 3}, {20, 2}));
  EXPECT_FALSE(maybeOverlappingIndices({1, 3}, {0, 1}));
  EXPECT_FALSE(maybeOverlappingIndices({0, 3}, {0, 0}));
}

}  // namespace
}  // namespace at::cuda::detail
