#pragma once

#include <torch/headeronly/macros/Macros.h>
#include <torch/headeronly/util/Exception.h>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <vector>

namespace c10 {

/// A borrowed, constant range of elements: ArrayRef without a library behind it, so that its checks
/// throw std::runtime_error. It must not outlive the elements; take it as an argument, by value.
template <typename T>
class HeaderOnlyArrayRef final {
 public:
  using value_type = T;
  using size_type = size_t;
  using iterator = const T*;
  using const_iterator = const T*;
  using reverse_iterator = std::reverse_iterator<iterator>;

  constexpr HeaderOnlyArrayRef() = default;
  constexpr HeaderOnlyArrayRef(const T& element) : data_(&element), size_(1) {}
  constexpr HeaderOnlyArrayRef(const T* data, size_t size) : data_(data), size_(size) {}
  constexpr HeaderOnlyArrayRef(const T* begin, const T* end)
      : data_(begin), size_(static_cast<size_t>(end - begin)) {}
  template <size_t N>
  constexpr HeaderOnlyArrayRef(const T (&array)[N]) : data_(array), size_(N) {}
  constexpr HeaderOnlyArrayRef(std::initializer_list<T> list)
      : HeaderOnlyArrayRef(list.begin(), list.size()) {}
  // A vector, an array, a c10::ArrayRef: what has its elements side by side.
  template <typename Container>
    requires requires(const Container& c) {
      { c.data() } -> std::convertible_to<const T*>;
      { c.size() } -> std::convertible_to<size_t>;
    }
  constexpr HeaderOnlyArrayRef(const Container& container)
      : data_(container.data()), size_(container.size()) {}

  constexpr const T* data() const { return data_; }
  constexpr size_t size() const { return size_; }
  constexpr bool empty() const { return size_ == 0; }
  constexpr iterator begin() const { return data_; }
  constexpr iterator end() const { return data_ + size_; }
  constexpr const_iterator cbegin() const { return begin(); }
  constexpr const_iterator cend() const { return end(); }
  constexpr reverse_iterator rbegin() const { return reverse_iterator(end()); }
  constexpr reverse_iterator rend() const { return reverse_iterator(begin()); }

  constexpr const T& operator[](size_t i) const { return data_[i]; }
  constexpr const T& at(size_t i) const {
    STD_TORCH_CHECK(i < size_, "HeaderOnlyArrayRef: index ", i, " of ", size_, " elements");
    return data_[i];
  }
  constexpr const T& front() const { return at(0); }
  constexpr const T& back() const { return at(size_ - 1); }
  /// `count` elements from the one at `first`.
  constexpr HeaderOnlyArrayRef slice(size_t first, size_t count) const {
    STD_TORCH_CHECK(first <= size_ && count <= size_ - first, "HeaderOnlyArrayRef: a slice of ",
                    count, " elements from ", first, " of ", size_, " elements");
    return HeaderOnlyArrayRef(data_ + first, count);
  }
  /// The elements from the one at `first`.
  constexpr HeaderOnlyArrayRef slice(size_t first) const {
    return slice(first, first <= size_ ? size_ - first : 0);
  }
  template <typename Predicate>
  constexpr bool allMatch(const Predicate& predicate) const {
    return std::all_of(begin(), end(), predicate);
  }
  std::vector<T> vec() const { return std::vector<T>(begin(), end()); }
  constexpr bool equals(HeaderOnlyArrayRef other) const {
    return std::equal(begin(), end(), other.begin(), other.end());
  }
  friend constexpr bool operator==(HeaderOnlyArrayRef a, HeaderOnlyArrayRef b) {
    return a.equals(b);
  }

 private:
  const T* data_ = nullptr;
  size_t size_ = 0;
};

}  // namespace c10

HIDDEN_NAMESPACE_BEGIN(torch, headeronly)
using c10::HeaderOnlyArrayRef;
using IntHeaderOnlyArrayRef = HeaderOnlyArrayRef<int64_t>;
HIDDEN_NAMESPACE_END(torch, headeronly)
