#include <c10/core/DeviceType.h>
#include <c10/core/backend_table.h>
#include <c10/util/Exception.h>

#include <atomic>
#include <cctype>
#include <mutex>
#include <ostream>
#include <string>

namespace c10 {
namespace {

// The name of PrivateUse1: set at most once, read everywhere. The flag is raised after the name.
std::mutex privateuse1_mutex;
std::string privateuse1_name;
std::atomic<bool> privateuse1_named{false};

std::string changed_case(std::string text, int (*change)(int)) {
  for (char& c : text) c = static_cast<char>(change(static_cast<unsigned char>(c)));
  return text;
}

// Upper case; null for a number that names no device.
const char* upper_name(DeviceType d) {
  switch (d) {
#define CASE(device, name) \
  case DeviceType::device: \
    return name;
    C10_FORALL_DEVICE_TYPES(CASE)
#undef CASE
    default:
      return nullptr;
  }
}

}  // namespace

std::string DeviceTypeName(DeviceType d, bool lower_case) {
  if (d == DeviceType::PrivateUse1) return get_privateuse1_backend(lower_case);
  const char* name = upper_name(d);
  TORCH_CHECK(name != nullptr, "Unknown device: ", static_cast<int>(d));
  return lower_case ? changed_case(name, std::tolower) : name;
}

bool isValidDeviceType(DeviceType d) { return upper_name(d) != nullptr; }

std::ostream& operator<<(std::ostream& stream, DeviceType type) {
  return stream << DeviceTypeName(type, /*lower_case=*/true);
}

void register_privateuse1_backend(const std::string& backend_name) {
  const std::lock_guard<std::mutex> guard(privateuse1_mutex);
  TORCH_CHECK(!privateuse1_named || privateuse1_name == backend_name,
              "torch.register_privateuse1_backend() has already been set! Current backend: ",
              privateuse1_name);
  for (int i = 0; i < COMPILE_TIME_MAX_DEVICE_TYPES; ++i) {
    const char* taken = upper_name(static_cast<DeviceType>(i));
    TORCH_CHECK(static_cast<DeviceType>(i) == DeviceType::PrivateUse1 ||
                    changed_case(taken, std::tolower) != backend_name,
                "Cannot register privateuse1 backend with in-tree device name: ", backend_name);
  }
  privateuse1_name = backend_name;
  privateuse1_named = true;
}

bool is_privateuse1_backend_registered() { return privateuse1_named; }

std::string get_privateuse1_backend(bool lower_case) {
  // Once the flag is up the name never changes.
  const std::string name = privateuse1_named ? privateuse1_name : "privateuseone";
  return lower_case ? name : changed_case(name, std::toupper);
}

}  // namespace c10
