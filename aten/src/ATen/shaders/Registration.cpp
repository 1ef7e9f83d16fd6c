// What c10 knows of the backend that this is compiled for: where its tensors' memory comes from,
// and its current device.

#include <ATen/shaders/Device.h>
#include <c10/core/Allocator.h>
#include <c10/core/impl/DeviceGuardImplInterface.h>

namespace at::shaders {
namespace {

void give_back(void* address) {
  if (address != nullptr) device_of_address(address).memory->free(address);
}

struct Allocator final : c10::Allocator {
  c10::DataPtr allocate(size_t bytes) override {
    ComputeDevice& device = compute_device();
    const c10::Device where(c10::DeviceType::TORCH_SHADERS_BACKEND, device.index);
    if (bytes == 0) return {nullptr, nullptr, &give_back, where};
    void* address = device.memory->allocate(bytes);
    return {address, address, &give_back, where};
  }
  c10::DeleterFnPtr raw_deleter() const override { return &give_back; }
  void copy_data(void* to, const void* from, size_t bytes) const override {
    if (bytes > 0) device_of_address(to).copy_on_device(to, from, bytes);
  }
};

Allocator& allocator() {
  static Allocator& result = *new Allocator();
  return result;
}

REGISTER_ALLOCATOR(c10::DeviceType::TORCH_SHADERS_BACKEND, &allocator());

// A device has one queue, stream 0.
struct GuardImpl final : c10::impl::DeviceGuardImplInterface {
  c10::DeviceType type() const override { return c10::DeviceType::TORCH_SHADERS_BACKEND; }
  c10::Device exchangeDevice(c10::Device device) const override {
    const c10::Device old = getDevice();
    setDevice(device);
    return old;
  }
  c10::Device getDevice() const override {
    return {c10::DeviceType::TORCH_SHADERS_BACKEND, current_device()};
  }
  void setDevice(c10::Device device) const override { set_current_device(device.index()); }
  void uncheckedSetDevice(c10::Device device) const noexcept override {
    if (device.index() >= 0 && device.index() < device_count()) set_current_device(device.index());
  }
  c10::Stream getStream(c10::Device device) const override { return getDefaultStream(device); }
  c10::Stream getDefaultStream(c10::Device device) const override {
    return c10::Stream(c10::Stream::DEFAULT, device);
  }
  c10::Stream exchangeStream(c10::Stream stream) const override { return stream; }
  c10::DeviceIndex deviceCount() const noexcept override { return device_count(); }
  bool queryStream(const c10::Stream& stream) const override {
    return compute_device(stream.device_index()).is_idle();
  }
  void synchronizeStream(const c10::Stream& stream) const override {
    compute_device(stream.device_index()).synchronize();
  }
  void synchronizeDevice(c10::DeviceIndex index) const override {
    compute_device(index).synchronize();
  }
};

C10_REGISTER_GUARD_IMPL(TORCH_SHADERS_BACKEND, GuardImpl);

}  // namespace
}  // namespace at::shaders
