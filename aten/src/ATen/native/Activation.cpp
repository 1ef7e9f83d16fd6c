// Activation functions and their gradients.

#define TORCH_ASSERT_ONLY_METHOD_OPERATORS
#include <ATen/native/Activation.h>

#include <ATen/TensorIterator.h>
#include <ATen/TensorMeta.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/clamp_min.h>
#include <ATen/ops/gelu_backward_native.h>
#include <ATen/ops/gelu_native.h>
#include <ATen/ops/leaky_relu_backward_native.h>
#include <ATen/ops/leaky_relu_native.h>
#include <ATen/ops/relu_native.h>
#include <ATen/ops/silu_backward_native.h>
#include <ATen/ops/silu_native.h>
#include <ATen/ops/softplus_backward_native.h>
#include <ATen/ops/softplus_native.h>
#include <ATen/ops/threshold_backward_native.h>
#include <ATen/ops/threshold_native.h>
#include <c10/core/Scalar.h>
#include <c10/core/ScalarType.h>
#include <c10/util/Exception.h>

namespace at::native {

GeluType get_gelutype_enum(std::string_view approximate) {
  if (approximate == "none") return GeluType::None;
  if (approximate == "tanh") return GeluType::Tanh;
  TORCH_CHECK(false, "approximate argument must be either none or tanh.");
}

}  // namespace at::native

namespace at::meta {

TORCH_META_FUNC(threshold)
(const Tensor& self, const Scalar& threshold, const Scalar& value) {
  const Tensor& result = maybe_get_output();
  build(TensorIteratorConfig()
            .set_check_mem_overlap(false)  // threshold is idempotent, so overlap is okay
            .add_output(result)
            .add_input(self)
            .add_input(self)  // other
            .allow_cpu_scalars(true)
            .promote_inputs_to_common_dtype(true)
            .cast_common_dtype_to_outputs(true)
            .enforce_safe_casting_to_output(true));
}

// Where the argument is above the threshold the gradient passes, elsewhere it is 0.
TORCH_META_FUNC(threshold_backward)
(const Tensor& grad, const Tensor& self, const Scalar& threshold) {
  const Tensor& grad_input = maybe_get_output();
  build(TensorIteratorConfig()
            .set_check_mem_overlap(false)  // threshold is idempotent, so overlap is okay
            .add_output(grad_input)
            .add_input(self)
            .add_input(grad)  // other
            .allow_cpu_scalars(true)
            .promote_inputs_to_common_dtype(true)
            .cast_common_dtype_to_outputs(true)
            .enforce_safe_casting_to_output(true));
}

TORCH_META_FUNC(gelu)(const Tensor& self, std::string_view approximate) {
  build_unary_op(maybe_get_output(), self);
}

TORCH_META_FUNC(gelu_backward)
(const Tensor& grad, const Tensor& self, std::string_view approximate) {
  build_borrowing_binary_op(maybe_get_output(), grad, self);
}

TORCH_META_FUNC(silu)(const Tensor& self) { build_unary_op(maybe_get_output(), self); }

TORCH_META_FUNC(silu_backward)(const Tensor& grad_output, const Tensor& input) {
  build_borrowing_binary_op(maybe_get_output(), grad_output, input);
}

TORCH_META_FUNC(leaky_relu)(const Tensor& self, const Scalar& negative_slope) {
  build_unary_op(maybe_get_output(), self);
}

TORCH_META_FUNC(leaky_relu_backward)
(const Tensor& grad_output, const Tensor& self_or_result, const Scalar& negative_slope,
 bool is_result) {
  TORCH_CHECK(!is_result || negative_slope.to<double>() >= 0.0,
              "In-place leakyReLu backward calculation is triggered with a negative slope which "
              "is not supported. This is caused by calling in-place forward function with a "
              "negative slope, please call out-of-place version instead. File an issue at "
              "https://github.com/pytorch/pytorch if you do require supporting in-place leakRelu "
              "backward calculation with negative slope");
  build_borrowing_binary_op(maybe_get_output(), self_or_result, grad_output);
}

TORCH_META_FUNC(softplus)(const Tensor& self, const Scalar& beta, const Scalar& threshold) {
  build_unary_op(maybe_get_output(), self);
}

TORCH_META_FUNC(softplus_backward)
(const Tensor& grad_output, const Tensor& self, const Scalar& beta, const Scalar& threshold) {
  build_borrowing_binary_op(maybe_get_output(), grad_output, self);
}

}  // namespace at::meta

namespace at::native {

DEFINE_DISPATCH(threshold_stub);
DEFINE_DISPATCH(GeluKernel);
DEFINE_DISPATCH(GeluBackwardKernel);
DEFINE_DISPATCH(silu_stub);
DEFINE_DISPATCH(silu_backward_stub);
DEFINE_DISPATCH(leaky_relu_stub);
DEFINE_DISPATCH(leaky_relu_backward_stub);
DEFINE_DISPATCH(softplus_stub);
DEFINE_DISPATCH(softplus_backward_stub);

TORCH_IMPL_FUNC(threshold_out)
(const Tensor& self, const Scalar& threshold, const Scalar& value, const Tensor& result) {
  threshold_stub(device_type(), *this, threshold, value);
}

TORCH_IMPL_FUNC(threshold_backward_out)
(const Tensor& grad, const Tensor& self, const Scalar& threshold, const Tensor& grad_input) {
  threshold_stub(device_type(), *this, threshold, 0);
}

TORCH_IMPL_FUNC(gelu_out)
(const Tensor& self, std::string_view approximate, const Tensor& result) {
  GeluKernel(device_type(), *this, get_gelutype_enum(approximate));
}

TORCH_IMPL_FUNC(gelu_backward_out)
(const Tensor& grad, const Tensor& self, std::string_view approximate, const Tensor& grad_input) {
  GeluBackwardKernel(device_type(), *this, get_gelutype_enum(approximate));
}

TORCH_IMPL_FUNC(silu_out)(const Tensor& self, const Tensor& result) {
  silu_stub(device_type(), *this);
}

TORCH_IMPL_FUNC(silu_backward_out)
(const Tensor& grad_output, const Tensor& input, const Tensor& grad_input) {
  silu_backward_stub(device_type(), *this);
}

TORCH_IMPL_FUNC(leaky_relu_out)
(const Tensor& self, const Scalar& negative_slope, const Tensor& result) {
  leaky_relu_stub(device_type(), *this, negative_slope);
}

TORCH_IMPL_FUNC(leaky_relu_backward_out)
(const Tensor& grad_output, const Tensor& self_or_result, const Scalar& negative_slope,
 bool is_result, const Tensor& grad_input) {
  leaky_relu_backward_stub(device_type(), *this, negative_slope);
}

TORCH_IMPL_FUNC(softplus_out)
(const Tensor& self, const Scalar& beta, const Scalar& threshold, const Tensor& result) {
  softplus_stub(device_type(), *this, beta, threshold);
}

TORCH_IMPL_FUNC(softplus_backward_out)
(const Tensor& grad_output, const Tensor& self, const Scalar& beta, const Scalar& threshold,
 const Tensor& grad_input) {
  softplus_backward_stub(device_type(), *this, beta, threshold);
}

Tensor relu(const Tensor& self) {
  TORCH_CHECK(self.scalar_type() != kBool, "Boolean inputs not supported for relu");
  return at::clamp_min(self, 0);
}

Tensor& relu_(Tensor& self) {
  TORCH_CHECK(self.scalar_type() != kBool, "Boolean inputs not supported for relu");
  return at::clamp_min_(self, 0);
}

}  // namespace at::native
