#pragma once

#include <c10/macros/Macros.h>
#include <c10/util/ArrayRef.h>
#include <c10/util/BFloat16.h>
#include <c10/util/Half.h>
#include <c10/util/complex_type.h>

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <optional>

namespace c10 {

// The element types: C++ type, name, and the number that PyTorch gives it (it is visible in
// serialised programs, so numbers of types that do not exist here stay unused).
#define C10_FORALL_SCALAR_TYPES_WITH_NUMBERS(_) \
  _(uint8_t, Byte, 0)                           \
  _(int8_t, Char, 1)                            \
  _(int16_t, Short, 2)                          \
  _(int, Int, 3)                                \
  _(int64_t, Long, 4)                           \
  _(c10::Half, Half, 5)                         \
  _(float, Float, 6)                            \
  _(double, Double, 7)                          \
  _(c10::complex<c10::Half>, ComplexHalf, 8)    \
  _(c10::complex<float>, ComplexFloat, 9)       \
  _(c10::complex<double>, ComplexDouble, 10)    \
  _(bool, Bool, 11)                             \
  _(c10::BFloat16, BFloat16, 15)                \
  _(uint16_t, UInt16, 27)                       \
  _(uint32_t, UInt32, 28)                       \
  _(uint64_t, UInt64, 29)

#define AT_FORALL_SCALAR_TYPES_WITH_COMPLEX_AND_QINTS(_) AT_FORALL_SCALAR_TYPES_WITH_COMPLEX(_)

/// `_(cpp_type, Name)` for every element type, in the order of their numbers.
#define AT_FORALL_SCALAR_TYPES_WITH_COMPLEX(_) \
  _(uint8_t, Byte)                             \
  _(int8_t, Char)                              \
  _(int16_t, Short)                            \
  _(int, Int)                                  \
  _(int64_t, Long)                             \
  _(c10::Half, Half)                           \
  _(float, Float)                              \
  _(double, Double)                            \
  _(c10::complex<c10::Half>, ComplexHalf)      \
  _(c10::complex<float>, ComplexFloat)         \
  _(c10::complex<double>, ComplexDouble)       \
  _(bool, Bool)                                \
  _(c10::BFloat16, BFloat16)                   \
  _(uint16_t, UInt16)                          \
  _(uint32_t, UInt32)                          \
  _(uint64_t, UInt64)

/// The seven types that nearly every kernel takes.
#define AT_FORALL_SCALAR_TYPES(_) \
  _(uint8_t, Byte)                \
  _(int8_t, Char)                 \
  _(int16_t, Short)               \
  _(int, Int)                     \
  _(int64_t, Long)                \
  _(float, Float)                 \
  _(double, Double)

#define AT_FORALL_INT_TYPES(_) \
  _(uint8_t, Byte)             \
  _(int8_t, Char)              \
  _(int16_t, Short)            \
  _(int, Int)                  \
  _(int64_t, Long)

#define AT_FORALL_COMPLEX_TYPES(_)     \
  _(c10::complex<float>, ComplexFloat) \
  _(c10::complex<double>, ComplexDouble)

/// AT_FORALL_SCALAR_TYPES, and further types by their names.
#define C10_SCALAR_TYPE_BY_NAME(_, name) \
  _(decltype(::c10::impl::ScalarTypeToCPPType<::c10::ScalarType::name>::t), name)
#define AT_FORALL_SCALAR_TYPES_AND(A, _) \
  AT_FORALL_SCALAR_TYPES(_)              \
  C10_SCALAR_TYPE_BY_NAME(_, A)
#define AT_FORALL_SCALAR_TYPES_AND2(A, B, _) \
  AT_FORALL_SCALAR_TYPES_AND(A, _)           \
  C10_SCALAR_TYPE_BY_NAME(_, B)
#define AT_FORALL_SCALAR_TYPES_AND3(A, B, C, _) \
  AT_FORALL_SCALAR_TYPES_AND2(A, B, _)          \
  C10_SCALAR_TYPE_BY_NAME(_, C)

/// The element type of a tensor; torch.dtype in Python.
enum class ScalarType : int8_t {
#define DEFINE_ENUM(_1, name, number) name = number,
  C10_FORALL_SCALAR_TYPES_WITH_NUMBERS(DEFINE_ENUM)
#undef DEFINE_ENUM
      Undefined = 45,
  NumOptions = 46,
};

constexpr uint16_t NumScalarTypes = static_cast<uint16_t>(ScalarType::NumOptions);

#define DEFINE_CONSTANT(_1, name) constexpr ScalarType k##name = ScalarType::name;
AT_FORALL_SCALAR_TYPES_WITH_COMPLEX(DEFINE_CONSTANT)
#undef DEFINE_CONSTANT

namespace impl {
/// ScalarTypeToCPPType<ScalarType::Float>::type is float.
template <ScalarType N>
struct ScalarTypeToCPPType;
#define SPECIALIZE(cpp_type, name)               \
  template <>                                    \
  struct ScalarTypeToCPPType<ScalarType::name> { \
    using type = cpp_type;                       \
    static type t;                               \
  };
AT_FORALL_SCALAR_TYPES_WITH_COMPLEX(SPECIALIZE)
#undef SPECIALIZE
template <ScalarType N>
using ScalarTypeToCPPTypeT = typename ScalarTypeToCPPType<N>::type;
}  // namespace impl

/// CppTypeToScalarType<float>::value is ScalarType::Float; undefined for other types.
template <typename T>
struct CppTypeToScalarType;
#define SPECIALIZE(cpp_type, name)                          \
  template <>                                               \
  struct CppTypeToScalarType<cpp_type> {                    \
    static constexpr ScalarType value = ScalarType::name;   \
    constexpr operator ScalarType() const { return value; } \
  };
AT_FORALL_SCALAR_TYPES_WITH_COMPLEX(SPECIALIZE)
#undef SPECIALIZE
template <typename T>
inline constexpr ScalarType CppTypeToScalarType_v = CppTypeToScalarType<T>::value;

/// The name of the enumerator, such as "Float". "UNKNOWN_SCALAR" if there is none.
C10_API const char* toString(ScalarType t);

/// The size of an element in bytes. Throws c10::Error for Undefined.
constexpr size_t elementSize(ScalarType t) {
  switch (t) {
#define CASE(cpp_type, name) \
  case ScalarType::name:     \
    return sizeof(cpp_type);
    AT_FORALL_SCALAR_TYPES_WITH_COMPLEX(CASE)
#undef CASE
    default:
      TORCH_CHECK(false, "Unknown ScalarType");
  }
}

constexpr bool isIntegralType(ScalarType t, bool includeBool) {
  return (t >= ScalarType::Byte && t <= ScalarType::Long) || t == ScalarType::UInt16 ||
         t == ScalarType::UInt32 || t == ScalarType::UInt64 ||
         (includeBool && t == ScalarType::Bool);
}
[[deprecated("isIntegralType is deprecated. Please use the overload with 'includeBool'")]]
constexpr bool isIntegralType(ScalarType t) {
  return isIntegralType(t, /*includeBool=*/false);
}
/// Real floating types: false for complex types.
constexpr bool isFloatingType(ScalarType t) {
  return t == ScalarType::Half || t == ScalarType::Float || t == ScalarType::Double ||
         t == ScalarType::BFloat16;
}
/// True for the 16-bit floating types, whose kernels compute in float.
constexpr bool isReducedFloatingType(ScalarType t) {
  return t == ScalarType::Half || t == ScalarType::BFloat16;
}
constexpr bool isComplexType(ScalarType t) {
  return t == ScalarType::ComplexHalf || t == ScalarType::ComplexFloat ||
         t == ScalarType::ComplexDouble;
}
/// Always false or the identity: there are no quantized types. PyTorch's code calls these.
constexpr bool isQIntType(ScalarType) { return false; }
constexpr bool isBitsType(ScalarType) { return false; }
constexpr bool isFloat8Type(ScalarType) { return false; }
constexpr bool isUnderlying(ScalarType type, ScalarType qtype) { return type == qtype; }
constexpr ScalarType toUnderlying(ScalarType t) { return t; }
/// UInt16, UInt32 and UInt64: only a few operators take them.
constexpr bool isBarebonesUnsignedType(ScalarType t) {
  return t == ScalarType::UInt16 || t == ScalarType::UInt32 || t == ScalarType::UInt64;
}
constexpr bool isSignedType(ScalarType t) {
  return isFloatingType(t) || isComplexType(t) || (t >= ScalarType::Char && t <= ScalarType::Long);
}

/// The type of the real and imaginary parts of a complex type; other types are returned unchanged.
constexpr ScalarType toRealValueType(ScalarType t) {
  switch (t) {
    case ScalarType::ComplexHalf:
      return ScalarType::Half;
    case ScalarType::ComplexFloat:
      return ScalarType::Float;
    case ScalarType::ComplexDouble:
      return ScalarType::Double;
    default:
      return t;
  }
}
/// The complex type whose parts have, or can hold, type `t`; throws for integers.
C10_API ScalarType toComplexType(ScalarType t);

/// Whether `out` of type `to` may hold a result of type `from`: the kind may not go down in the
/// order bool < integer < floating < complex. Widths do not matter.
constexpr bool canCast(const ScalarType from, const ScalarType to) {
  if (isComplexType(from) && !isComplexType(to)) return false;
  if (isFloatingType(from) && isIntegralType(to, /*includeBool=*/false)) return false;
  return from == ScalarType::Bool || to != ScalarType::Bool;
}

/// The result type of an operation on `a` and `b`, by PyTorch's promotion table: promoteTypes(Int,
/// Half) is Half. Throws c10::Error for UInt16, UInt32 and UInt64 with other integers.
C10_API ScalarType promoteTypes(ScalarType a, ScalarType b);

C10_API std::ostream& operator<<(std::ostream& stream, ScalarType scalar_type);

// The type's two names in Python, such as {"float32", "float"}; the second is empty where there is
// only one.
struct C10_API DtypeNames {
  const char* primary;
  const char* legacy;
};
C10_API DtypeNames getDtypeNames(ScalarType scalar_type);

}  // namespace c10
