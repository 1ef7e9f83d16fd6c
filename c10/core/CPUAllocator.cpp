#include <c10/core/CPUAllocator.h>
#include <c10/core/DeviceType.h>
#include <c10/macros/Macros.h>
#include <c10/util/Exception.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <vector>

#if defined(_WIN32)
#include <malloc.h>
#endif
#if defined(__linux__)
#include <sys/mman.h>
#endif
#if defined(__GLIBC__)
#include <malloc.h>
#endif

// Sanitizers see each allocation; other C libraries do not tell how large a block is.
#if defined(__GLIBC__) && !C10_ASAN_ENABLED && !defined(__SANITIZE_THREAD__)
#define C10_CPU_BLOCK_CACHE 1
#else
#define C10_CPU_BLOCK_CACHE 0
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

#if C10_CPU_BLOCK_CACHE
// Large blocks that were freed. The C library gives them back to the system, which clears and maps
// each page of the next one: that takes longer than most operators take with the memory.
//
// A request that no block serves gives back as many bytes first, so that the process never has more
// memory than it had without the cache at its peak.
class BlockCache {
 public:
  // A block for `nbytes`, or null.
  void* take(size_t nbytes) {
    if (nbytes < kLeastBlock) return nullptr;
    const std::unique_lock<std::mutex> lock(mutex_, std::try_to_lock);
    if (!lock) return nullptr;  // Held by another thread, or by one that a fork left behind.
    auto best = blocks_.end();
    for (auto block = blocks_.begin(); block != blocks_.end(); ++block) {
      const bool fits = block->nbytes >= nbytes && block->nbytes - nbytes <= nbytes / 4;
      if (fits && (best == blocks_.end() || block->nbytes <= best->nbytes)) best = block;
    }
    if (best == blocks_.end()) {
      const size_t wanted = nbytes < total_ ? total_ - nbytes : 0;
      while (total_ > wanted) drop_oldest();
      return nullptr;
    }
    void* data = best->data;
    total_ -= best->nbytes;
    blocks_.erase(best);
    return data;
  }

  // Whether the cache took the block over.
  bool keep(void* data) {
    if (data == nullptr) return false;
    const size_t nbytes = malloc_usable_size(data);
    if (nbytes < kLeastBlock || nbytes > kMostBytes / 2) return false;
    const std::unique_lock<std::mutex> lock(mutex_, std::try_to_lock);
    if (!lock) return false;
    blocks_.push_back({data, nbytes});
    total_ += nbytes;
    while (total_ > kMostBytes || blocks_.size() > kMostBlocks) drop_oldest();
    return true;
  }

 private:
  struct Block {
    void* data;
    size_t nbytes;
  };
  static constexpr size_t kLeastBlock = size_t{64} << 10;
  static constexpr size_t kMostBytes = size_t{256} << 20;
  static constexpr size_t kMostBlocks = 64;

  void drop_oldest() {
    total_ -= blocks_.front().nbytes;
    std::free(blocks_.front().data);  // NOLINT: from posix_memalign
    blocks_.erase(blocks_.begin());
  }

  std::mutex mutex_;
  std::vector<Block> blocks_;  // the oldest first
  size_t total_ = 0;
};

// glibc returns the top of its heap to the system at 128 KiB, and its pages are cleared and mapped
// again for the next small tensors. A program that frees a large block moves that limit to twice
// the block's size, unless its environment sets one; ours frees none, because the cache keeps them.
void keep_top_of_heap() {
  constexpr size_t kLargest = 2 * kHugePage - (size_t{64} << 10);  // Larger ones are mapped.
  void* data = nullptr;
  if (posix_memalign(&data, gAlignment, kLargest) == 0) std::free(data);  // NOLINT: as above
}

// Null where PYTORCH_NO_CPU_MEMORY_CACHING=1 makes each tensor an allocation of its own.
BlockCache* block_cache() {
  static BlockCache* const cache = [] {
    const char* value = std::getenv("PYTORCH_NO_CPU_MEMORY_CACHING");
    const bool wanted = value == nullptr || std::strcmp(value, "0") == 0;
    if (wanted) keep_top_of_heap();
    return wanted ? new BlockCache : nullptr;  // outlives all tensors
  }();
  return cache;
}
#endif

}  // namespace

void* alloc_cpu(size_t nbytes) {
  if (nbytes == 0) return nullptr;
  TORCH_CHECK(static_cast<ptrdiff_t>(nbytes) >= 0,
              "alloc_cpu() seems to have been called with negative number: ", nbytes);
  void* data = nullptr;
#if C10_CPU_BLOCK_CACHE
  if (BlockCache* cache = block_cache()) {
    data = cache->take(nbytes);
    if (data != nullptr) return data;
  }
#endif
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
#if C10_CPU_BLOCK_CACHE
  BlockCache* cache = block_cache();
  if (cache != nullptr && cache->keep(data)) return;
#endif
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
