#include <ATen/CPUGeneratorImpl.h>

#include <ATen/Context.h>
#include <ATen/core/DistributionsHelper.h>
#include <ATen/core/Tensor.h>
#include <c10/util/Exception.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <random>

namespace {

TEST(Mt19937, GivesTheStandardsNumbers) {
  const uint32_t seed = std::random_device{}();
  at::mt19937 engine(seed);
  std::mt19937 reference(seed);
  for (int i = 0; i < 2000; ++i) ASSERT_EQ(engine(), reference()) << "seed " << seed;
}

TEST(CPUGenerator, JoinsTwoDrawsTo64Bits) {
  at::Generator gen = at::detail::createCPUGenerator(42);
  std::mt19937 reference(42);
  const uint64_t high = reference();
  const uint64_t low = reference();
  EXPECT_EQ(gen.get<at::CPUGeneratorImpl>()->random64(), (high << 32) | low);
}

TEST(CPUGenerator, StateBringsTheDrawsBack) {
  at::Generator gen = at::detail::createCPUGenerator(7);
  auto* impl = gen.get<at::CPUGeneratorImpl>();
  const at::normal_distribution<double> normal(0, 1);
  (void)normal(impl);  // leaves the second sample of its pair in the state
  const at::Tensor state = gen.get_state();
  EXPECT_EQ(state.scalar_type(), at::kByte);
  const at::Generator clone = gen.clone();
  const double second = normal(impl);
  const double third = normal(impl);
  gen.set_state(state);
  EXPECT_EQ(normal(impl), second);
  EXPECT_EQ(normal(impl), third);
  EXPECT_EQ(normal(clone.get<at::CPUGeneratorImpl>()), second);
  EXPECT_EQ(gen.current_seed(), 7u);
  EXPECT_THROW(gen.set_state(at::Tensor()), c10::Error);
}

TEST(CPUGenerator, ManualSeedRestartsTheDefault) {
  auto* impl = at::detail::getDefaultCPUGenerator().get<at::CPUGeneratorImpl>();
  at::manual_seed(123);
  const uint32_t first = impl->random();
  (void)impl->random();
  at::manual_seed(123);
  EXPECT_EQ(impl->random(), first);
}

// Mean and variance of many samples, within six standard errors.
template <typename F>
void expectMoments(F draw, double mean, double variance) {
  constexpr int n = 200000;
  double sum = 0;
  double squares = 0;
  for (int i = 0; i < n; ++i) {
    const double x = draw();
    sum += x;
    squares += (x - mean) * (x - mean);
  }
  EXPECT_NEAR(sum / n, mean, 6 * std::sqrt(variance / n));
  EXPECT_NEAR(squares / n, variance, 0.05 * variance);
}

TEST(Distributions, HaveTheirMoments) {
  at::Generator gen = at::detail::createCPUGenerator(std::random_device{}());
  auto* impl = gen.get<at::CPUGeneratorImpl>();
  const at::uniform_real_distribution<float> uniform(-1, 3);
  expectMoments([&] { return uniform(impl); }, 1, 16.0 / 12);
  const at::normal_distribution<double> normal(2, 3);
  expectMoments([&] { return normal(impl); }, 2, 9);
  const at::bernoulli_distribution<double> bernoulli(0.25);
  expectMoments([&] { return bernoulli(impl); }, 0.25, 0.25 * 0.75);
  const at::uniform_int_from_to_distribution<int64_t> integer(10, -3);
  expectMoments([&] { return static_cast<double>(integer(impl)); }, 1.5, 99.0 / 12);
}

TEST(Distributions, StayInTheirRange) {
  at::Generator gen = at::detail::createCPUGenerator(1);
  auto* impl = gen.get<at::CPUGeneratorImpl>();
  const at::uniform_real_distribution<double> uniform(0, 1);
  for (int i = 0; i < 10000; ++i) {
    const double x = uniform(impl);
    ASSERT_GE(x, 0);
    ASSERT_LT(x, 1);
  }
  EXPECT_THROW(at::uniform_real_distribution<double>(1, 0), c10::Error);
  EXPECT_THROW(at::bernoulli_distribution<double>(1.5), c10::Error);
  EXPECT_THROW(at::normal_distribution<double>(0, -1), c10::Error);
}

}  // namespace
