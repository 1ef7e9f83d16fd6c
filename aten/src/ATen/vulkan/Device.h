#pragma once

// Devices that Vulkan computes on, and their queue.

#include <ATen/shaders/Device.h>
#include <ATen/vulkan/Loader.h>
#include <c10/core/Device.h>
#include <c10/macros/Export.h>
#include <c10/util/ArrayRef.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace at::vulkan {

class DeviceState;

/// A block of memory of a device: its `MemoryBlock::buffer`. Addresses are those of a range that
/// the process has set aside and that nothing can be read at.
struct Buffer {
  explicit Buffer(DeviceState& owner) : device(owner) {}
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  ~Buffer();

  DeviceState& device;
  VkBuffer buffer = VK_NULL_HANDLE;
  VkDeviceMemory memory = VK_NULL_HANDLE;
  void* address = nullptr;
  size_t size = 0;
};

/// Memory that the host writes and reads, too.
struct HostBuffer {
  VkBuffer buffer = VK_NULL_HANDLE;
  VkDeviceMemory memory = VK_NULL_HANDLE;
  std::byte* data = nullptr;
  size_t size = 0;
};

/// The work of a device in order. Dispatches are recorded, and submitted some at a time.
/// Its functions are those of ComputeDevice.
class TORCH_API Queue {
 public:
  explicit Queue(DeviceState& device);
  void dispatch(const shaders::Shader& shader, c10::ArrayRef<shaders::Binding> bindings,
                const void* arguments, size_t argument_bytes, std::array<uint32_t, 3> groups);
  void copy_from_host(void* to, const void* from, size_t bytes);
  void copy_to_host(void* to, const void* from, size_t bytes);
  void copy_on_device(void* to, const void* from, size_t bytes);
  void synchronize();
  bool is_idle();
  /// Destroys what work may still use when all that was begun by now is done. Takes no lock of the
  /// memory's, which may be held.
  void retire(VkBuffer buffer, VkDeviceMemory memory, void* address, size_t size) noexcept;

 private:
  struct Retired {
    VkBuffer buffer;
    VkDeviceMemory memory;
    void* address;
    size_t size;
  };
  struct Batch {
    VkCommandBuffer commands = VK_NULL_HANDLE;
    VkFence fence = VK_NULL_HANDLE;
    VkDescriptorPool descriptors = VK_NULL_HANDLE;
    /// A word that shaders write when an index is wrong, and the arguments of the dispatches.
    HostBuffer arguments;
    size_t used = 0;
    int dispatches = 0;
    bool pending = false;
    std::vector<HostBuffer> staging;
  };
  Batch& recording();
  void order();
  void submit();
  void wait(Batch& batch);
  void wait_for_all();
  HostBuffer& stage(Batch& batch, size_t bytes);
  HostBuffer make_host_buffer(size_t bytes);
  void fill_host_buffer(HostBuffer& result, size_t bytes);
  void destroy(HostBuffer& buffer) noexcept;
  void destroy(const Retired& block) noexcept;
  void check(VkResult result, const char* function);

  DeviceState& device_;
  std::mutex mutex_;
  VkCommandPool pool_ = VK_NULL_HANDLE;
  std::vector<std::unique_ptr<Batch>> batches_;
  Batch* current_ = nullptr;
  size_t next_ = 0;
  uint32_t host_type_ = 0;
  bool lost_ = false;
  std::string index_error_;
  std::mutex retired_mutex_;
  std::vector<Retired> retired_;
};

/// Compiled shaders, one for each set of constants; a file keeps what the driver made of them.
class TORCH_API Pipelines {
 public:
  explicit Pipelines(DeviceState& device);
  VkPipeline get(const shaders::Shader& shader);
  VkPipelineLayout layout() const { return layout_; }
  VkDescriptorSetLayout set_layout() const { return set_layout_; }
  /// Writes the file if there is anything new.
  void save() noexcept;
  /// Where it is: in XDG_CACHE_HOME, by the device's and the driver's identity.
  std::string file() const;

 private:
  DeviceState& device_;
  std::mutex mutex_;
  VkDescriptorSetLayout set_layout_ = VK_NULL_HANDLE;
  VkPipelineLayout layout_ = VK_NULL_HANDLE;
  VkPipelineCache cache_ = VK_NULL_HANDLE;
  std::map<std::pair<std::string, std::vector<uint32_t>>, VkPipeline> pipelines_;
  bool changed_ = false;
  /// Of the file, as far as is known.
  size_t saved_bytes_ = 0;
};

/// One device.
class TORCH_API DeviceState final : public shaders::ComputeDevice {
 public:
  DeviceState(VkPhysicalDevice physical_device, c10::DeviceIndex device_index);
  ~DeviceState() override;

  void dispatch(const shaders::Shader& shader, c10::ArrayRef<shaders::Binding> bindings,
                const void* arguments, size_t argument_bytes,
                std::array<uint32_t, 3> groups) override;
  void copy_from_host(void* to, const void* from, size_t bytes) override;
  void copy_to_host(void* to, const void* from, size_t bytes) override;
  void copy_on_device(void* to, const void* from, size_t bytes) override;
  void synchronize() override;
  bool is_idle() override;
  shaders::MemoryBlock make_block(size_t bytes) override;

  const Functions& vk() const { return instance().functions; }
  /// Throws for a result that is no success.
  void check(VkResult result, const char* function) const;
  /// The first type of memory of `allowed` with all of `flags`, and if there is, with `liked`, too.
  uint32_t memory_type(uint32_t allowed, VkMemoryPropertyFlags flags,
                       VkMemoryPropertyFlags liked) const;

  VkPhysicalDevice physical = VK_NULL_HANDLE;
  std::string identity;
  /// What a binding's offset in its buffer is a multiple of.
  size_t offset_alignment = 256;
  bool tells_budget = false;
  VkDevice handle = VK_NULL_HANDLE;
  uint32_t queue_family = 0;
  VkQueue queue_handle = VK_NULL_HANDLE;
  std::unique_ptr<Pipelines> pipelines;
  std::unique_ptr<Queue> queue;

 private:
  VkBuffer make_buffer(size_t bytes) const;
  /// What the driver gives tensors, in bytes.
  size_t find_memory();
  uint32_t tensor_memory_type_ = 0;
};

/// A device, of the current index for -1; throws where there is none.
TORCH_API DeviceState& device_state(c10::DeviceIndex index = -1);

}  // namespace at::vulkan
