// Covariance and correlation of variables, one a row.

#define TORCH_ASSERT_ONLY_METHOD_OPERATORS
#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/complex.h>
#include <ATen/ops/corrcoef_native.h>
#include <ATen/ops/cov.h>
#include <ATen/ops/cov_native.h>
#include <ATen/ops/imag.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/real.h>
#include <ATen/ops/scalar_tensor.h>
#include <ATen/ops/sqrt.h>
#include <ATen/ops/zeros_like.h>
#include <c10/core/ScalarType.h>
#include <c10/util/Exception.h>

#include <optional>

namespace at::native {

Tensor cov(const Tensor& self, int64_t correction, const std::optional<Tensor>& fweights,
           const std::optional<Tensor>& aweights) {
  constexpr int64_t kObservations = 1;
  TORCH_CHECK(self.dim() <= 2,
              "cov(): expected input to have two or fewer dimensions but got an input with ",
              self.dim(), " dimensions");
  TORCH_CHECK(self.scalar_type() != kBool, "cov(): bool dtype is not supported for input");
  const Tensor in = self.dim() < 2 ? self.view({1, -1}) : self;
  const int64_t n = in.size(kObservations);
  const auto defined = [](const std::optional<Tensor>& t) { return t.has_value() && t->defined(); };
  Tensor w;
  if (defined(fweights)) {
    w = *fweights;
    TORCH_CHECK(w.dim() <= 1,
                "cov(): expected fweights to have one or fewer dimensions but got fweights with ",
                w.dim(), " dimensions");
    TORCH_CHECK(c10::isIntegralType(w.scalar_type(), /*includeBool=*/false),
                "cov(): expected fweights to have integral dtype but got fweights with ",
                w.scalar_type(), " dtype");
    TORCH_CHECK(
        w.numel() == n,
        "cov(): expected fweights to have the same numel as there are observations in the input but got ",
        w.numel(), " != ", n);
    TORCH_CHECK(n == 0 || w.min().item().toLong() >= 0, "cov(): fweights cannot be negative");
  }
  if (defined(aweights)) {
    const Tensor& aw = *aweights;
    TORCH_CHECK(aw.dim() <= 1,
                "cov(): expected aweights to have one or fewer dimensions but got aweights with ",
                aw.dim(), " dimensions");
    TORCH_CHECK(c10::isFloatingType(aw.scalar_type()),
                "cov(): expected aweights to have floating point dtype but got aweights with ",
                aw.scalar_type(), " dtype");
    TORCH_CHECK(
        aw.numel() == n,
        "cov(): expected aweights to have the same numel as there are observations in the input but got ",
        aw.numel(), " != ", n);
    TORCH_CHECK(n == 0 || aw.min().item().toDouble() >= 0, "cov(): aweights cannot be negative");
    w = w.defined() ? w * aw : aw;
  }
  const Tensor w_sum = w.defined() ? w.sum() : at::scalar_tensor(n, in.options().dtype(kLong));
  TORCH_CHECK(!w.defined() || w_sum.item().toDouble() != 0,
              "cov(): weights sum to zero, can't be normalized");
  const Tensor mean = (w.defined() ? in * w : in).sum({kObservations}) / w_sum;
  Tensor norm_factor;
  if (w.defined() && defined(aweights) && correction != 0) {
    norm_factor = w_sum - (w * *aweights).sum() * correction / w_sum;
  } else {
    norm_factor = w_sum - correction;
  }
  if (norm_factor.item().toDouble() <= 0) {
    TORCH_WARN(
        "cov(): degrees of freedom is <= 0. Correction should be strictly less than the number of observations.");
    norm_factor = at::zeros_like(norm_factor);
  }
  const Tensor centred = in - mean.unsqueeze(1);
  const Tensor weighted = (w.defined() ? centred * w : centred).t().conj();
  return (at::mm(centred, weighted.to(centred.scalar_type())) / norm_factor).squeeze();
}

Tensor corrcoef(const Tensor& self) {
  TORCH_CHECK(self.dim() <= 2,
              "corrcoef(): expected input to have two or fewer dimensions but got an input with ",
              self.dim(), " dimensions");
  Tensor c = at::cov(self);
  if (c.dim() == 0) return c / c;
  Tensor d = c.diag();
  const Tensor deviations = at::sqrt(d.is_complex() ? at::real(d) : d);
  c = c / deviations.view({-1, 1});
  c = c / deviations.view({1, -1});
  if (c.is_complex()) {
    return at::complex(at::real(c).clip(-1, 1), at::imag(c).clip(-1, 1));
  }
  return c.clip(-1, 1);
}

}  // namespace at::native
