#pragma once

#include <torch/csrc/stable/c/shim.h>
#include <torch/csrc/stable/device.h>
#include <torch/csrc/stable/macros.h>
#include <torch/headeronly/macros/Macros.h>

#include <cstdint>
#include <memory>

HIDDEN_NAMESPACE_BEGIN(torch, stable)

#if TORCH_FEATURE_VERSION >= TORCH_VERSION_2_13_0
/// A random number generator. Copies share its state.
class Generator {
 public:
  /// Takes the handle over.
  explicit Generator(AtenGeneratorHandle generator)
      : generator_(generator, torch_delete_generator) {}
  /// The handle, which stays this object's.
  AtenGeneratorHandle get() const { return generator_.get(); }
  Device device() const {
    int32_t type;
    int32_t index;
    STABLE_TORCH_ERROR_CODE_CHECK(torch_generator_get_device(get(), &type, &index));
    return Device(static_cast<DeviceType>(type), index);
  }

 private:
  std::shared_ptr<AtenGeneratorOpaque> generator_;
};
#endif

HIDDEN_NAMESPACE_END(torch, stable)
