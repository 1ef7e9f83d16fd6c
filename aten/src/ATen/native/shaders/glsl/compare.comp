#version 450
#extension GL_GOOGLE_include_directive : require
#include "elements.glsl"
#include "iteration.glsl"
#include "operations.glsl"

// Truths about two arguments, either of which may be a number.

layout(std430, set = 0, binding = 1) writeonly buffer Out { uint8_t result[]; };
layout(std430, set = 0, binding = 2) readonly buffer First { T first[]; };
layout(std430, set = 0, binding = 3) readonly buffer Second { T second[]; };

bool compute(A x, A y) {
  const bool unordered = is_nan(x) || is_nan(y);
  switch (OP) {
    case COMPARE_EQ: return x == y && !unordered;
    case COMPARE_NE: return x != y || unordered;
    case COMPARE_LT: return x < y && !unordered;
    case COMPARE_LE: return x <= y && !unordered;
    case COMPARE_GT: return x > y && !unordered;
    case COMPARE_GE: return x >= y && !unordered;
    case COMPARE_AND: return (x != A(0) || is_nan(x)) && (y != A(0) || is_nan(y));
    case COMPARE_OR: return x != A(0) || y != A(0) || unordered;
    case COMPARE_XOR: return (x != A(0) || is_nan(x)) != (y != A(0) || is_nan(y));
  }
  return false;
}

void main() {
  FOR_EACH_ELEMENT(i) {
    const A x = is_number(1) ? number(1, A(0)) : LOAD(first[place(1, i)]);
    const A y = is_number(2) ? number(2, A(0)) : LOAD(second[place(2, i)]);
    result[place(0, i)] = uint8_t(compute(x, y) ? 1 : 0);
  }
}
