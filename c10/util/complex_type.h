#pragma once

#include <c10/macros/Macros.h>
#include <c10/util/Half.h>

#include <concepts>
#include <iosfwd>
#include <type_traits>

// A complex number for host and device code. exp, sqrt and the like are in c10/util/complex_math.h.

namespace c10 {

template <typename T>
struct complex;

namespace detail {
// std::complex, told by its shape, so that this header need not include it.
template <typename Z, typename T>
concept StdComplexOf =
    std::is_class_v<Z> && !std::is_same_v<Z, complex<T>> && requires(const Z& z) {
      typename Z::value_type;
      requires std::is_same_v<typename Z::value_type, T>;
      requires sizeof(Z) == 2 * sizeof(T);
      { z.real() } -> std::same_as<T>;
      { z.imag() } -> std::same_as<T>;
      Z(T(), T());
    };
}  // namespace detail

/// real + imag * i, with parts of type T: float or double, and Half for storage. Two numbers
/// without padding, the real part first, as std::complex<T> has them: an array of one may be read
/// as an array of the other. Aligned to the size of both parts, which std::complex is not.
///
///   c10::complex<float> z(3, 4);
///   z *= 2;                     // 6 + 8i
///   std::complex<float> s = z;  // converts both ways
///
/// Nothing here throws. Products and quotients have no special cases for infinities and NaN (C11,
/// annex G): a product of infinities may have NaN parts.
template <typename T>
struct alignas(sizeof(T) * 2) complex {
  using value_type = T;

  T real_ = T(0);
  T imag_ = T(0);

  constexpr complex() = default;
  C10_HOST_DEVICE constexpr complex(const T& re, const T& im = T()) : real_(re), imag_(im) {}
  /// From parts of another type. A conversion to wider parts is implicit, to narrower ones
  /// explicit.
  template <typename U>
    requires(!std::is_same_v<U, T>)
  C10_HOST_DEVICE explicit(sizeof(U) > sizeof(T)) constexpr complex(const complex<U>& other)
      : real_(static_cast<T>(other.real())), imag_(static_cast<T>(other.imag())) {}
  template <detail::StdComplexOf<T> Z>
  constexpr complex(const Z& other) : real_(other.real()), imag_(other.imag()) {}
  template <detail::StdComplexOf<T> Z>
  constexpr operator Z() const {
    return Z(real_, imag_);
  }

  /// False for zero alone; true for NaN.
  C10_HOST_DEVICE constexpr explicit operator bool() const {
    return real_ != T(0) || imag_ != T(0);
  }
  C10_HOST_DEVICE constexpr T real() const { return real_; }
  C10_HOST_DEVICE constexpr T imag() const { return imag_; }
  constexpr void real(T value) { real_ = value; }
  constexpr void imag(T value) { imag_ = value; }

  C10_HOST_DEVICE constexpr complex& operator=(T re) {
    real_ = re;
    imag_ = T(0);
    return *this;
  }
  C10_HOST_DEVICE constexpr complex& operator+=(T re) {
    real_ += re;
    return *this;
  }
  C10_HOST_DEVICE constexpr complex& operator-=(T re) {
    real_ -= re;
    return *this;
  }
  C10_HOST_DEVICE constexpr complex& operator*=(T re) {
    real_ *= re;
    imag_ *= re;
    return *this;
  }
  C10_HOST_DEVICE constexpr complex& operator/=(T re) {
    real_ /= re;
    imag_ /= re;
    return *this;
  }
  template <typename U>
  C10_HOST_DEVICE constexpr complex& operator+=(const complex<U>& z) {
    real_ += z.real();
    imag_ += z.imag();
    return *this;
  }
  template <typename U>
  C10_HOST_DEVICE constexpr complex& operator-=(const complex<U>& z) {
    real_ -= z.real();
    imag_ -= z.imag();
    return *this;
  }
  template <typename U>
  C10_HOST_DEVICE constexpr complex& operator*=(const complex<U>& z) {
    const T re = real_ * z.real() - imag_ * z.imag();
    imag_ = real_ * z.imag() + imag_ * z.real();
    real_ = re;
    return *this;
  }
  /// Smith's algorithm (R. L. Smith, Algorithm 116, CACM 5(8), 1962): scaling by the larger part of
  /// the divisor avoids overflow of its squared magnitude. For a divisor of zero, each part is
  /// divided by zero: infinity or NaN.
  template <typename U>
  C10_HOST_DEVICE __ubsan_ignore_float_divide_by_zero__ constexpr complex& operator/=(
      const complex<U>& z) {
    const T c = z.real();
    const T d = z.imag();
    const T abs_c = c < T(0) ? -c : c;
    const T abs_d = d < T(0) ? -d : d;
    if (abs_c == T(0) && abs_d == T(0)) {
      real_ /= abs_c;
      imag_ /= abs_d;
      return *this;
    }
    if (abs_c >= abs_d) {
      const T ratio = d / c;
      const T scale = T(1) / (c + d * ratio);
      const T re = (real_ + imag_ * ratio) * scale;
      imag_ = (imag_ - real_ * ratio) * scale;
      real_ = re;
    } else {
      const T ratio = c / d;
      const T scale = T(1) / (c * ratio + d);
      const T re = (real_ * ratio + imag_) * scale;
      imag_ = (imag_ * ratio - real_) * scale;
      real_ = re;
    }
    return *this;
  }

