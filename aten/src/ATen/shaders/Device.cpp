#include <ATen/shaders/Device.h>

#include <c10/util/Exception.h>

#include <cstdlib>
#include <sstream>

namespace at::shaders {
namespace {

struct Devices {
  std::vector<std::unique_ptr<ComputeDevice>> made;
  std::mutex mutex;
};

Devices& devices() {
  static Devices& result =
      *new Devices{std::vector<std::unique_ptr<ComputeDevice>>(backend().count), {}};
  return result;
}

thread_local c10::DeviceIndex current = 0;

void check_index(c10::DeviceIndex index) {
  const std::string device = c10::DeviceTypeName(backend().type, /*lower_case=*/true);
  TORCH_CHECK(index >= 0 && static_cast<size_t>(index) < backend().count, "There is no device ",
              device, ":", static_cast<int>(index), ": ", backend().title, " has ", backend().count,
              ", ", device, ":0 to ", device, ":", backend().count - 1, ".");
}

}  // namespace

ComputeDevice::ComputeDevice(c10::DeviceType device_type, c10::DeviceIndex device_index)
    : type(device_type), index(device_index) {}

ComputeDevice::~ComputeDevice() = default;

std::string ComputeDevice::name() const {
  return c10::Device(type, index).str() + " (" + model + ")";
}

std::string index_error(const uint32_t (&words)[4]) {
  if (words[0] == 0) return "";
  std::ostringstream text;
  text << "index " << static_cast<int32_t>(words[1]) << " is out of bounds for dimension with size "
       << static_cast<int32_t>(words[2]);
  return text.str();
}

c10::DeviceIndex device_count() noexcept { return static_cast<c10::DeviceIndex>(backend().count); }

std::string why_unavailable() { return backend().problem; }

c10::DeviceIndex current_device() noexcept { return current; }

void set_current_device(c10::DeviceIndex index) {
  TORCH_CHECK(backend().problem.empty(), backend().problem);
  check_index(index);
  current = index;
}

ComputeDevice& compute_device(c10::DeviceIndex index) {
  TORCH_CHECK(backend().problem.empty(), backend().problem);
  if (index < 0) index = current;
  check_index(index);
  Devices& all = devices();
  const std::lock_guard<std::mutex> lock(all.mutex);
  auto& device = all.made[static_cast<size_t>(index)];
  if (device == nullptr) device = backend().make(index);
  return *device;
}

size_t memory_limit(const char* variable, size_t otherwise) {
  const char* limit = std::getenv(variable);
  if (limit == nullptr) return otherwise;
  char* end = nullptr;
  const unsigned long long mib = std::strtoull(limit, &end, 10);
  TORCH_CHECK_VALUE(end != limit && *end == '\0' && mib > 0, variable, " is '", limit,
                    "'; it is a number of mebibytes, such as 512.");
  return static_cast<size_t>(mib) << 20;
}

}  // namespace at::shaders
