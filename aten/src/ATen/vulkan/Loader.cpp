#include <ATen/vulkan/Loader.h>

#include <c10/util/Exception.h>

#include <dlfcn.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <vector>

namespace at::vulkan {
namespace {

constexpr const char* kValidationLayer = "VK_LAYER_KHRONOS_validation";

std::mutex validation_mutex;
std::string validation_errors;

VKAPI_ATTR VkBool32 VKAPI_CALL note_validation(VkDebugUtilsMessageSeverityFlagBitsEXT,
                                               VkDebugUtilsMessageTypeFlagsEXT,
                                               const VkDebugUtilsMessengerCallbackDataEXT* data,
                                               void*) {
  const std::lock_guard<std::mutex> lock(validation_mutex);
  validation_errors += std::string(data->pMessage) + "\n";
  return VK_FALSE;
}

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

bool has_layer(PFN_vkEnumerateInstanceLayerProperties enumerate) {
  uint32_t count = 0;
  enumerate(&count, nullptr);
  std::vector<VkLayerProperties> layers(count);
  enumerate(&count, layers.data());
  return std::any_of(layers.begin(), layers.end(), [](const VkLayerProperties& layer) {
    return std::strcmp(layer.layerName, kValidationLayer) == 0;
  });
}

Instance make_instance() {
  Instance result;
  const std::string chosen = environment("TORCH_VULKAN_LIBRARY");
#if defined(__APPLE__)
  const std::string library = chosen.empty() ? "libvulkan.1.dylib" : chosen;
#else
  const std::string library = chosen.empty() ? "libvulkan.so.1" : chosen;
#endif
  void* loader = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (loader == nullptr) {
    result.problem =
        "There is no Vulkan loader: " + library +
        " cannot be opened. Install it (on Debian: apt-get install libvulkan1 mesa-vulkan-drivers), or name it: TORCH_VULKAN_LIBRARY=/path/to/libvulkan.so.1";
    return result;
  }
  const auto get =
      reinterpret_cast<PFN_vkGetInstanceProcAddr>(dlsym(loader, "vkGetInstanceProcAddr"));
  if (get == nullptr) {
    result.problem =
        library +
        " is no Vulkan loader: it has no vkGetInstanceProcAddr. Unset TORCH_VULKAN_LIBRARY, or name the loader.";
    return result;
  }
  const auto version =
      reinterpret_cast<PFN_vkEnumerateInstanceVersion>(get(nullptr, "vkEnumerateInstanceVersion"));
  uint32_t supported = VK_API_VERSION_1_0;
  if (version != nullptr) version(&supported);
  if (supported < VK_API_VERSION_1_2) {
    result.problem = "The Vulkan loader " + library + " is of version 1." +
                     std::to_string(VK_API_VERSION_MINOR(supported)) +
                     ", and Vulkan 1.2 or later is needed. Install a newer one.";
    return result;
  }
  std::vector<const char*> layers;
  std::vector<const char*> extensions;
  if (environment("TORCH_VULKAN_VALIDATION") == "1") {
    if (!has_layer(reinterpret_cast<PFN_vkEnumerateInstanceLayerProperties>(
            get(nullptr, "vkEnumerateInstanceLayerProperties")))) {
      result.problem =
          "TORCH_VULKAN_VALIDATION is 1, and there is no validation layer. Install it (on Debian: "
          "apt-get install vulkan-validationlayers), or unset the variable.";
      return result;
    }
    layers.push_back(kValidationLayer);
    extensions.push_back(VK_EXT_DEBUG_UTILS_EXTENSION_NAME);
    result.validates = true;
  }
  VkApplicationInfo application{VK_STRUCTURE_TYPE_APPLICATION_INFO};
  application.pApplicationName = "torch";
  application.apiVersion = VK_API_VERSION_1_2;
  VkDebugUtilsMessengerCreateInfoEXT messenger{
      VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT};
  messenger.messageSeverity = VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT;
  messenger.messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT;
  messenger.pfnUserCallback = &note_validation;
  VkInstanceCreateInfo info{VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO};
  info.pNext = result.validates ? &messenger : nullptr;
  info.pApplicationInfo = &application;
  info.enabledLayerCount = static_cast<uint32_t>(layers.size());
  info.ppEnabledLayerNames = layers.data();
  info.enabledExtensionCount = static_cast<uint32_t>(extensions.size());
  info.ppEnabledExtensionNames = extensions.data();
  const auto create = reinterpret_cast<PFN_vkCreateInstance>(get(nullptr, "vkCreateInstance"));
  const VkResult made = create(&info, nullptr, &result.handle);
  if (made != VK_SUCCESS) {
    result.handle = VK_NULL_HANDLE;
    result.problem =
        std::string("The Vulkan loader finds no driver that works (vkCreateInstance: ") +
        result_name(made) +
        "). Install one (on Debian: apt-get install mesa-vulkan-drivers, which has one for the processor, too); `vulkaninfo --summary` shows what there is.";
    return result;
  }
#define AT_LOAD_VULKAN_FUNCTION(name) \
  result.functions.name = reinterpret_cast<PFN_##name>(get(result.handle, #name));
  AT_FORALL_VULKAN_FUNCTIONS(AT_LOAD_VULKAN_FUNCTION)
#undef AT_LOAD_VULKAN_FUNCTION
  if (result.validates) {
    const auto listen = reinterpret_cast<PFN_vkCreateDebugUtilsMessengerEXT>(
        get(result.handle, "vkCreateDebugUtilsMessengerEXT"));
    VkDebugUtilsMessengerEXT unused = VK_NULL_HANDLE;
    listen(result.handle, &messenger, nullptr, &unused);
  }
  return result;
}

}  // namespace

Instance& instance() {
  // Never destroyed: tensors may outlive what runs at exit.
  static Instance& result = *new Instance(make_instance());
  return result;
}

void throw_validation_errors() {
  if (!instance().validates) return;
  std::string errors;
  {
    const std::lock_guard<std::mutex> lock(validation_mutex);
    errors.swap(validation_errors);
  }
  TORCH_CHECK(errors.empty(), "Vulkan's validation layer says:\n", errors);
}

const char* result_name(VkResult result) {
#define AT_NAME_VULKAN_RESULT(name) \
  case name:                        \
    return #name;
  switch (result) {
    AT_NAME_VULKAN_RESULT(VK_SUCCESS)
    AT_NAME_VULKAN_RESULT(VK_NOT_READY)
    AT_NAME_VULKAN_RESULT(VK_TIMEOUT)
    AT_NAME_VULKAN_RESULT(VK_ERROR_OUT_OF_HOST_MEMORY)
    AT_NAME_VULKAN_RESULT(VK_ERROR_OUT_OF_DEVICE_MEMORY)
    AT_NAME_VULKAN_RESULT(VK_ERROR_INITIALIZATION_FAILED)
    AT_NAME_VULKAN_RESULT(VK_ERROR_DEVICE_LOST)
    AT_NAME_VULKAN_RESULT(VK_ERROR_LAYER_NOT_PRESENT)
    AT_NAME_VULKAN_RESULT(VK_ERROR_EXTENSION_NOT_PRESENT)
    AT_NAME_VULKAN_RESULT(VK_ERROR_FEATURE_NOT_PRESENT)
    AT_NAME_VULKAN_RESULT(VK_ERROR_INCOMPATIBLE_DRIVER)
    AT_NAME_VULKAN_RESULT(VK_ERROR_TOO_MANY_OBJECTS)
    default:
      return "an error that has no name here";
  }
#undef AT_NAME_VULKAN_RESULT
}

}  // namespace at::vulkan
