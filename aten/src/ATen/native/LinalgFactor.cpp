// Cholesky, LU and QR factors, and what is solved with them.

#define TORCH_ASSERT_ONLY_METHOD_OPERATORS
#include <ATen/Dispatch.h>
#include <ATen/ExpandUtils.h>
#include <ATen/Parallel.h>
#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/BatchLinearAlgebra.h>
#include <ATen/native/LinalgSupport.h>
#include <ATen/native/OutVariant.h>
#include <ATen/ops/_linalg_det.h>
#include <ATen/ops/_linalg_det_native.h>
#include <ATen/ops/_linalg_slogdet.h>
#include <ATen/ops/_linalg_slogdet_native.h>
#include <ATen/ops/_linalg_solve_ex.h>
#include <ATen/ops/_linalg_solve_ex_native.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/cholesky.h>
#include <ATen/ops/cholesky_inverse.h>
#include <ATen/ops/cholesky_inverse_native.h>
#include <ATen/ops/cholesky_native.h>
#include <ATen/ops/cholesky_solve.h>
#include <ATen/ops/cholesky_solve_native.h>
#include <ATen/ops/det_native.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/eye.h>
#include <ATen/ops/inverse_native.h>
#include <ATen/ops/linalg_cholesky.h>
#include <ATen/ops/linalg_cholesky_ex.h>
#include <ATen/ops/linalg_cholesky_ex_native.h>
#include <ATen/ops/linalg_cholesky_native.h>
#include <ATen/ops/linalg_det.h>
#include <ATen/ops/linalg_det_native.h>
#include <ATen/ops/linalg_inv.h>
#include <ATen/ops/linalg_inv_ex.h>
#include <ATen/ops/linalg_inv_ex_native.h>
#include <ATen/ops/linalg_inv_native.h>
#include <ATen/ops/linalg_lu.h>
#include <ATen/ops/linalg_lu_factor.h>
#include <ATen/ops/linalg_lu_factor_ex.h>
#include <ATen/ops/linalg_lu_factor_ex_native.h>
#include <ATen/ops/linalg_lu_factor_native.h>
#include <ATen/ops/linalg_lu_native.h>
#include <ATen/ops/linalg_lu_solve.h>
#include <ATen/ops/linalg_lu_solve_native.h>
#include <ATen/ops/linalg_qr.h>
#include <ATen/ops/linalg_qr_native.h>
#include <ATen/ops/linalg_slogdet.h>
#include <ATen/ops/linalg_slogdet_native.h>
#include <ATen/ops/linalg_solve.h>
#include <ATen/ops/linalg_solve_ex.h>
#include <ATen/ops/linalg_solve_ex_native.h>
#include <ATen/ops/linalg_solve_native.h>
#include <ATen/ops/linalg_solve_triangular.h>
#include <ATen/ops/linalg_solve_triangular_native.h>
#include <ATen/ops/logdet_native.h>
#include <ATen/ops/lu_solve.h>
#include <ATen/ops/lu_solve_native.h>
#include <ATen/ops/lu_unpack.h>
#include <ATen/ops/lu_unpack_native.h>
#include <ATen/ops/qr_native.h>
#include <ATen/ops/slogdet_native.h>
#include <ATen/ops/triangular_solve.h>
#include <ATen/ops/triangular_solve_native.h>
#include <ATen/ops/where.h>
#include <ATen/ops/zeros.h>
#include <c10/core/ScalarType.h>
#include <c10/util/Exception.h>

#include <algorithm>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace at::native {
namespace {

// Matrices on different threads, when there is work for them.
template <typename F>
void for_each_matrix(int64_t batches, int64_t work, F&& f) {
  const int64_t grain = std::max<int64_t>(1, 32768 / std::max<int64_t>(work, 1));
  at::parallel_for(0, batches, grain, [&](int64_t begin, int64_t end) {
    for (int64_t b = begin; b < end; ++b) f(b);
  });
}

int64_t leading(int64_t rows) { return std::max<int64_t>(rows, 1); }

Tensor empty_infos(const Tensor& a) { return at::zeros(batch_sizes(a), a.options().dtype(kInt)); }

}  // namespace

