#include <c10/cuda/impl/CUDAGuardImpl.h>

#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAFunctions.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>
#include <cuda_runtime_api.h>

namespace c10::cuda::impl {
namespace {

Device gpu(DeviceIndex index) { return Device(DeviceType::CUDA, index); }

}  // namespace

Device CUDAGuardImpl::exchangeDevice(Device device) const {
  return gpu(exchange_device(device.index()));
}

Device CUDAGuardImpl::getDevice() const { return gpu(current_device()); }

void CUDAGuardImpl::setDevice(Device device) const { set_device(device.index()); }

void CUDAGuardImpl::uncheckedSetDevice(Device device) const noexcept {
  C10_CUDA_CHECK_WARN(cudaSetDevice(device.index()));
}

Stream CUDAGuardImpl::getStream(Device device) const {
  return getCurrentCUDAStream(device.index()).unwrap();
}

Stream CUDAGuardImpl::getDefaultStream(Device device) const {
  return getDefaultCUDAStream(device.index()).unwrap();
}

Stream CUDAGuardImpl::exchangeStream(Stream stream) const {
  const CUDAStream old = getCurrentCUDAStream(stream.device_index());
  setCurrentCUDAStream(CUDAStream(stream));
  return old.unwrap();
}

DeviceIndex CUDAGuardImpl::deviceCount() const noexcept { return device_count(); }

void CUDAGuardImpl::destroyEvent(void* event, DeviceIndex device_index) const noexcept {
  if (event == nullptr) return;
  int old = 0;
  C10_CUDA_CHECK_WARN(cudaGetDevice(&old));
  C10_CUDA_CHECK_WARN(cudaSetDevice(device_index));
  C10_CUDA_CHECK_WARN(cudaEventDestroy(static_cast<cudaEvent_t>(event)));
  C10_CUDA_CHECK_WARN(cudaSetDevice(old));
}

void CUDAGuardImpl::record(void** event, const Stream& stream, DeviceIndex device_index,
                           EventFlag flag) const {
  TORCH_CHECK(device_index == -1 || device_index == stream.device_index(), "Event device index ",
              static_cast<int>(device_index), " does not match recording stream's device index ",
              static_cast<int>(stream.device_index()), ".");
  const CUDAGuard guard(stream.device());
  if (*event == nullptr) {
    cudaEvent_t made = nullptr;
    C10_CUDA_CHECK(cudaEventCreateWithFlags(
        &made, flag == EventFlag::BACKEND_DEFAULT ? cudaEventDefault : cudaEventDisableTiming));
    *event = made;
  }
  C10_CUDA_CHECK(cudaEventRecord(static_cast<cudaEvent_t>(*event), CUDAStream(stream)));
}

void CUDAGuardImpl::block(void* event, const Stream& stream) const {
  if (event == nullptr) return;
  const CUDAGuard guard(stream.device());
  C10_CUDA_CHECK(cudaStreamWaitEvent(CUDAStream(stream), static_cast<cudaEvent_t>(event), 0));
}

bool CUDAGuardImpl::queryEvent(void* event) const {
  if (event == nullptr) return true;
  const cudaError_t error = cudaEventQuery(static_cast<cudaEvent_t>(event));
  if (error == cudaErrorNotReady) {
    static_cast<void>(cudaGetLastError());
    return false;
  }
  C10_CUDA_CHECK(error);
  return true;
}

void CUDAGuardImpl::synchronizeEvent(void* event) const {
  if (event != nullptr) C10_CUDA_CHECK(cudaEventSynchronize(static_cast<cudaEvent_t>(event)));
}

bool CUDAGuardImpl::queryStream(const Stream& stream) const { return CUDAStream(stream).query(); }

void CUDAGuardImpl::synchronizeStream(const Stream& stream) const {
  CUDAStream(stream).synchronize();
}

void CUDAGuardImpl::synchronizeDevice(DeviceIndex device_index) const {
  const CUDAGuard guard(device_index);
  device_synchronize();
}

void* CUDAGuardImpl::getStreamNativeHandle(Stream stream) const {
  return CUDAStream(stream).stream();
}

C10_REGISTER_GUARD_IMPL(CUDA, CUDAGuardImpl);

}  // namespace c10::cuda::impl
