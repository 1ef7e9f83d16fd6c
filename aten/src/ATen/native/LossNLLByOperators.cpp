// Negative log likelihood, for devices without kernels of their own, out of gathers and sums.

// The kernels have the name of the first backend that ran them.

#define TORCH_ASSERT_ONLY_METHOD_OPERATORS
#include <ATen/core/Reduction.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/nll_loss_backward_native.h>
#include <ATen/ops/nll_loss_forward_native.h>
#include <ATen/ops/ones.h>
#include <c10/core/ScalarType.h>
#include <c10/util/Exception.h>

namespace at::native {
namespace {

// The class of each row, and its weight: 0 for rows that are ignored.
struct Classes {
  Classes(const Tensor& input, const Tensor& target, OptionalTensorRef weight,
          int64_t ignore_index) {
    TORCH_CHECK(target.scalar_type() == kLong || target.scalar_type() == kByte,
                "expected target dtype to be Long or Byte, but got ", target.scalar_type());
    const Tensor classes = target.to(kLong).reshape({-1});
    ignored = classes.eq(ignore_index);
    index = classes.masked_fill(ignored, 0);
    weights = weight.has_value() && weight->defined() ? weight->index_select(0, index)
                                                      : at::ones(index.sizes(), input.options());
    weights = weights.masked_fill(ignored, 0);
  }
  Tensor ignored;
  Tensor index;
  Tensor weights;
};

}  // namespace

TORCH_IMPL_FUNC(nll_loss_forward_out_cuda)
(const Tensor& self, const Tensor& target, OptionalTensorRef weight, int64_t reduction,
 int64_t ignore_index, const Tensor& output, const Tensor& total_weight) {
  const Tensor input = self.dim() == 1 ? self.unsqueeze(0) : self;
  const Classes classes(input, target, weight, ignore_index);
  const Tensor losses = input.gather(1, classes.index.unsqueeze(1))
                            .squeeze(1)
                            .mul(classes.weights)
                            .neg()
                            .masked_fill(classes.ignored, 0);
  if (reduction == at::Reduction::None) {
    output.copy_(losses.view(output.sizes()));
    total_weight.zero_();
    return;
  }
  const Tensor sum = losses.sum();
  const Tensor weight_sum = classes.weights.sum();
  // The mean over nothing is NaN.
  output.copy_(reduction == at::Reduction::Mean ? sum.div(weight_sum) : sum);
  total_weight.copy_(weight_sum);
}

TORCH_IMPL_FUNC(nll_loss_backward_out_cuda)
(const Tensor& grad_output, const Tensor& self, const Tensor& target, OptionalTensorRef weight,
 int64_t reduction, int64_t ignore_index, const Tensor& total_weight, const Tensor& grad_input) {
  grad_input.zero_();
  const Tensor rows = grad_input.dim() == 1 ? grad_input.unsqueeze(0) : grad_input;
  const Classes classes(self, target, weight, ignore_index);
  Tensor scale = grad_output.neg();
  if (reduction == at::Reduction::Mean) scale = scale.div(total_weight);
  const Tensor grads = classes.weights.mul(scale).masked_fill(classes.ignored, 0);
  rows.scatter_(1, classes.index.unsqueeze(1), grads.unsqueeze(1));
}

}  // namespace at::native
