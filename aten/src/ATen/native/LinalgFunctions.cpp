// Linear algebra made of decompositions: norms of matrices, ranks, pseudo-inverses, powers.

#define TORCH_ASSERT_ONLY_METHOD_OPERATORS
#include <ATen/TensorOperators.h>
#include <ATen/WrapDimUtils.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/LinalgSupport.h>
#include <ATen/native/OutVariant.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/chain_matmul.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/eye.h>
#include <ATen/ops/frobenius_norm.h>
#include <ATen/ops/frobenius_norm_native.h>
#include <ATen/ops/linalg_cond.h>
#include <ATen/ops/linalg_cond_native.h>
#include <ATen/ops/linalg_eigh.h>
#include <ATen/ops/linalg_eigvalsh.h>
#include <ATen/ops/linalg_inv.h>
#include <ATen/ops/linalg_inv_ex.h>
#include <ATen/ops/linalg_lstsq.h>
#include <ATen/ops/linalg_lstsq_native.h>
#include <ATen/ops/linalg_matrix_exp.h>
#include <ATen/ops/linalg_matrix_exp_native.h>
#include <ATen/ops/linalg_matrix_norm.h>
#include <ATen/ops/linalg_matrix_norm_native.h>
#include <ATen/ops/linalg_matrix_power.h>
#include <ATen/ops/linalg_matrix_power_native.h>
#include <ATen/ops/linalg_matrix_rank.h>
#include <ATen/ops/linalg_matrix_rank_native.h>
#include <ATen/ops/linalg_multi_dot.h>
#include <ATen/ops/linalg_multi_dot_native.h>
#include <ATen/ops/linalg_norm.h>
#include <ATen/ops/linalg_norm_native.h>
#include <ATen/ops/linalg_pinv.h>
#include <ATen/ops/linalg_pinv_native.h>
#include <ATen/ops/linalg_solve.h>
#include <ATen/ops/linalg_svd.h>
#include <ATen/ops/linalg_svdvals.h>
#include <ATen/ops/linalg_tensorinv.h>
#include <ATen/ops/linalg_tensorinv_native.h>
#include <ATen/ops/linalg_tensorsolve.h>
#include <ATen/ops/linalg_tensorsolve_native.h>
#include <ATen/ops/linalg_vander_native.h>
#include <ATen/ops/linalg_vector_norm.h>
#include <ATen/ops/matrix_exp_native.h>
#include <ATen/ops/matrix_power_native.h>
#include <ATen/ops/maximum.h>
#include <ATen/ops/nuclear_norm.h>
#include <ATen/ops/nuclear_norm_native.h>
#include <ATen/ops/ones_like.h>
#include <ATen/ops/pinverse_native.h>
#include <ATen/ops/scalar_tensor.h>
#include <ATen/ops/where.h>
#include <ATen/ops/zeros.h>
#include <c10/core/DefaultDtype.h>
#include <c10/core/Scalar.h>
#include <c10/core/ScalarType.h>
#include <c10/util/Exception.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace at::native {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

double epsilon_of(ScalarType type) {
  const ScalarType real = c10::toRealValueType(type);
  return real == kDouble ? std::numeric_limits<double>::epsilon()
                         : static_cast<double>(std::numeric_limits<float>::epsilon());
}

Tensor converted(const Tensor& self, std::optional<ScalarType> dtype) {
  return dtype.has_value() ? self.to(*dtype) : self;
}

// The two dimensions of the matrices, brought to the end.
struct MatrixDims {
  int64_t first;
  int64_t second;
};

MatrixDims matrix_dims(const char* name, const Tensor& A, IntArrayRef dim) {
  TORCH_CHECK(dim.size() == 2, name, ": dim must be a 2-tuple. Got ", dim);
  const int64_t first = at::maybe_wrap_dim(dim[0], A.dim());
  const int64_t second = at::maybe_wrap_dim(dim[1], A.dim());
  TORCH_CHECK(first != second, name, ": dims must be different. Got (", dim[0], ", ", dim[1], ")");
  return {first, second};
}

