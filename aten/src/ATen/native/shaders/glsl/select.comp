#version 450
#extension GL_GOOGLE_include_directive : require
#include "elements.glsl"
#include "iteration.glsl"

// result = mask ? x : y, where x and y may be numbers.

layout(std430, set = 0, binding = 1) writeonly buffer Out { T result[]; };
layout(std430, set = 0, binding = 2) readonly buffer Mask { uint8_t mask[]; };
layout(std430, set = 0, binding = 3) readonly buffer First { T first[]; };
layout(std430, set = 0, binding = 4) readonly buffer Second { T second[]; };

void main() {
  FOR_EACH_ELEMENT(i) {
    const bool chosen = is_number(1) ? arguments.words[2] != 0u : uint(mask[place(1, i)]) != 0u;
    A value;
    if (chosen) {
      value = is_number(2) ? number(2, A(0)) : LOAD(first[place(2, i)]);
    } else {
      value = is_number(3) ? number(3, A(0)) : LOAD(second[place(3, i)]);
    }
    result[place(0, i)] = STORE(value);
  }
}
