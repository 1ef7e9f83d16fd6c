#pragma once

// What every launch needs: sizes that a GPU takes, memory for a while, and operands in one place.

#include <ATen/core/TensorBase.h>
#include <c10/core/Allocator.h>
#include <c10/cuda/CUDACachingAllocator.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAFunctions.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>
#include <c10/macros/Macros.h>
#include <c10/util/Exception.h>

#include <cstddef>
#include <cstdint>
#include <initializer_list>

namespace at::native {

// The greatest x and y of a grid: CUDA C++ Programming Guide, table of technical specifications.
constexpr int64_t kMaxGridX = INT32_MAX;
constexpr int64_t kMaxGridY = 65535;

C10_HOST_DEVICE constexpr int64_t ceil_div(int64_t a, int64_t b) { return (a + b - 1) / b; }

// The x of a grid. Throws for one that no GPU takes.
inline unsigned grid_size(int64_t blocks) {
  TORCH_CHECK(blocks > 0 && blocks <= kMaxGridX, "this operator would start ", blocks,
              " blocks of threads, and a GPU takes from 1 to ", kMaxGridX,
              ": split the tensor into smaller ones");
  return static_cast<unsigned>(blocks);
}

// Blocks for a loop over `count` elements in steps of the grid: enough to fill the GPU.
inline unsigned loop_grid_size(int64_t count, int threads) {
  constexpr int kWaves = 4;
  int processors = 0;
  int resident = 0;
  const int device = c10::cuda::current_device();
  C10_CUDA_CHECK(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device));
  C10_CUDA_CHECK(cudaDeviceGetAttribute(&resident, cudaDevAttrMaxThreadsPerMultiProcessor, device));
  const int64_t most = int64_t{processors} * (resident / threads) * kWaves;
  const int64_t blocks = ceil_div(count, threads);
  return static_cast<unsigned>(blocks < 1 ? 1 : blocks < most ? blocks : most);
}

// Number of multiprocessors of the current device.
inline int multiprocessor_count() {
  int result = 0;
  C10_CUDA_CHECK(
      cudaDeviceGetAttribute(&result, cudaDevAttrMultiProcessorCount, c10::cuda::current_device()));
  return result;
}

// Memory of the current device for the kernels that follow on the current stream.
class Workspace {
 public:
  explicit Workspace(size_t bytes)
      : data_(c10::cuda::CUDACachingAllocator::get()->allocate(bytes)) {}
  template <typename T>
  T* get() {
    return static_cast<T*>(data_.mutable_get());
  }

 private:
  c10::DataPtr data_;
};

// Throws unless all tensors are on the GPU of the first.
inline void check_same_gpu(const char* name, std::initializer_list<const TensorBase*> tensors) {
  const c10::Device device = (*tensors.begin())->device();
  for (const TensorBase* t : tensors) {
    TORCH_CHECK(t->device().is_cuda() && t->device() == device, name,
                ": expected all tensors to be on the same device, but found at least two devices, ",
                device, " and ", t->device(), "!");
  }
}

// kSize elements that are read and written together.
template <typename T, int kSize>
struct alignas(sizeof(T) * kSize) Pack {
  T at[kSize];
};

constexpr int kPackBytes = 16;

// Elements of T in sixteen bytes.
template <typename T>
constexpr int kPack = sizeof(T) >= kPackBytes ? 1 : kPackBytes / static_cast<int>(sizeof(T));

template <typename T>
bool is_packable(const T* p) {
  return reinterpret_cast<uintptr_t>(p) % (sizeof(T) * kPack<T>) == 0;
}

}  // namespace at::native