Tensor restored(Tensor result, const MatrixDims& dims, bool keepdim) {
  if (!keepdim) return result;
  result = result.unsqueeze(std::min(dims.first, dims.second));
  return result.unsqueeze(std::max(dims.first, dims.second));
}

}  // namespace

// ---- norms of matrices

Tensor linalg_matrix_norm(const Tensor& A, const Scalar& scalar_ord, IntArrayRef dim, bool keepdim,
                          std::optional<ScalarType> dtype) {
  check_is_matrix(A, "linalg.matrix_norm");
  check_floating_or_complex(A, "linalg.matrix_norm", /*allow_low_precision=*/true);
  const MatrixDims dims = matrix_dims("linalg.matrix_norm", A, dim);
  const double ord = scalar_ord.toDouble();
  const double magnitude = std::abs(ord);
  TORCH_CHECK(magnitude == 2 || magnitude == 1 || magnitude == kInfinity,
              "linalg.matrix_norm: Order ", ord, " not supported.");
  const Tensor input = converted(A, dtype);
  if (magnitude == 2) {
    const Tensor lines = input.movedim({dims.first, dims.second}, {-2, -1});
    const Tensor values = at::linalg_svdvals(lines);
    return restored(ord > 0 ? values.amax({-1}) : values.amin({-1}), dims, keepdim);
  }
  // The sums of columns, or rows, and the extreme one of them.
  const int64_t summed = magnitude == kInfinity ? dims.second : dims.first;
  const int64_t chosen = magnitude == kInfinity ? dims.first : dims.second;
  const Tensor sums = at::linalg_vector_norm(input, 1, IntArrayRef{summed}, /*keepdim=*/true);
  const Tensor extreme =
      ord > 0 ? sums.amax({chosen}, /*keepdim=*/true) : sums.amin({chosen}, /*keepdim=*/true);
  return keepdim ? extreme : extreme.squeeze({dims.first, dims.second});
}

Tensor& linalg_matrix_norm_out(const Tensor& A, const Scalar& ord, IntArrayRef dim, bool keepdim,
                               std::optional<ScalarType> dtype, Tensor& result) {
  return write_to_out(at::linalg_matrix_norm(A, ord, dim, keepdim, dtype), result);
}

Tensor linalg_matrix_norm(const Tensor& A, std::string_view ord, IntArrayRef dim, bool keepdim,
                          std::optional<ScalarType> dtype) {
  check_is_matrix(A, "linalg.matrix_norm");
  check_floating_or_complex(A, "linalg.matrix_norm", /*allow_low_precision=*/true);
  const MatrixDims dims = matrix_dims("linalg.matrix_norm", A, dim);
  TORCH_CHECK(ord == "fro" || ord == "nuc", "linalg.matrix_norm: Order ", ord, " not supported.");
  if (ord == "fro") return at::linalg_vector_norm(A, 2, dim, keepdim, dtype);
  const Tensor lines = converted(A, dtype).movedim({dims.first, dims.second}, {-2, -1});
  return restored(at::linalg_svdvals(lines).sum({-1}), dims, keepdim);
}

Tensor& linalg_matrix_norm_out(const Tensor& A, std::string_view ord, IntArrayRef dim, bool keepdim,
                               std::optional<ScalarType> dtype, Tensor& result) {
  return write_to_out(at::linalg_matrix_norm(A, ord, dim, keepdim, dtype), result);
}

Tensor linalg_norm(const Tensor& X, const std::optional<Scalar>& ord, OptionalIntArrayRef dim,
                   bool keepdim, std::optional<ScalarType> dtype) {
  TORCH_CHECK(!dim.has_value() || dim->size() == 1 || dim->size() == 2,
              "linalg.norm: If dim is specified, it must be of length 1 or 2. Got ",
              dim.value_or(IntArrayRef()));
  TORCH_CHECK(dim.has_value() || !ord.has_value() || X.dim() == 1 || X.dim() == 2,
              "linalg.norm: If dim is not specified but ord is, the input must be 1D or 2D. Got ",
              X.dim(), "D.");
  if (ord.has_value() &&
      ((dim.has_value() && dim->size() == 2) || (!dim.has_value() && X.dim() == 2))) {
    return at::linalg_matrix_norm(X, *ord, dim.has_value() ? *dim : IntArrayRef({0, 1}), keepdim,
                                  dtype);
  }
  return at::linalg_vector_norm(X, ord.value_or(2), dim, keepdim, dtype);
}

