#include <ATen/vulkan/Device.h>

#include <c10/util/Exception.h>

#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace at::vulkan {
namespace {

// Graphics processors before a driver that computes on the processor.
int rank(VkPhysicalDeviceType type) {
  switch (type) {
    case VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU:
      return 0;
    case VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU:
      return 1;
    case VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU:
      return 2;
    default:
      return 3;
  }
}

VkPhysicalDeviceProperties properties_of(VkPhysicalDevice device) {
  VkPhysicalDeviceProperties2 result{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2};
  instance().functions.vkGetPhysicalDeviceProperties2(device, &result);
  return result.properties;
}

struct Devices {
  std::vector<VkPhysicalDevice> physical;
  std::string problem;
};

void find_devices(Devices& devices) {
  const Instance& vulkan = instance();
  devices.problem = vulkan.problem;
  if (!devices.problem.empty()) return;
  uint32_t count = 0;
  vulkan.functions.vkEnumeratePhysicalDevices(vulkan.handle, &count, nullptr);
  std::vector<VkPhysicalDevice> found(count);
  vulkan.functions.vkEnumeratePhysicalDevices(vulkan.handle, &count, found.data());
  std::string older;
  for (VkPhysicalDevice device : found) {
    const VkPhysicalDeviceProperties properties = properties_of(device);
    if (properties.apiVersion < VK_API_VERSION_1_2) {
      older += std::string(older.empty() ? "" : ", ") + properties.deviceName;
      continue;
    }
    devices.physical.push_back(device);
  }
  std::stable_sort(devices.physical.begin(), devices.physical.end(),
                   [](VkPhysicalDevice a, VkPhysicalDevice b) {
                     return rank(properties_of(a).deviceType) < rank(properties_of(b).deviceType);
                   });
  if (!devices.physical.empty()) return;
  devices.problem =
      older.empty()
          ? "Vulkan finds no device. Install a driver (on Debian: apt-get install mesa-vulkan-drivers, which has one for the processor, too); `vulkaninfo --summary` shows what there is."
          : "Vulkan finds no device of version 1.2 or later, only: " + older +
                ". Install a newer driver.";
}

Devices& devices() {
  static Devices& result = *[] {
    auto* found = new Devices();
    find_devices(*found);
    return found;
  }();
  return result;
}

}  // namespace

