#pragma once

// What Tensor::type() gives: element type and device, as code of the time before TensorOptions
// asks for them. `x.type().is_cuda()` is `x.is_cuda()`; AT_DISPATCH macros take x.type() too.

#include <c10/core/Backend.h>
#include <c10/core/DeviceType.h>
#include <c10/core/ScalarType.h>
#include <c10/core/TensorOptions.h>
#include <c10/macros/Export.h>

#include <string>

namespace at {

// An element type and a device type.
class DeprecatedTypeProperties {
 public:
  DeprecatedTypeProperties(ScalarType dtype, c10::DeviceType device)
      : dtype_(dtype), device_(device) {}

  ScalarType scalarType() const { return dtype_; }
  caffe2::TypeMeta typeMeta() const { return c10::scalarTypeToTypeMeta(dtype_); }
  c10::DeviceType device_type() const { return device_; }
  c10::Backend backend() const {
    return c10::dispatchKeyToBackend(
        c10::computeDispatchKey(dtype_, Layout::Strided, c10::Device(device_)));
  }
  Layout layout() const { return Layout::Strided; }
  bool is_cuda() const { return device_ == c10::DeviceType::CUDA; }
  bool is_cpu() const { return device_ == c10::DeviceType::CPU; }
  bool is_sparse() const { return false; }
  bool is_sparse_csr() const { return false; }
  c10::TensorOptions options(int16_t device_index = -1) const {
    return c10::TensorOptions().dtype(dtype_).device(
        c10::Device(device_, static_cast<c10::DeviceIndex>(device_index)));
  }
  DeprecatedTypeProperties& toBackend(c10::Backend backend) const;
  DeprecatedTypeProperties& toScalarType(ScalarType dtype) const;
  DeprecatedTypeProperties& cpu() const;
  DeprecatedTypeProperties& cuda() const;
  // CPUFloatType, CUDALongType.
  std::string toString() const {
    std::string device = c10::DeviceTypeName(device_, /*lower_case=*/false);
    return device + c10::toString(dtype_) + "Type";
  }

  // `at::zeros({2}, x.type())` and `y.to(x.type())`: the device is x's as well.
  operator c10::TensorOptions() const { return options(); }  // NOLINT(google-explicit-constructor)
  // For AT_DISPATCH_SWITCH.
  explicit operator ScalarType() const { return dtype_; }
  bool operator==(const DeprecatedTypeProperties& other) const = default;

 private:
  ScalarType dtype_;
  c10::DeviceType device_;
};

// There is one object of each pair, which lives as long as the program.
TORCH_API DeprecatedTypeProperties& getDeprecatedTypeProperties(ScalarType s,
                                                                c10::DeviceType device);
// The older at::device(kCPU).dtype(s).
inline DeprecatedTypeProperties& getDeprecatedTypeProperties(c10::Backend b, ScalarType s) {
  return getDeprecatedTypeProperties(s, c10::backendToDeviceType(b));
}
inline DeprecatedTypeProperties& CPU(ScalarType s) {
  return getDeprecatedTypeProperties(s, c10::DeviceType::CPU);
}
inline DeprecatedTypeProperties& CUDA(ScalarType s) {
  return getDeprecatedTypeProperties(s, c10::DeviceType::CUDA);
}

inline DeprecatedTypeProperties& DeprecatedTypeProperties::toBackend(c10::Backend backend) const {
  return getDeprecatedTypeProperties(backend, dtype_);
}
inline DeprecatedTypeProperties& DeprecatedTypeProperties::toScalarType(ScalarType dtype) const {
  return getDeprecatedTypeProperties(dtype, device_);
}
inline DeprecatedTypeProperties& DeprecatedTypeProperties::cpu() const { return CPU(dtype_); }
inline DeprecatedTypeProperties& DeprecatedTypeProperties::cuda() const { return CUDA(dtype_); }

}  // namespace at
