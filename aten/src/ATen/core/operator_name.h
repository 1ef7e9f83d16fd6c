#pragma once

#include <c10/macros/Export.h>

#include <cstddef>
#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace c10 {

// An operator's name, `ns::base`, and the name of one of its overloads, "" for the default.
struct TORCH_API OperatorName final {
  std::string name;
  std::string overload_name;

  OperatorName(std::string name, std::string overload_name)
      : name(std::move(name)), overload_name(std::move(overload_name)) {}

  // The part before `::`, if there is one.
  std::optional<std::string_view> getNamespace() const;
  // Adds `ns` unless the name already has a namespace; says whether it did.
  bool setNamespaceIfNotSet(std::string_view ns);

  bool operator==(const OperatorName& rhs) const = default;
};

// `ns::base.overload`, or `ns::base`.
TORCH_API std::string toString(const OperatorName& name);
TORCH_API std::ostream& operator<<(std::ostream& out, const OperatorName& name);

}  // namespace c10

template <>
struct std::hash<c10::OperatorName> {
  size_t operator()(const c10::OperatorName& x) const noexcept {
    return std::hash<std::string>()(x.name) * 31 ^ std::hash<std::string>()(x.overload_name);
  }
};
