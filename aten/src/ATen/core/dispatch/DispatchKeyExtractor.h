#pragma once

#include <ATen/core/Generator.h>
#include <ATen/core/TensorBase.h>
#include <ATen/core/function_schema.h>
#include <ATen/core/stack.h>
#include <c10/core/DispatchKeySet.h>
#include <c10/core/impl/LocalDispatchKeySet.h>
#include <c10/macros/Export.h>

#include <cstdint>
#include <optional>
#include <type_traits>
#include <vector>

namespace c10 {

namespace impl {

// The keys to choose a kernel from: those of the arguments and those included for this thread,
// without those excluded for this thread and those that fall through.
inline DispatchKeySet computeDispatchKeySet(DispatchKeySet ks, DispatchKeySet key_mask) {
  const c10::impl::LocalDispatchKeySet local = c10::impl::tls_local_dispatch_key_set();
  return ((ks | local.included_) - local.excluded_) & key_mask;
}

// The backend key of `device`, or of the CPU.
TORCH_API DispatchKeySet deviceKeySet(const std::optional<Device>& device);

// Adds the keys of an argument; most arguments have none.
inline void addKeys(DispatchKeySet& ks, const at::TensorBase& x) { ks = ks | x.key_set(); }
inline void addKeys(DispatchKeySet& ks, const at::Generator& x) {
  if (x.defined()) ks = ks | x.key_set();
}
template <typename T>
void addKeysOf(DispatchKeySet& ks, const T& x) {
  if constexpr (std::is_same_v<T, at::Tensor> || std::is_same_v<T, at::Generator>) {
    addKeys(ks, x);
  } else if constexpr (std::is_same_v<T, std::optional<at::Tensor>> ||
                       std::is_same_v<T, std::optional<at::Generator>>) {
    if (x.has_value()) addKeys(ks, *x);
  } else if constexpr (std::is_same_v<T, at::TensorList>) {
    for (const auto& element : x) addKeys(ks, element);
  } else if constexpr (std::is_same_v<T, List<std::optional<at::Tensor>>>) {
    for (const IValue& element : x.impl()->list) {
      if (element.isTensor()) addKeys(ks, element.toTensorBase());
    }
  }
}

template <typename T>
inline constexpr bool is_tensor_like_v =
    std::is_same_v<T, at::Tensor> || std::is_same_v<T, std::optional<at::Tensor>> ||
    std::is_same_v<T, at::TensorList> || std::is_same_v<T, List<std::optional<at::Tensor>>>;

}  // namespace impl

// Finds the dispatch keys of a call. An operator without tensor arguments that has a `device` is a
// factory: it dispatches on the device. (PyTorch has a key, BackendSelect, and a generated kernel
// for each factory that do this.)
class TORCH_API DispatchKeyExtractor final {
 public:
  static DispatchKeyExtractor makeUninitialized() { return DispatchKeyExtractor(); }

  // Boxed calls need the schema: it says which arguments are tensors.
  void registerSchema(const FunctionSchema& schema);
  void deregisterSchema();

  // The keys to choose a kernel from, by the arguments at the top of the stack.
  DispatchKeySet getDispatchKeySetBoxed(const Stack* stack) const;

  template <class... Args>
  DispatchKeySet getDispatchKeySetUnboxed(const Args&... args) const {
    DispatchKeySet ks;
    constexpr bool kHasTensor = (impl::is_tensor_like_v<Args> || ...);
    if constexpr (!kHasTensor && (std::is_same_v<Args, std::optional<Device>> || ...)) {
      (addDevice(ks, args), ...);
    } else {
      (impl::addKeysOf(ks, args), ...);
    }
    return impl::computeDispatchKeySet(ks, nonFallthroughKeys_);
  }

  // Calls go past the key: its kernel for this operator is a fallthrough.
  void setOperatorHasFallthroughForKey(DispatchKey k, bool has_fallthrough) {
    nonFallthroughKeys_ =
        has_fallthrough ? nonFallthroughKeys_.remove(k) : nonFallthroughKeys_.add(k);
  }

 private:
  DispatchKeyExtractor() : nonFallthroughKeys_(DispatchKeySet::FULL) {}

  static void addDevice(DispatchKeySet& ks, const std::optional<Device>& device) {
    ks = impl::deviceKeySet(device);
  }
  template <typename T>
  static void addDevice(DispatchKeySet&, const T&) {}

  DispatchKeySet nonFallthroughKeys_;
  // For boxed calls: the arguments to look at, as distances from the top of the stack.
  std::vector<uint32_t> dispatch_args_;
  int32_t factory_device_arg_ = -1;
};

}  // namespace c10
