#pragma once

// Names of types as text.

#include <c10/util/Type.h>
#include <c10/util/string_view.h>

#include <cstdint>
#include <string>
#include <typeindex>
#include <typeinfo>

namespace c10::util {

using type_index = std::type_index;

template <typename T>
type_index get_type_index() {
  return type_index(typeid(T));
}
template <typename T>
std::string get_fully_qualified_type_name() {
  return c10::demangle_type<T>();
}

}  // namespace c10::util
