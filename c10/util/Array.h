#pragma once

// c10::array_of<int64_t>(1, 2, 3) is a std::array of these.

#include <array>
#include <utility>

namespace c10 {

template <typename V, typename... T>
constexpr auto array_of(T&&... t) -> std::array<V, sizeof...(T)> {
  return {{std::forward<T>(t)...}};
}

}  // namespace c10
