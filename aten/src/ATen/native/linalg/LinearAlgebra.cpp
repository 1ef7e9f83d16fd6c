// Products of matrices and vectors.

#define TORCH_ASSERT_ONLY_METHOD_OPERATORS
#include <ATen/ExpandUtils.h>
#include <ATen/Parallel.h>
#include <ATen/TensorMeta.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/CPUBlas.h>
#include <ATen/native/LinearAlgebraUtils.h>
#include <ATen/native/OutVariant.h>
#include <ATen/native/Resize.h>
#include <ATen/ops/_unsafe_view.h>
#include <ATen/ops/addmm.h>
#include <ATen/ops/addmm_native.h>
#include <ATen/ops/addmv.h>
#include <ATen/ops/addmv_native.h>
#include <ATen/ops/bmm.h>
#include <ATen/ops/bmm_native.h>
#include <ATen/ops/dot.h>
#include <ATen/ops/dot_native.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/linear_native.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/matmul_native.h>
#include <ATen/ops/mm_native.h>
#include <ATen/ops/mv_native.h>
#include <ATen/ops/outer_native.h>
#include <ATen/ops/zeros.h>
#include <c10/core/Scalar.h>
#include <c10/core/ScalarType.h>
#include <c10/util/Exception.h>
#include <c10/util/complex_type.h>

#include <algorithm>
#include <vector>

