// Eigenvalues and singular values, with their vectors.

#define TORCH_ASSERT_ONLY_METHOD_OPERATORS
#include <ATen/Dispatch.h>
#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/BatchLinearAlgebra.h>
#include <ATen/native/LinalgSupport.h>
#include <ATen/native/OutVariant.h>
#include <ATen/ops/_linalg_eigh.h>
#include <ATen/ops/_linalg_eigh_native.h>
#include <ATen/ops/_linalg_eigvals.h>
#include <ATen/ops/_linalg_eigvals_native.h>
#include <ATen/ops/_linalg_svd.h>
#include <ATen/ops/_linalg_svd_native.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/eye.h>
#include <ATen/ops/isfinite.h>
#include <ATen/ops/linalg_eig.h>
#include <ATen/ops/linalg_eig_native.h>
#include <ATen/ops/linalg_eigh.h>
#include <ATen/ops/linalg_eigh_native.h>
#include <ATen/ops/linalg_eigvals.h>
#include <ATen/ops/linalg_eigvals_native.h>
#include <ATen/ops/linalg_eigvalsh.h>
#include <ATen/ops/linalg_eigvalsh_native.h>
#include <ATen/ops/linalg_svd.h>
#include <ATen/ops/linalg_svd_native.h>
#include <ATen/ops/linalg_svdvals.h>
#include <ATen/ops/linalg_svdvals_native.h>
#include <ATen/ops/svd.h>
#include <ATen/ops/svd_native.h>
#include <ATen/ops/zeros.h>
#include <c10/core/GradMode.h>
#include <c10/core/ScalarType.h>
#include <c10/util/Exception.h>

#include <algorithm>
#include <cctype>
#include <optional>
#include <string_view>
#include <tuple>
#include <vector>

