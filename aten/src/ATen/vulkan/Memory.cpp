#include <ATen/vulkan/Device.h>

#include <c10/util/Exception.h>

#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>
#include <sstream>

namespace at::vulkan {
namespace {

// Parts of a block begin at multiples of this, which every device can be given a tensor at.
constexpr size_t kAlignment = 256;
constexpr size_t kBlockBytes = size_t{32} << 20;
constexpr VkBufferUsageFlags kUsage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT |
                                      VK_BUFFER_USAGE_TRANSFER_SRC_BIT |
                                      VK_BUFFER_USAGE_TRANSFER_DST_BIT;

// All blocks of all devices: sizes and devices by address.
struct Range {
  size_t size;
  DeviceState* device;
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

VkBuffer make_buffer(DeviceState& device, size_t bytes) {
  VkBufferCreateInfo info{VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO};
  info.size = bytes;
  info.usage = kUsage;
  info.sharingMode = VK_SHARING_MODE_EXCLUSIVE;
  VkBuffer buffer = VK_NULL_HANDLE;
  device.check(device.vk().vkCreateBuffer(device.handle, &info, nullptr, &buffer),
               "vkCreateBuffer");
  return buffer;
}

}  // namespace

Memory::Memory(DeviceState& device) : device_(device) {
  VkBuffer probe = make_buffer(device, kAlignment);
  VkMemoryRequirements needs{};
  device.vk().vkGetBufferMemoryRequirements(device.handle, probe, &needs);
  device.vk().vkDestroyBuffer(device.handle, probe, nullptr);
  type_ = device.memory_type(needs.memoryTypeBits, VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT, 0);

  VkPhysicalDeviceMemoryBudgetPropertiesEXT budgets{
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_BUDGET_PROPERTIES_EXT};
  VkPhysicalDeviceMemoryProperties2 all{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_PROPERTIES_2};
  all.pNext = device.tells_budget ? &budgets : nullptr;
  device.vk().vkGetPhysicalDeviceMemoryProperties2(device.physical, &all);
  const uint32_t heap = all.memoryProperties.memoryTypes[type_].heapIndex;
  stats_.budget = device.tells_budget ? budgets.heapBudget[heap]
                                      : all.memoryProperties.memoryHeaps[heap].size / 5 * 4;
  if (const char* limit = std::getenv("TORCH_VULKAN_MEMORY_MIB")) {
    char* end = nullptr;
    const unsigned long long mib = std::strtoull(limit, &end, 10);
    TORCH_CHECK_VALUE(end != limit && *end == '\0' && mib > 0, "TORCH_VULKAN_MEMORY_MIB is '",
                      limit, "'; it is a number of mebibytes, such as 512.");
    stats_.budget = static_cast<size_t>(mib) << 20;
  }
}

bool Memory::try_add_block(size_t bytes) {
  if (stats_.reserved + bytes > stats_.budget) return false;
  Block block;
  block.size = bytes;
  block.buffer = make_buffer(device_, bytes);
  VkMemoryRequirements needs{};
  device_.vk().vkGetBufferMemoryRequirements(device_.handle, block.buffer, &needs);
  VkMemoryAllocateInfo info{VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO};
  info.allocationSize = needs.size;
  info.memoryTypeIndex = type_;
  const VkResult result =
      device_.vk().vkAllocateMemory(device_.handle, &info, nullptr, &block.memory);
  if (result == VK_ERROR_OUT_OF_DEVICE_MEMORY || result == VK_ERROR_OUT_OF_HOST_MEMORY) {
    device_.vk().vkDestroyBuffer(device_.handle, block.buffer, nullptr);
    return false;
  }
  device_.check(result, "vkAllocateMemory");
  device_.check(device_.vk().vkBindBufferMemory(device_.handle, block.buffer, block.memory, 0),
                "vkBindBufferMemory");
  // Addresses that nobody else gets, and that nothing is at.
  void* address =
      mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  TORCH_CHECK(address != MAP_FAILED, "There are no addresses left for ", mebibytes(bytes),
              " on vulkan:", static_cast<int>(device_.index), ".");
  block.unused[0] = bytes;
  const auto base = reinterpret_cast<uintptr_t>(address);
  stats_.reserved += bytes;
  blocks_.emplace(base, std::move(block));
  const std::lock_guard<std::mutex> lock(ranges_mutex);
  ranges()[base] = {bytes, &device_};
  return true;
}

void Memory::remove_unused_blocks() {
  for (auto entry = blocks_.begin(); entry != blocks_.end();) {
    Block& block = entry->second;
    if (!block.used.empty()) {
      ++entry;
      continue;
    }
    device_.vk().vkDestroyBuffer(device_.handle, block.buffer, nullptr);
    device_.vk().vkFreeMemory(device_.handle, block.memory, nullptr);
    stats_.reserved -= block.size;
    {
      const std::lock_guard<std::mutex> lock(ranges_mutex);
      ranges().erase(entry->first);
    }
    munmap(reinterpret_cast<void*>(entry->first), block.size);
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
  TORCH_CHECK_WITH(OutOfMemoryError, false, "Vulkan out of memory. Tried to allocate ",
                   mebibytes(bytes), " on vulkan:", static_cast<int>(device_.index), " (",
                   device_.properties.deviceName, "). Tensors hold ", mebibytes(stats_.allocated),
                   " of ", mebibytes(stats_.reserved), " taken from the driver; its budget is ",
                   mebibytes(stats_.budget), ".");
}

void* Memory::allocate(size_t bytes) {
  TORCH_CHECK(bytes <= device_.capabilities.max_tensor_bytes, "A tensor of ", mebibytes(bytes),
              " is more than vulkan:", static_cast<int>(device_.index), " (",
              device_.properties.deviceName, ") can be given: its shaders reach ",
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
  device_.queue->synchronize();
  const std::lock_guard<std::mutex> lock(mutex_);
  remove_unused_blocks();
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
  TORCH_INTERNAL_ASSERT(entry != blocks_.begin(), "no memory of Vulkan is at this address");
  --entry;
  TORCH_INTERNAL_ASSERT(where - entry->first < entry->second.size,
                        "no memory of Vulkan is at this address");
  return {entry->second.buffer, where - entry->first};
}

MemoryStats Memory::stats() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return stats_;
}

void Memory::reset_peak() {
  const std::lock_guard<std::mutex> lock(mutex_);
  stats_.peak = stats_.allocated;
}

DeviceState& device_of_address(const void* address) {
  const std::lock_guard<std::mutex> lock(ranges_mutex);
  const auto where = reinterpret_cast<uintptr_t>(address);
  auto entry = ranges().upper_bound(where);
  TORCH_INTERNAL_ASSERT(entry != ranges().begin(), "no memory of Vulkan is at this address");
  --entry;
  TORCH_INTERNAL_ASSERT(where - entry->first < entry->second.size,
                        "no memory of Vulkan is at this address");
  return *entry->second.device;
}

}  // namespace at::vulkan