namespace at::meta {
namespace {

void check_addmm(const Tensor& mat1, const Tensor& mat2) {
  TORCH_CHECK(mat1.dim() == 2, "mat1 must be a matrix, got ", mat1.dim(), "-D tensor");
  TORCH_CHECK(mat2.dim() == 2, "mat2 must be a matrix, got ", mat2.dim(), "-D tensor");
  TORCH_CHECK(mat1.sizes()[1] == mat2.sizes()[0], "mat1 and mat2 shapes cannot be multiplied (",
              mat1.sizes()[0], "x", mat1.sizes()[1], " and ", mat2.sizes()[0], "x", mat2.sizes()[1],
              ")");
}

// Messages of products name types as C++ does.
const char* cpp_type_name(ScalarType type) {
  switch (type) {
    case ScalarType::Byte:
      return "unsigned char";
    case ScalarType::Char:
      return "signed char";
    case ScalarType::Short:
      return "short int";
    case ScalarType::Int:
      return "int";
    case ScalarType::Long:
      return "long int";
    case ScalarType::Half:
      return "c10::Half";
    case ScalarType::BFloat16:
      return "c10::BFloat16";
    case ScalarType::Float:
      return "float";
    case ScalarType::Double:
      return "double";
    case ScalarType::Bool:
      return "bool";
    default:
      return c10::toString(type);
  }
}

void check_same_dtype(const char* name, const Tensor& a, const Tensor& b) {
  TORCH_CHECK(a.scalar_type() == b.scalar_type(), "expected ", name,
              " to have the same dtype, but got: ", cpp_type_name(a.scalar_type()),
              " != ", cpp_type_name(b.scalar_type()));
}

}  // namespace

TORCH_META_FUNC(mm)(const Tensor& self, const Tensor& mat2) {
  TORCH_CHECK(self.dim() == 2, "self must be a matrix");
  TORCH_CHECK(mat2.dim() == 2, "mat2 must be a matrix");
  check_addmm(self, mat2);
  check_same_dtype("m1 and m2", self, mat2);
  set_output_raw_strided(0, {self.sizes()[0], mat2.sizes()[1]}, {}, self.options());
}

TORCH_META_FUNC(addmm)
(const Tensor& self, const Tensor& mat1, const Tensor& mat2, const Scalar& beta,
 const Scalar& alpha) {
  check_addmm(mat1, mat2);
  TORCH_CHECK(self.scalar_type() == mat2.scalar_type(),
              "self and mat2 must have the same dtype, but got ", self.scalar_type(), " and ",
              mat2.scalar_type());
  TORCH_CHECK(mat1.scalar_type() == mat2.scalar_type(),
              "mat1 and mat2 must have the same dtype, but got ", mat1.scalar_type(), " and ",
              mat2.scalar_type());
  const std::vector<int64_t> sizes = {mat1.sizes()[0], mat2.sizes()[1]};
  const Tensor& out = maybe_get_output();
  TORCH_CHECK(!(out.defined() && out.is_same(self)) || self.sizes() == IntArrayRef(sizes),
              "Bad in-place call: input tensor size ", self.sizes(), " and output tensor size ",
              IntArrayRef(sizes), " should match");
  set_output_raw_strided(0, sizes, {}, self.options());
}

TORCH_META_FUNC(addmv)
(const Tensor& self, const Tensor& mat, const Tensor& vec, const Scalar& beta,
 const Scalar& alpha) {
  TORCH_CHECK(mat.dim() == 2 && vec.dim() == 1 && self.dim() <= 1,
              "vector + matrix @ vector expected, got ", self.dim(), ", ", mat.dim(), ", ",
              vec.dim());
  TORCH_CHECK(mat.size(1) == vec.size(0) && (mat.size(0) == self.numel() || self.numel() == 1),
              "size mismatch, got input (", self.dim() == 0 ? 1 : self.size(0), "), mat (",
              mat.size(0), "x", mat.size(1), "), vec (", vec.size(0), ")");
  TORCH_CHECK(mat.scalar_type() == vec.scalar_type() && self.scalar_type() == vec.scalar_type(),
              "addmv input tensors must have the same dtype, but got ", self.scalar_type(), ", ",
              mat.scalar_type(), ", and ", vec.scalar_type());
  set_output_raw_strided(0, IntArrayRef(mat.sizes().data(), 1), {}, mat.options());
}

TORCH_META_FUNC(bmm)(const Tensor& self, const Tensor& mat2) {
  TORCH_CHECK(self.dim() == 3, "batch1 must be a 3D tensor");
  TORCH_CHECK(mat2.dim() == 3, "batch2 must be a 3D tensor");
  const int64_t bs = self.size(0);
  const int64_t contraction = self.size(2);
  TORCH_CHECK(mat2.size(0) == bs && mat2.size(1) == contraction,
              "Expected size for first two dimensions of batch2 tensor to be: [", bs, ", ",
              contraction, "] but got: [", mat2.size(0), ", ", mat2.size(1), "].");
  TORCH_CHECK(self.scalar_type() == mat2.scalar_type(), "expected scalar type ", self.scalar_type(),
              " but found ", mat2.scalar_type());
  set_output_raw_strided(0, {bs, self.size(1), mat2.size(2)}, {}, mat2.options());
}

}  // namespace at::meta

