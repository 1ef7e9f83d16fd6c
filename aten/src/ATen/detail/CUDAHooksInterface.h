#pragma once

// What libtorch_cpu asks of libtorch_cuda, which it does not link: the library registers an object
// when it is loaded. Without it every call that needs a GPU throws and says what to install.

#include <c10/core/Device.h>
#include <c10/macros/Export.h>

#include <cstdint>

namespace c10 {
struct Allocator;
}  // namespace c10

namespace at {

struct Generator;

namespace detail {

struct TORCH_API CUDAHooksInterface {
  virtual ~CUDAHooksInterface() = default;

  // Whether there is a GPU to compute on.
  virtual bool hasCUDA() const { return false; }
  // The default generator of a device; -1 is the current one.
  virtual const Generator& getDefaultGenerator(c10::DeviceIndex device) const;
  // Seeds the default generators of all GPUs, those that come to be later too.
  virtual void manualSeedAll(uint64_t seed) const {}
  virtual Generator getNewGenerator(c10::DeviceIndex device) const;
  // Host memory that a GPU reads directly.
  virtual c10::Allocator* getPinnedMemoryAllocator() const;
  virtual bool isPinnedPtr(const void* data) const { return false; }
};

TORCH_API const CUDAHooksInterface& getCUDAHooks();
// Not owned; lives as long as the process.
TORCH_API void setCUDAHooks(const CUDAHooksInterface* hooks);

}  // namespace detail
}  // namespace at
