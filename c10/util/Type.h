#pragma once

#include <c10/macros/Macros.h>

#include <string>
#include <typeinfo>

namespace c10 {

/// A type's name as C++ writes it, from the compiler's encoded one.
C10_API std::string demangle(const char* name);

/// "float" for float; for messages.
template <typename T>
inline std::string demangle_type() {
  return demangle(typeid(T).name());
}

}  // namespace c10