DeviceState::DeviceState(VkPhysicalDevice physical_device, c10::DeviceIndex device_index)
    : shaders::ComputeDevice(c10::DeviceType::Vulkan, device_index), physical(physical_device) {
  VkPhysicalDeviceIDProperties id{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ID_PROPERTIES};
  VkPhysicalDeviceMaintenance3Properties sizes{
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_3_PROPERTIES, &id};
  VkPhysicalDeviceProperties2 all{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, &sizes};
  vk().vkGetPhysicalDeviceProperties2(physical, &all);
  const VkPhysicalDeviceProperties& properties = all.properties;
  model = properties.deviceName;
  if (properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU) model += ", a processor";
  for (const uint8_t byte : properties.pipelineCacheUUID) {
    constexpr const char* kDigits = "0123456789abcdef";
    identity += {kDigits[byte >> 4], kDigits[byte & 15]};
  }
  const VkPhysicalDeviceLimits& limits = properties.limits;
  capabilities.max_invocations = limits.maxComputeWorkGroupInvocations;
  std::copy_n(limits.maxComputeWorkGroupCount, 3, capabilities.max_groups);
  // Blocks are whole multiples of what tensors begin at.
  capabilities.max_tensor_bytes =
      std::min<size_t>(limits.maxStorageBufferRange, sizes.maxMemoryAllocationSize) / 256 * 256;
  offset_alignment = std::max<size_t>(256, limits.minStorageBufferOffsetAlignment);

  VkPhysicalDeviceVulkan12Features has12{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES};
  VkPhysicalDeviceVulkan11Features has11{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES,
                                         &has12};
  VkPhysicalDeviceFeatures2 has{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, &has11};
  vk().vkGetPhysicalDeviceFeatures2(physical, &has);
  capabilities.float16 = has12.shaderFloat16 && has11.storageBuffer16BitAccess;
  capabilities.int8 = has12.shaderInt8 && has12.storageBuffer8BitAccess;
  capabilities.int64 = has.features.shaderInt64;
  capabilities.int16 = has.features.shaderInt16 && has11.storageBuffer16BitAccess;

  uint32_t count = 0;
  vk().vkGetPhysicalDeviceQueueFamilyProperties(physical, &count, nullptr);
  std::vector<VkQueueFamilyProperties> families(count);
  vk().vkGetPhysicalDeviceQueueFamilyProperties(physical, &count, families.data());
  queue_family = count;
  for (uint32_t i = 0; i < count; ++i) {
    if ((families[i].queueFlags & VK_QUEUE_COMPUTE_BIT) == 0) continue;
    // One that draws nothing has the compute units to itself.
    const bool better =
        queue_family == count || ((families[i].queueFlags & VK_QUEUE_GRAPHICS_BIT) == 0 &&
                                  (families[queue_family].queueFlags & VK_QUEUE_GRAPHICS_BIT) != 0);
    if (better) queue_family = i;
  }
  TORCH_CHECK(queue_family < count, "Vulkan device ", properties.deviceName,
              " has no queue that computes.");

  uint32_t extension_count = 0;
  vk().vkEnumerateDeviceExtensionProperties(physical, nullptr, &extension_count, nullptr);
  std::vector<VkExtensionProperties> extensions(extension_count);
  vk().vkEnumerateDeviceExtensionProperties(physical, nullptr, &extension_count, extensions.data());
  std::vector<const char*> wanted;
  for (const VkExtensionProperties& extension : extensions) {
    if (std::strcmp(extension.extensionName, VK_EXT_MEMORY_BUDGET_EXTENSION_NAME) == 0) {
      tells_budget = true;
      wanted.push_back(VK_EXT_MEMORY_BUDGET_EXTENSION_NAME);
    }
    // A device that has it must be asked for it: macOS's.
    if (std::strcmp(extension.extensionName, "VK_KHR_portability_subset") == 0) {
      wanted.push_back("VK_KHR_portability_subset");
    }
  }

  VkPhysicalDeviceVulkan12Features use12{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES};
  use12.shaderFloat16 = capabilities.float16;
  use12.shaderInt8 = capabilities.int8;
  use12.storageBuffer8BitAccess = capabilities.int8;
  VkPhysicalDeviceVulkan11Features use11{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES,
                                         &use12};
  use11.storageBuffer16BitAccess = capabilities.float16 || capabilities.int16;
  VkPhysicalDeviceFeatures2 use{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, &use11};
  use.features.shaderInt64 = capabilities.int64;
  use.features.shaderInt16 = capabilities.int16;
  const float priority = 1;
  VkDeviceQueueCreateInfo queue_info{VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO};
  queue_info.queueFamilyIndex = queue_family;
  queue_info.queueCount = 1;
  queue_info.pQueuePriorities = &priority;
  VkDeviceCreateInfo info{VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO, &use};
  info.queueCreateInfoCount = 1;
  info.pQueueCreateInfos = &queue_info;
  info.enabledExtensionCount = static_cast<uint32_t>(wanted.size());
  info.ppEnabledExtensionNames = wanted.data();
  check(vk().vkCreateDevice(physical, &info, nullptr, &handle), "vkCreateDevice");
  vk().vkGetDeviceQueue(handle, queue_family, 0, &queue_handle);
  memory = std::make_unique<shaders::Memory>(*this, find_memory());
  pipelines = std::make_unique<Pipelines>(*this);
  queue = std::make_unique<Queue>(*this);
  throw_validation_errors();
}

DeviceState::~DeviceState() = default;

void DeviceState::dispatch(const shaders::Shader& shader, c10::ArrayRef<shaders::Binding> bindings,
                           const void* arguments, size_t argument_bytes,
                           std::array<uint32_t, 3> groups) {
  queue->dispatch(shader, bindings, arguments, argument_bytes, groups);
}

void DeviceState::copy_from_host(void* to, const void* from, size_t bytes) {
  queue->copy_from_host(to, from, bytes);
}

void DeviceState::copy_to_host(void* to, const void* from, size_t bytes) {
  queue->copy_to_host(to, from, bytes);
}

void DeviceState::copy_on_device(void* to, const void* from, size_t bytes) {
  queue->copy_on_device(to, from, bytes);
}

void DeviceState::synchronize() { queue->synchronize(); }

bool DeviceState::is_idle() { return queue->is_idle(); }

VkBuffer DeviceState::make_buffer(size_t bytes) const {
  VkBufferCreateInfo info{VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO};
  info.size = bytes;
  info.usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT |
               VK_BUFFER_USAGE_TRANSFER_DST_BIT;
  info.sharingMode = VK_SHARING_MODE_EXCLUSIVE;
  VkBuffer buffer = VK_NULL_HANDLE;
  check(vk().vkCreateBuffer(handle, &info, nullptr, &buffer), "vkCreateBuffer");
  return buffer;
}

