// LU factors, what is solved with them, and determinants.

#define TORCH_ASSERT_ONLY_METHOD_OPERATORS
#include <ATen/Dispatch.h>
#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/BatchLinearAlgebra.h>
#include <ATen/native/LinalgSupport.h>
#include <ATen/native/OutVariant.h>
#include <ATen/ops/_linalg_det.h>
#include <ATen/ops/_linalg_det_native.h>
#include <ATen/ops/_linalg_slogdet.h>
#include <ATen/ops/_linalg_slogdet_native.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/det_native.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/eye.h>
#include <ATen/ops/linalg_det.h>
#include <ATen/ops/linalg_det_native.h>
#include <ATen/ops/linalg_lu.h>
#include <ATen/ops/linalg_lu_factor.h>
#include <ATen/ops/linalg_lu_factor_ex.h>
#include <ATen/ops/linalg_lu_factor_ex_native.h>
#include <ATen/ops/linalg_lu_factor_native.h>
#include <ATen/ops/linalg_lu_native.h>
#include <ATen/ops/linalg_lu_solve.h>
#include <ATen/ops/linalg_lu_solve_native.h>
#include <ATen/ops/linalg_slogdet.h>
#include <ATen/ops/linalg_slogdet_native.h>
#include <ATen/ops/linalg_solve_triangular.h>
#include <ATen/ops/logdet_native.h>
#include <ATen/ops/lu_solve.h>
#include <ATen/ops/lu_solve_native.h>
#include <ATen/ops/lu_unpack.h>
#include <ATen/ops/lu_unpack_native.h>
#include <ATen/ops/slogdet_native.h>
#include <ATen/ops/where.h>
#include <ATen/ops/zeros.h>
#include <c10/core/Scalar.h>
#include <c10/core/ScalarType.h>
#include <c10/util/Exception.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <tuple>
#include <utility>
#include <vector>

namespace at::native {

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
    AT_DISPATCH_FLOATING_AND_COMPLEX_TYPES(A.scalar_type(), "lu_cpu", [&] {
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

std::tuple<Tensor&, Tensor&, Tensor&> linalg_lu_factor_ex_out(const Tensor& A, bool pivot,
                                                              bool check_errors, Tensor& LU,
                                                              Tensor& pivots, Tensor& info) {
  const auto [lu, places, codes] = at::linalg_lu_factor_ex(A, pivot, check_errors);
  return {write_linalg_out(lu, LU), write_linalg_out(places, pivots),
          write_linalg_out(codes, info)};
}

std::tuple<Tensor, Tensor> linalg_lu_factor(const Tensor& A, bool pivot) {
  auto [LU, pivots, info] = at::linalg_lu_factor_ex(A, pivot, /*check_errors=*/false);
  check_linalg_errors(info, "torch.linalg.lu_factor", A.dim() == 2);
  return {LU, pivots};
}

std::tuple<Tensor&, Tensor&> linalg_lu_factor_out(const Tensor& A, bool pivot, Tensor& LU,
                                                  Tensor& pivots) {
  const auto [lu, places] = at::linalg_lu_factor(A, pivot);
  write_linalg_out(lu, LU);
  write_linalg_out(places, pivots);
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
  // Every exchange depends on those before it: that is work for the processor.
  const Tensor list = pivots.contiguous().cpu();
  const Tensor result = at::empty(sizes, list.options().dtype(kLong));
  const auto* pivot = list.const_data_ptr<int32_t>();
  auto* order = result.mutable_data_ptr<int64_t>();
  const int64_t count = k == 0 ? result.numel() / std::max<int64_t>(rows, 1) : batches;
  for (int64_t b = 0; b < count; ++b) {
    int64_t* row = order + b * rows;
    for (int64_t i = 0; i < rows; ++i) row[i] = i;
    for (int64_t i = 0; i < k; ++i) {
      const int64_t other = pivot[b * k + i] - 1;
      TORCH_CHECK(other >= 0 && other < rows,
                  "pivots passed to lu_unpack must be between 1 and LU.size(-2) inclusive. "
                  "Did you properly pass the result of lu_factor? "
                  "LU.size(-2) is ",
                  rows, ", and a pivot ", other + 1);
      std::swap(row[i], row[other]);
    }
  }
  return result.to(pivots.device());
}

}  // namespace

std::tuple<Tensor, Tensor, Tensor> lu_unpack(const Tensor& LU, const Tensor& pivots, bool unpack_lu,
                                             bool unpack_pivots) {
  TORCH_CHECK(LU.dim() >= 2,
              "torch.lu_unpack: Expected tensor with 2 or more dimensions. Got size: ", LU.sizes(),
              " instead");
  TORCH_CHECK(
      !unpack_pivots || pivots.scalar_type() == kInt,
      "torch.lu_unpack: LU_pivots is expected to be a contiguous tensor of torch.int32 dtype.\nNote: this function is intended to be used with the output produced by torch.linalg.lu_factor");
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
  write_linalg_out(p, P);
  write_linalg_out(l, L);
  write_linalg_out(u, U);
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
  write_linalg_out(p, P);
  write_linalg_out(l, L);
  write_linalg_out(u, U);
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
  TORCH_CHECK(
      pivots.dim() > 0 && pivots.size(-1) == LU.size(-1),
      "linalg.lu_solve: Number of pivots per batch should be same as the dimension of the matrix");
  TORCH_CHECK(
      LU.sizes().slice(0, LU.sizes().size() - 1) == pivots.sizes(),
      "linalg.lu_solve: Expected LU.shape[:-1] and pivots.shape to be the same, but got pivots with shape ",
      pivots.sizes(), " instead");
  if (!left) {
    return at::linalg_lu_solve(LU, pivots, B.mH(), /*left=*/true, !adjoint)
        .mH()
        .clone(MemoryFormat::Contiguous);
  }
  const auto [P, L, U] = at::lu_unpack(LU, pivots);
  if (adjoint) {
    const Tensor y = at::linalg_solve_triangular(U.mH(), B, /*upper=*/false);
    const Tensor z = at::linalg_solve_triangular(L.mH(), y, /*upper=*/true, /*left=*/true,
                                                 /*unitriangular=*/true);
    return column_major_copy(P.matmul(z));
  }
  const Tensor y = at::linalg_solve_triangular(L, P.mT().matmul(B), /*upper=*/false,
                                               /*left=*/true, /*unitriangular=*/true);
  return at::linalg_solve_triangular(U, y, /*upper=*/true);
}

Tensor& linalg_lu_solve_out(const Tensor& LU, const Tensor& pivots, const Tensor& B, bool left,
                            bool adjoint, Tensor& result) {
  return write_linalg_out(at::linalg_lu_solve(LU, pivots, B, left, adjoint), result);
}

Tensor lu_solve(const Tensor& self, const Tensor& LU_data, const Tensor& LU_pivots) {
  return at::linalg_lu_solve(LU_data, LU_pivots, self);
}

Tensor& lu_solve_out(const Tensor& self, const Tensor& LU_data, const Tensor& LU_pivots,
                     Tensor& result) {
  return write_linalg_out(at::lu_solve(self, LU_data, LU_pivots), result);
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
  return write_linalg_out(at::linalg_det(A), result);
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
  write_linalg_out(s, sign);
  write_linalg_out(l, logabsdet);
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

}  // namespace at::native
