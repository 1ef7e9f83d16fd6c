// What the emulated GPU is stricter about than a lucky run on a real one.

#include <cuda.h>
#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <vector>

namespace {

constexpr std::size_t kBytes = 1024;

// Read when the number is first asked for.
const int kTwoDevices = setenv("EMULATED_CUDA_DEVICES", "2", /*overwrite=*/1);

// Makes a device current for a scope.
struct Current {
  explicit Current(int device) { EXPECT_EQ(cudaSetDevice(device), cudaSuccess); }
  ~Current() { cudaSetDevice(0); }
};

// Pinned memory, which a GPU reads and writes in its own time.
struct Pinned {
  Pinned() { EXPECT_EQ(cudaHostAlloc(reinterpret_cast<void**>(&data), kBytes, 0), cudaSuccess); }
  ~Pinned() { cudaFreeHost(data); }
  char* data = nullptr;
};

struct Device {
  explicit Device(int value = 0) {
    EXPECT_EQ(cudaMalloc(reinterpret_cast<void**>(&data), kBytes), cudaSuccess);
    EXPECT_EQ(cudaMemsetAsync(data, value, kBytes, nullptr), cudaSuccess);
    EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  }
  ~Device() { cudaFree(data); }
  char* data = nullptr;
};

cudaStream_t new_stream() {
  cudaStream_t stream = nullptr;
  EXPECT_EQ(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, 0), cudaSuccess);
  return stream;
}

cudaEvent_t new_event() {
  cudaEvent_t event = nullptr;
  EXPECT_EQ(cudaEventCreateWithFlags(&event, cudaEventDefault), cudaSuccess);
  return event;
}

char first_byte(const Device& device) {
  std::vector<char> copy(kBytes);
  EXPECT_EQ(cudaMemcpy(copy.data(), device.data, kBytes, cudaMemcpyDeviceToHost), cudaSuccess);
  return copy[0];
}

std::size_t used() {
  std::size_t free_bytes = 0;
  std::size_t total = 0;
  EXPECT_EQ(cudaMemGetInfo(&free_bytes, &total), cudaSuccess);
  return total - free_bytes;
}

TEST(Devices, AreAsManyAsTheSettingSays) {
  int count = 0;
  EXPECT_EQ(cudaGetDeviceCount(&count), cudaSuccess);
  EXPECT_EQ(count, 2);
  EXPECT_EQ(cudaSetDevice(2), cudaErrorInvalidDevice);
  int can = 1;
  EXPECT_EQ(cudaDeviceCanAccessPeer(&can, 0, 1), cudaSuccess);
  EXPECT_EQ(can, 0);
  EXPECT_EQ(cudaDeviceCanAccessPeer(&can, 0, 0), cudaErrorInvalidDevice);
}

TEST(Devices, HaveMemoryOfTheirOwn) {
  const std::size_t before = used();
  const Current second(1);
  const std::size_t empty = used();
  const Device device;
  EXPECT_EQ(used(), empty + kBytes);
  cudaPointerAttributes attributes{};
  EXPECT_EQ(cudaPointerGetAttributes(&attributes, device.data), cudaSuccess);
  EXPECT_EQ(attributes.device, 1);
  const Current first(0);
  EXPECT_EQ(used(), before);
}

TEST(Devices, WaitForTheirOwnWorkAlone) {
  const Pinned pinned;
  const Device device;
  std::memset(pinned.data, 1, kBytes);
  cudaStream_t stream = new_stream();
  ASSERT_EQ(cudaMemcpyAsync(device.data, pinned.data, kBytes, cudaMemcpyHostToDevice, stream),
            cudaSuccess);
  {
    const Current second(1);
    ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  }
  std::memset(pinned.data, 2, kBytes);  // the copy has not begun
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(first_byte(device), 2);
}

TEST(Devices, RefuseAnEventOfAnother) {
  cudaEvent_t event = new_event();
  const Current second(1);
  EXPECT_EQ(cudaEventRecord(event, new_stream()), cudaErrorInvalidResourceHandle);
}

TEST(Devices, AreNoneForADriverThatIsTooOld) {
  setenv("EMULATED_CUDA_DRIVER", "11.4", /*overwrite=*/1);
  int version = 0;
  EXPECT_EQ(cudaDriverGetVersion(&version), cudaSuccess);
  EXPECT_EQ(version, 11040);
  int count = 1;
  EXPECT_EQ(cudaGetDeviceCount(&count), cudaErrorInsufficientDriver);
  EXPECT_EQ(count, 0);
  unsetenv("EMULATED_CUDA_DRIVER");
  EXPECT_EQ(cudaGetDeviceCount(&count), cudaSuccess);
}