Tensor& linalg_norm_out(const Tensor& X, const std::optional<Scalar>& ord, OptionalIntArrayRef dim,
                        bool keepdim, std::optional<ScalarType> dtype, Tensor& result) {
  return write_to_out(at::linalg_norm(X, ord, dim, keepdim, dtype), result);
}

Tensor linalg_norm(const Tensor& X, std::string_view ord, OptionalIntArrayRef dim, bool keepdim,
                   std::optional<ScalarType> dtype) {
  TORCH_CHECK(!dim.has_value() || dim->size() == 1 || dim->size() == 2,
              "linalg.norm: If dim is specified, it must be of length 1 or 2. Got ",
              dim.value_or(IntArrayRef()));
  TORCH_CHECK(dim.has_value() || X.dim() == 1 || X.dim() == 2,
              "linalg.norm: If dim is not specified but ord is, the input must be 1D or 2D. Got ",
              X.dim(), "D.");
  return at::linalg_matrix_norm(X, ord, dim.has_value() ? *dim : IntArrayRef({0, 1}), keepdim,
                                dtype);
}

Tensor& linalg_norm_out(const Tensor& X, std::string_view ord, OptionalIntArrayRef dim,
                        bool keepdim, std::optional<ScalarType> dtype, Tensor& result) {
  return write_to_out(at::linalg_norm(X, ord, dim, keepdim, dtype), result);
}

Tensor nuclear_norm(const Tensor& self, bool keepdim) {
  return at::linalg_matrix_norm(self, "nuc", IntArrayRef({-2, -1}), keepdim);
}

Tensor& nuclear_norm_out(const Tensor& self, bool keepdim, Tensor& result) {
  return write_to_out(at::nuclear_norm(self, keepdim), result);
}

Tensor nuclear_norm(const Tensor& self, IntArrayRef dim, bool keepdim) {
  return at::linalg_matrix_norm(self, "nuc", dim, keepdim);
}

Tensor& nuclear_norm_out(const Tensor& self, IntArrayRef dim, bool keepdim, Tensor& result) {
  return write_to_out(at::nuclear_norm(self, dim, keepdim), result);
}

Tensor frobenius_norm(const Tensor& self, IntArrayRef dim, bool keepdim) {
  return at::linalg_vector_norm(self, 2, dim, keepdim);
}

Tensor& frobenius_norm_out(const Tensor& self, IntArrayRef dim, bool keepdim, Tensor& result) {
  return write_to_out(at::frobenius_norm(self, dim, keepdim), result);
}

// ---- condition numbers

Tensor linalg_cond(const Tensor& self, const std::optional<Scalar>& ord) {
  check_is_matrix(self, "linalg.cond");
  const double p = ord.has_value() ? ord->toDouble() : 2;
  if (std::abs(p) == 2) {
    const Tensor values = at::linalg_svdvals(self);
    const Tensor largest = values.select(-1, 0);
    const Tensor smallest = values.select(-1, values.size(-1) - 1);
    return p == 2 ? largest / smallest : smallest / largest;
  }
  check_square(self, "linalg.cond");
  if (self.numel() == 0)
    return at::zeros(batch_sizes(self),
                     self.options().dtype(c10::toRealValueType(self.scalar_type())));
  const auto [inverse, info] = at::linalg_inv_ex(self);
  const Tensor result = at::linalg_matrix_norm(self, *ord) * at::linalg_matrix_norm(inverse, *ord);
  return result.masked_fill(info.gt(0), kInfinity);
}

Tensor& linalg_cond_out(const Tensor& self, const std::optional<Scalar>& ord, Tensor& result) {
  return write_to_out(at::linalg_cond(self, ord), result);
}

