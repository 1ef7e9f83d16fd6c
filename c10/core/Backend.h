#pragma once

#include <c10/core/DeviceType.h>
#include <c10/core/DispatchKey.h>
#include <c10/util/Exception.h>

// The older name for "where a tensor computes", one value a dense backend. New code uses
// DispatchKey and Device.

namespace c10 {

/// In the order of the backends' dispatch keys.
enum class Backend { CPU, CUDA, HIP, XPU, MPS, Vulkan, Meta, PrivateUse1, Undefined, NumOptions };

/// The conversions between backends, dispatch keys and device types. They throw c10::Error for what
/// is no backend: NumOptions, a key that is no backend's.
inline DispatchKey backendToDispatchKey(Backend b) {
  if (b == Backend::Undefined) return DispatchKey::Undefined;
  TORCH_CHECK(b < Backend::Undefined, "Unknown backend");
  return static_cast<DispatchKey>(static_cast<int>(DispatchKey::CPU) + static_cast<int>(b));
}
inline Backend dispatchKeyToBackend(DispatchKey t) {
  if (t == DispatchKey::Undefined) return Backend::Undefined;
  TORCH_CHECK(isBackendDispatchKey(t), "Unrecognized tensor type ID: ", t);
  return static_cast<Backend>(static_cast<int>(t) - static_cast<int>(DispatchKey::CPU));
}
inline DeviceType backendToDeviceType(Backend b) {
  return dispatchKeyToDeviceType(backendToDispatchKey(b));
}
/// The name of the dispatch key; a literal, which nobody frees.
inline const char* toString(Backend b) {
  return b == Backend::Undefined ? "UNKNOWN_BACKEND" : toString(backendToDispatchKey(b));
}

}  // namespace c10
