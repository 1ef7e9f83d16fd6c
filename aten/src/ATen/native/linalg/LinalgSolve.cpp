// Inverses, systems of equations, triangles.

#define TORCH_ASSERT_ONLY_METHOD_OPERATORS
#include <ATen/Dispatch.h>
#include <ATen/ExpandUtils.h>
#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/BatchLinearAlgebra.h>
#include <ATen/native/LinalgSupport.h>
#include <ATen/native/OutVariant.h>
#include <ATen/ops/_linalg_solve_ex.h>
#include <ATen/ops/_linalg_solve_ex_native.h>
#include <ATen/ops/inverse_native.h>
#include <ATen/ops/linalg_inv.h>
#include <ATen/ops/linalg_inv_ex.h>
#include <ATen/ops/linalg_inv_ex_native.h>
#include <ATen/ops/linalg_inv_native.h>
#include <ATen/ops/linalg_lu_factor_ex.h>
#include <ATen/ops/linalg_solve.h>
#include <ATen/ops/linalg_solve_ex.h>
#include <ATen/ops/linalg_solve_ex_native.h>
#include <ATen/ops/linalg_solve_native.h>
#include <ATen/ops/linalg_solve_triangular.h>
#include <ATen/ops/linalg_solve_triangular_native.h>
#include <ATen/ops/triangular_solve.h>
#include <ATen/ops/triangular_solve_native.h>
#include <c10/core/ScalarType.h>
#include <c10/util/Exception.h>

#include <cstdint>
#include <tuple>
#include <vector>

