#pragma once

#include <c10/core/Device.h>
#include <c10/macros/Macros.h>

#include <string>

namespace c10::cuda {

/// Number of GPUs; 0, without a throw, where there is no driver. Asked once a process.
C10_CUDA_API DeviceIndex device_count() noexcept;
/// Why device_count() is 0, or an empty string when it is not.
C10_CUDA_API const std::string& why_unavailable() noexcept;
/// device_count(), or an error that says why it is 0.
C10_CUDA_API DeviceIndex device_count_ensure_non_zero();

/// The GPU of the calling thread. Throws c10::Error if there is none, with the reason.
C10_CUDA_API DeviceIndex current_device();
/// Sets the GPU of the calling thread. Throws c10::Error for an index that is no GPU's; the message
/// says how many there are.
C10_CUDA_API void set_device(DeviceIndex device);
/// set_device that returns the device that was current.
C10_CUDA_API DeviceIndex exchange_device(DeviceIndex device);
/// Blocks until all work of the current device is done.
C10_CUDA_API void device_synchronize();

/// Whether this process was forked from one that had used CUDA, whose state it cannot use.
C10_CUDA_API bool in_bad_fork() noexcept;

}  // namespace c10::cuda
