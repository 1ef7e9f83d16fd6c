#pragma once

// Mixed precision: where autocasting is on for a device, the operators of autocast_mode.cpp's lists
// take their arguments in the dtype that suits them, whatever the caller's tensors have.
//
// On and off, and the lower dtype, are of each thread and each type of device. An operator is cast
// by the kernel of its device's Autocast key, which calls on below that key; the casts are seen by
// autograd. Documentation: https://pytorch.org/docs/stable/amp.html

#include <c10/core/DeviceType.h>
#include <c10/core/DispatchKey.h>
#include <c10/core/ScalarType.h>
#include <c10/macros/Export.h>

namespace at {
class Tensor;

namespace autocast {

/// Whether devices of this type have lists of operators: cpu and cuda.
TORCH_API bool is_autocast_available(c10::DeviceType device_type);
/// The key whose kernels cast for a type of device; throws for a type without lists.
TORCH_API c10::DispatchKey get_autocast_dispatch_key_from_device_type(c10::DeviceType device_type);

TORCH_API bool is_autocast_enabled(c10::DeviceType device_type);
TORCH_API void set_autocast_enabled(c10::DeviceType device_type, bool enabled);
/// The lower dtype: bfloat16 on the CPU and float16 on CUDA, until it is set.
TORCH_API c10::ScalarType get_autocast_dtype(c10::DeviceType device_type);
TORCH_API void set_autocast_dtype(c10::DeviceType device_type, c10::ScalarType dtype);

/// The same by names of the time before `device_type`.
inline bool is_enabled() { return is_autocast_enabled(c10::kCUDA); }
inline void set_enabled(bool enabled) { set_autocast_enabled(c10::kCUDA, enabled); }
inline bool is_cpu_enabled() { return is_autocast_enabled(c10::kCPU); }
inline void set_cpu_enabled(bool enabled) { set_autocast_enabled(c10::kCPU, enabled); }
inline c10::ScalarType get_autocast_gpu_dtype() { return get_autocast_dtype(c10::kCUDA); }
inline void set_autocast_gpu_dtype(c10::ScalarType dtype) { set_autocast_dtype(c10::kCUDA, dtype); }
inline c10::ScalarType get_autocast_cpu_dtype() { return get_autocast_dtype(c10::kCPU); }
inline void set_autocast_cpu_dtype(c10::ScalarType dtype) { set_autocast_dtype(c10::kCPU, dtype); }

/// Depth of `with autocast` blocks of this thread, after the change.
TORCH_API int increment_nesting();
TORCH_API int decrement_nesting();

/// Whether leaves that need a gradient, the parameters, are cast once in a block and remembered.
TORCH_API bool is_autocast_cache_enabled();
TORCH_API void set_autocast_cache_enabled(bool enabled);
/// Forgets the casts of all threads.
TORCH_API void clear_cache();

/// `arg` as `to_type`; itself when it is not a floating-point tensor of such a device, or double.
TORCH_API Tensor cached_cast(c10::ScalarType to_type, const Tensor& arg,
                             c10::DeviceType device_type = c10::kCUDA);
/// Whether a cast of `arg` would be one: floating-point on a device of the type, and not double.
TORCH_API bool is_eligible(const Tensor& arg, c10::DeviceType device_type = c10::kCUDA);

}  // namespace autocast
}  // namespace at