TEST(Memory, TheHostCannotReadIt) {
  const Device device;
  EXPECT_DEATH(std::memset(device.data, 0, 1), "");
}

TEST(Memory, FreshBytesAreNoNumbers) {
  char* data = nullptr;
  ASSERT_EQ(cudaMalloc(reinterpret_cast<void**>(&data), kBytes), cudaSuccess);
  float value = 0;
  ASSERT_EQ(cudaMemcpy(&value, data, sizeof value, cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_NE(value, value);
  EXPECT_EQ(cudaFree(data), cudaSuccess);
  char* other = nullptr;
  ASSERT_EQ(cudaMalloc(reinterpret_cast<void**>(&other), kBytes), cudaSuccess);
  EXPECT_NE(data, other) << "a pointer to freed memory is never valid again";
  EXPECT_EQ(cudaMemcpy(&value, data, sizeof value, cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
  cudaFree(other);
}

TEST(Memory, ACopyPastTheEndIsRefused) {
  const Device device;
  std::vector<char> host(2 * kBytes);
  EXPECT_EQ(cudaMemcpy(host.data(), device.data + 1, kBytes, cudaMemcpyDeviceToHost),
            cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy(host.data(), device.data, kBytes, cudaMemcpyHostToDevice),
            cudaErrorInvalidValue);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidValue);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
}

TEST(Memory, ThereIsNoMoreThanItHas) {
  std::size_t free_bytes = 0;
  std::size_t total = 0;
  ASSERT_EQ(cudaMemGetInfo(&free_bytes, &total), cudaSuccess);
  void* data = nullptr;
  EXPECT_EQ(cudaMalloc(&data, free_bytes + 1), cudaErrorMemoryAllocation);
  EXPECT_EQ(data, nullptr);
}

TEST(Streams, PinnedMemoryIsReadAsLateAsMayBe) {
  const Pinned pinned;
  const Device device;
  cudaStream_t stream = new_stream();
  std::memset(pinned.data, 1, kBytes);
  ASSERT_EQ(cudaMemcpyAsync(device.data, pinned.data, kBytes, cudaMemcpyHostToDevice, stream),
            cudaSuccess);
  EXPECT_EQ(cudaStreamQuery(stream), cudaErrorNotReady);
  std::vector<char> pageable(kBytes, 2);
  ASSERT_EQ(cudaMemcpyAsync(device.data, pageable.data(), kBytes, cudaMemcpyHostToDevice, stream),
            cudaSuccess);
  pageable[0] = 9;  // was read already
  ASSERT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  EXPECT_EQ(first_byte(device), 2);
  ASSERT_EQ(cudaMemcpyAsync(device.data, pinned.data, kBytes, cudaMemcpyHostToDevice, stream),
            cudaSuccess);
  pinned.data[0] = 7;  // was not
  ASSERT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  EXPECT_EQ(first_byte(device), 7);
}

TEST(Streams, WhatNobodyWaitsForHasNotHappened) {
  const Device device(1);
  const Pinned pinned;
  cudaStream_t writer = new_stream();
  cudaStream_t reader = new_stream();
  cudaEvent_t written = new_event();
  ASSERT_EQ(cudaMemsetAsync(device.data, 5, kBytes, writer), cudaSuccess);
  ASSERT_EQ(cudaEventRecord(written, writer), cudaSuccess);
  const auto read = [&] {
    EXPECT_EQ(cudaMemcpyAsync(pinned.data, device.data, kBytes, cudaMemcpyDeviceToHost, reader),
              cudaSuccess);
    EXPECT_EQ(cudaStreamSynchronize(reader), cudaSuccess);
    return pinned.data[0];
  };
  EXPECT_EQ(read(), 1);
  ASSERT_EQ(cudaStreamWaitEvent(reader, written, 0), cudaSuccess);
  EXPECT_EQ(read(), 5);
  EXPECT_EQ(cudaEventQuery(written), cudaSuccess);
}

TEST(Graphs, ReplayWhatWasCaptured) {
  const Device device(1);
  cudaStream_t stream = new_stream();
  cudaStream_t side = new_stream();
  cudaEvent_t fork = new_event();
  cudaEvent_t join = new_event();
  ASSERT_EQ(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), cudaSuccess);
  ASSERT_EQ(cudaEventRecord(fork, stream), cudaSuccess);
  ASSERT_EQ(cudaStreamWaitEvent(side, fork, 0), cudaSuccess);
  ASSERT_EQ(cudaMemsetAsync(device.data, 3, kBytes, side), cudaSuccess);
  ASSERT_EQ(cudaEventRecord(join, side), cudaSuccess);
  ASSERT_EQ(cudaStreamWaitEvent(stream, join, 0), cudaSuccess);
  cudaGraph_t graph = nullptr;
  ASSERT_EQ(cudaStreamEndCapture(stream, &graph), cudaSuccess);
  EXPECT_EQ(first_byte(device), 1) << "a capture runs nothing";
  cudaGraphExec_t executable = nullptr;
  ASSERT_EQ(cudaGraphInstantiate(&executable, graph, 0), cudaSuccess);
  ASSERT_EQ(cudaGraphLaunch(executable, stream), cudaSuccess);
  ASSERT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  EXPECT_EQ(first_byte(device), 3);
}

TEST(Graphs, WorkThatIsNotJoinedSpoilsThem) {
  const Device device;
  cudaStream_t stream = new_stream();
  cudaStream_t side = new_stream();
  cudaEvent_t fork = new_event();
  ASSERT_EQ(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), cudaSuccess);
  ASSERT_EQ(cudaEventRecord(fork, stream), cudaSuccess);
  ASSERT_EQ(cudaStreamWaitEvent(side, fork, 0), cudaSuccess);
  ASSERT_EQ(cudaMemsetAsync(device.data, 3, kBytes, side), cudaSuccess);
  cudaGraph_t graph = nullptr;
  EXPECT_EQ(cudaStreamEndCapture(stream, &graph), cudaErrorStreamCaptureUnjoined);
  EXPECT_EQ(graph, nullptr);
}

TEST(Graphs, CallsThatCannotBeRepeatedSpoilThem) {
  cudaStream_t stream = new_stream();
  const auto spoiled_by = [&](auto&& call) {
    EXPECT_EQ(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), cudaSuccess);
    EXPECT_EQ(call(), cudaErrorStreamCaptureUnsupported);
    cudaGraph_t graph = nullptr;
    return cudaStreamEndCapture(stream, &graph) == cudaErrorStreamCaptureInvalidated;
  };
  EXPECT_TRUE(spoiled_by([&] { return cudaStreamSynchronize(stream); }));
  EXPECT_TRUE(spoiled_by([] { return cudaDeviceSynchronize(); }));
  EXPECT_TRUE(spoiled_by([] {
    void* data = nullptr;
    return cudaMalloc(&data, kBytes);
  }));
  cudaStreamCaptureMode relaxed = cudaStreamCaptureModeRelaxed;
  ASSERT_EQ(cudaThreadExchangeStreamCaptureMode(&relaxed), cudaSuccess);
  ASSERT_EQ(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), cudaSuccess);
  void* allowed = nullptr;
  EXPECT_EQ(cudaMalloc(&allowed, kBytes), cudaSuccess);
  ASSERT_EQ(cudaThreadExchangeStreamCaptureMode(&relaxed), cudaSuccess);
  cudaGraph_t graph = nullptr;
  EXPECT_EQ(cudaStreamEndCapture(stream, &graph), cudaSuccess);
}

