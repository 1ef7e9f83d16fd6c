#include <ATen/shaders/Device.h>

#include <c10/util/Exception.h>

#include <algorithm>
#include <limits>
#include <sstream>

namespace at::shaders {
namespace {

// Parts of a block begin at multiples of this, which every device can be given a tensor at.
constexpr size_t kAlignment = 256;
constexpr size_t kBlockBytes = size_t{32} << 20;

// All blocks of all devices: sizes and devices by address.
struct Range {
  size_t size;
  ComputeDevice* device;
};
std::mutex ranges_mutex;
std::map<uintptr_t, Range>& ranges() {
  static auto& result = *new std::map<uintptr_t, Range>();
  return result;
}

std::string mebibytes(size_t bytes) {
  std::ostringstream text;
  text.precision(2);
  text << std::fixed << static_cast<double>(bytes) / (1 << 20) << " MiB";
  return text.str();
}

}  // namespace

Memory::Memory(ComputeDevice& device, size_t budget) : device_(device) {
  stats_.budget = stats_.recommended = budget;
}

bool Memory::try_add_block(size_t bytes) {
  if (stats_.reserved + bytes > stats_.budget) return false;
  Block block;
  block.size = bytes;
  block.memory = device_.make_block(bytes);
  if (block.memory.buffer == nullptr) return false;
  block.unused[0] = bytes;
  const auto base = reinterpret_cast<uintptr_t>(block.memory.address);
  stats_.reserved += bytes;
  blocks_.emplace(base, std::move(block));
  const std::lock_guard<std::mutex> lock(ranges_mutex);
  ranges()[base] = {bytes, &device_};
  return true;
}

void Memory::remove_unused_blocks() {
  for (auto entry = blocks_.begin(); entry != blocks_.end();) {
    if (!entry->second.used.empty()) {
      ++entry;
      continue;
    }
    stats_.reserved -= entry->second.size;
    {
      // Before the memory goes back: its addresses may be another block's at once.
      const std::lock_guard<std::mutex> lock(ranges_mutex);
      ranges().erase(entry->first);
    }
    entry = blocks_.erase(entry);
  }
}

void Memory::release_unused() {
  const std::lock_guard<std::mutex> lock(mutex_);
  remove_unused_blocks();
}

void* Memory::take(size_t bytes) {
  // The smallest part that is large enough.
  Block* best = nullptr;
  uintptr_t best_base = 0;
  std::map<size_t, size_t>::iterator best_part;
  for (auto& [base, block] : blocks_) {
    for (auto part = block.unused.begin(); part != block.unused.end(); ++part) {
      if (part->second < bytes || (best != nullptr && best_part->second <= part->second)) continue;
      best = &block;
      best_base = base;
      best_part = part;
    }
  }
  if (best == nullptr) return nullptr;
  const auto [offset, size] = *best_part;
  best->unused.erase(best_part);
  if (size > bytes) best->unused[offset + bytes] = size - bytes;
  best->used[offset] = bytes;
  stats_.allocated += bytes;
  stats_.peak = std::max(stats_.peak, stats_.allocated);
  return reinterpret_cast<void*>(best_base + offset);
}

void Memory::throw_out_of_memory(size_t bytes) const {
  TORCH_CHECK_WITH(OutOfMemoryError, false, backend().title, " out of memory. Tried to allocate ",
                   mebibytes(bytes), " on ", device_.name(), ". Tensors hold ",
                   mebibytes(stats_.allocated), " of ", mebibytes(stats_.reserved),
                   " taken from the driver; its budget is ", mebibytes(stats_.budget), ".");
}

void* Memory::allocate(size_t bytes) {
  TORCH_CHECK(bytes <= device_.capabilities.max_tensor_bytes, "A tensor of ", mebibytes(bytes),
              " is more than ", device_.name(), " can be given: its shaders reach ",
              mebibytes(device_.capabilities.max_tensor_bytes), " of a tensor.");
  const size_t rounded = (bytes + kAlignment - 1) / kAlignment * kAlignment;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (void* found = take(rounded)) return found;
    const size_t block =
        std::min(std::max(rounded, kBlockBytes), device_.capabilities.max_tensor_bytes);
    if (try_add_block(std::max(block, rounded)) || try_add_block(rounded)) return take(rounded);
  }
  // Blocks without tensors may be of use, once nothing runs in them.
  release_unused();
  device_.synchronize();
  const std::lock_guard<std::mutex> lock(mutex_);
  if (void* found = take(rounded)) return found;
  if (!try_add_block(rounded)) throw_out_of_memory(rounded);
  return take(rounded);
}

void Memory::free(void* address) noexcept {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto where = reinterpret_cast<uintptr_t>(address);
  auto entry = blocks_.upper_bound(where);
  if (entry == blocks_.begin()) return;
  --entry;
  Block& block = entry->second;
  const auto part = block.used.find(where - entry->first);
  if (part == block.used.end()) return;
  auto [offset, size] = *part;
  block.used.erase(part);
  stats_.allocated -= size;
  // Neighbours that are free become one part.
  auto next = block.unused.lower_bound(offset);
  if (next != block.unused.end() && next->first == offset + size) {
    size += next->second;
    next = block.unused.erase(next);
  }
  if (next != block.unused.begin()) {
    const auto previous = std::prev(next);
    if (previous->first + previous->second == offset) {
      previous->second += size;
      return;
    }
  }
  block.unused[offset] = size;
}

Place Memory::find(const void* address) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto where = reinterpret_cast<uintptr_t>(address);
  auto entry = blocks_.upper_bound(where);
  TORCH_INTERNAL_ASSERT(entry != blocks_.begin(), "no memory of a tensor is at this address");
  --entry;
  TORCH_INTERNAL_ASSERT(where - entry->first < entry->second.size,
                        "no memory of a tensor is at this address");
  return {entry->second.memory.buffer.get(), where - entry->first};
}

MemoryStats Memory::stats() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return stats_;
}

void Memory::set_fraction(double fraction) {
  const std::lock_guard<std::mutex> lock(mutex_);
  // Counts cross over to Python as int64.
  constexpr auto kNoLimit = static_cast<size_t>(std::numeric_limits<int64_t>::max());
  stats_.budget = fraction == 0
                      ? kNoLimit
                      : static_cast<size_t>(static_cast<double>(stats_.recommended) * fraction);
}

void Memory::reset_peak() {
  const std::lock_guard<std::mutex> lock(mutex_);
  stats_.peak = stats_.allocated;
}

ComputeDevice& device_of_address(const void* address) {
  const std::lock_guard<std::mutex> lock(ranges_mutex);
  const auto where = reinterpret_cast<uintptr_t>(address);
  auto entry = ranges().upper_bound(where);
  TORCH_INTERNAL_ASSERT(entry != ranges().begin(), "no memory of a tensor is at this address");
  --entry;
  TORCH_INTERNAL_ASSERT(where - entry->first < entry->second.size,
                        "no memory of a tensor is at this address");
  return *entry->second.device;
}

}  // namespace at::shaders
