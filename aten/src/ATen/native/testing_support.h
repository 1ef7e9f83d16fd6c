#pragma once

// For the tests of operators: fresh random inputs, and their values as doubles.

#include <ATen/core/Tensor.h>
#include <ATen/ops/empty.h>
#include <c10/core/ScalarType.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <vector>

namespace at::native::testing {

// A new seed for every run, shown when the test fails.
inline std::mt19937& engine() {
  static std::mt19937 generator = [] {
    const auto seed = std::random_device()();
    ::testing::Test::RecordProperty("seed", std::to_string(seed));
    return std::mt19937(seed);
  }();
  return generator;
}

// Uniform numbers in [low, high), of any type of element.
inline Tensor random_tensor(IntArrayRef sizes, double low = -2, double high = 2,
                            ScalarType dtype = kFloat) {
  Tensor t = at::empty(sizes, TensorOptions().dtype(kDouble));
  std::uniform_real_distribution<double> uniform(low, high);
  auto* data = t.mutable_data_ptr<double>();
  for (int64_t i = 0; i < t.numel(); ++i) data[i] = uniform(engine());
  return t.to(dtype);
}

// All elements in order, of any type, strides or shape.
inline std::vector<double> values(const Tensor& t) {
  std::vector<double> result;
  std::vector<int64_t> counter(static_cast<size_t>(t.dim()), 0);
  for (int64_t n = 0; n < t.numel(); ++n) {
    Tensor element = t;
    for (const int64_t i : counter) element = element.select(0, i);
    result.push_back(element.item().toDouble());
    for (size_t d = counter.size(); d-- > 0;) {
      if (++counter[d] < t.size(static_cast<int64_t>(d))) break;
      counter[d] = 0;
    }
  }
  return result;
}

inline void expect_close(const Tensor& actual, const std::vector<double>& expected,
                         double tolerance = 1e-5) {
  const std::vector<double> got = values(actual);
  ASSERT_EQ(got.size(), expected.size());
  for (size_t i = 0; i < got.size(); ++i) {
    EXPECT_NEAR(got[i], expected[i], tolerance * std::max(1.0, std::abs(expected[i])))
        << "at element " << i;
  }
}

// The text of what `f` throws, without the backtrace.
template <typename F>
std::string message_of(F&& f) {
  try {
    f();
  } catch (const c10::Error& e) {
    return e.what_without_backtrace();
  } catch (const std::exception& e) {
    return e.what();
  }
  return "nothing was thrown";
}

}  // namespace at::native::testing
