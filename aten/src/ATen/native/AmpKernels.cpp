// What torch.amp.GradScaler does to gradients and to its scale, without waiting for a GPU.

#define TORCH_ASSERT_ONLY_METHOD_OPERATORS
#include <ATen/DeviceGuard.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/FusedOptimizers.h>
#include <ATen/native/TensorRowsBuilder.h>
#include <ATen/ops/_amp_foreach_non_finite_check_and_unscale_native.h>
#include <ATen/ops/_amp_update_scale_native.h>
#include <c10/core/DeviceGuard.h>
#include <c10/util/Exception.h>

namespace at::native {

DEFINE_DISPATCH(amp_unscale_stub);
DEFINE_DISPATCH(amp_update_scale_stub);

namespace {

void check_one(const Tensor& t, const char* name, ScalarType dtype, const char* type) {
  TORCH_CHECK(t.numel() == 1, name, " must be a 1-element tensor.");
  TORCH_CHECK(t.scalar_type() == dtype, name, " must be ", type, " tensor.");
}

}  // namespace

void _amp_foreach_non_finite_check_and_unscale(TensorList self, Tensor& found_inf,
                                               const Tensor& inv_scale) {
  check_one(inv_scale, "inv_scale", kFloat, "a float");
  check_one(found_inf, "found_inf", kFloat, "a float");
  if (self.empty() || self[0].is_meta()) return;
  TensorRowsBuilder rows;
  for (const Tensor& t : self) {
    TORCH_CHECK(t.device() == self[0].device() && found_inf.device() == t.device() &&
                    inv_scale.device() == t.device(),
                "expected the scaled gradients, found_inf and inv_scale on one device, but found ",
                self[0].device(), ", ", t.device(), ", ", found_inf.device(), " and ",
                inv_scale.device());
    rows.add({t});
  }
  const c10::OptionalDeviceGuard guard(device_of(self));
  rows.finish([&](ScalarType dtype, ArrayRef<TensorRow> same) {
    amp_unscale_stub(found_inf.device().type(), dtype, same, found_inf.mutable_data_ptr<float>(),
                     inv_scale.const_data_ptr<float>());
  });
}

Tensor& _amp_update_scale(Tensor& self, Tensor& growth_tracker, const Tensor& found_inf,
                          double scale_growth_factor, double scale_backoff_factor,
                          int64_t growth_interval) {
  check_one(growth_tracker, "growth_tracker", kInt, "an int");
  check_one(self, "current_scale", kFloat, "a float");
  check_one(found_inf, "found_inf", kFloat, "a float");
  TORCH_CHECK(growth_tracker.device() == self.device() && found_inf.device() == self.device(),
              "expected the scale, growth_tracker and found_inf on one device, but found ",
              self.device(), ", ", growth_tracker.device(), " and ", found_inf.device());
  if (self.is_meta()) return self;
  const c10::OptionalDeviceGuard guard(device_of(self));
  amp_update_scale_stub(self.device().type(), self.mutable_data_ptr<float>(),
                        growth_tracker.mutable_data_ptr<int>(), found_inf.const_data_ptr<float>(),
                        scale_growth_factor, scale_backoff_factor, growth_interval);
  return self;
}

}  // namespace at::native
