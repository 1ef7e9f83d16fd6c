// How samples move with the parameters of their distribution, its distribution function kept
// (Figurnov, Mohamed and Mnih, "Implicit reparameterization gradients", 2018). Each derivative is
// an integral in double precision.

#define TORCH_ASSERT_ONLY_METHOD_OPERATORS
#include <ATen/Parallel.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/_dirichlet_grad_native.h>
#include <ATen/ops/_standard_gamma_grad_native.h>
#include <ATen/ops/broadcast_tensors.h>
#include <ATen/ops/digamma.h>
#include <ATen/ops/empty_like.h>
#include <c10/core/ScalarType.h>
#include <c10/util/Exception.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>

namespace at::native {
namespace {

constexpr int64_t kGrainSize = 32;

struct Node {
  double u;
  double weight;
};

// The rule of Takahasi and Mori, "Double exponential formulas for numerical integration" (1974),
// section 4, for integrals of exp(-u) f(u) over u > 0: u = exp(t - exp(-t)), which has no trouble
// with logarithms at 0. The factor exp(-u) is the integrand's.
std::array<Node, 241> half_line() {
  constexpr double kStep = 1.0 / 16;
  std::array<Node, 241> nodes{};
  for (int i = 0; i < 241; ++i) {
    const double t = (i - 80) * kStep;
    const double u = std::exp(t - std::exp(-t));
    nodes[static_cast<size_t>(i)] = {u, kStep * (1 + std::exp(-t)) * u};
  }
  return nodes;
}

template <typename F>
double integral(F integrand) {
  static const std::array<Node, 241> nodes = half_line();
  double total = 0;
  for (const Node& node : nodes) total += node.weight * integrand(node.u);
  return total;
}

// d x / d a of a sample x of Gamma(a, 1): minus the integral over (0, x) of
// t^(a - 1) exp(-t) (log(t) - digamma(a)), divided by the density's x^(a - 1) exp(-x); or plus that
// over (x, inf), where x is above a.
double gamma_derivative(double a, double x, double digamma) {
  x = std::max(x, std::numeric_limits<double>::min());
  if (x <= a) {
    const double offset = std::log(x) - digamma;
    return -x / a * integral([&](double u) {  // t = x exp(-u / a)
      return std::exp(-u - x * std::expm1(-u / a)) * (offset - u / a);
    });
  }
  return integral([&](double u) {  // t = x + u
    return std::exp(-u + (a - 1) * std::log1p(u / x)) * (std::log(x + u) - digamma);
  });
}

// Minus the integral over (0, x) of t^(a - 1) (1 - t)^(b - 1) (log(s) - offset), divided by the
// factors before the logarithm at t = x; s is t or 1 - t.
double beta_integral(double x, double a, double b, double offset, bool of_t) {
  const double log_x = std::log(x);
  const double log_rest = std::log1p(-x);
  return -x / a * integral([&](double u) {  // t = x exp(-u / a)
    const double log_1t = std::log1p(-x * std::exp(-u / a));
    const double density = std::exp(-u + (b - 1) * (log_1t - log_rest));
    return density * ((of_t ? log_x - u / a : log_1t) - offset);
  });
}

// d x / d a of a sample x of Beta(a, b), with offset = digamma(a) - digamma(a + b). From the other
// end 1 - x is a sample of Beta(b, a), and moves the other way.
double beta_derivative(double x, double a, double b, double offset) {
  return x <= a / (a + b) ? beta_integral(x, a, b, offset, true)
                          : -beta_integral(1 - x, b, a, offset, false);
}

Tensor as_double(const Tensor& tensor) {
  return tensor.to(TensorOptions().dtype(kDouble).device(kCPU)).contiguous();
}

}  // namespace

Tensor _standard_gamma_grad(const Tensor& self, const Tensor& output) {
  TORCH_CHECK(self.scalar_type() == output.scalar_type(), "Found dtype ", output.scalar_type(),
              " but expected ", self.scalar_type());
  const auto both = at::broadcast_tensors({self, output});
  const Tensor alpha = as_double(both[0]);
  const Tensor sample = as_double(both[1]);
  const Tensor digamma = at::digamma(alpha);
  Tensor result = at::empty_like(alpha);
  const auto* a = alpha.const_data_ptr<double>();
  const auto* x = sample.const_data_ptr<double>();
  const auto* psi = digamma.const_data_ptr<double>();
  auto* out = result.mutable_data_ptr<double>();
  at::parallel_for(0, result.numel(), kGrainSize, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) out[i] = gamma_derivative(a[i], x[i], psi[i]);
  });
  return result.to(self.options());
}

Tensor _dirichlet_grad(const Tensor& x, const Tensor& alpha, const Tensor& total) {
  TORCH_CHECK(x.scalar_type() == alpha.scalar_type() && x.scalar_type() == total.scalar_type(),
              "Found dtype ", alpha.scalar_type(), " but expected ", x.scalar_type());
  const auto all = at::broadcast_tensors({x, alpha, total});
  const Tensor sample = as_double(all[0]);
  const Tensor own = as_double(all[1]);
  const Tensor sum = as_double(all[2]);
  const Tensor offset = at::digamma(own).sub_(at::digamma(sum));
  Tensor result = at::empty_like(sample);
  const auto* p = sample.const_data_ptr<double>();
  const auto* a = own.const_data_ptr<double>();
  const auto* s = sum.const_data_ptr<double>();
  const auto* mean_log = offset.const_data_ptr<double>();
  auto* out = result.mutable_data_ptr<double>();
  at::parallel_for(0, result.numel(), kGrainSize, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const double inside = std::clamp(p[i], std::numeric_limits<double>::min(),
                                       1 - std::numeric_limits<double>::epsilon() / 2);
      out[i] = beta_derivative(inside, a[i], s[i] - a[i], mean_log[i]) / (1 - inside);
    }
  });
  return result.to(x.options());
}

}  // namespace at::native
