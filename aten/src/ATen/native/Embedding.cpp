// Rows of a table by their indices.

#define TORCH_ASSERT_ONLY_METHOD_OPERATORS
#include <ATen/core/Tensor.h>
#include <ATen/ops/embedding_backward_native.h>
#include <ATen/ops/embedding_dense_backward.h>
#include <ATen/ops/embedding_dense_backward_native.h>
#include <ATen/ops/embedding_native.h>
#include <ATen/ops/zeros.h>
#include <c10/core/ScalarType.h>
#include <c10/util/Exception.h>

#include <vector>

namespace at::native {
namespace {

void check_indices(const Tensor& indices) {
  TORCH_CHECK(
      indices.scalar_type() == kLong || indices.scalar_type() == kInt,
      "Expected tensor for argument #1 'indices' to have one of the following scalar types: Long, Int; but got ",
      indices.is_cuda() ? "torch.cuda." : "torch.", indices.scalar_type(),
      "Tensor instead (while checking arguments for embedding)");
}

}  // namespace

Tensor embedding(const Tensor& weight, const Tensor& indices, int64_t padding_idx,
                 bool scale_grad_by_freq, bool sparse) {
  TORCH_CHECK(weight.dim() == 2, "'weight' must be 2-D");
  check_indices(indices);
  if (indices.dim() == 1) return weight.index_select(0, indices);
  std::vector<int64_t> size = indices.sizes().vec();
  size.push_back(weight.size(1));
  return weight.index_select(0, indices.reshape({-1})).view(size);
}

Tensor embedding_backward(const Tensor& grad, const Tensor& indices, int64_t num_weights,
                          int64_t padding_idx, bool scale_grad_by_freq, bool sparse) {
  TORCH_CHECK(!sparse, "embedding: no kernel for sparse gradients");
  return at::embedding_dense_backward(grad, indices, num_weights, padding_idx, scale_grad_by_freq);
}

// Sums the gradients of every place that a row was used at. The row `padding_idx` receives none.
Tensor embedding_dense_backward_cpu(const Tensor& grad, const Tensor& indices, int64_t num_weights,
                                    int64_t padding_idx, bool scale_grad_by_freq) {
  check_indices(indices);
  const Tensor flat = indices.reshape({-1}).to(kLong).contiguous();
  Tensor rows = grad.reshape({flat.numel(), grad.size(-1)});
  const auto* index = flat.const_data_ptr<int64_t>();
  if (scale_grad_by_freq) {
    std::vector<double> counts(static_cast<size_t>(num_weights));
    for (int64_t i = 0; i < flat.numel(); ++i) counts[static_cast<size_t>(index[i])] += 1;
    Tensor scale = at::zeros({flat.numel(), 1}, grad.options().dtype(kDouble));
    auto* s = scale.mutable_data_ptr<double>();
    for (int64_t i = 0; i < flat.numel(); ++i) s[i] = 1 / counts[static_cast<size_t>(index[i])];
    rows = rows.mul(scale.to(grad.scalar_type()));
  }
  Tensor result = at::zeros({num_weights, grad.size(-1)}, grad.options());
  result.index_add_(0, flat, rows, 1);
  if (padding_idx >= 0 && padding_idx < num_weights) result.select(0, padding_idx).zero_();
  return result;
}

}  // namespace at::native
