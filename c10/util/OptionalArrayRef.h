#pragma once

#include <c10/util/ArrayRef.h>

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <type_traits>
#include <utility>

namespace c10 {

/// An optional view of a list. Unlike `optional<ArrayRef<T>>` it does not convert from
/// `optional<T>`'s one element by accident, and it takes braces: `f({1, 2})`. The list must outlive
/// it.
template <typename T>
class OptionalArrayRef final {
 public:
  constexpr OptionalArrayRef() noexcept = default;
  constexpr OptionalArrayRef(std::nullopt_t) noexcept {}
  constexpr OptionalArrayRef(const OptionalArrayRef&) = default;
  constexpr OptionalArrayRef(const std::optional<ArrayRef<T>>& other) noexcept : value_(other) {}
  constexpr OptionalArrayRef(const T& one_element) noexcept : value_(ArrayRef<T>(one_element)) {}
  /// An optional list that the caller keeps, such as std::optional<std::vector<T>>.
  template <typename Container>
    requires(!std::is_same_v<Container, ArrayRef<T>> &&
             std::is_convertible_v<const Container&, ArrayRef<T>>)
  constexpr OptionalArrayRef(const std::optional<Container>& other)
      : value_(other ? std::optional<ArrayRef<T>>(ArrayRef<T>(*other)) : std::nullopt) {}
  template <typename U = ArrayRef<T>>
    requires(!std::is_same_v<std::decay_t<U>, OptionalArrayRef<T>> &&
             !std::is_same_v<std::decay_t<U>, std::in_place_t> && !std::is_convertible_v<U&&, T> &&
             std::is_convertible_v<U&&, ArrayRef<T>>)
  constexpr OptionalArrayRef(U&& value) : value_(ArrayRef<T>(std::forward<U>(value))) {}
  C10_DIAGNOSTIC_PUSH_AND_IGNORED_IF_DEFINED("-Winit-list-lifetime")
  constexpr OptionalArrayRef(const std::initializer_list<T>& list) : value_(ArrayRef<T>(list)) {}
  C10_DIAGNOSTIC_POP()
  template <typename... Args>
  constexpr explicit OptionalArrayRef(std::in_place_t, Args&&... args)
      : value_(ArrayRef<T>(std::forward<Args>(args)...)) {}

  constexpr OptionalArrayRef& operator=(std::nullopt_t) noexcept {
    value_ = std::nullopt;
    return *this;
  }
  OptionalArrayRef& operator=(const OptionalArrayRef&) = default;
  constexpr OptionalArrayRef& operator=(ArrayRef<T> list) noexcept {
    value_ = list;
    return *this;
  }

  constexpr const ArrayRef<T>* operator->() const noexcept { return &*value_; }
  constexpr ArrayRef<T>* operator->() noexcept { return &*value_; }
  constexpr const ArrayRef<T>& operator*() const noexcept { return *value_; }
  constexpr ArrayRef<T>& operator*() noexcept { return *value_; }
  constexpr explicit operator bool() const noexcept { return value_.has_value(); }
  constexpr bool has_value() const noexcept { return value_.has_value(); }
  constexpr const ArrayRef<T>& value() const { return value_.value(); }
  constexpr ArrayRef<T> value_or(ArrayRef<T> fallback) const { return value_.value_or(fallback); }
  constexpr void reset() noexcept { value_.reset(); }
  constexpr operator std::optional<ArrayRef<T>>() const noexcept { return value_; }

 private:
  std::optional<ArrayRef<T>> value_;
};

using OptionalIntArrayRef = OptionalArrayRef<int64_t>;

inline bool operator==(const OptionalIntArrayRef& a, IntArrayRef b) {
  return a.has_value() && *a == b;
}

}  // namespace c10
