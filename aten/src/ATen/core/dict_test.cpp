#include <ATen/core/Dict.h>

#include <ATen/EmptyTensor.h>
#include <ATen/core/Tensor.h>
#include <ATen/core/ivalue.h>
#include <c10/util/expect_throw.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using c10::Dict;
using c10::IValue;
using testing::ElementsAre;

std::vector<int64_t> keys(const Dict<int64_t, std::string>& dict) {
  std::vector<int64_t> out;
  for (const auto& entry : dict) out.push_back(entry.key());
  return out;
}

TEST(Dict, KeepsTheOrderOfInsertion) {
  Dict<int64_t, std::string> dict;
  dict.insert(3, "three");
  dict.insert(1, "one");
  dict.insert(2, "two");
  EXPECT_THAT(keys(dict), ElementsAre(3, 1, 2));
  EXPECT_EQ(dict.erase(1), 1);
  EXPECT_EQ(dict.erase(1), 0);
  dict.insert(1, "again");
  EXPECT_THAT(keys(dict), ElementsAre(3, 2, 1));
  dict.erase(dict.begin());
  EXPECT_THAT(keys(dict), ElementsAre(2, 1));
  EXPECT_EQ(dict.size(), 2);
  dict.clear();
  EXPECT_TRUE(dict.empty());
  EXPECT_TRUE(dict.begin() == dict.end());
  dict.insert(9, "nine");
  EXPECT_THAT(keys(dict), ElementsAre(9));
}

TEST(Dict, FindsNaNAgain) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  Dict<double, int64_t> dict;
  EXPECT_TRUE(dict.insert(nan, 1).second);
  EXPECT_FALSE(dict.insert(nan, 2).second);
  EXPECT_EQ(dict.at(nan), 1);
  dict.erase(dict.begin());
  EXPECT_EQ(dict.size(), 0);
  EXPECT_TRUE(dict.begin() == dict.end());
  dict.insert(0.0, 3);
  EXPECT_EQ(dict.at(-0.0), 3);
  Dict<c10::complex<double>, int64_t> numbers;
  numbers.insert({1, nan}, 4);
  EXPECT_EQ(numbers.erase({1, nan}), 1);
}

TEST(Dict, InsertsAndAssigns) {
  Dict<int64_t, std::string> dict;
  EXPECT_TRUE(dict.insert(1, "one").second);
  const auto [where, inserted] = dict.insert(1, "uno");
  EXPECT_FALSE(inserted);
  EXPECT_EQ(where->value(), "one");
  EXPECT_FALSE(dict.insert_or_assign(1, "uno").second);
  EXPECT_EQ(dict.at(1), "uno");
  dict.find(1)->setValue("ein");
  EXPECT_EQ(dict.at(1), "ein");
  EXPECT_TRUE(dict.contains(1));
  EXPECT_TRUE(dict.find(2) == dict.end());
  EXPECT_THROW(dict.at(2), std::out_of_range);
}

TEST(Dict, SharesItsContents) {
  const Dict<std::string, double> dict;
  const Dict<std::string, double> same = dict;
  same.insert("x", 0.5);
  EXPECT_EQ(dict.at("x"), 0.5);
  const Dict<std::string, double> other = dict.copy();
  other.insert("y", 1.5);
  EXPECT_FALSE(dict.contains("y"));
  EXPECT_TRUE(dict.is(same));
  EXPECT_FALSE(dict.is(other));
  const IValue value(dict);
  value.to<Dict<std::string, double>>().insert("z", 2);
  EXPECT_TRUE(dict.contains("z"));
}

TEST(Dict, ReadsAsAGenericOne) {
  const Dict<std::string, int64_t> dict;
  dict.insert("a", 1);
  const IValue value(dict);
  EXPECT_TRUE(value.isGenericDict());
  EXPECT_EQ(value.tagKind(), "GenericDict");
  const c10::impl::GenericDict generic = value.toGenericDict();
  EXPECT_EQ(generic.at("a").toInt(), 1);
  generic.insert("b", 2);
  EXPECT_EQ(dict.at("b"), 2);
  EXPECT_EQ(*c10::getTypePtr<decltype(dict)>(), *c10::Type::dict(dict.keyType(), dict.valueType()));
  EXPECT_EQ(c10::getTypePtr<decltype(dict)>()->str(), "Dict(str, int)");
  std::ostringstream out;
  out << value;
  EXPECT_EQ(out.str(), "{a: 1, b: 2}");
  EXPECT_TRUE((c10::impl::toTypedDict<std::string, int64_t>(generic).is(dict)));
}

TEST(Dict, RefusesOtherTypes) {
  using IntDict = Dict<int64_t, int64_t>;
  using FloatDict = Dict<std::string, double>;
  const IValue value((Dict<std::string, int64_t>()));
  EXPECT_THROW_MESSAGE(value.to<IntDict>(), c10::Error,
                       "Tried to cast a Dict<str, int> to a Dict<int, int>. Key types mismatch.");
  EXPECT_THROW_MESSAGE(
      value.to<FloatDict>(), c10::Error,
      "Tried to cast a Dict<str, int> to a Dict<str, float>. Value types mismatch.");
  EXPECT_THROW_MESSAGE(IValue(1).toGenericDict(), c10::Error, "Expected GenericDict but got Int");
  const c10::impl::GenericDict any(c10::getTypePtr<IValue>(), c10::getTypePtr<IValue>());
  const IValue list = std::vector<int64_t>{1};
  EXPECT_THROW_MESSAGE(any.insert(list, 1), c10::Error,
                       "Can't hash IValues with tag 'GenericList'");
}

TEST(Dict, HashesEveryKindOfKey) {
  const at::Tensor t(at::detail::empty_cpu({1}, at::kFloat));
  const at::Tensor u(at::detail::empty_cpu({1}, at::kFloat));
  Dict<at::Tensor, int64_t> tensors;
  tensors.insert(t, 1);
  EXPECT_TRUE(tensors.contains(t));
  EXPECT_FALSE(tensors.contains(u));
  const c10::impl::GenericDict any(c10::getTypePtr<IValue>(), c10::getTypePtr<IValue>());
  int64_t n = 0;
  for (const IValue& key : {IValue(1), IValue(1.0), IValue(true), IValue("1"),
                            IValue(c10::complex<double>(1, 0)), IValue(c10::Device("cpu"))}) {
    EXPECT_TRUE(any.insert(key, n).second);
    EXPECT_EQ(any.at(key).toInt(), n++);
  }
  EXPECT_EQ(any.size(), 6);
}

}  // namespace