// ---- Cholesky

std::tuple<Tensor, Tensor> linalg_cholesky_ex(const Tensor& A, bool upper, bool check_errors) {
  check_square(A, "linalg.cholesky");
  check_floating_or_complex(A, "linalg.cholesky");
  Tensor L = column_major_copy(A);
  const Tensor info = empty_infos(A);
  const int64_t n = A.size(-1);
  if (A.numel() > 0) {
    AT_DISPATCH_FLOATING_AND_COMPLEX_TYPES(A.scalar_type(), "linalg_cholesky_cpu", [&] {
      auto* data = L.mutable_data_ptr<scalar_t>();
      auto* infos = info.mutable_data_ptr<int32_t>();
      for_each_matrix(batch_count(A), n * n * n, [&](int64_t b) {
        infos[b] =
            static_cast<int32_t>(lapack::potrf(upper ? 'U' : 'L', n, data + b * n * n, leading(n)));
      });
    });
  }
  L = upper ? L.triu_() : L.tril_();
  if (check_errors) check_linalg_errors(info, "linalg.cholesky_ex", A.dim() == 2);
  return {L, info};
}

Tensor linalg_cholesky(const Tensor& A, bool upper) {
  auto [L, info] = at::linalg_cholesky_ex(A, upper, /*check_errors=*/false);
  check_linalg_errors(info, "linalg.cholesky", A.dim() == 2);
  return L;
}

Tensor& linalg_cholesky_out(const Tensor& A, bool upper, Tensor& L) {
  return write_to_out(at::linalg_cholesky(A, upper), L);
}

Tensor cholesky(const Tensor& self, bool upper) {
  check_square(self, "cholesky");
  auto [L, info] = at::linalg_cholesky_ex(self, upper, /*check_errors=*/false);
  check_linalg_errors(info, "cholesky", self.dim() == 2);
  return L;
}

Tensor& cholesky_out(const Tensor& self, bool upper, Tensor& result) {
  return write_to_out(at::cholesky(self, upper), result);
}

// Two triangles: L L^H x = b.
Tensor cholesky_solve(const Tensor& self, const Tensor& A, bool upper) {
  TORCH_CHECK(self.dim() >= 2, "b should have at least 2 dimensions, but has ", self.dim(),
              " dimensions instead");
  TORCH_CHECK(A.dim() >= 2, "u should have at least 2 dimensions, but has ", A.dim(),
              " dimensions instead");
  check_square(A, "cholesky_solve");
  TORCH_CHECK(A.size(-1) == self.size(-2),
              "Incompatible matrix sizes for cholesky_solve: each A "
              "matrix is ",
              A.size(-1), " by ", A.size(-1), " but each b matrix is ", self.size(-2), " by ",
              self.size(-1));
  const Tensor factor = upper ? A.triu() : A.tril();
  if (upper) {
    const Tensor y = at::linalg_solve_triangular(factor.mH(), self, /*upper=*/false);
    return at::linalg_solve_triangular(factor, y, /*upper=*/true);
  }
  const Tensor y = at::linalg_solve_triangular(factor, self, /*upper=*/false);
  return at::linalg_solve_triangular(factor.mH(), y, /*upper=*/true);
}

Tensor& cholesky_solve_out(const Tensor& self, const Tensor& A, bool upper, Tensor& result) {
  return write_to_out(at::cholesky_solve(self, A, upper), result);
}

Tensor cholesky_inverse(const Tensor& self, bool upper) {
  check_square(self, "cholesky_inverse");
  const Tensor identity = at::eye(self.size(-1), self.options()).expand_as(self);
  return at::cholesky_solve(identity, self, upper);
}

Tensor& cholesky_inverse_out(const Tensor& self, bool upper, Tensor& result) {
  return write_to_out(at::cholesky_inverse(self, upper), result);
}

// ---- LU

