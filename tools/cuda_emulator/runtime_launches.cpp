// Part of the emulated CUDA runtime; the semantics are those of NVIDIA's "CUDA Runtime API"
// reference.

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <utility>
#include <vector>

#include "tools/cuda_emulator/device_code.h"
#include "tools/cuda_emulator/device_memory.h"
#include "tools/cuda_emulator/ptx.h"
#include "tools/cuda_emulator/runtime.h"

namespace emulator {
namespace {

cudaError_t error_of(Error::Kind kind) {
  switch (kind) {
    case Error::Kind::kAssert:
      return cudaErrorAssert;
    case Error::Kind::kAddress:
      return cudaErrorIllegalAddress;
    case Error::Kind::kMisaligned:
      return cudaErrorMisalignedAddress;
    case Error::Kind::kLaunch:
      return cudaErrorInvalidConfiguration;
    case Error::Kind::kDeadlock:
      return cudaErrorLaunchTimeout;
    case Error::Kind::kSyntax:
      return cudaErrorInvalidPtx;
    default:
      return cudaErrorLaunchFailure;
  }
}

// Where the kernel runs that runs now; work is done with the runtime's lock held.
int running_device = 0;

bool find_allocation(std::uintptr_t address, Allocation* found) {
  Extent extent{};
  if (!find_extent(address, running_device, &extent)) return false;
  *found = {extent.begin, extent.end, /*writable=*/true};
  return true;
}

// A kernel and all that it was called with, for now or for every replay.
class Call {
 public:
  Call(const Kernel* kernel, const Launch& launch, int device)
      : kernel_(kernel), launch_(launch), device_(device) {
    set_find_allocation(&find_allocation);
    for (std::size_t i = 0; i < kernel->parameters.size(); ++i) {
      const auto* bytes = static_cast<const char*>(launch.arguments[i]);
      arguments_.emplace_back(bytes, bytes + kernel->parameters[i].bytes);
    }
  }

  void operator()() {
    if (has_failed()) return;
    std::vector<void*> pointers;
    pointers.reserve(arguments_.size());
    for (auto& argument : arguments_) pointers.push_back(argument.data());
    launch_.arguments = pointers.data();
    try {
      const DeviceAccess access;
      running_device = device_;
      run(*kernel_, launch_);
    } catch (const Error& error) {
      std::fprintf(stderr, "%s\n", error.what());
      fail(error_of(error.kind()));
    }
  }

 private:
  const Kernel* kernel_;
  Launch launch_;
  int device_;
  std::vector<std::vector<char>> arguments_;
};

// Reads the code of a kernel that is to be used.
cudaError_t prepare(HostKernel* kernel) {
  if (kernel == nullptr) return cudaErrorInvalidDeviceFunction;
  try {
    return load(kernel) ? cudaSuccess : cudaErrorNoKernelImageForDevice;
  } catch (const Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return cudaErrorInvalidPtx;
  }
}

cudaError_t launch(HostKernel* kernel, dim3 grid, dim3 block, void** arguments, std::size_t shared,
                   cudaStream_t stream) {
  if (const cudaError_t error = prepare(kernel)) return answer(error);
  if (stream_of(stream)->device != current_device()) return answer(cudaErrorInvalidResourceHandle);
  const Kernel& code = *kernel->kernel;
  const auto threads = std::size_t{block.x} * block.y * block.z;
  if (grid.x == 0 || grid.y == 0 || grid.z == 0 || threads == 0 || grid.x > 0x7fffffff ||
      grid.y > 0xffff || grid.z > 0xffff || block.x > 1024 || block.y > 1024 || block.z > 64 ||
      threads > kThreadsPerBlock) {
    return answer(cudaErrorInvalidConfiguration);
  }
  // The GPU hands out registers to warps, in eights for each thread.
  const auto registers =
      static_cast<std::size_t>((kernel->registers + 7) / 8 * 8) * ((threads + 31) / 32 * 32);
  if (threads > static_cast<std::size_t>(code.max_threads) || registers > kRegisters) {
    std::fprintf(stderr, "%s: %zu threads of %d registers in a block, at most %d threads\n",
                 kernel->name.c_str(), threads, kernel->registers, code.max_threads);
    return answer(cudaErrorLaunchOutOfResources);
  }
  if (shared > kernel->dynamic_shared_limit ||
      shared + code.shared_bytes > static_cast<std::size_t>(gpu().shared_per_block_optin) ||
      (kernel->dynamic_shared_limit <= kSharedPerBlock &&
       shared + code.shared_bytes > kSharedPerBlock)) {
    return answer(cudaErrorInvalidValue);
  }
  // Each launch of a program, for those who ask which kernel it chose.
  static const bool told = is_set("EMULATED_CUDA_TRACE");
  if (told) std::fprintf(stderr, "launch: %s\n", kernel->name.c_str());
  Launch how;
  how.grid = {grid.x, grid.y, grid.z};
  how.block = {block.x, block.y, block.z};
  how.dynamic_shared_bytes = shared;
  how.arguments = arguments;
  return submit(stream, Call(&code, how, current_device()));
}

// The launch that a `<<<...>>>` describes, until the kernel's stub takes it.
struct Configuration {
  dim3 grid;
  dim3 block;
  std::size_t shared;
  cudaStream_t stream;
};
thread_local std::vector<Configuration> configurations;

}  // namespace
}  // namespace emulator

