#include <c10/util/Exception.h>
#include <c10/util/env.h>

#include <cctype>
#include <cstdlib>
#include <optional>
#include <string>

namespace c10::utils {

std::optional<std::string> get_env(const char* name) {
  const char* value = std::getenv(name);
  if (value == nullptr) return std::nullopt;
  return std::string(value);
}

bool has_env(const char* name) { return std::getenv(name) != nullptr; }

std::optional<bool> check_env(const char* name) {
  const std::optional<std::string> value = get_env(name);
  if (!value.has_value()) return std::nullopt;
  std::string lower;
  for (const char c : *value) lower.push_back(static_cast<char>(std::tolower(c)));
  if (lower == "1" || lower == "on" || lower == "true" || lower == "yes") return true;
  if (lower == "0" || lower == "off" || lower == "false" || lower == "no") return false;
  TORCH_WARN("Ignoring invalid value for boolean flag ", name, ": ", *value,
             " valid values are 0 or 1.");
  return std::nullopt;
}

void set_env(const char* name, const char* value, bool overwrite) {
#if defined(_WIN32)
  if (overwrite || !has_env(name)) _putenv_s(name, value);
#else
  setenv(name, value, overwrite ? 1 : 0);
#endif
}

}  // namespace c10::utils
