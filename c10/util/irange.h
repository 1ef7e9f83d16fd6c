#pragma once

#include <cstddef>
#include <iterator>
#include <type_traits>

namespace c10 {
namespace detail {

template <typename I>
struct integer_iterator {
  using iterator_category = std::input_iterator_tag;
  using value_type = I;
  using difference_type = std::ptrdiff_t;
  using pointer = I*;
  using reference = I&;

  I value;
  constexpr I operator*() const { return value; }
  constexpr integer_iterator& operator++() {
    ++value;
    return *this;
  }
  constexpr integer_iterator operator++(int) {
    integer_iterator copy = *this;
    ++*this;
    return copy;
  }
  constexpr bool operator==(const integer_iterator&) const = default;
};

}  // namespace detail

/// The integers from begin() up to, not including, end().
template <typename I>
struct integer_range {
  constexpr integer_range(I begin, I end) : begin_{begin}, end_{end} {}
  constexpr detail::integer_iterator<I> begin() const { return begin_; }
  constexpr detail::integer_iterator<I> end() const { return end_; }

 private:
  detail::integer_iterator<I> begin_;
  detail::integer_iterator<I> end_;
};

/// `for (const auto i : c10::irange(first, last))`; empty when last <= first.
template <typename First, typename Last>
  requires(std::is_integral_v<First> && std::is_integral_v<Last>)
constexpr integer_range<Last> irange(First begin, Last end) {
  const Last first = static_cast<Last>(begin);
  return {first, first < end ? end : first};
}
/// `for (const auto i : c10::irange(n))`; empty when n is negative.
template <typename Last>
  requires std::is_integral_v<Last>
constexpr integer_range<Last> irange(Last end) {
  return {Last(), Last() < end ? end : Last()};
}

}  // namespace c10
