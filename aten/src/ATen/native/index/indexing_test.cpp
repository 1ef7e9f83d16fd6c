// Views, joining, indexing, sorting and random numbers.

#include <ATen/core/List.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/testing_support.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/full.h>
#include <ATen/ops/gather.h>
#include <ATen/ops/index.h>
#include <ATen/ops/index_put.h>
#include <ATen/ops/randint.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/randperm.h>
#include <ATen/ops/sort.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/zeros.h>
#include <c10/core/ScalarType.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <optional>
#include <tuple>
#include <vector>

namespace at::native::testing {
namespace {

// values(t)[position of (i, j, ...)]
double element(const Tensor& t, const std::vector<int64_t>& place) {
  Tensor e = t;
  for (const int64_t i : place) e = e.select(0, i);
  return e.item().toDouble();
}

TEST(Views, ShareStorageAndReshapeCopiesOnlyWhenItMust) {
  const Tensor t = random_tensor({4, 6});
  EXPECT_EQ(t.view({2, 12}).data_ptr(), t.data_ptr());
  EXPECT_EQ(t.t().reshape({6, 2, 2}).is_alias_of(t), true);
  EXPECT_EQ(t.t().reshape({24}).is_alias_of(t), false);
  expect_close(t.t().reshape({24}), values(t.t()));
  EXPECT_EQ(
      message_of([&] { t.t().view({24}); }),
      "view size is not compatible with input tensor's size and stride (at least one dimension spans across two contiguous subspaces). Use .reshape(...) instead.");
  EXPECT_EQ(message_of([&] { t.view({5, -1}); }),
            "shape '[5, -1]' is invalid for input of size 24");
  t.select(0, 1).fill_(7);
  EXPECT_EQ(element(t, {1, 3}), 7);
}

TEST(Views, SlicesAndExpansions) {
  const Tensor t = random_tensor({10, 3});
  expect_close(t.slice(0, 1, 9, 3),
               values(at::cat({t.narrow(0, 1, 1), t.narrow(0, 4, 1), t.narrow(0, 7, 1)})));
  EXPECT_EQ(t.slice(0, -3, 100).sizes(), IntArrayRef({3, 3}));
  EXPECT_EQ(t.slice(0, 5, 2).sizes(), IntArrayRef({0, 3}));
  EXPECT_EQ(t.unsqueeze(1).expand({-1, 4, 3}).strides(), IntArrayRef({3, 0, 1}));
  EXPECT_EQ(t.split(4).size(), 3U);
  EXPECT_EQ(t.chunk(3)[2].size(0), 2);
  expect_close(t.diagonal(), {element(t, {0, 0}), element(t, {1, 1}), element(t, {2, 2})});
}

TEST(Joining, CatAndStackPromoteAndCheck) {
  const Tensor a = random_tensor({2, 3});
  const Tensor b = random_tensor({4, 3}, 0, 9, kLong);
  const Tensor c = at::cat({a, b});
  EXPECT_EQ(c.scalar_type(), kFloat);
  expect_close(c.narrow(0, 2, 4), values(b));
  EXPECT_EQ(at::stack({a, a, a}, 1).sizes(), IntArrayRef({2, 3, 3}));
  EXPECT_EQ(
      message_of([&] { at::cat({a, random_tensor({2, 4})}); }),
      "Sizes of tensors must match except in dimension 0. Expected size 3 but got size 4 for tensor number 1 in the list.");
}

TEST(Indexing, TakesByTensorsInAnyPosition) {
  const Tensor t = random_tensor({5, 6, 7});
  const Tensor i = at::randint(-5, 5, {4, 1});
  const Tensor k = at::randint(0, 7, {3});
  c10::List<std::optional<Tensor>> indices({i, std::nullopt, k});
  const Tensor r = at::index(t, indices);  // separated indices move to the front
  ASSERT_EQ(r.sizes(), IntArrayRef({4, 3, 6}));
  for (int64_t a = 0; a < 4; ++a) {
    for (int64_t b = 0; b < 3; ++b) {
      const int64_t x = i.select(0, a).item().toLong();
      const int64_t z = k.select(0, b).item().toLong();
      for (int64_t y = 0; y < 6; ++y) {
        EXPECT_EQ(element(r, {a, b, y}), element(t, {x < 0 ? x + 5 : x, y, z}));
      }
    }
  }
  EXPECT_EQ(message_of([&] { at::index(t, c10::List<std::optional<Tensor>>({at::full({1}, 5)})); }),
            "index 5 is out of bounds for dimension 0 with size 5");
  const c10::List<std::optional<Tensor>> none({std::nullopt, std::nullopt});
  expect_close(at::index(t, none), values(t));
  expect_close(at::index_put(t, none, k.select(0, 0).to(at::kFloat)).select(0, 0).select(0, 0),
               std::vector<double>(7, k.select(0, 0).item().toDouble()));
}

TEST(Indexing, MasksSelectAndReceive) {
  const Tensor t = random_tensor({8, 9});
  const Tensor mask = t.gt(0);
  const Tensor picked = at::index(t, c10::List<std::optional<Tensor>>({mask}));
  std::vector<double> expected;
  for (const double x : values(t)) {
    if (x > 0) expected.push_back(x);
  }
  expect_close(picked, expected);
  expect_close(t.masked_select(mask), expected);
  Tensor u = t.clone();
  at::index_put_(u, c10::List<std::optional<Tensor>>({mask}), at::full({}, -1.0));
  expect_close(u, values(t.masked_fill(mask, -1)));
  EXPECT_LE(u.max().item().toDouble(), 0);
}

TEST(Indexing, AccumulatesRepeatedPlaces) {
  Tensor t = at::zeros({4});
  const Tensor places = at::randint(0, 4, {50});
  const Tensor source = random_tensor({50});
  at::index_put_(t, c10::List<std::optional<Tensor>>({places}), source, /*accumulate=*/true);
  std::vector<double> expected(4);
  const std::vector<double> p = values(places);
  const std::vector<double> s = values(source);
  for (size_t i = 0; i < p.size(); ++i) expected[static_cast<size_t>(p[i])] += s[i];
  expect_close(t, expected);
  expect_close(at::zeros({4}).scatter_add(0, places, source), expected);
  expect_close(at::zeros({4}).index_add(0, places, source), expected);
}

TEST(Indexing, GatherAndScatterAreInverse) {
  const Tensor t = random_tensor({6, 8});
  const auto [sorted, order] = at::sort(t, 1);
  expect_close(at::gather(t, 1, order), values(sorted));
  expect_close(at::zeros({6, 8}).scatter(1, order, sorted), values(t));
  expect_close(t.index_select(0, at::arange(5, -1, -1)), values(t.flip({0})));
  EXPECT_EQ(message_of([&] { at::gather(t, 1, at::full({6, 1}, 8)); }),
            "index 8 is out of bounds for dimension 1 with size 8");
}

TEST(Sorting, OrdersEveryLine) {
  const Tensor t = random_tensor({31, 4});
  const auto [down, order] = at::sort(t, 0, /*descending=*/true);
  std::vector<double> column = values(t.select(1, 2));
  std::sort(column.rbegin(), column.rend());
  expect_close(down.select(1, 2), column);
  expect_close(std::get<0>(t.topk(3, 0)), values(down.narrow(0, 0, 3)));
}

TEST(Random, SameSeedSameNumbersAndFairShapes) {
  const Tensor p = at::randperm(100);
  std::vector<double> seen = values(p);
  std::sort(seen.begin(), seen.end());
  expect_close(at::arange(100), seen);
  const Tensor n = at::randn({200, 200});
  EXPECT_NEAR(n.mean().item().toDouble(), 0, 0.05);
  EXPECT_NEAR(n.std().item().toDouble(), 1, 0.05);
  const Tensor u = at::empty({40000}).uniform_(2, 3);
  EXPECT_GE(u.min().item().toDouble(), 2);
  EXPECT_LT(u.max().item().toDouble(), 3);
  EXPECT_NEAR(u.mean().item().toDouble(), 2.5, 0.05);
  EXPECT_NEAR(at::empty({40000}).bernoulli_(0.3).mean().item().toDouble(), 0.3, 0.05);
}

TEST(Meta, HasShapesAndNoData) {
  const Tensor a = at::empty({3, 4}, TensorOptions().device(c10::kMeta));
  const Tensor b = at::empty({4}, TensorOptions().device(c10::kMeta));
  const Tensor c = a.add(b).exp().mm(a.t()).sum(0);
  EXPECT_TRUE(c.is_meta());
  EXPECT_EQ(c.sizes(), IntArrayRef({3}));
}

}  // namespace
}  // namespace at::native::testing
