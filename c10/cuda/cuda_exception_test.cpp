// What errors of CUDA say besides their name: what was wanted, what there is, what to type next.

#include <c10/cuda/CUDAArchList.h>
#include <c10/cuda/CUDAException.h>
#include <c10/util/Exception.h>
#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdlib>
#include <string>

namespace c10::cuda {
namespace {

std::string advice(cudaError_t error) {
  try {
    C10_CUDA_CHECK(error);
  } catch (const c10::AcceleratorError& thrown) {
    const std::string message = thrown.what_without_backtrace();
    const size_t line = message.find('\n');
    return line == std::string::npos ? "" : message.substr(line + 1);
  }
  ADD_FAILURE() << "it did not throw";
  return "";
}

TEST(CUDAExceptionTest, AnArchitectureThatWasNotBuiltIsNamedWithTheFlagToAdd) {
  setenv("EMULATED_CUDA_CAPABILITY", "9.0", /*overwrite=*/1);
  const std::string expected =
      std::string("The GPU has compute capability 9.0; this build has code for ") + kArchList +
      ". Build with --cuda_archs=\"" + kArchOption + ";9.0\".";
  EXPECT_EQ(advice(cudaErrorNoKernelImageForDevice), expected);
  EXPECT_EQ(advice(cudaErrorInvalidDeviceFunction), expected);
}

TEST(CUDAExceptionTest, ADriverThatIsTooOldIsNamedWithWhatIsNeeded) {
  EXPECT_EQ(advice(cudaErrorInsufficientDriver),
            "This build needs a driver for CUDA " + std::to_string(CUDART_VERSION / 1000) + "." +
                std::to_string(CUDART_VERSION % 1000 / 10) + ". Update the NVIDIA driver.");
}

TEST(CUDAExceptionTest, ALaunchThatIsTooLargeIsCalledThat) {
  EXPECT_EQ(advice(cudaErrorInvalidConfiguration),
            "The grid or the block is larger than the GPU can launch.");
}

TEST(CUDAExceptionTest, AnErrorOfAnotherCallSaysHowToFindIt) {
  const std::string expected =
      "Kernels run asynchronously: the call above may not be the one that failed. Set "
      "CUDA_LAUNCH_BLOCKING=1 to find it.";
  for (const cudaError_t error :
       {cudaErrorIllegalAddress, cudaErrorAssert, cudaErrorLaunchFailure}) {
    EXPECT_EQ(advice(error), expected);
  }
  EXPECT_EQ(advice(cudaErrorInvalidValue), "");
}

}  // namespace
}  // namespace c10::cuda
