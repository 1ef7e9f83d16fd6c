#include <c10/core/ScalarType.h>
#include <c10/util/Exception.h>

#include <ostream>

namespace c10 {

const char* toString(ScalarType t) {
  switch (t) {
#define CASE(_1, name)   \
  case ScalarType::name: \
    return #name;
    AT_FORALL_SCALAR_TYPES_WITH_COMPLEX(CASE)
#undef CASE
    case ScalarType::Undefined:
      return "Undefined";
    default:
      return "UNKNOWN_SCALAR";
  }
}

std::ostream& operator<<(std::ostream& stream, ScalarType scalar_type) {
  return stream << toString(scalar_type);
}

ScalarType toComplexType(ScalarType t) {
  switch (t) {
    case ScalarType::Half:
    case ScalarType::ComplexHalf:
      return ScalarType::ComplexHalf;
    case ScalarType::BFloat16:  // no complex type has bfloat16 parts
    case ScalarType::Float:
    case ScalarType::ComplexFloat:
      return ScalarType::ComplexFloat;
    case ScalarType::Double:
    case ScalarType::ComplexDouble:
      return ScalarType::ComplexDouble;
    default:
      TORCH_CHECK(false, "Unknown Complex ScalarType for ", t);
  }
}

namespace {

// Bool < integers < floating < complex: the higher category decides, and the wider type within it.
int category(ScalarType t) {
  if (t == ScalarType::Bool) return 0;
  if (isIntegralType(t, /*includeBool=*/false)) return 1;
  if (isFloatingType(t)) return 2;
  return 3;
}

ScalarType wider_integer(ScalarType a, ScalarType b) {
  // Byte and Char have no common type of their width.
  if ((a == ScalarType::Byte && b == ScalarType::Char) ||
      (a == ScalarType::Char && b == ScalarType::Byte)) {
    return ScalarType::Short;
  }
  return elementSize(a) >= elementSize(b) && a != ScalarType::Byte ? a : b;
}

ScalarType wider_floating(ScalarType a, ScalarType b) {
  // Neither half type holds the other's values.
  if (a != b && isReducedFloatingType(a) && isReducedFloatingType(b)) return ScalarType::Float;
  return elementSize(a) >= elementSize(b) ? a : b;
}

}  // namespace

ScalarType promoteTypes(ScalarType a, ScalarType b) {
  if (a == ScalarType::Undefined || b == ScalarType::Undefined) return ScalarType::Undefined;
  if (a == b) return a;
  const int category_a = category(a);
  const int category_b = category(b);
  if (isBarebonesUnsignedType(a) || isBarebonesUnsignedType(b)) {
    if (category_a >= 2) return a;
    if (category_b >= 2) return b;
    TORCH_CHECK(
        false, "Promotion for uint16, uint32, uint64 types is not supported, attempted to promote ",
        a, " and ", b);
  }
  if (category_a == 3 || category_b == 3) {
    // Compare the parts: complex32 and float64 give complex128; integers do not widen.
    const ScalarType complex_side = category_a == 3 ? a : b;
    const ScalarType other = category_a == 3 ? b : a;
    if (category(other) < 2) return complex_side;
    return toComplexType(wider_floating(toRealValueType(complex_side), toRealValueType(other)));
  }
  if (category_a != category_b) return category_a > category_b ? a : b;
  return category_a == 1 ? wider_integer(a, b) : wider_floating(a, b);
}

DtypeNames getDtypeNames(ScalarType scalar_type) {
  switch (scalar_type) {
    case ScalarType::Byte:
      return {"uint8", ""};
    case ScalarType::Char:
      return {"int8", ""};
    case ScalarType::Short:
      return {"int16", "short"};
    case ScalarType::Int:
      return {"int32", "int"};
    case ScalarType::Long:
      return {"int64", "long"};
    case ScalarType::Half:
      return {"float16", "half"};
    case ScalarType::Float:
      return {"float32", "float"};
    case ScalarType::Double:
      return {"float64", "double"};
    case ScalarType::ComplexHalf:
      return {"complex32", "chalf"};
    case ScalarType::ComplexFloat:
      return {"complex64", "cfloat"};
    case ScalarType::ComplexDouble:
      return {"complex128", "cdouble"};
    case ScalarType::Bool:
      return {"bool", ""};
    case ScalarType::BFloat16:
      return {"bfloat16", ""};
    case ScalarType::UInt16:
      return {"uint16", ""};
    case ScalarType::UInt32:
      return {"uint32", ""};
    case ScalarType::UInt64:
      return {"uint64", ""};
    default:
      TORCH_CHECK(false, "Unimplemented scalar type");
  }
}

}  // namespace c10
