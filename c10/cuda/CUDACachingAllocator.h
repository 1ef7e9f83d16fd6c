#pragma once

#include <c10/core/Allocator.h>
#include <c10/cuda/CUDAStream.h>
#include <c10/macros/Macros.h>

#include <array>
#include <cstddef>
#include <cstdint>

/// Memory of GPUs. Asking the driver for memory waits for the GPU, so memory that a tensor gave
/// back is kept and given to the next one.
///
/// A block belongs to the stream that was current when it was allocated: memory given back may go
/// to the next tensor of that stream at once, since work on one stream runs in order. Whoever uses
/// it on another stream says so with recordStream; it is then kept until that stream has passed.
namespace c10::cuda::CUDACachingAllocator {

/// A quantity over time.
struct Stat {
  int64_t current = 0;
  int64_t peak = 0;
  /// Sum of all increases, and of all decreases.
  int64_t allocated = 0;
  int64_t freed = 0;

  void increase(int64_t amount) {
    current += amount;
    peak = current > peak ? current : peak;
    allocated += amount;
  }
  void decrease(int64_t amount) {
    current -= amount;
    freed += amount;
  }
  void reset_peak() { peak = current; }
  void reset_accumulated() { allocated = freed = 0; }
};

enum class StatType : uint8_t { AGGREGATE, SMALL_POOL, LARGE_POOL };
using StatArray = std::array<Stat, 3>;

/// What happened on one device; bytes unless it says otherwise.
struct DeviceStats {
  /// Blocks in use, their bytes, and the bytes that callers asked for.
  StatArray allocation;
  StatArray allocated_bytes;
  StatArray requested_bytes;
  /// Segments taken from the driver.
  StatArray segment;
  StatArray reserved_bytes;
  /// Blocks in use, or given back and waiting for another stream.
  StatArray active;
  StatArray active_bytes;
  /// Times that the cache was given back to the driver to satisfy a request.
  int64_t num_alloc_retries = 0;
  /// Times that there was not enough memory.
  int64_t num_ooms = 0;
};

/// The allocator of CUDA tensors: memory of the current device, for the current stream. Throws
/// OutOfMemoryError with the sizes when there is none.
C10_CUDA_API Allocator* get();
/// Gives the driver back what no tensor uses.
C10_CUDA_API void emptyCache();
/// `data` is used on `stream` too: it is not given to others before that stream has passed here.
C10_CUDA_API void recordStream(const DataPtr& data, CUDAStream stream);

/// A graph replays with the addresses of its capture, so what is allocated on streams that are
/// being captured comes from memory that is the graph's alone. `beginAllocateToPool` returns the
/// number of a new pool of the current device.
C10_CUDA_API int64_t beginAllocateToPool();
C10_CUDA_API void endAllocateToPool(DeviceIndex device, int64_t pool);
/// The graph is gone, and nothing of it runs: others may have its memory.
C10_CUDA_API void releasePool(DeviceIndex device, int64_t pool);

C10_CUDA_API DeviceStats getDeviceStats(DeviceIndex device);
C10_CUDA_API void resetAccumulatedStats(DeviceIndex device);
C10_CUDA_API void resetPeakStats(DeviceIndex device);

}  // namespace c10::cuda::CUDACachingAllocator