std::tuple<Tensor, Tensor, Tensor> linalg_lu_factor_ex(const Tensor& A, bool pivot,
                                                       bool check_errors) {
  TORCH_CHECK(A.dim() >= 2,
              "torch.lu_factor: Expected tensor with 2 or more dimensions. Got size: ", A.sizes(),
              " instead");
  check_floating_or_complex(A, "torch.linalg.lu_factor");
  TORCH_CHECK(pivot, "linalg.lu_factor: LU without pivoting is not implemented on the CPU");
  const int64_t m = A.size(-2);
  const int64_t n = A.size(-1);
  const int64_t k = std::min(m, n);
  const Tensor LU = column_major_copy(A);
  std::vector<int64_t> pivot_sizes = batch_sizes(A).vec();
  pivot_sizes.push_back(k);
  const Tensor pivots = at::empty(pivot_sizes, A.options().dtype(kInt));
  const Tensor info = empty_infos(A);
  if (A.numel() > 0) {
    AT_DISPATCH_FLOATING_AND_COMPLEX_TYPES(A.scalar_type(), "lu_factor_cpu", [&] {
      auto* data = LU.mutable_data_ptr<scalar_t>();
      auto* places = pivots.mutable_data_ptr<int32_t>();
      auto* infos = info.mutable_data_ptr<int32_t>();
      for_each_matrix(batch_count(A), m * n * k, [&](int64_t b) {
        infos[b] =
            static_cast<int32_t>(lapack::getrf(m, n, data + b * m * n, leading(m), places + b * k));
      });
    });
  }
  if (check_errors) check_linalg_errors(info, "torch.linalg.lu_factor_ex", A.dim() == 2);
  return {LU, pivots, info};
}

std::tuple<Tensor, Tensor> linalg_lu_factor(const Tensor& A, bool pivot) {
  auto [LU, pivots, info] = at::linalg_lu_factor_ex(A, pivot, /*check_errors=*/false);
  check_linalg_errors(info, "torch.linalg.lu_factor", A.dim() == 2);
  return {LU, pivots};
}

std::tuple<Tensor&, Tensor&> linalg_lu_factor_out(const Tensor& A, bool pivot, Tensor& LU,
                                                  Tensor& pivots) {
  const auto [lu, places] = at::linalg_lu_factor(A, pivot);
  write_to_out(lu, LU);
  write_to_out(places, pivots);
  return {LU, pivots};
}

namespace {

// Row exchanges, one after the other, as the rows that they bring where.
Tensor permutation_of(const Tensor& pivots, int64_t rows) {
  const int64_t k = pivots.size(-1);
  TORCH_CHECK(k <= rows, "lu_unpack: ", rows, " rows have at most as many pivots, but there are ",
              k);
  const int64_t batches = pivots.numel() / std::max<int64_t>(k, 1);
  std::vector<int64_t> sizes = pivots.sizes().vec();
  sizes.back() = rows;
  const Tensor result = at::empty(sizes, pivots.options().dtype(kLong));
  const Tensor list = pivots.contiguous();
  const auto* pivot = list.const_data_ptr<int32_t>();
  auto* order = result.mutable_data_ptr<int64_t>();
  const int64_t count = k == 0 ? result.numel() / std::max<int64_t>(rows, 1) : batches;
  for (int64_t b = 0; b < count; ++b) {
    int64_t* row = order + b * rows;
    for (int64_t i = 0; i < rows; ++i) row[i] = i;
    for (int64_t i = 0; i < k; ++i) {
      const int64_t other = pivot[b * k + i] - 1;
      TORCH_CHECK(other >= 0 && other < rows, "pivots passed to lu_unpack must be between 1 and ",
                  rows, " inclusive. Did you properly pass the result of lu_factor?");
      std::swap(row[i], row[other]);
    }
  }
  return result;
}

}  // namespace

