#include <c10/cuda/CUDACachingAllocator.h>

#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAFunctions.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/util/Exception.h>
#include <cuda_runtime_api.h>

#include <cstdio>
#include <cstdlib>
#include <deque>
#include <limits>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace c10::cuda::CUDACachingAllocator {
namespace {

constexpr size_t kKiB = 1024;
constexpr size_t kMiB = 1024 * kKiB;

// Requests are rounded up to this.
constexpr size_t kMinBlock = 512;
// Requests up to this size share segments of kSmallSegment.
constexpr size_t kSmallRequest = kMiB;
constexpr size_t kSmallSegment = 2 * kMiB;
// Requests below this size share segments of kLargeSegment; others have one of their own.
constexpr size_t kLargeRequest = 10 * kMiB;
constexpr size_t kLargeSegment = 20 * kMiB;
constexpr size_t kSegmentUnit = 2 * kMiB;

size_t round_up(size_t size, size_t unit) { return (size + unit - 1) / unit * unit; }

size_t segment_size(size_t size) {
  if (size <= kSmallRequest) return kSmallSegment;
  if (size < kLargeRequest) return kLargeSegment;
  return round_up(size, kSegmentUnit);
}

// A piece of a segment. Neighbours are linked, so that free ones become one again.
struct Block {
  char* data = nullptr;
  size_t size = 0;
  size_t requested = 0;
  StreamId stream = 0;
  bool small = false;
  bool in_use = false;
  Block* before = nullptr;
  Block* after = nullptr;
  // Other streams that use it, and events of theirs that have not passed.
  std::unordered_set<CUDAStream> used_on;
  int events = 0;

  bool is_whole_segment() const { return before == nullptr && after == nullptr; }
};

struct BySize {
  bool operator()(const Block* a, const Block* b) const {
    return std::tie(a->stream, a->size, a->data) < std::tie(b->stream, b->size, b->data);
  }
};

using Pool = std::set<Block*, BySize>;

std::string readable(size_t size) {
  char text[32];
  const double bytes = static_cast<double>(size);
  if (size < kKiB) {
    std::snprintf(text, sizeof text, "%zu bytes", size);
  } else if (size < kMiB) {
    std::snprintf(text, sizeof text, "%.2f KiB", bytes / kKiB);
  } else if (size < kKiB * kMiB) {
    std::snprintf(text, sizeof text, "%.2f MiB", bytes / kMiB);
  } else {
    std::snprintf(text, sizeof text, "%.2f GiB", bytes / (kKiB * kMiB));
  }
  return text;
}

/// The memory of one GPU. Its device is current while a function runs.
class DeviceMemory {
 public:
  explicit DeviceMemory(DeviceIndex device) : device_(device) {}
  C10_DISABLE_COPY_AND_ASSIGN(DeviceMemory);

  Block* allocate(size_t requested, CUDAStream on) {
    const std::lock_guard lock(mutex_);
    const bool captured = !capturing_.empty() && is_capturing(on);
    const StreamId stream = captured ? capturing_.back() : on.id();
    // Nothing may be asked of events during a capture.
    if (capturing_.empty()) free_passed();
    const size_t size = round_up(requested, kMinBlock);
    Block* block = take(size, stream);
    if (block == nullptr) block = new_segment(size, stream);
    if (block == nullptr && capturing_.empty()) {
      ++stats_.num_alloc_retries;
      wait_for_events();
      block = take(size, stream);
      if (block == nullptr) {
        release();
        block = new_segment(size, stream);
      }
    }
    if (block == nullptr) out_of_memory(requested);
    split(block, size);
    block->in_use = true;
    block->requested = requested;
    count_use(block);
    return block;
  }

  void* allocate_uncached(size_t size) {
    void* data = nullptr;
    // Atomic additions to elements of one or two bytes read the word that holds them.
    const cudaError_t error = cudaMalloc(&data, round_up(size, sizeof(uint32_t)));
    if (error == cudaErrorMemoryAllocation) {
      static_cast<void>(cudaGetLastError());
      const std::lock_guard lock(mutex_);
      out_of_memory(size);
    }
    C10_CUDA_CHECK(error);
    return data;
  }

  void free(Block* block) noexcept {
    const std::lock_guard lock(mutex_);
    block->in_use = false;
    for_types(block->small, [&](size_t type) {
      stats_.allocation[type].decrease(1);
      stats_.allocated_bytes[type].decrease(static_cast<int64_t>(block->size));
      stats_.requested_bytes[type].decrease(static_cast<int64_t>(block->requested));
    });
    // Within a graph's memory the graph's own order decides.
    if (block->used_on.empty() || is_pool(block->stream)) {
      block->used_on.clear();
      give_back(block);
    } else {
      mark_streams(block);
    }
  }

