#define TORCH_ASSERT_ONLY_METHOD_OPERATORS
#include <ATen/native/LinalgSupport.h>

#include <ATen/core/Tensor.h>
#include <ATen/native/OutVariant.h>
#include <ATen/ops/empty_strided.h>
#include <ATen/ops/zeros.h>
#include <c10/core/ScalarType.h>
#include <c10/util/Exception.h>

#include <string>
#include <string_view>
#include <vector>

namespace at::native {

Tensor column_major_copy(const Tensor& a) {
  return empty_column_major(a.sizes(), a.options()).copy_(a);
}

std::vector<int64_t> column_major_strides(IntArrayRef sizes) {
  std::vector<int64_t> strides(sizes.size());
  const size_t rows = sizes.size() - 2;
  strides[rows] = 1;
  strides[rows + 1] = std::max<int64_t>(sizes[rows], 1);
  int64_t matrix = strides[rows + 1] * std::max<int64_t>(sizes[rows + 1], 1);
  for (size_t d = rows; d-- > 0;) {
    strides[d] = matrix;
    matrix *= std::max<int64_t>(sizes[d], 1);
  }
  return strides;
}

Tensor empty_column_major(IntArrayRef sizes, const TensorOptions& options) {
  return at::empty_strided(sizes, column_major_strides(sizes), options);
}

IntArrayRef batch_sizes(const Tensor& a, int64_t count) {
  return a.sizes().slice(0, static_cast<size_t>(a.dim() - count));
}

int64_t batch_count(const Tensor& a) {
  int64_t count = 1;
  for (const int64_t size : batch_sizes(a)) count *= size;
  return count;
}

std::vector<int64_t> appended(IntArrayRef batch, std::initializer_list<int64_t> sizes) {
  std::vector<int64_t> result = batch.vec();
  result.insert(result.end(), sizes);
  return result;
}

Tensor empty_infos(const Tensor& a) { return at::zeros(batch_sizes(a), a.options().dtype(kInt)); }

Tensor& write_linalg_out(const Tensor& result, Tensor& out, bool cast) {
  const bool resized = out.sizes() != result.sizes();
  if (cast) {
    write_to_out(result, out);
  } else {
    write_out(out, result);
  }
  if (!resized || result.is_contiguous() || !result.is_non_overlapping_and_dense()) return out;
  out.as_strided_(result.sizes(), result.strides());
  return out.copy_(result);
}

void check_is_matrix(const Tensor& a, const char* name, const char* argument) {
  TORCH_CHECK(a.dim() >= 2, name, ": The input tensor ", argument,
              " must have at least 2 dimensions.");
}

void check_square(const Tensor& a, const char* name, const char* argument) {
  check_is_matrix(a, name, argument);
  TORCH_CHECK(a.size(-1) == a.size(-2), name, ": ", argument,
              " must be batches of square matrices, but they are ", a.size(-2), " by ", a.size(-1),
              " matrices");
}

void check_floating_or_complex(const Tensor& a, const char* name, bool allow_low_precision) {
  const ScalarType type = a.scalar_type();
  TORCH_CHECK(c10::isFloatingType(type) || c10::isComplexType(type), name,
              ": Expected a floating point or complex tensor as input. Got ", type);
  TORCH_CHECK(allow_low_precision || (type != kHalf && type != kBFloat16), name,
              ": Low precision dtypes not supported. Got ", type);
}

void check_linalg_errors(const Tensor& infos, const char* name, bool is_matrix) {
  const Tensor list = infos.contiguous();
  const auto* info = list.const_data_ptr<int32_t>();
  for (int64_t i = 0; i < list.numel(); ++i) {
    if (info[i] == 0) continue;
    const std::string_view api = name;
    const std::string batch = is_matrix ? ": " : ": (Batch element " + std::to_string(i) + "): ";
    TORCH_CHECK(info[i] > 0, name, batch, "Argument ", -info[i], " has illegal value.");
    if (api.find("inv") != std::string_view::npos) {
      TORCH_CHECK_LINALG(
          false, name, batch, "The diagonal element ", info[i],
          " is zero, the inversion could not be completed because the input matrix is singular.");
    }
    if (api.find("solve") != std::string_view::npos) {
      TORCH_CHECK_LINALG(false, name, batch,
                         "The solver failed because the input matrix is singular.");
    }
    if (api.find("cholesky") != std::string_view::npos) {
      TORCH_CHECK_LINALG(
          false, name, batch,
          "The factorization could not be completed because the input is not positive-definite (the leading minor of order ",
          info[i], " is not positive-definite).");
    }
    if (api.find("svd") != std::string_view::npos) {
      TORCH_CHECK_LINALG(
          false, name, batch,
          "The algorithm failed to converge because the input matrix is ill-conditioned or has too many repeated singular values (error code: ",
          info[i], ").");
    }
    if (api.find("lu_factor") != std::string_view::npos) {
      TORCH_CHECK(
          false, name, batch, "U[", info[i], ",", info[i],
          "] is zero and using it on lu_solve would result in a division by zero. If you still want to perform the factorization, consider calling linalg.lu(A, pivot) or linalg.lu_factor_ex(A, pivot)");
    }
    if (api.find("ldl_factor") != std::string_view::npos) {
      TORCH_CHECK_LINALG(
          false, name, batch, "D[", info[i], ",", info[i],
          "] is zero and using it on ldl_solve would result in a division by zero. If you still want the factors, consider calling linalg.ldl_factor_ex(A)");
    }
    TORCH_CHECK_LINALG(
        false, name, batch,
        "The algorithm failed to converge because the input matrix is ill-conditioned or has too many repeated eigenvalues (error code: ",
        info[i], ").");
  }
}

}  // namespace at::native
