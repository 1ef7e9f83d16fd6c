// Reductions, products of matrices and softmax against loops over doubles.

#include <ATen/core/Tensor.h>
#include <ATen/native/testing_support.h>
#include <ATen/ops/addmm.h>
#include <ATen/ops/amax.h>
#include <ATen/ops/bmm.h>
#include <ATen/ops/cross_entropy_loss.h>
#include <ATen/ops/cumsum.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/layer_norm.h>
#include <ATen/ops/linalg_vector_norm.h>
#include <ATen/ops/log_softmax.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/mean.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/mse_loss.h>
#include <ATen/ops/softmax.h>
#include <ATen/ops/sum.h>
#include <ATen/ops/var.h>
#include <c10/core/ScalarType.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <tuple>
#include <vector>

namespace at::native::testing {
namespace {

// f over the lines along the middle of a (a, b, c) tensor.
template <typename F>
std::vector<double> over_middle(const Tensor& t, F&& f) {
  const std::vector<double> x = values(t);
  const int64_t a = t.size(0);
  const int64_t b = t.size(1);
  const int64_t c = t.size(2);
  std::vector<double> result;
  for (int64_t i = 0; i < a; ++i) {
    for (int64_t k = 0; k < c; ++k) {
      std::vector<double> line;
      for (int64_t j = 0; j < b; ++j) line.push_back(x[static_cast<size_t>((i * b + j) * c + k)]);
      result.push_back(f(line));
    }
  }
  return result;
}

double sum_of(const std::vector<double>& v) {
  double s = 0;
  for (const double x : v) s += x;
  return s;
}

double variance_of(const std::vector<double>& v) {
  const double mean = sum_of(v) / static_cast<double>(v.size());
  double s = 0;
  for (const double x : v) s += (x - mean) * (x - mean);
  return s / static_cast<double>(v.size() - 1);
}

TEST(Reduction, AlongADimensionOfAnyLayout) {
  const Tensor base = random_tensor({4, 33, 70});
  for (const Tensor& t : {base, base.permute({2, 1, 0}), base.permute({1, 0, 2})}) {
    expect_close(t.sum(1), over_middle(t, sum_of));
    expect_close(t.mean(1), over_middle(t, [](const auto& v) {
                   return sum_of(v) / static_cast<double>(v.size());
                 }));
    expect_close(t.amax(1), over_middle(t, [](const auto& v) {
                   return *std::max_element(v.begin(), v.end());
                 }));
    expect_close(t.argmax(1), over_middle(t, [](const auto& v) {
                   return static_cast<double>(std::max_element(v.begin(), v.end()) - v.begin());
                 }));
    expect_close(t.var(IntArrayRef{1}), over_middle(t, variance_of), 1e-4);
    expect_close(at::linalg_vector_norm(t, 2, IntArrayRef{1}), over_middle(t, [](const auto& v) {
                   double s = 0;
                   for (const double x : v) s += x * x;
                   return std::sqrt(s);
                 }));
  }
}

// The first place of the largest element, or of the first NaN, of each row along `dim`.
std::vector<double> places_of_max(const Tensor& t, int64_t dim) {
  const Tensor rows = t.to(kDouble).movedim(dim, -1).contiguous().view({-1, t.size(dim)});
  const double* x = rows.const_data_ptr<double>();
  std::vector<double> places;
  for (int64_t r = 0; r < rows.size(0); ++r, x += t.size(dim)) {
    int64_t best = 0;
    for (int64_t i = 1; i < t.size(dim) && !std::isnan(x[best]); ++i) {
      if (x[i] > x[best] || std::isnan(x[i])) best = i;
    }
    places.push_back(static_cast<double>(best));
  }
  return places;
}

TEST(Reduction, PlacesOfExtremesOfShortRowsAndOfFewLongOnes) {
  // Rows of 5, and columns whose parts go to several threads; equal elements, NaN in any part.
  const Tensor base = random_tensor({150001, 5}).mul(8).round();
  for (int64_t k = 0; k < 4; ++k) base.select(0, 70 + 40000 * k).select(0, k).fill_(NAN);
  for (const ScalarType dtype : {kFloat, kDouble, kHalf, kBFloat16}) {
    const Tensor t = base.to(dtype);
    for (const Tensor& layout : {t, t.t().contiguous().t(), t.slice(1, 1, 4)}) {
      for (const int64_t dim : {0, 1}) {
        expect_close(layout.argmax(dim), places_of_max(layout, dim));
        const auto [value, place] = layout.max(dim);
        EXPECT_TRUE(layout.gather(dim, place.unsqueeze(dim))
                        .squeeze(dim)
                        .allclose(value, 0, 0, /*equal_nan=*/true));
      }
    }
    expect_close(t.select(1, 4).argmax(), places_of_max(t.select(1, 4), 0));
    expect_close(t.select(1, 0).contiguous().argmax(), places_of_max(t.select(1, 0), 0));
  }
  const Tensor whole = base.nan_to_num().to(kInt);
  for (const int64_t dim : {0, 1}) {
    expect_close(whole.argmax(dim), places_of_max(whole, dim));
    expect_close((-whole).argmin(dim), places_of_max(whole, dim));
    expect_close(std::get<1>(whole.gt(3).max(dim)), places_of_max(whole.gt(3), dim));
  }
}

TEST(Reduction, OfEverythingInParallelParts) {
  const Tensor t = random_tensor({317, 431});
  expect_close(t.sum(), {sum_of(values(t))}, 1e-3);
  EXPECT_TRUE(t.lt(3).all().item().toBool());
  EXPECT_FALSE(t.gt(3).any().item().toBool());
  EXPECT_EQ(t.sum(IntArrayRef{0, 1}, /*keepdim=*/true).sizes(), IntArrayRef({1, 1}));
}

TEST(Reduction, IntegersSumToLong) {
  const Tensor t = random_tensor({55}, 0, 255, kByte);
  EXPECT_EQ(t.sum().scalar_type(), kLong);
  expect_close(t.sum(), {sum_of(values(t))});
  EXPECT_EQ(t.eq(t).sum().item().toLong(), 55);
  EXPECT_NE(message_of([&] { t.mean(); }).find("mean(): could not infer output dtype"),
            std::string::npos);
}

TEST(Reduction, EmptyInputs) {
  const Tensor t = at::empty({0, 3});
  expect_close(t.sum(0), {0, 0, 0});
  EXPECT_TRUE(std::isnan(t.mean().item().toDouble()));
  EXPECT_NE(message_of([&] { t.amax(0); }).find("Expected reduction dim 0 to have non-zero size"),
            std::string::npos);
  EXPECT_NE(message_of([&] {
              t.max();
            }).find("max(): Expected reduction dim to be specified for input.numel() == 0"),
            std::string::npos);
}

TEST(Reduction, RunningSums) {
  const Tensor t = random_tensor({3, 17, 5}, -1, 1, kDouble);
  const Tensor c = t.cumsum(1);
  for (int64_t j = 0; j < 17; ++j) {
    expect_close(c.select(1, j), values(t.narrow(1, 0, j + 1).sum(1)), 1e-12);
  }
}

std::vector<double> product(const Tensor& a, const Tensor& b) {
  const std::vector<double> x = values(a);
  const std::vector<double> y = values(b);
  const int64_t m = a.size(0);
  const int64_t k = a.size(1);
  const int64_t n = b.size(1);
  std::vector<double> result(static_cast<size_t>(m * n));
  for (int64_t i = 0; i < m; ++i) {
    for (int64_t j = 0; j < n; ++j) {
      for (int64_t l = 0; l < k; ++l) {
        result[static_cast<size_t>(i * n + j)] +=
            x[static_cast<size_t>(i * k + l)] * y[static_cast<size_t>(l * n + j)];
      }
    }
  }
  return result;
}

TEST(MatrixProduct, OfEveryLayoutAndType) {
  for (const ScalarType dtype : {kFloat, kDouble, kLong, kBFloat16}) {
    const double tolerance = dtype == kBFloat16 ? 0.1 : 1e-4;
    const Tensor a = random_tensor({19, 45}, -4, 4, dtype);
    const Tensor b = random_tensor({45, 23}, -4, 4, dtype);
    const std::vector<double> expected = product(a, b);
    expect_close(a.mm(b), expected, tolerance);
    expect_close(a.t().contiguous().t().mm(b), expected, tolerance);
    expect_close(a.mm(b.t().contiguous().t()), expected, tolerance);
    expect_close(random_tensor({19, 90}, -4, 4, dtype).slice(1, 0, 90, 2).copy_(a).mm(b), expected,
                 tolerance);
  }
}

TEST(MatrixProduct, AddmmBroadcastsAndScales) {
  const Tensor bias = random_tensor({7});
  const Tensor a = random_tensor({5, 9});
  const Tensor b = random_tensor({9, 7});
  std::vector<double> expected = product(a, b);
  const std::vector<double> c = values(bias.expand({5, 7}));
  for (size_t i = 0; i < expected.size(); ++i) expected[i] = 0.5 * c[i] + 2 * expected[i];
  expect_close(at::addmm(bias, a, b, 0.5, 2), expected);
}

TEST(MatrixProduct, MatmulBroadcastsBatches) {
  const Tensor a = random_tensor({2, 1, 4, 3});
  const Tensor b = random_tensor({5, 3, 6});
  const Tensor c = at::matmul(a, b);
  ASSERT_EQ(c.sizes(), IntArrayRef({2, 5, 4, 6}));
  for (int64_t i = 0; i < 2; ++i) {
    for (int64_t j = 0; j < 5; ++j) {
      expect_close(c.select(0, i).select(0, j),
                   product(a.select(0, i).select(0, 0), b.select(0, j)));
    }
  }
  const Tensor v = random_tensor({3});
  EXPECT_EQ(at::matmul(v, v).dim(), 0);
  EXPECT_EQ(at::matmul(b.transpose(1, 2), v).sizes(), IntArrayRef({5, 6}));
}

TEST(MatrixProduct, MessagesAreThoseUsersKnow) {
  EXPECT_EQ(message_of([] { random_tensor({2, 3}).mm(random_tensor({4, 5})); }),
            "mat1 and mat2 shapes cannot be multiplied (2x3 and 4x5)");
  EXPECT_EQ(message_of([] { random_tensor({2, 3}).mm(random_tensor({3, 5}).to(kDouble)); }),
            "expected m1 and m2 to have the same dtype, but got: float != double");
}

TEST(Softmax, SumsToOneAlongAnyDimension) {
  const Tensor t = random_tensor({3, 21, 5}, -30, 30);
  expect_close(t.softmax(1).sum(1), std::vector<double>(15, 1));
  expect_close(t.log_softmax(1).exp(), values(t.softmax(1)));
  const Tensor s = t.softmax(-1);
  const std::vector<double> x = values(t.select(0, 1).select(0, 2));
  std::vector<double> expected;
  for (const double v : x) {
    double total = 0;
    for (const double w : x) total += std::exp(w - v);
    expected.push_back(1 / total);
  }
  expect_close(s.select(0, 1).select(0, 2), expected);
}

TEST(Loss, CrossEntropyIgnoresAndWeighs) {
  const Tensor x = random_tensor({6, 4});
  const Tensor target = random_tensor({6}, 0, 4, kLong);
  const Tensor weight = random_tensor({4}, 0.5, 2);
  const int64_t ignored = target.select(0, 0).item().toLong();
  const std::vector<double> log_p = values(x.to(kDouble).log_softmax(1));
  const std::vector<double> w = values(weight);
  const std::vector<double> t = values(target);
  double loss = 0;
  double total = 0;
  for (size_t i = 0; i < 6; ++i) {
    const auto c = static_cast<size_t>(t[i]);
    if (static_cast<int64_t>(c) == ignored) continue;
    loss -= w[c] * log_p[i * 4 + c];
    total += w[c];
  }
  const Tensor actual = at::cross_entropy_loss(x, target, weight, /*reduction=*/1, ignored);
  if (total > 0) {
    expect_close(actual, {loss / total});
  } else {
    EXPECT_TRUE(std::isnan(actual.item().toDouble()));
  }
}

TEST(Loss, MeanSquaredError) {
  const Tensor a = random_tensor({8, 3});
  const Tensor b = random_tensor({8, 3});
  expect_close(at::mse_loss(a, b), {values(a.sub(b).pow(2).mean())[0]});
  expect_close(at::mse_loss(a, b, /*reduction=*/0), values(a.sub(b).mul(a.sub(b))));
}

TEST(LayerNorm, HasMeanZeroAndVarianceOne) {
  const Tensor x = random_tensor({7, 50}, -3, 9);
  const Tensor y = at::layer_norm(x, {50}, {}, {}, 1e-12);
  expect_close(y.mean(1), std::vector<double>(7, 0));
  expect_close(y.var(IntArrayRef{1}, /*unbiased=*/false), std::vector<double>(7, 1), 1e-4);
}

}  // namespace
}  // namespace at::native::testing
