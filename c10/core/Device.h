#pragma once

#include <c10/core/DeviceType.h>
#include <c10/macros/Macros.h>
#include <c10/util/Exception.h>

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <string>

namespace c10 {

/// The number of a device among those of its type, from 0; -1 means the current device.
using DeviceIndex = int8_t;

/// Where a tensor's data is: a device type and an index. The index of the CPU is -1 or 0.
///
///   c10::Device gpu("cuda:1");
///   if (gpu.is_cuda()) gpu.set_index(0);
struct C10_API Device final {
  using Type = DeviceType;

  /* implicit */ Device(DeviceType type, DeviceIndex index = -1) : type_(type), index_(index) {
    validate();
  }
  /// Parses "cpu", "cuda" or "cuda:1". Throws c10::Error, which lists the known types, for other
  /// texts.
  /* implicit */ Device(const std::string& device_string);

  bool operator==(const Device& other) const noexcept = default;

  void set_index(DeviceIndex index) { index_ = index; }
  DeviceType type() const noexcept { return type_; }
  DeviceIndex index() const noexcept { return index_; }
  /// False if the index is -1: the current device.
  bool has_index() const noexcept { return index_ != -1; }

  bool is_cpu() const noexcept { return type_ == DeviceType::CPU; }
  bool is_cuda() const noexcept { return type_ == DeviceType::CUDA; }
  bool is_hip() const noexcept { return type_ == DeviceType::HIP; }
  bool is_xpu() const noexcept { return type_ == DeviceType::XPU; }
  bool is_mps() const noexcept { return type_ == DeviceType::MPS; }
  bool is_vulkan() const noexcept { return type_ == DeviceType::Vulkan; }
  bool is_meta() const noexcept { return type_ == DeviceType::Meta; }
  bool is_privateuseone() const noexcept { return type_ == DeviceType::PrivateUse1; }

  /// Whether tensors on this device may be strided views.
  bool supports_as_strided() const noexcept { return type_ != DeviceType::Vulkan; }

  /// "cpu" or "cuda:1".
  std::string str() const;

 private:
  void validate() const {
    // Checked in debug builds alone: devices are made on hot paths.
    TORCH_INTERNAL_ASSERT_DEBUG_ONLY(index_ >= -1, "Device index must be -1 or non-negative, got ",
                                     static_cast<int>(index_));
    TORCH_INTERNAL_ASSERT_DEBUG_ONLY(!is_cpu() || index_ <= 0,
                                     "CPU device index must be -1 or zero, got ",
                                     static_cast<int>(index_));
  }

  DeviceType type_;
  DeviceIndex index_ = -1;
};

C10_API std::ostream& operator<<(std::ostream& stream, const Device& device);

}  // namespace c10

template <>
struct std::hash<c10::Device> {
  size_t operator()(c10::Device d) const noexcept {
    return static_cast<size_t>(static_cast<uint8_t>(d.type())) << 8 |
           static_cast<size_t>(static_cast<uint8_t>(d.index()));
  }
};
