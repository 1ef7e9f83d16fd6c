#pragma once

#include <c10/macros/Macros.h>
#include <c10/util/Exception.h>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iosfwd>
#include <type_traits>
#include <vector>

namespace c10 {

/// A borrowed, read-only view of contiguous elements, which must outlive it. Pass it by value.
/// Converts from vectors, arrays, SmallVector, braces and a single element. A view of braces is
/// valid in the same expression only:
///
///   at::zeros({2, 3});                     // fine
///   at::IntArrayRef sizes = {2, 3};        // dangles
template <typename T>
class ArrayRef final {
 public:
  using value_type = T;
  using size_type = size_t;
  using iterator = const T*;
  using const_iterator = const T*;
  using reverse_iterator = std::reverse_iterator<iterator>;

  constexpr ArrayRef() noexcept = default;
  constexpr ArrayRef(const T& one_element) noexcept : data_(&one_element), size_(1) {}
  constexpr ArrayRef(const T* data, size_t length) : data_(data), size_(length) { check_data(); }
  constexpr ArrayRef(const T* begin, const T* end)
      : data_(begin), size_(static_cast<size_t>(end - begin)) {
    check_data();
  }
  /// From any container whose `data()` is a pointer to T.
  template <
      typename Container,
      typename = std::enable_if_t<
          std::is_same_v<std::remove_const_t<decltype(std::declval<const Container&>().data())>,
                         const T*> ||
          std::is_same_v<std::remove_const_t<decltype(std::declval<const Container&>().data())>,
                         T*>>>
  constexpr ArrayRef(const Container& container)
      : data_(container.data()), size_(container.size()) {
    check_data();
  }
  constexpr ArrayRef(const std::vector<T>& vector) : data_(vector.data()), size_(vector.size()) {
    static_assert(!std::is_same_v<T, bool>, "std::vector<bool> holds bits, not a list of bool");
  }
  template <size_t N>
  constexpr ArrayRef(const T (&array)[N]) : data_(array), size_(N) {}
  C10_DIAGNOSTIC_PUSH_AND_IGNORED_IF_DEFINED("-Winit-list-lifetime")
  constexpr ArrayRef(const std::initializer_list<T>& list)
      : data_(list.begin() == list.end() ? nullptr : list.begin()), size_(list.size()) {}
  C10_DIAGNOSTIC_POP()

  constexpr iterator begin() const { return data_; }
  constexpr iterator end() const { return data_ + size_; }
  constexpr const_iterator cbegin() const { return begin(); }
  constexpr const_iterator cend() const { return end(); }
  constexpr reverse_iterator rbegin() const { return reverse_iterator(end()); }
  constexpr reverse_iterator rend() const { return reverse_iterator(begin()); }

  constexpr bool empty() const { return size_ == 0; }
  constexpr const T* data() const { return data_; }
  constexpr size_t size() const { return size_; }

  constexpr const T& front() const {
    TORCH_CHECK(!empty(), "ArrayRef: attempted to access front() of empty list");
    return data_[0];
  }
  constexpr const T& back() const {
    TORCH_CHECK(!empty(), "ArrayRef: attempted to access back() of empty list");
    return data_[size_ - 1];
  }
  /// Without a check of the index; `at` checks it.
  constexpr const T& operator[](size_t index) const { return data_[index]; }
  constexpr const T& at(size_t index) const {
    TORCH_CHECK(index < size_, "ArrayRef: invalid index Index = ", index, "; Length = ", size_);
    return data_[index];
  }

  constexpr bool equals(ArrayRef other) const {
    if (size_ != other.size_) return false;
    for (size_t i = 0; i < size_; ++i) {
      if (!(data_[i] == other.data_[i])) return false;
    }
    return true;
  }

  /// `length` elements from `offset` on. Throws c10::Error if they are not inside the list.
  constexpr ArrayRef<T> slice(size_t offset, size_t length) const {
    TORCH_CHECK(offset + length <= size_, "ArrayRef: invalid slice, N = ", offset, "; M = ", length,
                "; size = ", size_);
    return ArrayRef<T>(data_ + offset, length);
  }
  /// All elements from `offset` on. Throws c10::Error if `offset` is beyond the end.
  constexpr ArrayRef<T> slice(size_t offset) const {
    TORCH_CHECK(offset <= size_, "ArrayRef: invalid slice, N = ", offset, "; size = ", size_);
    return ArrayRef<T>(data_ + offset, size_ - offset);
  }

  /// A copy.
  std::vector<T> vec() const { return std::vector<T>(begin(), end()); }

  /// Deleted, because a view of a temporary would dangle.
  template <typename U>
  std::enable_if_t<std::is_same_v<U, T>, ArrayRef<T>>& operator=(U&& temporary) = delete;
  template <typename U>
  std::enable_if_t<std::is_same_v<U, T>, ArrayRef<T>>& operator=(std::initializer_list<U>) = delete;

 private:
  constexpr void check_data() const {
    TORCH_INTERNAL_ASSERT_DEBUG_ONLY(
        data_ != nullptr || size_ == 0,
        "created ArrayRef with nullptr and non-zero length! std::optional relies on this being illegal");
  }

  const T* data_ = nullptr;
  size_t size_ = 0;
};

template <typename T>
std::ostream& operator<<(std::ostream& out, ArrayRef<T> list) {
  std::string text;
  detail::append(text, list);
  return detail::writeTo(out, text);
}

template <typename T>
constexpr ArrayRef<T> makeArrayRef(const T& one_element) {
  return one_element;
}
template <typename T>
constexpr ArrayRef<T> makeArrayRef(const T* data, size_t length) {
  return ArrayRef<T>(data, length);
}
template <typename T>
ArrayRef<T> makeArrayRef(const std::vector<T>& vector) {
  return vector;
}
template <typename T>
constexpr ArrayRef<T> makeArrayRef(const ArrayRef<T>& list) {
  return list;
}
template <typename T, size_t N>
constexpr ArrayRef<T> makeArrayRef(const T (&array)[N]) {
  return ArrayRef<T>(array);
}

template <typename T>
constexpr bool operator==(ArrayRef<T> a, ArrayRef<T> b) {
  return a.equals(b);
}
template <typename T>
bool operator==(const std::vector<T>& a, ArrayRef<T> b) {
  return ArrayRef<T>(a).equals(b);
}
template <typename T>
bool operator==(ArrayRef<T> a, const std::vector<T>& b) {
  return a.equals(ArrayRef<T>(b));
}

using IntArrayRef = ArrayRef<int64_t>;
using IntList [[deprecated("use c10::IntArrayRef")]] = ArrayRef<int64_t>;

}  // namespace c10
