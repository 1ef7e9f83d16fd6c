#include <ATen/cuda/CUDAContext.h>

#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAFunctions.h>
#include <c10/util/Exception.h>

#include <deque>
#include <mutex>

namespace at::cuda {
namespace {

struct Device {
  std::once_flag asked;
  cudaDeviceProp properties{};
};

std::deque<Device>& devices() {
  static std::deque<Device>* const all =
      new std::deque<Device>(static_cast<size_t>(c10::cuda::device_count_ensure_non_zero()));
  return *all;
}

void check_index(c10::DeviceIndex device) {
  TORCH_CHECK(device >= 0 && static_cast<size_t>(device) < devices().size(),
              "there is no CUDA device ", static_cast<int>(device), "; devices are 0 to ",
              devices().size() - 1);
}

}  // namespace

const cudaDeviceProp* getDeviceProperties(c10::DeviceIndex device) {
  if (device == -1) device = c10::cuda::current_device();
  check_index(device);
  Device& found = devices()[static_cast<size_t>(device)];
  std::call_once(found.asked,
                 [&] { C10_CUDA_CHECK(cudaGetDeviceProperties(&found.properties, device)); });
  return &found.properties;
}

const cudaDeviceProp* getCurrentDeviceProperties() {
  return getDeviceProperties(c10::cuda::current_device());
}

bool canDeviceAccessPeer(c10::DeviceIndex device, c10::DeviceIndex peer) {
  check_index(device);
  check_index(peer);
  if (device == peer) return true;
  int can = 0;
  C10_CUDA_CHECK(cudaDeviceCanAccessPeer(&can, device, peer));
  return can != 0;
}

}  // namespace at::cuda
