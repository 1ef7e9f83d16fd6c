#version 450
#extension GL_GOOGLE_include_directive : require
#include "elements.glsl"
#include "iteration.glsl"

// The element whose bits are number 2 wherever the mask is true.

layout(std430, set = 0, binding = 1) writeonly buffer Out { T result[]; };
layout(std430, set = 0, binding = 2) readonly buffer Mask { uint8_t mask[]; };

void main() {
  FOR_EACH_ELEMENT(i) {
    const bool chosen = is_number(1) ? arguments.words[2] != 0u : uint(mask[place(1, i)]) != 0u;
    if (chosen) result[place(0, i)] = STORE(number(2, A(0)));
  }
}
