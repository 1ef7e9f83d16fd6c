#include <c10/util/expect_throw.h>
#include <cuda_runtime_api.h>
#include <gtest/gtest.h>
#include <ATen/cuda/detail/TensorInfo.cuh>

#include <cstdint>
#include <vector>

namespace at::cuda::detail {
namespace {

using Info = TensorInfo<const int, int64_t>;

Info info(const std::vector<int64_t>& sizes, const std::vector<int64_t>& strides) {
  return Info(nullptr, static_cast<int>(sizes.size()), sizes.data(), strides.data());
}

std::vector<int64_t> offsets(const Info& tensor) {
  int64_t count = 1;
  for (int d = 0; d < tensor.dims; ++d) count *= tensor.sizes[d];
  std::vector<int64_t> result;
  for (int64_t i = 0; i < count; ++i) {
    result.push_back(IndexToOffset<const int, int64_t, -1>::get(i, tensor));
  }
  return result;
}

TEST(TensorInfoTest, OffsetsFollowTheStrides) {
  EXPECT_EQ(offsets(info({2, 3}, {1, 2})), (std::vector<int64_t>{0, 2, 4, 1, 3, 5}));
  EXPECT_EQ((IndexToOffset<const int, int64_t, 2>::get(4, info({2, 3}, {1, 2}))), 3);
}

TEST(TensorInfoTest, CollapsedDimensionsHaveTheSameOffsets) {
  Info dense = info({2, 1, 3, 4}, {12, 7, 4, 1});
  const std::vector<int64_t> before = offsets(dense);
  EXPECT_EQ(dense.collapseDims(), -1);
  EXPECT_TRUE(dense.isContiguous());
  EXPECT_EQ(offsets(dense), before);

  Info sliced = info({2, 3, 4}, {40, 8, 2});
  const std::vector<int64_t> apart = offsets(sliced);
  EXPECT_EQ(sliced.collapseDims(), -1);
  EXPECT_EQ(sliced.dims, 2);
  EXPECT_FALSE(sliced.isContiguous());
  EXPECT_EQ(offsets(sliced), apart);

  Info kept = info({2, 3, 4}, {12, 4, 1});
  EXPECT_EQ(kept.collapseDims(/*excludeDim=*/1), 1);
  EXPECT_EQ(kept.dims, 3);
}

TEST(TensorInfoTest, ReducedDimensionsHaveOneElement) {
  Info tensor = info({2, 3}, {3, 1});
  tensor.reduceDim(1);
  EXPECT_EQ(offsets(tensor), (std::vector<int64_t>{0, 3}));
  for (const int dim : {-1, 2}) {
    EXPECT_THROW_MESSAGE(tensor.reduceDim(dim), c10::Error, "expected dim between 0 and dims - 1");
  }
}

TEST(TensorInfoTest, TooManyDimensionsAreRefused) {
  const std::vector<int64_t> ones(MAX_TENSORINFO_DIMS, 1);
  EXPECT_THROW_MESSAGE(info(ones, ones), c10::Error,
                       "CUDA Tensors cannot have more than 25 dimensions");
}

}  // namespace
}  // namespace at::cuda::detail
