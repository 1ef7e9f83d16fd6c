#include <c10/core/CPUAllocator.h>
#include <c10/core/DeviceType.h>
#include <c10/util/Exception.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>

#if defined(_WIN32)
#include <malloc.h>
#endif
#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace c10 {
namespace {

constexpr size_t kHugePage = size_t{2} << 20;

// Linux clears a huge page far faster than 512 pages that are touched one by one. Most systems
// give huge pages to who asks; where there are none this does nothing.
void ask_for_huge_pages(void* data, size_t nbytes) {
#if defined(__linux__)
  static const bool wanted = [] {
    const char* value = std::getenv("THP_MEM_ALLOC_ENABLE");
    return value == nullptr || std::strcmp(value, "0") != 0;
  }();
  if (!wanted || nbytes < 2 * kHugePage) return;
  const auto address = reinterpret_cast<uintptr_t>(data);
  const uintptr_t begin = (address + kHugePage - 1) / kHugePage * kHugePage;
  const uintptr_t end = (address + nbytes) / kHugePage * kHugePage;
  if (begin < end) madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);
#endif
}

}  // namespace

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
  ask_for_huge_pages(data, nbytes);
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
