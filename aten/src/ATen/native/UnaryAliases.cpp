// Other names of functions of one argument.

#define TORCH_ASSERT_ONLY_METHOD_OPERATORS
#include <ATen/core/Tensor.h>
#include <ATen/native/OutVariant.h>
#include <ATen/ops/abs.h>
#include <ATen/ops/absolute_native.h>
#include <ATen/ops/acos.h>
#include <ATen/ops/acosh.h>
#include <ATen/ops/arccos_native.h>
#include <ATen/ops/arccosh_native.h>
#include <ATen/ops/arcsin_native.h>
#include <ATen/ops/arcsinh_native.h>
#include <ATen/ops/arctan_native.h>
#include <ATen/ops/arctanh_native.h>
#include <ATen/ops/asin.h>
#include <ATen/ops/asinh.h>
#include <ATen/ops/atan.h>
#include <ATen/ops/atanh.h>
#include <ATen/ops/digamma.h>
#include <ATen/ops/erf.h>
#include <ATen/ops/erfc.h>
#include <ATen/ops/erfinv.h>
#include <ATen/ops/exp2.h>
#include <ATen/ops/expm1.h>
#include <ATen/ops/fix_native.h>
#include <ATen/ops/i0.h>
#include <ATen/ops/lgamma.h>
#include <ATen/ops/log1p.h>
#include <ATen/ops/log_softmax.h>
#include <ATen/ops/logit.h>
#include <ATen/ops/logsumexp.h>
#include <ATen/ops/mvlgamma.h>
#include <ATen/ops/neg.h>
#include <ATen/ops/negative_native.h>
#include <ATen/ops/polygamma.h>
#include <ATen/ops/round.h>
#include <ATen/ops/sigmoid.h>
#include <ATen/ops/sinc.h>
#include <ATen/ops/softmax.h>
#include <ATen/ops/special_digamma_native.h>
#include <ATen/ops/special_erf_native.h>
#include <ATen/ops/special_erfc_native.h>
#include <ATen/ops/special_erfinv_native.h>
#include <ATen/ops/special_exp2_native.h>
#include <ATen/ops/special_expit_native.h>
#include <ATen/ops/special_expm1_native.h>
#include <ATen/ops/special_gammaln_native.h>
#include <ATen/ops/special_i0_native.h>
#include <ATen/ops/special_log1p_native.h>
#include <ATen/ops/special_log_softmax_native.h>
#include <ATen/ops/special_logit_native.h>
#include <ATen/ops/special_logsumexp_native.h>
#include <ATen/ops/special_multigammaln_native.h>
#include <ATen/ops/special_polygamma_native.h>
#include <ATen/ops/special_psi_native.h>
#include <ATen/ops/special_round_native.h>
#include <ATen/ops/special_sinc_native.h>
#include <ATen/ops/special_softmax_native.h>
#include <ATen/ops/trunc.h>
#include <c10/core/ScalarType.h>

#include <optional>

namespace at::native {

#define ALIAS(name, function) \
  Tensor name(const Tensor& self) { return at::function(self); }
#define ALIAS_OUT(name, function) \
  ALIAS(name, function)           \
  Tensor& name##_out(const Tensor& self, Tensor& out) { return at::function##_out(out, self); }
#define ALIAS_INPLACE(name, function) \
  ALIAS_OUT(name, function)           \
  Tensor& name##_(Tensor& self) { return self.function##_(); }

ALIAS_INPLACE(absolute, abs)
ALIAS_INPLACE(arccos, acos)
ALIAS_INPLACE(arccosh, acosh)
ALIAS_INPLACE(arcsin, asin)
ALIAS_INPLACE(arcsinh, asinh)
ALIAS_INPLACE(arctan, atan)
ALIAS_INPLACE(arctanh, atanh)
ALIAS_INPLACE(fix, trunc)
ALIAS_INPLACE(negative, neg)
ALIAS_OUT(special_digamma, digamma)
ALIAS_OUT(special_erf, erf)
ALIAS_OUT(special_erfc, erfc)
ALIAS_OUT(special_erfinv, erfinv)
ALIAS_OUT(special_exp2, exp2)
ALIAS_OUT(special_expit, sigmoid)
ALIAS_OUT(special_expm1, expm1)
ALIAS_OUT(special_gammaln, lgamma)
ALIAS_OUT(special_i0, i0)
ALIAS_OUT(special_log1p, log1p)
ALIAS_OUT(special_psi, digamma)
ALIAS_OUT(special_sinc, sinc)

Tensor special_logit(const Tensor& self, std::optional<double> eps) { return at::logit(self, eps); }

Tensor& special_logit_out(const Tensor& self, std::optional<double> eps, Tensor& out) {
  return at::logit_out(out, self, eps);
}

Tensor special_round(const Tensor& self, int64_t decimals) { return at::round(self, decimals); }

Tensor& special_round_out(const Tensor& self, int64_t decimals, Tensor& out) {
  return at::round_out(out, self, decimals);
}

Tensor special_polygamma(int64_t n, const Tensor& self) { return at::polygamma(n, self); }

Tensor& special_polygamma_out(int64_t n, const Tensor& self, Tensor& out) {
  return at::polygamma_out(out, n, self);
}

Tensor special_multigammaln(const Tensor& self, int64_t p) { return at::mvlgamma(self, p); }

Tensor& special_multigammaln_out(const Tensor& self, int64_t p, Tensor& out) {
  return at::mvlgamma_out(out, self, p);
}

Tensor special_logsumexp(const Tensor& self, IntArrayRef dim, bool keepdim) {
  return at::logsumexp(self, dim, keepdim);
}

Tensor& special_logsumexp_out(const Tensor& self, IntArrayRef dim, bool keepdim, Tensor& out) {
  return write_to_out(at::logsumexp(self, dim, keepdim), out);
}

Tensor special_softmax(const Tensor& self, int64_t dim, std::optional<ScalarType> dtype) {
  return at::softmax(self, dim, dtype);
}

Tensor special_log_softmax(const Tensor& self, int64_t dim, std::optional<ScalarType> dtype) {
  return at::log_softmax(self, dim, dtype);
}

}  // namespace at::native
