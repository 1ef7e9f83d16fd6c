// The checks before a launch, on a runtime that needs no GPU.

#include <c10/util/Exception.h>
#include <gtest/gtest.h>
#include <ATen/native/cuda/LaunchUtils.cuh>

#include <cstdint>
#include <string>

namespace at::native {
namespace {

TEST(LaunchUtilsTest, AGridThatNoGpuTakesIsRefused) {
  EXPECT_EQ(grid_size(1), 1u);
  EXPECT_EQ(grid_size(INT32_MAX), static_cast<unsigned>(INT32_MAX));
  for (const int64_t blocks : {int64_t{0}, int64_t{INT32_MAX} + 1}) {
    try {
      grid_size(blocks);
      FAIL() << "no GPU takes " << blocks;
    } catch (const c10::Error& error) {
      EXPECT_EQ(std::string(error.what_without_backtrace()),
                "this operator would start " + std::to_string(blocks) +
                    " blocks of threads, and a GPU takes from 1 to 2147483647: split the tensor "
                    "into smaller ones");
    }
  }
}

}  // namespace
}  // namespace at::native
