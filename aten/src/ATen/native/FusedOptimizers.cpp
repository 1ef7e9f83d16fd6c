// Adam, AdamW and SGD for lists of parameters in one call: torch.optim's `fused=True`.

#define TORCH_ASSERT_ONLY_METHOD_OPERATORS
#include <ATen/native/FusedOptimizers.h>

#include <ATen/DeviceGuard.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/TensorRowsBuilder.h>
#include <ATen/ops/_fused_adam_native.h>
#include <ATen/ops/_fused_adamw_native.h>
#include <ATen/ops/_fused_sgd_native.h>
#include <c10/core/DeviceGuard.h>
#include <c10/core/Scalar.h>
#include <c10/util/Exception.h>

#include <cstddef>
#include <initializer_list>
#include <optional>
#include <vector>

namespace at::native {

DEFINE_DISPATCH(fused_adam_stub);
DEFINE_DISPATCH(fused_sgd_stub);

namespace {

// Throws unless `list` has a tensor for each of `params`, of its shape, dtype and device.
void check_list(const char* function, const char* name, TensorList params, TensorList list) {
  TORCH_CHECK(list.size() == params.size(), function, ": ", name, " has ", list.size(),
              " tensors for ", params.size(), " parameters");
  for (size_t i = 0; i < params.size(); ++i) {
    TORCH_CHECK(list[i].sizes() == params[i].sizes() &&
                    list[i].scalar_type() == params[i].scalar_type() &&
                    list[i].device() == params[i].device(),
                function, ": ", name, "[", i, "] is ", list[i].scalar_type(), " ", list[i].sizes(),
                " on ", list[i].device(), ", its parameter ", params[i].scalar_type(), " ",
                params[i].sizes(), " on ", params[i].device());
  }
}

void check_params(const char* function, TensorList params) {
  for (const Tensor& param : params) {
    TORCH_CHECK(param.is_floating_point(), function,
                ": parameters are floating-point tensors, not ", param.scalar_type());
    TORCH_CHECK(param.device() == params[0].device(), function,
                ": expected all parameters on one device, but found ", params[0].device(), " and ",
                param.device());
  }
}

void check_steps(const char* function, TensorList params, TensorList steps) {
  TORCH_CHECK(steps.size() == params.size(), function, ": state_steps has ", steps.size(),
              " tensors for ", params.size(), " parameters");
  for (const Tensor& step : steps) {
    TORCH_CHECK(step.numel() == 1 && step.device() == params[0].device(), function,
                ": a step is one number on ", params[0].device(), ", not ", step.sizes(), " on ",
                step.device());
  }
}

// The data of an optional tensor of one float.
const float* scalar_data(const char* function, const char* name,
                         const std::optional<Tensor>& scalar) {
  if (!scalar || !scalar->defined()) return nullptr;
  TORCH_CHECK(scalar->scalar_type() == kFloat && scalar->numel() == 1, function, ": ", name,
              " is one float, not ", scalar->scalar_type(), " ", scalar->sizes());
  return scalar->const_data_ptr<float>();
}

void check_device(const char* function, const char* name, const std::optional<Tensor>& scalar,
                  TensorList params) {
  TORCH_CHECK(!scalar || !scalar->defined() || scalar->device() == params[0].device(), function,
              ": expected ", name, " on ", params[0].device(),
              ", where the parameters are, not on ", scalar->device());
}

GradScaling grad_scaling(const char* function, TensorList params,
                         const std::optional<Tensor>& grad_scale,
                         const std::optional<Tensor>& found_inf) {
  check_device(function, "grad_scale", grad_scale, params);
  check_device(function, "found_inf", found_inf, params);
  return {scalar_data(function, "grad_scale", grad_scale),
          scalar_data(function, "found_inf", found_inf)};
}

// The learning rate as the kernels take it: a number, or where one lies on the parameters' GPU.
template <typename Options>
void set_lr(const char* function, Options& options, const Tensor& lr, TensorList params) {
  TORCH_CHECK(lr.numel() == 1, function, ": lr is one number, not ", lr.sizes());
  if (lr.is_cpu()) {
    options.lr = lr.item().toDouble();
    return;
  }
  check_device(function, "lr", lr, params);
  options.lr_data = scalar_data(function, "lr", lr);
}

// One step by the kernel of `stub`. `roles` are the lists of its rows, the parameters first; an
// empty one is not played, and `state_steps` may be empty.
template <typename Stub, typename Options>
void step(Stub& stub, const char* function, std::initializer_list<TensorList> roles,
          TensorList state_steps, const Tensor& lr, Options options,
          const std::optional<Tensor>& grad_scale, const std::optional<Tensor>& found_inf) {
  const TensorList params = *roles.begin();
  if (params[0].is_meta()) return;
  if (lr.defined()) set_lr(function, options, lr, params);
  options.scaling = grad_scaling(function, params, grad_scale, found_inf);
  const c10::OptionalDeviceGuard guard(device_of(params));
  TensorRowsBuilder rows;
  for (size_t i = 0; i < params.size(); ++i) {
    std::vector<Tensor> row;
    for (const TensorList role : roles) row.push_back(role.empty() ? Tensor() : role[i]);
    rows.add(row, state_steps.empty() ? Tensor() : state_steps[i]);
  }
  rows.finish([&](ScalarType dtype, ArrayRef<TensorRow> same) {
    stub(params[0].device().type(), dtype, same, options);
  });
}

void adam(const char* function, TensorList params, TensorList grads, TensorList exp_avgs,
          TensorList exp_avg_sqs, TensorList max_exp_avg_sqs, TensorList state_steps,
          const Tensor& lr, const AdamOptions& options, const std::optional<Tensor>& grad_scale,
          const std::optional<Tensor>& found_inf) {
  check_params(function, params);
  check_list(function, "grads", params, grads);
  check_list(function, "exp_avgs", params, exp_avgs);
  check_list(function, "exp_avg_sqs", params, exp_avg_sqs);
  if (options.amsgrad) {
    check_list(function, "max_exp_avg_sqs", params, max_exp_avg_sqs);
  } else {
    TORCH_CHECK(max_exp_avg_sqs.empty(), function, ": max_exp_avg_sqs are for amsgrad=True");
  }
  check_steps(function, params, state_steps);
  step(fused_adam_stub, function, {params, grads, exp_avgs, exp_avg_sqs, max_exp_avg_sqs},
       state_steps, lr, options, grad_scale, found_inf);
}

void sgd(TensorList params, TensorList grads, TensorList momenta, const Tensor& lr,
         const SGDOptions& options, const std::optional<Tensor>& grad_scale,
         const std::optional<Tensor>& found_inf) {
  constexpr const char* function = "_fused_sgd_";
  check_params(function, params);
  check_list(function, "grads", params, grads);
  if (options.momentum != 0) {
    check_list(function, "momentum_buffer_list", params, momenta);
  } else {
    TORCH_CHECK(momenta.empty(), function, ": momentum_buffer_list is for a momentum");
  }
  step(fused_sgd_stub, function, {params, grads, momenta}, {}, lr, options, grad_scale, found_inf);
}

}  // namespace

void _fused_adam_kernel_(TensorList self, TensorList grads, TensorList exp_avgs,
                         TensorList exp_avg_sqs, TensorList max_exp_avg_sqs, TensorList state_steps,
                         double lr, double beta1, double beta2, double weight_decay, double eps,
                         bool amsgrad, bool maximize, const std::optional<Tensor>& grad_scale,
                         const std::optional<Tensor>& found_inf) {
  adam("_fused_adam_", self, grads, exp_avgs, exp_avg_sqs, max_exp_avg_sqs, state_steps, Tensor(),
       {lr, nullptr, beta1, beta2, weight_decay, eps, amsgrad, maximize, false, {}}, grad_scale,
       found_inf);
}

void _fused_adam_kernel_(TensorList self, TensorList grads, TensorList exp_avgs,
                         TensorList exp_avg_sqs, TensorList max_exp_avg_sqs, TensorList state_steps,
                         const Tensor& lr, double beta1, double beta2, double weight_decay,
                         double eps, bool amsgrad, bool maximize,
                         const std::optional<Tensor>& grad_scale,
                         const std::optional<Tensor>& found_inf) {
  adam("_fused_adam_", self, grads, exp_avgs, exp_avg_sqs, max_exp_avg_sqs, state_steps, lr,
       {0, nullptr, beta1, beta2, weight_decay, eps, amsgrad, maximize, false, {}}, grad_scale,
       found_inf);
}

void _fused_adamw_kernel_(TensorList self, TensorList grads, TensorList exp_avgs,
                          TensorList exp_avg_sqs, TensorList max_exp_avg_sqs,
                          TensorList state_steps, double lr, double beta1, double beta2,
                          double weight_decay, double eps, bool amsgrad, bool maximize,
                          const std::optional<Tensor>& grad_scale,
                          const std::optional<Tensor>& found_inf) {
  adam("_fused_adamw_", self, grads, exp_avgs, exp_avg_sqs, max_exp_avg_sqs, state_steps, Tensor(),
       {lr, nullptr, beta1, beta2, weight_decay, eps, amsgrad, maximize, true, {}}, grad_scale,
       found_inf);
}

void _fused_adamw_kernel_(TensorList self, TensorList grads, TensorList exp_avgs,
                          TensorList exp_avg_sqs, TensorList max_exp_avg_sqs,
                          TensorList state_steps, const Tensor& lr, double beta1, double beta2,
                          double weight_decay, double eps, bool amsgrad, bool maximize,
                          const std::optional<Tensor>& grad_scale,
                          const std::optional<Tensor>& found_inf) {
  adam("_fused_adamw_", self, grads, exp_avgs, exp_avg_sqs, max_exp_avg_sqs, state_steps, lr,
       {0, nullptr, beta1, beta2, weight_decay, eps, amsgrad, maximize, true, {}}, grad_scale,
       found_inf);
}

void _fused_sgd_kernel_(TensorList self, TensorList grads, TensorList momentum_buffer_list,
                        double weight_decay, double momentum, double lr, double dampening,
                        bool nesterov, bool maximize, bool is_first_step,
                        const std::optional<Tensor>& grad_scale,
                        const std::optional<Tensor>& found_inf) {
  sgd(self, grads, momentum_buffer_list, Tensor(),
      {lr, nullptr, weight_decay, momentum, dampening, nesterov, maximize, is_first_step, {}},
      grad_scale, found_inf);
}

void _fused_sgd_kernel_(TensorList self, TensorList grads, TensorList momentum_buffer_list,
                        double weight_decay, double momentum, const Tensor& lr, double dampening,
                        bool nesterov, bool maximize, bool is_first_step,
                        const std::optional<Tensor>& grad_scale,
                        const std::optional<Tensor>& found_inf) {
  sgd(self, grads, momentum_buffer_list, lr,
      {0, nullptr, weight_decay, momentum, dampening, nesterov, maximize, is_first_step, {}},
      grad_scale, found_inf);
}

}  // namespace at::native
