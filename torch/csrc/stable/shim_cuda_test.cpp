// The part of the C interface that CUDA has, on emulated GPUs.

#define USE_CUDA
#include <c10/cuda/CUDAFunctions.h>
#include <c10/cuda/CUDAStream.h>
#include <cuda_runtime_api.h>
#include <gtest/gtest.h>
#include <torch/csrc/stable/accelerator.h>
#include <torch/csrc/stable/c/shim.h>
#include <torch/csrc/stable/macros.h>

#include <cstdint>
#include <cstdlib>
#include <set>
#include <stdexcept>
#include <string>

namespace at::native {
// cuBLAS's, which this test does not link.
void* gemm_library_handle() {
  static int handle = 0;
  return &handle;
}
}  // namespace at::native

namespace {

// Read when the runtime is first called.
const int kTwoDevices = setenv("EMULATED_CUDA_DEVICES", "2", /*overwrite=*/1);

void* current_stream(int32_t device = -1) {
  void* stream = nullptr;
  STABLE_TORCH_ERROR_CODE_CHECK(aoti_torch_get_current_cuda_stream(device, &stream));
  return stream;
}
void* pool_stream(bool high, int32_t device = -1) {
  void* stream = nullptr;
  STABLE_TORCH_ERROR_CODE_CHECK(torch_get_cuda_stream_from_pool(high, device, &stream));
  return stream;
}

template <typename F>
std::string message_of(const F& call) {
  try {
    call();
  } catch (const std::runtime_error& e) {
    return e.what();
  }
  return "(no error)";
}

TEST(ShimCudaTest, GuardsOfDevices) {
  CUDAGuardHandle guard = nullptr;
  STABLE_TORCH_ERROR_CODE_CHECK(aoti_torch_create_cuda_guard(1, &guard));
  EXPECT_EQ(c10::cuda::current_device(), 1);
  STABLE_TORCH_ERROR_CODE_CHECK(aoti_torch_cuda_guard_set_index(guard, 0));
  EXPECT_EQ(c10::cuda::current_device(), 0);
  STABLE_TORCH_ERROR_CODE_CHECK(aoti_torch_cuda_guard_set_index(guard, 1));
  STABLE_TORCH_ERROR_CODE_CHECK(aoti_torch_delete_cuda_guard(guard));
  EXPECT_EQ(c10::cuda::current_device(), 0);
  EXPECT_NE(aoti_torch_create_cuda_guard(7, &guard), TORCH_SUCCESS);
  EXPECT_NE(std::string(torch_exception_get_what()).find("7"), std::string::npos);
  EXPECT_NE(aoti_torch_create_cuda_guard(200, &guard), TORCH_SUCCESS);
}

TEST(ShimCudaTest, CurrentStreams) {
  EXPECT_EQ(current_stream(), nullptr);
  void* const stream = pool_stream(false);
  std::set<void*> streams{stream, pool_stream(false), pool_stream(true), pool_stream(true)};
  EXPECT_EQ(streams.size(), 4U);
  {
    CUDAStreamGuardHandle guard = nullptr;
    STABLE_TORCH_ERROR_CODE_CHECK(aoti_torch_create_cuda_stream_guard(stream, 0, &guard));
    EXPECT_EQ(current_stream(), stream);
    EXPECT_EQ(current_stream(1), nullptr);
    EXPECT_EQ(torch::stable::accelerator::getCurrentStream(0).nativeHandle(), stream);
    STABLE_TORCH_ERROR_CODE_CHECK(aoti_torch_delete_cuda_stream_guard(guard));
  }
  EXPECT_EQ(current_stream(), nullptr);
  void* const other = pool_stream(true, 1);
  STABLE_TORCH_ERROR_CODE_CHECK(torch_set_current_cuda_stream(other, 1));
  EXPECT_EQ(current_stream(1), other);
  EXPECT_EQ(current_stream(0), nullptr);
  STABLE_TORCH_ERROR_CODE_CHECK(torch_cuda_stream_synchronize(other, 1));
  STABLE_TORCH_ERROR_CODE_CHECK(torch_set_current_cuda_stream(nullptr, 1));
  EXPECT_EQ(current_stream(1), nullptr);
}

TEST(ShimCudaTest, MemoryOfTheAllocator) {
  void* memory = nullptr;
  STABLE_TORCH_ERROR_CODE_CHECK(aoti_torch_cuda_caching_allocator_raw_alloc(1000, &memory));
  ASSERT_NE(memory, nullptr);
  const int value = 5;
  EXPECT_EQ(cudaMemcpy(memory, &value, sizeof value, cudaMemcpyHostToDevice), cudaSuccess);
  STABLE_TORCH_ERROR_CODE_CHECK(aoti_torch_cuda_caching_allocator_raw_delete(memory));
  void* again = nullptr;
  STABLE_TORCH_ERROR_CODE_CHECK(aoti_torch_cuda_caching_allocator_raw_alloc(1000, &again));
  EXPECT_EQ(again, memory);
  STABLE_TORCH_ERROR_CODE_CHECK(aoti_torch_cuda_caching_allocator_raw_delete(again));
  EXPECT_EQ(message_of([&] {
              STABLE_TORCH_ERROR_CODE_CHECK(aoti_torch_cuda_caching_allocator_raw_delete(again));
            }).find("invalid device pointer: "),
            0U);
}

TEST(ShimCudaTest, ErrorsOfTheRuntime) {
  STD_CUDA_CHECK(cudaSuccess);
  EXPECT_EQ(cudaSetDevice(9), cudaErrorInvalidDevice);
  const std::string message = message_of([] { STD_CUDA_CHECK(cudaErrorInvalidDevice); });
  EXPECT_EQ(message.find("CUDA error: "), 0U) << message;
  EXPECT_NE(message.find("cudaErrorInvalidDevice from "), std::string::npos) << message;
  EXPECT_NE(message.find("shim_cuda_test.cpp:"), std::string::npos) << message;
  // It has been reported.
  STD_CUDA_KERNEL_LAUNCH_CHECK();
  char* text = nullptr;
  STABLE_TORCH_ERROR_CODE_CHECK(torch_c10_cuda_check_msg(0, "file", "function", 1, true, &text));
  EXPECT_EQ(text, nullptr);
}

TEST(ShimCudaTest, TheHandleOfCublas) {
  void* handle = nullptr;
  STABLE_TORCH_ERROR_CODE_CHECK(torch_get_current_cuda_blas_handle(&handle));
  EXPECT_EQ(handle, at::native::gemm_library_handle());
}

}  // namespace
