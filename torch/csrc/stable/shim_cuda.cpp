// The part of the C interface that libtorch_cuda has: streams, devices, memory and errors of CUDA.

#define USE_CUDA
#include <ATen/native/cuda/Gemm.h>
#include <c10/core/Allocator.h>
#include <c10/core/Device.h>
#include <c10/cuda/CUDACachingAllocator.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>
#include <c10/util/Exception.h>
#include <c10/util/StringUtil.h>
#include <cuda_runtime_api.h>
#include <torch/csrc/inductor/aoti_torch/c/shim.h>
#include <torch/csrc/inductor/aoti_torch/utils.h>
#include <torch/csrc/stable/c/shim.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <string>
#include <unordered_map>
#include <utility>

using torch::aot_inductor::convert_exception_to_error_code;

namespace {

c10::DeviceIndex index_of(int32_t index) {
  return torch::aot_inductor::device_of(static_cast<int64_t>(c10::DeviceType::CUDA), index).index();
}

// The stream of a handle. What getStreamFromExternal makes of the null handle is the default one.
c10::cuda::CUDAStream stream_of(void* stream, int32_t device_index) {
  return c10::cuda::getStreamFromExternal(static_cast<cudaStream_t>(stream),
                                          index_of(device_index));
}

// Memory that extensions have by its address. It lives as long as the process, as the allocator.
struct RawBlocks {
  std::mutex mutex;
  std::unordered_map<void*, c10::DataPtr> blocks;
};
RawBlocks& raw_blocks() {
  static auto* const all = new RawBlocks();
  return *all;
}

}  // namespace

AOTITorchError aoti_torch_create_cuda_guard(int32_t device_index, CUDAGuardHandle* ret_guard) {
  return convert_exception_to_error_code([&] {
    *ret_guard =
        reinterpret_cast<CUDAGuardHandle>(new c10::cuda::CUDAGuard(index_of(device_index)));
  });
}
AOTITorchError aoti_torch_delete_cuda_guard(CUDAGuardHandle guard) {
  return convert_exception_to_error_code(
      [&] { delete reinterpret_cast<c10::cuda::CUDAGuard*>(guard); });
}
AOTITorchError aoti_torch_cuda_guard_set_index(CUDAGuardHandle guard, int32_t device_index) {
  return convert_exception_to_error_code(
      [&] { reinterpret_cast<c10::cuda::CUDAGuard*>(guard)->set_index(index_of(device_index)); });
}

AOTITorchError aoti_torch_create_cuda_stream_guard(void* stream, int32_t device_index,
                                                   CUDAStreamGuardHandle* ret_guard) {
  return convert_exception_to_error_code([&] {
    *ret_guard = reinterpret_cast<CUDAStreamGuardHandle>(
        new c10::cuda::CUDAStreamGuard(stream_of(stream, device_index)));
  });
}
AOTITorchError aoti_torch_delete_cuda_stream_guard(CUDAStreamGuardHandle guard) {
  return convert_exception_to_error_code(
      [&] { delete reinterpret_cast<c10::cuda::CUDAStreamGuard*>(guard); });
}
AOTITorchError aoti_torch_get_current_cuda_stream(int32_t device_index, void** ret_stream) {
  return convert_exception_to_error_code(
      [&] { *ret_stream = c10::cuda::getCurrentCUDAStream(index_of(device_index)).stream(); });
}

AOTITorchError torch_set_current_cuda_stream(void* stream, int32_t device_index) {
  return convert_exception_to_error_code(
      [&] { c10::cuda::setCurrentCUDAStream(stream_of(stream, device_index)); });
}
AOTITorchError torch_get_cuda_stream_from_pool(bool isHighPriority, int32_t device_index,
                                               void** ret_stream) {
  return convert_exception_to_error_code([&] {
    *ret_stream = c10::cuda::getStreamFromPool(isHighPriority, index_of(device_index)).stream();
  });
}
AOTITorchError torch_cuda_stream_synchronize(void* stream, int32_t device_index) {
  return convert_exception_to_error_code([&] { stream_of(stream, device_index).synchronize(); });
}

AOTITorchError aoti_torch_cuda_caching_allocator_raw_alloc(uint64_t nbytes, void** ret_ptr) {
  return convert_exception_to_error_code([&] {
    c10::DataPtr block = c10::cuda::CUDACachingAllocator::get()->allocate(nbytes);
    *ret_ptr = block.mutable_get();
    RawBlocks& all = raw_blocks();
    const std::lock_guard lock(all.mutex);
    if (*ret_ptr != nullptr) all.blocks.emplace(*ret_ptr, std::move(block));
  });
}
AOTITorchError aoti_torch_cuda_caching_allocator_raw_delete(void* ptr) {
  return convert_exception_to_error_code([&] {
    if (ptr == nullptr) return;
    RawBlocks& all = raw_blocks();
    const std::lock_guard lock(all.mutex);
    TORCH_CHECK(all.blocks.erase(ptr) == 1, "invalid device pointer: ", ptr);
  });
}

AOTITorchError torch_get_current_cuda_blas_handle(void** ret_handle) {
  return convert_exception_to_error_code([&] { *ret_handle = at::native::gemm_library_handle(); });
}

AOTITorchError torch_c10_cuda_check_msg(int32_t err, const char* filename,
                                        const char* function_name, uint32_t line_number, bool,
                                        char** error_msg) {
  return convert_exception_to_error_code([&] {
    *error_msg = nullptr;
    const auto error = static_cast<cudaError_t>(err);
    if (error == cudaSuccess) return;
    try {
      const std::string place = c10::str(filename, ":", line_number);
      c10::cuda::throw_cuda_error(error, place.c_str(), function_name, filename,
                                  static_cast<int>(line_number));
    } catch (const c10::Error& e) {
      *error_msg = strdup(e.what_without_backtrace());
    }
  });
}
void torch_c10_cuda_free_error_msg(char* error_msg) { free(error_msg); }
