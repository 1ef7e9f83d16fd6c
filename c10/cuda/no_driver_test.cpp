#include <c10/cuda/CUDAFunctions.h>
#include <c10/util/Exception.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

namespace {

// Asked once a process, so it has a program of its own.
TEST(NoDriverTest, ThereAreNoDevicesAndTheReasonIsKept) {
  setenv("EMULATED_CUDA_DRIVER", "11.4", /*overwrite=*/1);
  EXPECT_EQ(c10::cuda::device_count(), 0);
  EXPECT_NE(c10::cuda::why_unavailable().find("driver is for CUDA 11.4, this build needs"),
            std::string::npos);
  try {
    c10::cuda::current_device();
    FAIL() << "there is no device";
  } catch (const c10::Error& error) {
    EXPECT_EQ(std::string(error.what_without_backtrace()),
              "No CUDA GPUs are available: " + c10::cuda::why_unavailable());
  }
}

}  // namespace