std::tuple<Tensor, Tensor, Tensor> lu_unpack(const Tensor& LU, const Tensor& pivots, bool unpack_lu,
                                             bool unpack_pivots) {
  TORCH_CHECK(LU.dim() >= 2,
              "torch.lu_unpack: Expected tensor with 2 or more dimensions. Got size: ", LU.sizes(),
              " instead");
  TORCH_CHECK(!unpack_pivots || pivots.scalar_type() == kInt,
              "torch.lu_unpack: LU_pivots is expected to be a contiguous tensor of torch.int32 "
              "dtype.\nNote: this function is intended to be used with the output produced by "
              "torch.linalg.lu_factor");
  TORCH_CHECK(
      !unpack_pivots || (pivots.dim() == LU.dim() - 1 && batch_sizes(pivots, 1) == batch_sizes(LU)),
      "torch.lu_unpack: expected pivots for each matrix, but LU_data has shape ", LU.sizes(),
      " and LU_pivots ", pivots.sizes());
  const int64_t m = LU.size(-2);
  const int64_t n = LU.size(-1);
  const int64_t k = std::min(m, n);
  Tensor P = at::empty({0}, LU.options());
  Tensor L = at::empty({0}, LU.options());
  Tensor U = at::empty({0}, LU.options());
  if (unpack_lu) {
    U = LU.narrow(-2, 0, k).triu();
    L = LU.narrow(-1, 0, k).tril(-1) + at::eye(m, k, LU.options());
  }
  if (unpack_pivots) {
    const Tensor order = permutation_of(pivots, m);
    // Column j of P has its one in the row that was brought to j.
    std::vector<int64_t> sizes = order.sizes().vec();
    sizes.push_back(m);
    P = at::zeros(sizes, LU.options()).scatter_(-2, order.unsqueeze(-2), 1);
  }
  return {P, L, U};
}

std::tuple<Tensor&, Tensor&, Tensor&> lu_unpack_out(const Tensor& LU, const Tensor& pivots,
                                                    bool unpack_lu, bool unpack_pivots, Tensor& P,
                                                    Tensor& L, Tensor& U) {
  const auto [p, l, u] = at::lu_unpack(LU, pivots, unpack_lu, unpack_pivots);
  write_to_out(p, P);
  write_to_out(l, L);
  write_to_out(u, U);
  return {P, L, U};
}

std::tuple<Tensor, Tensor, Tensor> linalg_lu(const Tensor& A, bool pivot) {
  check_is_matrix(A, "linalg.lu");
  check_floating_or_complex(A, "linalg.lu");
  const auto [LU, pivots, info] = at::linalg_lu_factor_ex(A, pivot, /*check_errors=*/false);
  return at::lu_unpack(LU, pivots);
}

std::tuple<Tensor&, Tensor&, Tensor&> linalg_lu_out(const Tensor& A, bool pivot, Tensor& P,
                                                    Tensor& L, Tensor& U) {
  const auto [p, l, u] = at::linalg_lu(A, pivot);
  write_to_out(p, P);
  write_to_out(l, L);
  write_to_out(u, U);
  return {P, L, U};
}

Tensor linalg_lu_solve(const Tensor& LU, const Tensor& pivots, const Tensor& B, bool left,
                       bool adjoint) {
  check_floating_or_complex(LU, "torch.linalg.lu_solve");
  check_square(LU, "torch.linalg.lu_solve", "LU");
  TORCH_CHECK(LU.scalar_type() == B.scalar_type(),
              "linalg.lu_solve: Expected LU and B to have the same dtype, but found LU of type ",
              LU.scalar_type(), " and B of type ", B.scalar_type(), " instead");
  TORCH_CHECK(pivots.scalar_type() == kInt,
              "linalg.lu_solve: pivots should be a Tensor of scalar type torch.int32");
  check_is_matrix(B, "torch.linalg.lu_solve", "B");
  TORCH_CHECK(pivots.dim() > 0 && pivots.size(-1) == LU.size(-1),
              "linalg.lu_solve: Number of pivots per batch should be same as the dimension of the "
              "matrix");
  TORCH_CHECK(LU.sizes().slice(0, LU.sizes().size() - 1) == pivots.sizes(),
              "linalg.lu_solve: Expected LU.shape[:-1] and pivots.shape to be the same, but got "
              "pivots with shape ",
              pivots.sizes(), " instead");
  if (!left) {
    return at::linalg_lu_solve(LU, pivots, B.mH(), /*left=*/true, !adjoint).mH();
  }
  const auto [P, L, U] = at::lu_unpack(LU, pivots);
  if (adjoint) {
    const Tensor y = at::linalg_solve_triangular(U.mH(), B, /*upper=*/false);
    const Tensor z = at::linalg_solve_triangular(L.mH(), y, /*upper=*/true, /*left=*/true,
                                                 /*unitriangular=*/true);
    return P.matmul(z);
  }
  const Tensor y = at::linalg_solve_triangular(L, P.mT().matmul(B), /*upper=*/false,
                                               /*left=*/true, /*unitriangular=*/true);
  return at::linalg_solve_triangular(U, y, /*upper=*/true);
}

