#version 450
#extension GL_GOOGLE_include_directive : require
#include "elements.glsl"
#include "iteration.glsl"

// Whether elements are zero.

layout(std430, set = 0, binding = 1) writeonly buffer Out { uint8_t result[]; };
layout(std430, set = 0, binding = 2) readonly buffer In { T source[]; };

void main() {
  FOR_EACH_ELEMENT(i) {
    const A x = LOAD(source[place(1, i)]);
    result[place(0, i)] = uint8_t(x == A(0) && !is_nan(x) ? 1 : 0);
  }
}
