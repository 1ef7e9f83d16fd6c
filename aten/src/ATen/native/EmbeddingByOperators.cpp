// Gradients of embeddings, for devices without kernels of their own.

// The kernels have the name of the first backend that ran them.

#define TORCH_ASSERT_ONLY_METHOD_OPERATORS
#include <ATen/core/Tensor.h>
#include <ATen/ops/embedding_dense_backward_native.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/zeros.h>
#include <c10/core/ScalarType.h>

namespace at::native {

// Sums the gradients of every place that a row was used at. The row `padding_idx` receives none.
Tensor embedding_dense_backward_cuda(const Tensor& grad, const Tensor& indices, int64_t num_weights,
                                     int64_t padding_idx, bool scale_grad_by_freq) {
  const Tensor flat = indices.reshape({-1}).to(kLong);
  Tensor rows = grad.reshape({flat.numel(), grad.size(-1)});
  if (scale_grad_by_freq) {
    const Tensor ones = at::ones({flat.numel()}, grad.options());
    const Tensor counts = at::zeros({num_weights}, grad.options()).index_add(0, flat, ones, 1);
    rows = rows.div(counts.index_select(0, flat).unsqueeze(1));
  }
  Tensor result = at::zeros({num_weights, grad.size(-1)}, grad.options());
  result.index_add_(0, flat, rows, 1);
  if (padding_idx >= 0 && padding_idx < num_weights) result.select(0, padding_idx).zero_();
  return result;
}

}  // namespace at::native
