#include <c10/core/CPUAllocator.h>
#include <c10/core/DeviceType.h>
#include <c10/util/Exception.h>

#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <cstring>

#if defined(_WIN32)
#include <malloc.h>
#endif

namespace c10 {

void* alloc_cpu(size_t nbytes) {
  if (nbytes == 0) return nullptr;
  TORCH_CHECK(static_cast<ptrdiff_t>(nbytes) >= 0,
              "alloc_cpu() seems to have been called with negative number: ", nbytes);
  void* data = nullptr;
#if defined(_WIN32)
  data = _aligned_malloc(nbytes, gAlignment);
  const int error = data == nullptr ? ENOMEM : 0;
#else
  const int error = posix_memalign(&data, gAlignment, nbytes);
#endif
  TORCH_CHECK_WITH(OutOfMemoryError, error == 0,
                   "DefaultCPUAllocator: can't allocate memory: you tried to allocate ", nbytes,
                   " bytes. Error code ", error, " (", std::strerror(error), ")");
  return data;
}

void free_cpu(void* data) {
#if defined(_WIN32)
  _aligned_free(data);
#else
  std::free(data);  // NOLINT: from posix_memalign
#endif
}

namespace {

struct DefaultCPUAllocator final : Allocator {
  DataPtr allocate(size_t nbytes) override {
    void* data = alloc_cpu(nbytes);
    return {data, data, &free_cpu, Device(DeviceType::CPU)};
  }
  DeleterFnPtr raw_deleter() const override { return &free_cpu; }
  void copy_data(void* dest, const void* src, size_t count) const override {
    default_copy_data(dest, src, count);
  }
};

Allocator* default_allocator() {
  static DefaultCPUAllocator* const allocator = new DefaultCPUAllocator;  // outlives all tensors
  return allocator;
}

REGISTER_ALLOCATOR(DeviceType::CPU, default_allocator());

}  // namespace

Allocator* GetDefaultCPUAllocator() { return default_allocator(); }
Allocator* GetCPUAllocator() { return GetAllocator(DeviceType::CPU); }
void SetCPUAllocator(Allocator* alloc, uint8_t priority) {
  SetAllocator(DeviceType::CPU, alloc, priority);
}

}  // namespace c10
