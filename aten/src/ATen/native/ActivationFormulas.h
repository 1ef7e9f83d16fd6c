#pragma once

// The formulas of activation functions and their gradients, shared by the CPU and CUDA kernels.
// Gradients take the gradient of the result first. N is the type of the parameters. V is the type
// of the elements: float, double, or a vector of them.

#include <ATen/native/Formula.h>

namespace at::native {
inline namespace AT_FORMULA_NAMESPACE {
namespace activation {

// ---- gelu: Hendrycks and Gimpel, "Gaussian Error Linear Units", arXiv:1606.08415.

constexpr double kSqrt2OverPi = 0.79788456080286535588;
constexpr double kInvSqrt2Pi = 0.39894228040143267794;  // 1 / sqrt(2 pi)
constexpr double kGeluCubic = 0.044715;

struct GeluTanh {
  template <typename V>
  C10_HOST_DEVICE V operator()(V x) const {
    const V inner = constant<V>(kSqrt2OverPi) * (x + constant<V>(kGeluCubic) * x * x * x);
    return constant<V>(0.5) * x * (constant<V>(1) + tanh_of(inner));
  }
};

struct GeluTanhBackward {
  template <typename V>
  C10_HOST_DEVICE V operator()(V grad, V x) const {
    const V one = constant<V>(1);
    const V half = constant<V>(0.5);
    const V t = tanh_of(V(constant<V>(kSqrt2OverPi) * (x + constant<V>(kGeluCubic) * x * x * x)));
    const V slope = constant<V>(kSqrt2OverPi) * (one + constant<V>(3 * kGeluCubic) * x * x);
    return grad * (half * (one + t) + half * x * (one - t * t) * slope);
  }
};

// x Phi(x), from the tail: 1 + erf would cancel for negative x.
struct GeluErf {
  template <typename V>
  C10_HOST_DEVICE V operator()(V x) const {
    // Far below zero vectors of the tail are the least normal number instead of 0.
    const V tail = select(x < constant<V>(-40), constant<V>(0), V(normal_tail(x)));
    return x * select(x < constant<V>(0), tail, V(constant<V>(1) - tail));
  }
};

struct GeluErfBackward {
  template <typename V>
  C10_HOST_DEVICE V operator()(V grad, V x) const {
    const V tail = normal_tail(x);
    const V cdf = select(x < constant<V>(0), tail, V(constant<V>(1) - tail));
    const V pdf = saturating_exp(V(x * x * constant<V>(-0.5))) * constant<V>(kInvSqrt2Pi);
    return grad * (cdf + x * pdf);
  }
};

// ---- threshold

// `other` where x is above the threshold: x itself, or the gradient of the result. NaN is.
template <typename N>
struct Threshold {
  N threshold, value;
  template <typename V>
  C10_HOST_DEVICE V operator()(V x, V other) const {
    return select(x <= constant<V>(threshold), constant<V>(value), other);
  }
};

// ---- silu: Elfwing, Uchibe and Doya, arXiv:1702.03118.

// 0, but NaN where x is -infinity. There PyTorch's silu is -inf / inf, whereas saturating_exp stays
// finite.
template <typename V>
C10_HOST_DEVICE V nan_at_minus_infinity(V x) {
  return select(x < constant<V>(0), V(x * constant<V>(0)), constant<V>(-0.0));
}

struct Silu {
  template <typename V>
  C10_HOST_DEVICE V operator()(V x) const {
    return x / (constant<V>(1) + saturating_exp(V(-x))) + nan_at_minus_infinity(x);
  }
};

struct SiluBackward {
  template <typename V>
  C10_HOST_DEVICE V operator()(V grad, V x) const {
    const V one = constant<V>(1);
    const V sigmoid = one / (one + saturating_exp(V(-x)));
    return grad * sigmoid * (one + x * (one - sigmoid)) + nan_at_minus_infinity(x);
  }
};

// ---- leaky_relu and prelu: He, Zhang, Ren and Sun, arXiv:1502.01852.

template <typename N>
struct LeakyRelu {
  N slope;
  template <typename V>
  C10_HOST_DEVICE V operator()(V x) const {
    return select(x > constant<V>(0), x, V(x * constant<V>(slope)));
  }
};

// Takes the input, or the result, and then the gradient of the result.
template <typename N>
struct LeakyReluBackward {
  N slope;
  template <typename V>
  C10_HOST_DEVICE V operator()(V x, V grad) const {
    return select(x > constant<V>(0), grad, V(grad * constant<V>(slope)));
  }
};

struct Prelu {
  template <typename V>
  C10_HOST_DEVICE V operator()(V x, V weight) const {
    return select(x > constant<V>(0), x, V(weight * x));
  }
};

// ---- softplus: linear above the threshold, where exp could overflow.

template <typename N>
struct Softplus {
  N beta, threshold;
  template <typename V>
  C10_HOST_DEVICE V operator()(V x) const {
    const V scaled = x * constant<V>(beta);
    return select(scaled > constant<V>(threshold), x,
                  V(log1p_of(exp_of(scaled)) / constant<V>(beta)));
  }
};

template <typename N>
struct SoftplusBackward {
  N beta, threshold;
  template <typename V>
  C10_HOST_DEVICE V operator()(V grad, V x) const {
    const V scaled = x * constant<V>(beta);
    const V z = exp_of(scaled);
    return select(scaled > constant<V>(threshold), grad, V(grad * z / (z + constant<V>(1))));
  }
};

// ---- elu: Clevert, Unterthiner and Hochreiter, arXiv:1511.07289. `negative` is alpha * scale.

template <typename N>
struct Elu {
  N negative, positive, input_scale;
  template <typename V>
  C10_HOST_DEVICE V operator()(V x) const {
    const V above = x * constant<V>(positive);
    if (none_negative(x)) return above;
    const V below = expm1_of(V(x * constant<V>(input_scale))) * constant<V>(negative);
    return select(x < constant<V>(0), below, above);
  }
};

template <typename N>
struct EluBackward {
  N negative, positive, input_scale;
  template <typename V>
  C10_HOST_DEVICE V operator()(V grad, V x) const {
    const V slope = constant<V>(input_scale * negative) * exp_of(V(x * constant<V>(input_scale)));
    return select(x <= constant<V>(0), V(grad * slope), V(grad * constant<V>(positive)));
  }
};

// From the result y: exp(input_scale * x) is 1 + y / negative.
template <typename N>
struct EluBackwardOfResult {
  N negative, positive, input_scale;
  template <typename V>
  C10_HOST_DEVICE V operator()(V grad, V y) const {
    return select(y <= constant<V>(0),
                  V(grad * constant<V>(input_scale) * (y + constant<V>(negative))),
                  V(grad * constant<V>(positive)));
  }
};

// ---- hardswish and hardsigmoid: Howard and others, arXiv:1905.02244.

template <typename V>
C10_HOST_DEVICE V from_0_to_6(V x) {
  return clamped(x, constant<V>(0), constant<V>(6));
}

struct Hardswish {
  template <typename V>
  C10_HOST_DEVICE V operator()(V x) const {
    return x * from_0_to_6(V(x + constant<V>(3))) / constant<V>(6);
  }
};

struct HardswishBackward {
  template <typename V>
  C10_HOST_DEVICE V operator()(V grad, V x) const {
    const V inner =
        select(x < constant<V>(3), V(grad * (x / constant<V>(3) + constant<V>(0.5))), grad);
    return select(x <= constant<V>(-3), constant<V>(0), inner);
  }
};

struct Hardsigmoid {
  template <typename V>
  C10_HOST_DEVICE V operator()(V x) const {
    return from_0_to_6(V(x + constant<V>(3))) / constant<V>(6);
  }
};

struct HardsigmoidBackward {
  template <typename V>
  C10_HOST_DEVICE V operator()(V grad, V x) const {
    const V zero = constant<V>(0);
    const V below = select(x < constant<V>(3), V(grad * constant<V>(1.0 / 6)), zero);
    return select(x > constant<V>(-3), below, zero);
  }
};

template <typename N>
struct HardtanhBackward {
  N low, high;
  template <typename V>
  C10_HOST_DEVICE V operator()(V grad, V x) const {
    const V zero = constant<V>(0);
    const V below = select(x >= constant<V>(high), zero, grad);
    return select(x <= constant<V>(low), zero, below);
  }
};

// ---- softshrink and hardshrink

// x * 0 keeps NaN.
template <typename N>
struct Softshrink {
  N lambd;
  template <typename V>
  C10_HOST_DEVICE V operator()(V x) const {
    const V l = constant<V>(lambd);
    const V inner = select(x < constant<V>(-lambd), V(x + l), V(x * constant<V>(0)));
    return select(x > l, V(x - l), inner);
  }
};

template <typename N>
struct Hardshrink {
  N lambd;
  template <typename V>
  C10_HOST_DEVICE V operator()(V x) const {
    const V below = select(x <= constant<V>(lambd), constant<V>(0), x);
    return select(x >= constant<V>(-lambd), below, x);
  }
};

// The gradient of both.
template <typename N>
struct ShrinkBackward {
  N lambd;
  template <typename V>
  C10_HOST_DEVICE V operator()(V grad, V x) const {
    const V below = select(x <= constant<V>(lambd), constant<V>(0), grad);
    return select(x >= constant<V>(-lambd), below, grad);
  }
};

// ---- mish: Misra, arXiv:1908.08681.

// tanh(log(1 + e)) = n / (n + 2) with n = e (e + 2).
template <typename V>
C10_HOST_DEVICE V tanh_of_softplus(V e) {
  const V n = e * (e + constant<V>(2));
  return n / (n + constant<V>(2));
}

// Above this the formulas' limits are exact in double.
constexpr double kMishLinear = 20;

struct Mish {
  template <typename V>
  C10_HOST_DEVICE V operator()(V x) const {
    return select(x > constant<V>(kMishLinear), x, V(x * tanh_of_softplus(exp_of(x))));
  }
};

struct MishBackward {
  template <typename V>
  C10_HOST_DEVICE V operator()(V grad, V x) const {
    const V one = constant<V>(1);
    const V e = exp_of(x);
    const V t = tanh_of_softplus(e);
    const V sigmoid = e / (one + e);
    return select(x > constant<V>(kMishLinear), grad, V(grad * (t + x * sigmoid * (one - t * t))));
  }
};

// ---- glu: Dauphin, Fan, Auli and Grangier, arXiv:1612.08083.

struct Glu {
  template <typename V>
  C10_HOST_DEVICE V operator()(V a, V b) const {
    return a / (constant<V>(1) + exp_of(V(constant<V>(0) - b)));
  }
};

}  // namespace activation
}  // namespace AT_FORMULA_NAMESPACE
}  // namespace at::native
