#include <ATen/cuda/CachingHostAllocator.h>

#include <ATen/cuda/CUDAEvent.h>
#include <c10/core/Device.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAFunctions.h>
#include <cuda_runtime_api.h>

#include <bit>
#include <cstddef>
#include <iterator>
#include <map>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace at::cuda {
namespace {

constexpr size_t kMinBlock = 512;

struct Block {
  char* data = nullptr;
  size_t size = 0;
  // Copies that may still use it.
  std::vector<CUDAEvent> events;

  bool is_idle() {
    std::erase_if(events, [](const CUDAEvent& event) { return event.query(); });
    return events.empty();
  }
};

class HostMemory {
 public:
  Block* allocate(size_t requested) {
    c10::cuda::device_count_ensure_non_zero();
    // Powers of two, so that freed blocks fit later requests.
    const size_t size = std::bit_ceil(requested < kMinBlock ? kMinBlock : requested);
    const std::lock_guard lock(mutex_);
    auto [first, last] = free_.equal_range(size);
    for (; first != last; ++first) {
      if (!first->second->is_idle()) continue;
      Block* block = first->second;
      free_.erase(first);
      return block;
    }
    void* data = nullptr;
    C10_CUDA_CHECK(cudaHostAlloc(&data, size, cudaHostAllocDefault));
    auto block = std::make_unique<Block>();
    block->data = static_cast<char*>(data);
    block->size = size;
    Block* result = block.get();
    blocks_.emplace(result->data, std::move(block));
    return result;
  }

  void free(Block* block) {
    const std::lock_guard lock(mutex_);
    free_.emplace(block->size, block);
  }

  bool record(const void* data, const c10::cuda::CUDAStream& stream) {
    const std::lock_guard lock(mutex_);
    auto after = blocks_.upper_bound(static_cast<const char*>(data));
    if (after == blocks_.begin()) return false;
    Block& block = *std::prev(after)->second;
    if (static_cast<const char*>(data) >= block.data + block.size) return false;
    block.events.emplace_back();
    block.events.back().record(stream);
    return true;
  }

  void empty() {
    const std::lock_guard lock(mutex_);
    for (auto it = free_.begin(); it != free_.end();) {
      if (!it->second->is_idle()) {
        ++it;
        continue;
      }
      const char* data = it->second->data;
      C10_CUDA_CHECK(cudaFreeHost(it->second->data));
      it = free_.erase(it);
      blocks_.erase(data);
    }
  }

 private:
  std::mutex mutex_;
  std::map<const char*, std::unique_ptr<Block>> blocks_;
  std::multimap<size_t, Block*> free_;
};

HostMemory& host_memory() {
  static HostMemory* const memory = new HostMemory;  // outlives all tensors
  return *memory;
}

struct HostAllocator final : c10::Allocator {
  c10::DataPtr allocate(size_t size) override {
    const c10::Device cpu(c10::DeviceType::CPU);
    if (size == 0) return {nullptr, cpu};
    Block* block = host_memory().allocate(size);
    return {block->data, block,
            [](void* context) { host_memory().free(static_cast<Block*>(context)); }, cpu};
  }
  void copy_data(void* dest, const void* src, size_t count) const override {
    default_copy_data(dest, src, count);
  }
};

}  // namespace

c10::Allocator* getCachingHostAllocator() {
  static HostAllocator allocator;
  return &allocator;
}

bool CachingHostAllocator_recordEvent(const void* data, c10::cuda::CUDAStream stream) {
  return host_memory().record(data, stream);
}

bool isPinnedPtr(const void* data) {
  if (data == nullptr || c10::cuda::device_count() == 0) return false;
  cudaPointerAttributes attributes{};
  if (cudaPointerGetAttributes(&attributes, data) != cudaSuccess) {
    static_cast<void>(cudaGetLastError());
    return false;
  }
  return attributes.type == cudaMemoryTypeHost;
}

void CachingHostAllocator_emptyCache() { host_memory().empty(); }

}  // namespace at::cuda