Tensor linalg_cond(const Tensor& self, std::string_view ord) {
  check_square(self, "linalg.cond");
  TORCH_CHECK(ord == "fro" || ord == "nuc", "linalg.cond got an invalid norm type: ", ord);
  if (self.numel() == 0)
    return at::zeros(batch_sizes(self),
                     self.options().dtype(c10::toRealValueType(self.scalar_type())));
  if (ord == "nuc") {
    return at::linalg_matrix_norm(self, ord) * at::linalg_matrix_norm(at::linalg_inv(self), ord);
  }
  const auto [inverse, info] = at::linalg_inv_ex(self);
  const Tensor result = at::linalg_matrix_norm(self, ord) * at::linalg_matrix_norm(inverse, ord);
  return result.masked_fill(info.gt(0), kInfinity);
}

Tensor& linalg_cond_out(const Tensor& self, std::string_view ord, Tensor& result) {
  return write_to_out(at::linalg_cond(self, ord), result);
}

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
        tolerance("torch.linalg.pinv", A, magnitude.amax({-1}, /*keepdim=*/true), atol, rtol);
    const Tensor inverse = at::where(magnitude.gt(limit), values.reciprocal(), Scalar(0));
    return (V * inverse.unsqueeze(-2).to(V.scalar_type())).matmul(V.mH());
  }
  const auto [U, S, Vh] = at::linalg_svd(A, /*full_matrices=*/false);
  const Tensor limit =
      tolerance("torch.linalg.pinv", A, S.amax({-1}, /*keepdim=*/true), atol, rtol);
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

std::tuple<Tensor, Tensor, Tensor, Tensor> linalg_lstsq(const Tensor& A, const Tensor& B,
                                                        std::optional<double> rcond,
                                                        std::optional<std::string_view> driver) {
  TORCH_CHECK(A.dim() >= 2, "torch.linalg.lstsq: input must have at least 2 dimensions.");
  TORCH_CHECK(B.dim() >= 1, "torch.linalg.lstsq: other must have at least 1 dimension.");
  TORCH_CHECK(A.scalar_type() == B.scalar_type(),
              "torch.linalg.lstsq: Expected input and other to have the same dtype, but got "
              "input's dtype ",
              A.scalar_type(), " and other's dtype ", B.scalar_type());
  check_floating_or_complex(A, "torch.linalg.lstsq");
  const bool vector = B.dim() == 1 || (A.dim() - 1 == B.dim() &&
                                       B.sizes() == A.sizes().slice(0, A.sizes().size() - 1));
  const Tensor rhs = vector ? B.unsqueeze(-1) : B;
  TORCH_CHECK(A.size(-2) == rhs.size(-2),
              vector ? "torch.linalg.lstsq: input.size(-2) should match other.size(-1)"
                     : "torch.linalg.lstsq: input.size(-2) should match other.size(-2)");
  const std::string_view how = driver.value_or("gelsy");
  TORCH_CHECK(how == "gels" || how == "gelsy" || how == "gelsd" || how == "gelss",
              "torch.linalg.lstsq: parameter `driver` should be one of "
              "(gels, gelsy, gelsd, gelss)");
  const int64_t m = A.size(-2);
  const int64_t n = A.size(-1);
  const double relative =
      rcond.value_or(epsilon_of(A.scalar_type()) * static_cast<double>(std::max(m, n)));
  Tensor solution = at::linalg_pinv(A, relative).matmul(rhs);
  const Tensor singular = at::linalg_svdvals(A.detach());
  const Tensor none = at::empty({0}, singular.options());
  const Tensor rank =
      how == "gels"
          ? at::empty({0}, A.options().dtype(kLong))
          : (singular.numel() > 0 ? singular.gt(singular.amax({-1}, true) * relative).sum({-1})
                                  : at::zeros(batch_sizes(A), A.options().dtype(kLong)));
  Tensor residuals = none;
  const bool full_rank = how == "gels" || (rank.numel() > 0 && rank.eq(n).all().item().toBool());
  if (m > n && how != "gelsy" && full_rank) {
    const Tensor error = (A.matmul(solution) - rhs).abs();
    residuals = (error * error).sum({-2});
  }
  if (vector) solution = solution.squeeze(-1);
  return {solution, residuals, rank, how == "gelsd" || how == "gelss" ? singular : none};
}

