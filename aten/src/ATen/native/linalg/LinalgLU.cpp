// LU factors, what is solved with them, and determinants.

#define TORCH_ASSERT_ONLY_METHOD_OPERATORS
#include <ATen/Dispatch.h>
#include <ATen/ExpandUtils.h>
#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/BatchLinearAlgebra.h>
#include <ATen/native/LinalgSupport.h>
#include <ATen/native/OutVariant.h>
#include <ATen/ops/_linalg_det.h>
#include <ATen/ops/_linalg_det_native.h>
#include <ATen/ops/_linalg_slogdet.h>
#include <ATen/ops/_linalg_slogdet_native.h>
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
#include <c10/util/complex_math.h>
#include <c10/util/complex_type.h>

#include <algorithm>
#include <cmath>
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

void check_pivot(int64_t pivot, int64_t rows) {
  TORCH_CHECK(pivot >= 1 && pivot <= rows,
              "pivots passed to lu_unpack must be between 1 and LU.size(-2) inclusive. "
              "Did you properly pass the result of lu_factor? "
              "LU.size(-2) is ",
              rows, ", and a pivot ", pivot);
}

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
      check_pivot(pivot[b * k + i], rows);
      std::swap(row[i], row[pivot[b * k + i] - 1]);
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

namespace {

void check_lu_solve(const Tensor& LU, const Tensor& pivots, const Tensor& B, bool left) {
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
  const int64_t n = LU.size(-1);
  TORCH_CHECK(n == B.size(left ? -2 : -1),
              "linalg.lu_solve: Incompatible shapes of A and B for the equation ",
              left ? "AX = B" : "XA = B", " (", n, "x", n, " and ", B.size(-2), "x", B.size(-1),
              ")");
}

}  // namespace

