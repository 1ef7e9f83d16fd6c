#include <c10/core/DispatchKey.h>
#include <c10/core/backend_table.h>
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
#define CASE(key, device, autograd, autocast) \
  case DispatchKey::key:                      \
    return DispatchKey::autograd;
    C10_FORALL_BACKENDS(CASE)
#undef CASE
    case DispatchKey::Undefined:
      return DispatchKey::Undefined;
    default:
      return DispatchKey::AutogradOther;
  }
}

DispatchKey toBackendDispatchKey(DeviceType device_type) {
  switch (device_type) {
#define CASE(key, device, autograd, autocast) \
  case DeviceType::device:                    \
    return DispatchKey::key;
    C10_FORALL_BACKENDS(CASE)
#undef CASE
    default:
      TORCH_CHECK_NOT_IMPLEMENTED(false, "Unsupported device type for dense layout: ", device_type);
  }
}

DeviceType dispatchKeyToDeviceType(DispatchKey dispatch_key) {
  // AutogradOther is of several backends, so of no device.
  if (dispatch_key != DispatchKey::AutogradOther) {
#define RETURN(key, device, autograd, autocast)                                  \
  if (dispatch_key == DispatchKey::key || dispatch_key == DispatchKey::autograd) \
    return DeviceType::device;
    C10_FORALL_BACKENDS(RETURN)
#undef RETURN
  }
  TORCH_CHECK(false, "DispatchKey ", dispatch_key, " doesn't correspond to a device");
}

}  // namespace c10
