// Products by 2:4 sparse matrices that cuSPARSELt has compressed:
// torch.sparse.SparseSemiStructuredTensor.

#define TORCH_ASSERT_ONLY_METHOD_OPERATORS
#include <ATen/core/Tensor.h>
#include <ATen/native/cuda/SparseGemm.h>
#include <ATen/ops/_cslt_compress_native.h>
#include <ATen/ops/_cslt_sparse_mm_native.h>
#include <ATen/ops/_cslt_sparse_mm_search_native.h>
#include <ATen/ops/empty.h>
#include <c10/core/ScalarType.h>
#include <c10/util/Exception.h>

#include <optional>

namespace at::native {
namespace {

// A compressed matrix keeps its rows, so that its shape tells them; what it holds has an order of
// the library's.
int64_t compressed_columns(ScalarType dtype, int64_t rows, int64_t columns) {
  const int64_t bytes = sparse_compressed_bytes(dtype, rows, columns);
  const int64_t column = rows * static_cast<int64_t>(c10::elementSize(dtype));
  return (bytes + column - 1) / column;
}

// Calls f with the product and keeps its tensors alive. The compressed form says nothing of its
// columns, so k is that of the dense matrix.
template <typename F>
Tensor with_product(const char* name, const Tensor& compressed, const Tensor& dense,
                    const std::optional<Tensor>& bias, const std::optional<Tensor>& alpha,
                    std::optional<ScalarType> out_dtype, bool transpose_result, const F& f) {
  TORCH_CHECK(compressed.dim() == 2 && dense.dim() == 2, name,
              ": expected a compressed and a dense matrix of 2 dimensions, but got ",
              compressed.dim(), " and ", dense.dim());
  TORCH_CHECK(compressed.is_contiguous(), name,
              ": compressed_A should be contiguous, as _cslt_compress returns it");
  const auto check_device = [&](const Tensor& t, const char* argument) {
    TORCH_CHECK(t.device() == compressed.device(), name, ": ", argument, " is on ", t.device(),
                ", but compressed_A is on ", compressed.device());
  };
  check_device(dense, "dense_B");
  TORCH_CHECK(compressed.scalar_type() == dense.scalar_type(), name,
              ": compressed_A and dense_B should have one dtype, but got ",
              compressed.scalar_type(), " and ", dense.scalar_type());

  SparseGemmProblem p{};
  p.dtype = dense.scalar_type();
  p.result_dtype = out_dtype.value_or(p.dtype);
  p.m = compressed.size(0);
  p.k = dense.size(0);
  p.n = dense.size(1);
  TORCH_CHECK(compressed.size(1) == compressed_columns(p.dtype, p.m, p.k), name, ": dense_B has ",
              p.k, " rows, which do not fit the columns of the matrix that compressed_A was");

  const bool by_columns = !dense.is_contiguous() && dense.t().is_contiguous();
  const Tensor b = by_columns ? dense : dense.contiguous();
  p.b_by_rows = !by_columns;
  p.a = compressed.const_data_ptr();
  p.b = b.const_data_ptr();
  Tensor added;
  if (bias.has_value()) {
    check_device(*bias, "bias");
    TORCH_CHECK(bias->dim() == 1 && bias->size(0) == p.m && bias->scalar_type() == p.result_dtype,
                name, ": bias should be a vector of ", p.m, " elements of ", p.result_dtype,
                ", but got sizes ", bias->sizes(), " and ", bias->scalar_type());
    added = bias->contiguous();
    p.bias = added.const_data_ptr();
  }
  p.alpha = 1;
  Tensor factors;
  if (alpha.has_value()) {
    check_device(*alpha, "alpha");
    TORCH_CHECK(alpha->scalar_type() == kFloat && (alpha->numel() == 1 || alpha->numel() == p.m),
                name, ": alpha should be a float32 tensor of 1 or ", p.m,
                " elements, but got sizes ", alpha->sizes(), " and ", alpha->scalar_type());
    factors = alpha->contiguous();
    if (factors.numel() == 1) {
      p.alpha = factors.item<float>();
    } else {
      p.alpha_of_row = factors.const_data_ptr<float>();
    }
  }
  const auto options = dense.options().dtype(p.result_dtype);
  Tensor result =
      transpose_result ? at::empty({p.n, p.m}, options) : at::empty({p.m, p.n}, options);
  p.result_by_rows = !transpose_result;
  p.result = result.mutable_data_ptr();
  p.split_k = 1;
  p.split_k_mode = -1;
  f(p);
  return result;
}

}  // namespace

Tensor _cslt_compress(const Tensor& input) {
  TORCH_CHECK(input.dim() == 2, "_cslt_compress: expected a matrix of 2 dimensions, but got ",
              input.dim());
  const Tensor dense = input.contiguous();
  const int64_t rows = dense.size(0), columns = dense.size(1);
  Tensor result =
      at::empty({rows, compressed_columns(dense.scalar_type(), rows, columns)}, dense.options());
  sparse_compress(dense.scalar_type(), rows, columns, dense.const_data_ptr(),
                  result.mutable_data_ptr());
  return result;
}

Tensor _cslt_sparse_mm(const Tensor& compressed_A, const Tensor& dense_B,
                       const std::optional<Tensor>& bias, const std::optional<Tensor>& alpha,
                       std::optional<ScalarType> out_dtype, bool transpose_result, int64_t alg_id,
                       int64_t split_k, int64_t split_k_mode) {
  return with_product("_cslt_sparse_mm", compressed_A, dense_B, bias, alpha, out_dtype,
                      transpose_result, [&](SparseGemmProblem& problem) {
                        problem.algorithm = alg_id;
                        problem.split_k = split_k;
                        problem.split_k_mode = split_k_mode;
                        sparse_gemm(problem);
                      });
}

int64_t _cslt_sparse_mm_search(const Tensor& compressed_A, const Tensor& dense_B,
                               const std::optional<Tensor>& bias,
                               const std::optional<Tensor>& alpha,
                               std::optional<ScalarType> out_dtype, bool transpose_result) {
  int64_t found = 0;
  with_product("_cslt_sparse_mm_search", compressed_A, dense_B, bias, alpha, out_dtype,
               transpose_result,
               [&](const SparseGemmProblem& problem) { found = sparse_gemm_search(problem); });
  return found;
}

}  // namespace at::native
