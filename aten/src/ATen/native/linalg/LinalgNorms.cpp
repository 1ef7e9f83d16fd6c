// Norms of matrices, and condition numbers.

#define TORCH_ASSERT_ONLY_METHOD_OPERATORS
#include <ATen/TensorOperators.h>
#include <ATen/WrapDimUtils.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/LinalgSupport.h>
#include <ATen/native/OutVariant.h>
#include <ATen/ops/frobenius_norm.h>
#include <ATen/ops/frobenius_norm_native.h>
#include <ATen/ops/linalg_cond.h>
#include <ATen/ops/linalg_cond_native.h>
#include <ATen/ops/linalg_inv.h>
#include <ATen/ops/linalg_inv_ex.h>
#include <ATen/ops/linalg_matrix_norm.h>
#include <ATen/ops/linalg_matrix_norm_native.h>
#include <ATen/ops/linalg_norm.h>
#include <ATen/ops/linalg_norm_native.h>
#include <ATen/ops/linalg_svdvals.h>
#include <ATen/ops/linalg_vector_norm.h>
#include <ATen/ops/nuclear_norm.h>
#include <ATen/ops/nuclear_norm_native.h>
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

namespace at::native {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

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

Tensor& write_norm(const char* name, const Tensor& norm, Tensor& out) {
  TORCH_CHECK(out.scalar_type() == norm.scalar_type(), name, " expected out tensor dtype ",
              norm.scalar_type(), " but got: ", out.scalar_type());
  return write_to_out(norm, out);
}

}  // namespace

// ---- norms of matrices

Tensor linalg_matrix_norm(const Tensor& A, const Scalar& scalar_ord, IntArrayRef dim, bool keepdim,
                          std::optional<ScalarType> dtype) {
  check_is_matrix(A, "linalg.matrix_norm");
  check_floating_or_complex(A, "linalg.matrix_norm", /*allow_low_precision=*/true);
  const MatrixDims dims = matrix_dims("linalg.matrix_norm", A, dim);
  TORCH_CHECK(!scalar_ord.isComplex(),
              "linalg.matrix_norm: Expected a non-complex scalar as the order of norm.");
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
  const Tensor sums = at::linalg_vector_norm(input, 1, IntArrayRef{summed}, keepdim);
  const int64_t left = chosen - (!keepdim && chosen > summed ? 1 : 0);
  return ord > 0 ? sums.amax({left}, keepdim) : sums.amin({left}, keepdim);
}

Tensor& linalg_matrix_norm_out(const Tensor& A, const Scalar& ord, IntArrayRef dim, bool keepdim,
                               std::optional<ScalarType> dtype, Tensor& result) {
  return write_norm("linalg.matrix_norm", at::linalg_matrix_norm(A, ord, dim, keepdim, dtype),
                    result);
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
  return write_norm("linalg.matrix_norm", at::linalg_matrix_norm(A, ord, dim, keepdim, dtype),
                    result);
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
  return write_norm("linalg.norm", at::linalg_norm(X, ord, dim, keepdim, dtype), result);
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
  return write_norm("linalg.norm", at::linalg_norm(X, ord, dim, keepdim, dtype), result);
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
    // A matrix without elements has no singular values.
    if (values.size(-1) == 0) return at::zeros(batch_sizes(self), values.options());
    const Tensor largest = values.narrow(-1, 0, 1);
    const Tensor smallest = values.narrow(-1, -1, 1);
    return (p == 2 ? largest / smallest : smallest / largest).squeeze(-1);
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
    // A singular matrix has no inverse, and its condition number is infinite.
    const Tensor values = at::linalg_svdvals(self);
    return values.sum(-1) * values.reciprocal().sum(-1);
  }
  const auto [inverse, info] = at::linalg_inv_ex(self);
  const Tensor result = at::linalg_matrix_norm(self, ord) * at::linalg_matrix_norm(inverse, ord);
  return result.masked_fill(info.gt(0), kInfinity);
}

Tensor& linalg_cond_out(const Tensor& self, std::string_view ord, Tensor& result) {
  return write_to_out(at::linalg_cond(self, ord), result);
}

}  // namespace at::native