size_t DeviceState::find_memory() {
  VkBuffer probe = make_buffer(256);
  VkMemoryRequirements needs{};
  vk().vkGetBufferMemoryRequirements(handle, probe, &needs);
  vk().vkDestroyBuffer(handle, probe, nullptr);
  tensor_memory_type_ = memory_type(needs.memoryTypeBits, VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT, 0);

  VkPhysicalDeviceMemoryBudgetPropertiesEXT budgets{
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_BUDGET_PROPERTIES_EXT};
  VkPhysicalDeviceMemoryProperties2 all{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_PROPERTIES_2};
  all.pNext = tells_budget ? &budgets : nullptr;
  vk().vkGetPhysicalDeviceMemoryProperties2(physical, &all);
  const uint32_t heap = all.memoryProperties.memoryTypes[tensor_memory_type_].heapIndex;
  const size_t budget =
      tells_budget ? budgets.heapBudget[heap] : all.memoryProperties.memoryHeaps[heap].size / 5 * 4;
  return shaders::memory_limit("TORCH_VULKAN_MEMORY_MIB", budget);
}

Buffer::~Buffer() { device.queue->retire(buffer, memory, address, size); }

shaders::MemoryBlock DeviceState::make_block(size_t bytes) {
  auto block = std::make_shared<Buffer>(*this);
  block->size = bytes;
  block->buffer = make_buffer(bytes);
  VkMemoryRequirements needs{};
  vk().vkGetBufferMemoryRequirements(handle, block->buffer, &needs);
  VkMemoryAllocateInfo info{VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO};
  info.allocationSize = needs.size;
  info.memoryTypeIndex = tensor_memory_type_;
  const VkResult result = vk().vkAllocateMemory(handle, &info, nullptr, &block->memory);
  if (result == VK_ERROR_OUT_OF_DEVICE_MEMORY || result == VK_ERROR_OUT_OF_HOST_MEMORY) return {};
  check(result, "vkAllocateMemory");
  check(vk().vkBindBufferMemory(handle, block->buffer, block->memory, 0), "vkBindBufferMemory");
  // Reserves addresses without memory, so that no other allocation gets them.
  void* address =
      mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  TORCH_CHECK(address != MAP_FAILED, "There are no addresses left for ", bytes, " bytes on ",
              name(), ".");
  block->address = address;
  return {address, std::move(block)};
}

void DeviceState::check(VkResult result, const char* function) const {
  throw_validation_errors();
  if (result == VK_SUCCESS) return;
  TORCH_CHECK(
      result != VK_ERROR_DEVICE_LOST, "Vulkan device ", name(), " was lost in ", function,
      ": its driver gave up, or it was removed. Its tensors are gone; start the program again.");
  TORCH_CHECK_WITH(OutOfMemoryError,
                   result != VK_ERROR_OUT_OF_DEVICE_MEMORY && result != VK_ERROR_OUT_OF_HOST_MEMORY,
                   "Vulkan out of memory on ", name(), ": ", function, " returned ",
                   result_name(result), ".");
  TORCH_CHECK(false, "Vulkan on ", name(), ": ", function, " returned ", result_name(result), " (",
              static_cast<int>(result), ").");
}

uint32_t DeviceState::memory_type(uint32_t allowed, VkMemoryPropertyFlags flags,
                                  VkMemoryPropertyFlags liked) const {
  VkPhysicalDeviceMemoryProperties2 all{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_PROPERTIES_2};
  vk().vkGetPhysicalDeviceMemoryProperties2(physical, &all);
  const VkPhysicalDeviceMemoryProperties& types = all.memoryProperties;
  for (const VkMemoryPropertyFlags wanted : {flags | liked, flags}) {
    for (uint32_t i = 0; i < types.memoryTypeCount; ++i) {
      if ((allowed >> i & 1) != 0 && (types.memoryTypes[i].propertyFlags & wanted) == wanted) {
        return i;
      }
    }
  }
  TORCH_CHECK(false, "Vulkan device ", model, " has no memory with the flags ", flags,
              " for buffers.");
}

DeviceState& device_state(c10::DeviceIndex index) {
  return static_cast<DeviceState&>(shaders::compute_device(index));
}

}  // namespace at::vulkan

namespace at::shaders {

const Backend& backend() {
  static const Backend result{
      c10::DeviceType::Vulkan,
      "Vulkan",
      vulkan::devices().physical.size(),
      vulkan::devices().problem,
      [](c10::DeviceIndex index) -> std::unique_ptr<ComputeDevice> {
        return std::make_unique<vulkan::DeviceState>(
            vulkan::devices().physical[static_cast<size_t>(index)], index);
      },
  };
  return result;
}

}  // namespace at::shaders
