// What libtorch_cpu asks of this library.

#include <ATen/cuda/CUDAGeneratorImpl.h>
#include <ATen/cuda/CachingHostAllocator.h>
#include <ATen/detail/CUDAHooksInterface.h>
#include <c10/cuda/CUDAFunctions.h>

namespace at::cuda::detail {
namespace {

struct CUDAHooks final : at::detail::CUDAHooksInterface {
  bool hasCUDA() const override { return c10::cuda::device_count() > 0; }
  const Generator& getDefaultGenerator(c10::DeviceIndex device) const override {
    return getDefaultCUDAGenerator(device);
  }
  void manualSeedAll(uint64_t seed) const override { cuda::detail::manualSeedAll(seed); }
  Generator getNewGenerator(c10::DeviceIndex device) const override {
    return createCUDAGenerator(device);
  }
  c10::Allocator* getPinnedMemoryAllocator() const override { return getCachingHostAllocator(); }
  bool isPinnedPtr(const void* data) const override { return at::cuda::isPinnedPtr(data); }
};

[[maybe_unused]] const bool registered = [] {
  static const CUDAHooks hooks;
  at::detail::setCUDAHooks(&hooks);
  return true;
}();

}  // namespace
}  // namespace at::cuda::detail
