#include <ATen/core/ivalue.h>

#include <ATen/EmptyTensor.h>
#include <ATen/core/Tensor.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
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

TEST(List, AssignmentToAnElementWritesIt) {
  c10::List<int64_t> list({1, 2, 3});
  const c10::List<int64_t> same = list;
  list[1] = 20;
  list[0] = list[2];
  *(list.begin() + 2) = 30;
  EXPECT_THAT(same.vec(), ElementsAre(3, 20, 30));
  const int64_t read = list[1];
  EXPECT_EQ(read, 20);
  swap(list[0], list[1]);
  EXPECT_THAT(same.vec(), ElementsAre(20, 3, 30));
  EXPECT_THROW(list[3] = 1, std::out_of_range);
}

TEST(List, AMovedFromListKeepsItsContents) {
  c10::List<std::string> list({"a"});
  c10::List<std::string> constructed(std::move(list));
  c10::List<std::string> assigned;
  assigned = std::move(constructed);
  EXPECT_TRUE(list.is(assigned));  // NOLINT(bugprone-use-after-move): what is tested
  EXPECT_THAT(list.vec(), ElementsAre("a"));
}

TEST(List, NewElementsAreValuesOfItsType) {
  c10::List<int64_t> list;
  list.resize(2);
  list.resize(3, 7);
  EXPECT_THAT(list.vec(), ElementsAre(0, 0, 7));
  EXPECT_EQ(list.extract(2), 7);
  EXPECT_EQ(list.get(2), 0);
}

TEST(List, InsertsAndErases) {
  c10::List<int64_t> list({1, 2, 3});
  list.insert(list.begin() + 1, 9);
  list.emplace_back(4);
  EXPECT_THAT(list.vec(), ElementsAre(1, 9, 2, 3, 4));
  EXPECT_EQ(*list.erase(list.begin() + 1), 2);
  list.append(list);
  list.pop_back();
  EXPECT_THAT(list.vec(), ElementsAre(1, 2, 3, 4, 1, 2, 3));
  list.erase(list.begin() + 1, list.end() - 1);
  EXPECT_THAT(list.vec(), ElementsAre(1, 3));
  EXPECT_EQ(list, c10::List<int64_t>({1, 3}));
  EXPECT_FALSE(list == c10::List<int64_t>({1, 4}));
}

TEST(List, IteratorsAreThoseOfAlgorithms) {
  c10::List<double> list({3, 1, 2});
  EXPECT_EQ(list.end() - list.begin(), 3);
  EXPECT_EQ(std::accumulate(list.begin(), list.end(), 0.0), 6.0);
  std::reverse(list.begin(), list.end());
  EXPECT_THAT(list.vec(), ElementsAre(2, 1, 3));
  EXPECT_TRUE(std::find(list.begin(), list.end(), 1.0) == list.begin() + 1);
}

