#version 450
#extension GL_GOOGLE_include_directive : require
#include "elements.glsl"
#include "rows.glsl"
#include "math.glsl"

// y = (x - mean) * rstd * gamma + beta along contiguous rows. Bits of OP: 1 subtracts the mean, 2 has gamma, 4 has
// beta. a is what is added to the variance.

layout(std430, set = 0, binding = 1) writeonly buffer Out { T result[]; };
layout(std430, set = 0, binding = 2) readonly buffer In { T source[]; };
layout(std430, set = 0, binding = 3) readonly buffer Gamma { T gamma[]; };
layout(std430, set = 0, binding = 4) readonly buffer Beta { T beta[]; };
layout(std430, set = 0, binding = 5) writeonly buffer Mean { float means[]; };
layout(std430, set = 0, binding = 6) writeonly buffer Rstd { float rstds[]; };

shared float partial[128];

float sum(float x, float y) { return x + y; }

void main() {
  const float n = float(arguments.count);
  for (uint row = first_row(); row < arguments.rows; row += row_step()) {
    const uint from = arguments.start[2] + row * arguments.count;
    const uint to = arguments.start[1] + row * arguments.count;
    float mean = 0.0;
    if ((OP & 1) != 0) {
      for (uint i = first_element(); i < arguments.count; i += element_step()) {
        mean += LOAD(source[from + i]);
      }
      SHARE(partial, mean, sum)
      mean /= n;
    }
    float variance = 0.0;
    for (uint i = first_element(); i < arguments.count; i += element_step()) {
      const float d = LOAD(source[from + i]) - mean;
      variance += d * d;
    }
    SHARE(partial, variance, sum)
    const float rstd = 1.0 / sqrt(variance / n + arguments.a);
    for (uint i = first_element(); i < arguments.count; i += element_step()) {
      float y = (LOAD(source[from + i]) - mean) * rstd;
      if ((OP & 2) != 0) y *= LOAD(gamma[arguments.start[3] + i]);
      if ((OP & 4) != 0) y += LOAD(beta[arguments.start[4] + i]);
      result[to + i] = STORE(y);
    }
    if (writes()) {
      if ((OP & 1) != 0) means[arguments.start[5] + row] = mean;
      rstds[arguments.start[6] + row] = rstd;
    }
  }
}