  void record_stream(Block* block, CUDAStream stream) {
    const std::lock_guard lock(mutex_);
    if (stream.id() != block->stream) block->used_on.insert(stream);
  }

  void empty() {
    const std::lock_guard lock(mutex_);
    wait_for_events();
    release();
  }

  DeviceStats stats() {
    const std::lock_guard lock(mutex_);
    return stats_;
  }

  int64_t begin_pool() {
    const std::lock_guard lock(mutex_);
    return capturing_.emplace_back(--last_pool_);
  }

  void end_pool(int64_t pool) {
    const std::lock_guard lock(mutex_);
    std::erase(capturing_, pool);
  }

  void release_pool(int64_t pool) {
    const std::lock_guard lock(mutex_);
    released_.insert(pool);
    for (Pool* blocks : {&small_, &large_}) {
      std::vector<Block*> found;
      for (Block* block : *blocks) {
        if (block->stream == pool) found.push_back(block);
      }
      for (Block* block : found) {
        blocks->erase(block);
        block->stream = 0;
        blocks->insert(block);
      }
    }
  }

  template <typename F>
  void for_stats(F&& f) {
    const std::lock_guard lock(mutex_);
    for (StatArray* array :
         {&stats_.allocation, &stats_.allocated_bytes, &stats_.requested_bytes, &stats_.segment,
          &stats_.reserved_bytes, &stats_.active, &stats_.active_bytes}) {
      for (Stat& stat : *array) f(stat);
    }
  }

  void reset_counts() {
    const std::lock_guard lock(mutex_);
    stats_.num_alloc_retries = stats_.num_ooms = 0;
  }

 private:
  template <typename F>
  static void for_types(bool small, F&& f) {
    f(static_cast<size_t>(StatType::AGGREGATE));
    f(static_cast<size_t>(small ? StatType::SMALL_POOL : StatType::LARGE_POOL));
  }

  Pool& pool(bool small) { return small ? small_ : large_; }

  // Blocks of a graph have its pool's number in place of a stream's; those are below any.
  static constexpr StreamId kPools = std::numeric_limits<StreamId>::min() / 2;
  static bool is_pool(StreamId stream) { return stream < kPools; }

  static bool is_capturing(CUDAStream stream) {
    cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
    C10_CUDA_CHECK(cudaStreamIsCapturing(stream, &status));
    return status == cudaStreamCaptureStatusActive;
  }

  void count_use(const Block* block) {
    for_types(block->small, [&](size_t type) {
      stats_.allocation[type].increase(1);
      stats_.allocated_bytes[type].increase(static_cast<int64_t>(block->size));
      stats_.requested_bytes[type].increase(static_cast<int64_t>(block->requested));
      stats_.active[type].increase(1);
      stats_.active_bytes[type].increase(static_cast<int64_t>(block->size));
    });
  }

  // The smallest free block of the stream that is large enough.
  Block* take(size_t size, StreamId stream) {
    const bool small = size <= kSmallRequest;
    Block key;
    key.stream = stream;
    key.size = size;
    const auto found = pool(small).lower_bound(&key);
    if (found == pool(small).end() || (*found)->stream != stream) return nullptr;
    // A large request that would waste much of a large block takes a segment of its own.
    if (!small && (*found)->size >= size + kLargeSegment && size >= kLargeRequest &&
        !(*found)->is_whole_segment()) {
      return nullptr;
    }
    Block* block = *found;
    pool(small).erase(found);
    return block;
  }

  Block* new_segment(size_t size, StreamId stream) {
    const size_t bytes = segment_size(size);
    void* data = nullptr;
    // cudaMalloc is illegal during capture; relax the mode, since the memory stays valid for
    // replay.
    cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;
    if (!capturing_.empty()) C10_CUDA_CHECK(cudaThreadExchangeStreamCaptureMode(&mode));
    const cudaError_t error = cudaMalloc(&data, bytes);
    if (!capturing_.empty()) C10_CUDA_CHECK(cudaThreadExchangeStreamCaptureMode(&mode));
    if (error == cudaErrorMemoryAllocation) {
      static_cast<void>(cudaGetLastError());
      return nullptr;
    }
    C10_CUDA_CHECK(error);
    Block* block = new Block;
    block->data = static_cast<char*>(data);
    block->size = bytes;
    block->stream = stream;
    block->small = size <= kSmallRequest;
    for_types(block->small, [&](size_t type) {
      stats_.segment[type].increase(1);
      stats_.reserved_bytes[type].increase(static_cast<int64_t>(bytes));
    });
    return block;
  }

