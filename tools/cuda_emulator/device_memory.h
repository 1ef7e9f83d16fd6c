#pragma once

#include <cstddef>
#include <cstdint>

// Memory of the emulated GPUs. The host may touch it only while the GPU works: a program that reads
// a device pointer on the host gets a segmentation fault, as on a real machine.
namespace emulator {

constexpr std::size_t kMiB = std::size_t{1} << 20;

// What each GPU has: EMULATED_CUDA_MEMORY in MiB, else 2048.
std::size_t device_capacity();
std::size_t device_used(int device);

// While one exists, the bytes of the GPUs' memory lie at their addresses. Made with the runtime's
// lock held.
class DeviceAccess {
 public:
  DeviceAccess();
  ~DeviceAccess();
  DeviceAccess(const DeviceAccess&) = delete;
  DeviceAccess& operator=(const DeviceAccess&) = delete;
};

// Fresh memory is full of bytes 0xff: NaN, -1, and no bool. Its address has never been used before,
// so that what is read after it was freed is found. nullptr where the capacity does not suffice.
void* device_allocate(std::size_t bytes, int device);
// False for what was not allocated, or was freed.
bool device_free(void* data);

// Pinned memory of the host, which kernels may use too.
void* host_allocate(std::size_t bytes);
bool host_free(void* data);

enum class Place { kPageable, kPinned, kDevice };
Place place_of(const void* data);
// The GPU of a pointer to its memory.
int device_of(const void* data);
// Whether so many bytes at a pointer are in one allocation; always true of pageable memory.
bool is_allocated(const void* data, std::size_t bytes);

// An allocation, as kernels may use it.
struct Extent {
  std::uintptr_t begin;
  std::uintptr_t end;  // one past the last byte
};
// Finds the allocation that holds an address, among those that a kernel may use: the memory of its
// GPU and pinned memory.
bool find_extent(std::uintptr_t address, int device, Extent* found);

}  // namespace emulator