  // Hidden friends, so that one argument may be of a type that converts to this one.
  C10_HOST_DEVICE friend constexpr complex operator+(complex a, const complex& b) { return a += b; }
  C10_HOST_DEVICE friend constexpr complex operator-(complex a, const complex& b) { return a -= b; }
  C10_HOST_DEVICE friend constexpr complex operator*(complex a, const complex& b) { return a *= b; }
  C10_HOST_DEVICE friend constexpr complex operator/(complex a, const complex& b) { return a /= b; }
  C10_HOST_DEVICE friend constexpr complex operator+(complex a, const T& b) { return a += b; }
  C10_HOST_DEVICE friend constexpr complex operator-(complex a, const T& b) { return a -= b; }
  C10_HOST_DEVICE friend constexpr complex operator*(complex a, const T& b) { return a *= b; }
  C10_HOST_DEVICE friend constexpr complex operator/(complex a, const T& b) { return a /= b; }
  C10_HOST_DEVICE friend constexpr complex operator+(const T& a, complex b) { return b += a; }
  C10_HOST_DEVICE friend constexpr complex operator-(const T& a, const complex& b) {
    return complex(a) -= b;
  }
  C10_HOST_DEVICE friend constexpr complex operator*(const T& a, complex b) { return b *= a; }
  C10_HOST_DEVICE friend constexpr complex operator/(const T& a, const complex& b) {
    return complex(a) /= b;
  }
  C10_HOST_DEVICE friend constexpr complex operator+(const complex& z) { return z; }
  C10_HOST_DEVICE friend constexpr complex operator-(const complex& z) {
    return complex(-z.real(), -z.imag());
  }
  C10_HOST_DEVICE friend constexpr bool operator==(const complex& a, const complex& b) {
    return a.real() == b.real() && a.imag() == b.imag();
  }
};

/// Two 16-bit parts in 4 bytes. For storage: arithmetic converts to complex<float>. The default
/// constructor leaves the parts uninitialized.
template <>
struct alignas(4) complex<Half> {
  using value_type = Half;

  Half real_;
  Half imag_;

  complex() = default;
  C10_HOST_DEVICE constexpr complex(const Half& re, const Half& im) : real_(re), imag_(im) {}
  C10_HOST_DEVICE constexpr complex(const complex<float>& z) : real_(z.real()), imag_(z.imag()) {}
  C10_HOST_DEVICE constexpr explicit complex(const complex<double>& z)
      : real_(static_cast<float>(z.real())), imag_(static_cast<float>(z.imag())) {}
  C10_HOST_DEVICE constexpr operator complex<float>() const { return {real_, imag_}; }
  C10_HOST_DEVICE constexpr Half real() const { return real_; }
  C10_HOST_DEVICE constexpr Half imag() const { return imag_; }
  C10_HOST_DEVICE friend constexpr bool operator==(const complex& a, const complex& b) {
    return a.real_ == b.real_ && a.imag_ == b.imag_;
  }
};

/// Prints `(real,imag)`, as std::complex does.
C10_API std::ostream& operator<<(std::ostream& out, const complex<float>& z);
C10_API std::ostream& operator<<(std::ostream& out, const complex<double>& z);
C10_API std::ostream& operator<<(std::ostream& out, const complex<Half>& z);

template <typename T>
struct is_complex : std::false_type {};
template <typename T>
struct is_complex<complex<T>> : std::true_type {};
template <typename T>
inline constexpr bool is_complex_v = is_complex<T>::value;

/// The type of a number's parts: T for complex<T>, T for any other T.
template <typename T>
struct scalar_value_type {
  using type = T;
};
template <typename T>
struct scalar_value_type<complex<T>> {
  using type = T;
};

/// Imaginary numbers: `1.0f + 2.0_if` is a complex<float>, `_id` gives complex<double>.
namespace complex_literals {
constexpr complex<float> operator""_if(long double im) { return {0.0f, static_cast<float>(im)}; }
constexpr complex<double> operator""_id(long double im) { return {0.0, static_cast<double>(im)}; }
constexpr complex<float> operator""_if(unsigned long long im) {
  return {0.0f, static_cast<float>(im)};
}
constexpr complex<double> operator""_id(unsigned long long im) {
  return {0.0, static_cast<double>(im)};
}
}  // namespace complex_literals

}  // namespace c10
