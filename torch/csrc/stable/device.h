#pragma once

#include <torch/csrc/stable/accelerator.h>
#include <torch/csrc/stable/c/shim.h>
#include <torch/csrc/stable/macros.h>
#include <torch/headeronly/core/DeviceType.h>
#include <torch/headeronly/macros/Macros.h>
#include <torch/headeronly/util/Exception.h>

#include <cstdint>
#include <string>

HIDDEN_NAMESPACE_BEGIN(torch, stable)

using accelerator::DeviceIndex;
using torch::headeronly::DeviceType;

/// A kind of device and an index; -1 is the current one of its kind.
class Device {
 public:
  /// std::runtime_error for an index below -1, and for one above 0 on the CPU.
  /* implicit */ Device(DeviceType type, DeviceIndex index = -1) : type_(type), index_(index) {
    STD_TORCH_CHECK(index_ >= -1, "Device index must be -1 or non-negative, got ", index_);
    STD_TORCH_CHECK(type_ != DeviceType::CPU || index_ <= 0,
                    "CPU device index must be -1 or zero, got ", index_);
  }
  /// From "cpu" or "cuda:1"; std::runtime_error for another text.
  /* implicit */ Device(const std::string& device_string) : Device(parse(device_string)) {}

  DeviceType type() const noexcept { return type_; }
  DeviceIndex index() const noexcept { return index_; }
  void set_index(DeviceIndex index) { *this = Device(type_, index); }
  bool has_index() const noexcept { return index_ != -1; }
  bool is_cuda() const noexcept { return type_ == DeviceType::CUDA; }
  bool is_cpu() const noexcept { return type_ == DeviceType::CPU; }
  bool operator==(const Device& other) const noexcept = default;

 private:
  static Device parse(const std::string& text) {
    uint32_t type;
    int32_t index;
    STABLE_TORCH_ERROR_CODE_CHECK(torch_parse_device_string(text.c_str(), &type, &index));
    return Device(static_cast<DeviceType>(type), index);
  }

  DeviceType type_;
  DeviceIndex index_;
};

HIDDEN_NAMESPACE_END(torch, stable)
