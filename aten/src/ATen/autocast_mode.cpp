#define TORCH_ASSERT_ONLY_METHOD_OPERATORS
#include <ATen/autocast_mode.h>

#include <ATen/core/Tensor.h>
#include <c10/core/TensorImpl.h>
#include <c10/core/impl/LocalDispatchKeySet.h>
#include <c10/util/Exception.h>
#include <c10/util/intrusive_ptr.h>

#include <array>
#include <cstddef>
#include <mutex>
#include <unordered_map>
#include <utility>

namespace at::autocast {
namespace {

using c10::DeviceType;
using c10::DispatchKey;
using c10::ScalarType;

struct ThreadState {
  std::array<ScalarType, 2> dtypes = {ScalarType::BFloat16, ScalarType::Half};  // CPU, CUDA
  int nesting = 0;
  bool cache_enabled = true;
};

ThreadState& state() {
  static thread_local ThreadState the_state;
  return the_state;
}

size_t index_of(DeviceType device_type) {
  TORCH_CHECK(is_autocast_available(device_type), "autocast knows the devices cpu and cuda, not ",
              device_type);
  return device_type == DeviceType::CPU ? 0 : 1;
}

// What was cast, and the cast. The weak pointer keeps the address from being used again.
struct Cast {
  c10::weak_intrusive_ptr<c10::TensorImpl> original;
  Tensor result;
};

// Shared by all threads: the backward pass may run in another.
struct Cache {
  std::mutex mutex;
  std::unordered_map<const c10::TensorImpl*, Cast> casts;
};

Cache& cache() {
  static Cache& the_cache = *new Cache();
  return the_cache;
}

}  // namespace

bool is_autocast_available(DeviceType device_type) {
  return device_type == DeviceType::CPU || device_type == DeviceType::CUDA;
}

DispatchKey get_autocast_dispatch_key_from_device_type(DeviceType device_type) {
  return index_of(device_type) == 0 ? DispatchKey::AutocastCPU : DispatchKey::AutocastCUDA;
}

bool is_autocast_enabled(DeviceType device_type) {
  return !c10::impl::tls_is_dispatch_key_excluded(
      get_autocast_dispatch_key_from_device_type(device_type));
}

void set_autocast_enabled(DeviceType device_type, bool enabled) {
  c10::impl::tls_set_dispatch_key_excluded(get_autocast_dispatch_key_from_device_type(device_type),
                                           !enabled);
}

ScalarType get_autocast_dtype(DeviceType device_type) {
  return state().dtypes[index_of(device_type)];
}

void set_autocast_dtype(DeviceType device_type, ScalarType dtype) {
  state().dtypes[index_of(device_type)] = dtype;
}

int increment_nesting() { return ++state().nesting; }

int decrement_nesting() { return --state().nesting; }

bool is_autocast_cache_enabled() { return state().cache_enabled; }

void set_autocast_cache_enabled(bool enabled) { state().cache_enabled = enabled; }

void clear_cache() {
  // Tensors are freed after the lock is.
  std::unordered_map<const c10::TensorImpl*, Cast> casts;
  const std::lock_guard<std::mutex> lock(cache().mutex);
  casts.swap(cache().casts);
}

bool is_eligible(const Tensor& arg, DeviceType device_type) {
  return arg.defined() && arg.device().type() == device_type && arg.is_floating_point() &&
         arg.scalar_type() != ScalarType::Double;
}

Tensor cached_cast(ScalarType to_type, const Tensor& arg, DeviceType device_type) {
  if (!is_eligible(arg, device_type) || arg.scalar_type() == to_type) return arg;
  // A leaf's cast is used again by every call of the block; a cast of anything else only by one.
  const bool remember = is_autocast_cache_enabled() && arg.scalar_type() == ScalarType::Float &&
                        to_type == get_autocast_dtype(device_type) && arg.requires_grad() &&
                        arg.is_leaf() && !arg.is_view();
  if (!remember) return arg.to(to_type);
  const c10::TensorImpl* key = arg.unsafeGetTensorImpl();
  {
    const std::lock_guard<std::mutex> lock(cache().mutex);
    const auto found = cache().casts.find(key);
    if (found != cache().casts.end()) return found->second.result;
  }
  Tensor result = arg.to(to_type);
  Cast cast{c10::weak_intrusive_ptr<c10::TensorImpl>(arg.getIntrusivePtr()), result};
  const std::lock_guard<std::mutex> lock(cache().mutex);
  cache().casts.try_emplace(key, std::move(cast));
  return result;
}

}  // namespace at::autocast
