// Products of Householder reflections H_i = I - tau_i v_i v_i^H in LAPACK's packed form, where v_i
// is column i below the diagonal, with 1 on it.

#define TORCH_ASSERT_ONLY_METHOD_OPERATORS
#include <ATen/Dispatch.h>
#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/BatchLinearAlgebra.h>
#include <ATen/native/LinalgSupport.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/eye.h>
#include <ATen/ops/geqrf.h>
#include <ATen/ops/geqrf_native.h>
#include <ATen/ops/linalg_householder_product.h>
#include <ATen/ops/linalg_householder_product_native.h>
#include <ATen/ops/linalg_solve_triangular.h>
#include <ATen/ops/orgqr_native.h>
#include <ATen/ops/ormqr.h>
#include <ATen/ops/ormqr_native.h>
#include <c10/core/GradMode.h>
#include <c10/core/ScalarType.h>
#include <c10/util/Exception.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <tuple>

namespace at::native {

namespace {

// `kernel` names the operator in the message, as PyTorch's kernels do.
void check_lapack_type(const Tensor& a, const char* kernel) {
  const ScalarType type = a.scalar_type();
  TORCH_CHECK_NOT_IMPLEMENTED(
      type == kFloat || type == kDouble || type == kComplexFloat || type == kComplexDouble, '"',
      kernel, "\" not implemented for '", toString(type), "'");
}

// The batches of `tau`, and of `other` where there is one, are those of `input`.
void check_batch(const Tensor& input, const Tensor& a, int64_t count, const char* name,
                 const char* argument) {
  const IntArrayRef expected = batch_sizes(input);
  TORCH_CHECK(batch_sizes(a, count) == expected, name, ": Expected batch dimensions of ", argument,
              " to be equal to input.shape[:-2], but got ", batch_sizes(a, count));
}

void check_tau(const Tensor& input, const Tensor& tau, const char* name) {
  TORCH_CHECK(tau.dim() == input.dim() - 1, name,
              ": Expected tau to have one dimension less than input, but got tau.ndim equal to ",
              tau.dim(), " and input.ndim is equal to ", input.dim());
  check_batch(input, tau, 1, name, "tau");
}

// The first k vectors, with the ones that LAPACK does not store.
Tensor vectors_of(const Tensor& input, int64_t k) {
  return input.narrow(-1, 0, k).tril(-1) + at::eye(input.size(-2), k, input.options());
}

// T b or T^H b, where H_1 ... H_k = I - V T V^H: 1 / T = 1 / diag(tau) + the upper triangle of V^H
// V without its diagonal (Joffrain and others, "Accumulating Householder transformations,
// revisited", ACM Transactions on Mathematical Software 32, 2006). tau may hold zeros, so both
// sides are multiplied with it.
Tensor times_inner(const Tensor& V, const Tensor& tau, const Tensor& b, bool adjoint) {
  const Tensor factors = tau.unsqueeze(-1);
  const Tensor upper = factors * V.mH().matmul(V).triu(1);
  if (!adjoint) {
    return at::linalg_solve_triangular(upper, factors * b, /*upper=*/true, /*left=*/true,
                                       /*unitriangular=*/true);
  }
  return factors.conj() * at::linalg_solve_triangular(upper.mH(), b, /*upper=*/false, /*left=*/true,
                                                      /*unitriangular=*/true);
}

Tensor multiplied_from_left(const Tensor& V, const Tensor& tau, const Tensor& c, bool adjoint) {
  return c - V.matmul(times_inner(V, tau, V.mH().matmul(c), adjoint));
}

// The same by LAPACK's routine, for matrices of the CPU.
Tensor multiplied_by_lapack(const Tensor& packed, const Tensor& tau, const Tensor& c, int64_t k,
                            bool adjoint) {
  const Tensor result = column_major_copy(c);
  const Tensor vectors = column_major_copy(packed);
  const Tensor factors = tau.resolve_conj().resolve_neg().contiguous();
  if (result.numel() == 0) return result;
  const int64_t m = c.size(-2);
  const int64_t n = c.size(-1);
  const int64_t step = m * packed.size(-1);
  AT_DISPATCH_FLOATING_AND_COMPLEX_TYPES(c.scalar_type(), "ormqr_cpu", [&] {
    auto* data = result.mutable_data_ptr<scalar_t>();
    const auto* a = vectors.const_data_ptr<scalar_t>();
    const auto* factor = factors.const_data_ptr<scalar_t>();
    for_each_matrix(batch_count(c), m * n * std::max<int64_t>(k, 1), [&](int64_t b) {
      lapack::ormqr(adjoint ? 'C' : 'N', m, n, k, a + b * step, leading(m), factor + b * k,
                    data + b * m * n, leading(m));
    });
  });
  return result;
}

// Whether something may ask for a derivative.
bool watched(const Tensor& a) { return c10::GradMode::is_enabled() && a.requires_grad(); }

// By columns, as LAPACK leaves it, and no view.
Tensor by_columns(const Tensor& a) { return a.mT().contiguous().mT().clone(); }

// Copies `result`, a part of what the operator `name` computes, to `out`.
void write_factor(const Tensor& result, Tensor& out, const char* name, const char* argument) {
  TORCH_CHECK(c10::canCast(result.scalar_type(), out.scalar_type()), name, ": Expected ", argument,
              " to be safely castable from ", toString(result.scalar_type()), " dtype, but got ",
              argument, " with dtype ", toString(out.scalar_type()));
  write_linalg_out(result, out, /*cast=*/true);
}

}  // namespace

std::tuple<Tensor, Tensor> geqrf(const Tensor& self) {
  TORCH_CHECK(self.dim() >= 2, "torch.geqrf: input must have at least 2 dimensions.");
  check_lapack_type(self, "geqrf_cpu");
  const int64_t m = self.size(-2);
  const int64_t n = self.size(-1);
  const int64_t k = std::min(m, n);
  const Tensor packed = column_major_copy(self);
  const Tensor tau = at::empty(appended(batch_sizes(self), {k}), self.options());
  if (self.numel() > 0) {
    AT_DISPATCH_FLOATING_AND_COMPLEX_TYPES(self.scalar_type(), "geqrf_cpu", [&] {
      auto* data = packed.mutable_data_ptr<scalar_t>();
      auto* factors = tau.mutable_data_ptr<scalar_t>();
      for_each_matrix(batch_count(self), m * n * k, [&](int64_t b) {
        lapack::geqrf(m, n, data + b * m * n, leading(m), factors + b * k);
      });
    });
  }
  return {packed, tau};
}

std::tuple<Tensor&, Tensor&> geqrf_out(const Tensor& self, Tensor& a, Tensor& tau) {
  const auto [packed, factors] = at::geqrf(self);
  write_factor(packed, a, "torch.geqrf", "a");
  write_factor(factors, tau, "torch.geqrf", "tau");
  return {a, tau};
}

Tensor linalg_householder_product(const Tensor& input, const Tensor& tau) {
  constexpr const char* kName = "torch.linalg.householder_product";
  TORCH_CHECK(input.dim() >= 2, kName, ": input must have at least 2 dimensions.");
  TORCH_CHECK(input.size(-2) >= input.size(-1), kName,
              ": input.shape[-2] must be greater than or equal to input.shape[-1]");
  TORCH_CHECK(tau.dim() == 0 || input.size(-1) >= tau.size(-1), kName,
              ": input.shape[-1] must be greater than or equal to tau.shape[-1]");
  check_tau(input, tau, kName);
  TORCH_CHECK(tau.scalar_type() == input.scalar_type(), kName, ": tau dtype ",
              toString(tau.scalar_type()), " does not match input dtype ",
              toString(input.scalar_type()));
  check_lapack_type(input, "orgqr_cpu");
  const int64_t m = input.size(-2);
  const int64_t n = input.size(-1);
  const int64_t k = tau.size(-1);
  // LAPACK's routine has no derivative.
  if (input.is_cpu() && tau.is_cpu() && !watched(input) && !watched(tau)) {
    const Tensor result = column_major_copy(input);
    const Tensor factors = tau.resolve_conj().resolve_neg().contiguous();
    if (result.numel() == 0) return result;
    AT_DISPATCH_FLOATING_AND_COMPLEX_TYPES(input.scalar_type(), "orgqr_cpu", [&] {
      auto* data = result.mutable_data_ptr<scalar_t>();
      const auto* factor = factors.const_data_ptr<scalar_t>();
      for_each_matrix(batch_count(input), m * n * std::max<int64_t>(k, 1), [&](int64_t b) {
        lapack::orgqr(m, n, k, data + b * m * n, leading(m), factor + b * k);
      });
    });
    return result;
  }
  const Tensor V = vectors_of(input, k);
  const Tensor unit = at::eye(input.size(-2), n, input.options());
  // The first n columns of V^H are those of the product with the first columns of the unit matrix.
  const Tensor inner = times_inner(V, tau, V.narrow(-2, 0, n).mH(), /*adjoint=*/false);
  return by_columns(unit - V.matmul(inner));
}

Tensor& linalg_householder_product_out(const Tensor& input, const Tensor& tau, Tensor& out) {
  write_factor(at::linalg_householder_product(input, tau), out, "torch.linalg.householder_product",
               "result");
  return out;
}

Tensor orgqr(const Tensor& self, const Tensor& input2) {
  return at::linalg_householder_product(self, input2);
}

Tensor& orgqr_out(const Tensor& self, const Tensor& input2, Tensor& out) {
  return at::linalg_householder_product_out(out, self, input2);
}

Tensor ormqr(const Tensor& self, const Tensor& input2, const Tensor& input3, bool left,
             bool transpose) {
  constexpr const char* kName = "torch.ormqr";
  const Tensor& tau = input2;
  const Tensor& other = input3;
  TORCH_CHECK(self.dim() >= 2, kName, ": input must have at least 2 dimensions.");
  TORCH_CHECK(other.dim() >= 2, kName, ": other must have at least 2 dimensions.");
  const int64_t side = left ? -2 : -1;
  TORCH_CHECK(other.size(side) == self.size(-2), kName, ": other.shape[", side,
              "] must be equal to input.shape[-2]");
  const int64_t k = std::min(other.size(side), self.size(-1));
  TORCH_CHECK(tau.dim() > 0 && tau.size(-1) == k, kName,
              ": tau.shape[-1] must be equal to min(other.shape[", side, "], input.shape[-1])");
  check_tau(self, tau, kName);
  TORCH_CHECK(
      other.dim() == self.dim(), kName,
      ": Expected other to have the same number of dimensions as input, but got other.ndim equal to ",
      other.dim(), " and input.ndim is equal to ", self.dim());
  check_batch(self, other, 2, kName, "other");
  const auto check_type = [&](const Tensor& a, const char* argument) {
    TORCH_CHECK(a.scalar_type() == self.scalar_type(), kName, ": Expected input and ", argument,
                " to have the same dtype, but input has dtype", toString(self.scalar_type()),
                " and ", argument, " has dtype ", toString(a.scalar_type()));
  };
  check_type(tau, "tau");
  check_type(other, "other");
  check_lapack_type(self, "ormqr_cpu");
  // LAPACK's routine has no derivative.
  if (self.is_cpu() && !watched(self) && !watched(tau) && !watched(other)) {
    if (left) return multiplied_by_lapack(self, tau, other, k, transpose);
    return by_columns(multiplied_by_lapack(self, tau, other.mH(), k, !transpose).mH());
  }
  const Tensor V = vectors_of(self, k);
  // C Q is the adjoint of Q^H C^H.
  const Tensor result = left ? multiplied_from_left(V, tau, other, transpose)
                             : multiplied_from_left(V, tau, other.mH(), !transpose).mH();
  return by_columns(result);
}

Tensor& ormqr_out(const Tensor& self, const Tensor& input2, const Tensor& input3, bool left,
                  bool transpose, Tensor& out) {
  const Tensor result = at::ormqr(self, input2, input3, left, transpose);
  TORCH_CHECK(result.scalar_type() == out.scalar_type(),
              "torch.ormqr: Expected input and result to have the same dtype, but input has dtype",
              toString(self.scalar_type()), " and result has dtype ", toString(out.scalar_type()));
  return write_linalg_out(result, out);
}

}  // namespace at::native
