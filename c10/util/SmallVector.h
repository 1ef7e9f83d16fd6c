#pragma once

#include <c10/macros/Macros.h>
#include <c10/util/ArrayRef.h>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iosfwd>
#include <new>
#include <type_traits>
#include <utility>

namespace c10 {

namespace detail {
/// The next capacity for a list of `capacity` that must hold `needed`; throws when it cannot.
C10_API size_t smallVectorGrowth(size_t capacity, size_t needed);
}  // namespace detail

/// The part of a SmallVector that does not depend on N. Take it as a parameter, so that callers
/// with any N can pass theirs:
///
///   void collect(c10::SmallVectorImpl<int64_t>& out) { out.push_back(3); }
///   c10::SmallVector<int64_t, 4> found;
///   collect(found);
///
/// Members are std::vector's. Sizes and capacities count elements. An operation that adds elements
/// may move all of them, and then iterators, pointers and references into the list are invalid; one
/// that removes elements invalidates those at and behind the first removed element.
///
/// A value may be an element of the list itself: `list.push_back(list[0])`. A range of iterators
/// may not point into the list that it is added or assigned to.
///
/// If a constructor of an element throws, the list keeps the elements that it has added until then.
/// If the copy or move of an element throws while the list moves to new memory, that memory leaks.
template <typename T>
class SmallVectorImpl {
 public:
  using value_type = T;
  using size_type = size_t;
  using difference_type = ptrdiff_t;
  using iterator = T*;
  using const_iterator = const T*;
  using reference = T&;
  using const_reference = const T&;
  using reverse_iterator = std::reverse_iterator<iterator>;
  using const_reverse_iterator = std::reverse_iterator<const_iterator>;

  SmallVectorImpl(const SmallVectorImpl&) = delete;

  iterator begin() { return data_; }
  iterator end() { return data_ + size_; }
  const_iterator begin() const { return data_; }
  const_iterator end() const { return data_ + size_; }
  const_iterator cbegin() const { return begin(); }
  const_iterator cend() const { return end(); }
  reverse_iterator rbegin() { return reverse_iterator(end()); }
  reverse_iterator rend() { return reverse_iterator(begin()); }
  const_reverse_iterator rbegin() const { return const_reverse_iterator(end()); }
  const_reverse_iterator rend() const { return const_reverse_iterator(begin()); }

  T* data() { return data_; }
  const T* data() const { return data_; }
  size_t size() const { return size_; }
  size_t capacity() const { return capacity_; }
  bool empty() const { return size_ == 0; }

  /// Not checked: `i` is below size(). `front` and `back` need an element.
  T& operator[](size_t i) { return data_[i]; }
  const T& operator[](size_t i) const { return data_[i]; }
  /// Throws c10::IndexError unless `i` is below size().
  T& at(size_t i) {
    TORCH_CHECK_INDEX(i < size_, "SmallVector: index ", i, " is out of range for size ", size_);
    return data_[i];
  }
  const T& at(size_t i) const { return const_cast<SmallVectorImpl*>(this)->at(i); }
  T& front() { return data_[0]; }
  const T& front() const { return data_[0]; }
  T& back() { return data_[size_ - 1]; }
  const T& back() const { return data_[size_ - 1]; }

  /// Destroys the elements; the capacity stays.
  void clear() { truncate(0); }
  void pop_back() { truncate(size_ - 1); }
  /// Removes the last element and returns it.
  T pop_back_val() {
    T value = std::move(back());
    pop_back();
    return value;
  }
  /// Shortens to `n` elements; `n` is at most size().
  void truncate(size_t n) {
    destroy(data_ + n, data_ + size_);
    size_ = n;
  }
  /// Makes room for `n` elements. Throws c10::Error if so many cannot be addressed. Never shrinks.
  void reserve(size_t n) {
    if (n > capacity_) grow(n);
  }
  /// Removes elements from the end, or adds elements `T()`: zero for numbers.
  void resize(size_t n) {
    if (n < size_) {
      truncate(n);
    } else {
      reserve(n);
      while (size_ < n) construct_back();
    }
  }
  void resize(size_t n, const T& value) {
    if (n < size_) {
      truncate(n);
    } else {
      append(n - size_, value);
    }
  }