TEST(Driver, RefusesMapsThatNoEngineReads) {
  void* function = nullptr;
  cudaDriverEntryPointQueryResult found{};
  ASSERT_EQ(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &function, 12000,
                                             cudaEnableDefault, &found),
            cudaSuccess);
  ASSERT_EQ(found, cudaDriverEntryPointSuccess);
  const auto encode = reinterpret_cast<decltype(&cuTensorMapEncodeTiled)>(function);
  const auto described = [&](std::uintptr_t address, cuuint64_t extent, cuuint64_t stride,
                             cuuint32_t rows) {
    CUtensorMap map;
    const cuuint64_t extents[4] = {64, extent, 1, 1};
    const cuuint64_t strides[3] = {stride, 4096, 4096};
    const cuuint32_t box[4] = {64, rows, 1, 1};
    const cuuint32_t each[4] = {1, 1, 1, 1};
    return encode(&map, CU_TENSOR_MAP_DATA_TYPE_UINT16, 4, reinterpret_cast<void*>(address),
                  extents, strides, box, each, CU_TENSOR_MAP_INTERLEAVE_NONE,
                  CU_TENSOR_MAP_SWIZZLE_128B, CU_TENSOR_MAP_L2_PROMOTION_NONE,
                  CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) == CUDA_SUCCESS;
  };
  EXPECT_TRUE(described(4096, 10, 128, 128));
  EXPECT_FALSE(described(4104, 10, 128, 128));
  EXPECT_FALSE(described(4096, 0, 128, 128));
  EXPECT_FALSE(described(4096, 10, 136, 128));
  EXPECT_FALSE(described(4096, 10, 0, 128));
  EXPECT_FALSE(described(4096, 10, 128, 257));
  ASSERT_EQ(
      cudaGetDriverEntryPointByVersion("cuNothing", &function, 12000, cudaEnableDefault, &found),
      cudaSuccess);
  EXPECT_EQ(found, cudaDriverEntryPointSymbolNotFound);
}

}  // namespace
