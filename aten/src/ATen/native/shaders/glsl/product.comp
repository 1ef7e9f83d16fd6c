#version 450
#extension GL_GOOGLE_include_directive : require
#include "elements.glsl"

// result = alpha * a @ b + beta * source for matrices of any strides. A workgroup of 8 x 8 threads makes a tile of
// 32 x 32 results, a thread 4 x 4 of them; tiles of a and b pass through shared memory 16 columns at a time.

// Whether there is a source.
layout(constant_id = 1) const int ADDS = 0;

struct Matrix {
  uint batch;
  uint row;
  uint column;
};

layout(std430, set = 0, binding = 0) readonly buffer Arguments {
  uint start[8];
  uint m;
  uint n;
  uint k;
  uint batches;
  Matrix a;
  Matrix b;
  Matrix source;
  Matrix result;
  uint alpha[2];
  uint beta[2];
} arguments;

layout(std430, set = 0, binding = 1) writeonly buffer Out { T result[]; };
layout(std430, set = 0, binding = 2) readonly buffer First { T a[]; };
layout(std430, set = 0, binding = 3) readonly buffer Second { T b[]; };
layout(std430, set = 0, binding = 4) readonly buffer Source { T source[]; };

const uint TILE = 32;
const uint DEPTH = 16;
const uint EACH = 4;

shared A tile_a[DEPTH][TILE + 1];
shared A tile_b[DEPTH][TILE + 1];

void main() {
  const uint me = gl_LocalInvocationID.x;
  const uint x = me % 8;
  const uint y = me / 8;
  const A alpha = from_words(arguments.alpha[0], arguments.alpha[1], A(0));
  const A beta = from_words(arguments.beta[0], arguments.beta[1], A(0));
  const uint tiles_n = (arguments.n + TILE - 1) / TILE;
  const uint tiles = (arguments.m + TILE - 1) / TILE * tiles_n;
  // A grid may be smaller than the product.
  for (uint job = gl_WorkGroupID.x; job < tiles * arguments.batches; job += gl_NumWorkGroups.x) {
    const uint batch = job / tiles;
    const uint first_m = job % tiles / tiles_n * TILE;
    const uint first_n = job % tiles % tiles_n * TILE;
    const uint at_a = arguments.start[2] + batch * arguments.a.batch;
    const uint at_b = arguments.start[3] + batch * arguments.b.batch;
    A sums[EACH][EACH];
    for (uint i = 0; i < EACH; ++i) {
      for (uint j = 0; j < EACH; ++j) sums[i][j] = A(0);
    }
    for (uint first_k = 0; first_k < arguments.k; first_k += DEPTH) {
      for (uint i = me; i < DEPTH * TILE; i += 64) {
        // Neighbouring threads read what lies side by side.
        const uint deep_a = arguments.a.column == 1 ? i % DEPTH : i / TILE;
        const uint wide_a = arguments.a.column == 1 ? i / DEPTH : i % TILE;
        const uint row = first_m + wide_a;
        const uint k_a = first_k + deep_a;
        tile_a[deep_a][wide_a] = row < arguments.m && k_a < arguments.k
            ? LOAD(a[at_a + row * arguments.a.row + k_a * arguments.a.column]) : A(0);
        const uint deep_b = arguments.b.row == 1 ? i % DEPTH : i / TILE;
        const uint wide_b = arguments.b.row == 1 ? i / DEPTH : i % TILE;
        const uint column = first_n + wide_b;
        const uint k_b = first_k + deep_b;
        tile_b[deep_b][wide_b] = column < arguments.n && k_b < arguments.k
            ? LOAD(b[at_b + k_b * arguments.b.row + column * arguments.b.column]) : A(0);
      }
      barrier();
      for (uint k = 0; k < DEPTH; ++k) {
        A values_b[EACH];
        for (uint j = 0; j < EACH; ++j) values_b[j] = tile_b[k][x + j * 8];
        for (uint i = 0; i < EACH; ++i) {
          const A value = tile_a[k][y + i * 8];
          for (uint j = 0; j < EACH; ++j) sums[i][j] += value * values_b[j];
        }
      }
      barrier();
    }
    for (uint i = 0; i < EACH; ++i) {
      const uint row = first_m + y + i * 8;
      for (uint j = 0; j < EACH; ++j) {
        const uint column = first_n + x + j * 8;
        if (row >= arguments.m || column >= arguments.n) continue;
        A value = alpha * sums[i][j];
        if (ADDS == 1) {
          value += beta * LOAD(source[arguments.start[4] + batch * arguments.source.batch +
                                      row * arguments.source.row + column * arguments.source.column]);
        }
        result[arguments.start[1] + batch * arguments.result.batch + row * arguments.result.row +
               column * arguments.result.column] = STORE(value);
      }
    }
  }
}
