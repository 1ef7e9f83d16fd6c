// QR factors.

#define TORCH_ASSERT_ONLY_METHOD_OPERATORS
#include <ATen/Dispatch.h>
#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/BatchLinearAlgebra.h>
#include <ATen/native/LinalgSupport.h>
#include <ATen/native/OutVariant.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/eye.h>
#include <ATen/ops/linalg_qr.h>
#include <ATen/ops/linalg_qr_native.h>
#include <ATen/ops/qr_native.h>
#include <c10/core/ScalarType.h>
#include <c10/util/Exception.h>

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <tuple>
#include <vector>

namespace at::native {

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
  Tensor Q = with_q ? empty_column_major(appended(batch_sizes(A), {m, q_columns}), A.options())
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
  write_linalg_out(q, Q);
  write_linalg_out(r, R);
  return {Q, R};
}

std::tuple<Tensor, Tensor> qr(const Tensor& self, bool some) {
  return at::linalg_qr(self, some ? "reduced" : "complete");
}

std::tuple<Tensor&, Tensor&> qr_out(const Tensor& self, bool some, Tensor& Q, Tensor& R) {
  return at::linalg_qr_out(Q, R, self, some ? "reduced" : "complete");
}

}  // namespace at::native
