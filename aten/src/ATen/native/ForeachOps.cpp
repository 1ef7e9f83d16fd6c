// Additions to every tensor of a list: what the fused optimisers count their steps with.

#define TORCH_ASSERT_ONLY_METHOD_OPERATORS
#include <ATen/native/ForeachOps.h>

#include <ATen/DeviceGuard.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/TensorRowsBuilder.h>
#include <ATen/ops/_foreach_add_native.h>
#include <c10/core/DeviceGuard.h>
#include <c10/core/GradMode.h>
#include <c10/core/Scalar.h>
#include <c10/util/Exception.h>

namespace at::native {

DEFINE_DISPATCH(foreach_add_stub);

namespace {

void check(TensorList self) {
  TORCH_CHECK(!self.empty(), "Tensor list must have at least one tensor.");
  for (const Tensor& t : self) {
    TORCH_CHECK_NOT_IMPLEMENTED(!(c10::GradMode::is_enabled() && t.requires_grad()),
                                "derivative for aten::_foreach_add_ is not implemented");
  }
}

// Whether one kernel can do it: on a device that has it, and in the tensors' own dtype.
bool is_fast(TensorList self) {
  for (const Tensor& t : self) {
    if (!t.is_floating_point() || t.device() != self[0].device()) return false;
  }
  return foreach_add_stub.is_device_supported(self[0].device().type());
}

void add_in_one(TensorList self, double value, const float* value_data) {
  const c10::OptionalDeviceGuard guard(device_of(self));
  TensorRowsBuilder rows;
  for (const Tensor& t : self) rows.add({t});
  rows.finish([&](ScalarType dtype, ArrayRef<TensorRow> same) {
    foreach_add_stub(self[0].device().type(), dtype, same, value, value_data);
  });
}

}  // namespace

void foreach_add_scalar_(TensorList self, const Scalar& scalar) {
  check(self);
  if (is_fast(self) && !scalar.isComplex()) {
    add_in_one(self, scalar.toDouble(), nullptr);
    return;
  }
  for (const Tensor& t : self) t.add_(scalar);
}

void foreach_add_tensor_(TensorList self, const Tensor& other, const Scalar& alpha) {
  check(self);
  TORCH_CHECK(other.dim() == 0 && other.numel() == 1,
              "scalar tensor expected to be 0 dim but it has ", other.dim(), " dimensions and ",
              other.numel(), " elements.");
  if (is_fast(self) && other.device() == self[0].device() && other.scalar_type() == kFloat &&
      alpha.equal(1)) {
    add_in_one(self, 0, other.const_data_ptr<float>());
    return;
  }
  for (const Tensor& t : self) t.add_(other, alpha);
}

}  // namespace at::native
