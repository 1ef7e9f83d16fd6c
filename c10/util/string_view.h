#pragma once

#include <string_view>

namespace c10 {
template <class CharT>
using basic_string_view = std::basic_string_view<CharT>;
using string_view = std::string_view;
inline constexpr bool starts_with(std::string_view str, std::string_view prefix) {
  return str.starts_with(prefix);
}
inline constexpr bool ends_with(std::string_view str, std::string_view suffix) {
  return str.ends_with(suffix);
}
}  // namespace c10
