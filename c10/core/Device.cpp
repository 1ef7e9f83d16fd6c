#include <c10/core/Device.h>
#include <c10/core/backend_table.h>
#include <c10/util/Exception.h>

#include <ostream>
#include <string>
#include <string_view>

namespace c10 {
namespace {

constexpr DeviceType kParseable[] = {
#define DEVICE(name) DeviceType::name,
    C10_FORALL_NAMED_DEVICE_TYPES(DEVICE)
#undef DEVICE
};

DeviceType parse_type(std::string_view name) {
  for (const DeviceType type : kParseable) {
    if (DeviceTypeName(type, /*lower_case=*/true) == name) return type;
  }
  if (name == "privateuseone" || name == get_privateuse1_backend()) {
    return DeviceType::PrivateUse1;
  }
  std::string known;
  for (const DeviceType type : kParseable)
    known += DeviceTypeName(type, /*lower_case=*/true) + ", ";
  TORCH_CHECK(false, "Expected one of ", known,
              "privateuseone device type at start of device string: ", name);
}

// "0" or a number without leading zeros that fits a DeviceIndex.
DeviceIndex parse_index(std::string_view digits, const std::string& device_string) {
  bool valid = !digits.empty() && (digits.size() == 1 || digits[0] != '0');
  int value = 0;
  for (const char c : digits) {
    valid = valid && c >= '0' && c <= '9' && value <= 127;
    if (valid) value = value * 10 + (c - '0');
  }
  TORCH_CHECK(valid, "Invalid device string: '", device_string, "'");
  TORCH_CHECK(value <= 127, "Device index ", digits, " in device string '", device_string,
              "' is too large: the greatest is 127");
  return static_cast<DeviceIndex>(value);
}

}  // namespace

Device::Device(const std::string& device_string) : Device(DeviceType::CPU) {
  TORCH_CHECK(!device_string.empty(), "Device string must not be empty");
  const std::string_view text = device_string;
  const size_t colon = text.find(':');
  const std::string_view name = text.substr(0, colon);
  bool is_name = !name.empty();
  for (const char c : name) {
    is_name = is_name && ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_');
  }
  TORCH_CHECK(is_name, "Invalid device string: '", device_string, "'");
  if (colon != std::string_view::npos) index_ = parse_index(text.substr(colon + 1), device_string);
  type_ = parse_type(name);
  validate();
}

std::string Device::str() const {
  std::string text = DeviceTypeName(type_, /*lower_case=*/true);
  if (has_index()) text += c10::str(":", static_cast<int>(index_));
  return text;
}

std::ostream& operator<<(std::ostream& stream, const Device& device) {
  return stream << device.str();
}

}  // namespace c10
