#pragma once

#include <c10/macros/Export.h>

#include <optional>
#include <string>

namespace c10::utils {

/// The value of an environment variable, if it is set.
C10_API std::optional<std::string> get_env(const char* name);
C10_API bool has_env(const char* name);
/// True for "1", "ON", "true"..., false for "0", "OFF"..., nothing when unset; warns about others.
C10_API std::optional<bool> check_env(const char* name);
/// Sets a variable of this process. Not for use while other threads read the environment.
C10_API void set_env(const char* name, const char* value, bool overwrite = true);

}  // namespace c10::utils
