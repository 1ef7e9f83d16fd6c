// What Python asks of devices, as operators of the backend's own name: torch.ops.mps.synchronize.

#define TORCH_ASSERT_NO_OPERATORS
#include <ATen/native/shaders/Launch.h>
#include <ATen/shaders/Device.h>
#include <c10/core/Device.h>
#include <torch/library.h>

#include <cstdint>
#include <string>
#include <vector>

namespace at::native {
namespace {

using at::shaders::ComputeDevice;

/// The device of this index; the current one for -1.
ComputeDevice& device_of(int64_t index) {
  return at::shaders::compute_device(static_cast<c10::DeviceIndex>(index));
}

void synchronize(int64_t device) { device_of(device).synchronize(); }

bool is_idle(int64_t device) { return device_of(device).is_idle(); }

void empty_cache(int64_t device) {
  device_of(device).memory->release_unused();
  device_of(device).synchronize();
}

/// Bytes that tensors use, the most that they used, those taken from the driver, the most that may
/// be, and the most where no fraction was set.
std::vector<int64_t> memory_stats(int64_t device) {
  const at::shaders::MemoryStats stats = device_of(device).memory->stats();
  return {static_cast<int64_t>(stats.allocated), static_cast<int64_t>(stats.peak),
          static_cast<int64_t>(stats.reserved), static_cast<int64_t>(stats.budget),
          static_cast<int64_t>(stats.recommended)};
}

void set_memory_fraction(int64_t device, double fraction) {
  device_of(device).memory->set_fraction(fraction);
}

void reset_peak_memory_stats(int64_t device) { device_of(device).memory->reset_peak(); }

int64_t current_device() { return at::shaders::current_device(); }

void set_device(int64_t device) {
  at::shaders::set_current_device(static_cast<c10::DeviceIndex>(device));
}

std::string device_name(int64_t device) { return device_of(device).model; }

TORCH_LIBRARY_FRAGMENT(TORCH_SHADERS_DEVICE, m) {
  m.def("synchronize(int device) -> ()", &synchronize);
  m.def("is_idle(int device) -> bool", &is_idle);
  m.def("empty_cache(int device) -> ()", &empty_cache);
  m.def("memory_stats(int device) -> int[]", &memory_stats);
  m.def("set_memory_fraction(int device, float fraction) -> ()", &set_memory_fraction);
  m.def("reset_peak_memory_stats(int device) -> ()", &reset_peak_memory_stats);
  m.def("current_device() -> int", &current_device);
  m.def("set_device(int device) -> ()", &set_device);
  m.def("device_name(int device) -> str", &device_name);
}

}  // namespace
}  // namespace at::native