std::tuple<Tensor&, Tensor&, Tensor&, Tensor&> linalg_lstsq_out(
    const Tensor& A, const Tensor& B, std::optional<double> rcond,
    std::optional<std::string_view> driver, Tensor& solution, Tensor& residuals, Tensor& rank,
    Tensor& singular_values) {
  const auto [x, error, r, s] = at::linalg_lstsq(A, B, rcond, driver);
  write_to_out(x, solution);
  write_to_out(error, residuals);
  write_to_out(r, rank);
  write_to_out(s, singular_values);
  return {solution, residuals, rank, singular_values};
}

// ---- powers and the exponential

Tensor linalg_matrix_power(const Tensor& self, int64_t n) {
  check_square(self, "linalg.matrix_power");
  if (n == 0) return at::eye(self.size(-1), self.options()).expand_as(self).clone();
  if (n == 1) return self.clone();
  Tensor base = n < 0 ? at::linalg_inv(self) : self;
  // By squaring.
  Tensor result;
  for (uint64_t rest = n < 0 ? 0 - static_cast<uint64_t>(n) : static_cast<uint64_t>(n); rest > 0;
       rest >>= 1) {
    if ((rest & 1) != 0) result = result.defined() ? result.matmul(base) : base;
    if (rest > 1) base = base.matmul(base);
  }
  return result;
}

Tensor& linalg_matrix_power_out(const Tensor& self, int64_t n, Tensor& result) {
  return write_to_out(at::linalg_matrix_power(self, n), result);
}

Tensor matrix_power(const Tensor& self, int64_t n) { return at::linalg_matrix_power(self, n); }

Tensor& matrix_power_out(const Tensor& self, int64_t n, Tensor& result) {
  return at::linalg_matrix_power_out(result, self, n);
}

// The Taylor series of a matrix scaled to a norm below 1/2, squared back.
Tensor linalg_matrix_exp(const Tensor& a) {
  check_square(a, "linalg.matrix_exp");
  check_floating_or_complex(a, "linalg.matrix_exp", /*allow_low_precision=*/true);
  if (a.numel() == 0) return a.clone();
  const double norm = a.detach().abs().sum({-2}).max().item().toDouble();
  int squarings = 0;
  if (std::isfinite(norm) && norm > 0.5)
    squarings = static_cast<int>(std::ceil(std::log2(norm / 0.5)));
  const Tensor scaled = a * std::ldexp(1.0, -squarings);
  const Tensor identity = at::eye(a.size(-1), a.options()).expand_as(a);
  constexpr int kTerms = 16;
  Tensor sum = identity;
  for (int k = kTerms; k >= 1; --k) sum = identity + scaled.matmul(sum) * (1.0 / k);
  for (int i = 0; i < squarings; ++i) sum = sum.matmul(sum);
  return sum;
}

Tensor matrix_exp(const Tensor& a) { return at::linalg_matrix_exp(a); }

// ---- products of many, and tensors as matrices

Tensor linalg_multi_dot(TensorList tensors) {
  const size_t n = tensors.size();
  TORCH_CHECK(n >= 2, "multi_dot(): expected at least 2 tensors but got ", n);
  std::vector<Tensor> matrices = tensors.vec();
  const bool first_vector = matrices[0].dim() == 1;
  const bool last_vector = matrices[n - 1].dim() == 1;
  TORCH_CHECK(first_vector || matrices[0].dim() == 2,
              "multi_dot(): the first tensor must be 1D or 2D but got ", matrices[0].dim(), "D");
  TORCH_CHECK(last_vector || matrices[n - 1].dim() == 2,
              "multi_dot(): the last tensor must be 1D or 2D but got ", matrices[n - 1].dim(), "D");
  if (first_vector) matrices[0] = matrices[0].unsqueeze(0);
  if (last_vector) matrices[n - 1] = matrices[n - 1].unsqueeze(-1);
  for (size_t i = 0; i < n; ++i) {
    TORCH_CHECK(matrices[i].dim() == 2, "multi_dot(): tensor ", i, " must be 2D but got ",
                matrices[i].dim(), "D");
    TORCH_CHECK(matrices[i].scalar_type() == matrices[0].scalar_type(),
                "multi_dot(): all tensors must have be the same dtype but tensor 0 is ",
                matrices[0].scalar_type(), " and tensor ", i, " ", matrices[i].scalar_type());
    TORCH_CHECK(i == 0 || matrices[i - 1].size(1) == matrices[i].size(0), "multi_dot(): tensors ",
                i - 1, " and ", i, " with shapes ", matrices[i - 1].sizes(), " and ",
                matrices[i].sizes(), " cannot be multiplied");
  }
  Tensor result = at::chain_matmul(matrices);
  if (last_vector) result = result.squeeze(-1);
  if (first_vector) result = result.squeeze(0);
  return result;
}

