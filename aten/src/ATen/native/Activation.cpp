// Activation functions and their gradients.

#define TORCH_ASSERT_ONLY_METHOD_OPERATORS
#include <ATen/native/Activation.h>

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/Dispatch.h>
#include <ATen/TensorIterator.h>
#include <ATen/TensorMeta.h>
#include <ATen/core/DistributionsHelper.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/OutVariant.h>
#include <ATen/ops/_prelu_kernel.h>
#include <ATen/ops/_prelu_kernel_backward_native.h>
#include <ATen/ops/_prelu_kernel_native.h>
#include <ATen/ops/celu_native.h>
#include <ATen/ops/clamp.h>
#include <ATen/ops/clamp_min.h>
#include <ATen/ops/elu.h>
#include <ATen/ops/elu_backward_native.h>
#include <ATen/ops/elu_native.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/gelu_backward_native.h>
#include <ATen/ops/gelu_native.h>
#include <ATen/ops/glu_backward_native.h>
#include <ATen/ops/glu_native.h>
#include <ATen/ops/hardshrink_backward_native.h>
#include <ATen/ops/hardshrink_native.h>
#include <ATen/ops/hardsigmoid_backward_native.h>
#include <ATen/ops/hardsigmoid_native.h>
#include <ATen/ops/hardswish_backward_native.h>
#include <ATen/ops/hardswish_native.h>
#include <ATen/ops/hardtanh.h>
#include <ATen/ops/hardtanh_backward_native.h>
#include <ATen/ops/hardtanh_native.h>
#include <ATen/ops/leaky_relu.h>
#include <ATen/ops/leaky_relu_backward.h>
#include <ATen/ops/leaky_relu_backward_native.h>
#include <ATen/ops/leaky_relu_native.h>
#include <ATen/ops/log_sigmoid_backward_native.h>
#include <ATen/ops/log_sigmoid_forward.h>
#include <ATen/ops/log_sigmoid_forward_native.h>
#include <ATen/ops/log_sigmoid_native.h>
#include <ATen/ops/mish_backward_native.h>
#include <ATen/ops/mish_native.h>
#include <ATen/ops/mul.h>
#include <ATen/ops/prelu_native.h>
#include <ATen/ops/relu6_native.h>
#include <ATen/ops/relu_native.h>
#include <ATen/ops/rrelu_native.h>
#include <ATen/ops/rrelu_with_noise.h>
#include <ATen/ops/rrelu_with_noise_backward_native.h>
#include <ATen/ops/rrelu_with_noise_native.h>
#include <ATen/ops/selu_native.h>
#include <ATen/ops/silu_backward_native.h>
#include <ATen/ops/silu_native.h>
#include <ATen/ops/softplus_backward_native.h>
#include <ATen/ops/softplus_native.h>
#include <ATen/ops/softshrink_backward_native.h>
#include <ATen/ops/softshrink_native.h>
#include <ATen/ops/threshold_backward_native.h>
#include <ATen/ops/threshold_native.h>
#include <c10/core/Scalar.h>
#include <c10/core/ScalarType.h>
#include <c10/core/WrapDimMinimal.h>
#include <c10/util/Exception.h>

#include <limits>
#include <mutex>
#include <optional>
#include <tuple>
#include <vector>

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
  TORCH_CHECK(
      !is_result || negative_slope.to<double>() >= 0.0,
      "In-place leakyReLu backward calculation is triggered with a negative slope which is not supported. This is caused by calling in-place forward function with a negative slope, please call out-of-place version instead. File an issue at https://github.com/pytorch/pytorch if you do require supporting in-place leakRelu backward calculation with negative slope");
  build_borrowing_binary_op(maybe_get_output(), self_or_result, grad_output);
}

TORCH_META_FUNC(softplus)(const Tensor& self, const Scalar& beta, const Scalar& threshold) {
  build_unary_op(maybe_get_output(), self);
}

TORCH_META_FUNC(softplus_backward)
(const Tensor& grad_output, const Tensor& self, const Scalar& beta, const Scalar& threshold) {
  build_borrowing_binary_op(maybe_get_output(), grad_output, self);
}

