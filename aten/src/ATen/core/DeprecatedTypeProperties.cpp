#include <ATen/core/DeprecatedTypeProperties.h>

#include <ATen/core/Tensor.h>
#include <ATen/ops/to_ops.h>
#include <c10/core/Backend.h>
#include <c10/core/DeviceType.h>
#include <c10/core/ScalarType.h>

#include <memory>
#include <mutex>
#include <optional>
#include <unordered_map>

namespace at {

DeprecatedTypeProperties& getDeprecatedTypeProperties(ScalarType s, c10::DeviceType device) {
  static auto& mutex = *new std::mutex;
  static auto& table = *new std::unordered_map<int, std::unique_ptr<DeprecatedTypeProperties>>;
  const std::lock_guard<std::mutex> lock(mutex);
  std::unique_ptr<DeprecatedTypeProperties>& entry =
      table[static_cast<int>(device) * 256 + static_cast<int>(s)];
  if (!entry) entry = std::make_unique<DeprecatedTypeProperties>(s, device);
  return *entry;
}

Tensor Tensor::toBackend(Backend b) const {
  return _ops::to_dtype_layout::call(*this, scalar_type(), std::nullopt,
                                     Device(c10::backendToDeviceType(b)), std::nullopt, false,
                                     false, std::nullopt);
}

}  // namespace at