// The library that holds these functions hands them on to those that it links with.
#pragma GCC visibility push(default)

extern "C" {

using namespace emulator;  // NOLINT: these functions are the namespace's face

// Registration, before main().

void** __cudaRegisterFatBinary(void* wrapper) {
  const Lock lock(lock_of_runtime());
  return reinterpret_cast<void**>(add_binary(wrapper));
}
void __cudaRegisterFatBinaryEnd(void**) {}
void __cudaUnregisterFatBinary(void**) {}
void __cudaRegisterFunction(void** binary, const char* host_function, char*, const char* name, int,
                            uint3*, uint3*, dim3*, dim3*, int*) {
  const Lock lock(lock_of_runtime());
  add_kernel(reinterpret_cast<FatBinary*>(binary), host_function, name);
}
// No function that the tree calls names a variable.
void __cudaRegisterVar(void**, char*, char*, const char*, int, std::size_t, int, int) {}

unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, std::size_t shared,
                                     CUstream_st* stream) {
  configurations.push_back({grid, block, shared, stream});
  return 0;
}
cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, std::size_t* shared, void* stream) {
  if (configurations.empty()) return answer(cudaErrorInvalidConfiguration);
  const Configuration& last = configurations.back();
  *grid = last.grid;
  *block = last.block;
  *shared = last.shared;
  *static_cast<cudaStream_t*>(stream) = last.stream;
  configurations.pop_back();
  return cudaSuccess;
}
cudaError_t __cudaGetKernel(cudaKernel_t* kernel, const void* function) {
  const Lock lock(lock_of_runtime());
  *kernel = reinterpret_cast<cudaKernel_t>(kernel_of(function));
  return *kernel == nullptr ? cudaErrorInvalidDeviceFunction : cudaSuccess;
}
cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void** arguments,
                               std::size_t shared, cudaStream_t stream) {
  const Lock lock(lock_of_runtime());
  return launch(reinterpret_cast<HostKernel*>(kernel), grid, block, arguments, shared, stream);
}
cudaError_t cudaLaunchKernel(const void* function, dim3 grid, dim3 block, void** arguments,
                             std::size_t shared, cudaStream_t stream) {
  const Lock lock(lock_of_runtime());
  return launch(kernel_of(function), grid, block, arguments, shared, stream);
}
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* how, const void* function,
                                void** arguments) {
  const Lock lock(lock_of_runtime());
  return launch(kernel_of(function), how->gridDim, how->blockDim, arguments, how->dynamicSmemBytes,
                how->stream);
}

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void* function) {
  const Lock lock(lock_of_runtime());
  HostKernel* kernel = kernel_of(function);
  if (const cudaError_t error = prepare(kernel)) return answer(error);
  *attributes = {};
  attributes->sharedSizeBytes = kernel->kernel->shared_bytes;
  attributes->constSizeBytes = kernel->kernel->constant_bytes;
  attributes->localSizeBytes = kernel->kernel->local_bytes;
  attributes->maxThreadsPerBlock = kernel->kernel->max_threads;
  attributes->numRegs = kernel->registers;
  attributes->ptxVersion = attributes->binaryVersion = 10 * gpu().major + gpu().minor;
  attributes->maxDynamicSharedSizeBytes = static_cast<int>(kernel->dynamic_shared_limit);
  return answer();
}
cudaError_t cudaFuncSetAttribute(const void* function, cudaFuncAttribute attribute, int value) {
  const Lock lock(lock_of_runtime());
  HostKernel* kernel = kernel_of(function);
  if (const cudaError_t error = prepare(kernel)) return answer(error);
  if (attribute != cudaFuncAttributeMaxDynamicSharedMemorySize) return answer();
  if (value < 0 || static_cast<std::size_t>(value) + kernel->kernel->shared_bytes >
                       static_cast<std::size_t>(gpu().shared_per_block_optin)) {
    return answer(cudaErrorInvalidValue);
  }
  kernel->dynamic_shared_limit = static_cast<std::size_t>(value);
  return answer();
}
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks,
                                                                   const void* function,
                                                                   int threads, std::size_t shared,
                                                                   unsigned) {
  const Lock lock(lock_of_runtime());
  HostKernel* kernel = kernel_of(function);
  if (const cudaError_t error = prepare(kernel)) return answer(error);
  if (threads <= 0) return answer(cudaErrorInvalidValue);
  *blocks = std::min(kBlocksPerMultiprocessor, kThreadsPerMultiprocessor / threads);
  if (kernel->registers > 0)
    *blocks = std::min(*blocks, kRegisters / (kernel->registers * threads));
  const std::size_t bytes = shared + kernel->kernel->shared_bytes;
  if (bytes > 0)
    *blocks = std::min(*blocks, static_cast<int>(gpu().shared_per_multiprocessor / bytes));
  return answer();
}

}  // extern "C"

#pragma GCC visibility pop