TORCH_META_FUNC(elu)
(const Tensor& self, const Scalar& alpha, const Scalar& scale, const Scalar& input_scale) {
  build_unary_op(maybe_get_output(), self);
}

TORCH_META_FUNC(elu_backward)
(const Tensor& grad_output, const Scalar& alpha, const Scalar& scale, const Scalar& input_scale,
 bool is_result, const Tensor& self_or_result) {
  TORCH_CHECK(
      !is_result || alpha.to<double>() >= 0.0,
      "In-place elu backward calculation is triggered with a negative slope which is not supported. This is caused by calling in-place forward function with a negative slope, please call out-of-place version instead.");
  build_borrowing_binary_op(maybe_get_output(), grad_output, self_or_result);
}

TORCH_META_FUNC(hardsigmoid)(const Tensor& self) { build_unary_op(maybe_get_output(), self); }

TORCH_META_FUNC(hardsigmoid_backward)(const Tensor& grad_output, const Tensor& self) {
  build_borrowing_binary_op(maybe_get_output(), grad_output, self);
}

TORCH_META_FUNC(softshrink)(const Tensor& self, const Scalar& lambd) {
  const double l = lambd.to<double>();
  const ScalarType type = self.scalar_type();
  const double most = type == kDouble     ? std::numeric_limits<double>::max()
                      : type == kHalf     ? 65504.0
                      : type == kBFloat16 ? 3.38953e38
                                          : std::numeric_limits<float>::max();
  TORCH_CHECK(l >= 0 && l <= most, "lambda must be in range [0, ", most, "] for input dtype ", type,
              ", but found ", l);
  build_unary_op(maybe_get_output(), self);
}

TORCH_META_FUNC(softshrink_backward)
(const Tensor& grad_output, const Tensor& self, const Scalar& lambd) {
  build_borrowing_binary_op(maybe_get_output(), grad_output, self);
}

TORCH_META_FUNC(hardshrink)(const Tensor& self, const Scalar& lambd) {
  build_unary_op(maybe_get_output(), self);
}

TORCH_META_FUNC(hardshrink_backward)
(const Tensor& grad_out, const Tensor& self, const Scalar& lambd) {
  build_borrowing_binary_op(maybe_get_output(), grad_out, self);
}

TORCH_META_FUNC(mish)(const Tensor& self) { build_unary_op(maybe_get_output(), self); }

