#include <ATen/cuda/detail/KernelUtils.h>
#include <c10/util/expect_throw.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>

namespace at::cuda::detail {
namespace {

TEST(KernelUtilsTest, BlocksCoverTheElements) {
  EXPECT_EQ(GET_BLOCKS(1), 1);
  EXPECT_EQ(GET_BLOCKS(CUDA_NUM_THREADS), 1);
  EXPECT_EQ(GET_BLOCKS(CUDA_NUM_THREADS + 1), 2);
  EXPECT_EQ(GET_BLOCKS(1000, 32), 32);
  EXPECT_EQ(GET_BLOCKS(INT32_MAX, 1), INT32_MAX);
}

TEST(KernelUtilsTest, AGridThatNoGpuTakesIsRefused) {
  for (const int64_t count : {int64_t{0}, int64_t{-3}}) {
    EXPECT_THROW_MESSAGE(
        GET_BLOCKS(count), c10::Error,
        "CUDA kernel launch blocks must be positive, but got N=" + std::to_string(count));
  }
  EXPECT_THROW_MESSAGE(GET_BLOCKS(int64_t{INT32_MAX} + 1, 1), c10::Error,
                       "Can't schedule too many blocks on CUDA device");
}

}  // namespace
}  // namespace at::cuda::detail
