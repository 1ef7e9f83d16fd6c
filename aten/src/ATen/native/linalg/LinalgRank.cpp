// Ranks, pseudo-inverses and least squares, by singular values.

#define TORCH_ASSERT_ONLY_METHOD_OPERATORS
#include <ATen/Dispatch.h>
#include <ATen/ExpandUtils.h>
#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/BatchLinearAlgebra.h>
#include <ATen/native/LinalgSupport.h>
#include <ATen/native/OutVariant.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/eye.h>
#include <ATen/ops/full.h>
#include <ATen/ops/isfinite.h>
#include <ATen/ops/linalg_eigh.h>
#include <ATen/ops/linalg_eigvalsh.h>
#include <ATen/ops/linalg_lstsq.h>
#include <ATen/ops/linalg_lstsq_native.h>
#include <ATen/ops/linalg_matrix_rank.h>
#include <ATen/ops/linalg_matrix_rank_native.h>
#include <ATen/ops/linalg_pinv.h>
#include <ATen/ops/linalg_pinv_native.h>
#include <ATen/ops/linalg_qr.h>
#include <ATen/ops/linalg_solve_triangular.h>
#include <ATen/ops/linalg_svd.h>
#include <ATen/ops/linalg_svdvals.h>
#include <ATen/ops/linalg_vector_norm.h>
#include <ATen/ops/maximum.h>
#include <ATen/ops/pinverse_native.h>
#include <ATen/ops/scalar_tensor.h>
#include <ATen/ops/where.h>
#include <ATen/ops/zeros.h>
#include <c10/core/Scalar.h>
#include <c10/core/ScalarType.h>
#include <c10/util/Exception.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace at::native {

namespace {

double epsilon_of(ScalarType type) {
  const ScalarType real = c10::toRealValueType(type);
  return real == kDouble ? std::numeric_limits<double>::epsilon()
                         : static_cast<double>(std::numeric_limits<float>::epsilon());
}

}  // namespace

// ---- ranks and pseudo-inverses: singular values below a tolerance count as 0

namespace {

// max(atol, rtol * largest), with rtol = max(m, n) eps when neither is given.
Tensor tolerance(const char* name, const Tensor& A, const Tensor& largest,
                 const std::optional<Tensor>& atol, const std::optional<Tensor>& rtol) {
  const TensorOptions options = largest.options();
  const bool with_atol = atol.has_value() && atol->defined();
  const bool with_rtol = rtol.has_value() && rtol->defined();
  TORCH_CHECK(!with_atol || !atol->is_complex(), name,
              ": atol tensor of complex type is not supported. Got ",
              with_atol ? atol->scalar_type() : kFloat);
  TORCH_CHECK(!with_rtol || !rtol->is_complex(), name,
              ": rtol tensor of complex type is not supported. Got ",
              with_rtol ? rtol->scalar_type() : kFloat);
  const Tensor absolute = with_atol ? *atol : at::zeros({}, options);
  const double usual =
      epsilon_of(A.scalar_type()) * static_cast<double>(std::max(A.size(-1), A.size(-2)));
  Tensor relative;
  if (with_rtol) {
    relative = *rtol;
  } else if (with_atol) {
    // The usual one, where no absolute tolerance is asked for.
    relative = at::where(absolute.gt(0), at::zeros({}, options), at::scalar_tensor(usual, options));
  } else {
    relative = at::scalar_tensor(usual, options);
  }
  return at::maximum(absolute.to(largest.scalar_type()),
                     relative.to(largest.scalar_type()) * largest);
}

std::optional<Tensor> as_tensor(std::optional<double> value, const Tensor& A) {
  if (!value.has_value()) return std::nullopt;
  return at::scalar_tensor(*value, A.options().dtype(c10::toRealValueType(A.scalar_type())));
}

}  // namespace

Tensor linalg_matrix_rank(const Tensor& A, const std::optional<Tensor>& atol,
                          const std::optional<Tensor>& rtol, bool hermitian) {
  check_is_matrix(A, "linalg.matrix_rank");
  if (A.numel() == 0) return at::zeros(batch_sizes(A), A.options().dtype(kLong));
  const Tensor values = hermitian ? at::linalg_eigvalsh(A).abs() : at::linalg_svdvals(A);
  const Tensor limit = tolerance("torch.linalg.matrix_rank", A, values.amax({-1}), atol, rtol);
  return values.gt(limit.unsqueeze(-1)).sum({-1});
}

Tensor& linalg_matrix_rank_out(const Tensor& A, const std::optional<Tensor>& atol,
                               const std::optional<Tensor>& rtol, bool hermitian, Tensor& result) {
  return write_to_out(at::linalg_matrix_rank(A, atol, rtol, hermitian), result);
}