Tensor& linalg_lu_solve_out(const Tensor& LU, const Tensor& pivots, const Tensor& B, bool left,
                            bool adjoint, Tensor& result) {
  return write_to_out(at::linalg_lu_solve(LU, pivots, B, left, adjoint), result);
}

Tensor lu_solve(const Tensor& self, const Tensor& LU_data, const Tensor& LU_pivots) {
  return at::linalg_lu_solve(LU_data, LU_pivots, self);
}

Tensor& lu_solve_out(const Tensor& self, const Tensor& LU_data, const Tensor& LU_pivots,
                     Tensor& result) {
  return write_to_out(at::lu_solve(self, LU_data, LU_pivots), result);
}

// ---- determinants

namespace {

// +1 or -1 for the permutation of the pivots.
Tensor pivot_sign(const Tensor& pivots, const TensorOptions& options) {
  const int64_t k = pivots.size(-1);
  const Tensor expected = at::arange(1, k + 1, pivots.options());
  const Tensor exchanges = pivots.ne(expected).sum({-1});
  return (exchanges.remainder(2) * -2 + 1).to(options.dtype().toScalarType());
}

}  // namespace

std::tuple<Tensor, Tensor, Tensor> _linalg_det(const Tensor& A) {
  check_square(A, "linalg.det");
  check_floating_or_complex(A, "linalg.det");
  const auto [LU, pivots, info] = at::linalg_lu_factor_ex(A);
  const Tensor sign = pivot_sign(pivots, A.options());
  return {LU.diagonal(0, -2, -1).prod(-1) * sign, LU, pivots};
}

Tensor linalg_det(const Tensor& A) { return std::get<0>(at::_linalg_det(A)); }

Tensor& linalg_det_out(const Tensor& A, Tensor& result) {
  return write_to_out(at::linalg_det(A), result);
}

Tensor det(const Tensor& self) { return at::linalg_det(self); }

std::tuple<Tensor, Tensor, Tensor, Tensor> _linalg_slogdet(const Tensor& A) {
  check_square(A, "linalg.slogdet");
  check_floating_or_complex(A, "linalg.slogdet");
  const auto [LU, pivots, info] = at::linalg_lu_factor_ex(A);
  const Tensor diagonal = LU.diagonal(0, -2, -1);
  const Tensor sign = diagonal.sgn().prod(-1) * pivot_sign(pivots, A.options());
  return {sign, diagonal.abs().log().sum({-1}), LU, pivots};
}

std::tuple<Tensor, Tensor> linalg_slogdet(const Tensor& A) {
  auto [sign, logabsdet, LU, pivots] = at::_linalg_slogdet(A);
  return {sign, logabsdet};
}

std::tuple<Tensor&, Tensor&> linalg_slogdet_out(const Tensor& A, Tensor& sign, Tensor& logabsdet) {
  const auto [s, l] = at::linalg_slogdet(A);
  write_to_out(s, sign);
  write_to_out(l, logabsdet);
  return {sign, logabsdet};
}

std::tuple<Tensor, Tensor> slogdet(const Tensor& A) { return at::linalg_slogdet(A); }

std::tuple<Tensor&, Tensor&> slogdet_out(const Tensor& A, Tensor& sign, Tensor& logabsdet) {
  return at::linalg_slogdet_out(sign, logabsdet, A);
}

Tensor logdet(const Tensor& A) {
  check_square(A, "logdet");
  check_floating_or_complex(A, "logdet");
  const auto [sign, logabsdet] = at::linalg_slogdet(A);
  if (A.is_complex()) return sign.log() + logabsdet;
  return at::where(sign.eq(-1), Scalar(std::numeric_limits<double>::quiet_NaN()), logabsdet);
}