namespace at::native {

std::tuple<Tensor, Tensor> linalg_inv_ex(const Tensor& A, bool check_errors) {
  check_square(A, "linalg.inv");
  check_floating_or_complex(A, "linalg.inv");
  const Tensor inverse = column_major_copy(A);
  const Tensor info = empty_infos(A);
  const int64_t n = A.size(-1);
  if (A.numel() > 0) {
    AT_DISPATCH_FLOATING_AND_COMPLEX_TYPES(A.scalar_type(), "linalg_inv_out_cpu", [&] {
      auto* data = inverse.mutable_data_ptr<scalar_t>();
      auto* infos = info.mutable_data_ptr<int32_t>();
      for_each_matrix(batch_count(A), n * n * n, [&](int64_t b) {
        std::vector<int32_t> pivots(static_cast<size_t>(n));
        scalar_t* matrix = data + b * n * n;
        int64_t code = lapack::getrf(n, n, matrix, leading(n), pivots.data());
        if (code == 0) code = lapack::getri(n, matrix, leading(n), pivots.data());
        infos[b] = static_cast<int32_t>(code);
      });
    });
  }
  if (check_errors) check_linalg_errors(info, "linalg.inv_ex", A.dim() == 2);
  return {inverse, info};
}

std::tuple<Tensor&, Tensor&> linalg_inv_ex_out(const Tensor& A, bool check_errors, Tensor& inverse,
                                               Tensor& info) {
  const auto [result, codes] = at::linalg_inv_ex(A, check_errors);
  return {write_linalg_out(result, inverse), write_linalg_out(codes, info)};
}

Tensor linalg_inv(const Tensor& A) {
  auto [result, info] = at::linalg_inv_ex(A);
  check_linalg_errors(info, "linalg.inv", A.dim() == 2);
  return result;
}

Tensor& linalg_inv_out(const Tensor& A, Tensor& result) {
  return write_linalg_out(at::linalg_inv(A), result);
}

Tensor inverse(const Tensor& A) { return at::linalg_inv(A); }

Tensor& inverse_out(const Tensor& A, Tensor& result) { return at::linalg_inv_out(result, A); }

namespace {

// Whether B is a vector, or a batch of them, for the matrices A.
bool is_vector_rhs(const Tensor& A, const Tensor& B) {
  if (B.dim() == 1) return true;
  return A.dim() - 1 == B.dim() && B.sizes() == A.sizes().slice(0, A.sizes().size() - 1);
}

}  // namespace

std::tuple<Tensor, Tensor, Tensor, Tensor> _linalg_solve_ex(const Tensor& A, const Tensor& B,
                                                            bool left, bool check_errors) {
  check_floating_or_complex(A, "linalg.solve");
  TORCH_CHECK(A.scalar_type() == B.scalar_type(),
              "linalg.solve: Expected A and B to have the same dtype, but found A of type ",
              A.scalar_type(), " and B of type ", B.scalar_type(), " instead");
  check_square(A, "linalg.solve");
  const bool vector = is_vector_rhs(A, B);
  TORCH_CHECK(
      left || !vector,
      "linalg.solve: Vector broadcasting of the left hand side is not supported for left=False. In this case linalg.solve is equivalent to B / A.squeeze(-1)");
  const Tensor B_ = vector ? B.unsqueeze(-1) : B;
  TORCH_CHECK(B_.dim() >= 2, "linalg.solve: The input tensor B must have at least 2 dimensions.");
  const int64_t n = A.size(-1);
  TORCH_CHECK(left ? n == B_.size(-2) : n == B_.size(-1),
              "linalg.solve: Incompatible shapes of A and B for the equation ",
              left ? "AX = B" : "XA = B", " (", A.size(-2), "x", A.size(-1), " and ", B_.size(-2),
              "x", B_.size(-1), ")");
  const std::vector<int64_t> batch = at::infer_size(batch_sizes(A), batch_sizes(B_));
  const auto [LU, pivots, info] = at::linalg_lu_factor_ex(A);
  // X A = B is A^T X^T = B^T.
  const Tensor rhs = left ? B_ : B_.mT();
  const int64_t columns = rhs.size(-1);
  const Tensor X = column_major_copy(rhs.expand(appended(batch, {n, columns})));
  if (X.numel() > 0) {
    const Tensor factors = LU.expand(appended(batch, {n, n}));
    std::vector<int64_t> pivot_sizes = batch;
    pivot_sizes.push_back(n);
    const Tensor places = pivots.expand(pivot_sizes).contiguous();
    const Tensor packed = batch_sizes(A) == IntArrayRef(batch) ? LU : column_major_copy(factors);
    AT_DISPATCH_FLOATING_AND_COMPLEX_TYPES(A.scalar_type(), "linalg_solve_cpu", [&] {
      const auto* lu = packed.const_data_ptr<scalar_t>();
      const auto* p = places.const_data_ptr<int32_t>();
      auto* x = X.mutable_data_ptr<scalar_t>();
      const auto solve = [&](int64_t b, int64_t first, int64_t count) {
        lapack::getrs(left ? 'N' : 'T', n, count, lu + b * n * n, leading(n), p + b * n,
                      x + (b * columns + first) * n, leading(n));
      };
      for_each_share(batch_count(X), columns, n * n, solve);
    });
  }
  if (check_errors) check_linalg_errors(info, "torch.linalg.solve_ex", A.dim() == 2);
  Tensor result = left ? X : X.mT();
  if (vector) result = result.squeeze(-1);
  if (vector && result.dim() > 1) result = column_major_copy(result);
  return {result, LU, pivots, info};
}

std::tuple<Tensor, Tensor> linalg_solve_ex(const Tensor& A, const Tensor& B, bool left,
                                           bool check_errors) {
  auto [result, LU, pivots, info] = at::_linalg_solve_ex(A, B, left, check_errors);
  return {result, info};
}

std::tuple<Tensor&, Tensor&> linalg_solve_ex_out(const Tensor& A, const Tensor& B, bool left,
                                                 bool check_errors, Tensor& result, Tensor& info) {
  const auto [x, codes] = at::linalg_solve_ex(A, B, left, check_errors);
  write_linalg_out(x, result);
  write_linalg_out(codes, info);
  return {result, info};
}

Tensor linalg_solve(const Tensor& A, const Tensor& B, bool left) {
  auto [result, info] = at::linalg_solve_ex(A, B, left, /*check_errors=*/false);
  check_linalg_errors(info, "torch.linalg.solve", A.dim() == 2);
  return result;
}

Tensor& linalg_solve_out(const Tensor& A, const Tensor& B, bool left, Tensor& result) {
  return write_linalg_out(at::linalg_solve(A, B, left), result);
}

// ---- triangles

namespace {

// Solves A x = b for a triangle of A, stored by columns or by rows, in place of b, by columns.
template <typename T>
void substitute(bool upper, bool by_rows, int64_t n, int64_t columns, const T* a, T* b) {
  const int64_t row = by_rows ? n : 1;
  const int64_t column_step = by_rows ? 1 : n;
  for (int64_t column = 0; column < columns; ++column) {
    T* x = b + column * n;
    for (int64_t step = 0; step < n; ++step) {
      const int64_t i = upper ? n - 1 - step : step;
      x[i] = x[i] / a[i * n + i];
      for (int64_t j = upper ? 0 : i + 1; j < (upper ? i : n); ++j) {
        x[j] = x[j] - a[i * column_step + j * row] * x[i];
      }
    }
  }
}

}  // namespace

Tensor linalg_solve_triangular(const Tensor& A, const Tensor& B, bool upper, bool left,
                               bool unitriangular) {
  check_square(A, "linalg.solve_triangular");
  check_floating_or_complex(A, "linalg.solve_triangular");
  TORCH_CHECK(
      A.scalar_type() == B.scalar_type(),
      "linalg.solve_triangular: Expected A and B to have the same dtype, but found A of type ",
      A.scalar_type(), " and B of type ", B.scalar_type(), " instead");
  check_is_matrix(B, "linalg.solve_triangular", "B");
  TORCH_CHECK(left ? A.size(-1) == B.size(-2) : A.size(-1) == B.size(-1),
              "linalg.solve_triangular: Incompatible shapes of A and B for the equation ",
              left ? "AX = B" : "XA = B", " (", A.size(-2), "x", A.size(-1), " and ", B.size(-2),
              "x", B.size(-1), ")");
  if (!left) {
    return at::linalg_solve_triangular(A.mT(), B.mT(), !upper, /*left=*/true, unitriangular).mT();
  }
  const int64_t n = A.size(-1);
  const int64_t columns = B.size(-1);
  const std::vector<int64_t> batch = at::infer_size(batch_sizes(A), batch_sizes(B));
  const Tensor X = column_major_copy(B.expand(appended(batch, {n, columns})));
  if (X.numel() == 0) return X;
  const std::vector<int64_t> sizes = appended(batch, {n, n});
  const bool whole = A.sizes() == IntArrayRef(sizes) && !A.is_conj() && !A.is_neg();
  const bool by_columns = whole && A.mT().is_contiguous();
  // By rows is the transpose by columns: a lower triangle where this one is upper.
  const bool by_rows = whole && !by_columns && A.is_contiguous();
  const Tensor triangle = by_columns || by_rows ? A : column_major_copy(A.expand(sizes));
  const char uplo = upper != by_rows ? 'U' : 'L';
  AT_DISPATCH_FLOATING_AND_COMPLEX_TYPES(A.scalar_type(), "triangular_solve_cpu", [&] {
    const auto* a = triangle.const_data_ptr<scalar_t>();
    auto* x = X.mutable_data_ptr<scalar_t>();
    const auto solve = [&](int64_t b, int64_t first, int64_t count) {
      const scalar_t* matrix = a + b * n * n;
      scalar_t* solution = x + (b * columns + first) * n;
      const int64_t singular = lapack::trtrs(uplo, by_rows ? 'T' : 'N', unitriangular ? 'U' : 'N',
                                             n, count, matrix, leading(n), solution, leading(n));
      // LAPACK leaves the right hand side as it is: what division by 0 gives is the answer here.
      if (singular != 0) substitute(upper, by_rows, n, count, matrix, solution);
    };
    for_each_share(batch_count(X), columns, n * n, solve);
  });
  return X;
}

Tensor& linalg_solve_triangular_out(const Tensor& A, const Tensor& B, bool upper, bool left,
                                    bool unitriangular, Tensor& out) {
  return write_linalg_out(at::linalg_solve_triangular(A, B, upper, left, unitriangular), out);
}

std::tuple<Tensor, Tensor> triangular_solve(const Tensor& self, const Tensor& A, bool upper,
                                            bool transpose, bool unitriangular) {
  TORCH_CHECK(self.dim() >= 2,
              "torch.triangular_solve: Expected b to have at least 2 dimensions, but it has ",
              self.dim(), " dimensions instead");
  TORCH_CHECK(A.dim() >= 2,
              "torch.triangular_solve: Expected A to have at least 2 dimensions, but it has ",
              A.dim(), " dimensions instead");
  const Tensor factor = transpose ? A.mT() : A;
  const Tensor solution = at::linalg_solve_triangular(factor, self, transpose ? !upper : upper,
                                                      /*left=*/true, unitriangular);
  return {solution,
          column_major_copy(A.expand(appended(batch_sizes(solution), {A.size(-2), A.size(-1)})))};
}

std::tuple<Tensor&, Tensor&> triangular_solve_out(const Tensor& self, const Tensor& A, bool upper,
                                                  bool transpose, bool unitriangular, Tensor& X,
                                                  Tensor& M) {
  const auto [x, m] = at::triangular_solve(self, A, upper, transpose, unitriangular);
  write_linalg_out(x, X);
  write_linalg_out(m, M);
  return {X, M};
}

}  // namespace at::native
