#include <c10/cuda/CUDACachingAllocator.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>
#include <c10/util/Exception.h>
#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

namespace {

namespace allocator = c10::cuda::CUDACachingAllocator;

constexpr size_t kMiB = size_t{1} << 20;

// Read when the runtime is first called.
const int kSettings = setenv("EMULATED_CUDA_DEVICES", "2", /*overwrite=*/1) |
                      setenv("EMULATED_CUDA_MEMORY", "64", /*overwrite=*/1);

// Bytes that the current device has given out.
size_t used() {
  size_t free_bytes = 0;
  size_t total = 0;
  EXPECT_EQ(cudaMemGetInfo(&free_bytes, &total), cudaSuccess);
  return total - free_bytes;
}

// The host cannot touch the memory of a device.
void fill(c10::DataPtr& block, int value, size_t size) {
  EXPECT_EQ(cudaMemsetAsync(block.mutable_get(), value, size, nullptr), cudaSuccess);
}
char byte_at(const c10::DataPtr& block, size_t place) {
  char byte = 0;
  EXPECT_EQ(
      cudaMemcpy(&byte, static_cast<const char*>(block.get()) + place, 1, cudaMemcpyDeviceToHost),
      cudaSuccess);
  return byte;
}

void begin_capture(cudaStream_t stream) {
  EXPECT_EQ(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), cudaSuccess);
}
// Fails if somebody called what no graph can repeat.
void end_capture(cudaStream_t stream) {
  cudaGraph_t graph = nullptr;
  EXPECT_EQ(cudaStreamEndCapture(stream, &graph), cudaSuccess);
  EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
}

class CachingAllocatorTest : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    allocator::emptyCache();
    allocator::resetPeakStats(0);
    allocator::resetAccumulatedStats(0);
  }
  static c10::DataPtr allocate(size_t size) { return allocator::get()->allocate(size); }
  static allocator::DeviceStats stats() { return allocator::getDeviceStats(0); }
};

TEST_F(CachingAllocatorTest, MemoryGivenBackIsTheNextTensors) {
  const void* first = allocate(1000).get();
  const size_t before = used();
  EXPECT_EQ(allocate(1024).get(), first);
  EXPECT_EQ(used(), before);
}

TEST_F(CachingAllocatorTest, NeighboursDoNotOverlapAndBecomeOneAgain) {
  std::vector<c10::DataPtr> blocks;
  for (int i = 0; i < 8; ++i) {
    blocks.push_back(allocate(100 * 1000));
    fill(blocks.back(), i, 100 * 1000);
  }
  for (int i = 0; i < 8; ++i) {
    const c10::DataPtr& block = blocks[static_cast<size_t>(i)];
    EXPECT_EQ(byte_at(block, 0), i);
    EXPECT_EQ(byte_at(block, 100 * 1000 - 1), i);
  }
  EXPECT_EQ(stats().segment[0].current, 1);
  blocks.clear();
  allocator::emptyCache();
  EXPECT_EQ(used(), 0U);
}

TEST_F(CachingAllocatorTest, AnotherStreamHasMemoryOfItsOwn) {
  const void* of_default = allocate(1000).get();
  const c10::cuda::CUDAStreamGuard guard(c10::cuda::getStreamFromPool().unwrap());
  EXPECT_NE(allocate(1000).get(), of_default);
}

TEST_F(CachingAllocatorTest, ARecordedStreamKeepsMemoryUntilItHasPassed) {
  const c10::cuda::CUDAStream stream = c10::cuda::getStreamFromPool();
  c10::DataPtr block = allocate(1000);
  const void* data = block.get();
  allocator::recordStream(block, stream);
  block.clear();
  EXPECT_NE(allocate(1000).get(), data);
  EXPECT_EQ(stats().active[0].current, 1);
  stream.synchronize();
  // The block is whole again, so a request of the segment's size fits.
  EXPECT_EQ(allocate(1000).get(), data);
  EXPECT_EQ(stats().active[0].current, 0);
}

TEST_F(CachingAllocatorTest, CountsWhatIsUsedAndWhatIsKept) {
  {
    const c10::DataPtr small = allocate(1000);
    const c10::DataPtr large = allocate(12 * kMiB);
    EXPECT_EQ(stats().allocated_bytes[0].current, 1024 + 12 * kMiB);
    EXPECT_EQ(stats().requested_bytes[0].current, 1000 + 12 * kMiB);
    EXPECT_EQ(stats().reserved_bytes[0].current, static_cast<int64_t>(used()));
    EXPECT_EQ(stats().allocation[1].current, 1);
    EXPECT_EQ(stats().allocation[2].current, 1);
  }
  EXPECT_EQ(stats().allocated_bytes[0].current, 0);
  EXPECT_EQ(stats().allocated_bytes[0].peak, 1024 + 12 * kMiB);
  EXPECT_EQ(stats().reserved_bytes[0].current, static_cast<int64_t>(14 * kMiB));
  allocator::resetPeakStats(0);
  EXPECT_EQ(stats().allocated_bytes[0].peak, 0);
}

