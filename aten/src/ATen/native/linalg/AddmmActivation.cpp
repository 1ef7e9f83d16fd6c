// A product of matrices with a bias and an activation, which a GPU's library does in one pass.

#define TORCH_ASSERT_ONLY_METHOD_OPERATORS
#include <ATen/core/Tensor.h>
#include <ATen/ops/_addmm_activation_native.h>
#include <ATen/ops/addmm.h>
#include <ATen/ops/gelu.h>
#include <ATen/ops/relu.h>
#include <c10/core/Scalar.h>

namespace at::native {
namespace {

// GPUs' libraries approximate GELU, so what runs on a GPU without one does, too.
void activate(Tensor& result, bool use_gelu) {
  if (!use_gelu) {
    at::relu_(result);
  } else {
    at::gelu_(result, result.is_cpu() ? "none" : "tanh");
  }
}

}  // namespace

Tensor _addmm_activation(const Tensor& self, const Tensor& mat1, const Tensor& mat2,
                         const Scalar& beta, const Scalar& alpha, bool use_gelu) {
  Tensor result = at::addmm(self, mat1, mat2, beta, alpha);
  activate(result, use_gelu);
  return result;
}

Tensor& _addmm_activation_out(const Tensor& self, const Tensor& mat1, const Tensor& mat2,
                              const Scalar& beta, const Scalar& alpha, bool use_gelu, Tensor& out) {
  at::addmm_out(out, self, mat1, mat2, beta, alpha);
  activate(out, use_gelu);
  return out;
}

}  // namespace at::native
