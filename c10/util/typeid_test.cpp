#include <c10/util/typeid.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <sstream>
#include <string>

namespace {

using caffe2::TypeMeta;

TEST(TypeMetaTest, KnowsItsType) {
  const TypeMeta meta = TypeMeta::Make<float>();
  EXPECT_EQ(meta, c10::ScalarType::Float);
  EXPECT_EQ(c10::ScalarType::Float, meta);
  EXPECT_TRUE(meta.Match<float>());
  EXPECT_FALSE(meta.Match<double>());
  EXPECT_EQ(meta, TypeMeta::fromScalarType(c10::kFloat));
  EXPECT_NE(meta, TypeMeta::Make<int64_t>());
  EXPECT_EQ(meta.itemsize(), sizeof(float));
}

TEST(TypeMetaTest, UndefinedHasNoSize) {
  const TypeMeta meta;
  EXPECT_FALSE(meta.isScalarType());
  EXPECT_EQ(meta.itemsize(), 0u);
  EXPECT_EQ(meta.name(), "nullptr (uninitialized)");
}

TEST(TypeMetaTest, PrintsTheCppType) {
  std::ostringstream out;
  out << TypeMeta::Make<float>() << " " << TypeMeta::Make<c10::Half>() << " "
      << TypeMeta::Make<bool>() << " " << TypeMeta::Make<int64_t>() << " "
      << TypeMeta::Make<uint8_t>();
  EXPECT_EQ(out.str(), "float c10::Half bool long int unsigned char");
}

}  // namespace