TEST(List, OfAnyTypeKeepsTheType) {
  const c10::List<IValue> list(c10::getTypePtr<int64_t>());
  list.push_back(IValue(1));
  EXPECT_TRUE(IValue(list).isIntList());
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

TEST(IValue, PrintsComplexNumbersAsPythonDoes) {
  EXPECT_EQ(print(IValue(c10::complex<double>(1.5, -2))), "1.5-2.j");
  EXPECT_EQ(print(IValue(c10::complex<double>(0, 0.5))), "0.+0.5j");
}

TEST(IValue, ElementsOfATuple) {
  const IValue v(std::make_tuple(int64_t{1}, 2.5, std::string("x")));
  EXPECT_EQ(v.toTuple()->elements().size(), 3U);
  EXPECT_EQ(v.toTupleRef().elements()[1].toDouble(), 2.5);
  const auto made = c10::ivalue::Tuple::create(int64_t{1}, 2.5, std::string("x"));
  EXPECT_EQ(IValue(made), v);
  EXPECT_FALSE(IValue(c10::ivalue::Tuple::create(int64_t{1})) == v);
}

TEST(IValue, SaysItsType) {
  EXPECT_EQ(IValue(3).type()->str(), "int");
  EXPECT_EQ(IValue(std::vector<int64_t>{1}).type()->annotation_str(), "List[int]");
  EXPECT_EQ(IValue(std::make_tuple(int64_t{1}, 2.5)).type()->str(), "(int, float)");
  const at::Tensor t(at::detail::empty_cpu({2}, at::kFloat));
  EXPECT_EQ(IValue(t).type()->annotation_str(), "Tensor");
  EXPECT_EQ(c10::ListType::ofOptionalTensors()->annotation_str(), "List[Optional[Tensor]]");
  EXPECT_EQ(c10::DictType::create(c10::StringType::get(), c10::IntType::get())->annotation_str(),
            "Dict[str, int]");
  EXPECT_TRUE(c10::IntType::get()->isSubtypeOf(c10::OptionalType::create(c10::IntType::get())));
  EXPECT_TRUE(c10::FloatType::get()->isSubtypeOf(c10::NumberType::get()));
  EXPECT_FALSE(c10::OptionalType::ofTensor()->isSubtypeOf(c10::TensorType::get()));
}

TEST(IValue, Compares) {
  EXPECT_EQ(IValue("a"), IValue("a"));
  EXPECT_FALSE(IValue(1) == IValue(1.0));
  EXPECT_EQ(IValue(std::vector<std::string>{"a", "b"}), IValue(std::vector<std::string>{"a", "b"}));
  EXPECT_FALSE(IValue(std::vector<int64_t>{1}) == IValue(std::vector<int64_t>{2}));
  const at::Tensor t(at::detail::empty_cpu({2}, at::kFloat));
  EXPECT_TRUE(IValue(t).is(IValue(t)));
  EXPECT_FALSE(IValue(t).is(IValue(at::Tensor(at::detail::empty_cpu({2}, at::kFloat)))));
  EXPECT_TRUE(IValue().is(IValue(at::Tensor())));
  // Tensors in containers are equal if they are the same one.
  EXPECT_EQ(IValue(std::vector<at::Tensor>{t}), IValue(std::vector<at::Tensor>{t}));
  EXPECT_EQ(IValue::hash(IValue("a")), IValue("a").hash());
  EXPECT_EQ(IValue(std::make_tuple(int64_t{1}, true)).hash(),
            IValue(std::make_tuple(int64_t{1}, true)).hash());
  EXPECT_THROW(IValue(std::vector<int64_t>{1}).hash(), c10::Error);
}

TEST(IValue, SharesAndCopies) {
  const IValue list(std::vector<int64_t>{1, 2});
  const IValue other = list;
  EXPECT_EQ(list.use_count(), 2U);
  EXPECT_TRUE(list.isAliasOf(other));
  EXPECT_TRUE(list.isPtrType());
  const IValue copy = list.deepcopy();
  EXPECT_EQ(copy, list);
  EXPECT_FALSE(copy.isAliasOf(list));
  copy.toIntList().set(0, 9);
  EXPECT_THAT(list.toIntVector(), ElementsAre(1, 2));
  EXPECT_FALSE(IValue(3).isPtrType());
  EXPECT_EQ(IValue(3).use_count(), 1U);
}

TEST(IValue, HoldsMapsOfTheStandardLibrary) {
  const std::unordered_map<std::string, double> map{{"a", 1.5}, {"b", 2}};
  const IValue v(map);
  EXPECT_EQ(v.type()->str(), "Dict(str, float)");
  EXPECT_EQ((v.to<std::unordered_map<std::string, double>>()), map);
}

TEST(IValue, StringsAndListsOfNumbers) {
  EXPECT_EQ(IValue("text").toString()->string(), "text");
  EXPECT_FALSE(IValue().toOptionalStringRef().has_value());
  EXPECT_EQ(IValue("text").toOptionalStringRef()->get(), "text");
  EXPECT_EQ(IValue(std::vector<int64_t>{1, 2}).toDimVector().size(), 2U);
  const std::vector<c10::complex<double>> numbers{{1, 2}, {3, 4}};
  const IValue complex(numbers);
  EXPECT_TRUE(complex.isComplexDoubleList());
  EXPECT_EQ(complex.toComplexDoubleVector(), numbers);
  EXPECT_EQ(complex.toComplexDoubleList().get(1), numbers[1]);
}

}  // namespace
