// Samples of gamma, Dirichlet and binomial distributions. The same seed gives PyTorch's samples on
// the CPU: the methods, the order of the draws and the precision of each constant are its own.

#define TORCH_ASSERT_ONLY_METHOD_OPERATORS
#include <ATen/CPUGeneratorImpl.h>
#include <ATen/Dispatch.h>
#include <ATen/ExpandUtils.h>
#include <ATen/core/DistributionsHelper.h>
#include <ATen/core/Generator.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/_sample_dirichlet_native.h>
#include <ATen/ops/_standard_gamma_native.h>
#include <ATen/ops/binomial_native.h>
#include <ATen/ops/empty.h>
#include <c10/core/ScalarType.h>
#include <c10/util/Exception.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <mutex>
#include <numbers>
#include <optional>
#include <vector>

namespace at::native {
namespace {

CPUGeneratorImpl* cpu_generator(const std::optional<Generator>& generator) {
  return get_generator_or_default<CPUGeneratorImpl>(generator,
                                                    at::detail::getDefaultCPUGenerator());
}

double draw_uniform(CPUGeneratorImpl* generator) {
  return at::uniform_real_distribution<double>(0, 1)(generator);
}

// Marsaglia and Tsang, "A simple method for generating gamma variables" (2000); for alpha < 1 by
// the note of its section 6. A third has the digits of a float, and `alpha` has those of T.
template <typename T>
double sample_gamma(T alpha, CPUGeneratorImpl* generator) {
  double scale = 1;
  if (alpha < 1) {
    if (alpha == 0) return 0;
    scale = std::pow(1 - draw_uniform(generator), static_cast<double>(T(1) / alpha));
    alpha += 1;
  }
  const auto d = static_cast<double>(alpha - 1.0F / 3.0F);
  const double c = 1 / std::sqrt(9 * d);
  at::normal_distribution<double> normal(0, 1);
  while (true) {
    const double x = normal(generator);
    const double root = 1 + c * x;
    if (root <= 0) continue;
    const double v = root * root * root;
    const double u = 1 - draw_uniform(generator);
    const double square = x * x;
    if (u < 1 - 0.0331F * square * square ||
        std::log(u) < 0.5 * square + d * (1 - v + std::log(v))) {
      return scale * d * v;
    }
  }
}

// The first waiting times that fit in `count` trials (Devroye, "Non-uniform random variate
// generation", 1986, chapter X.4.3).
template <typename T>
T binomial_by_waiting(T count, T prob, CPUGeneratorImpl* generator) {
  const double log_failure = std::log1p(-prob);
  double trials = 0;
  T successes = 0;
  while (true) {
    trials += std::ceil(std::log(draw_uniform(generator)) / log_failure);
    if (trials > count) return successes;
    successes += 1;
  }
}

// What Stirling's formula lacks of log(k!), by its series; by what it lacks, where k is small.
double stirling_tail(double k) {
  const double next = k + 1;
  if (k <= 9) {
    return std::lgamma(next) - 0.5 * std::log(2 * std::numbers::pi) - (k + 0.5) * std::log(next) +
           next;
  }
  const double square = next * next;
  return (1.0 / 12 - (1.0 / 360 - 1.0 / 1260 / square) / square) / next;
}

// Hoermann, "The generation of binomial random variates" (1993), algorithm BTRS. The comparison
// outside of the box takes the logarithm of V that the paper's listing leaves out.
template <typename T>
T binomial_by_rejection(T count, T prob, CPUGeneratorImpl* generator) {
  const double deviation = std::sqrt(count * prob * (1 - prob));
  const double b = 1.15 + 2.53 * deviation;
  const double a = -0.0873 + 0.0248 * b + 0.01 * prob;
  const double c = count * prob + 0.5;
  const double box = 0.92 - 4.2 / b;
  const double odds = prob / (1 - prob);
  const double alpha = (2.83 + 5.1 / b) * deviation;
  const double mode = std::floor((count + 1) * prob);
  while (true) {
    const double u = draw_uniform(generator) - 0.5;
    const double v = draw_uniform(generator);
    const double us = 0.5 - std::abs(u);
    const T k = static_cast<T>(std::floor((2 * a / us + b) * u + c));
    if (k < 0 || k > count) continue;
    if (us >= 0.07 && v <= box) return k;
    const double bound = (mode + 0.5) * std::log((mode + 1) / (odds * (count - mode + 1))) +
                         (count + 1) * std::log((count - mode + 1) / (count - k + 1)) +
                         (k + 0.5) * std::log(odds * (count - k + 1) / (k + 1)) +
                         stirling_tail(mode) + stirling_tail(count - mode) - stirling_tail(k) -
                         stirling_tail(count - k);
    if (std::log(v * alpha / (a / (us * us) + b)) <= bound) return k;
  }
}

template <typename T>
T sample_binomial(T count, T prob, CPUGeneratorImpl* generator) {
  if (count <= 0 || prob <= 0) return 0;
  if (prob >= 1) return count;
  if (std::isnan(prob)) return std::numeric_limits<T>::quiet_NaN();
  // Of success or failure, what is rarer.
  const T rare = prob <= T(0.5) ? prob : T(1) - prob;
  const T found = count * rare >= 10 ? binomial_by_rejection(count, rare, generator)
                                     : binomial_by_waiting(count, rare, generator);
  return prob <= T(0.5) ? found : count - found;
}

}  // namespace

Tensor _s_gamma_cpu(const Tensor& self, std::optional<Generator> generator) {
  const Tensor alpha = self.contiguous();
  Tensor result = at::empty(self.sizes(), self.options());
  CPUGeneratorImpl* numbers = cpu_generator(generator);
  const std::lock_guard<std::mutex> lock(numbers->mutex_);
  AT_DISPATCH_FLOATING_TYPES(self.scalar_type(), "gamma_cpu", [&] {
    const auto* parameter = alpha.const_data_ptr<scalar_t>();
    auto* out = result.mutable_data_ptr<scalar_t>();
    for (int64_t i = 0; i < result.numel(); ++i) {
      // A sample that rounds to 0 has no density.
      out[i] = std::max(std::numeric_limits<scalar_t>::min(),
                        static_cast<scalar_t>(sample_gamma(parameter[i], numbers)));
    }
  });
  return result;
}

Tensor _s_dirichlet_cpu(const Tensor& self, std::optional<Generator> generator) {
  TORCH_CHECK_INDEX(self.dim() > 0, "Dimension specified as -1 but tensor has no dimensions");
  TORCH_CHECK_NOT_IMPLEMENTED(self.scalar_type() == kFloat || self.scalar_type() == kDouble,
                              "\"dirichlet\" not implemented for '", self.scalar_type(), "'");
  // Gamma samples in double precision, for small ones vanish in a float.
  const Tensor alpha = self.to(kDouble).contiguous();
  Tensor gamma = at::empty(self.sizes(), alpha.options());
  {
    CPUGeneratorImpl* numbers = cpu_generator(generator);
    const std::lock_guard<std::mutex> lock(numbers->mutex_);
    const auto* parameter = alpha.const_data_ptr<double>();
    auto* out = gamma.mutable_data_ptr<double>();
    for (int64_t i = 0; i < gamma.numel(); ++i) {
      out[i] = std::max(std::numeric_limits<double>::min(), sample_gamma(parameter[i], numbers));
    }
  }
  const Tensor total = gamma.sum(-1, /*keepdim=*/true);
  return AT_DISPATCH_FLOATING_TYPES(self.scalar_type(), "dirichlet", [&] {
    const double least = std::numeric_limits<scalar_t>::min();
    const double most = std::nextafter(scalar_t(1), scalar_t(0));
    return gamma.div_(total).to(self.scalar_type()).clamp_(least, most);
  });
}

Tensor _s_binomial_cpu(const Tensor& count, const Tensor& prob,
                       std::optional<Generator> generator) {
  TORCH_CHECK(count.scalar_type() == prob.scalar_type(), "Found dtype ", prob.scalar_type(),
              " but expected ", count.scalar_type());
  const std::vector<int64_t> sizes = at::infer_size(count.sizes(), prob.sizes());
  const Tensor counts = count.expand(sizes).contiguous();
  const Tensor probs = prob.expand(sizes).contiguous();
  Tensor result = at::empty(counts.sizes(), count.options());
  CPUGeneratorImpl* numbers = cpu_generator(generator);
  const std::lock_guard<std::mutex> lock(numbers->mutex_);
  AT_DISPATCH_FLOATING_TYPES(count.scalar_type(), "binomial_cpu", [&] {
    const auto* trials = counts.const_data_ptr<scalar_t>();
    const auto* chance = probs.const_data_ptr<scalar_t>();
    auto* out = result.mutable_data_ptr<scalar_t>();
    for (int64_t i = 0; i < result.numel(); ++i) {
      out[i] = sample_binomial(trials[i], chance[i], numbers);
    }
  });
  return result;
}

}  // namespace at::native
