#version 450
#extension GL_GOOGLE_include_directive : require
#include "elements.glsl"
#include "iteration.glsl"
#include "math.glsl"
#include "operations.glsl"

// result = f(x), with numbers 2, 3 and 4 as parameters of f.

layout(std430, set = 0, binding = 1) writeonly buffer Out { T result[]; };
layout(std430, set = 0, binding = 2) readonly buffer In { T source[]; };

#if T_IS_FLOATING
float gelu(float x, bool by_tanh) {
  if (by_tanh) {
    const float inner = 0.7978845608028654 * (x + 0.044715 * x * x * x);
    return 0.5 * x * (1.0 + tanh_of(inner));
  }
  return x * 0.5 * erfc_of(-x * 0.70710678118654752);
}

float compute(float x) {
  const float a = number(2, 0.0);
  const float b = number(3, 0.0);
  const float c = number(4, 0.0);
  switch (OP) {
    case UNARY_ABS: return abs(x);
    case UNARY_NEG: return -x;
    case UNARY_CEIL: return ceil(x);
    case UNARY_FLOOR: return floor(x);
    case UNARY_ROUND: return roundEven(x);
    case UNARY_TRUNC: return trunc(x);
    case UNARY_SIGN: return is_nan(x) ? 0.0 : sign(x);
    case UNARY_EXP: return exp_of(x);
    case UNARY_EXPM1: return expm1_of(x);
    case UNARY_LOG: return log_of(x);
    case UNARY_LOG1P: return log1p_of(x);
    case UNARY_SQRT: return sqrt_of(x);
    case UNARY_RSQRT: return 1.0 / sqrt_of(x);
    case UNARY_RECIPROCAL: return 1.0 / x;
    case UNARY_SIN: return sin_of(x);
    case UNARY_COS: return cos_of(x);
    case UNARY_TANH: return tanh_of(x);
    case UNARY_SIGMOID: return sigmoid_of(x);
    case UNARY_ERF: return erf_of(x);
    case UNARY_ERFC: return erfc_of(x);
    case UNARY_GELU: return gelu(x, false);
    case UNARY_GELU_TANH: return gelu(x, true);
    case UNARY_SILU: return x * sigmoid_of(x);
    case UNARY_MISH: return x * tanh_of(x > 20.0 ? x : log1p_of(exp_of(x)));
    case UNARY_HARDSWISH: return x * min(max(x + 3.0, 0.0), 6.0) / 6.0;
    case UNARY_HARDSIGMOID: return is_nan(x) ? x : min(max(x + 3.0, 0.0), 6.0) / 6.0;
    case UNARY_LEAKY_RELU: return x > 0.0 || is_nan(x) ? x : x * a;
    case UNARY_SOFTPLUS: return x * a > b ? x : log1p_of(exp_of(x * a)) / a;
    // a: alpha, b: scale, c: scale of what is in the exponential.
    case UNARY_ELU: return x > 0.0 ? x * b : expm1_of(x * c) * (a * b);
    case UNARY_CLAMP: return is_nan(x) ? x : min(max(x, a), b);
    case UNARY_CLAMP_MIN: return is_nan(x) ? x : max(x, a);
    case UNARY_CLAMP_MAX: return is_nan(x) ? x : min(x, a);
    case UNARY_POW: return pow_of(x, a);
    case UNARY_POW_OF: return pow_of(a, x);
    case UNARY_EXP2: return pow_of(2.0, x);
    case UNARY_LOG2: return log2_of(x);
    case UNARY_LOG10: return log_of(x) * 0.43429448190325183;
    case UNARY_FRAC: return x - trunc(x);
    case UNARY_TAN: return sin_of(x) / cos_of(x);
    case UNARY_SINH: return sinh_of(x);
    case UNARY_COSH: return cosh_of(x);
  }
  return make_nan();
}
#else
A compute(A x) {
  const A a = number(2, A(0));
  const A b = number(3, A(0));
  switch (OP) {
    case UNARY_ABS: return x < A(0) ? -x : x;
    case UNARY_NEG: return -x;
    case UNARY_CEIL:
    case UNARY_FLOOR:
    case UNARY_ROUND:
    case UNARY_TRUNC: return x;
    case UNARY_SIGN: return x > A(0) ? A(1) : (x < A(0) ? A(-1) : A(0));
    case UNARY_BITWISE_NOT:
#if T_IS_BOOL
      return x == A(0) ? A(1) : A(0);
#else
      return ~x;
#endif
    case UNARY_CLAMP: return min(max(x, a), b);
    case UNARY_CLAMP_MIN: return max(x, a);
    case UNARY_CLAMP_MAX: return min(x, a);
    case UNARY_POW: {
      // By squaring, which wraps around as multiplication does.
      if (a < A(0)) return x == A(1) ? A(1) : (x == A(-1) ? ((a & A(1)) != A(0) ? A(-1) : A(1)) : A(0));
      A power = A(1);
      A base = x;
      for (A left = a; left > A(0); left >>= 1) {
        if ((left & A(1)) != A(0)) power *= base;
        base *= base;
      }
      return power;
    }
  }
  return A(0);
}
#endif

void main() {
  FOR_EACH_ELEMENT(i) result[place(0, i)] = STORE(compute(LOAD(source[place(1, i)])));
}
