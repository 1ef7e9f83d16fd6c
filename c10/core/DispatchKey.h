#pragma once

#include <c10/core/DeviceType.h>
#include <c10/macros/Export.h>

#include <cstdint>
#include <iosfwd>
#include <string_view>

namespace c10 {

// The runtime keys, from lowest to highest priority. Each is one bit of a DispatchKeySet: PyTorch
// splits the set into backend and functionality bits to save space for some hundred keys; forty
// fit in 64 bits as they are.
#define C10_FORALL_RUNTIME_DISPATCH_KEYS(_)                                                     \
  /* Backends: where the kernel that computes is. */                                            \
  _(CPU)                                                                                        \
  _(CUDA)                                                                                       \
  _(HIP)                                                                                        \
  _(XPU)                                                                                        \
  _(MPS)                                                                                        \
  _(Vulkan)                                                                                     \
  _(Meta)                                                                                       \
  _(PrivateUse1)                                                                                \
  /* PyTorch's factory functions: no kernel here, DispatchKeyExtractor reads their device. */   \
  _(BackendSelect)                                                                              \
  _(Python)                                                                                     \
  /* The elements are the conjugates, or the negatives, of what is in memory. Their fallbacks   \
     compute them before kernels run; those below see plain memory. */                          \
  _(Conjugate)                                                                                  \
  _(Negative)                                                                                   \
  /* Version counters and view tracking, below autograd. */                                     \
  _(ADInplaceOrView)                                                                            \
  /* Autograd, one a backend; AutogradOther serves the backends that have none of their own. */ \
  _(AutogradOther)                                                                              \
  _(AutogradCPU)                                                                                \
  _(AutogradCUDA)                                                                               \
  _(AutogradHIP)                                                                                \
  _(AutogradXPU)                                                                                \
  _(AutogradMPS)                                                                                \
  _(AutogradMeta)                                                                               \
  _(AutogradPrivateUse1)                                                                        \
  _(Tracer)                                                                                     \
  /* Mixed precision: casts the inputs, above autograd so that the casts are differentiated. */ \
  _(AutocastCPU)                                                                                \
  _(AutocastXPU)                                                                                \
  _(AutocastMPS)                                                                                \
  _(AutocastCUDA)                                                                               \
  _(AutocastPrivateUse1)                                                                        \
  /* Sees every call first: extensions and tests. */                                            \
  _(PythonDispatcher)

// Alias keys are no bits of a set: a registration to one fills the runtime keys it stands for.
#define C10_FORALL_ALIAS_DISPATCH_KEYS(_) \
  _(Autograd)                             \
  _(CompositeImplicitAutograd)            \
  _(CompositeExplicitAutograd)            \
  _(CompositeExplicitAutogradNonFunctional)

/// What a kernel is registered for and a call is routed by.
enum class DispatchKey : uint16_t {
  Undefined = 0,
  CatchAll = Undefined,
#define DEFINE_KEY(name) name,
  C10_FORALL_RUNTIME_DISPATCH_KEYS(DEFINE_KEY) EndOfRuntimeKeys,
  C10_FORALL_ALIAS_DISPATCH_KEYS(DEFINE_KEY)
#undef DEFINE_KEY

      EndOfFunctionalityKeys = EndOfRuntimeKeys,
  EndOfBackendKeys = PrivateUse1,
  StartOfAliasKeys = Autograd,
  EndOfAliasKeys = CompositeExplicitAutogradNonFunctional,
};

/// How many entries an operator's table has: every runtime key and Undefined.
constexpr uint16_t num_runtime_entries = static_cast<uint16_t>(DispatchKey::EndOfRuntimeKeys);
static_assert(num_runtime_entries <= 64, "a DispatchKeySet has one bit for each runtime key");

/// True for the keys that stand for several runtime keys.
constexpr bool isAliasDispatchKey(DispatchKey k) {
  return k >= DispatchKey::StartOfAliasKeys && k <= DispatchKey::EndOfAliasKeys;
}
/// True for the keys that name where a kernel computes.
constexpr bool isBackendDispatchKey(DispatchKey k) {
  return k >= DispatchKey::CPU && k <= DispatchKey::EndOfBackendKeys;
}
/// True for AutogradOther and the autograd keys of backends; false for the alias Autograd.
constexpr bool isAutogradDispatchKey(DispatchKey k) {
  return k >= DispatchKey::AutogradOther && k <= DispatchKey::AutogradPrivateUse1;
}

/// The key's name: "AutogradCPU"; "UNKNOWN_TENSOR_TYPE_ID" for a number that is none.
C10_API const char* toString(DispatchKey t);
C10_API std::ostream& operator<<(std::ostream& stream, DispatchKey key);

/// The key of a name; throws c10::Error with the nearest name there is.
C10_API DispatchKey parseDispatchKey(std::string_view k);

/// The autograd key of a backend, AutogradOther for one that has none, Undefined for Undefined.
C10_API DispatchKey getAutogradKeyFromBackend(DispatchKey backend);

/// The backend key of a device's tensors; throws c10::Error for devices that have none.
C10_API DispatchKey toBackendDispatchKey(DeviceType device_type);
/// The device whose tensors have this backend or autograd key; throws c10::Error for others.
C10_API DeviceType dispatchKeyToDeviceType(DispatchKey dispatch_key);

}  // namespace c10

namespace torch {
using DispatchKey = c10::DispatchKey;
/// Kernels registered for this key run above autograd, whatever the backend.
constexpr DispatchKey kAutograd = DispatchKey::Autograd;
}  // namespace torch

template <>
struct std::hash<c10::DispatchKey> {
  size_t operator()(c10::DispatchKey key) const { return static_cast<size_t>(key); }
};
