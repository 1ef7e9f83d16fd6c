#version 450
#extension GL_GOOGLE_include_directive : require
#include "elements.glsl"
#include "iteration.glsl"

// Elements of type S become elements of type T.

layout(std430, set = 0, binding = 1) writeonly buffer Out { T result[]; };
layout(std430, set = 0, binding = 2) readonly buffer In { S source[]; };

void main() {
  FOR_EACH_ELEMENT(i) {
    const S_ARITHMETIC x = S_ARITHMETIC(source[place(1, i)]);
#if T_IS_BOOL
    result[place(0, i)] = T(x != S_ARITHMETIC(0) ? 1 : 0);
#else
    result[place(0, i)] = T(A(x));
#endif
  }
}
