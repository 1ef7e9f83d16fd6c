#include <ATen/vulkan/Device.h>

#include <c10/util/Exception.h>

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
  std::vector<std::unique_ptr<DeviceState>> states;
  std::vector<VkPhysicalDevice> physical;
  std::string problem;
  std::mutex mutex;
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
  devices.states.resize(devices.physical.size());
  if (!devices.physical.empty()) return;
  devices.problem =
      older.empty() ? "Vulkan finds no device. Install a driver (on Debian: apt-get install "
                      "mesa-vulkan-drivers, which "
                      "has one for the processor, too); `vulkaninfo --summary` shows what there is."
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

thread_local c10::DeviceIndex current = 0;

}  // namespace

DeviceState::DeviceState(VkPhysicalDevice physical_device, c10::DeviceIndex device_index)
    : physical(physical_device), index(device_index) {
  VkPhysicalDeviceIDProperties id{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ID_PROPERTIES};
  VkPhysicalDeviceMaintenance3Properties sizes{
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_3_PROPERTIES, &id};
  VkPhysicalDeviceProperties2 all{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, &sizes};
  vk().vkGetPhysicalDeviceProperties2(physical, &all);
  properties = all.properties;
  for (const uint8_t byte : properties.pipelineCacheUUID) {
    constexpr const char* kDigits = "0123456789abcdef";
    identity += {kDigits[byte >> 4], kDigits[byte & 15]};
  }
  const VkPhysicalDeviceLimits& limits = properties.limits;
  capabilities.max_invocations = limits.maxComputeWorkGroupInvocations;
  std::copy_n(limits.maxComputeWorkGroupCount, 3, capabilities.max_groups);
  capabilities.max_tensor_bytes =
      std::min<size_t>(limits.maxStorageBufferRange, sizes.maxMemoryAllocationSize);
  capabilities.offset_alignment = std::max<size_t>(256, limits.minStorageBufferOffsetAlignment);

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
  memory = std::make_unique<Memory>(*this);
  pipelines = std::make_unique<Pipelines>(*this);
  queue = std::make_unique<Queue>(*this);
  throw_validation_errors();
}

void DeviceState::check(VkResult result, const char* function) const {
  throw_validation_errors();
  if (result == VK_SUCCESS) return;
  TORCH_CHECK(
      result != VK_ERROR_DEVICE_LOST, "Vulkan device vulkan:", static_cast<int>(index), " (",
      properties.deviceName, ") was lost in ", function,
      ": its driver gave up, or it was removed. Its tensors are gone; start the program again.");
  TORCH_CHECK_WITH(OutOfMemoryError,
                   result != VK_ERROR_OUT_OF_DEVICE_MEMORY && result != VK_ERROR_OUT_OF_HOST_MEMORY,
                   "Vulkan out of memory on vulkan:", static_cast<int>(index), " (",
                   properties.deviceName, "): ", function, " returned ", result_name(result), ".");
  TORCH_CHECK(false, "Vulkan on vulkan:", static_cast<int>(index), " (", properties.deviceName,
              "): ", function, " returned ", result_name(result), " (", static_cast<int>(result),
              ").");
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
  TORCH_CHECK(false, "Vulkan device ", properties.deviceName, " has no memory with the flags ",
              flags, " for buffers.");
}

c10::DeviceIndex device_count() noexcept {
  return static_cast<c10::DeviceIndex>(devices().physical.size());
}

std::string why_unavailable() { return devices().problem; }

c10::DeviceIndex current_device() noexcept { return current; }

void set_current_device(c10::DeviceIndex index) {
  const c10::DeviceIndex count = device_count();
  TORCH_CHECK(count > 0, why_unavailable());
  TORCH_CHECK(index >= 0 && index < count, "There is no device vulkan:", static_cast<int>(index),
              ": Vulkan has ", static_cast<int>(count),
              ", vulkan:0 to vulkan:", static_cast<int>(count) - 1, ".");
  current = index;
}

DeviceState& device_state(c10::DeviceIndex index) {
  Devices& all = devices();
  TORCH_CHECK(all.problem.empty(), all.problem);
  if (index < 0) index = current;
  TORCH_CHECK(static_cast<size_t>(index) < all.physical.size(),
              "There is no device vulkan:", static_cast<int>(index), ": Vulkan has ",
              all.physical.size(), ", vulkan:0 to vulkan:", all.physical.size() - 1, ".");
  const std::lock_guard<std::mutex> lock(all.mutex);
  auto& state = all.states[static_cast<size_t>(index)];
  if (state == nullptr) {
    state = std::make_unique<DeviceState>(all.physical[static_cast<size_t>(index)], index);
  }
  return *state;
}

}  // namespace at::vulkan
