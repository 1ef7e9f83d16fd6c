#pragma once

// What a program asks of CUDA before it uses it.

#include <ATen/Context.h>
#include <c10/core/Device.h>
#include <c10/core/DeviceType.h>
#include <c10/core/impl/DeviceGuardImplInterface.h>
#include <c10/core/impl/VirtualGuardImpl.h>
#include <c10/util/Exception.h>

#include <cstddef>
#include <cstdint>

namespace torch::cuda {

/// How many GPUs there are; 0 in a build without CUDA.
inline size_t device_count() {
  if (!at::hasCUDA()) return 0;
  return static_cast<size_t>(c10::impl::VirtualGuardImpl(c10::DeviceType::CUDA).deviceCount());
}

inline bool is_available() { return device_count() > 0; }

/// Waits for all work of a GPU; -1 is the current one. Error without a GPU.
inline void synchronize(int64_t device_index = -1) {
  TORCH_CHECK(is_available(), "No CUDA GPUs are available");
  const c10::impl::VirtualGuardImpl impl(c10::DeviceType::CUDA);
  const auto index = static_cast<c10::DeviceIndex>(device_index);
  TORCH_CHECK(index < impl.deviceCount(), "Device index out of range: ", device_index);
  impl.synchronizeDevice(index < 0 ? impl.getDevice().index() : index);
}

}  // namespace torch::cuda
