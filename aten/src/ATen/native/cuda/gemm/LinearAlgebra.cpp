// Products of matrices and vectors on a GPU.

#define TORCH_ASSERT_ONLY_METHOD_OPERATORS
#include <ATen/core/Tensor.h>
#include <ATen/native/LinearAlgebraUtils.h>
#include <ATen/native/cuda/Gemm.h>
#include <ATen/ops/_addmm_activation_native.h>
#include <ATen/ops/addmm_native.h>
#include <ATen/ops/addmv_native.h>
#include <ATen/ops/baddbmm_native.h>
#include <ATen/ops/bmm_native.h>
#include <ATen/ops/dot_native.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/mm_native.h>
#include <c10/core/Scalar.h>
#include <c10/core/ScalarType.h>
#include <c10/util/Exception.h>
#include <c10/util/complex_type.h>

namespace at::native {
namespace {

// A matrix, or with three dimensions a batch of them.
template <typename Pointer>
GemmOperand<Pointer> operand(const Tensor& t, Pointer data) {
  const int64_t d = t.dim();
  return {data, d == 3 ? t.stride(0) : 0, t.stride(d - 2), t.stride(d - 1)};
}

// result = alpha * a @ b + beta * source, whose shapes fit. Complex factors are applied afterwards.
void product_into(const Tensor& result, const Tensor& a, const Tensor& b, const Tensor& source,
                  const Scalar& beta, const Scalar& alpha) {
  if (result.numel() == 0) return;
  if (beta.isComplex() || alpha.isComplex()) {
    const bool unread = beta.to<c10::complex<double>>() == c10::complex<double>(0);
    const Tensor added = unread ? Tensor() : source.mul(beta);
    product_into(result, a, b, result, 0, 1);
    result.mul_(alpha);
    if (!unread) result.add_(added);
    return;
  }
  const int64_t d = result.dim();
  GemmProblem problem{};
  problem.batch = d == 3 ? result.size(0) : 1;
  problem.m = result.size(d - 2);
  problem.n = result.size(d - 1);
  problem.k = a.size(d - 1);
  problem.a = operand<const void*>(a, a.const_data_ptr());
  problem.b = operand<const void*>(b, b.const_data_ptr());
  problem.source = operand<const void*>(source, source.const_data_ptr());
  problem.result = operand<void*>(result, result.mutable_data_ptr());
  problem.alpha = alpha.to<double>();
  problem.beta = beta.to<double>();
  if (has_gemm_library()) {
    if (problem.beta != 0 && problem.source.data != problem.result.data) {
      result.copy_(source);
      problem.source = operand<const void*>(result, result.const_data_ptr());
    }
    if (gemm_by_library(result.scalar_type(), problem)) return;
  }
  gemm(result.scalar_type(), problem);
}

// The shape of a result whose bias is a row that the library can add; false for others.
bool fits_library(const Tensor& self, const Tensor& mat1, const Tensor& mat2, const Scalar& beta,
                  const Scalar& alpha) {
  return has_gemm_library() && mat1.dim() == 2 && mat2.dim() == 2 && self.dim() == 1 &&
         mat1.size(1) == mat2.size(0) && self.size(0) == mat2.size(1) && self.is_contiguous() &&
         self.device() == mat1.device() && mat1.device() == mat2.device() &&
         self.scalar_type() == mat1.scalar_type() && mat1.scalar_type() == mat2.scalar_type() &&
         beta.equal(1) && !alpha.isComplex();
}

bool addmm_activation_into(const Tensor& self, const Tensor& mat1, const Tensor& mat2,
                           const Scalar& alpha, bool use_gelu, const Tensor& result) {
  GemmProblem problem{};
  problem.batch = 1;
  problem.m = mat1.size(0);
  problem.n = mat2.size(1);
  problem.k = mat1.size(1);
  problem.a = operand<const void*>(mat1, mat1.const_data_ptr());
  problem.b = operand<const void*>(mat2, mat2.const_data_ptr());
  problem.result = operand<void*>(result, result.mutable_data_ptr());
  problem.alpha = alpha.to<double>();
  problem.beta = 1;
  return gemm_with_bias_by_library(result.scalar_type(), problem, self.const_data_ptr(),
                                   use_gelu ? Activation::GELU : Activation::RELU);
}

}  // namespace

Tensor _addmm_activation_cuda(const Tensor& self, const Tensor& mat1, const Tensor& mat2,
                              const Scalar& beta, const Scalar& alpha, bool use_gelu) {
  if (fits_library(self, mat1, mat2, beta, alpha)) {
    Tensor result = at::empty({mat1.size(0), mat2.size(1)}, mat1.options());
    if (addmm_activation_into(self, mat1, mat2, alpha, use_gelu, result)) return result;
  }
  return _addmm_activation(self, mat1, mat2, beta, alpha, use_gelu);
}

TORCH_IMPL_FUNC(mm_out_cuda)(const Tensor& self, const Tensor& mat2, const Tensor& result) {
  product_into(result, self, mat2, result, 0, 1);
}

TORCH_IMPL_FUNC(bmm_out_cuda)(const Tensor& self, const Tensor& mat2, const Tensor& result) {
  product_into(result, self, mat2, result, 0, 1);
}

TORCH_IMPL_FUNC(addmm_out_cuda)
(const Tensor& self, const Tensor& mat1, const Tensor& mat2, const Scalar& beta,
 const Scalar& alpha, const Tensor& result) {
  product_into(result, mat1, mat2, self.expand(result.sizes()), beta, alpha);
}

TORCH_IMPL_FUNC(baddbmm_out_cuda)
(const Tensor& self, const Tensor& batch1, const Tensor& batch2, const Scalar& beta,
 const Scalar& alpha, const Tensor& result) {
  product_into(result, batch1, batch2, self.expand(result.sizes()), beta, alpha);
}

TORCH_IMPL_FUNC(addmv_out_cuda)
(const Tensor& self, const Tensor& mat, const Tensor& vec, const Scalar& beta, const Scalar& alpha,
 const Tensor& result) {
  product_into(result.unsqueeze(1), mat, vec.unsqueeze(1), self.expand(result.sizes()).unsqueeze(1),
               beta, alpha);
}

Tensor dot_cuda(const Tensor& self, const Tensor& tensor) {
  dot_check(self, tensor);
  return self.mul(tensor).sum(self.scalar_type());
}

}  // namespace at::native