Tensor linalg_matrix_rank(const Tensor& A, std::optional<double> atol, std::optional<double> rtol,
                          bool hermitian) {
  return at::linalg_matrix_rank(A, as_tensor(atol, A), as_tensor(rtol, A), hermitian);
}

Tensor& linalg_matrix_rank_out(const Tensor& A, std::optional<double> atol,
                               std::optional<double> rtol, bool hermitian, Tensor& result) {
  return write_to_out(at::linalg_matrix_rank(A, atol, rtol, hermitian), result);
}

Tensor linalg_matrix_rank(const Tensor& A, double tol, bool hermitian) {
  return at::linalg_matrix_rank(A, std::optional<double>(tol), std::optional<double>(0.0),
                                hermitian);
}

Tensor& linalg_matrix_rank_out(const Tensor& A, double tol, bool hermitian, Tensor& result) {
  return write_to_out(at::linalg_matrix_rank(A, tol, hermitian), result);
}

Tensor linalg_matrix_rank(const Tensor& A, const Tensor& tol, bool hermitian) {
  return at::linalg_matrix_rank(A, std::optional<Tensor>(tol),
                                std::optional<Tensor>(at::zeros({}, tol.options())), hermitian);
}

Tensor& linalg_matrix_rank_out(const Tensor& A, const Tensor& tol, bool hermitian, Tensor& result) {
  return write_to_out(at::linalg_matrix_rank(A, tol, hermitian), result);
}

Tensor linalg_pinv(const Tensor& A, const std::optional<Tensor>& atol,
                   const std::optional<Tensor>& rtol, bool hermitian) {
  check_is_matrix(A, "linalg.pinv");
  check_floating_or_complex(A, "linalg.pinv");
  if (A.numel() == 0) {
    std::vector<int64_t> sizes = A.sizes().vec();
    std::swap(sizes[sizes.size() - 1], sizes[sizes.size() - 2]);
    return at::empty(sizes, A.options());
  }
  if (hermitian) {
    const auto [values, V] = at::linalg_eigh(A);
    const Tensor magnitude = values.abs();
    const Tensor limit =
        tolerance("torch.linalg.pinv", A, magnitude.amax({-1}), atol, rtol).unsqueeze(-1);
    const Tensor inverse = at::where(magnitude.gt(limit), values.reciprocal(), Scalar(0));
    return (V * inverse.unsqueeze(-2).to(V.scalar_type())).matmul(V.mH());
  }
  const auto [U, S, Vh] = at::linalg_svd(A, /*full_matrices=*/false);
  const Tensor limit = tolerance("torch.linalg.pinv", A, S.amax({-1}), atol, rtol).unsqueeze(-1);
  const Tensor inverse = at::where(S.gt(limit), S.reciprocal(), Scalar(0));
  return (Vh.mH() * inverse.unsqueeze(-2).to(U.scalar_type())).matmul(U.mH());
}

Tensor& linalg_pinv_out(const Tensor& A, const std::optional<Tensor>& atol,
                        const std::optional<Tensor>& rtol, bool hermitian, Tensor& result) {
  return write_to_out(at::linalg_pinv(A, atol, rtol, hermitian), result);
}

Tensor linalg_pinv(const Tensor& A, std::optional<double> atol, std::optional<double> rtol,
                   bool hermitian) {
  return at::linalg_pinv(A, as_tensor(atol, A), as_tensor(rtol, A), hermitian);
}

Tensor& linalg_pinv_out(const Tensor& A, std::optional<double> atol, std::optional<double> rtol,
                        bool hermitian, Tensor& result) {
  return write_to_out(at::linalg_pinv(A, atol, rtol, hermitian), result);
}

Tensor linalg_pinv(const Tensor& A, double rcond, bool hermitian) {
  return at::linalg_pinv(A, std::optional<double>(0.0), std::optional<double>(rcond), hermitian);
}

Tensor& linalg_pinv_out(const Tensor& A, double rcond, bool hermitian, Tensor& result) {
  return write_to_out(at::linalg_pinv(A, rcond, hermitian), result);
}

Tensor linalg_pinv(const Tensor& A, const Tensor& rcond, bool hermitian) {
  return at::linalg_pinv(A, std::optional<Tensor>(at::zeros({}, rcond.options())),
                         std::optional<Tensor>(rcond), hermitian);
}

Tensor& linalg_pinv_out(const Tensor& A, const Tensor& rcond, bool hermitian, Tensor& result) {
  return write_to_out(at::linalg_pinv(A, rcond, hermitian), result);
}

Tensor pinverse(const Tensor& self, double rcond) { return at::linalg_pinv(self, rcond); }

