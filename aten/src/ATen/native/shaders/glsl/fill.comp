#version 450
#extension GL_GOOGLE_include_directive : require
#include "elements.glsl"
#include "iteration.glsl"

// One element everywhere, whose bits are number 1, or with OP 1 the numbers of a range: number 1 + i * number 2.

layout(std430, set = 0, binding = 1) writeonly buffer Out { T result[]; };

void main() {
  FOR_EACH_ELEMENT(i) {
    A value = number(1, A(0));
    if (OP == 1) value += A(i) * number(2, A(0));
    result[place(0, i)] = STORE(value);
  }
}