// ---- inverse and solve

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

Tensor linalg_inv(const Tensor& A) {
  auto [result, info] = at::linalg_inv_ex(A);
  check_linalg_errors(info, "linalg.inv", A.dim() == 2);
  return result;
}

Tensor& linalg_inv_out(const Tensor& A, Tensor& result) {
  return write_to_out(at::linalg_inv(A), result);
}

Tensor inverse(const Tensor& A) { return at::linalg_inv(A); }

Tensor& inverse_out(const Tensor& A, Tensor& result) { return at::linalg_inv_out(result, A); }

namespace {

// Whether B is a vector, or a batch of them, for the matrices A.
bool is_vector_rhs(const Tensor& A, const Tensor& B) {
  if (B.dim() == 1) return true;
  return A.dim() - 1 == B.dim() && B.sizes() == A.sizes().slice(0, A.sizes().size() - 1);
}

std::vector<int64_t> with_matrix(IntArrayRef batch, int64_t rows, int64_t columns) {
  std::vector<int64_t> sizes = batch.vec();
  sizes.push_back(rows);
  sizes.push_back(columns);
  return sizes;
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
      "linalg.solve: Vector broadcasting of the left hand side is not "
      "supported for left=False. In this case linalg.solve is equivalent to B / A.squeeze(-1)");
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
  const Tensor X = column_major_copy(rhs.expand(with_matrix(batch, n, columns)));
  if (X.numel() > 0) {
    const Tensor factors = LU.expand(with_matrix(batch, n, n));
    std::vector<int64_t> pivot_sizes = batch;
    pivot_sizes.push_back(n);
    const Tensor places = pivots.expand(pivot_sizes).contiguous();
    const Tensor packed = batch_sizes(A) == IntArrayRef(batch) ? LU : column_major_copy(factors);
    AT_DISPATCH_FLOATING_AND_COMPLEX_TYPES(A.scalar_type(), "linalg_solve_cpu", [&] {
      const auto* lu = packed.const_data_ptr<scalar_t>();
      const auto* p = places.const_data_ptr<int32_t>();
      auto* x = X.mutable_data_ptr<scalar_t>();
      for_each_matrix(batch_count(X), n * n * columns, [&](int64_t b) {
        lapack::getrs(left ? 'N' : 'T', n, columns, lu + b * n * n, leading(n), p + b * n,
                      x + b * n * columns, leading(n));
      });
    });
  }
  if (check_errors) check_linalg_errors(info, "torch.linalg.solve_ex", A.dim() == 2);
  Tensor result = left ? X : X.mT();
  if (vector) result = result.squeeze(-1);
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
  write_to_out(x, result);
  write_to_out(codes, info);
  return {result, info};
}

Tensor linalg_solve(const Tensor& A, const Tensor& B, bool left) {
  auto [result, info] = at::linalg_solve_ex(A, B, left, /*check_errors=*/false);
  check_linalg_errors(info, "torch.linalg.solve", A.dim() == 2);
  return result;
}

Tensor& linalg_solve_out(const Tensor& A, const Tensor& B, bool left, Tensor& result) {
  return write_to_out(at::linalg_solve(A, B, left), result);
}

// ---- triangles

