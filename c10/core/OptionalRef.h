#pragma once

namespace c10 {

/// A reference or nothing.
template <typename T>
class OptionalRef {
 public:
  OptionalRef() = default;
  /* implicit */ OptionalRef(const T* data) : data_(data) {}
  /* implicit */ OptionalRef(const T& data) : data_(&data) {}

  bool has_value() const { return data_ != nullptr; }
  explicit operator bool() const { return has_value(); }
  const T& get() const { return *data_; }

 private:
  const T* data_ = nullptr;
};

}  // namespace c10