TORCH_META_FUNC(glu)(const Tensor& self, int64_t dim) {
  TORCH_CHECK(self.dim() > 0, "glu does not support 0-dimensional tensors");
  const int64_t d = c10::maybe_wrap_dim(dim, self.dim());
  const int64_t size = self.size(d);
  TORCH_CHECK(size % 2 == 0, "Halving dimension must be even, but dimension ", d, " is size ",
              size);
  build_borrowing_binary_op(maybe_get_output(), self.narrow(d, 0, size / 2),
                            self.narrow(d, size / 2, size / 2));
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

// ---- the piecewise and the exponential ones

DEFINE_DISPATCH(elu_stub);
DEFINE_DISPATCH(elu_backward_stub);
DEFINE_DISPATCH(hardswish_stub);
DEFINE_DISPATCH(hardswish_backward_stub);
DEFINE_DISPATCH(hardsigmoid_stub);
DEFINE_DISPATCH(hardsigmoid_backward_stub);
DEFINE_DISPATCH(hardtanh_backward_stub);
DEFINE_DISPATCH(softshrink_stub);
DEFINE_DISPATCH(hardshrink_stub);
DEFINE_DISPATCH(shrink_backward_stub);
DEFINE_DISPATCH(mish_stub);
DEFINE_DISPATCH(mish_backward_stub);
DEFINE_DISPATCH(glu_stub);
DEFINE_DISPATCH(prelu_stub);
DEFINE_DISPATCH(prelu_backward_stub);
DEFINE_DISPATCH(log_sigmoid_stub);
DEFINE_DISPATCH(log_sigmoid_backward_stub);

TORCH_IMPL_FUNC(elu_out)
(const Tensor& self, const Scalar& alpha, const Scalar& scale, const Scalar& input_scale,
 const Tensor& result) {
  elu_stub(device_type(), *this, alpha.to<double>(), scale.to<double>(), input_scale.to<double>());
}

TORCH_IMPL_FUNC(elu_backward_out)
(const Tensor& grad_output, const Scalar& alpha, const Scalar& scale, const Scalar& input_scale,
 bool is_result, const Tensor& self_or_result, const Tensor& grad_input) {
  elu_backward_stub(device_type(), *this, alpha.to<double>(), scale.to<double>(),
                    input_scale.to<double>(), is_result);
}

TORCH_IMPL_FUNC(hardsigmoid_out)(const Tensor& self, const Tensor& result) {
  hardsigmoid_stub(device_type(), *this);
}

TORCH_IMPL_FUNC(hardsigmoid_backward_out)
(const Tensor& grad_output, const Tensor& self, const Tensor& grad_input) {
  hardsigmoid_backward_stub(device_type(), *this);
}

TORCH_IMPL_FUNC(softshrink_out)(const Tensor& self, const Scalar& lambd, const Tensor& result) {
  softshrink_stub(device_type(), *this, lambd);
}

TORCH_IMPL_FUNC(softshrink_backward_out)
(const Tensor& grad_output, const Tensor& self, const Scalar& lambd, const Tensor& grad_input) {
  shrink_backward_stub(device_type(), *this, lambd);
}

TORCH_IMPL_FUNC(hardshrink_out)(const Tensor& self, const Scalar& lambd, const Tensor& result) {
  hardshrink_stub(device_type(), *this, lambd);
}

TORCH_IMPL_FUNC(hardshrink_backward_out)
(const Tensor& grad_out, const Tensor& self, const Scalar& lambd, const Tensor& grad_input) {
  shrink_backward_stub(device_type(), *this, lambd);
}

TORCH_IMPL_FUNC(mish_out)(const Tensor& self, const Tensor& result) {
  mish_stub(device_type(), *this);
}

TORCH_IMPL_FUNC(glu_out)(const Tensor& self, int64_t dim, const Tensor& out) {
  glu_stub(device_type(), *this);
}

Tensor mish_backward(const Tensor& grad_output, const Tensor& self) {
  Tensor result;
  auto iter = TensorIterator::borrowing_binary_op(result, grad_output, self);
  mish_backward_stub(iter.device_type(), iter);
  return iter.output();
}

Tensor glu_backward_cpu(const Tensor& grad_output, const Tensor& self, int64_t dim) {
  TORCH_CHECK(self.dim() > 0, "glu does not support 0-dimensional tensors");
  const int64_t d = c10::maybe_wrap_dim(dim, self.dim());
  const int64_t size = self.size(d);
  TORCH_CHECK(size % 2 == 0, "Halving dimension must be even, but dimension ", d, " is size ",
              size);
  const Tensor a = self.narrow(d, 0, size / 2);
  const Tensor gate = self.narrow(d, size / 2, size / 2).sigmoid();
  Tensor result = at::empty_like(self, MemoryFormat::Contiguous);
  Tensor first = result.narrow(d, 0, size / 2);
  Tensor second = result.narrow(d, size / 2, size / 2);
  at::mul_out(first, grad_output, gate);
  at::mul_out(second, first, gate.neg().add_(1));
  second.mul_(a);
  return result;
}

Tensor& glu_backward_cpu_out(const Tensor& grad_output, const Tensor& self, int64_t dim,
                             Tensor& grad_input) {
  return write_out(grad_input, glu_backward_cpu(grad_output, self, dim));
}

// The constants of Klambauer, Unterthiner, Mayr and Hochreiter, arXiv:1706.02515.
constexpr double kSeluAlpha = 1.6732632423543772848170429916717;
constexpr double kSeluScale = 1.0507009873554804934193349852946;

Tensor selu(const Tensor& self) { return at::elu(self, kSeluAlpha, kSeluScale); }
Tensor& selu_(Tensor& self) { return at::elu_(self, kSeluAlpha, kSeluScale); }

Tensor celu(const Tensor& self, const Scalar& alpha) {
  TORCH_CHECK(alpha.to<double>() != 0, "ZeroDivisionError: alpha cannot be 0 for CELU");
  return at::elu(self, alpha, 1, 1.0 / alpha.to<double>());
}

Tensor& celu_(Tensor& self, const Scalar& alpha) {
  TORCH_CHECK(alpha.to<double>() != 0, "ZeroDivisionError: alpha cannot be 0 for CELU");
  return at::elu_(self, alpha, 1, 1.0 / alpha.to<double>());
}

namespace {

void check_hardtanh(const Tensor& self, const Scalar& min_val, const Scalar& max_val) {
  TORCH_CHECK(self.scalar_type() != kBool, "Bool inputs not supported for hardtanh");
  TORCH_CHECK(!c10::isIntegralType(self.scalar_type(), /*includeBool=*/false) ||
                  self.scalar_type() != kByte ||
                  (min_val.to<int64_t>() >= 0 && max_val.to<int64_t>() >= 0),
              "cannot do hardtanh on an unsigned type with negative limits");
}

// The bounds of an integer tensor are integers too.
Scalar bound(const Tensor& self, const Scalar& value) {
  return c10::isIntegralType(self.scalar_type(), false) ? Scalar(value.to<int64_t>()) : value;
}

}  // namespace

Tensor hardtanh(const Tensor& self, const Scalar& min_val, const Scalar& max_val) {
  check_hardtanh(self, min_val, max_val);
  return at::clamp(self, bound(self, min_val), bound(self, max_val));
}

Tensor& hardtanh_out(const Tensor& self, const Scalar& min_val, const Scalar& max_val,
                     Tensor& out) {
  check_hardtanh(self, min_val, max_val);
  return at::clamp_out(out, self, bound(self, min_val), bound(self, max_val));
}

Tensor& hardtanh_(Tensor& self, const Scalar& min_val, const Scalar& max_val) {
  check_hardtanh(self, min_val, max_val);
  return at::clamp_(self, bound(self, min_val), bound(self, max_val));
}

Tensor hardtanh_backward(const Tensor& grad_output, const Tensor& self, const Scalar& min_val,
                         const Scalar& max_val) {
  Tensor result;
  auto iter = TensorIterator::borrowing_binary_op(result, grad_output, self);
  hardtanh_backward_stub(iter.device_type(), iter, min_val.to<double>(), max_val.to<double>());
  return iter.output();
}

Tensor& hardtanh_backward_out(const Tensor& grad_output, const Tensor& self, const Scalar& min_val,
                              const Scalar& max_val, Tensor& grad_input) {
  auto iter = TensorIterator::borrowing_binary_op(grad_input, grad_output, self);
  hardtanh_backward_stub(iter.device_type(), iter, min_val.to<double>(), max_val.to<double>());
  return grad_input;
}

Tensor relu6(const Tensor& self) { return at::hardtanh(self, /*min_val=*/0, /*max_val=*/6); }
Tensor& relu6_(Tensor& self) { return at::hardtanh_(self, /*min_val=*/0, /*max_val=*/6); }

Tensor hardswish(const Tensor& self) {
  Tensor result;
  auto iter = TensorIterator::unary_op(result, self);
  hardswish_stub(iter.device_type(), iter);
  return iter.output();
}

Tensor& hardswish_out(const Tensor& self, Tensor& result) {
  auto iter = TensorIterator::unary_op(result, self);
  hardswish_stub(iter.device_type(), iter);
  return result;
}

Tensor& hardswish_(Tensor& self) { return native::hardswish_out(self, self); }

Tensor hardswish_backward(const Tensor& grad_output, const Tensor& self) {
  Tensor result;
  auto iter = TensorIterator::borrowing_binary_op(result, grad_output, self);
  hardswish_backward_stub(iter.device_type(), iter);
  return iter.output();
}

// He, Zhang, Ren and Sun, arXiv:1502.01852. One weight for all, or one for each channel.
Tensor prelu(const Tensor& self, const Tensor& weight) {
  TORCH_CHECK(self.scalar_type() == weight.scalar_type(),
              "prelu: Type promoting not supported. Got ", self.scalar_type(), " and ",
              weight.scalar_type());
  TORCH_CHECK(weight.dim() <= 1, "prelu: Expected `weight` to be a scalar or 1D tensor, but got: ",
              "ndim = ", weight.dim());
  if (weight.numel() != 1) {
    TORCH_CHECK(self.dim() > 0, "Not allow zero-dim input tensor.");
    const int64_t channels = self.dim() > 1 ? self.size(1) : 1;
    TORCH_CHECK(channels == weight.numel(),
                "Mismatch of parameter numbers and input channel size. Found parameter numbers = ",
                weight.numel(), " and channel size = ", channels, ".");
  }
  std::vector<int64_t> shape(static_cast<size_t>(self.dim()), 1);
  if (shape.size() > 1) {
    shape[1] = weight.numel();
  } else if (!shape.empty()) {
    shape[0] = weight.numel();
  }
  return at::_prelu_kernel(self, weight.reshape(shape));
}

Tensor _prelu_kernel(const Tensor& self, const Tensor& weight) {
  Tensor result;
  auto iter = TensorIteratorConfig().add_output(result).add_input(self).add_input(weight).build();
  prelu_stub(iter.device_type(), iter);
  return iter.output();
}

std::tuple<Tensor, Tensor> _prelu_kernel_backward(const Tensor& grad_output, const Tensor& self,
                                                  const Tensor& weight) {
  Tensor grad_self = at::empty_like(self);
  Tensor grad_weight = at::empty_like(self);
  auto iter = TensorIteratorConfig()
                  .add_output(grad_self)
                  .add_output(grad_weight)
                  .add_input(self)
                  .add_input(weight)
                  .add_input(grad_output)
                  .build();
  prelu_backward_stub(iter.device_type(), iter);
  return {grad_self, grad_weight};
}

namespace {

// Xu, Wang, Chen and Li, arXiv:1505.00853. Negative elements are scaled by a random slope, which
// is kept in `noise`; the others have 1 there.
Tensor& rrelu_train(Tensor& output, const Tensor& self, const Tensor& noise, const Scalar& lower,
                    const Scalar& upper, std::optional<Generator> generator) {
  const Tensor x = self.contiguous();
  // Fresh memory only where the loop cannot write into what is there.
  const Tensor slopes = noise.is_contiguous() ? noise : at::empty_like(x, MemoryFormat::Contiguous);
  const Tensor y = output.is_contiguous() && output.sizes() == x.sizes()
                       ? output
                       : at::empty_like(x, MemoryFormat::Contiguous);
  auto* gen =
      get_generator_or_default<CPUGeneratorImpl>(generator, at::detail::getDefaultCPUGenerator());
  AT_DISPATCH_FLOATING_TYPES_AND2(kBFloat16, kHalf, x.scalar_type(), "rrelu_with_noise_cpu", [&] {
    const std::lock_guard<std::mutex> lock(gen->mutex_);
    uniform_real_distribution<double> uniform(lower.to<double>(), upper.to<double>());
    const auto* in = x.const_data_ptr<scalar_t>();
    auto* slope = slopes.mutable_data_ptr<scalar_t>();
    auto* out = y.mutable_data_ptr<scalar_t>();
    const int64_t n = x.numel();
    for (int64_t i = 0; i < n; ++i) {
      if (in[i] <= scalar_t(0)) {
        slope[i] = static_cast<scalar_t>(uniform(gen));
        out[i] = static_cast<scalar_t>(in[i] * slope[i]);
      } else {
        slope[i] = scalar_t(1);
        out[i] = in[i];
      }
    }
  });
  if (!noise.is_same(slopes)) noise.copy_(slopes);
  return output.is_same(y) ? output : write_out(output, y);
}

}  // namespace

Tensor& rrelu_with_noise_out_cpu(const Tensor& self, Tensor& noise, const Scalar& lower,
                                 const Scalar& upper, bool training,
                                 std::optional<Generator> generator, Tensor& output) {
  TORCH_CHECK(self.sizes() == noise.sizes(), "noise tensor shape must match self tensor shape. ",
              "Got self.shape = ", self.sizes(), " noise.shape = ", noise.sizes());
  if (training) return rrelu_train(output, self, noise, lower, upper, generator);
  const double slope = (lower.to<double>() + upper.to<double>()) / 2;
  return write_out(output, at::leaky_relu(self, slope));
}

Tensor rrelu_with_noise_cpu(const Tensor& self, Tensor& noise, const Scalar& lower,
                            const Scalar& upper, bool training,
                            std::optional<Generator> generator) {
  Tensor output = at::empty_like(self, MemoryFormat::Contiguous);
  return native::rrelu_with_noise_out_cpu(self, noise, lower, upper, training, generator, output);
}

Tensor& rrelu_with_noise_cpu_(Tensor& self, Tensor& noise, const Scalar& lower, const Scalar& upper,
                              bool training, std::optional<Generator> generator) {
  return native::rrelu_with_noise_out_cpu(self, noise, lower, upper, training, generator, self);
}

Tensor rrelu_with_noise_backward(const Tensor& grad_output, const Tensor& self_or_result,
                                 const Tensor& noise, const Scalar& lower, const Scalar& upper,
                                 bool training, bool is_result) {
  if (training && upper.to<double>() - lower.to<double>() > 1e-6) return grad_output.mul(noise);
  const double slope = (lower.to<double>() + upper.to<double>()) / 2;
  return at::leaky_relu_backward(grad_output, self_or_result, slope, is_result);
}

namespace {

void check_rrelu(const Scalar& lower, const Scalar& upper) {
  TORCH_CHECK(lower.to<double>() <= upper.to<double>(),
              "Lower bound should be less than or equal to the upper bound");
}

}  // namespace

Tensor rrelu(const Tensor& self, const Scalar& lower, const Scalar& upper, bool training,
             std::optional<Generator> generator) {
  check_rrelu(lower, upper);
  Tensor noise = at::empty_like(self);
  return at::rrelu_with_noise(self, noise, lower, upper, training, generator);
}

Tensor& rrelu_(Tensor& self, const Scalar& lower, const Scalar& upper, bool training,
               std::optional<Generator> generator) {
  check_rrelu(lower, upper);
  Tensor noise = at::empty_like(self);
  return at::rrelu_with_noise_(self, noise, lower, upper, training, generator);
}

std::tuple<Tensor, Tensor> log_sigmoid_forward_cpu(const Tensor& input) {
  const Tensor x = input.contiguous();
  Tensor output;
  Tensor buffer;
  auto iter = TensorIteratorConfig().add_output(output).add_output(buffer).add_input(x).build();
  log_sigmoid_stub(iter.device_type(), iter);
  return {iter.output(0), iter.output(1)};
}

std::tuple<Tensor&, Tensor&> log_sigmoid_forward_out_cpu(const Tensor& input, Tensor& result,
                                                         Tensor& buffer) {
  const auto [output, z] = native::log_sigmoid_forward_cpu(input);
  return {write_out(result, output), write_out(buffer, z)};
}

Tensor log_sigmoid(const Tensor& self) { return std::get<0>(at::log_sigmoid_forward(self)); }

Tensor& log_sigmoid_out(const Tensor& self, Tensor& output) {
  return write_out(output, std::get<0>(at::log_sigmoid_forward(self)));
}

Tensor log_sigmoid_backward_cpu(const Tensor& grad_output, const Tensor& input,
                                const Tensor& buffer) {
  Tensor result;
  auto iter = TensorIteratorConfig()
                  .add_output(result)
                  .add_input(input)
                  .add_input(buffer)
                  .add_input(grad_output)
                  .build();
  log_sigmoid_backward_stub(iter.device_type(), iter);
  return iter.output();
}

Tensor& log_sigmoid_backward_cpu_out(const Tensor& grad_output, const Tensor& input,
                                     const Tensor& buffer, Tensor& grad_input) {
  return write_out(grad_input, log_sigmoid_backward_cpu(grad_output, input, buffer));
}

}  // namespace at::native
