// Linear interpolation: self + weight * (end - self).

#define TORCH_ASSERT_ONLY_METHOD_OPERATORS
#include <ATen/native/Lerp.h>

#include <ATen/TensorIterator.h>
#include <ATen/TensorMeta.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/lerp_native.h>
#include <c10/core/Scalar.h>
#include <c10/util/Exception.h>

namespace at::meta {

TORCH_META_FUNC2(lerp, Tensor)
(const Tensor& self, const Tensor& end, const Tensor& weight) {
  TORCH_CHECK(self.dtype() == end.dtype(), "expected dtype ", self.dtype(),
              " for `end` but got dtype ", end.dtype());
  const bool converts = self.is_floating_point() || self.is_complex() || weight.is_floating_point();
  TORCH_CHECK(self.dtype() == weight.dtype() || (weight.dim() == 0 && converts), "expected dtype ",
              self.dtype(), " for `weight` but got dtype ", weight.dtype());
  build(TensorIteratorConfig()
            .allow_cpu_scalars(true)
            .promote_inputs_to_common_dtype(true)
            .cast_common_dtype_to_outputs(true)
            .add_output(maybe_get_output())
            .add_input(self)
            .add_input(end)
            .add_input(weight));
}

TORCH_META_FUNC2(lerp, Scalar)
(const Tensor& self, const Tensor& end, const Scalar& weight) {
  TORCH_CHECK(self.dtype() == end.dtype(), "expected dtype ", self.dtype(),
              " for `end` but got dtype ", end.dtype());
  build_borrowing_binary_op(maybe_get_output(), self, end);
}

}  // namespace at::meta

namespace at::native {

DEFINE_DISPATCH(lerp_kernel_scalar_weight);
DEFINE_DISPATCH(lerp_kernel_tensor_weight);

TORCH_IMPL_FUNC(lerp_Tensor)
(const Tensor& self, const Tensor& end, const Tensor& weight, const Tensor& out) {
  lerp_kernel_tensor_weight(device_type(), *this);
}

TORCH_IMPL_FUNC(lerp_Scalar)
(const Tensor& self, const Tensor& end, const Scalar& weight, const Tensor& out) {
  lerp_kernel_scalar_weight(device_type(), *this, weight);
}

}  // namespace at::native
