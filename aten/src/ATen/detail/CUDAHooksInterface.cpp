#include <ATen/detail/CUDAHooksInterface.h>

#include <ATen/core/Generator.h>
#include <c10/util/Exception.h>

#include <atomic>

namespace at::detail {
namespace {

[[noreturn]] void throw_without_cuda(const char* what) {
  TORCH_CHECK(false, what,
              " needs CUDA, and Torch was not compiled with CUDA enabled. Build it with: "
              "./bazelw build //torch:wheel --config=cuda");
}

std::atomic<const CUDAHooksInterface*> registered{nullptr};

}  // namespace

const Generator& CUDAHooksInterface::getDefaultGenerator(c10::DeviceIndex) const {
  throw_without_cuda("A generator of random numbers on a GPU");
}
Generator CUDAHooksInterface::getNewGenerator(c10::DeviceIndex) const {
  throw_without_cuda("A generator of random numbers on a GPU");
}
c10::Allocator* CUDAHooksInterface::getPinnedMemoryAllocator() const {
  throw_without_cuda("Need to provide pin_memory allocator to use pin memory: pinned memory");
}

const CUDAHooksInterface& getCUDAHooks() {
  static const CUDAHooksInterface none;
  const CUDAHooksInterface* hooks = registered.load(std::memory_order_acquire);
  return hooks != nullptr ? *hooks : none;
}

void setCUDAHooks(const CUDAHooksInterface* hooks) {
  registered.store(hooks, std::memory_order_release);
}

}  // namespace at::detail
