#include <torch/csrc/jit/frontend/function_schema_parser.h>

#include <c10/util/Exception.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>

namespace {

using testing::HasSubstr;
using torch::jit::parseSchema;

std::string messageOf(const std::string& schema) {
  try {
    parseSchema(schema);
  } catch (const c10::Error& e) {
    return e.what_without_backtrace();
  }
  return "(no error)";
}

// Schemas whose text is already in normal form.
class RoundTrip : public testing::TestWithParam<const char*> {};

TEST_P(RoundTrip, PrintsWhatItParsed) {
  const auto schema = parseSchema(GetParam());
  EXPECT_EQ(toString(schema), GetParam());
  EXPECT_TRUE(parseSchema(toString(schema)) == schema);
}

INSTANTIATE_TEST_SUITE_P(
    Schemas, RoundTrip,
    testing::Values(
        "aten::add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor",
        "aten::add_.Tensor(Tensor(a!) self, Tensor other, *, Scalar alpha=1) -> Tensor(a!)",
        "aten::max.dim(Tensor self, int dim, bool keepdim=False) -> (Tensor values, Tensor "
        "indices)",
        "aten::index.Tensor(Tensor self, Tensor?[] indices) -> Tensor",
        "aten::split.Tensor(Tensor(a -> *) self, SymInt split_size, int dim=0) -> Tensor(a)[]",
        "aten::sum.dim_IntList(Tensor self, int[1]? dim, bool keepdim=False, *, ScalarType? "
        "dtype=None) -> Tensor",
        "ns::lookup(Dict(str, Tensor) table, Dict(int, float[])? more=None) -> Dict(str, int[])",
        "aten::item(Tensor self) -> Scalar", "aten::_assert(Tensor self, str msg=\"x\") -> ()",
        "aten::backward(Tensor self, bool[3] mask) -> (Tensor, Tensor, Tensor)",
        "aten::gelu(Tensor self, *, str approximate=\"none\") -> Tensor",
        "aten::format(str self, ...) -> str"));

TEST(SchemaParser, ReadsNamesTypesAndDefaults) {
  const auto schema = parseSchema(
      "ns::f.o(Tensor(a!) self, int[2] stride=3, float eps=1e-5, *, ScalarType? dtype=long) -> "
      "Tensor(a!)");
  EXPECT_EQ(schema.name(), "ns::f");
  EXPECT_EQ(schema.overload_name(), "o");
  ASSERT_EQ(schema.arguments().size(), 4u);
  EXPECT_TRUE(schema.is_mutable());
  EXPECT_TRUE(schema.arguments()[0].is_write());
  EXPECT_EQ(schema.arguments()[1].default_value()->toIntVector(), (std::vector<int64_t>{3, 3}));
  EXPECT_DOUBLE_EQ(schema.arguments()[2].default_value()->toDouble(), 1e-5);
  EXPECT_TRUE(schema.arguments()[3].kwarg_only());
  EXPECT_EQ(schema.arguments()[3].default_value()->toScalarType(), c10::kLong);
  EXPECT_EQ(schema.argumentIndexWithName("eps"), 2u);
}

TEST(SchemaParser, ReadsTheNamesOfDtypes) {
  const auto schema = parseSchema(
      "ns::f(ScalarType a=float32, ScalarType? b=int64, ScalarType c=complex64, ScalarType d=uint16) "
      "-> ()");
  EXPECT_EQ(schema.arguments()[0].default_value()->toInt(), 6);
  EXPECT_EQ(schema.arguments()[1].default_value()->toInt(), 4);
  EXPECT_EQ(schema.arguments()[2].default_value()->toInt(), 9);
  EXPECT_EQ(schema.arguments()[3].default_value()->toInt(), 27);
}

TEST(SchemaParser, MarksTheErrorsPlace) {
  EXPECT_EQ(messageOf("g(Tensor x -> Tensor"),
            "expected ) but found '->' here:\n"
            "g(Tensor x -> Tensor\n"
            "           ~~ <--- HERE\n");
  EXPECT_THAT(messageOf("g(Tensr x) -> Tensor"), HasSubstr("unknown type specifier."));
  EXPECT_THAT(messageOf("g(Dict(str) x) -> Tensor"), HasSubstr("expected , but found ')' here:"));
  EXPECT_THAT(messageOf("g(Dict(str, int) x={}) -> int"), HasSubstr("expected None but found '{'"));
  EXPECT_THAT(messageOf("g(Tensr x) -> Tensor"), HasSubstr("\n  ~~~~~ <--- HERE\n"));
  EXPECT_THAT(messageOf("g(Tensor x=3) -> Tensor"), HasSubstr("expected None but found 'number'"));
  EXPECT_THAT(messageOf("g(int x=1.5) -> Tensor"),
              HasSubstr("expected an integer of 64 bits but found 1.5:\n"));
  EXPECT_THAT(messageOf("g(str x=\"a) -> Tensor"), HasSubstr("expected a closing \""));
  EXPECT_THAT(messageOf("g(Tensor x) -> Tensor trailing junk"), HasSubstr("expected eof"));
}

TEST(SchemaParser, ReadsNumbersWhole) {
  const auto number = [](const std::string& type, const std::string& text) {
    return parseSchema("g(" + type + " x=" + text + ") -> Tensor").arguments()[0].default_value();
  };
  EXPECT_EQ(number("int", "-9223372036854775808")->toInt(), INT64_MIN);
  EXPECT_EQ(number("float", ".5")->toDouble(), 0.5);
  EXPECT_EQ(number("float", "5.")->toDouble(), 5.0);
  EXPECT_EQ(number("float", "-2.5E+3")->toDouble(), -2500.0);
  EXPECT_EQ(number("complex", "2")->toComplexDouble(), c10::complex<double>(2, 0));
  EXPECT_EQ(number("complex", "-1.5j")->toComplexDouble(), c10::complex<double>(0, -1.5));
  EXPECT_THAT(messageOf("g(float x=1.2.3) -> Tensor"),
              HasSubstr("expected ) but found 'number' here:"));
  EXPECT_THAT(messageOf("g(float x=1e) -> Tensor"),
              HasSubstr("expected ) but found 'ident' here:"));
  EXPECT_THAT(messageOf("g(float x=1e400) -> Tensor"),
              HasSubstr("expected a number of double precision but found 1e400:\n"));
  EXPECT_THAT(messageOf("g(int x=9223372036854775808) -> Tensor"),
              HasSubstr("expected an integer of 64 bits but found 9223372036854775808:\n"));
}

TEST(SchemaParser, WantsAnElementBehindEachComma) {
  EXPECT_THAT(messageOf("g(Tensor x,) -> Tensor"), HasSubstr("expected ident but found ')' here:"));
  EXPECT_THAT(messageOf("g(Tensor x) -> (Tensor, )"),
              HasSubstr("expected ident but found ')' here:"));
  EXPECT_THAT(messageOf("g(int[] x=[1,2,]) -> int"),
              HasSubstr("expected number but found ']' here:"));
  EXPECT_EQ(parseSchema("g() -> ()").arguments().size(), 0u);
  EXPECT_EQ(parseSchema("g(int[] x=[]) -> ()").arguments().size(), 1u);
}

TEST(SchemaParser, TellsNamesFromSchemas) {
  using torch::jit::parseSchemaOrName;
  EXPECT_EQ(std::get<c10::OperatorName>(parseSchemaOrName("a::b.c")),
            c10::OperatorName("a::b", "c"));
  EXPECT_TRUE(std::holds_alternative<c10::FunctionSchema>(parseSchemaOrName("a::b() -> ()")));
}

}  // namespace
