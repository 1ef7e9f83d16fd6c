#pragma once

// What losses that compare two tensors element by element share.

#include <ATen/TensorIterator.h>
#include <ATen/core/Reduction.h>
#include <ATen/core/Tensor.h>

namespace at::native {

// The mean, the sum, or the loss itself, by at::Reduction.
inline Tensor apply_loss_reduction(const Tensor& unreduced, int64_t reduction) {
  if (reduction == at::Reduction::Mean) return unreduced.mean();
  if (reduction == at::Reduction::Sum) return unreduced.sum();
  return unreduced;
}

// The mean or the sum, which Loss.cpp computes.
Tensor& reduce_loss_out(Tensor& result, const Tensor& unreduced, int64_t reduction);

// The gradient of the input, from the input, the target and the gradient of the loss.
inline TensorIterator loss_backward_iterator(const Tensor& grad_input, const Tensor& input,
                                             const Tensor& target, const Tensor& grad_output) {
  return TensorIteratorConfig()
      .add_output(grad_input)
      .add_input(input)
      .add_input(target)
      .add_input(grad_output)
      .promote_inputs_to_common_dtype(true)
      .cast_common_dtype_to_outputs(true)
      .enforce_safe_casting_to_output(true)
      .build();
}

}  // namespace at::native