  void push_back(const T& value) { emplace_back(value); }
  void push_back(T&& value) { emplace_back(std::move(value)); }
  template <typename... Args>
  T& emplace_back(Args&&... args) {
    if (C10_UNLIKELY(size_ == capacity_)) {
      T value(std::forward<Args>(args)...);  // The arguments may point into the old storage.
      grow(size_ + 1);
      return construct_back(std::move(value));
    }
    return construct_back(std::forward<Args>(args)...);
  }

  template <typename It>
    requires std::is_convertible_v<typename std::iterator_traits<It>::iterator_category,
                                   std::input_iterator_tag>
  void append(It first, It last) {
    if constexpr (std::is_base_of_v<std::forward_iterator_tag,
                                    typename std::iterator_traits<It>::iterator_category>) {
      reserve(size_ + static_cast<size_t>(std::distance(first, last)));
    }
    for (; first != last; ++first) emplace_back(*first);
  }
  void append(size_t count, T value) {
    reserve(size_ + count);
    while (count-- > 0) construct_back(value);
  }
  void append(std::initializer_list<T> list) { append(list.begin(), list.end()); }
  void append(const SmallVectorImpl& other) { append(other.begin(), other.end()); }

  void assign(size_t count, T value) {
    clear();
    append(count, std::move(value));
  }
  template <typename It>
    requires std::is_convertible_v<typename std::iterator_traits<It>::iterator_category,
                                   std::input_iterator_tag>
  void assign(It first, It last) {
    clear();
    append(first, last);
  }
  void assign(std::initializer_list<T> list) { assign(list.begin(), list.end()); }
  void assign(const SmallVectorImpl& other) {
    if (this != &other) assign(other.begin(), other.end());
  }

  /// Returns the place of the first element behind those removed.
  iterator erase(const_iterator position) { return erase(position, position + 1); }
  iterator erase(const_iterator first, const_iterator last) {
    if (first == last) return const_cast<T*>(first);  // nothing may be moved onto itself
    T* to = const_cast<T*>(first);
    T* result = to;
    for (T* from = const_cast<T*>(last); from != end(); ++from, ++to) *to = std::move(*from);
    truncate(static_cast<size_t>(to - data_));
    return result;
  }
  /// Inserts in front of `position` and returns the place of the first new element. If something
  /// throws, elements are in an unspecified order.
  iterator insert(const_iterator position, T value) {
    const size_t index = static_cast<size_t>(position - data_);
    emplace_back(std::move(value));
    rotate_last_to(index, 1);
    return data_ + index;
  }
  template <typename It>
    requires std::is_convertible_v<typename std::iterator_traits<It>::iterator_category,
                                   std::input_iterator_tag>
  iterator insert(const_iterator position, It first, It last) {
    const size_t index = static_cast<size_t>(position - data_);
    const size_t before = size_;
    append(first, last);
    rotate_last_to(index, size_ - before);
    return data_ + index;
  }
  iterator insert(const_iterator position, size_t count, const T& value) {
    const size_t index = static_cast<size_t>(position - data_);
    append(count, value);
    rotate_last_to(index, count);
    return data_ + index;
  }

  SmallVectorImpl& operator=(const SmallVectorImpl& other) {
    assign(other);
    return *this;
  }

  /// True if both have the same number of equal elements; capacities do not count.
  friend bool operator==(const SmallVectorImpl& a, const SmallVectorImpl& b) {
    return ArrayRef<T>(a.data_, a.size_).equals(ArrayRef<T>(b.data_, b.size_));
  }

 protected:
  SmallVectorImpl(T* inline_data, size_t inline_capacity)
      : data_(inline_data), size_(0), capacity_(inline_capacity), inline_data_(inline_data) {}
  ~SmallVectorImpl() {
    clear();
    release();
  }

  /// Takes over the heap storage of `other`, or its elements one by one when they are inline.
  void move_from(SmallVectorImpl& other) {
    if (this == &other) return;
    clear();
    if (other.data_ != other.inline_data_) {
      release();
      data_ = other.data_;
      size_ = other.size_;
      capacity_ = other.capacity_;
      other.data_ = other.inline_data_;
      other.capacity_ = 0;
      other.size_ = 0;
    } else {
      reserve(other.size_);
      for (T& value : other) construct_back(std::move(value));
      other.clear();
    }
  }
  void restore_inline(size_t inline_capacity) {
    if (data_ == inline_data_) capacity_ = inline_capacity;
  }

