#include <c10/cuda/CUDAFunctions.h>

#include <c10/cuda/CUDAException.h>
#include <c10/util/Exception.h>
#include <c10/util/StringUtil.h>
#include <cuda_runtime_api.h>

#if !defined(_WIN32)
#include <pthread.h>
#endif

namespace c10::cuda {
namespace {

bool forked = false;

struct Devices {
  DeviceIndex count = 0;
  std::string why;
};

std::string why_of(cudaError_t error) {
  int driver = 0;
  switch (error) {
    case cudaErrorNoDevice:
      return "the NVIDIA driver found no GPU. Is CUDA_VISIBLE_DEVICES empty?";
    case cudaErrorInsufficientDriver:
      if (cudaDriverGetVersion(&driver) == cudaSuccess && driver > 0) {
        return c10::str("the NVIDIA driver is for CUDA ", driver / 1000, ".", driver % 1000 / 10,
                        ", this build needs ", CUDART_VERSION / 1000, ".",
                        CUDART_VERSION % 1000 / 10, ". Update the driver.");
      }
      return "Found no NVIDIA driver on your system. Please check that you have an NVIDIA GPU and installed a driver from https://www.nvidia.com/Download/index.aspx";
    case cudaErrorSystemDriverMismatch:
      return "the NVIDIA driver's kernel module is of another version than its library. Restart the machine, or install the driver anew.";
    default:
      return c10::str(cudaGetErrorString(error), " (", cudaGetErrorName(error), ")");
  }
}

Devices find_devices() {
  Devices devices;
  int count = 0;
  const cudaError_t error = cudaGetDeviceCount(&count);
  if (error != cudaSuccess) {
    static_cast<void>(cudaGetLastError());
    devices.why = why_of(error);
    return devices;
  }
#if !defined(_WIN32)
  // A child process cannot use what the parent has of the driver.
  pthread_atfork(nullptr, nullptr, [] { forked = true; });
#endif
  devices.count = static_cast<DeviceIndex>(count);
  if (count == 0) devices.why = why_of(cudaErrorNoDevice);
  return devices;
}

const Devices& devices() noexcept {
  static const Devices* const found = new Devices(find_devices());
  return *found;
}

}  // namespace

DeviceIndex device_count() noexcept { return devices().count; }

const std::string& why_unavailable() noexcept { return devices().why; }

DeviceIndex device_count_ensure_non_zero() {
  TORCH_CHECK(!forked,
              "Cannot re-initialize CUDA in forked subprocess. "
              "To use CUDA with multiprocessing, you must use the 'spawn' start method");
  TORCH_CHECK(device_count() > 0, "No CUDA GPUs are available: ", why_unavailable());
  return device_count();
}

DeviceIndex current_device() {
  device_count_ensure_non_zero();
  int device = -1;
  C10_CUDA_CHECK(cudaGetDevice(&device));
  return static_cast<DeviceIndex>(device);
}

void set_device(DeviceIndex device) {
  const DeviceIndex count = device_count_ensure_non_zero();
  TORCH_CHECK(device >= 0 && device < count,
              "CUDA error: invalid device ordinal: there is no device ", static_cast<int>(device),
              "; devices are 0 to ", count - 1);
  C10_CUDA_CHECK(cudaSetDevice(device));
}

DeviceIndex exchange_device(DeviceIndex device) {
  const DeviceIndex old = current_device();
  if (old != device) set_device(device);
  return old;
}

void device_synchronize() {
  device_count_ensure_non_zero();
  C10_CUDA_CHECK(cudaDeviceSynchronize());
}

bool in_bad_fork() noexcept { return forked; }

}  // namespace c10::cuda
