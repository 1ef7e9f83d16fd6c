// Convolutions of random shapes and their gradients against sums in double precision.

#include <ATen/Parallel.h>
#include <ATen/native/ConvUtils.h>
#include <ATen/native/conv_testing_support.h>
#include <ATen/native/testing_support.h>
#include <c10/core/ScalarType.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <random>
#include <sstream>
#include <string>
#include <vector>

namespace at::native::testing {
namespace {

int64_t random_between(int64_t least, int64_t most) {
  return std::uniform_int_distribution<int64_t>(least, most)(engine());
}

// In one, two or three dimensions; rows are often longer than a vector.
ConvGeometry random_geometry() {
  ConvGeometry::Dims in{1, 1, 1};
  ConvGeometry::Dims kernel{1, 1, 1};
  ConvGeometry::Dims stride{1, 1, 1};
  ConvGeometry::Dims padding{0, 0, 0};
  ConvGeometry::Dims dilation{1, 1, 1};
  const auto unused = static_cast<size_t>(random_between(0, 2));
  for (size_t d = unused; d < 3; ++d) {
    kernel[d] = random_between(1, 4);
    stride[d] = random_between(1, 3);
    padding[d] = random_between(0, 3);
    dilation[d] = random_between(1, 2);
    const int64_t least = dilation[d] * (kernel[d] - 1) + 1 - 2 * padding[d];
    in[d] = std::max(least, random_between(1, d == 2 ? 40 : 7));
  }
  return conv_geometry(random_between(1, 4), random_between(1, 2), random_between(1, 40),
                       random_between(1, 40), in, kernel, stride, padding, dilation);
}

std::string described(const ConvGeometry& g) {
  std::ostringstream text;
  text << g.batch << " images, " << g.groups << " groups of " << g.in_channels << " -> "
       << g.out_channels << " channels";
  for (size_t d = 0; d < 3; ++d) {
    text << "; size " << g.in[d] << ", kernel " << g.kernel[d] << ", stride " << g.stride[d]
         << ", padding " << g.padding[d] << ", dilation " << g.dilation[d];
  }
  return text.str();
}

// Calls f(element of x, element of w, element of y) for all products.
template <typename F>
void for_each_product(const ConvGeometry& g, const F& f) {
  const auto row = [](const ConvGeometry::Dims& size, const ConvGeometry::Dims& at) {
    return (at[0] * size[1] + at[1]) * size[2] + at[2];
  };
  const auto all = [](const ConvGeometry::Dims& size, const auto& call) {
    for (int64_t i = 0; i < size[0]; ++i) {
      for (int64_t j = 0; j < size[1]; ++j) {
        for (int64_t k = 0; k < size[2]; ++k) call(ConvGeometry::Dims{i, j, k});
      }
    }
  };
  for (int64_t n = 0; n < g.batch * g.groups; ++n) {
    for (int64_t o = 0; o < g.out_channels; ++o) {
      for (int64_t c = 0; c < g.in_channels; ++c) {
        const int64_t x = (n * g.in_channels + c) * g.in_size();
        const int64_t w =
            ((n % g.groups * g.out_channels + o) * g.in_channels + c) * g.kernel_size();
        const int64_t y = (n * g.out_channels + o) * g.out_size();
        all(g.kernel, [&](const ConvGeometry::Dims& k) {
          all(g.out, [&](const ConvGeometry::Dims& out) {
            ConvGeometry::Dims in{};
            for (size_t d = 0; d < 3; ++d) {
              in[d] = out[d] * g.stride[d] - g.padding[d] + k[d] * g.dilation[d];
              if (in[d] < 0 || in[d] >= g.in[d]) return;
            }
            f(static_cast<size_t>(x + row(g.in, in)), static_cast<size_t>(w + row(g.kernel, k)),
              static_cast<size_t>(y + row(g.out, out)));
          });
        });
      }
    }
  }
}

template <typename T>
std::vector<T> random_vector(int64_t size) {
  std::vector<T> result(static_cast<size_t>(size));
  std::uniform_real_distribution<T> uniform(T(-1), T(1));
  for (T& value : result) value = uniform(engine());
  return result;
}

// Every element of a result was written, near the sum of its products.
template <typename T>
void expect_sums(const std::vector<T>& actual, const std::vector<double>& sums,
                 const std::vector<double>& magnitudes, const char* name) {
  for (size_t i = 0; i < actual.size(); ++i) {
    const double bound = 16 * std::numeric_limits<T>::epsilon() * (1 + magnitudes[i]);
    ASSERT_LE(std::abs(static_cast<double>(actual[i]) - sums[i]), bound) << name << ' ' << i;
  }
}

template <typename T>
void check(const ConvGeometry& g, c10::ScalarType dtype) {
  SCOPED_TRACE(described(g));
  const int64_t outputs = g.groups * g.out_channels;
  const std::vector<T> x = random_vector<T>(g.batch * g.groups * g.in_channels * g.in_size());
  const std::vector<T> w = random_vector<T>(outputs * g.in_channels * g.kernel_size());
  const std::vector<T> y = random_vector<T>(g.batch * outputs * g.out_size());
  const std::vector<T> bias = random_vector<T>(outputs);
  const T unwritten = std::numeric_limits<T>::quiet_NaN();
  std::vector<T> forward(y.size(), unwritten);
  std::vector<T> input(x.size(), unwritten);
  std::vector<T> weight(w.size(), unwritten);
  conv_forward(g, dtype, x.data(), w.data(), bias.data(), forward.data());
  conv_backward_input(g, dtype, y.data(), w.data(), input.data());
  conv_backward_weight(g, dtype, y.data(), x.data(), weight.data());

  std::vector<double> sums[3];
  std::vector<double> magnitudes[3];
  for (size_t i = 0; i < 3; ++i) {
    sums[i].resize(i == 0 ? y.size() : i == 1 ? x.size() : w.size());
    magnitudes[i].resize(sums[i].size());
  }
  for (size_t i = 0; i < y.size(); ++i) {
    sums[0][i] = bias[i / static_cast<size_t>(g.out_size()) % bias.size()];
  }
  const auto add = [&](size_t which, size_t at, double product) {
    sums[which][at] += product;
    magnitudes[which][at] += std::abs(product);
  };
  for_each_product(g, [&](size_t xi, size_t wi, size_t yi) {
    add(0, yi, static_cast<double>(x[xi]) * w[wi]);
    add(1, xi, static_cast<double>(y[yi]) * w[wi]);
    add(2, wi, static_cast<double>(y[yi]) * x[xi]);
  });
  expect_sums(forward, sums[0], magnitudes[0], "output");
  expect_sums(input, sums[1], magnitudes[1], "gradient of the input");
  expect_sums(weight, sums[2], magnitudes[2], "gradient of the weight");
}

TEST(ConvLoops, RandomShapes) {
  for (int i = 0; i < 40; ++i) {
    check<float>(random_geometry(), c10::kFloat);
    check<double>(random_geometry(), c10::kDouble);
  }
}

// One input channel in each group, in two dimensions; rows and planes are often shorter than a
// vector.
TEST(ConvLoops, DepthwiseShapes) {
  for (int i = 0; i < 120; ++i) {
    ConvGeometry::Dims in{1, 1, 1};
    ConvGeometry::Dims kernel{1, 1, 1};
    ConvGeometry::Dims stride{1, 1, 1};
    ConvGeometry::Dims padding{0, 0, 0};
    ConvGeometry::Dims dilation{1, 1, 1};
    for (const size_t d : {1, 2}) {
      kernel[d] = random_between(1, 4);
      stride[d] = random_between(1, 3);
      padding[d] = random_between(0, 3);
      dilation[d] = random_between(1, 2);
      const int64_t least = dilation[d] * (kernel[d] - 1) + 1 - 2 * padding[d];
      in[d] = std::max(least, random_between(1, d == 2 ? 40 : 9));
    }
    const ConvGeometry g =
        conv_geometry(random_between(1, 3), random_between(2, 9), 1, random_between(1, 2), in,
                      kernel, stride, padding, dilation);
    check<float>(g, c10::kFloat);
    check<double>(g, c10::kDouble);
  }
}

// Threads divide bands, channels of the outputs, channels of the inputs, or the sums of a weight.
TEST(ConvLoops, OfThreads) {
  const int threads = at::get_num_threads();
  for (const int count : {1, 2, 3}) {
    at::set_num_threads(count);
    check<float>(conv_geometry(1, 1, 40, 50, {1, 7, 7}, {1, 3, 3}, {1, 1, 1}, {0, 1, 1}, {1, 1, 1}),
                 c10::kFloat);
    check<float>(conv_geometry(3, 1, 3, 7, {1, 61, 59}, {1, 3, 3}, {1, 2, 2}, {0, 1, 1}, {1, 1, 1}),
                 c10::kFloat);
    check<float>(conv_geometry(2, 1, 70, 60, {1, 4, 4}, {1, 3, 3}, {1, 1, 1}, {0, 1, 1}, {1, 1, 1}),
                 c10::kFloat);
    check<float>(
        conv_geometry(1, 1, 64, 9, {1, 90, 33}, {1, 3, 3}, {1, 1, 1}, {0, 1, 1}, {1, 1, 1}),
        c10::kFloat);
  }
  at::set_num_threads(threads);
}

}  // namespace
}  // namespace at::native::testing
