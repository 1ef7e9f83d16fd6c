#include <ATen/Context.h>

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/Parallel.h>
#include <ATen/detail/CUDAHooksInterface.h>
#include <ATen/native/DispatchStub.h>
#include <c10/util/Exception.h>

#include <cstdint>
#include <mutex>

#if defined(__x86_64__)
#include <pmmintrin.h>
#include <xmmintrin.h>
#endif

namespace at {

Context& globalContext() {
  static Context context;
  return context;
}

const Generator& Context::defaultGenerator(c10::Device device) {
  if (device.is_cuda()) return detail::getCUDAHooks().getDefaultGenerator(device.index());
  TORCH_CHECK(device.is_cpu(), c10::DeviceTypeName(device.type()), " device type not enabled.");
  return detail::getDefaultCPUGenerator();
}

bool Context::hasCUDA() { return detail::getCUDAHooks().hasCUDA(); }

bool Context::hasOpenMP() { return internal::parallel_backend_is_openmp(); }

bool Context::setFlushDenormal(bool on) {
#if defined(__x86_64__)
  _MM_SET_FLUSH_ZERO_MODE(on ? _MM_FLUSH_ZERO_ON : _MM_FLUSH_ZERO_OFF);
  _MM_SET_DENORMALS_ZERO_MODE(on ? _MM_DENORMALS_ZERO_ON : _MM_DENORMALS_ZERO_OFF);
  return true;
#elif defined(__aarch64__)
  constexpr uint64_t kFlushToZero = uint64_t{1} << 24;
  uint64_t control;
  asm volatile("mrs %0, fpcr" : "=r"(control));
  control = on ? control | kFlushToZero : control & ~kFlushToZero;
  asm volatile("msr fpcr, %0" : : "r"(control));
  return true;
#else
  return false;
#endif
}

void Context::alertNotDeterministic(const char* caller) const {
  if (!deterministicAlgorithms()) return;
  if (deterministicAlgorithmsWarnOnly()) {
    TORCH_WARN(
        caller,
        " does not have a deterministic implementation, but you set 'torch.use_deterministic_algorithms(True, warn_only=True)'.");
    return;
  }
  TORCH_CHECK(
      false, caller,
      " does not have a deterministic implementation, but you set 'torch.use_deterministic_algorithms(True)'. "
      "You can turn off determinism just for this operation, or you can use the 'warn_only=True' option, if that's acceptable for your application.");
}

void manual_seed(uint64_t seed) {
  Generator gen = globalContext().defaultGenerator(c10::Device(c10::DeviceType::CPU));
  {
    const std::lock_guard<std::mutex> lock(gen.mutex());
    gen.set_current_seed(seed);
  }
  detail::getCUDAHooks().manualSeedAll(seed);
}

uint64_t seed() {
  Generator gen = globalContext().defaultGenerator(c10::Device(c10::DeviceType::CPU));
  const std::lock_guard<std::mutex> lock(gen.mutex());
  return gen.seed();
}

std::string get_cpu_capability() { return native::toString(native::get_cpu_capability()); }

}  // namespace at
