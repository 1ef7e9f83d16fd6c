#include <c10/core/Scalar.h>
#include <c10/util/Exception.h>
#include <c10/util/TypeCast.h>
#include <c10/util/complex_math.h>

#include <cmath>
#include <ostream>

namespace c10 {

template <typename T>
T Scalar::convert_to(const char* name) const {
  switch (tag_) {
    case Tag::HAS_d:
      return checked_convert<T, double>(v.d, name);
    case Tag::HAS_z:
      return checked_convert<T, complex<double>>(complex<double>(v.z.re, v.z.im), name);
    case Tag::HAS_b:
      return checked_convert<T, bool>(v.i != 0, name);
    case Tag::HAS_i:
      return checked_convert<T, int64_t>(v.i, name);
    case Tag::HAS_u:
      return checked_convert<T, uint64_t>(v.u, name);
  }
  TORCH_INTERNAL_ASSERT(false, "Scalar without a kind");
}

#define DEFINE_ACCESSOR(type, name) \
  type Scalar::to##name() const { return convert_to<type>(#type); }
AT_FORALL_SCALAR_TYPES_WITH_COMPLEX(DEFINE_ACCESSOR)
#undef DEFINE_ACCESSOR

ScalarType Scalar::type() const {
  switch (tag_) {
    case Tag::HAS_z:
      return ScalarType::ComplexDouble;
    case Tag::HAS_d:
      return ScalarType::Double;
    case Tag::HAS_i:
      return ScalarType::Long;
    case Tag::HAS_u:
      return ScalarType::UInt64;
    case Tag::HAS_b:
      return ScalarType::Bool;
  }
  TORCH_CHECK(false, "Unknown scalar type.");
}

Scalar Scalar::operator-() const {
  TORCH_CHECK(!isBoolean(), "torch boolean negative, the `-` operator, is not supported.");
  switch (tag_) {
    case Tag::HAS_d:
      return Scalar(-v.d);
    case Tag::HAS_z:
      return Scalar(complex<double>(-v.z.re, -v.z.im));
    case Tag::HAS_u:
      TORCH_CHECK(false,
                  "negation of an unsigned number above the range of int64_t is not supported");
    default:
      // The least number has no counterpart; wrap as the tensor operator does.
      return Scalar(static_cast<int64_t>(0 - static_cast<uint64_t>(v.i)));
  }
}

Scalar Scalar::conj() const {
  return isComplex() ? Scalar(complex<double>(v.z.re, -v.z.im)) : *this;
}

Scalar Scalar::log() const {
  switch (tag_) {
    case Tag::HAS_z:
      return c10::log(complex<double>(v.z.re, v.z.im));
    case Tag::HAS_d:
      return std::log(v.d);
    case Tag::HAS_u:
      return std::log(static_cast<double>(v.u));
    default:
      return std::log(static_cast<double>(v.i));
  }
}

bool Scalar::equal_impl(const Scalar& other) const {
  if (isBoolean() != other.isBoolean()) return false;
  if (isComplex() || other.isComplex()) {
    return toComplexDouble() == other.toComplexDouble();
  }
  if (isFloatingPoint() || other.isFloatingPoint()) return toDouble() == other.toDouble();
  if ((tag_ == Tag::HAS_u) != (other.tag_ == Tag::HAS_u)) return false;
  return v.i == other.v.i;
}

std::ostream& operator<<(std::ostream& out, const Scalar& s) {
  if (s.isFloatingPoint()) return out << s.toDouble();
  if (s.isComplex()) return out << s.toComplexDouble();
  if (s.isBoolean()) return out << (s.toBool() ? "true" : "false");
  if (s.type() == ScalarType::UInt64) return out << s.toUInt64();
  return out << s.toLong();
}

}  // namespace c10
