#define TORCH_ASSERT_ONLY_METHOD_OPERATORS
#include <ATen/native/OutVariant.h>

#include <ATen/core/Tensor.h>
#include <ATen/core/grad_mode.h>
#include <ATen/native/Resize.h>
#include <c10/core/DispatchKeySet.h>
#include <c10/core/ScalarType.h>
#include <c10/core/impl/LocalDispatchKeySet.h>
#include <c10/util/Exception.h>

namespace at::native {
namespace {

// Of operators that autograd sees through; it refuses the others before they run.
void refuse_gradients(const Tensor& out, const Tensor& result) {
  if (c10::impl::tls_is_dispatch_keyset_excluded(c10::autograd_dispatch_keyset)) return;
  TORCH_CHECK(
      !at::GradMode::is_enabled() || !(out.requires_grad() || result.requires_grad()),
      "functions with out=... arguments don't support automatic differentiation, but one of the arguments requires grad.");
}

}  // namespace

Tensor& write_to_out(const Tensor& result, Tensor& out) {
  TORCH_CHECK(c10::canCast(result.scalar_type(), out.scalar_type()), "result type ",
              result.scalar_type(), " can't be cast to the desired output type ",
              out.scalar_type());
  TORCH_CHECK(result.device() == out.device(),
              "Expected all tensors to be on the same device, but found at least two devices, ",
              result.device(), " and ", out.device(), "!");
  refuse_gradients(out, result);
  resize_output(out, result.sizes());
  return out.copy_(result);
}

Tensor& write_out(Tensor& out, const Tensor& result) {
  TORCH_CHECK(out.dtype() == result.dtype(), "Expected out tensor to have dtype ", result.dtype(),
              ", but got ", out.dtype(), " instead");
  TORCH_CHECK(out.device() == result.device(), "Expected out tensor to have device ",
              result.device(), ", but got ", out.device(), " instead");
  refuse_gradients(out, result);
  resize_output(out, result.sizes());
  return out.copy_(result);
}

}  // namespace at::native
