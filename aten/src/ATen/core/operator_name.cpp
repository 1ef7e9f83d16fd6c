#include <ATen/core/operator_name.h>

#include <ostream>

namespace c10 {

std::optional<std::string_view> OperatorName::getNamespace() const {
  const auto pos = name.find("::");
  if (pos == std::string::npos) return std::nullopt;
  return std::string_view(name).substr(0, pos);
}

bool OperatorName::setNamespaceIfNotSet(std::string_view ns) {
  if (getNamespace().has_value()) return false;
  name = std::string(ns) + "::" + name;
  return true;
}

std::string toString(const OperatorName& name) {
  return name.overload_name.empty() ? name.name : name.name + "." + name.overload_name;
}

std::ostream& operator<<(std::ostream& out, const OperatorName& name) {
  return out << toString(name);
}

}  // namespace c10
