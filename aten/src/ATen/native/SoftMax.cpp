// softmax and log_softmax along one dimension.

#define TORCH_ASSERT_ONLY_METHOD_OPERATORS
#include <ATen/native/SoftMax.h>

#include <ATen/TensorMeta.h>
#include <ATen/WrapDimUtils.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/_log_softmax.h>
#include <ATen/ops/_log_softmax_backward_data_native.h>
#include <ATen/ops/_log_softmax_native.h>
#include <ATen/ops/_softmax.h>
#include <ATen/ops/_softmax_backward_data_native.h>
#include <ATen/ops/_softmax_native.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/log_softmax_native.h>
#include <ATen/ops/softmax_native.h>
#include <c10/core/ScalarType.h>
#include <c10/util/Exception.h>

namespace at::meta {
namespace {

void check_forward(const char* name, const Tensor& input, int64_t dim, bool half_to_float) {
  TORCH_CHECK(!half_to_float, name, " with half to float conversion is not supported on ",
              input.device().type());
  at::maybe_wrap_dim(dim, input.dim());
}

// Checks the arguments; the type of the result, which is the gradient's. Only a GPU turns floats
// back to the Half that it read.
ScalarType check_backward(const char* name, const Tensor& grad, const Tensor& output, int64_t dim,
                          ScalarType input_dtype) {
  const ScalarType dtype = grad.scalar_type();
  const bool narrowed = dtype == kFloat && input_dtype == kHalf;
  TORCH_CHECK(grad.sizes() == output.sizes(), name, ": the gradient has sizes ", grad.sizes(),
              ", the output ", output.sizes());
  TORCH_CHECK(output.scalar_type() == dtype, name, ": expected scalar type ", dtype, " but found ",
              output.scalar_type(), " in output");
  TORCH_CHECK(!narrowed || !grad.is_cpu(), name, ": expected scalar type ", dtype, " but found ",
              input_dtype, " in input_dtype");
  at::maybe_wrap_dim(dim, grad.dim());
  return narrowed ? kHalf : dtype;
}

}  // namespace

TORCH_META_FUNC(_softmax)(const Tensor& input, int64_t dim, bool half_to_float) {
  check_forward("softmax", input, dim, half_to_float);
  set_output_raw_strided(0, input.sizes(), {}, input.options());
}

TORCH_META_FUNC(_log_softmax)(const Tensor& input, int64_t dim, bool half_to_float) {
  check_forward("log_softmax", input, dim, half_to_float);
  set_output_raw_strided(0, input.sizes(), {}, input.options());
}

TORCH_META_FUNC(_softmax_backward_data)
(const Tensor& grad, const Tensor& output, int64_t dim, ScalarType input_dtype) {
  const ScalarType dtype = check_backward("softmax_backward", grad, output, dim, input_dtype);
  set_output_raw_strided(0, grad.sizes(), {}, grad.options().dtype(dtype));
}

TORCH_META_FUNC(_log_softmax_backward_data)
(const Tensor& grad, const Tensor& output, int64_t dim, ScalarType input_dtype) {
  const ScalarType dtype = check_backward("log_softmax_backward", grad, output, dim, input_dtype);
  set_output_raw_strided(0, grad.sizes(), {}, grad.options().dtype(dtype));
}

}  // namespace at::meta

namespace at::native {

DEFINE_DISPATCH(softmax_kernel);
DEFINE_DISPATCH(log_softmax_kernel);
DEFINE_DISPATCH(softmax_backward_kernel);
DEFINE_DISPATCH(log_softmax_backward_kernel);

namespace {

// The kernels need contiguous tensors with at least one dimension.
Tensor as_kernel_argument(const Tensor& t) {
  return t.dim() == 0 ? t.reshape({1}) : t.contiguous();
}

template <typename F>
void with_contiguous_output(const Tensor& output, F&& kernel) {
  if (output.numel() == 0) return;
  if (output.is_contiguous() && output.dim() > 0) {
    kernel(output);
    return;
  }
  const Tensor out =
      at::empty(output.dim() == 0 ? IntArrayRef{1} : output.sizes(), output.options());
  kernel(out);
  output.copy_(out.view(output.sizes()));
}

}  // namespace

TORCH_IMPL_FUNC(softmax_out)
(const Tensor& input, int64_t dim, bool half_to_float, const Tensor& output) {
  const int64_t d = at::maybe_wrap_dim(dim, input.dim());
  with_contiguous_output(output, [&](const Tensor& out) {
    softmax_kernel(input.device().type(), out, as_kernel_argument(input), d);
  });
}

TORCH_IMPL_FUNC(log_softmax_out)
(const Tensor& input, int64_t dim, bool half_to_float, const Tensor& output) {
  const int64_t d = at::maybe_wrap_dim(dim, input.dim());
  with_contiguous_output(output, [&](const Tensor& out) {
    log_softmax_kernel(input.device().type(), out, as_kernel_argument(input), d);
  });
}

TORCH_IMPL_FUNC(softmax_backward_out)
(const Tensor& grad, const Tensor& output, int64_t dim, ScalarType input_dtype,
 const Tensor& grad_input) {
  const int64_t d = at::maybe_wrap_dim(dim, grad.dim());
  with_contiguous_output(grad_input, [&](const Tensor& out) {
    softmax_backward_kernel(grad.device().type(), out, as_kernel_argument(grad),
                            as_kernel_argument(output), d);
  });
}

TORCH_IMPL_FUNC(log_softmax_backward_out)
(const Tensor& grad, const Tensor& output, int64_t dim, ScalarType input_dtype,
 const Tensor& grad_input) {
  const int64_t d = at::maybe_wrap_dim(dim, grad.dim());
  with_contiguous_output(grad_input, [&](const Tensor& out) {
    log_softmax_backward_kernel(grad.device().type(), out, as_kernel_argument(grad),
                                as_kernel_argument(output), d);
  });
}

Tensor softmax(const Tensor& self, int64_t dim, std::optional<ScalarType> dtype) {
  return at::_softmax(dtype.has_value() ? self.to(*dtype) : self, dim, /*half_to_float=*/false);
}

Tensor& softmax_out(const Tensor& self, int64_t dim, std::optional<ScalarType> dtype, Tensor& out) {
  return at::_softmax_out(out, dtype.has_value() ? self.to(*dtype) : self, dim,
                          /*half_to_float=*/false);
}

Tensor log_softmax(const Tensor& self, int64_t dim, std::optional<ScalarType> dtype) {
  return at::_log_softmax(dtype.has_value() ? self.to(*dtype) : self, dim,
                          /*half_to_float=*/false);
}

Tensor& log_softmax_out(const Tensor& self, int64_t dim, std::optional<ScalarType> dtype,
                        Tensor& out) {
  return at::_log_softmax_out(out, dtype.has_value() ? self.to(*dtype) : self, dim,
                              /*half_to_float=*/false);
}

}  // namespace at::native