Tensor linalg_solve_triangular(const Tensor& A, const Tensor& B, bool upper, bool left,
                               bool unitriangular) {
  check_square(A, "linalg.solve_triangular");
  check_floating_or_complex(A, "linalg.solve_triangular");
  TORCH_CHECK(A.scalar_type() == B.scalar_type(),
              "linalg.solve_triangular: Expected A and B to have the same dtype, but found A of "
              "type ",
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
  const Tensor X = column_major_copy(B.expand(with_matrix(batch, n, columns)));
  if (X.numel() == 0) return X;
  const Tensor triangle = column_major_copy(A.expand(with_matrix(batch, n, n)));
  AT_DISPATCH_FLOATING_AND_COMPLEX_TYPES(A.scalar_type(), "triangular_solve_cpu", [&] {
    const auto* a = triangle.const_data_ptr<scalar_t>();
    auto* x = X.mutable_data_ptr<scalar_t>();
    for_each_matrix(batch_count(X), n * n * columns, [&](int64_t b) {
      lapack::trtrs(upper ? 'U' : 'L', 'N', unitriangular ? 'U' : 'N', n, columns, a + b * n * n,
                    leading(n), x + b * n * columns, leading(n));
    });
  });
  return X;
}

Tensor& linalg_solve_triangular_out(const Tensor& A, const Tensor& B, bool upper, bool left,
                                    bool unitriangular, Tensor& out) {
  return write_to_out(at::linalg_solve_triangular(A, B, upper, left, unitriangular), out);
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
  return {solution, A.expand(with_matrix(batch_sizes(solution), A.size(-2), A.size(-1))).clone()};
}

std::tuple<Tensor&, Tensor&> triangular_solve_out(const Tensor& self, const Tensor& A, bool upper,
                                                  bool transpose, bool unitriangular, Tensor& X,
                                                  Tensor& M) {
  const auto [x, m] = at::triangular_solve(self, A, upper, transpose, unitriangular);
  write_to_out(x, X);
  write_to_out(m, M);
  return {X, M};
}

// ---- QR

std::tuple<Tensor, Tensor> linalg_qr(const Tensor& A, std::string_view mode) {
  check_is_matrix(A, "linalg.qr");
  check_floating_or_complex(A, "linalg.qr");
  TORCH_CHECK(mode == "reduced" || mode == "complete" || mode == "r",
              "qr received unrecognized mode '", mode,
              "' but expected one of 'reduced' (default), 'r', or 'complete'");
  const int64_t m = A.size(-2);
  const int64_t n = A.size(-1);
  const int64_t k = std::min(m, n);
  const int64_t q_columns = mode == "complete" ? m : k;
  const bool with_q = mode != "r";
  const Tensor packed = column_major_copy(A);
  Tensor Q = with_q ? empty_column_major(with_matrix(batch_sizes(A), m, q_columns), A.options())
                    : at::empty({0}, A.options());
  if (Q.numel() > 0 && k == 0) Q.copy_(at::eye(m, q_columns, A.options()).expand_as(Q));
  if (A.numel() > 0) {
    if (with_q) Q.narrow(-1, 0, k).copy_(packed.narrow(-1, 0, k));
    AT_DISPATCH_FLOATING_AND_COMPLEX_TYPES(A.scalar_type(), "linalg_qr_out_cpu", [&] {
      auto* data = packed.mutable_data_ptr<scalar_t>();
      auto* q_data = with_q ? Q.mutable_data_ptr<scalar_t>() : nullptr;
      for_each_matrix(batch_count(A), m * n * k, [&](int64_t b) {
        std::vector<scalar_t> tau(static_cast<size_t>(k));
        scalar_t* matrix = data + b * m * n;
        lapack::geqrf(m, n, matrix, leading(m), tau.data());
        if (!with_q) return;
        scalar_t* q = q_data + b * m * q_columns;
        std::copy(matrix, matrix + m * k, q);
        lapack::orgqr(m, q_columns, k, q, leading(m), tau.data());
      });
    });
  }
  const Tensor rows = mode == "complete" ? packed : packed.narrow(-2, 0, k);
  return {Q, column_major_copy(rows.triu())};
}

std::tuple<Tensor&, Tensor&> linalg_qr_out(const Tensor& A, std::string_view mode, Tensor& Q,
                                           Tensor& R) {
  const auto [q, r] = at::linalg_qr(A, mode);
  write_to_out(q, Q);
  write_to_out(r, R);
  return {Q, R};
}

std::tuple<Tensor, Tensor> qr(const Tensor& self, bool some) {
  return at::linalg_qr(self, some ? "reduced" : "complete");
}

std::tuple<Tensor&, Tensor&> qr_out(const Tensor& self, bool some, Tensor& Q, Tensor& R) {
  return at::linalg_qr_out(Q, R, self, some ? "reduced" : "complete");
}

}  // namespace at::native
