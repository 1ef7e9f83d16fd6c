#pragma once

// Devices that Vulkan computes on, their memory and their queue.

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

/// What a device can do.
struct Capabilities {
  bool float16 = false;
  bool int64 = false;
  bool int8 = false;
  bool int16 = false;
  uint32_t max_invocations = 128;
  /// Workgroups in the first, second and third dimension.
  uint32_t max_groups[3] = {65535, 65535, 65535};
  /// Bytes of one tensor: what a shader can be given at once.
  size_t max_tensor_bytes = 0;
  size_t offset_alignment = 256;
};

/// Where memory with some address is: a part of a buffer.
struct Place {
  VkBuffer buffer = VK_NULL_HANDLE;
  size_t offset = 0;
};

/// A quantity of memory, in bytes.
struct MemoryStats {
  size_t allocated = 0;
  size_t peak = 0;
  size_t reserved = 0;
  size_t budget = 0;
};

class DeviceState;

/// Memory of a device: buffers of many megabytes, of which tensors are parts.
///
/// An address is a number in a range that the process has set aside and that nothing can be read
/// at: tensors and their views count with it as with any pointer, and a kernel that is given one
/// finds its buffer. What is given back may be a new tensor's at once, for the queue works in
/// order.
class TORCH_API Memory {
 public:
  explicit Memory(DeviceState& device);
  /// At least `bytes`. Throws OutOfMemoryError with all sizes when the device or the budget has
  /// none.
  void* allocate(size_t bytes);
  void free(void* address) noexcept;
  /// The buffer of an address that `allocate` gave, or of one inside.
  Place find(const void* address) const;
  /// Gives the driver back what no tensor uses. The queue must be idle.
  void release_unused();
  MemoryStats stats() const;
  void reset_peak();

 private:
  struct Block {
    VkBuffer buffer = VK_NULL_HANDLE;
    VkDeviceMemory memory = VK_NULL_HANDLE;
    size_t size = 0;
    /// Free parts, and those in use: sizes by offset.
    std::map<size_t, size_t> unused;
    std::map<size_t, size_t> used;
  };
  void* take(size_t bytes);
  bool try_add_block(size_t bytes);
  void remove_unused_blocks();
  [[noreturn]] void throw_out_of_memory(size_t bytes) const;

  DeviceState& device_;
  mutable std::mutex mutex_;
  /// By address.
  std::map<uintptr_t, Block> blocks_;
  uint32_t type_ = 0;
  MemoryStats stats_;
};

/// Memory that the host writes and reads, too.
struct HostBuffer {
  VkBuffer buffer = VK_NULL_HANDLE;
  VkDeviceMemory memory = VK_NULL_HANDLE;
  std::byte* data = nullptr;
  size_t size = 0;
};

/// An argument of a shader: the tensor's first element.
struct Binding {
  const void* address = nullptr;
  /// Bytes of an element.
  size_t element_size = 4;
};

/// A shader with its constants.
struct Shader {
  std::string name;
  /// The size of a workgroup, then what the shader's source declares.
  std::vector<uint32_t> constants;
};

/// The work of a device in order. Dispatches are recorded, and submitted some at a time.
class TORCH_API Queue {
 public:
  explicit Queue(DeviceState& device);
  /// Runs a shader in a grid of workgroups. The arguments begin with eight numbers, the first
  /// elements of the bindings, which this function writes; binding k of the list is the shader's
  /// binding k + 1.
  void dispatch(const Shader& shader, c10::ArrayRef<Binding> bindings, const void* arguments,
                size_t argument_bytes, std::array<uint32_t, 3> groups);
  void copy_from_host(void* to, const void* from, size_t bytes);
  /// Waits for all work.
  void copy_to_host(void* to, const void* from, size_t bytes);
  void copy_on_device(void* to, const void* from, size_t bytes);
  void synchronize();
  /// Whether all work is done.
  bool is_idle();

 private:
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
  void destroy(HostBuffer& buffer) noexcept;
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
};

/// Compiled shaders, one for each set of constants; a file keeps what the driver made of them.
class TORCH_API Pipelines {
 public:
  explicit Pipelines(DeviceState& device);
  VkPipeline get(const Shader& shader);
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
};

/// One device.
class TORCH_API DeviceState {
 public:
  DeviceState(VkPhysicalDevice physical, c10::DeviceIndex index);
  DeviceState(const DeviceState&) = delete;
  DeviceState& operator=(const DeviceState&) = delete;

  const Functions& vk() const { return instance().functions; }
  /// Throws for a result that is no success.
  void check(VkResult result, const char* function) const;
  /// The first type of memory of `allowed` with all of `flags`, and if there is, with `liked`, too.
  uint32_t memory_type(uint32_t allowed, VkMemoryPropertyFlags flags,
                       VkMemoryPropertyFlags liked) const;

  VkPhysicalDevice physical = VK_NULL_HANDLE;
  c10::DeviceIndex index = 0;
  VkPhysicalDeviceProperties properties{};
  std::string identity;
  Capabilities capabilities;
  bool tells_budget = false;
  VkDevice handle = VK_NULL_HANDLE;
  uint32_t queue_family = 0;
  VkQueue queue_handle = VK_NULL_HANDLE;
  std::unique_ptr<Memory> memory;
  std::unique_ptr<Pipelines> pipelines;
  std::unique_ptr<Queue> queue;
};

/// How many devices there are; 0 where Vulkan does not work, and then `why_unavailable` says why.
TORCH_API c10::DeviceIndex device_count() noexcept;
TORCH_API std::string why_unavailable();
/// A device, of the current index for -1; throws where there is none.
TORCH_API DeviceState& device_state(c10::DeviceIndex index = -1);
TORCH_API c10::DeviceIndex current_device() noexcept;
TORCH_API void set_current_device(c10::DeviceIndex index);
/// The device of memory that a tensor has.
TORCH_API DeviceState& device_of_address(const void* address);

}  // namespace at::vulkan
