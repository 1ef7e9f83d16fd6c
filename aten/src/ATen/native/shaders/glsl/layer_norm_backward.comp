#version 450
#extension GL_GOOGLE_include_directive : require
#include "elements.glsl"
#include "rows.glsl"

// The gradient of layer_norm's input along contiguous rows, with g = dy * gamma and xhat = (x - mean) * rstd:
// dx = rstd * (g - mean(g) - xhat * mean(g * xhat)). Bits of OP: 1 had the mean subtracted, 2 has gamma; without the
// first, mean(g) and mean are 0.

layout(std430, set = 0, binding = 1) writeonly buffer Out { T dx[]; };
layout(std430, set = 0, binding = 2) readonly buffer Gradient { T dy[]; };
layout(std430, set = 0, binding = 3) readonly buffer In { T x[]; };
layout(std430, set = 0, binding = 4) readonly buffer Gamma { T gamma[]; };
layout(std430, set = 0, binding = 5) readonly buffer Mean { float means[]; };
layout(std430, set = 0, binding = 6) readonly buffer Rstd { float rstds[]; };

shared float partial[128];

float sum(float a, float b) { return a + b; }

float weighted(uint row, uint i) {
  const float g = LOAD(dy[arguments.start[2] + row * arguments.count + i]);
  return (OP & 2) != 0 ? g * LOAD(gamma[arguments.start[4] + i]) : g;
}

void main() {
  const float n = float(arguments.count);
  for (uint row = first_row(); row < arguments.rows; row += row_step()) {
    const uint at = row * arguments.count;
    const float mean = (OP & 1) != 0 ? means[arguments.start[5] + row] : 0.0;
    const float rstd = rstds[arguments.start[6] + row];
    float total = 0.0;
    float dot = 0.0;
    for (uint i = first_element(); i < arguments.count; i += element_step()) {
      const float g = weighted(row, i);
      total += g;
      dot += g * (LOAD(x[arguments.start[3] + at + i]) - mean) * rstd;
    }
    SHARE(partial, total, sum)
    SHARE(partial, dot, sum)
    const float shift = (OP & 1) != 0 ? total / n : 0.0;
    for (uint i = first_element(); i < arguments.count; i += element_step()) {
      const float normal = (LOAD(x[arguments.start[3] + at + i]) - mean) * rstd;
      dx[arguments.start[1] + at + i] = STORE(rstd * (weighted(row, i) - shift - normal * dot / n));
    }
  }
}
