#pragma once

// The functions of Vulkan's loader, which is a library that is looked for when the first tensor is
// made: nothing here is linked with it, so that a program starts without one.

#include <c10/macros/Export.h>

#define VK_NO_PROTOTYPES
#include <vulkan/vulkan.h>

#include <string>

namespace at::vulkan {

#define AT_FORALL_VULKAN_FUNCTIONS(_)         \
  _(vkAllocateCommandBuffers)                 \
  _(vkAllocateDescriptorSets)                 \
  _(vkAllocateMemory)                         \
  _(vkBeginCommandBuffer)                     \
  _(vkBindBufferMemory)                       \
  _(vkCmdBindDescriptorSets)                  \
  _(vkCmdBindPipeline)                        \
  _(vkCmdCopyBuffer)                          \
  _(vkCmdDispatch)                            \
  _(vkCmdPipelineBarrier)                     \
  _(vkCreateBuffer)                           \
  _(vkCreateCommandPool)                      \
  _(vkCreateComputePipelines)                 \
  _(vkCreateDescriptorPool)                   \
  _(vkCreateDescriptorSetLayout)              \
  _(vkCreateDevice)                           \
  _(vkCreateFence)                            \
  _(vkCreatePipelineCache)                    \
  _(vkCreatePipelineLayout)                   \
  _(vkCreateShaderModule)                     \
  _(vkDestroyBuffer)                          \
  _(vkDestroyShaderModule)                    \
  _(vkEndCommandBuffer)                       \
  _(vkEnumerateDeviceExtensionProperties)     \
  _(vkEnumeratePhysicalDevices)               \
  _(vkFreeMemory)                             \
  _(vkGetBufferMemoryRequirements)            \
  _(vkGetDeviceQueue)                         \
  _(vkGetFenceStatus)                         \
  _(vkGetPhysicalDeviceFeatures2)             \
  _(vkGetPhysicalDeviceMemoryProperties2)     \
  _(vkGetPhysicalDeviceProperties2)           \
  _(vkGetPhysicalDeviceQueueFamilyProperties) \
  _(vkGetPipelineCacheData)                   \
  _(vkMapMemory)                              \
  _(vkQueueSubmit)                            \
  _(vkResetCommandBuffer)                     \
  _(vkResetDescriptorPool)                    \
  _(vkResetFences)                            \
  _(vkUpdateDescriptorSets)                   \
  _(vkWaitForFences)

/// The functions of the driver that the loader finds.
struct Functions {
#define AT_DECLARE_VULKAN_FUNCTION(name) PFN_##name name = nullptr;
  AT_FORALL_VULKAN_FUNCTIONS(AT_DECLARE_VULKAN_FUNCTION)
#undef AT_DECLARE_VULKAN_FUNCTION
};

/// What an instance gives, or why there is none.
struct Instance {
  Functions functions;
  VkInstance handle = VK_NULL_HANDLE;
  bool validates = false;
  /// Empty, or what is missing and what to do about it.
  std::string problem;
};

/// The instance of this process, made at the first call. TORCH_VULKAN_LIBRARY names another loader
/// than the system's; TORCH_VULKAN_VALIDATION=1 turns on the validation layer, whose errors are
/// then thrown.
TORCH_API Instance& instance();

/// Throws what the validation layer has said since the last call; nothing where it is off.
TORCH_API void throw_validation_errors();

/// "VK_ERROR_DEVICE_LOST"
TORCH_API const char* result_name(VkResult result);

}  // namespace at::vulkan
