#pragma once

// Steps of optimisers for lists of parameters at once: the stubs, and the formulas, which the
// kernels of the CPU and of CUDA share.

#include <ATen/native/DispatchStub.h>
#include <ATen/native/Formula.h>
#include <ATen/native/TensorRows.h>
#include <c10/core/ScalarType.h>
#include <c10/macros/Macros.h>
#include <c10/util/ArrayRef.h>

#include <cmath>
#include <type_traits>

namespace at::native {

// What a step's loss was multiplied by, and whether the step is to be left out. Either may be null.
struct GradScaling {
  const float* scale;      // gradients are divided by it, and stored so
  const float* found_inf;  // not zero: nothing happens
};

// The roles of Adam's rows: parameter, gradient, mean, mean square, greatest mean square (AMSGrad).
struct AdamOptions {
  double lr;
  const float* lr_data;  // instead of lr, unless null
  double beta1;
  double beta2;
  double weight_decay;
  double eps;
  bool amsgrad;
  bool maximize;
  bool decoupled_weight_decay;
  GradScaling scaling;
};

// The roles of SGD's rows: parameter, gradient, momentum.
struct SGDOptions {
  double lr;
  const float* lr_data;
  double weight_decay;
  double momentum;
  double dampening;
  bool nesterov;
  bool maximize;
  bool is_first_step;  // the momentum has no value yet
  GradScaling scaling;
};

using fused_adam_fn = void (*)(c10::ScalarType dtype, c10::ArrayRef<TensorRow> rows,
                               const AdamOptions& options);
using fused_sgd_fn = void (*)(c10::ScalarType dtype, c10::ArrayRef<TensorRow> rows,
                              const SGDOptions& options);
// Multiplies by *inv_scale and sets *found_inf to 1 where an element is not finite.
using amp_unscale_fn = void (*)(c10::ScalarType dtype, c10::ArrayRef<TensorRow> rows,
                                float* found_inf, const float* inv_scale);
// torch.amp.GradScaler's rule: see AmpScaling below.
using amp_update_scale_fn = void (*)(float* scale, int* growth_tracker, const float* found_inf,
                                     double growth_factor, double backoff_factor,
                                     int64_t growth_interval);

DECLARE_DISPATCH(fused_adam_fn, fused_adam_stub)
DECLARE_DISPATCH(fused_sgd_fn, fused_sgd_stub)
DECLARE_DISPATCH(amp_unscale_fn, amp_unscale_stub)
DECLARE_DISPATCH(amp_update_scale_fn, amp_update_scale_stub)

inline namespace AT_FORMULA_NAMESPACE {
namespace optimizer {

// V is T, or a vector of T.
template <typename V>
C10_HOST_DEVICE V root(const V& x) {
  if constexpr (std::is_floating_point_v<V>) {
    return std::sqrt(x);
  } else {
    return x.sqrt();
  }
}
template <typename V>
C10_HOST_DEVICE V greater(const V& a, const V& b) {
  if constexpr (std::is_floating_point_v<V>) {
    return b > a || b != b ? b : a;
  } else {
    return maximum(a, b);
  }
}

// Kingma and Ba (2015), algorithm 1 with the order of section 2's end; AMSGrad of Reddi et al.
// (2018), algorithm 2; decoupled decay of Loshchilov and Hutter (2019), algorithm 2.
template <typename T>
struct AdamStep {
  T keep1, keep2, decay, eps, step_size, root_correction2, grad_scale;
  bool amsgrad, maximize, decoupled, scaled;

  // `step` counts from one.
  C10_HOST_DEVICE AdamStep(const AdamOptions& o, double step) {
    const double lr = o.lr_data == nullptr ? o.lr : static_cast<double>(*o.lr_data);
    keep1 = static_cast<T>(o.beta1);
    keep2 = static_cast<T>(o.beta2);
    decoupled = o.decoupled_weight_decay;
    decay = static_cast<T>(decoupled ? 1 - lr * o.weight_decay : o.weight_decay);
    eps = static_cast<T>(o.eps);
    step_size = static_cast<T>(lr / (1 - ::pow(o.beta1, step)));
    root_correction2 = static_cast<T>(::sqrt(1 - ::pow(o.beta2, step)));
    amsgrad = o.amsgrad;
    maximize = o.maximize;
    scaled = o.scaling.scale != nullptr;
    grad_scale = scaled ? static_cast<T>(*o.scaling.scale) : T(1);
  }

  template <typename V>
  C10_HOST_DEVICE void operator()(V* x) const {
    if (scaled) x[1] = x[1] / V(grad_scale);
    V grad = maximize ? V(T(0)) - x[1] : x[1];
    if (decoupled) {
      x[0] = x[0] * V(decay);
    } else {
      grad = grad + V(decay) * x[0];
    }
    x[2] = x[2] + (grad - x[2]) * V(T(1) - keep1);
    x[3] = V(keep2) * x[3] + V(T(1) - keep2) * grad * grad;
    if (amsgrad) x[4] = greater(x[4], x[3]);
    const V denominator = root(amsgrad ? x[4] : x[3]) / V(root_correction2) + V(eps);
    x[0] = x[0] - V(step_size) * x[2] / denominator;
  }
};

// Sutskever et al. (2013) with the learning rate outside of the momentum, as PyTorch has it.
template <typename T>
struct SGDStep {
  T lr, decay, momentum, take, grad_scale;
  bool nesterov, maximize, first, scaled, remembers;

  C10_HOST_DEVICE SGDStep(const SGDOptions& o, double /*step*/) {
    lr = static_cast<T>(o.lr_data == nullptr ? o.lr : static_cast<double>(*o.lr_data));
    decay = static_cast<T>(o.weight_decay);
    momentum = static_cast<T>(o.momentum);
    take = static_cast<T>(1 - o.dampening);
    nesterov = o.nesterov;
    maximize = o.maximize;
    first = o.is_first_step;
    remembers = o.momentum != 0;
    scaled = o.scaling.scale != nullptr;
    grad_scale = scaled ? static_cast<T>(*o.scaling.scale) : T(1);
  }

  template <typename V>
  C10_HOST_DEVICE void operator()(V* x) const {
    if (scaled) x[1] = x[1] / V(grad_scale);
    V grad = maximize ? V(T(0)) - x[1] : x[1];
    grad = grad + V(decay) * x[0];
    if (remembers) {
      x[2] = first ? grad : V(momentum) * x[2] + V(take) * grad;
      grad = nesterov ? grad + V(momentum) * x[2] : x[2];
    }
    x[0] = x[0] - V(lr) * grad;
  }
};

// The next scale of torch.amp.GradScaler: smaller after a step with an infinity, greater after
// `growth_interval` steps without one, unless it would be infinite itself.
struct AmpScaling {
  double growth_factor, backoff_factor;
  int64_t growth_interval;
  C10_HOST_DEVICE void operator()(float* scale, int* tracker, const float* found_inf) const {
    if (*found_inf != 0) {
      *scale = static_cast<float>(*scale * backoff_factor);
      *tracker = 0;
      return;
    }
    if (++*tracker != growth_interval) return;
    const auto grown = static_cast<float>(*scale * growth_factor);
    if (grown - grown == 0) *scale = grown;
    *tracker = 0;
  }
};

}  // namespace optimizer
}  // namespace AT_FORMULA_NAMESPACE

}  // namespace at::native
