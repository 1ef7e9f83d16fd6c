#version 450
#extension GL_GOOGLE_include_directive : require
#include "elements.glsl"

// The gradients of layer_norm's parameters, sums down the columns of contiguous rows: dgamma of
// dy * (x - mean) * rstd, dbeta of dy. A workgroup makes 32 columns; its threads share the rows.

// Bits: 1 had the mean subtracted, 2 wants dgamma, 4 wants dbeta.
layout(constant_id = 1) const int OP = 0;

layout(std430, set = 0, binding = 0) readonly buffer Arguments {
  uint start[8];
  uint rows;
  uint count;
} arguments;

layout(std430, set = 0, binding = 1) writeonly buffer DGamma { float dgamma[]; };
layout(std430, set = 0, binding = 2) writeonly buffer DBeta { float dbeta[]; };
layout(std430, set = 0, binding = 3) readonly buffer Gradient { T dy[]; };
layout(std430, set = 0, binding = 4) readonly buffer In { T x[]; };
layout(std430, set = 0, binding = 5) readonly buffer Mean { float means[]; };
layout(std430, set = 0, binding = 6) readonly buffer Rstd { float rstds[]; };

const uint COLUMNS = 32;
const uint PARTS = 4;

shared float partial_gamma[PARTS][COLUMNS];
shared float partial_beta[PARTS][COLUMNS];

void main() {
  const uint lane = gl_LocalInvocationID.x % COLUMNS;
  const uint part = gl_LocalInvocationID.x / COLUMNS;
  const uint tiles = (arguments.count + COLUMNS - 1) / COLUMNS;
  for (uint tile = gl_WorkGroupID.x; tile < tiles; tile += gl_NumWorkGroups.x) {
    const uint column = tile * COLUMNS + lane;
    float of_gamma = 0.0;
    float of_beta = 0.0;
    if (column < arguments.count) {
      for (uint row = part; row < arguments.rows; row += PARTS) {
        const uint at = row * arguments.count + column;
        const float g = LOAD(dy[arguments.start[3] + at]);
        const float mean = (OP & 1) != 0 ? means[arguments.start[5] + row] : 0.0;
        of_gamma += g * (LOAD(x[arguments.start[4] + at]) - mean) * rstds[arguments.start[6] + row];
        of_beta += g;
      }
    }
    partial_gamma[part][lane] = of_gamma;
    partial_beta[part][lane] = of_beta;
    barrier();
    if (part == 0 && column < arguments.count) {
      for (uint other = 1; other < PARTS; ++other) {
        of_gamma += partial_gamma[other][lane];
        of_beta += partial_beta[other][lane];
      }
      if ((OP & 2) != 0) dgamma[arguments.start[1] + column] = of_gamma;
      if ((OP & 4) != 0) dbeta[arguments.start[2] + column] = of_beta;
    }
    barrier();
  }
}
