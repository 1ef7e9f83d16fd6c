#pragma once

// What Tensor::type() gives: element type and device, as code of the time before TensorOptions
// asks for them. `x.type().is_cuda()` is `x.is_cuda()`; AT_DISPATCH macros take x.type() too.

#include <c10/core/Backend.h>
#include <c10/core/DeviceType.h>
#include <c10/core/ScalarType.h>
#include <c10/core/TensorOptions.h>

#include <string>

namespace at {

class DeprecatedTypeProperties {
 public:
  DeprecatedTypeProperties(ScalarType dtype, c10::DeviceType device)
      : dtype_(dtype), device_(device) {}

  ScalarType scalarType() const { return dtype_; }
  caffe2::TypeMeta typeMeta() const { return c10::scalarTypeToTypeMeta(dtype_); }
  c10::DeviceType device_type() const { return device_; }
  Layout layout() const { return Layout::Strided; }
  bool is_cuda() const { return device_ == c10::DeviceType::CUDA; }
  bool is_cpu() const { return device_ == c10::DeviceType::CPU; }
  bool is_sparse() const { return false; }
  c10::TensorOptions options() const { return c10::TensorOptions().dtype(dtype_).device(device_); }
  // CPUFloatType, CUDALongType.
  std::string toString() const {
    std::string device = c10::DeviceTypeName(device_, /*lower_case=*/false);
    return device + c10::toString(dtype_) + "Type";
  }

  operator ScalarType() const { return dtype_; }  // NOLINT(google-explicit-constructor): macros
  bool operator==(const DeprecatedTypeProperties& other) const = default;

 private:
  ScalarType dtype_;
  c10::DeviceType device_;
};

}  // namespace at