  // Leaves `size` bytes in the block and puts the rest, where it is worth keeping, in the pool.
  void split(Block* block, size_t size) {
    const size_t rest = block->size - size;
    if (block->small ? rest < kMinBlock : rest <= kSmallRequest) return;
    Block* after = new Block;
    after->data = block->data + size;
    after->size = rest;
    after->stream = block->stream;
    after->small = block->small;
    after->before = block;
    after->after = block->after;
    if (after->after != nullptr) after->after->before = after;
    block->after = after;
    block->size = size;
    pool(block->small).insert(after);
  }

  // Returns an unused block to its pool, merged with its free neighbours.
  void give_back(Block* block) {
    if (released_.contains(block->stream)) block->stream = 0;
    for_types(block->small, [&](size_t type) {
      stats_.active[type].decrease(1);
      stats_.active_bytes[type].decrease(static_cast<int64_t>(block->size));
    });
    if (is_free(block->before)) {
      Block* before = block->before;
      pool(block->small).erase(before);
      before->size += block->size;
      before->after = block->after;
      if (block->after != nullptr) block->after->before = before;
      delete block;
      block = before;
    }
    if (is_free(block->after)) {
      Block* after = block->after;
      pool(block->small).erase(after);
      block->size += after->size;
      block->after = after->after;
      if (block->after != nullptr) block->after->before = block;
      delete after;
    }
    pool(block->small).insert(block);
  }

  static bool is_free(const Block* block) {
    return block != nullptr && !block->in_use && block->events == 0;
  }

  // A block that other streams use waits for what they have queued until now.
  void mark_streams(Block* block) {
    for (const CUDAStream& stream : std::exchange(block->used_on, {})) {
      cudaEvent_t event = nullptr;
      C10_CUDA_CHECK_WARN(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
      C10_CUDA_CHECK_WARN(cudaEventRecord(event, stream));
      ++block->events;
      waiting_[stream].emplace_back(event, block);
    }
  }

  void passed(cudaEvent_t event, Block* block) {
    C10_CUDA_CHECK_WARN(cudaEventDestroy(event));
    if (--block->events == 0) give_back(block);
  }

  void free_passed() {
    for (auto& [stream, events] : waiting_) {
      while (!events.empty()) {
        const auto [event, block] = events.front();
        const cudaError_t error = cudaEventQuery(event);
        if (error == cudaErrorNotReady) {
          static_cast<void>(cudaGetLastError());
          break;
        }
        C10_CUDA_CHECK(error);
        events.pop_front();
        passed(event, block);
      }
    }
  }

  void wait_for_events() {
    for (auto& [stream, events] : waiting_) {
      for (const auto& [event, block] : std::exchange(events, {})) {
        C10_CUDA_CHECK(cudaEventSynchronize(event));
        passed(event, block);
      }
    }
  }

  // Gives whole free segments back to the driver. cudaFree waits for the GPU.
  void release() {
    for (Pool* pool : {&small_, &large_}) {
      for (auto it = pool->begin(); it != pool->end();) {
        Block* block = *it;
        if (!block->is_whole_segment()) {
          ++it;
          continue;
        }
        C10_CUDA_CHECK(cudaFree(block->data));
        for_types(block->small, [&](size_t type) {
          stats_.segment[type].decrease(1);
          stats_.reserved_bytes[type].decrease(static_cast<int64_t>(block->size));
        });
        it = pool->erase(it);
        delete block;
      }
    }
  }

  [[noreturn]] void out_of_memory(size_t requested) {
    ++stats_.num_ooms;
    size_t free_bytes = 0;
    size_t total = 0;
    C10_CUDA_CHECK(cudaMemGetInfo(&free_bytes, &total));
    const auto all = static_cast<size_t>(StatType::AGGREGATE);
    const auto allocated = static_cast<size_t>(stats_.allocated_bytes[all].current);
    const auto reserved = static_cast<size_t>(stats_.reserved_bytes[all].current);
    TORCH_CHECK_WITH(
        OutOfMemoryError, false, "CUDA out of memory. Tried to allocate ", readable(requested),
        ". GPU ", static_cast<int>(device_), " has a total capacity of ", readable(total),
        " of which ", readable(free_bytes), " is free. Of the allocated memory ",
        readable(allocated), " is allocated by PyTorch, and ", readable(reserved - allocated),
        " is reserved by PyTorch but unallocated. Free tensors, or take smaller batches.");
  }

  const DeviceIndex device_;
  std::mutex mutex_;
  Pool small_;
  Pool large_;
  std::unordered_map<CUDAStream, std::deque<std::pair<cudaEvent_t, Block*>>> waiting_;
  DeviceStats stats_;
  // Pools of captures that go on, and of graphs that are gone.
  std::vector<StreamId> capturing_;
  std::unordered_set<StreamId> released_;
  StreamId last_pool_ = kPools;
};

DeviceMemory& memory_of(DeviceIndex device) {
  static std::vector<std::unique_ptr<DeviceMemory>>* const all = [] {
    auto* memory = new std::vector<std::unique_ptr<DeviceMemory>>;
    for (DeviceIndex index = 0; index < device_count_ensure_non_zero(); ++index) {
      memory->push_back(std::make_unique<DeviceMemory>(index));
    }
    return memory;
  }();
  TORCH_CHECK(device >= 0 && static_cast<size_t>(device) < all->size(), "there is no CUDA device ",
              static_cast<int>(device), "; devices are 0 to ", all->size() - 1);
  return *(*all)[static_cast<size_t>(device)];
}

// What a DataPtr carries: the block, and whose it is.
struct Owned {
  Block* block;
  DeviceMemory* memory;
};

void free_owned(void* context) {
  const std::unique_ptr<Owned> owned(static_cast<Owned*>(context));
  owned->memory->free(owned->block);
}

// For tools that watch each allocation, as compute-sanitizer does. cudaFree waits for all streams.
bool is_uncached() {
  static const bool set = [] {
    const char* value = std::getenv("PYTORCH_NO_CUDA_MEMORY_CACHING");
    return value != nullptr && std::string(value) == "1";
  }();
  return set;
}

void free_uncached(void* data) { C10_CUDA_CHECK_WARN(cudaFree(data)); }

struct CachingAllocator final : Allocator {
  DataPtr allocate(size_t size) override {
    const DeviceIndex device = current_device();
    const Device gpu(DeviceType::CUDA, device);
    if (size == 0) return {nullptr, gpu};
    TORCH_CHECK_WITH(OutOfMemoryError, size < size_t{1} << 50,
                     "CUDA out of memory. Tried to allocate more than 1EB memory.");
    DeviceMemory& memory = memory_of(device);
    if (is_uncached()) {
      void* data = memory.allocate_uncached(size);
      return {data, data, &free_uncached, gpu};
    }
    Block* block = memory.allocate(size, getCurrentCUDAStream(device));
    return {block->data, new Owned{block, &memory}, &free_owned, gpu};
  }