namespace at::native {
namespace {

using cpublas::TransposeType;

// How BLAS sees a matrix that is stored by columns: itself, or transposed when rows are contiguous.
struct BlasMatrix {
  Tensor storage;
  TransposeType trans;
  int64_t ld;
};

// Copies only a matrix that is contiguous in neither direction.
BlasMatrix as_blas(const Tensor& m) {
  const int64_t rows = m.size(0);
  const int64_t columns = m.size(1);
  if (m.stride(0) == 1 && m.stride(1) >= std::max<int64_t>(rows, 1)) {
    return {m, TransposeType::NoTranspose, m.stride(1)};
  }
  if (m.stride(1) == 1 && m.stride(0) >= std::max<int64_t>(columns, 1)) {
    return {m, TransposeType::Transpose, m.stride(0)};
  }
  const Tensor copy = m.clone(MemoryFormat::Contiguous);
  return {copy, TransposeType::Transpose, std::max<int64_t>(columns, 1)};
}

// Multiply-adds that one thread does.
constexpr int64_t kSmallProduct = 64 * 64 * 64;

// The matrices of a batch as BLAS reads them, and how far apart they are.
struct BlasBatch {
  Tensor storage;
  TransposeType trans;
  int64_t ld;
  int64_t step;
};

BlasBatch as_blas_batch(const Tensor& t) {
  const int64_t rows = t.size(1);
  const int64_t columns = t.size(2);
  if (t.stride(1) == 1 && t.stride(2) >= std::max<int64_t>(rows, 1)) {
    return {t, TransposeType::NoTranspose, t.stride(2), t.stride(0)};
  }
  if (t.stride(2) == 1 && t.stride(1) >= std::max<int64_t>(columns, 1)) {
    return {t, TransposeType::Transpose, t.stride(1), t.stride(0)};
  }
  return {t.clone(MemoryFormat::Contiguous), TransposeType::Transpose,
          std::max<int64_t>(columns, 1), rows * columns};
}

TransposeType flip(TransposeType t) {
  return t == TransposeType::Transpose ? TransposeType::NoTranspose : TransposeType::Transpose;
}

// result = beta * result + alpha * m1 @ m2, where result is contiguous: as BLAS stores it, that is
// result^T = m2^T @ m1^T.
void gemm_into(const Tensor& result, const Tensor& m1, const Tensor& m2, double beta,
               double alpha) {
  const BlasMatrix a = as_blas(m2);
  const BlasMatrix b = as_blas(m1);
  cpublas::gemm(flip(a.trans), flip(b.trans), m2.size(1), m1.size(0), m1.size(1), alpha,
                a.storage.const_data_ptr(), a.ld, b.storage.const_data_ptr(), b.ld, beta,
                result.mutable_data_ptr(), std::max<int64_t>(m2.size(1), 1), result.scalar_type());
}

void addmm_into(const Tensor& result, const Tensor& m1, const Tensor& m2, double beta,
                double alpha) {
  if (result.numel() == 0) return;
  if (result.is_contiguous()) {
    gemm_into(result, m1, m2, beta, alpha);
    return;
  }
  const Tensor out = beta == 0 ? at::empty(result.sizes(), result.options())
                               : result.clone(MemoryFormat::Contiguous);
  gemm_into(out, m1, m2, beta, alpha);
  result.copy_(out);
}

// result = beta * self + product; a beta of 0 leaves self unread. For complex factors, which the
// BLAS calls above do not take.
void add_scaled(const Tensor& self, const Scalar& beta, const Tensor& product,
                const Tensor& result) {
  const bool unread = beta.to<c10::complex<double>>() == c10::complex<double>(0);
  result.copy_(unread ? product : self.mul(beta).add(product));
}

}  // namespace

TORCH_IMPL_FUNC(mm_out_cpu)(const Tensor& self, const Tensor& mat2, const Tensor& result) {
  addmm_into(result, self, mat2, 0, 1);
}

TORCH_IMPL_FUNC(addmm_out_cpu)
(const Tensor& self, const Tensor& mat1, const Tensor& mat2, const Scalar& beta,
 const Scalar& alpha, const Tensor& result) {
  if (beta.isComplex() || alpha.isComplex()) {
    Tensor product = at::empty(result.sizes(), result.options());
    addmm_into(product, mat1, mat2, 0, 1);
    add_scaled(self, beta, product.mul_(alpha), result);
    return;
  }
  const double b = beta.to<double>();
  if (b != 0 && !result.is_same(self)) result.copy_(self.expand(result.sizes()));
  addmm_into(result, mat1, mat2, b, alpha.to<double>());
}

TORCH_IMPL_FUNC(addmv_out_cpu)
(const Tensor& self, const Tensor& mat, const Tensor& vec, const Scalar& beta, const Scalar& alpha,
 const Tensor& result) {
  if (beta.isComplex() || alpha.isComplex()) {
    Tensor product = at::zeros(result.sizes(), result.options());
    at::addmv_out(product, product, mat, vec, /*beta=*/0, /*alpha=*/1);
    add_scaled(self, beta, product.mul_(alpha), result);
    return;
  }
  const double b = beta.to<double>();
  if (b != 0 && !result.is_same(self)) result.copy_(self.expand(result.sizes()));
  if (result.numel() == 0) return;
  cpublas::gemv(mat.size(0), mat.size(1), alpha.to<double>(), mat.const_data_ptr(), mat.stride(0),
                mat.stride(1), vec.const_data_ptr(), vec.stride(0), b, result.mutable_data_ptr(),
                result.stride(0), result.scalar_type());
}

Tensor mv(const Tensor& self, const Tensor& vec) {
  Tensor result = at::empty({0}, vec.options());
  TORCH_CHECK(self.dim() == 2 && vec.dim() == 1, "vector + matrix @ vector expected, got 1, ",
              self.dim(), ", ", vec.dim());
  result.resize_({self.size(0)});
  return at::addmv(result, self, vec, /*beta=*/0, /*alpha=*/1);
}

namespace {

Tensor inner_product(const Tensor& self, const Tensor& tensor, bool conjugated) {
  dot_check(self, tensor);
  Tensor result = at::empty({}, self.options());
  cpublas::dot(self.numel(), self.const_data_ptr(), self.stride(0), tensor.const_data_ptr(),
               tensor.stride(0), result.mutable_data_ptr(), self.scalar_type(), conjugated);
  return result;
}

}  // namespace

Tensor dot(const Tensor& self, const Tensor& tensor) {
  return inner_product(self, tensor, /*conjugated=*/false);
}

Tensor dot_of_conjugates(const Tensor& self, const Tensor& tensor) {
  if (!self.is_cpu() || !tensor.is_cpu() || self.is_conj() == tensor.is_conj()) {
    return at::dot(self.resolve_conj(), tensor.resolve_conj());
  }
  const Tensor& conjugate = self.is_conj() ? self : tensor;
  const Tensor& other = self.is_conj() ? tensor : self;
  return inner_product(conjugate.conj().resolve_neg(), other.resolve_neg(), /*conjugated=*/true);
}

TORCH_IMPL_FUNC(bmm_out_cpu)(const Tensor& self, const Tensor& mat2, const Tensor& result) {
  if (result.numel() == 0) return;
  if (!result.is_contiguous()) {
    result.copy_(at::bmm(self, mat2));
    return;
  }
  const int64_t m = mat2.size(2);
  const int64_t n = self.size(1);
  const int64_t k = self.size(2);
  const BlasBatch a = as_blas_batch(mat2);
  const BlasBatch b = as_blas_batch(self);
  const auto size = static_cast<int64_t>(result.element_size());
  const auto* pa = static_cast<const char*>(a.storage.const_data_ptr());
  const auto* pb = static_cast<const char*>(b.storage.const_data_ptr());
  auto* out = static_cast<char*>(result.mutable_data_ptr());
  const auto multiply = [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      cpublas::gemm(flip(a.trans), flip(b.trans), m, n, k, 1, pa + i * a.step * size, a.ld,
                    pb + i * b.step * size, b.ld, 0, out + i * m * n * size, m,
                    result.scalar_type());
    }
  };
  // Threads share the small matrices of a batch, and each of the large ones.
  const int64_t work = m * n * std::max<int64_t>(k, 1);
  if (work > kSmallProduct) {
    multiply(0, result.size(0));
  } else {
    at::parallel_for(0, result.size(0), kSmallProduct / work, multiply);
  }
}