Tensor& linalg_multi_dot_out(TensorList tensors, Tensor& result) {
  return write_to_out(at::linalg_multi_dot(tensors), result);
}

namespace {

int64_t product(IntArrayRef sizes) {
  int64_t result = 1;
  for (const int64_t size : sizes) result *= size;
  return result;
}

}  // namespace

Tensor linalg_tensorinv(const Tensor& self, int64_t ind) {
  TORCH_CHECK(ind > 0, "Expected a strictly positive integer for 'ind'");
  const auto place = static_cast<size_t>(std::min<int64_t>(ind, self.dim()));
  const IntArrayRef front = self.sizes().slice(0, place);
  const IntArrayRef back = self.sizes().slice(place);
  TORCH_CHECK(product(front) == product(back),
              "Expected self to satisfy the requirement prod(self.shape[ind:]) == "
              "prod(self.shape[:ind]), but got ",
              product(back), " != ", product(front));
  std::vector<int64_t> shape = back.vec();
  shape.insert(shape.end(), front.begin(), front.end());
  return at::linalg_inv(self.reshape({product(back), product(front)})).reshape(shape);
}

Tensor& linalg_tensorinv_out(const Tensor& self, int64_t ind, Tensor& result) {
  return write_to_out(at::linalg_tensorinv(self, ind), result);
}

Tensor linalg_tensorsolve(const Tensor& self, const Tensor& other, OptionalIntArrayRef dims) {
  const int64_t ndim = self.dim();
  Tensor moved = self;
  if (dims.has_value()) {
    std::vector<int64_t> destinations;
    for (size_t i = 0; i < dims->size(); ++i) {
      destinations.push_back(ndim - static_cast<int64_t>(dims->size()) + static_cast<int64_t>(i));
    }
    moved = self.movedim(*dims, destinations);
  }
  const int64_t front = std::min(other.dim(), ndim);
  const std::vector<int64_t> shape = moved.sizes().slice(static_cast<size_t>(front)).vec();
  const int64_t n = product(shape);
  TORCH_CHECK(n == product(other.sizes()),
              "Expected self to satisfy the requirement prod(self.shape[other.ndim:]) == "
              "prod(self.shape[:other.ndim]), but got ",
              n, " != ", product(other.sizes()));
  return at::linalg_solve(moved.reshape({n, n}), other.flatten()).reshape(shape);
}

Tensor& linalg_tensorsolve_out(const Tensor& self, const Tensor& other, OptionalIntArrayRef dims,
                               Tensor& result) {
  return write_to_out(at::linalg_tensorsolve(self, other, dims), result);
}

Tensor linalg_vander(const Tensor& x, std::optional<int64_t> N) {
  TORCH_CHECK(x.scalar_type() == kFloat || x.scalar_type() == kDouble || x.is_complex() ||
                  c10::isIntegralType(x.scalar_type(), /*includeBool=*/false),
              "linalg.vander supports floating point, complex, and integer tensors, but got ",
              x.scalar_type());
  const Tensor column = x.dim() == 0 ? x.unsqueeze(-1) : x;
  TORCH_CHECK(!N.has_value() || *N > 1, "N must be greater than 1.");
  const int64_t n = N.value_or(column.size(-1));
  std::vector<int64_t> shape = column.sizes().vec();
  shape.push_back(n - 1);
  const Tensor powers = column.unsqueeze(-1).expand(shape).cumprod(-1);
  return at::cat({at::ones_like(column.unsqueeze(-1)), powers}, -1);
}

}  // namespace at::native