namespace at::native {

namespace {

// Whether the gradient of A's eigenvalues will be asked for: it is made of the vectors.
bool needs_vectors(const Tensor& A) { return c10::GradMode::is_enabled() && A.requires_grad(); }

}  // namespace

// ---- Hermitian matrices

std::tuple<Tensor, Tensor> _linalg_eigh(const Tensor& A, std::string_view uplo, bool compute_v) {
  check_square(A, "linalg.eigh");
  check_floating_or_complex(A, "linalg.eigh");
  const char side = uplo.size() == 1 ? static_cast<char>(std::toupper(uplo[0])) : '?';
  TORCH_CHECK(side == 'U' || side == 'L', "Expected UPLO argument to be 'L' or 'U', but got ",
              uplo);
  const int64_t n = A.size(-1);
  const Tensor vectors = column_major_copy(A);
  const Tensor values = at::empty(appended(batch_sizes(A), {n}),
                                  A.options().dtype(c10::toRealValueType(A.scalar_type())));
  const Tensor info = at::zeros(batch_sizes(A), A.options().dtype(kInt));
  if (A.numel() > 0) {
    AT_DISPATCH_FLOATING_AND_COMPLEX_TYPES(A.scalar_type(), "linalg_eigh_cpu", [&] {
      using real_t = lapack::Real<scalar_t>;
      auto* v = vectors.mutable_data_ptr<scalar_t>();
      auto* w = values.mutable_data_ptr<real_t>();
      auto* infos = info.mutable_data_ptr<int32_t>();
      for_each_matrix(batch_count(A), n * n * n, [&](int64_t b) {
        infos[b] = static_cast<int32_t>(
            lapack::syevd(compute_v ? 'V' : 'N', side, n, v + b * n * n, leading(n), w + b * n));
      });
    });
  }
  check_linalg_errors(info, "linalg.eigh", A.dim() == 2);
  return {values, compute_v ? vectors : at::empty({0}, A.options())};
}

std::tuple<Tensor, Tensor> linalg_eigh(const Tensor& A, std::string_view uplo) {
  return at::_linalg_eigh(A, uplo, /*compute_v=*/true);
}

std::tuple<Tensor&, Tensor&> linalg_eigh_out(const Tensor& A, std::string_view uplo, Tensor& L,
                                             Tensor& V) {
  const auto [values, vectors] = at::linalg_eigh(A, uplo);
  write_linalg_out(values, L);
  write_linalg_out(vectors, V);
  return {L, V};
}

Tensor linalg_eigvalsh(const Tensor& A, std::string_view uplo) {
  return std::get<0>(at::_linalg_eigh(A, uplo, /*compute_v=*/needs_vectors(A)));
}

Tensor& linalg_eigvalsh_out(const Tensor& A, std::string_view uplo, Tensor& L) {
  return write_linalg_out(at::linalg_eigvalsh(A, uplo), L);
}

// ---- general matrices

namespace {

// Eigenvalues, and vectors where they are asked for.
std::tuple<Tensor, Tensor> eig(const Tensor& A, bool compute_v) {
  check_square(A, "linalg.eig");
  check_floating_or_complex(A, "linalg.eig");
  TORCH_CHECK(at::isfinite(A).all().item().toBool(),
              "torch.linalg.eig: input tensor should not contain infs or NaNs.");
  const int64_t n = A.size(-1);
  const ScalarType complex = c10::toComplexType(A.scalar_type());
  const Tensor work = column_major_copy(A);
  const Tensor values = at::empty(appended(batch_sizes(A), {n}), A.options().dtype(complex));
  const Tensor vectors =
      compute_v ? empty_column_major(A.sizes(), A.options().dtype(complex)) : Tensor();
  const Tensor info = empty_infos(A);
  if (A.numel() > 0) {
    AT_DISPATCH_FLOATING_AND_COMPLEX_TYPES(A.scalar_type(), "linalg_eig_cpu", [&] {
      using complex_t = c10::complex<lapack::Real<scalar_t>>;
      auto* a = work.mutable_data_ptr<scalar_t>();
      auto* w = values.mutable_data_ptr<complex_t>();
      auto* v = compute_v ? vectors.mutable_data_ptr<complex_t>() : nullptr;
      auto* infos = info.mutable_data_ptr<int32_t>();
      for_each_matrix(batch_count(A), n * n * n, [&](int64_t b) {
        infos[b] = static_cast<int32_t>(
            lapack::geev(compute_v ? 'V' : 'N', n, a + b * n * n, leading(n), w + b * n,
                         compute_v ? v + b * n * n : nullptr, leading(n)));
      });
    });
  }
  check_linalg_errors(info, "linalg.eig", A.dim() == 2);
  return {values, vectors};
}

}  // namespace

std::tuple<Tensor, Tensor> linalg_eig(const Tensor& A) { return eig(A, /*compute_v=*/true); }

Tensor _linalg_eigvals(const Tensor& A) { return std::get<0>(eig(A, /*compute_v=*/false)); }

std::tuple<Tensor&, Tensor&> linalg_eig_out(const Tensor& A, Tensor& values, Tensor& vectors) {
  const auto [w, v] = at::linalg_eig(A);
  write_linalg_out(w, values, /*cast=*/true);
  write_linalg_out(v, vectors, /*cast=*/true);
  return {values, vectors};
}

Tensor linalg_eigvals(const Tensor& A) {
  return needs_vectors(A) ? std::get<0>(at::linalg_eig(A)) : at::_linalg_eigvals(A);
}

Tensor& linalg_eigvals_out(const Tensor& A, Tensor& values) {
  return write_to_out(at::linalg_eigvals(A), values);
}

// ---- singular values

std::tuple<Tensor, Tensor, Tensor> _linalg_svd(const Tensor& A, bool full_matrices, bool compute_uv,
                                               std::optional<std::string_view> driver) {
  TORCH_CHECK(A.dim() >= 2, "linalg.svd: The input tensor A must have at least 2 dimensions.");
  check_floating_or_complex(A, "linalg.svd");
  TORCH_CHECK(
      !driver.has_value(),
      "torch.linalg.svd: keyword argument `driver=` is only supported on CUDA inputs with cuSOLVER backend.");
  const int64_t m = A.size(-2);
  const int64_t n = A.size(-1);
  const int64_t k = std::min(m, n);
  const int64_t u_columns = full_matrices ? m : k;
  const int64_t v_rows = full_matrices ? n : k;
  const TensorOptions real = A.options().dtype(c10::toRealValueType(A.scalar_type()));
  const Tensor work = column_major_copy(A);
  const Tensor S = at::empty(appended(batch_sizes(A), {k}), real);
  Tensor U = at::empty({0}, A.options());
  Tensor Vh = at::empty({0}, A.options());
  if (compute_uv) {
    U = empty_column_major(appended(batch_sizes(A), {m, u_columns}), A.options());
    Vh = empty_column_major(appended(batch_sizes(A), {v_rows, n}), A.options());
    if (A.numel() == 0) {
      if (U.numel() > 0) U.copy_(at::eye(m, u_columns, A.options()).expand_as(U));
      if (Vh.numel() > 0) Vh.copy_(at::eye(v_rows, n, A.options()).expand_as(Vh));
    }
  }
  if (A.numel() == 0) return {U, S, Vh};
  TORCH_CHECK_LINALG(
      at::isfinite(A).all().item().toBool(),
      "linalg.svd: The algorithm failed to converge because the input matrix contained non-finite values.");
  const Tensor info = at::zeros(batch_sizes(A), A.options().dtype(kInt));
  AT_DISPATCH_FLOATING_AND_COMPLEX_TYPES(A.scalar_type(), "linalg_svd_cpu", [&] {
    using real_t = lapack::Real<scalar_t>;
    auto* a = work.mutable_data_ptr<scalar_t>();
    auto* s = S.mutable_data_ptr<real_t>();
    auto* u = compute_uv ? U.mutable_data_ptr<scalar_t>() : nullptr;
    auto* vt = compute_uv ? Vh.mutable_data_ptr<scalar_t>() : nullptr;
    auto* infos = info.mutable_data_ptr<int32_t>();
    const char job = !compute_uv ? 'N' : full_matrices ? 'A' : 'S';
    for_each_matrix(batch_count(A), m * n * k, [&](int64_t b) {
      infos[b] = static_cast<int32_t>(
          lapack::gesdd(job, m, n, a + b * m * n, leading(m), s + b * k,
                        compute_uv ? u + b * m * u_columns : nullptr, leading(m),
                        compute_uv ? vt + b * v_rows * n : nullptr, leading(v_rows)));
    });
  });
  check_linalg_errors(info, "linalg.svd", A.dim() == 2);
  return {U, S, Vh};
}

std::tuple<Tensor, Tensor, Tensor> linalg_svd(const Tensor& A, bool full_matrices,
                                              std::optional<std::string_view> driver) {
  return at::_linalg_svd(A, full_matrices, /*compute_uv=*/true, driver);
}

std::tuple<Tensor&, Tensor&, Tensor&> linalg_svd_out(const Tensor& A, bool full_matrices,
                                                     std::optional<std::string_view> driver,
                                                     Tensor& U, Tensor& S, Tensor& Vh) {
  const auto [u, s, vh] = at::linalg_svd(A, full_matrices, driver);
  write_linalg_out(u, U);
  write_linalg_out(s, S);
  write_linalg_out(vh, Vh);
  return {U, S, Vh};
}

Tensor linalg_svdvals(const Tensor& A, std::optional<std::string_view> driver) {
  return std::get<1>(at::_linalg_svd(A, /*full_matrices=*/false,
                                     /*compute_uv=*/A.requires_grad(), driver));
}

Tensor& linalg_svdvals_out(const Tensor& A, std::optional<std::string_view> driver, Tensor& S) {
  return write_linalg_out(at::linalg_svdvals(A, driver), S);
}

std::tuple<Tensor, Tensor, Tensor> svd(const Tensor& self, bool some, bool compute_uv) {
  TORCH_CHECK(self.dim() >= 2, "linalg.svd: input should have at least 2 dimensions, but has ",
              self.dim(), " dimensions instead");
  if (compute_uv) {
    const auto [U, S, Vh] = at::linalg_svd(self, /*full_matrices=*/!some);
    return {U, S, Vh.mH()};
  }
  const Tensor S = at::linalg_svdvals(self);
  const int64_t m = self.size(-2);
  const int64_t n = self.size(-1);
  return {at::zeros(appended(batch_sizes(self), {m, m}), self.options()), S,
          at::zeros(appended(batch_sizes(self), {n, n}), self.options())};
}

std::tuple<Tensor&, Tensor&, Tensor&> svd_out(const Tensor& self, bool some, bool compute_uv,
                                              Tensor& U, Tensor& S, Tensor& V) {
  const auto [u, s, v] = at::svd(self, some, compute_uv);
  write_linalg_out(u, U);
  write_linalg_out(s, S);
  write_linalg_out(v, V);
  return {U, S, V};
}

}  // namespace at::native
