#pragma once

#include <optional>

namespace c10 {
// The standard optional under its former name.
using std::bad_optional_access;
using std::in_place;
using std::in_place_t;
using std::make_optional;
using std::nullopt;
using std::nullopt_t;
using std::optional;

/// The value of `opt`, else of `fallback()`.
template <class T, class F>
constexpr T value_or_else(const std::optional<T>& opt, F&& fallback) {
  return opt.has_value() ? *opt : fallback();
}
}  // namespace c10
