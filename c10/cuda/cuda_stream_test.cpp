#include <c10/core/Event.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAFunctions.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>
#include <c10/util/Exception.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <set>
#include <string>
#include <thread>

namespace {

using namespace c10::cuda;  // NOLINT: the subject of the whole file

// Read when the runtime is first called.
const int kTwoDevices = setenv("EMULATED_CUDA_DEVICES", "2", /*overwrite=*/1);

std::string message(const c10::Error& error) { return error.what_without_backtrace(); }

TEST(CUDAStreamTest, TheDefaultIsCurrentUntilAnotherIsChosen) {
  EXPECT_EQ(getCurrentCUDAStream(), getDefaultCUDAStream());
  const CUDAStream stream = getStreamFromPool();
  {
    const CUDAStreamGuard guard(stream.unwrap());
    EXPECT_EQ(getCurrentCUDAStream(), stream);
    std::thread([] { EXPECT_EQ(getCurrentCUDAStream(), getDefaultCUDAStream()); }).join();
  }
  EXPECT_EQ(getCurrentCUDAStream(), getDefaultCUDAStream());
}

TEST(CUDAStreamTest, ThePoolHandsOutDifferentStreamsInTurn) {
  std::set<cudaStream_t> handles;
  for (int i = 0; i < 32; ++i) handles.insert(getStreamFromPool().stream());
  EXPECT_EQ(handles.size(), 32U);
  EXPECT_EQ(handles.count(getStreamFromPool().stream()), 1U);
}

TEST(CUDAStreamTest, HighPriorityIsWhatTheGpuHas) {
  EXPECT_EQ(getStreamFromPool().priority(), 0);
  EXPECT_EQ(getStreamFromPool(-1).priority(), -1);
  int lowest = 0;
  int highest = 0;
  ASSERT_EQ(cudaDeviceGetStreamPriorityRange(&lowest, &highest), cudaSuccess);
  // The pool has four priorities.
  const int expected = std::max(highest, -3);
  EXPECT_EQ(getStreamFromPool(true).priority(), expected);
  EXPECT_EQ(getStreamFromPool(-100).priority(), expected);
  EXPECT_THROW(getStreamFromPool(3), c10::Error);
}

TEST(CUDAStreamTest, AStreamFromElsewhereKeepsItsHandle) {
  const CUDAStream inner = getStreamFromPool();
  const CUDAStream outer = getStreamFromExternal(inner.stream(), 0);
  EXPECT_EQ(outer.stream(), inner.stream());
  EXPECT_NE(outer.id(), inner.id());
}

TEST(CUDAStreamTest, QueryTellsWhetherAllIsDone) {
  const CUDAStream stream = getStreamFromPool();
  // Whoever asks lets the emulated GPU do one thing more.
  c10::Event earlier(c10::kCUDA);
  earlier.record(stream);
  c10::Event event(c10::kCUDA);
  event.record(stream);
  EXPECT_FALSE(stream.query());
  EXPECT_FALSE(event.query());
  stream.synchronize();
  EXPECT_TRUE(stream.query());
  EXPECT_TRUE(event.query());
}

TEST(CUDAGuardTest, MakesADeviceCurrentForAScope) {
  {
    const CUDAGuard guard(1);
    EXPECT_EQ(current_device(), 1);
    EXPECT_EQ(getCurrentCUDAStream().device_index(), 1);
  }
  EXPECT_EQ(current_device(), 0);
}

TEST(CUDAGuardTest, RefusesWhatIsNoGpu) {
  try {
    const CUDAGuard guard(c10::Device(c10::kCPU));
    FAIL() << "the CPU is no GPU";
  } catch (const c10::Error& error) {
    EXPECT_EQ(message(error), "Expected a CUDA device, but got cpu");
  }
  try {
    const CUDAGuard guard(9);
    FAIL() << "there is no such device";
  } catch (const c10::Error& error) {
    EXPECT_EQ(message(error),
              "CUDA error: invalid device ordinal: there is no device 9; devices are 0 to 1");
  }
  EXPECT_EQ(current_device(), 0);
}

TEST(CUDAExceptionTest, NamesTheCallThatFailed) {
  int no_memory_of_the_device = 0;
  try {
    C10_CUDA_CHECK(cudaFree(&no_memory_of_the_device));
    FAIL() << "the call fails";
  } catch (const c10::AcceleratorError& error) {
    EXPECT_EQ(
        message(error),
        "CUDA error: invalid argument (cudaErrorInvalidValue from cudaFree(&no_memory_of_the_device))");
  }
  EXPECT_EQ(cudaGetLastError(), cudaSuccess) << "it was reported and is gone";
}

}  // namespace
