#pragma once

#include <cuda_runtime_api.h>

#include <mutex>

#include "tools/cuda_emulator/streams.h"

// What the functions of the emulated runtime share: the lock, errors, the queueing of work, what
// the GPU is.
namespace emulator {

// The properties of each GPU: those of an A100 or H100, except for the number of multiprocessors.
// Kernels that size their grid by it have to loop.
inline constexpr int kMultiprocessors = 4;
inline constexpr int kThreadsPerMultiprocessor = 2048;
inline constexpr int kThreadsPerBlock = 1024;
inline constexpr int kBlocksPerMultiprocessor = 32;
inline constexpr int kRegisters = 65536;
inline constexpr int kSharedPerBlock = 48 * 1024;
inline constexpr int kHighestPriority = -5;

// What differs between the capabilities that it may have.
struct Gpu {
  int major;
  int minor;
  int shared_per_block_optin;
  int shared_per_multiprocessor;
};
// By EMULATED_CUDA_CAPABILITY, 8.0 or 9.0; the former without it.
const Gpu& gpu();
// By EMULATED_CUDA_DEVICES, one without it; none where CUDA_VISIBLE_DEVICES is empty.
int device_count();
// The current device of this thread.
int current_device();

// One thing at a time. Work of a stream runs with it held.
std::recursive_mutex& lock_of_runtime();
using Lock = std::lock_guard<std::recursive_mutex>;

// The capture mode of this thread.
cudaStreamCaptureMode& capture_mode();

bool is_set(const char* variable);

// What cudaGetLastError tells next.
cudaError_t remember(cudaError_t error);
// A kernel failed: every later call fails, as on a GPU. EMULATED_CUDA_RECOVER=1 lets those after
// the next one pass.
void fail(cudaError_t error);
bool has_failed();
// The result of a call: its own error, or that of a kernel that failed before.
cudaError_t answer(cudaError_t error = cudaSuccess);
// The same for what destructors call: they have nobody to tell, and the next call fails too.
cudaError_t answer_of_free(bool found);

// Queues work; waits for it where CUDA_LAUNCH_BLOCKING=1 says so.
cudaError_t submit(cudaStream_t handle, Work work);

}  // namespace emulator
