#pragma once

// Names of types as text, and numbers of types, both while the program is compiled.
//
//   static_assert(c10::util::get_type_index<int>() == c10::util::get_type_index<const int&>());
//   c10::util::get_fully_qualified_type_name<std::vector<int>>()   // "std::vector<int>"

#include <c10/util/ConstexprCrc.h>
#include <c10/util/string_view.h>

#include <cstddef>
#include <cstdint>
#include <ostream>
#include <string_view>
#include <type_traits>

namespace c10::util {

namespace detail {
// The name is in the text that the compiler has for this function: "... [with T = int]".
template <typename T>
constexpr auto type_name() {
  const std::string_view text = __PRETTY_FUNCTION__;
  const size_t begin = text.find("T = ") + 4;
  return text.substr(begin, text.rfind(']') - begin);
}
}  // namespace detail

/// The name of a type as the compiler writes it, namespaces included.
template <typename T>
constexpr std::string_view get_fully_qualified_type_name() noexcept {
  constexpr std::string_view name = detail::type_name<T>();
  return name;
}

/// A number of a type: the checksum of its name, the same in every library of one compiler.
struct type_index final : IdWrapper<type_index, uint64_t> {
  constexpr explicit type_index(uint64_t checksum) : IdWrapper(checksum) {}

  friend constexpr bool operator<(type_index a, type_index b) noexcept {
    return a.underlyingId() < b.underlyingId();
  }
  friend std::ostream& operator<<(std::ostream& out, type_index index) {
    return out << index.underlyingId();
  }
};

/// Of a type without reference, const and volatile; a function is its pointer.
template <typename T>
constexpr type_index get_type_index() {
  return type_index(crc64(detail::type_name<std::decay_t<T>>()).checksum());
}

}  // namespace c10::util

C10_DEFINE_HASH_FOR_IDWRAPPER(c10::util::type_index)
