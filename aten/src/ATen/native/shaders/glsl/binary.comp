#version 450
#extension GL_GOOGLE_include_directive : require
#include "elements.glsl"
#include "iteration.glsl"
#include "math.glsl"
#include "operations.glsl"

// result = f(x, y), with numbers 3, 4 and 5 as parameters of f. Either argument may be a number.

layout(std430, set = 0, binding = 1) writeonly buffer Out { T result[]; };
layout(std430, set = 0, binding = 2) readonly buffer First { T first[]; };
layout(std430, set = 0, binding = 3) readonly buffer Second { T second[]; };

#if T_IS_FLOATING
// The remainder of a division that is rounded towards zero.
float fmod_of(float x, float y) {
  if (is_nan(x) || is_nan(y) || is_inf(x) || y == 0.0) return make_nan();
  if (is_inf(y)) return x;
  const float divisor = abs(y);
  float rest = abs(x);
  // Long division: each subtraction is exact.
  for (int step = 0; step < 300 && rest >= divisor; ++step) {
    int high;
    int low;
    split_power(rest, high);
    split_power(divisor, low);
    float part = scale_by_power(divisor, max(high - low, 0));
    if (part > rest) part = scale_by_power(divisor, max(high - low - 1, 0));
    rest -= part;
  }
  return (floatBitsToUint(x) >> 31) != 0u ? -rest : rest;
}
float floor_divide(float x, float y) {
  if (y == 0.0) return x / y;
  const float rest = fmod_of(x, y);
  float quotient = (x - rest) / y;
  if (rest != 0.0 && (y < 0.0) != (rest < 0.0)) quotient -= 1.0;
  if (quotient == 0.0) return (x < 0.0) != (y < 0.0) ? -0.0 : 0.0;
  float whole = floor(quotient);
  if (quotient - whole > 0.5) whole += 1.0;
  return whole;
}
float remainder_of(float x, float y) {
  const float rest = fmod_of(x, y);
  return rest != 0.0 && (rest < 0.0) != (y < 0.0) ? rest + y : rest;
}

float normal_density(float x) { return 0.3989422804014327 * exp_of(-0.5 * x * x); }

float compute(float x, float y) {
  const float a = number(3, 0.0);
  const float b = number(4, 0.0);
  const float c = number(5, 0.0);
  switch (OP) {
    case BINARY_ADD: return x + a * y;
    case BINARY_MUL: return x * y;
    case BINARY_DIV: return x / y;
    case BINARY_DIV_TRUNC: return trunc(x / y);
    case BINARY_DIV_FLOOR: return floor_divide(x, y);
    case BINARY_REMAINDER: return remainder_of(x, y);
    case BINARY_FMOD: return fmod_of(x, y);
    case BINARY_MAXIMUM: return is_nan(x) ? x : (is_nan(y) ? y : max(x, y));
    case BINARY_MINIMUM: return is_nan(x) ? x : (is_nan(y) ? y : min(x, y));
    case BINARY_POW: return pow_of(x, y);
    case BINARY_MSE: return (x - y) * (x - y);
    // x is the gradient from here on, except for the threshold.
    case BINARY_SIGMOID_BACKWARD: return x * (1.0 - y) * y;
    case BINARY_TANH_BACKWARD: return x * (1.0 - y * y);
    // x: self, y: the value where it is above the threshold, a. Also for numbers as y.
    case BINARY_THRESHOLD: return x <= a ? b : y;
    case BINARY_GELU_BACKWARD:
      return x * (0.5 * erfc_of(-y * 0.70710678118654752) + y * normal_density(y));
    case BINARY_GELU_TANH_BACKWARD: {
      const float inner = 0.7978845608028654 * (y + 0.044715 * y * y * y);
      const float t = tanh_of(inner);
      const float slope = 0.7978845608028654 * (1.0 + 3.0 * 0.044715 * y * y);
      return x * (0.5 * (1.0 + t) + 0.5 * y * (1.0 - t * t) * slope);
    }
    case BINARY_SILU_BACKWARD: {
      const float s = sigmoid_of(y);
      return x * s * (1.0 + y * (1.0 - s));
    }
    case BINARY_HARDSWISH_BACKWARD: return y <= -3.0 ? 0.0 : (y < 3.0 ? x * (y / 3.0 + 0.5) : x);
    case BINARY_HARDSIGMOID_BACKWARD: return y > -3.0 && y < 3.0 ? x / 6.0 : 0.0;
    case BINARY_HARDTANH_BACKWARD: return y <= a || y >= b ? 0.0 : x;
    case BINARY_MISH_BACKWARD: {
      const float t = tanh_of(log1p_of(exp_of(min(y, 20.0))));
      return y > 20.0 ? x : x * (t + y * sigmoid_of(y) * (1.0 - t * t));
    }
    case BINARY_SOFTPLUS_BACKWARD: return y * a > b ? x : x * sigmoid_of(y * a);
    // a: alpha * scale, b: scale, c: scale of what is in the exponential.
    case BINARY_ELU_BACKWARD: return y <= 0.0 ? x * (c * a * exp_of(y * c)) : x * b;
    case BINARY_ELU_BACKWARD_OF_RESULT: return y <= 0.0 ? x * c * (y + a) : x * b;
    // x is the argument from here on, and y the gradient, a weight, a gate or the end.
    case BINARY_LEAKY_RELU_BACKWARD: return x > 0.0 ? y : y * a;
    case BINARY_PRELU: return x > 0.0 ? x : y * x;
    case BINARY_GLU: return x * sigmoid_of(y);
    case BINARY_LERP: return abs(a) < 0.5 ? x + a * (y - x) : y - (y - x) * (1.0 - a);
  }
  return make_nan();
}
#else
A floor_quotient(A x, A y) {
  // A device does not say what division by zero gives; PyTorch's GPUs give any number, too.
  if (y == A(0)) return A(-1);
  const A quotient = x / y;
  return (x % y != A(0)) && ((x < A(0)) != (y < A(0))) ? quotient - A(1) : quotient;
}

A compute(A x, A y) {
  const A a = number(3, A(0));
  switch (OP) {
    case BINARY_ADD: return x + a * y;
    case BINARY_MUL: return x * y;
    case BINARY_DIV_TRUNC: return y == A(0) ? A(-1) : x / y;
    case BINARY_DIV_FLOOR: return floor_quotient(x, y);
    case BINARY_REMAINDER: return x - floor_quotient(x, y) * y;
    case BINARY_FMOD: return y == A(0) ? A(0) : x - (x / y) * y;
    case BINARY_MAXIMUM: return max(x, y);
    case BINARY_MINIMUM: return min(x, y);
    case BINARY_BITWISE_AND: return x & y;
    case BINARY_BITWISE_OR: return x | y;
    case BINARY_BITWISE_XOR: return x ^ y;
    case BINARY_THRESHOLD: return x <= a ? number(4, A(0)) : y;
  }
  return A(0);
}
#endif

void main() {
  FOR_EACH_ELEMENT(i) {
    const A x = is_number(1) ? number(1, A(0)) : LOAD(first[place(1, i)]);
    const A y = is_number(2) ? number(2, A(0)) : LOAD(second[place(2, i)]);
    result[place(0, i)] = STORE(compute(x, y));
  }
}
