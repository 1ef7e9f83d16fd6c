// Indexing and accessors as extensions write them.

#include <ATen/TensorIndexing.h>
#include <ATen/TensorOperators.h>
#include <ATen/TensorUtils.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/zeros.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <sstream>
#include <string>
#include <vector>

namespace {

using at::Tensor;
using namespace at::indexing;  // NOLINT(google-build-using-namespace): as programs do.

Tensor numbers() { return at::arange(24).view({2, 3, 4}); }

// The elements in order.
std::vector<int64_t> values(const Tensor& tensor) {
  const Tensor flat = tensor.contiguous().view({-1});
  const int64_t* data = flat.const_data_ptr<int64_t>();
  return {data, data + flat.numel()};
}

template <typename F>
std::string error_of(F&& function) {
  try {
    function();
  } catch (const c10::Error& error) {
    return error.what_without_backtrace();
  }
  return "";
}

TEST(Indexing, IntegersAndSlicesAreViews) {
  const Tensor x = numbers();
  EXPECT_EQ(values(x.index({1, Slice(), 0})), (std::vector<int64_t>{12, 16, 20}));
  EXPECT_EQ(values(x.index({"...", Slice(1, None, 2)})),
            (std::vector<int64_t>{1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23}));
  EXPECT_EQ(values(x.index({0, Slice(-2), -1})), (std::vector<int64_t>{7, 11}));
  EXPECT_EQ(x.index({None, 0, Ellipsis, None}).sizes(), (at::IntArrayRef{1, 3, 4, 1}));
  EXPECT_EQ(x.index({Slice(5, 9)}).numel(), 0);
  EXPECT_TRUE(x.index({Slice(), 1}).is_alias_of(x));
  EXPECT_EQ(values(x[1][2]), (std::vector<int64_t>{20, 21, 22, 23}));
  EXPECT_EQ(values(x[at::arange(2)[1]][0]), (std::vector<int64_t>{12, 13, 14, 15}));
}

TEST(Indexing, TensorsAndBooleansAreCopies) {
  const Tensor x = numbers();
  EXPECT_EQ(values(x.index({x > 20})), (std::vector<int64_t>{21, 22, 23}));
  const Tensor rows = at::arange(2);
  EXPECT_EQ(values(x.index({rows, rows, 0})), (std::vector<int64_t>{0, 16}));
  EXPECT_EQ(x.index({true}).sizes(), (at::IntArrayRef{1, 2, 3, 4}));
  EXPECT_EQ(x.index({false}).sizes(), (at::IntArrayRef{0, 2, 3, 4}));
  EXPECT_FALSE(x.index({rows}).is_alias_of(x));
}

TEST(Indexing, AssignmentsBroadcast) {
  Tensor x = numbers();
  x.index_put_({0, Slice(1)}, 7);
  EXPECT_EQ(values(x[0]), (std::vector<int64_t>{0, 1, 2, 3, 7, 7, 7, 7, 7, 7, 7, 7}));
  x.index_put_({Slice(), 0}, at::arange(4));
  EXPECT_EQ(values(x.index({Slice(), 0})), (std::vector<int64_t>{0, 1, 2, 3, 0, 1, 2, 3}));
  x.index_put_({x > 6}, -1);
  EXPECT_EQ(values(x).size(), 24U);
  EXPECT_TRUE(at::equal(x.max(), at::arange(4)[3]));
}

TEST(Indexing, ErrorsSayWhatIsWrong) {
  const Tensor x = numbers();
  EXPECT_NE(
      error_of([&] { x.index({0, 0, 0, 0}); }).find("too many indices for tensor of dimension 3"),
      std::string::npos);
  EXPECT_NE(
      error_of([&] { x.index({2}); }).find("index 2 is out of bounds for dimension 0 with size 2"),
      std::string::npos);
  EXPECT_NE(error_of([&] { x.index({".."}); }).find("Expected \"...\""), std::string::npos);
  EXPECT_NE(error_of([&] { Slice(0, 4, 0); }).find("slice step cannot be zero"), std::string::npos);
  EXPECT_NE(error_of([&] {
              x.index({at::zeros({3}, at::kBool)});
            }).find("The shape of the mask [3] at index 0 does not match"),
            std::string::npos);
  EXPECT_NE(error_of([&] { x[x]; }).find("zero-dim"), std::string::npos);
  std::ostringstream text;
  text << std::vector<TensorIndex>{None, 1, Slice(0, 2), "...", true};
  EXPECT_EQ(text.str(), "(None, 1, 0:2:1, ..., true)");
}

TEST(PackedAccessor, HasTheElementsOfTheTensor) {
  const Tensor x = numbers().transpose(0, 2);
  const auto a = x.packed_accessor32<int64_t, 3, at::RestrictPtrTraits>();
  const auto swapped = x.packed_accessor64<int64_t, 3>().transpose(0, 2);
  const auto c = x.accessor<const int64_t, 3>();
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < 3; ++j) {
      for (int k = 0; k < 2; ++k) {
        const int64_t wanted = x[i][j][k].item<int64_t>();
        EXPECT_EQ(a[i][j][k], wanted);
        EXPECT_EQ(swapped[k][j][i], wanted);
        EXPECT_EQ(c[i][j][k], wanted);
      }
    }
  }
  EXPECT_EQ(a.size(0), 4);
  EXPECT_NE(error_of([&] { x.packed_accessor32<int64_t, 2>(); }).find("dim"), std::string::npos);
  EXPECT_NE(error_of([&] { x.packed_accessor32<float, 3>(); }).find("Float"), std::string::npos);
  EXPECT_NE(error_of([&] { a.transpose(0, 3); }).find("Index 3 is not within bounds"),
            std::string::npos);
}

TEST(TensorUtils, NameTheArgumentAndTheFunction) {
  const Tensor x = numbers();
  const Tensor y = at::empty({2, 3});
  const at::TensorArg first{x, "first", 1};
  const at::TensorArg second{y, "second", 2};
  at::checkDim("my_op", first, 3);
  at::checkSize("my_op", first, {2, 3, 4});
  at::checkAllDefined("my_op", {first, second});
  EXPECT_EQ(error_of([&] { at::checkDim("my_op", second, 4); }),
            "Expected 4-dimensional tensor, but got 2-dimensional tensor for argument #2 'second' "
            "(while checking arguments for my_op)");
  EXPECT_EQ(error_of([&] { at::checkAllSameType("my_op", {first, second}); }),
            "Expected tensor for argument #1 'first' to have the same type as tensor for argument "
            "#2 'second'; but type CPULongType does not equal CPUFloatType (while checking "
            "arguments for my_op)");
  EXPECT_NE(error_of([&] { at::checkSameGPU("my_op", first, second); }).find("is on CPU"),
            std::string::npos);
  const Tensor strided = x.transpose(0, 1);
  EXPECT_NE(error_of([&] {
              at::checkContiguous("my_op", at::TensorArg(strided, "x", 1));
            }).find("non-contiguous"),
            std::string::npos);
  EXPECT_EQ(at::maybe_data_ptr(Tensor()), nullptr);
  EXPECT_EQ(at::detail::defaultStrides({2, 3, 4}), (std::vector<int64_t>{12, 4, 1}));
}

}  // namespace
