#pragma once

// Choosing a kernel by what the processor can do.
//
// In native/X.h      DECLARE_DISPATCH(void (*)(TensorIteratorBase&), add_stub)
// In native/X.cpp    DEFINE_DISPATCH(add_stub);
// In native/cpu/XKernel.cpp, which is compiled once for each capability:
//                    REGISTER_DISPATCH(add_stub, &add_kernel)
// and call           add_stub(iter.device_type(), iter);
//
// The environment variable ATEN_CPU_CAPABILITY (default, avx2, avx512) lowers the choice.

#include <c10/core/DeviceType.h>
#include <c10/macros/Export.h>
#include <c10/macros/Macros.h>

#include <atomic>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace at::native {

enum class CPUCapability : uint8_t {
  DEFAULT = 0,
  AVX2 = 1,
  AVX512 = 2,
  NUM_OPTIONS,
};

// The capability in use, decided at the first call. Throws when ATEN_CPU_CAPABILITY names none
// that exists, or one that this processor lacks.
TORCH_API CPUCapability get_cpu_capability();
TORCH_API const char* toString(CPUCapability capability);

namespace detail {
// Parses a value of ATEN_CPU_CAPABILITY against what the processor supports.
TORCH_API CPUCapability parse_cpu_capability(const char* value, CPUCapability supported);
TORCH_API CPUCapability supported_cpu_capability();
// The entry for this processor, or the nearest lower one; throws when all are empty.
TORCH_API void* choose_cpu_impl(void* const* impls, const char* stub_name);
[[noreturn]] TORCH_API void throw_missing_kernel(const char* stub_name,
                                                 c10::DeviceType device_type);
}  // namespace detail

template <typename FnPtr, typename T>
struct DispatchStub;

template <typename Return, typename... Args, typename T>
struct DispatchStub<Return (*)(Args...), T> {
  using FnPtr = Return (*)(Args...);

  constexpr DispatchStub() = default;
  DispatchStub(const DispatchStub&) = delete;
  DispatchStub& operator=(const DispatchStub&) = delete;

  template <typename... ArgTypes>
  Return operator()(c10::DeviceType device_type, ArgTypes&&... args) {
    return (*get_call_ptr(device_type))(std::forward<ArgTypes>(args)...);
  }

  FnPtr get_call_ptr(c10::DeviceType device_type) {
    if (C10_LIKELY(device_type == c10::DeviceType::CPU)) {
      void* fn = cpu_dispatch_ptr_.load(std::memory_order_relaxed);
      if (C10_UNLIKELY(fn == nullptr)) {
        fn = detail::choose_cpu_impl(cpu_impls_, T::name());
        cpu_dispatch_ptr_.store(fn, std::memory_order_relaxed);
      }
      return reinterpret_cast<FnPtr>(fn);
    }
    const auto fn = device_impls_[static_cast<size_t>(device_type)];
    if (fn == nullptr) detail::throw_missing_kernel(T::name(), device_type);
    return fn;
  }

  bool is_device_supported(c10::DeviceType device_type) const {
    if (device_type == c10::DeviceType::CPU) {
      return cpu_impls_[0] != nullptr;
    }
    return device_impls_[static_cast<size_t>(device_type)] != nullptr;
  }

  void set_cpu_impl(CPUCapability capability, FnPtr fn) {
    cpu_impls_[static_cast<size_t>(capability)] = reinterpret_cast<void*>(fn);
  }
  void set_device_impl(c10::DeviceType device_type, FnPtr fn) {
    device_impls_[static_cast<size_t>(device_type)] = fn;
  }

 private:
  std::atomic<void*> cpu_dispatch_ptr_{nullptr};
  void* cpu_impls_[static_cast<size_t>(CPUCapability::NUM_OPTIONS)] = {};
  FnPtr device_impls_[c10::COMPILE_TIME_MAX_DEVICE_TYPES] = {};
};

namespace detail {
template <typename Stub>
struct RegisterCPUKernel {
  RegisterCPUKernel(Stub& stub, CPUCapability capability, typename Stub::FnPtr fn) {
    stub.set_cpu_impl(capability, fn);
  }
};
template <typename Stub>
struct RegisterDeviceKernel {
  RegisterDeviceKernel(Stub& stub, c10::DeviceType device_type, typename Stub::FnPtr fn) {
    stub.set_device_impl(device_type, fn);
  }
};
}  // namespace detail

// Each stub has a class of its own, which knows the stub's name.
#define DECLARE_DISPATCH(fn, stub)                                     \
  struct stub##_DECLARE_DISPATCH_type                                  \
      : ::at::native::DispatchStub<fn, stub##_DECLARE_DISPATCH_type> { \
    static const char* name() { return #stub; }                        \
  };                                                                   \
  extern TORCH_API struct stub##_DECLARE_DISPATCH_type stub;

#define DEFINE_DISPATCH(name) struct name##_DECLARE_DISPATCH_type name

// Kernel files are compiled with CPU_CAPABILITY defined as the name of their capability.
#define REGISTER_ARCH_DISPATCH(name, arch, fn)                                              \
  static const ::at::native::detail::RegisterCPUKernel<struct name##_DECLARE_DISPATCH_type> \
      C10_CONCATENATE(name##_register_##arch##_, __LINE__)(name,                            \
                                                           ::at::native::CPUCapability::arch, fn);
#define REGISTER_EXPANDED_ARCH_DISPATCH(name, arch, fn) REGISTER_ARCH_DISPATCH(name, arch, fn)

#define REGISTER_DISPATCH(name, fn) REGISTER_EXPANDED_ARCH_DISPATCH(name, CPU_CAPABILITY, fn)
// A kernel compiled once, for files that are not compiled for each capability.
#define REGISTER_ALL_CPU_DISPATCH(name, fn) REGISTER_ARCH_DISPATCH(name, DEFAULT, fn)
#define REGISTER_CUDA_DISPATCH(name, fn)                                                       \
  static const ::at::native::detail::RegisterDeviceKernel<struct name##_DECLARE_DISPATCH_type> \
      name##_register_cuda(name, c10::DeviceType::CUDA, fn);

}  // namespace at::native