Tensor linalg_lu_solve(const Tensor& LU, const Tensor& pivots, const Tensor& B, bool left,
                       bool adjoint) {
  check_lu_solve(LU, pivots, B, left);
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

Tensor linalg_lu_solve_cpu(const Tensor& LU, const Tensor& pivots, const Tensor& B, bool left,
                           bool adjoint) {
  check_lu_solve(LU, pivots, B, left);
  // X A = B is A^T X^T = B^T, and X A^H = B is A X^H = B^H.
  const Tensor rhs = left ? B : adjoint ? B.mH() : B.mT();
  const char trans = left ? (adjoint ? 'C' : 'N') : (adjoint ? 'N' : 'T');
  const int64_t n = LU.size(-1);
  const int64_t columns = rhs.size(-1);
  const std::vector<int64_t> batch = at::infer_size(batch_sizes(LU), batch_sizes(B));
  const Tensor X = column_major_copy(rhs.expand(appended(batch, {n, columns})));
  const Tensor checked = pivots.contiguous();
  const auto* places = checked.const_data_ptr<int32_t>();
  for (int64_t i = 0; i < checked.numel(); ++i) check_pivot(places[i], n);
  if (X.numel() > 0) {
    std::vector<int64_t> pivot_sizes = batch;
    pivot_sizes.push_back(n);
    const Tensor order = checked.expand(pivot_sizes).contiguous();
    const Tensor all = LU.expand(appended(batch, {n, n}));
    const Tensor factors = all.mT().is_contiguous() ? all : column_major_copy(all);
    AT_DISPATCH_FLOATING_AND_COMPLEX_TYPES(LU.scalar_type(), "lu_solve_cpu", [&] {
      const auto* lu = factors.const_data_ptr<scalar_t>();
      const auto* p = order.const_data_ptr<int32_t>();
      auto* x = X.mutable_data_ptr<scalar_t>();
      const auto solve = [&](int64_t b, int64_t first, int64_t count) {
        lapack::getrs(trans, n, count, lu + b * n * n, leading(n), p + b * n,
                      x + (b * columns + first) * n, leading(n));
      };
      for_each_share(batch_count(X), columns, n * n, solve);
    });
  }
  if (left) return X;
  return adjoint ? X.mH().clone(MemoryFormat::Contiguous) : X.mT();
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

// Whether the pivots of one matrix exchange rows an odd number of times.
bool is_odd(const int32_t* pivots, int64_t n) {
  bool odd = false;
  for (int64_t i = 0; i < n; ++i) odd ^= pivots[i] != i + 1;
  return odd;
}

// A real number of length 1, or 0 for 0 and NaN, or a complex one.
template <typename T>
T direction(const T& value, lapack::Real<T> length) {
  if constexpr (c10::is_complex<T>::value) {
    return length == 0 ? T(0) : value / length;
  } else {
    return static_cast<T>((value > 0) - (value < 0));
  }
}

}  // namespace

std::tuple<Tensor, Tensor, Tensor> _linalg_det(const Tensor& A) {
  check_square(A, "linalg.det");
  check_floating_or_complex(A, "linalg.det");
  auto [LU, pivots, info] = at::linalg_lu_factor_ex(A);
  Tensor result = at::empty(batch_sizes(A), A.options());
  const int64_t n = A.size(-1);
  AT_DISPATCH_FLOATING_AND_COMPLEX_TYPES(A.scalar_type(), "linalg_det_cpu", [&] {
    const auto* lu = LU.const_data_ptr<scalar_t>();
    const auto* places = pivots.const_data_ptr<int32_t>();
    auto* det = result.mutable_data_ptr<scalar_t>();
    for_each_matrix(batch_count(A), n, [&](int64_t b) {
      scalar_t product = is_odd(places + b * n, n) ? -1 : 1;
      for (int64_t i = 0; i < n; ++i) product *= lu[b * n * n + i * (n + 1)];
      det[b] = product;
    });
  });
  return {std::move(result), std::move(LU), std::move(pivots)};
}

Tensor linalg_det(const Tensor& A) { return std::get<0>(at::_linalg_det(A)); }

Tensor& linalg_det_out(const Tensor& A, Tensor& result) {
  return write_linalg_out(at::linalg_det(A), result);
}

Tensor det(const Tensor& self) { return at::linalg_det(self); }

std::tuple<Tensor, Tensor, Tensor, Tensor> _linalg_slogdet(const Tensor& A) {
  check_square(A, "linalg.slogdet");
  check_floating_or_complex(A, "linalg.slogdet");
  auto [LU, pivots, info] = at::linalg_lu_factor_ex(A);
  Tensor sign = at::empty(batch_sizes(A), A.options());
  Tensor logabsdet = at::empty(batch_sizes(A), A.options().dtype(toRealValueType(A.scalar_type())));
  const int64_t n = A.size(-1);
  AT_DISPATCH_FLOATING_AND_COMPLEX_TYPES(A.scalar_type(), "linalg_slogdet_cpu", [&] {
    using real_t = lapack::Real<scalar_t>;
    using std::abs;  // or c10's for complex numbers
    const auto* lu = LU.const_data_ptr<scalar_t>();
    const auto* places = pivots.const_data_ptr<int32_t>();
    auto* signs = sign.mutable_data_ptr<scalar_t>();
    auto* logs = logabsdet.mutable_data_ptr<real_t>();
    for_each_matrix(batch_count(A), 32 * n, [&](int64_t b) {
      scalar_t turn = is_odd(places + b * n, n) ? -1 : 1;
      double sum = 0;
      for (int64_t i = 0; i < n; ++i) {
        const scalar_t value = lu[b * n * n + i * (n + 1)];
        const real_t length = abs(value);
        turn *= direction(value, length);
        sum += std::log(length);
      }
      signs[b] = turn;
      logs[b] = static_cast<real_t>(sum);
    });
  });
  return {std::move(sign), std::move(logabsdet), std::move(LU), std::move(pivots)};
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
