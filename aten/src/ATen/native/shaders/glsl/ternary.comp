#version 450
#extension GL_GOOGLE_include_directive : require
#include "elements.glsl"
#include "iteration.glsl"
#include "operations.glsl"

// result = f(x, y, z), with number 4 as a parameter of f. Any argument may be a number.

layout(std430, set = 0, binding = 1) writeonly buffer Out { T result[]; };
layout(std430, set = 0, binding = 2) readonly buffer First { T first[]; };
layout(std430, set = 0, binding = 3) readonly buffer Second { T second[]; };
layout(std430, set = 0, binding = 4) readonly buffer Third { T third[]; };

A compute(A x, A y, A z) {
  const A a = number(4, A(0));
  switch (OP) {
    case TERNARY_ADDCMUL: return x + a * y * z;
    case TERNARY_ADDCDIV: return x + a * (y / z);
    case TERNARY_LERP: return abs(z) < A(0.5) ? x + z * (y - x) : y - (y - x) * (A(1) - z);
    case TERNARY_CLAMP: return is_nan(x) ? x : (is_nan(y) ? y : (is_nan(z) ? z : min(max(x, y), z)));
    // x and y: input and target, z: the gradient.
    case TERNARY_MSE_BACKWARD: return a * (x - y) * z;
  }
  return A(0);
}

void main() {
  FOR_EACH_ELEMENT(i) {
    const A x = is_number(1) ? number(1, A(0)) : LOAD(first[place(1, i)]);
    const A y = is_number(2) ? number(2, A(0)) : LOAD(second[place(2, i)]);
    const A z = is_number(3) ? number(3, A(0)) : LOAD(third[place(3, i)]);
    result[place(0, i)] = STORE(compute(x, y, z));
  }
}
