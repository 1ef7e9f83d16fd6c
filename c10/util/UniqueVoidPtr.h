#pragma once

#include <c10/macros/Macros.h>

#include <cstddef>

namespace c10 {

/// Frees what an allocator gave; receives the context, not the data.
using DeleterFnPtr = void (*)(void*);

namespace detail {

/// Does nothing: memory that somebody else frees.
C10_API void deleteNothing(void* context);

/// A pointer to data, with the context whose deleter frees it. They differ when the data lie
/// inside a larger object (a Python array, a mapped file).
class UniqueVoidPtr {
 public:
  UniqueVoidPtr() noexcept = default;
  explicit UniqueVoidPtr(void* data) noexcept : data_(data) {}
  UniqueVoidPtr(void* data, void* context, DeleterFnPtr deleter) noexcept
      : data_(data), context_(context), deleter_(deleter != nullptr ? deleter : &deleteNothing) {}
  UniqueVoidPtr(UniqueVoidPtr&& other) noexcept
      : data_(other.data_), context_(other.release_context()), deleter_(other.deleter_) {
    other.data_ = nullptr;
  }
  UniqueVoidPtr& operator=(UniqueVoidPtr&& other) noexcept {
    if (this != &other) {
      free_context();
      data_ = other.data_;
      deleter_ = other.deleter_;
      context_ = other.release_context();
      other.data_ = nullptr;
    }
    return *this;
  }
  ~UniqueVoidPtr() { free_context(); }

  void* operator->() const { return data_; }
  void* get() const { return data_; }
  void* get_context() const { return context_; }
  DeleterFnPtr get_deleter() const { return deleter_; }
  explicit operator bool() const { return data_ != nullptr || context_ != nullptr; }

  void clear() {
    free_context();
    context_ = nullptr;
    data_ = nullptr;
  }
  /// Gives the context to the caller, who frees it.
  void* release_context() noexcept {
    void* context = context_;
    context_ = nullptr;
    return context;
  }
  template <typename T>
  T* cast_context(DeleterFnPtr expected_deleter) const {
    return deleter_ == expected_deleter ? static_cast<T*>(context_) : nullptr;
  }
  /// Replaces the deleter if it is `expected_deleter`.
  bool compare_exchange_deleter(DeleterFnPtr expected_deleter, DeleterFnPtr new_deleter) {
    if (deleter_ != expected_deleter) return false;
    deleter_ = new_deleter;
    return true;
  }

  friend bool operator==(const UniqueVoidPtr& a, std::nullptr_t) noexcept { return !a; }

 private:
  void free_context() {
    if (context_ != nullptr) deleter_(context_);
  }

  void* data_ = nullptr;
  void* context_ = nullptr;
  DeleterFnPtr deleter_ = &deleteNothing;
};

}  // namespace detail
}  // namespace c10
