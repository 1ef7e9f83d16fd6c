#include <ATen/core/ivalue.h>

#include <ATen/EmptyTensor.h>
#include <ATen/core/Tensor.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <sstream>
#include <string>
#include <tuple>
#include <vector>

namespace {

using c10::IValue;
using testing::ElementsAre;

std::string print(const IValue& v) {
  std::ostringstream out;
  out << v;
  return out.str();
}

TEST(IValue, HoldsWhatItIsGiven) {
  EXPECT_TRUE(IValue().isNone());
  EXPECT_EQ(IValue(3).toInt(), 3);
  EXPECT_EQ(IValue(0.5).toDouble(), 0.5);
  EXPECT_TRUE(IValue(true).toBool());
  EXPECT_EQ(IValue("text").toStringRef(), "text");
  EXPECT_EQ(IValue(c10::kHalf).toScalarType(), c10::kHalf);
  EXPECT_EQ(IValue(c10::Scalar(2.5)).toScalar().to<double>(), 2.5);
  EXPECT_TRUE(IValue(c10::Scalar(true)).isBool());
  EXPECT_EQ(IValue(c10::Device("cpu")).toDevice(), c10::Device("cpu"));
}

TEST(IValue, SharesTensors) {
  const at::Tensor t(at::detail::empty_cpu({2}, at::kFloat));
  const IValue v(t);
  EXPECT_TRUE(v.toTensor().is_same(t));
  EXPECT_FALSE(IValue(at::Tensor()).toTensor().defined());
}

TEST(IValue, ConvertsLists) {
  const IValue ints(std::vector<int64_t>{1, 2, 3});
  EXPECT_TRUE(ints.isIntList());
  EXPECT_FALSE(ints.isDoubleList());
  EXPECT_THAT(ints.toIntVector(), ElementsAre(1, 2, 3));
  const at::Tensor t(at::detail::empty_cpu({2}, at::kFloat));
  const IValue tensors(std::vector<at::Tensor>{t, t});
  EXPECT_TRUE(tensors.isTensorList());
  EXPECT_TRUE(tensors.toTensorVector()[1].is_same(t));
}

TEST(IValue, ConvertsOptionalsAndTuples) {
  EXPECT_FALSE(IValue().to<std::optional<double>>().has_value());
  EXPECT_EQ(IValue(std::optional<int64_t>(4)).to<std::optional<int64_t>>(), 4);
  EXPECT_EQ(
      (IValue(std::tuple<int64_t, std::string>(1, "x")).to<std::tuple<int64_t, std::string>>()),
      std::make_tuple(int64_t{1}, std::string("x")));
}

TEST(IValue, ListsShareTheirContents) {
  c10::List<std::optional<at::Tensor>> list;
  list.push_back(std::nullopt);
  list.push_back(at::Tensor(at::detail::empty_cpu({2}, at::kFloat)));
  const c10::List<std::optional<at::Tensor>> same = list;
  list.set(0, list.get(1));
  EXPECT_TRUE(same.get(0).has_value());
  EXPECT_EQ(same.size(), 2u);
  EXPECT_FALSE(list.copy().impl() == list.impl());
}

TEST(IValue, NamesWhatItFound) {
  try {
    (void)IValue(1.5).toInt();
    FAIL();
  } catch (const c10::Error& e) {
    EXPECT_STREQ(e.what_without_backtrace(), "Expected Int but got Double");
  }
}

TEST(IValue, Prints) {
  EXPECT_EQ(print(IValue()), "None");
  EXPECT_EQ(print(IValue(1.0)), "1.");
  EXPECT_EQ(print(IValue(1e-5)), "1e-05");
  EXPECT_EQ(print(IValue(std::vector<int64_t>{0, 1})), "[0, 1]");
  EXPECT_EQ(print(IValue(false)), "False");
}

}  // namespace
