#pragma once

// A device that the compute shaders of aten/src/ATen/native/shaders run on. Vulkan and Metal are
// two ways to run them; kernels see neither.

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
#include <vector>

namespace at::shaders {

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
};

/// A quantity of memory, in bytes.
struct MemoryStats {
  size_t allocated = 0;
  size_t peak = 0;
  size_t reserved = 0;
  size_t budget = 0;
  /// The budget where no fraction was set.
  size_t recommended = 0;
};

/// Many megabytes of a device's memory, which tensors are parts of.
struct MemoryBlock {
  /// What tensors and their views count with, as with any pointer. Whether the host can read there
  /// is the device's affair.
  void* address = nullptr;
  /// The device's own name for it. With the last copy the memory goes back to the driver, once all
  /// work that was begun by then is done.
  std::shared_ptr<void> buffer;
};

/// Where memory with some address is: a part of a buffer.
struct Place {
  void* buffer = nullptr;
  size_t offset = 0;
};

class ComputeDevice;

/// Memory of a device. What is given back may be a new tensor's at once, for work is done in order.
class TORCH_API Memory {
 public:
  /// Takes at most `budget` bytes from the driver.
  Memory(ComputeDevice& device, size_t budget);
  /// At least `bytes`. Throws OutOfMemoryError with all sizes when the device or the budget has
  /// none.
  void* allocate(size_t bytes);
  void free(void* address) noexcept;
  /// The buffer of an address that `allocate` gave, or of one inside.
  Place find(const void* address) const;
  /// Lets go of what no tensor uses. The driver has it back when the device has next been waited
  /// for.
  void release_unused();
  MemoryStats stats() const;
  void reset_peak();
  /// Changes the budget to a share of the first one; 0 stands for no limit.
  void set_fraction(double fraction);

 private:
  struct Block {
    MemoryBlock memory;
    size_t size = 0;
    /// Free parts, and those in use: sizes by offset.
    std::map<size_t, size_t> unused;
    std::map<size_t, size_t> used;
  };
  void* take(size_t bytes);
  bool try_add_block(size_t bytes);
  void remove_unused_blocks();
  [[noreturn]] void throw_out_of_memory(size_t bytes) const;

  ComputeDevice& device_;
  mutable std::mutex mutex_;
  /// By address.
  std::map<uintptr_t, Block> blocks_;
  MemoryStats stats_;
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

/// The bindings of a shader: arguments, up to six tensors, and where a wrong index is reported.
constexpr size_t kBindings = 8;

/// One device, whose work is done in order. Functions that run something return before it is done.
class TORCH_API ComputeDevice {
 public:
  ComputeDevice(c10::DeviceType device_type, c10::DeviceIndex device_index);
  ComputeDevice(const ComputeDevice&) = delete;
  ComputeDevice& operator=(const ComputeDevice&) = delete;
  virtual ~ComputeDevice();

  /// Runs a shader in a grid of workgroups. The arguments begin with eight numbers, the first
  /// elements of the bindings, which this function writes; binding k of the list is the shader's
  /// binding k + 1.
  virtual void dispatch(const Shader& shader, c10::ArrayRef<Binding> bindings,
                        const void* arguments, size_t argument_bytes,
                        std::array<uint32_t, 3> groups) = 0;
  virtual void copy_from_host(void* to, const void* from, size_t bytes) = 0;
  /// Waits for all work.
  virtual void copy_to_host(void* to, const void* from, size_t bytes) = 0;
  virtual void copy_on_device(void* to, const void* from, size_t bytes) = 0;
  /// Waits for all work, and gives the driver back the blocks that were let go of. Throws
  /// IndexError for the first wrong index that a shader met.
  virtual void synchronize() = 0;
  /// Whether all work is done.
  virtual bool is_idle() = 0;
  /// A block of memory, without a buffer where the driver has none of this size.
  virtual MemoryBlock make_block(size_t bytes) = 0;

  /// As messages name it: "vulkan:0 (llvmpipe)".
  std::string name() const;

  const c10::DeviceType type;
  const c10::DeviceIndex index;
  /// What its maker calls it.
  std::string model;
  Capabilities capabilities;
  std::unique_ptr<Memory> memory;
};

/// Reads the four words that a shader writes for a wrong index: the text for an IndexError, or
/// nothing where the first is 0.
TORCH_API std::string index_error(const uint32_t (&words)[4]);

/// What a library of kernels is linked with: the devices that it runs on.
struct Backend {
  c10::DeviceType type;
  /// "Vulkan"
  const char* title;
  size_t count = 0;
  /// Empty, or why there are no devices and what to do about it.
  std::string problem;
  std::unique_ptr<ComputeDevice> (*make)(c10::DeviceIndex) = nullptr;
};

/// Defined by ATen/vulkan and by ATen/mps, found at the first call.
const Backend& backend();

/// How many devices there are; 0 where the backend does not work, and then `why_unavailable` says
/// why.
TORCH_API c10::DeviceIndex device_count() noexcept;
TORCH_API std::string why_unavailable();
/// A device, of the current index for -1; throws where there is none.
TORCH_API ComputeDevice& compute_device(c10::DeviceIndex index = -1);
TORCH_API c10::DeviceIndex current_device() noexcept;
TORCH_API void set_current_device(c10::DeviceIndex index);
/// The device of memory that a tensor has.
TORCH_API ComputeDevice& device_of_address(const void* address);

/// The limit that an environment variable sets, in bytes, or `otherwise`.
TORCH_API size_t memory_limit(const char* variable, size_t otherwise);

}  // namespace at::shaders