// ---- least squares

namespace {

// The factors of a tall matrix, or of the adjoint of a wide one.
struct TallFactors {
  Tensor Q;
  Tensor R;
  bool adjoint;
};

TallFactors tall_factors(const Tensor& A) {
  const bool adjoint = A.size(-2) < A.size(-1);
  const auto [Q, R] = at::linalg_qr(adjoint ? A.mH() : A);
  return {Q, R, adjoint};
}

// For matrices of full rank: R x = Q^H b. For wide ones the shortest solution, x = Q y with
// R^H y = b.
Tensor solved_by_qr(const TallFactors& f, const Tensor& b) {
  if (!f.adjoint) return at::linalg_solve_triangular(f.R, f.Q.mH().matmul(b), /*upper=*/true);
  return f.Q.matmul(at::linalg_solve_triangular(f.R.mH(), b, /*upper=*/false));
}

// Whether the least singular values are certain to be larger than `relative` times the largest
// ones: the Frobenius norms of R and of its inverse limit them.
bool certainly_of_full_rank(const TallFactors& f, double relative) {
  const Tensor R = f.R.detach();
  const Tensor identity = at::eye(R.size(-1), R.options()).expand_as(R);
  const Tensor inverse = at::linalg_solve_triangular(R, identity, /*upper=*/true);
  const Tensor condition = at::linalg_vector_norm(R, 2, IntArrayRef{-2, -1}) *
                           at::linalg_vector_norm(inverse, 2, IntArrayRef{-2, -1});
  return (condition * relative).lt(1).all().item().toBool();
}

// Whether these limits are near enough to say so of most matrices: else the trial is lost time.
// That of the condition of a matrix of independent normal numbers is k sqrt(l / (l - k)), for k the
// smaller and l the larger size: the mean squares of the norms are k l, and k / (l - k - 1) for the
// inverse.
bool limits_are_near(int64_t m, int64_t n, double relative) {
  const auto k = static_cast<double>(std::min(m, n));
  const auto l = static_cast<double>(std::max(m, n));
  return relative * k * std::sqrt(l / (l - k + 1)) < 0.125;
}

// The solution and the rank by LAPACK's gelsy. Nothing where there is none, and for what is not
// finite, which it does not refuse.
std::optional<std::pair<Tensor, Tensor>> solved_by_gelsy(const Tensor& A, const Tensor& rhs,
                                                         double relative) {
  if (!A.is_cpu() || !at::isfinite(A).all().item().toBool()) return std::nullopt;
  const int64_t m = A.size(-2);
  const int64_t n = A.size(-1);
  const int64_t rows = std::max(m, n);
  const int64_t columns = rhs.size(-1);
  const std::vector<int64_t> batch = at::infer_size(batch_sizes(A), batch_sizes(rhs));
  const Tensor matrices = column_major_copy(A.expand(appended(batch, {m, n})));
  const Tensor solution = empty_column_major(appended(batch, {rows, columns}), rhs.options());
  solution.zero_();
  solution.narrow(-2, 0, m).copy_(rhs);
  const Tensor rank = at::empty(batch, A.options().dtype(kLong));
  auto* ranks = rank.mutable_data_ptr<int64_t>();
  AT_DISPATCH_FLOATING_AND_COMPLEX_TYPES(A.scalar_type(), "linalg_lstsq_cpu", [&] {
    auto* a = matrices.mutable_data_ptr<scalar_t>();
    auto* b = solution.mutable_data_ptr<scalar_t>();
    for_each_matrix(batch_count(matrices), m * n * rows, [&](int64_t i) {
      ranks[i] = lapack::gelsy(m, n, columns, a + i * m * n, leading(m), b + i * rows * columns,
                               leading(rows), static_cast<lapack::Real<scalar_t>>(relative));
    });
  });
  if (rank.lt(0).any().item().toBool()) return std::nullopt;
  return std::pair(solution.narrow(-2, 0, n), rank);
}

}  // namespace

