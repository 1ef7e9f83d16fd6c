#include <c10/core/DispatchKey.h>
#include <c10/util/Exception.h>

#include <algorithm>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

namespace c10 {

const char* toString(DispatchKey t) {
  switch (t) {
    case DispatchKey::Undefined:
      return "Undefined";
#define CASE(name)        \
  case DispatchKey::name: \
    return #name;
      C10_FORALL_RUNTIME_DISPATCH_KEYS(CASE)
      C10_FORALL_ALIAS_DISPATCH_KEYS(CASE)
#undef CASE
    default:
      return "UNKNOWN_TENSOR_TYPE_ID";
  }
}

std::ostream& operator<<(std::ostream& stream, DispatchKey key) { return stream << toString(key); }

namespace {

// Levenshtein's distance: insertions, deletions and replacements.
size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row.back();
}

}  // namespace

DispatchKey parseDispatchKey(std::string_view k) {
  static constexpr DispatchKey kKeys[] = {
      DispatchKey::Undefined,
#define KEY(name) DispatchKey::name,
      C10_FORALL_RUNTIME_DISPATCH_KEYS(KEY) C10_FORALL_ALIAS_DISPATCH_KEYS(KEY)
#undef KEY
  };
  const char* nearest = "";
  size_t least = std::string_view::npos;
  for (const DispatchKey key : kKeys) {
    const char* name = toString(key);
    if (k == name) return key;
    const size_t distance = edit_distance(k, name);
    if (distance < least) {
      least = distance;
      nearest = name;
    }
  }
  if (k == "CatchAll") return DispatchKey::CatchAll;
  TORCH_CHECK(false, "could not parse dispatch key: ", k, ". Did you mean ", nearest, "?");
}

DispatchKey getAutogradKeyFromBackend(DispatchKey backend) {
  switch (backend) {
    case DispatchKey::CPU:
      return DispatchKey::AutogradCPU;
    case DispatchKey::CUDA:
      return DispatchKey::AutogradCUDA;
    case DispatchKey::HIP:
      return DispatchKey::AutogradHIP;
    case DispatchKey::XPU:
      return DispatchKey::AutogradXPU;
    case DispatchKey::MPS:
      return DispatchKey::AutogradMPS;
    case DispatchKey::Meta:
      return DispatchKey::AutogradMeta;
    case DispatchKey::PrivateUse1:
      return DispatchKey::AutogradPrivateUse1;
    case DispatchKey::Undefined:
      return DispatchKey::Undefined;
    default:
      return DispatchKey::AutogradOther;
  }
}

DispatchKey toBackendDispatchKey(DeviceType device_type) {
  switch (device_type) {
    case DeviceType::CPU:
      return DispatchKey::CPU;
    case DeviceType::CUDA:
      return DispatchKey::CUDA;
    case DeviceType::HIP:
      return DispatchKey::HIP;
    case DeviceType::XPU:
      return DispatchKey::XPU;
    case DeviceType::MPS:
      return DispatchKey::MPS;
    case DeviceType::Vulkan:
      return DispatchKey::Vulkan;
    case DeviceType::Meta:
      return DispatchKey::Meta;
    case DeviceType::PrivateUse1:
      return DispatchKey::PrivateUse1;
    default:
      TORCH_CHECK_NOT_IMPLEMENTED(false, "Unsupported device type for dense layout: ", device_type);
  }
}

DeviceType dispatchKeyToDeviceType(DispatchKey dispatch_key) {
  switch (dispatch_key) {
    case DispatchKey::CPU:
    case DispatchKey::AutogradCPU:
      return DeviceType::CPU;
    case DispatchKey::CUDA:
    case DispatchKey::AutogradCUDA:
      return DeviceType::CUDA;
    case DispatchKey::HIP:
    case DispatchKey::AutogradHIP:
      return DeviceType::HIP;
    case DispatchKey::XPU:
    case DispatchKey::AutogradXPU:
      return DeviceType::XPU;
    case DispatchKey::MPS:
    case DispatchKey::AutogradMPS:
      return DeviceType::MPS;
    case DispatchKey::Vulkan:
      return DeviceType::Vulkan;
    case DispatchKey::Meta:
    case DispatchKey::AutogradMeta:
      return DeviceType::Meta;
    case DispatchKey::PrivateUse1:
    case DispatchKey::AutogradPrivateUse1:
      return DeviceType::PrivateUse1;
    default:
      TORCH_CHECK(false, "DispatchKey ", dispatch_key, " doesn't correspond to a device");
  }
}

}  // namespace c10