Tensor outer(const Tensor& self, const Tensor& vec2) {
  TORCH_CHECK(self.dim() == 1, "outer: Expected 1-D argument self, but got ", self.dim(), "-D");
  TORCH_CHECK(vec2.dim() == 1, "outer: Expected 1-D argument vec2, but got ", vec2.dim(), "-D");
  return self.unsqueeze(1).mul(vec2);
}

// Vectors become matrices for the product and lose that dimension again; more dimensions are
// batches, which broadcast.
Tensor matmul(const Tensor& self, const Tensor& other) {
  const int64_t dim1 = self.dim();
  const int64_t dim2 = other.dim();
  TORCH_CHECK(dim1 != 0 && dim2 != 0,
              "both arguments to matmul need to be at least 1D, but they are ", dim1, "D and ",
              dim2, "D");
  if (dim1 == 1 && dim2 == 1) return self.dot(other);
  if (dim1 == 2 && dim2 == 1) return self.mv(other);
  // The product is a temporary; do not record a view of it.
  if (dim1 == 1 && dim2 == 2) {
    const Tensor row = self.unsqueeze(0).mm(other);
    return at::_unsafe_view(row, {row.size(1)});
  }
  if (dim1 == 2 && dim2 == 2) return self.mm(other);
  if (dim1 >= 3 && dim2 <= 2) {
    // One product with all batches stacked.
    std::vector<int64_t> shape = self.sizes().vec();
    const int64_t inner = shape.back();
    shape.pop_back();
    int64_t rows = 1;
    for (const int64_t size : shape) rows *= size;
    const Tensor stacked = self.reshape({rows, inner});
    if (dim2 == 1) return at::_unsafe_view(stacked.mv(other), shape);
    shape.push_back(other.size(1));
    return at::_unsafe_view(stacked.mm(other), shape);
  }
  const Tensor t1 = dim1 == 1 ? self.unsqueeze(0) : self;
  const Tensor t2 = dim2 == 1 ? other.unsqueeze(1) : other;
  const int64_t n = t1.size(-2);
  const int64_t m1 = t1.size(-1);
  const int64_t m2 = t2.size(-2);
  const int64_t p = t2.size(-1);
  const IntArrayRef batch1(t1.sizes().data(), static_cast<size_t>(t1.dim() - 2));
  const IntArrayRef batch2(t2.sizes().data(), static_cast<size_t>(t2.dim() - 2));
  const std::vector<int64_t> batch = at::infer_size(batch1, batch2);
  int64_t batches = 1;
  for (const int64_t size : batch) batches *= size;
  const auto with_batch = [&](int64_t rows, int64_t columns) {
    std::vector<int64_t> shape = batch;
    shape.push_back(rows);
    shape.push_back(columns);
    return shape;
  };
  const Tensor a = t1.expand(with_batch(n, m1)).reshape({batches, n, m1});
  const Tensor b = t2.expand(with_batch(m2, p)).reshape({batches, m2, p});
  std::vector<int64_t> shape = batch;
  if (dim1 != 1) shape.push_back(n);
  if (dim2 != 1) shape.push_back(p);
  return at::_unsafe_view(a.bmm(b), shape);
}

