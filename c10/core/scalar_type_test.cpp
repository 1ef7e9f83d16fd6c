#include <c10/core/DynamicCast.h>
#include <c10/core/ScalarType.h>
#include <c10/core/ScalarTypeToTypeMeta.h>
#include <c10/util/expect_throw.h>
#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <sstream>
#include <string>
#include <type_traits>
#include <vector>

namespace {

using c10::ScalarType;

const std::vector<ScalarType>& all_types() {
  static const std::vector<ScalarType> types{
#define TYPE(_1, name) ScalarType::name,
      AT_FORALL_SCALAR_TYPES_WITH_COMPLEX(TYPE)
#undef TYPE
  };
  return types;
}

TEST(ScalarTypeTest, CppTypesRoundTrip) {
#define CHECK_TYPE(cpp_type, name)                                                            \
  static_assert(c10::CppTypeToScalarType<cpp_type>::value == ScalarType::name);               \
  static_assert(std::is_same_v<c10::impl::ScalarTypeToCPPTypeT<ScalarType::name>, cpp_type>); \
  EXPECT_EQ(c10::elementSize(ScalarType::name), sizeof(cpp_type));                            \
  EXPECT_STREQ(c10::toString(ScalarType::name), #name);
  AT_FORALL_SCALAR_TYPES_WITH_COMPLEX(CHECK_TYPE)
#undef CHECK_TYPE
}

TEST(ScalarTypeTest, NumbersArePyTorchs) {
  EXPECT_EQ(static_cast<int>(ScalarType::Float), 6);
  EXPECT_EQ(static_cast<int>(ScalarType::Bool), 11);
  EXPECT_EQ(static_cast<int>(ScalarType::BFloat16), 15);
}

TEST(ScalarTypeTest, UndefinedHasNoSize) {
  EXPECT_STREQ(c10::toString(ScalarType::Undefined), "Undefined");
  EXPECT_THROW_MESSAGE(c10::elementSize(ScalarType::Undefined), c10::Error, "Unknown ScalarType");
}

TEST(ScalarTypeTest, EveryTypeIsOfOneCategory) {
  for (const ScalarType t : all_types()) {
    const int categories = static_cast<int>(t == ScalarType::Bool) +
                           static_cast<int>(c10::isIntegralType(t, /*includeBool=*/false)) +
                           static_cast<int>(c10::isFloatingType(t)) +
                           static_cast<int>(c10::isComplexType(t));
    EXPECT_EQ(categories, 1) << t;
  }
  EXPECT_TRUE(c10::isIntegralType(ScalarType::Bool, /*includeBool=*/true));
  EXPECT_TRUE(c10::isSignedType(ScalarType::Char));
  EXPECT_FALSE(c10::isSignedType(ScalarType::Byte));
  EXPECT_FALSE(c10::isSignedType(ScalarType::UInt32));
}

// Rows and columns as torch.promote_types gives them.
TEST(ScalarTypeTest, PromotesAsTheTableSays) {
  const std::vector<std::string> names{"uint8",      "int8",    "int16",   "int32",     "int64",
                                       "float16",    "float32", "float64", "complex32", "complex64",
                                       "complex128", "bool",    "bfloat16"};
  const std::vector<std::string> rows{
      "uint8 int16 int16 int32 int64 float16 float32 float64 complex32 complex64 complex128 uint8 "
      "bfloat16",
      "int16 int8 int16 int32 int64 float16 float32 float64 complex32 complex64 complex128 int8 "
      "bfloat16",
      "int16 int16 int16 int32 int64 float16 float32 float64 complex32 complex64 complex128 int16 "
      "bfloat16",
      "int32 int32 int32 int32 int64 float16 float32 float64 complex32 complex64 complex128 int32 "
      "bfloat16",
      "int64 int64 int64 int64 int64 float16 float32 float64 complex32 complex64 complex128 int64 "
      "bfloat16",
      "float16 float16 float16 float16 float16 float16 float32 float64 complex32 complex64 "
      "complex128 float16 float32",
      "float32 float32 float32 float32 float32 float32 float32 float64 complex64 complex64 "
      "complex128 float32 float32",
      "float64 float64 float64 float64 float64 float64 float64 float64 complex128 complex128 "
      "complex128 float64 float64",
      "complex32 complex32 complex32 complex32 complex32 complex32 complex64 complex128 complex32 "
      "complex64 complex128 complex32 complex64",
      "complex64 complex64 complex64 complex64 complex64 complex64 complex64 complex128 complex64 "
      "complex64 complex128 complex64 complex64",
      "complex128 complex128 complex128 complex128 complex128 complex128 complex128 complex128 "
      "complex128 complex128 complex128 complex128 complex128",
      "uint8 int8 int16 int32 int64 float16 float32 float64 complex32 complex64 complex128 bool "
      "bfloat16",
      "bfloat16 bfloat16 bfloat16 bfloat16 bfloat16 float32 float32 float64 complex64 complex64 "
      "complex128 bfloat16 bfloat16"};
  std::map<std::string, ScalarType> by_name;
  for (const ScalarType t : all_types()) by_name[c10::getDtypeNames(t).primary] = t;
  for (size_t i = 0; i < names.size(); ++i) {
    std::istringstream row(rows[i]);
    for (const std::string& column : names) {
      std::string expected;
      row >> expected;
      EXPECT_EQ(c10::promoteTypes(by_name.at(names[i]), by_name.at(column)), by_name.at(expected))
          << names[i] << " with " << column;
    }
  }
}

TEST(ScalarTypeTest, WideUnsignedIntegersPromoteWithFloatsAlone) {
  EXPECT_EQ(c10::promoteTypes(ScalarType::UInt16, ScalarType::Float), ScalarType::Float);
  EXPECT_EQ(c10::promoteTypes(ScalarType::ComplexFloat, ScalarType::UInt64),
            ScalarType::ComplexFloat);
  EXPECT_EQ(c10::promoteTypes(ScalarType::UInt16, ScalarType::UInt16), ScalarType::UInt16);
  EXPECT_THROW_MESSAGE(c10::promoteTypes(ScalarType::UInt16, ScalarType::Int), c10::Error,
                       "Promotion for uint16, uint32, uint64 types is not supported, attempted to "
                       "promote UInt16 and Int");
  EXPECT_EQ(c10::promoteTypes(ScalarType::Undefined, ScalarType::Int), ScalarType::Undefined);
}

TEST(ScalarTypeTest, ComplexAndReal) {
  EXPECT_EQ(c10::toComplexType(ScalarType::Float), ScalarType::ComplexFloat);
  EXPECT_EQ(c10::toComplexType(ScalarType::BFloat16), ScalarType::ComplexFloat);
  EXPECT_EQ(c10::toRealValueType(ScalarType::ComplexDouble), ScalarType::Double);
  EXPECT_EQ(c10::toRealValueType(ScalarType::Int), ScalarType::Int);
  EXPECT_THROW_MESSAGE(c10::toComplexType(ScalarType::Int), c10::Error,
                       "Unknown Complex ScalarType for Int");
}

TEST(ScalarTypeTest, CanCastKeepsTheCategory) {
  EXPECT_FALSE(c10::canCast(ScalarType::ComplexFloat, ScalarType::Float));
  EXPECT_FALSE(c10::canCast(ScalarType::Float, ScalarType::Long));
  EXPECT_FALSE(c10::canCast(ScalarType::Long, ScalarType::Bool));
  EXPECT_TRUE(c10::canCast(ScalarType::Double, ScalarType::Half));
  EXPECT_TRUE(c10::canCast(ScalarType::Long, ScalarType::Byte));
  EXPECT_TRUE(c10::canCast(ScalarType::Bool, ScalarType::Bool));
}

TEST(ScalarTypeTest, TypeMetaConversions) {
  for (const ScalarType t : all_types()) {
    EXPECT_EQ(c10::typeMetaToScalarType(c10::scalarTypeToTypeMeta(t)), t);
  }
  EXPECT_EQ(c10::optTypeMetaToScalarType(std::nullopt), std::nullopt);
  EXPECT_EQ(c10::optTypeMetaToScalarType(caffe2::TypeMeta::Make<int>()), ScalarType::Int);
}

TEST(DynamicCastTest, EveryTypeStoresAndFetches) {
  for (const ScalarType t : all_types()) {
    alignas(16) unsigned char element[16];
    c10::cast_and_store<double>(t, element, 1.0);
    EXPECT_EQ(c10::fetch_and_cast<double>(t, element), 1.0) << t;
    EXPECT_EQ(c10::fetch_and_cast<int64_t>(t, element), 1) << t;
  }
  unsigned char element[16];
  EXPECT_THROW_MESSAGE(c10::fetch_and_cast<double>(ScalarType::Undefined, element), c10::Error,
                       "Unexpected scalar type: Undefined");
}

}  // namespace
