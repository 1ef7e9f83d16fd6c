#pragma once

#include <c10/core/ScalarType.h>

#include <cstddef>
#include <iosfwd>
#include <string_view>

namespace caffe2 {

/// The type of what a tensor holds. Elements are always of a ScalarType here, so this is one with
/// the interface that code written for PyTorch expects of `dtype()`.
class C10_API TypeMeta final {
 public:
  constexpr TypeMeta() noexcept = default;

  /// The type of C++ type T, which must be one of the element types.
  template <typename T>
  static constexpr TypeMeta Make() {
    return TypeMeta(c10::CppTypeToScalarType<T>::value);
  }
  static constexpr TypeMeta fromScalarType(c10::ScalarType type) { return TypeMeta(type); }
  constexpr c10::ScalarType toScalarType() const { return type_; }
  constexpr bool isScalarType() const { return type_ != c10::ScalarType::Undefined; }
  constexpr bool isScalarType(c10::ScalarType type) const { return type_ == type; }

  /// Bytes an element takes; 0 for an undefined type.
  constexpr size_t itemsize() const noexcept {
    return type_ == c10::ScalarType::Undefined ? 0 : c10::elementSize(type_);
  }
  /// The C++ type's name, such as "float".
  std::string_view name() const noexcept;
  template <typename T>
  constexpr bool Match() const noexcept {
    return type_ == c10::CppTypeToScalarType<T>::value;
  }

  friend constexpr bool operator==(TypeMeta a, TypeMeta b) noexcept = default;
  friend constexpr bool operator==(TypeMeta a, c10::ScalarType b) noexcept { return a.type_ == b; }

 private:
  explicit constexpr TypeMeta(c10::ScalarType type) : type_(type) {}
  c10::ScalarType type_ = c10::ScalarType::Undefined;
};

C10_API std::ostream& operator<<(std::ostream& stream, TypeMeta type_meta);

}  // namespace caffe2

namespace c10 {
using caffe2::TypeMeta;
}
namespace at {
using caffe2::TypeMeta;
}
