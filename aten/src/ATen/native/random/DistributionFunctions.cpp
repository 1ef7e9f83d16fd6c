// Samples of further distributions.

#define TORCH_ASSERT_ONLY_METHOD_OPERATORS
#include <ATen/CPUGeneratorImpl.h>
#include <ATen/Dispatch.h>
#include <ATen/ExpandUtils.h>
#include <ATen/core/DistributionsHelper.h>
#include <ATen/core/Generator.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/DistributionBounds.h>
#include <ATen/native/OutVariant.h>
#include <ATen/native/Resize.h>
#include <ATen/ops/bernoulli_native.h>
#include <ATen/ops/cauchy_native.h>
#include <ATen/ops/div.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/exponential_native.h>
#include <ATen/ops/geometric_native.h>
#include <ATen/ops/log_normal_native.h>
#include <ATen/ops/multinomial_native.h>
#include <ATen/ops/normal_native.h>
#include <ATen/ops/poisson_native.h>
#include <ATen/ops/zeros.h>
#include <c10/core/ScalarType.h>
#include <c10/util/Exception.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <mutex>
#include <numbers>
#include <optional>
#include <utility>
#include <vector>

namespace at::native {
namespace {

CPUGeneratorImpl* cpu_generator(const std::optional<Generator>& generator) {
  return get_generator_or_default<CPUGeneratorImpl>(generator,
                                                    at::detail::getDefaultCPUGenerator());
}

// Writes draw(u), of a uniform number u in [0, 1), to every element in order of memory.
template <typename F>
void fill_from_uniform(const Tensor& self, const char* name, CPUGeneratorImpl* generator, F draw) {
  Tensor out = self.is_contiguous() ? self : at::empty_like(self);
  const std::lock_guard<std::mutex> lock(generator->mutex_);
  AT_DISPATCH_ALL_TYPES_AND2(kHalf, kBFloat16, self.scalar_type(), name, [&] {
    auto* data = out.mutable_data_ptr<scalar_t>();
    const at::uniform_real_distribution<double> uniform(0, 1);
    for (int64_t i = 0; i < out.numel(); ++i) {
      data[i] = static_cast<scalar_t>(draw(uniform(generator)));
    }
  });
  if (!out.is_same(self)) self.copy_(out);
}

void check_floating(const char* name, const Tensor& self) {
  TORCH_CHECK(c10::isFloatingType(self.scalar_type()), name, " not implemented for '",
              self.scalar_type(), "'");
}

}  // namespace

Tensor& exponential_(Tensor& self, double lambd, std::optional<Generator> gen) {
  check_exponential(lambd);
  TORCH_CHECK(
      c10::isFloatingType(self.scalar_type()),
      "Exponential distribution is a continuous probability distribution. dtype must be a floating point but you specified ",
      self.scalar_type());
  if (self.is_meta() || self.numel() == 0) return self;
  fill_from_uniform(self, "exponential_cpu", cpu_generator(gen),
                    [lambd](double u) { return -std::log1p(-u) / lambd; });
  return self;
}

Tensor& geometric_(Tensor& self, double p, std::optional<Generator> gen) {
  TORCH_CHECK(0 < p && p < 1, "geometric_ expects p to be in (0, 1), but got p=", p);
  if (self.is_meta() || self.numel() == 0) return self;
  const double scale = std::log1p(-p);
  fill_from_uniform(self, "geometric_cpu", cpu_generator(gen),
                    [scale](double u) { return std::ceil(std::log(u) / scale); });
  return self;
}

Tensor& cauchy_(Tensor& self, double median, double sigma, std::optional<Generator> gen) {
  TORCH_CHECK(sigma > 0.0, "cauchy_ expects sigma > 0.0, but found sigma=", sigma);
  TORCH_CHECK(
      c10::isFloatingType(self.scalar_type()),
      "Cauchy distribution is a continuous probability distribution. dtype must be a floating point but you specified ",
      self.scalar_type());
  if (self.is_meta() || self.numel() == 0) return self;
  fill_from_uniform(self, "cauchy_cpu", cpu_generator(gen), [=](double u) {
    return median + sigma * std::tan(std::numbers::pi * (u - 0.5));
  });
  return self;
}

Tensor& log_normal_(Tensor& self, double mean, double std, std::optional<Generator> gen) {
  TORCH_CHECK(std > 0.0, "log_normal_ expects std > 0.0, but found std=", std);
  check_floating("\"log_normal_cpu\"", self);
  if (self.is_meta() || self.numel() == 0) return self;
  CPUGeneratorImpl* generator = cpu_generator(gen);
  Tensor out = self.is_contiguous() ? self : at::empty_like(self);
  {
    const std::lock_guard<std::mutex> lock(generator->mutex_);
    AT_DISPATCH_FLOATING_TYPES_AND2(kHalf, kBFloat16, self.scalar_type(), "log_normal_cpu", [&] {
      auto* data = out.mutable_data_ptr<scalar_t>();
      const at::normal_distribution<double> normal(mean, std);
      for (int64_t i = 0; i < out.numel(); ++i) {
        data[i] = static_cast<scalar_t>(std::exp(normal(generator)));
      }
    });
  }
  if (!out.is_same(self)) self.copy_(out);
  return self;
}

// ---- Poisson

namespace {

// Products of uniform numbers for small means (Knuth); for large ones transformed rejection:
// Hoermann (1993), The transformed rejection method for generating Poisson random variables.
int64_t sample_poisson(double lambda, CPUGeneratorImpl* generator) {
  TORCH_CHECK(lambda >= 0, "invalid Poisson rate, expected rate to be non-negative");
  const at::uniform_real_distribution<double> uniform(0, 1);
  if (lambda == 0) return 0;
  if (lambda < 10) {
    const double limit = std::exp(-lambda);
    double product = 1;
    for (int64_t k = 0;; ++k) {
      product *= uniform(generator);
      if (product <= limit) return k;
    }
  }
  const double slam = std::sqrt(lambda);
  const double loglam = std::log(lambda);
  const double b = 0.931 + 2.53 * slam;
  const double a = -0.059 + 0.02483 * b;
  const double inverse_alpha = 1.1239 + 1.1328 / (b - 3.4);
  const double vr = 0.9277 - 3.6224 / (b - 2);
  while (true) {
    const double u = uniform(generator) - 0.5;
    const double v = uniform(generator);
    const double us = 0.5 - std::abs(u);
    const auto k = static_cast<int64_t>(std::floor((2 * a / us + b) * u + lambda + 0.43));
    if (us >= 0.07 && v <= vr) return k;
    if (k < 0 || (us < 0.013 && v > us)) continue;
    if (std::log(v) + std::log(inverse_alpha) - std::log(a / (us * us) + b) <=
        -lambda + static_cast<double>(k) * loglam - std::lgamma(static_cast<double>(k) + 1)) {
      return k;
    }
  }
}

}  // namespace

Tensor _s_poisson_cpu(const Tensor& lambda, std::optional<Generator> gen) {
  const Tensor rates = lambda.contiguous();
  Tensor result = at::zeros(lambda.sizes(), lambda.options());
  CPUGeneratorImpl* generator = cpu_generator(gen);
  const std::lock_guard<std::mutex> lock(generator->mutex_);
  AT_DISPATCH_FLOATING_TYPES_AND2(kHalf, kBFloat16, result.scalar_type(), "poisson_cpu", [&] {
    const auto* rate = rates.const_data_ptr<scalar_t>();
    auto* out = result.mutable_data_ptr<scalar_t>();
    for (int64_t i = 0; i < result.numel(); ++i) {
      out[i] = static_cast<scalar_t>(sample_poisson(static_cast<double>(rate[i]), generator));
    }
  });
  return result;
}

// ---- multinomial

Tensor& multinomial_out(const Tensor& self, int64_t n_sample, bool with_replacement,
                        std::optional<Generator> gen, Tensor& result) {
  TORCH_CHECK(self.device() == result.device(), "multinomial arguments must have the same device");
  TORCH_CHECK(self.dim() > 0 && self.dim() <= 2, "prob_dist must be 1 or 2 dim");
  TORCH_CHECK(
      c10::isFloatingType(self.scalar_type()),
      "multinomial only supports floating-point dtypes for input, got: ", self.scalar_type());
  TORCH_CHECK(result.scalar_type() == kLong,
              "multinomial expects Long tensor out, got: ", result.scalar_type());
  TORCH_CHECK(n_sample > 0, "cannot sample n_sample <= 0 samples");
  const int64_t categories = self.size(-1);
  TORCH_CHECK(with_replacement || n_sample <= categories,
              "cannot sample n_sample > prob_dist.size(-1) samples without replacement");
  TORCH_CHECK(categories <= (int64_t{1} << 24), "number of categories cannot exceed 2^24");
  resize_output(result, self.dim() == 1 ? std::vector<int64_t>{n_sample}
                                        : std::vector<int64_t>{self.size(0), n_sample});
  if (result.numel() == 0) return result;
  const Tensor rows = self.to(kDouble).reshape({-1, categories}).contiguous();
  const auto* p = rows.const_data_ptr<double>();
  for (int64_t row = 0; row < rows.size(0); ++row) {
    double sum = 0;
    for (int64_t c = 0; c < categories; ++c) {
      const double value = p[row * categories + c];
      TORCH_CHECK(!with_replacement || !(value < 0),
                  "invalid multinomial distribution (encountering probability entry < 0)");
      TORCH_CHECK(
          !with_replacement || std::isfinite(value),
          "invalid multinomial distribution (encountering probability entry = infinity or NaN)");
      TORCH_CHECK(std::isfinite(value) && value >= 0,
                  "probability tensor contains either `inf`, `nan` or element < 0");
      sum += value;
    }
    TORCH_CHECK(sum > 0, "invalid multinomial distribution (sum of probabilities <= 0)");
  }
  if (!with_replacement || n_sample == 1) {
    // The order of exponential numbers divided by the probabilities (Efraimidis, Spirakis, 2006).
    const Tensor q = at::empty_like(self, MemoryFormat::Contiguous).exponential_(1, std::move(gen));
    const Tensor keys = at::div(self, q);
    const Tensor chosen =
        n_sample == 1 ? keys.argmax(-1, /*keepdim=*/true) : std::get<1>(keys.topk(n_sample, -1));
    return result.copy_(chosen.view(result.sizes()));
  }
  CPUGeneratorImpl* generator = cpu_generator(gen);
  const std::lock_guard<std::mutex> lock(generator->mutex_);
  Tensor out = at::empty(result.sizes(), result.options());
  auto* chosen = out.mutable_data_ptr<int64_t>();
  std::vector<double> cumulative(static_cast<size_t>(categories));
  const at::uniform_real_distribution<double> uniform(0, 1);
  for (int64_t row = 0; row < rows.size(0); ++row) {
    double sum = 0;
    for (int64_t c = 0; c < categories; ++c) {
      sum += p[row * categories + c];
      cumulative[static_cast<size_t>(c)] = sum;
    }
    for (double& value : cumulative) value /= sum;
    for (int64_t s = 0; s < n_sample; ++s) {
      const auto place =
          std::upper_bound(cumulative.begin(), cumulative.end() - 1, uniform(generator));
      chosen[row * n_sample + s] = place - cumulative.begin();
    }
  }
  return result.copy_(out);
}

Tensor multinomial(const Tensor& self, int64_t n_sample, bool with_replacement,
                   std::optional<Generator> gen) {
  Tensor result = at::empty({0}, self.options().dtype(kLong));
  return native::multinomial_out(self, n_sample, with_replacement, std::move(gen), result);
}

// ---- normal numbers with a mean and a deviation for each element

namespace {

void check_deviations(const Tensor& std) {
  TORCH_CHECK(!std.is_complex(), "normal expects standard deviation to be non-complex");
  TORCH_CHECK(std.numel() == 0 || std.is_meta() || std.min().item().toDouble() >= 0,
              "normal expects all elements of std >= 0.0");
}

Tensor normal_like(IntArrayRef sizes, const TensorOptions& options, std::optional<Generator> gen) {
  return at::empty(sizes, options).normal_(0, 1, std::move(gen));
}

}  // namespace

Tensor normal(const Tensor& mean, double std, std::optional<Generator> gen) {
  TORCH_CHECK(std >= 0.0, "normal expects std >= 0.0, but found std ", std);
  return at::empty(mean.sizes(), mean.options()).normal_(0, std, std::move(gen)).add_(mean);
}

Tensor normal(double mean, const Tensor& std, std::optional<Generator> gen) {
  check_deviations(std);
  return normal_like(std.sizes(), std.options(), std::move(gen)).mul_(std).add_(mean);
}

Tensor normal(const Tensor& mean, const Tensor& std, std::optional<Generator> gen) {
  check_deviations(std);
  return normal_like(at::infer_size(mean.sizes(), std.sizes()), mean.options(), std::move(gen))
      .mul_(std)
      .add_(mean);
}

namespace {

Tensor& write_normal(const Tensor& result, Tensor& output) {
  TORCH_CHECK_NOT_IMPLEMENTED(output.is_floating_point() || output.is_complex(),
                              "\"normal_kernel_cpu\" not implemented for '", output.scalar_type(),
                              "'");
  return write_to_out(result, output);
}

}  // namespace

Tensor& normal_out(const Tensor& mean, double std, std::optional<Generator> gen, Tensor& output) {
  return write_normal(native::normal(mean, std, std::move(gen)), output);
}

Tensor& normal_out(double mean, const Tensor& std, std::optional<Generator> gen, Tensor& output) {
  return write_normal(native::normal(mean, std, std::move(gen)), output);
}

Tensor& normal_out(const Tensor& mean, const Tensor& std, std::optional<Generator> gen,
                   Tensor& output) {
  return write_normal(native::normal(mean, std, std::move(gen)), output);
}

Tensor normal(double mean, double std, IntArrayRef size, std::optional<Generator> generator,
              std::optional<ScalarType> dtype, std::optional<Layout> layout,
              std::optional<Device> device, std::optional<bool> pin_memory) {
  return at::empty(size, dtype, layout, device, pin_memory, std::nullopt)
      .normal_(mean, std, std::move(generator));
}

Tensor& normal_out(double mean, double std, IntArrayRef size, std::optional<Generator> generator,
                   Tensor& result) {
  resize_output(result, size);
  return result.normal_(mean, std, std::move(generator));
}

Tensor normal_functional(const Tensor& self, double mean, double std,
                         std::optional<Generator> generator) {
  return self.clone().normal_(mean, std, std::move(generator));
}

Tensor& bernoulli_out(const Tensor& self, std::optional<Generator> gen, Tensor& result) {
  resize_output(result, self.sizes());
  return result.bernoulli_(self, std::move(gen));
}

}  // namespace at::native