 private:
  // Counts the element after its construction: what a constructor did not finish is not destroyed.
  template <typename... Args>
  T& construct_back(Args&&... args) {
    T* const element = new (data_ + size_) T(std::forward<Args>(args)...);
    ++size_;
    return *element;
  }
  static void destroy(T* first, T* last) {
    if constexpr (!std::is_trivially_destructible_v<T>) {
      while (first != last) (--last)->~T();
    }
  }
  void release() {
    if (data_ != inline_data_) ::operator delete(data_, std::align_val_t(alignof(T)));
  }
  C10_NOINLINE void grow(size_t needed) {
    const size_t capacity = detail::smallVectorGrowth(capacity_, needed);
    T* fresh = static_cast<T*>(::operator new(capacity * sizeof(T), std::align_val_t(alignof(T))));
    for (size_t i = 0; i < size_; ++i) new (fresh + i) T(std::move(data_[i]));
    destroy(data_, data_ + size_);
    release();
    data_ = fresh;
    capacity_ = capacity;
  }
  // Moves the last `count` elements so that they begin at `index`.
  void rotate_last_to(size_t index, size_t count) {
    const auto reverse = [this](size_t first, size_t last) {
      for (; first + 1 < last; ++first) {
        --last;
        T saved = std::move(data_[first]);
        data_[first] = std::move(data_[last]);
        data_[last] = std::move(saved);
      }
    };
    reverse(index, size_ - count);
    reverse(size_ - count, size_);
    reverse(index, size_);
  }

  T* data_;
  size_t size_;
  size_t capacity_;
  T* inline_data_;
};

/// A vector that holds up to N elements inside the object and allocates memory only for more.
///
///   c10::SmallVector<int64_t, 5> sizes{2, 3};  // no allocation
///   sizes.append(4, 1);                        // 6 elements: on the heap
///
/// A move takes over the memory on the heap, or moves the elements one by one if they are inside
/// the object. The source is empty afterwards. A list that once allocated never returns to the
/// memory inside the object, except as the source of a move.
template <typename T, unsigned N>
class SmallVector : public SmallVectorImpl<T> {
  using Base = SmallVectorImpl<T>;

 public:
  SmallVector() : Base(reinterpret_cast<T*>(storage_), N) {}
  ~SmallVector() = default;
  explicit SmallVector(size_t count) : SmallVector() { this->resize(count); }
  SmallVector(size_t count, const T& value) : SmallVector() { this->append(count, value); }
  template <typename It>
    requires std::is_convertible_v<typename std::iterator_traits<It>::iterator_category,
                                   std::input_iterator_tag>
  SmallVector(It first, It last) : SmallVector() {
    this->append(first, last);
  }
  SmallVector(std::initializer_list<T> list) : SmallVector() { this->append(list); }
  explicit SmallVector(ArrayRef<T> list) : SmallVector() { this->append(list.begin(), list.end()); }
  SmallVector(const SmallVector& other) : SmallVector() { this->append(other); }
  SmallVector(const Base& other) : SmallVector() { this->append(other); }
  SmallVector(SmallVector&& other) noexcept : SmallVector() {
    this->move_from(other);
    other.restore_inline(N);
  }
  /// Copies: N of the source is not known here.
  explicit SmallVector(Base&& other) : SmallVector() { this->append(other); }

  SmallVector& operator=(const SmallVector& other) {
    this->assign(other);
    return *this;
  }
  SmallVector& operator=(const Base& other) {
    this->assign(other);
    return *this;
  }
  SmallVector& operator=(SmallVector&& other) noexcept {
    this->move_from(other);
    other.restore_inline(N);
    this->restore_inline(N);
    return *this;
  }
  SmallVector& operator=(std::initializer_list<T> list) {
    this->assign(list);
    return *this;
  }
  template <typename Container>
    requires(std::is_convertible_v<const Container&, ArrayRef<T>> &&
             !std::is_base_of_v<SmallVectorImpl<T>, Container>)
  SmallVector& operator=(const Container& container) {
    const ArrayRef<T> list(container);
    this->assign(list.begin(), list.end());
    return *this;
  }

 private:
  alignas(T) unsigned char storage_[sizeof(T) * (N == 0 ? 1 : N)];
};

template <typename T>
std::ostream& operator<<(std::ostream& out, const SmallVectorImpl<T>& list) {
  return out << ArrayRef<T>(list.data(), list.size());
}
template <typename T, unsigned N>
std::ostream& operator<<(std::ostream& out, const SmallVector<T, N>& list) {
  return out << ArrayRef<T>(list.data(), list.size());
}

}  // namespace c10
