#include <ATen/vulkan/Device.h>
#include <ATen/vulkan/ShaderCases.h>
#include <ATen/vulkan/ShaderTable.h>

#include <c10/util/Exception.h>

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string_view>

#include <unistd.h>

namespace at::vulkan {
namespace {

namespace fs = std::filesystem;

constexpr uint32_t kBindings = shaders::kBindings;

std::vector<char> read(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

}  // namespace

const ShaderBinary& shader_binary(std::string_view name) {
  const auto* const end = kShaders + kShaderCount;
  const auto* const found =
      std::find_if(kShaders, end, [name](const ShaderBinary& s) { return name == s.name; });
  TORCH_INTERNAL_ASSERT(found != end, "there is no shader ", std::string(name));
  return *found;
}

Pipelines::Pipelines(DeviceState& device) : device_(device) {
  std::array<VkDescriptorSetLayoutBinding, kBindings> bindings{};
  for (uint32_t i = 0; i < kBindings; ++i) {
    bindings[i] = {i, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT, nullptr};
  }
  VkDescriptorSetLayoutCreateInfo set{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO};
  set.bindingCount = kBindings;
  set.pBindings = bindings.data();
  device.check(device.vk().vkCreateDescriptorSetLayout(device.handle, &set, nullptr, &set_layout_),
               "vkCreateDescriptorSetLayout");
  VkPipelineLayoutCreateInfo layout{VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO};
  layout.setLayoutCount = 1;
  layout.pSetLayouts = &set_layout_;
  device.check(device.vk().vkCreatePipelineLayout(device.handle, &layout, nullptr, &layout_),
               "vkCreatePipelineLayout");
  // The driver checks the file's header; what is not its own it passes over.
  const std::string path = file();
  const std::vector<char> kept = path.empty() ? std::vector<char>() : read(path);
  VkPipelineCacheCreateInfo cache{VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO};
  saved_bytes_ = kept.size();
  cache.initialDataSize = kept.size();
  cache.pInitialData = kept.data();
  VkResult made = device.vk().vkCreatePipelineCache(device.handle, &cache, nullptr, &cache_);
  if (made != VK_SUCCESS) {
    cache.initialDataSize = 0;
    made = device.vk().vkCreatePipelineCache(device.handle, &cache, nullptr, &cache_);
  }
  device.check(made, "vkCreatePipelineCache");
}

std::string Pipelines::file() const {
  const char* home = std::getenv("HOME");
  const char* cache = std::getenv("XDG_CACHE_HOME");
  fs::path folder;
  if (cache != nullptr && *cache == '/') {
    folder = cache;
  } else if (home != nullptr && *home == '/') {
    folder = fs::path(home) / ".cache";
  } else {
    return "";
  }
  return folder / "torch" / "vulkan" / (device_.identity + ".pipelines");
}

VkPipeline Pipelines::get(const shaders::Shader& shader) {
  const std::lock_guard<std::mutex> lock(mutex_);
  auto key = std::pair(shader.name, shader.constants);
  const auto known = pipelines_.find(key);
  if (known != pipelines_.end()) return known->second;
  const ShaderBinary& binary = shader_binary(shader.name);
  const std::vector<uint32_t> code = chosen_cases({binary.code, binary.words}, shader.constants);
  VkShaderModuleCreateInfo module_info{VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO};
  module_info.codeSize = code.size() * sizeof(uint32_t);
  module_info.pCode = code.data();
  VkShaderModule module = VK_NULL_HANDLE;
  device_.check(device_.vk().vkCreateShaderModule(device_.handle, &module_info, nullptr, &module),
                "vkCreateShaderModule");
  std::vector<VkSpecializationMapEntry> entries;
  for (uint32_t i = 0; i < shader.constants.size(); ++i) {
    entries.push_back({i, i * uint32_t{sizeof(uint32_t)}, sizeof(uint32_t)});
  }
  VkSpecializationInfo constants{};
  constants.mapEntryCount = static_cast<uint32_t>(entries.size());
  constants.pMapEntries = entries.data();
  constants.dataSize = shader.constants.size() * sizeof(uint32_t);
  constants.pData = shader.constants.data();
  VkComputePipelineCreateInfo info{VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO};
  info.stage.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
  info.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
  info.stage.module = module;
  info.stage.pName = "main";
  info.stage.pSpecializationInfo = &constants;
  info.layout = layout_;
  VkPipeline pipeline = VK_NULL_HANDLE;
  const VkResult made =
      device_.vk().vkCreateComputePipelines(device_.handle, cache_, 1, &info, nullptr, &pipeline);
  device_.vk().vkDestroyShaderModule(device_.handle, module, nullptr);
  device_.check(made, "vkCreateComputePipelines");
  pipelines_.emplace(std::move(key), pipeline);
  changed_ = true;
  return pipeline;
}

void Pipelines::save() noexcept {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (!changed_) return;
  changed_ = false;
  try {
    const fs::path path = file();
    if (path.empty()) return;
    size_t bytes = 0;
    device_.vk().vkGetPipelineCacheData(device_.handle, cache_, &bytes, nullptr);
    // What the file had makes no other: each pipeline that is new makes it longer.
    if (bytes == saved_bytes_) return;
    std::vector<char> data(bytes);
    if (device_.vk().vkGetPipelineCacheData(device_.handle, cache_, &bytes, data.data()) !=
        VK_SUCCESS) {
      return;
    }
    fs::create_directories(path.parent_path());
    // Another process reads the whole of it or nothing.
    const fs::path temporary = path.string() + "." + std::to_string(getpid());
    {
      std::ofstream stream(temporary, std::ios::binary);
      stream.write(data.data(), static_cast<std::streamsize>(bytes));
      if (!stream.good()) {
        stream.close();
        fs::remove(temporary);
        return;
      }
    }
    fs::rename(temporary, path);
    saved_bytes_ = bytes;
  } catch (const std::exception&) {
    // A cache that cannot be written is a slower start, and no mistake.
  }
}

}  // namespace at::vulkan
