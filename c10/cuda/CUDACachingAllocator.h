#pragma once

#include <c10/core/Allocator.h>
#include <c10/cuda/CUDAStream.h>
#include <c10/macros/Macros.h>

#include <array>
#include <cstddef>
#include <cstdint>

/// Memory of GPUs. To ask the driver for memory takes long, and to return it waits for the GPU.
/// Therefore this allocator keeps the memory of freed tensors and gives it to later ones.
///
/// A block belongs to the stream that was current at its allocation. After it is freed, a tensor of
/// the same stream may get it at once: work on one stream runs in order. Code that uses the block
/// on another stream calls `recordStream` before it frees the block:
///
///   const c10::DataPtr block = CUDACachingAllocator::get()->allocate(bytes);
///   use_on<<<1, 32, 0, side>>>(block.get());
///   CUDACachingAllocator::recordStream(block, side);
///
/// Requests are rounded up to 512 bytes. Requests up to 1 MiB share segments of 2 MiB, those below
/// 10 MiB segments of 20 MiB; larger ones have segments of their own. All functions may be called
/// from several threads. They throw c10::AcceleratorError if a call of the CUDA runtime fails.
namespace c10::cuda::CUDACachingAllocator {

/// A quantity over time: its value, the largest value since reset_peak(), and the sums of all
/// increases and decreases since reset_accumulated().
struct Stat {
  int64_t current = 0;
  int64_t peak = 0;
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

/// All blocks; those of requests up to 1 MiB; the others. Indices into a StatArray.
enum class StatType : uint8_t { AGGREGATE, SMALL_POOL, LARGE_POOL };
using StatArray = std::array<Stat, 3>;

/// Statistics of one device. Sizes are in bytes.
struct DeviceStats {
  /// The number of blocks in use, their size, and the size that callers asked for.
  StatArray allocation;
  StatArray allocated_bytes;
  StatArray requested_bytes;
  /// The number of segments from the driver, and their size.
  StatArray segment;
  StatArray reserved_bytes;
  /// The number and size of blocks that are in use, or freed but still used by another stream.
  StatArray active;
  StatArray active_bytes;
  /// How many requests returned the cache to the driver, because there was no memory for them.
  int64_t num_alloc_retries = 0;
  /// How many requests failed with OutOfMemoryError.
  int64_t num_ooms = 0;
};

/// The allocator of CUDA tensors, which lives as long as the process. `allocate(n)` gives at least
/// `n` uninitialized bytes on the current device, for its current stream; 0 bytes are a null
/// pointer. Throws c10::OutOfMemoryError with the sizes if there is not so much memory. The
/// environment variable PYTORCH_NO_CUDA_MEMORY_CACHING=1 makes each request one of the driver.
C10_CUDA_API Allocator* get();
/// Returns to the driver all segments that no tensor uses, on all devices. Waits for the GPUs.
C10_CUDA_API void emptyCache();
/// Says that `stream` uses `data` too. After `data` is freed, nobody gets the memory until the work
/// that `stream` has at that time is done. Does nothing for memory of another allocator.
C10_CUDA_API void recordStream(const DataPtr& data, CUDAStream stream);

/// Pools for graphs. A graph replays with the addresses of its capture, so that its memory must not
/// go to tensors outside it. From `beginAllocateToPool` to `endAllocateToPool`, requests on streams
/// that are being captured take memory from a new pool of the current device. Returns the number of
/// the pool, which is negative.
C10_CUDA_API int64_t beginAllocateToPool();
C10_CUDA_API void endAllocateToPool(DeviceIndex device, int64_t pool);
/// Gives the memory of the pool to other tensors. The graph must be destroyed, and must not run.
C10_CUDA_API void releasePool(DeviceIndex device, int64_t pool);

/// A copy of the statistics. These functions throw c10::Error if there is no such device.
C10_CUDA_API DeviceStats getDeviceStats(DeviceIndex device);
/// Sets the sums, num_alloc_retries and num_ooms to 0.
C10_CUDA_API void resetAccumulatedStats(DeviceIndex device);
/// Sets each peak to the current value.
C10_CUDA_API void resetPeakStats(DeviceIndex device);

}  // namespace c10::cuda::CUDACachingAllocator