std::tuple<Tensor, Tensor, Tensor, Tensor> linalg_lstsq(const Tensor& A, const Tensor& B,
                                                        std::optional<double> rcond,
                                                        std::optional<std::string_view> driver) {
  TORCH_CHECK(A.dim() >= 2, "torch.linalg.lstsq: input must have at least 2 dimensions.");
  TORCH_CHECK(B.dim() >= 1, "torch.linalg.lstsq: other must have at least 1 dimension.");
  TORCH_CHECK(
      A.scalar_type() == B.scalar_type(),
      "torch.linalg.lstsq: Expected input and other to have the same dtype, but got input's dtype ",
      A.scalar_type(), " and other's dtype ", B.scalar_type());
  TORCH_CHECK(
      A.dim() == B.dim() || A.dim() == B.dim() + 1,
      "torch.linalg.lstsq: input.dim() must be greater or equal to other.dim() and (input.dim() - other.dim()) <= 1");
  check_floating_or_complex(A, "torch.linalg.lstsq");
  const bool vector = B.dim() == 1 || (A.dim() - 1 == B.dim() &&
                                       B.sizes() == A.sizes().slice(0, A.sizes().size() - 1));
  const Tensor rhs = vector ? B.unsqueeze(-1) : B;
  TORCH_CHECK(A.size(-2) == rhs.size(-2),
              vector ? "torch.linalg.lstsq: input.size(-2) should match other.size(-1)"
                     : "torch.linalg.lstsq: input.size(-2) should match other.size(-2)");
  const std::string_view how = driver.value_or("gelsy");
  TORCH_CHECK(
      how == "gels" || how == "gelsy" || how == "gelsd" || how == "gelss",
      "torch.linalg.lstsq: parameter `driver` should be one of (gels, gelsy, gelsd, gelss)");
  const int64_t m = A.size(-2);
  const int64_t n = A.size(-1);
  const double epsilon = epsilon_of(A.scalar_type());
  double relative = rcond.value_or(epsilon * static_cast<double>(std::max(m, n)));
  // As in LAPACK, which takes what says nothing as the precision of the numbers.
  if (how == "gelsd" ? relative <= 0 || relative >= 1 : how == "gelss" && relative < 0) {
    relative = epsilon;
  }
  // LAPACK's gelsy decides about the rank by a QR factorisation as well.
  Tensor exact;
  Tensor rank = at::empty({0}, A.options().dtype(kLong));
  Tensor singular = at::empty({0}, A.options().dtype(c10::toRealValueType(A.scalar_type())));
  if (how == "gels") {
    exact = solved_by_qr(tall_factors(A), rhs);
  } else if (A.numel() == 0) {
    exact = at::linalg_pinv(A, relative).matmul(rhs);
    singular = at::linalg_svdvals(A);
    rank = at::zeros(batch_sizes(A), rank.options());
  } else {
    if (how == "gelsy" && limits_are_near(m, n, relative)) {
      const TallFactors factors = tall_factors(A);
      if (certainly_of_full_rank(factors, relative)) {
        exact = solved_by_qr(factors, rhs);
        rank = at::full(batch_sizes(A), std::min(m, n), rank.options());
      }
    }
    if (how == "gelsy" && !exact.defined()) {
      if (const auto found = solved_by_gelsy(A, rhs, relative)) std::tie(exact, rank) = *found;
    }
    if (!exact.defined()) {
      const auto [U, S, Vh] = at::linalg_svd(A, /*full_matrices=*/false);
      const Tensor kept = S.gt(S.amax({-1}, /*keepdim=*/true) * relative);
      const Tensor inverse = at::where(kept, S.reciprocal(), Scalar(0)).unsqueeze(-1);
      exact = Vh.mH().matmul(inverse.to(U.scalar_type()) * U.mH().matmul(rhs));
      rank = kept.sum({-1});
      singular = S;
    }
  }
  // In the first rows of what has room for the right hand side, as LAPACK leaves it.
  Tensor solution = empty_column_major(
      appended(batch_sizes(exact), {std::max(m, n), exact.size(-1)}), exact.options());
  solution = solution.narrow(-2, 0, n).copy_(exact);
  const auto none = [&] { return at::empty({0}, singular.options()); };
  Tensor residuals = none();
  const bool full_rank = how == "gels" || (rank.numel() > 0 && rank.eq(n).all().item().toBool());
  if (m > n && how != "gelsy" && full_rank) {
    const Tensor error = (A.matmul(solution) - rhs).abs();
    residuals = (error * error).sum({-2});
  }
  if (vector) solution = solution.squeeze(-1);
  return {solution, residuals, rank, how == "gelsd" || how == "gelss" ? singular : none()};
}

std::tuple<Tensor&, Tensor&, Tensor&, Tensor&> linalg_lstsq_out(
    const Tensor& A, const Tensor& B, std::optional<double> rcond,
    std::optional<std::string_view> driver, Tensor& solution, Tensor& residuals, Tensor& rank,
    Tensor& singular_values) {
  const auto [x, error, r, s] = at::linalg_lstsq(A, B, rcond, driver);
  write_linalg_out(x, solution, /*cast=*/true);
  write_linalg_out(error, residuals, /*cast=*/true);
  write_linalg_out(r, rank, /*cast=*/true);
  write_linalg_out(s, singular_values, /*cast=*/true);
  return {solution, residuals, rank, singular_values};
}

}  // namespace at::native