TEST_F(CachingAllocatorTest, TheCacheIsGivenBackBeforeARequestFails) {
  {
    const c10::DataPtr kept = allocate(40 * kMiB);
  }
  const c10::DataPtr block = allocate(60 * kMiB);
  EXPECT_TRUE(block);
  EXPECT_EQ(stats().num_alloc_retries, 1);
  EXPECT_EQ(stats().num_ooms, 0);
}

TEST_F(CachingAllocatorTest, OutOfMemoryStatesTheSizes) {
  const c10::DataPtr block = allocate(40 * kMiB);
  try {
    allocate(30 * kMiB);
    FAIL() << "there is no memory for it";
  } catch (const c10::OutOfMemoryError& error) {
    EXPECT_EQ(std::string(error.what_without_backtrace()),
              "CUDA out of memory. Tried to allocate 30.00 MiB. GPU 0 has a total capacity of "
              "64.00 MiB of which 24.00 MiB is free. Of the allocated memory 40.00 MiB is "
              "allocated by PyTorch, and 0 bytes is reserved by PyTorch but unallocated. Free "
              "tensors, or take smaller batches.");
  }
  EXPECT_EQ(stats().num_ooms, 1);
  EXPECT_TRUE(allocate(1000)) << "the allocator works on after a failure";
}

TEST_F(CachingAllocatorTest, NoBytesAreNoMemory) {
  EXPECT_EQ(allocate(0).get(), nullptr);
  EXPECT_EQ(allocate(0).device().str(), "cuda:0");
}

TEST_F(CachingAllocatorTest, ASizeThatOverflowedIsRefused) {
  EXPECT_THROW(allocate(static_cast<size_t>(-4)), c10::OutOfMemoryError);
}

TEST_F(CachingAllocatorTest, MemoryIsOfTheCurrentDevice) {
  const c10::cuda::CUDAGuard guard(1);
  const c10::DataPtr block = allocate(1000);
  EXPECT_EQ(block.device().index(), 1);
  EXPECT_EQ(allocator::getDeviceStats(1).allocation[0].current, 1);
  EXPECT_EQ(stats().allocation[0].current, 0);
}

TEST_F(CachingAllocatorTest, ThreadsShareIt) {
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 4; ++thread) {
    threads.emplace_back([thread] {
      for (int i = 0; i < 500; ++i) {
        const size_t size = static_cast<size_t>(1 + (i * 7919 + thread) % 200000);
        c10::DataPtr block = allocate(size);
        fill(block, thread, size);
        ASSERT_EQ(byte_at(block, size / 2), thread);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(stats().allocation[0].current, 0);
  EXPECT_EQ(stats().allocation[0].allocated, 2000);
}

TEST_F(CachingAllocatorTest, WhatACaptureTakesIsTheGraphsAlone) {
  allocator::emptyCache();
  const int64_t reserved = stats().reserved_bytes[0].current;
  const c10::cuda::CUDAStream stream = c10::cuda::getStreamFromPool();
  const c10::cuda::CUDAStreamGuard guard(stream.unwrap());
  const int64_t pool = allocator::beginAllocateToPool();
  begin_capture(stream);
  c10::DataPtr first = allocate(1000);
  const void* place = first.get();
  first.clear();
  EXPECT_EQ(allocate(1000).get(), place) << "within the graph memory is used again";
  end_capture(stream);
  allocator::endAllocateToPool(0, pool);

  EXPECT_NE(allocate(1000).get(), place) << "others do not get it";
  allocator::emptyCache();
  allocator::releasePool(0, pool);
  allocator::emptyCache();
  EXPECT_EQ(stats().reserved_bytes[0].current, reserved);
}

TEST_F(CachingAllocatorTest, AGraphsMemoryInUseIsFreedAfterTheGraph) {
  const c10::cuda::CUDAStream stream = c10::cuda::getStreamFromPool();
  const c10::cuda::CUDAStreamGuard guard(stream.unwrap());
  const int64_t pool = allocator::beginAllocateToPool();
  begin_capture(stream);
  c10::DataPtr block = allocate(30 * kMiB);
  end_capture(stream);
  allocator::endAllocateToPool(0, pool);
  allocator::releasePool(0, pool);
  const size_t before = used();
  block.clear();
  allocator::emptyCache();
  EXPECT_LE(used(), before - 30 * kMiB);
}

TEST(ThereIsNoDeviceTest, IsSaidWithTheDevicesThatThereAre) {
  try {
    allocator::getDeviceStats(7);
    FAIL() << "there is no such device";
  } catch (const c10::Error& error) {
    EXPECT_EQ(std::string(error.what_without_backtrace()),
              "there is no CUDA device 7; devices are 0 to 1");
  }
}

}  // namespace