// input @ weight^T + bias. A two-dimensional input with a bias is one addmm.
Tensor linear(const Tensor& input, const Tensor& weight, const std::optional<Tensor>& bias_opt) {
  const int64_t input_dim = input.dim();
  const int64_t weight_dim = weight.dim();
  TORCH_CHECK(input_dim != 0 && weight_dim != 0,
              "both arguments to linear need to be at least 1D, but they are ", input_dim, "D and ",
              weight_dim, "D");
  const bool has_bias = bias_opt.has_value() && bias_opt->defined();
  if (input_dim == 2 && has_bias) return at::addmm(*bias_opt, input, weight.t());
  if (input_dim == 3 && has_bias && input.is_contiguous() && weight_dim == 2) {
    const Tensor rows = input.view({input.size(0) * input.size(1), input.size(2)});
    const Tensor product = at::addmm(*bias_opt, rows, weight.t());
    return product.view({input.size(0), input.size(1), product.size(1)});
  }
  const Tensor output = at::matmul(input, weight.t());
  return has_bias ? output.add(*bias_opt) : output;
}

Tensor& linear_out(const Tensor& input, const Tensor& weight, const std::optional<Tensor>& bias,
                   Tensor& output) {
  return write_out(output, at::linear(input, weight, bias));
}

}  // namespace at::native
