#pragma once

#include <torch/csrc/python_headers.h>

#include <utility>

// Owns one reference to a Python object; the constructor steals it. Needs the GIL throughout.
template <class T>
class THPPointer {
 public:
  THPPointer() = default;
  explicit THPPointer(T* ptr) noexcept : ptr_(ptr) {}
  THPPointer(THPPointer&& other) noexcept : ptr_(std::exchange(other.ptr_, nullptr)) {}
  THPPointer(const THPPointer&) = delete;
  THPPointer& operator=(const THPPointer&) = delete;
  THPPointer& operator=(THPPointer&& other) noexcept {
    reset(std::exchange(other.ptr_, nullptr));
    return *this;
  }
  THPPointer& operator=(T* ptr) noexcept {
    reset(ptr);
    return *this;
  }
  ~THPPointer() { reset(); }

  T* get() const { return ptr_; }
  T* release() { return std::exchange(ptr_, nullptr); }
  void reset(T* ptr = nullptr) {
    T* old = std::exchange(ptr_, ptr);
    Py_XDECREF(reinterpret_cast<PyObject*>(old));
  }
  static THPPointer none() { return dup(reinterpret_cast<T*>(Py_None)); }
  static THPPointer dup(T* ptr) {
    Py_XINCREF(reinterpret_cast<PyObject*>(ptr));
    return THPPointer(ptr);
  }
  T* operator->() const { return ptr_; }
  operator T*() const { return ptr_; }  // NOLINT: handed to the C API everywhere
  explicit operator bool() const { return ptr_ != nullptr; }

 private:
  T* ptr_ = nullptr;
};

using THPObjectPtr = THPPointer<PyObject>;