  void copy_data(void* dest, const void* src, size_t count) const override {
    C10_CUDA_CHECK(
        cudaMemcpyAsync(dest, src, count, cudaMemcpyDeviceToDevice, getCurrentCUDAStream()));
  }
};

CachingAllocator& caching_allocator() {
  static CachingAllocator* const allocator = new CachingAllocator;  // outlives all tensors
  return *allocator;
}

REGISTER_ALLOCATOR(DeviceType::CUDA, &caching_allocator());

}  // namespace

Allocator* get() { return &caching_allocator(); }

void emptyCache() {
  for (DeviceIndex device = 0; device < device_count(); ++device) {
    DeviceMemory& memory = memory_of(device);
    // A guard would make a context on a GPU that has none.
    if (memory.stats().reserved_bytes[0].current == 0) continue;
    const CUDAGuard guard(device);
    memory.empty();
  }
}

void recordStream(const DataPtr& data, CUDAStream stream) {
  Owned* owned = data.cast_context<Owned>(&free_owned);
  // Memory of another allocator is its owner's to keep.
  if (owned != nullptr) owned->memory->record_stream(owned->block, stream);
}

int64_t beginAllocateToPool() { return memory_of(current_device()).begin_pool(); }

void endAllocateToPool(DeviceIndex device, int64_t pool) { memory_of(device).end_pool(pool); }

void releasePool(DeviceIndex device, int64_t pool) { memory_of(device).release_pool(pool); }

DeviceStats getDeviceStats(DeviceIndex device) { return memory_of(device).stats(); }

void resetAccumulatedStats(DeviceIndex device) {
  memory_of(device).for_stats([](Stat& stat) { stat.reset_accumulated(); });
  memory_of(device).reset_counts();
}

void resetPeakStats(DeviceIndex device) {
  memory_of(device).for_stats([](Stat& stat) { stat.reset_peak(); });
}

}  // namespace c10::cuda::CUDACachingAllocator
