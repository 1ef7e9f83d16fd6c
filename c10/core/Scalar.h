#pragma once

#include <c10/core/ScalarType.h>
#include <c10/core/SymInt.h>
#include <c10/macros/Macros.h>
#include <c10/util/BFloat16.h>
#include <c10/util/Half.h>
#include <c10/util/complex_type.h>

#include <cstdint>
#include <iosfwd>
#include <type_traits>

namespace c10 {

/// A number: bool, integer, floating-point or complex, stored in the widest type of its kind. It is
/// the type of arguments such as `alpha`. In "tensor + scalar" only the kind of the scalar takes
/// part in type promotion, not its width: a float tensor plus a double is a float tensor.
///
///   c10::Scalar s = 3;
///   s.toDouble();          // 3.0
///   c10::Scalar(300).to<uint8_t>();  // throws: 300 does not fit
class C10_API Scalar {
 public:
  Scalar() : Scalar(int64_t(0)) {}
  template <typename T>
    requires std::is_same_v<T, bool>
  /* implicit */ Scalar(T value) : tag_(Tag::HAS_b) {
    v.i = value ? 1 : 0;
  }
  template <typename T>
    requires(std::is_integral_v<T> && !std::is_same_v<T, bool>)
  /* implicit */ Scalar(T value) : tag_(Tag::HAS_i) {
    if constexpr (std::is_unsigned_v<T> && sizeof(T) == 8) {
      if (value > static_cast<T>(INT64_MAX)) {
        tag_ = Tag::HAS_u;
        v.u = value;
        return;
      }
    }
    v.i = static_cast<int64_t>(value);
  }
  /* implicit */ Scalar(double value) : tag_(Tag::HAS_d) { v.d = value; }
  /* implicit */ Scalar(float value) : Scalar(static_cast<double>(value)) {}
  /* implicit */ Scalar(Half value) : Scalar(static_cast<double>(static_cast<float>(value))) {}
  /* implicit */ Scalar(BFloat16 value) : Scalar(static_cast<double>(static_cast<float>(value))) {}
  /* implicit */ Scalar(complex<double> value) : tag_(Tag::HAS_z) {
    v.z = {value.real(), value.imag()};
  }
  /* implicit */ Scalar(complex<float> value) : Scalar(complex<double>(value)) {}
  /* implicit */ Scalar(complex<Half> value) : Scalar(complex<float>(value)) {}
  /* implicit */ Scalar(SymInt value) : Scalar(value.expect_int()) {}
  /* implicit */ Scalar(SymFloat value) : Scalar(value.expect_float()) {}
  template <detail::StdComplexOf<double> Z>
  /* implicit */ Scalar(const Z& value) : Scalar(complex<double>(value)) {}
  template <detail::StdComplexOf<float> Z>
  /* implicit */ Scalar(const Z& value) : Scalar(complex<float>(value)) {}

  /// toInt(), toDouble(), ...: the value in a C++ type. Integers are truncated from floating-point
  /// values. Throws c10::Error ("value cannot be converted to type X without overflow") if the
  /// value is out of range, or complex while the type is real.
#define DEFINE_ACCESSOR(type, name) type to##name() const;
  AT_FORALL_SCALAR_TYPES_WITH_COMPLEX(DEFINE_ACCESSOR)
#undef DEFINE_ACCESSOR

  SymInt toSymInt() const { return toLong(); }
  SymFloat toSymFloat() const { return toDouble(); }

  /// The same with the type as a parameter: `s.to<double>()`. `T` is an element type of tensors.
  template <typename T>
  T to() const = delete;

  bool isFloatingPoint() const { return tag_ == Tag::HAS_d; }
  bool isIntegral(bool includeBool) const {
    return tag_ == Tag::HAS_i || tag_ == Tag::HAS_u || (includeBool && isBoolean());
  }
  bool isComplex() const { return tag_ == Tag::HAS_z; }
  bool isBoolean() const { return tag_ == Tag::HAS_b; }
  /// True for an integer that is not negative.
  bool isUnsigned() const { return tag_ == Tag::HAS_u || (tag_ == Tag::HAS_i && v.i >= 0); }
  bool isSymbolic() const { return false; }
  bool isSymInt() const { return false; }
  bool isSymFloat() const { return false; }

  /// The type in which the number is stored: Bool, Long (UInt64 above the range of Long), Double or
  /// ComplexDouble.
  ScalarType type() const;

  Scalar operator-() const;
  Scalar conj() const;
  Scalar log() const;

  /// Whether the number equals `num` exactly; a bool equals only bools.
  template <typename T>
  bool equal(T num) const {
    if constexpr (std::is_same_v<T, bool>) {
      return isBoolean() && (v.i != 0) == num;
    } else {
      return equal_impl(Scalar(num));
    }
  }

 private:
  enum class Tag : uint8_t { HAS_d, HAS_i, HAS_u, HAS_z, HAS_b };
  bool equal_impl(const Scalar& other) const;
  template <typename T>
  T convert_to(const char* name) const;

  Tag tag_;
  union Value {
    constexpr Value() : i(0) {}
    double d;
    int64_t i;
    uint64_t u;
    struct {
      double re, im;
    } z;
  } v;
};

#define DEFINE_TO(T, name)         \
  template <>                      \
  inline T Scalar::to<T>() const { \
    return to##name();             \
  }
AT_FORALL_SCALAR_TYPES_WITH_COMPLEX(DEFINE_TO)
#undef DEFINE_TO

/// Prints the number as C++ streams do.
C10_API std::ostream& operator<<(std::ostream& out, const Scalar& s);

}  // namespace c10
