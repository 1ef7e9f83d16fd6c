// Cholesky factors, and what is solved with them.

#define TORCH_ASSERT_ONLY_METHOD_OPERATORS
#include <ATen/Dispatch.h>
#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/BatchLinearAlgebra.h>
#include <ATen/native/LinalgSupport.h>
#include <ATen/native/OutVariant.h>
#include <ATen/ops/cholesky.h>
#include <ATen/ops/cholesky_inverse.h>
#include <ATen/ops/cholesky_inverse_native.h>
#include <ATen/ops/cholesky_native.h>
#include <ATen/ops/cholesky_solve.h>
#include <ATen/ops/cholesky_solve_native.h>
#include <ATen/ops/eye.h>
#include <ATen/ops/linalg_cholesky.h>
#include <ATen/ops/linalg_cholesky_ex.h>
#include <ATen/ops/linalg_cholesky_ex_native.h>
#include <ATen/ops/linalg_cholesky_native.h>
#include <ATen/ops/linalg_solve_triangular.h>
#include <c10/core/ScalarType.h>
#include <c10/util/Exception.h>

#include <cstdint>
#include <tuple>

namespace at::native {

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

std::tuple<Tensor&, Tensor&> linalg_cholesky_ex_out(const Tensor& A, bool upper, bool check_errors,
                                                    Tensor& L, Tensor& info) {
  const auto [factor, codes] = at::linalg_cholesky_ex(A, upper, check_errors);
  return {write_linalg_out(factor, L), write_linalg_out(codes, info)};
}

Tensor linalg_cholesky(const Tensor& A, bool upper) {
  auto [L, info] = at::linalg_cholesky_ex(A, upper, /*check_errors=*/false);
  check_linalg_errors(info, "linalg.cholesky", A.dim() == 2);
  return L;
}

Tensor& linalg_cholesky_out(const Tensor& A, bool upper, Tensor& L) {
  return write_linalg_out(at::linalg_cholesky(A, upper), L);
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
              "Incompatible matrix sizes for cholesky_solve: each A matrix is ", A.size(-1), " by ",
              A.size(-1), " but each b matrix is ", self.size(-2), " by ", self.size(-1));
  const Tensor first = upper ? A.mH() : A;
  const Tensor y = at::linalg_solve_triangular(first, self, /*upper=*/false);
  return at::linalg_solve_triangular(first.mH(), y, /*upper=*/true);
}

Tensor& cholesky_solve_out(const Tensor& self, const Tensor& A, bool upper, Tensor& result) {
  return write_to_out(at::cholesky_solve(self, A, upper), result);
}

Tensor cholesky_inverse(const Tensor& self, bool upper) {
  check_square(self, "cholesky_inverse");
  if (self.is_cpu()) {
    const Tensor result = column_major_copy(self);
    const Tensor info = empty_infos(self);
    const int64_t n = self.size(-1);
    AT_DISPATCH_FLOATING_AND_COMPLEX_TYPES(self.scalar_type(), "cholesky_inverse_out_cpu", [&] {
      auto* data = result.mutable_data_ptr<scalar_t>();
      auto* infos = info.mutable_data_ptr<int32_t>();
      for_each_matrix(result.numel() == 0 ? 0 : batch_count(self), n * n * n, [&](int64_t b) {
        infos[b] =
            static_cast<int32_t>(lapack::potri(upper ? 'U' : 'L', n, data + b * n * n, leading(n)));
      });
    });
    check_linalg_errors(info, "cholesky_inverse", self.dim() == 2);
    return result;
  }
  const Tensor identity = at::eye(self.size(-1), self.options()).expand_as(self);
  return at::cholesky_solve(identity, self, upper);
}

Tensor& cholesky_inverse_out(const Tensor& self, bool upper, Tensor& result) {
  return write_to_out(at::cholesky_inverse(self, upper), result);
}

}  // namespace at::native
