#version 450
#extension GL_GOOGLE_include_directive : require
#include "elements.glsl"

// A convolution as a product of matrices that are never written down: the weights, and the windows of the input.
// A workgroup makes 32 output channels by 32 places of an image, as in product.comp.

// Whether there is a bias, and whether a group has one channel in and out, which needs no product.
layout(constant_id = 1) const int HAS_BIAS = 0;
layout(constant_id = 2) const int DEPTHWISE = 0;

// Of a tensor: batch, channel and three dimensions.
layout(std430, set = 0, binding = 0) readonly buffer Arguments {
  uint start[8];
  uint batch;
  uint groups;
  uint in_channels;
  uint out_channels;
  int inside[3];
  int outside[3];
  int kernel[3];
  int step[3];
  int padding[3];
  int dilation[3];
  uint x_stride[5];
  uint w_stride[5];
  uint y_stride[5];
} arguments;

layout(std430, set = 0, binding = 1) writeonly buffer Out { T y[]; };
layout(std430, set = 0, binding = 2) readonly buffer In { T x[]; };
layout(std430, set = 0, binding = 3) readonly buffer Weight { T w[]; };
layout(std430, set = 0, binding = 4) readonly buffer Bias { T bias[]; };

const uint TILE = 32;
const uint DEPTH = 16;
const uint EACH = 4;

shared float tile_w[DEPTH][TILE + 1];
shared float tile_x[DEPTH][TILE + 1];

ivec3 split(uint i, int h, int w_) {
  const int plane = h * w_;
  const int at = int(i);
  return ivec3(at / plane, at % plane / w_, at % w_);
}

// The element of the input that output `place` meets with element `tap` of the kernel; 0 outside.
float window(uint image, uint channel, ivec3 place, ivec3 tap) {
  uint at = arguments.start[2] + image * arguments.x_stride[0] + channel * arguments.x_stride[1];
  for (int d = 0; d < 3; ++d) {
    const int i = place[d] * arguments.step[d] - arguments.padding[d] + tap[d] * arguments.dilation[d];
    if (i < 0 || i >= arguments.inside[d]) return 0.0;
    at += uint(i) * arguments.x_stride[2 + d];
  }
  return LOAD(x[at]);
}

float weight(uint channel, uint in_channel, ivec3 tap) {
  return LOAD(w[arguments.start[3] + channel * arguments.w_stride[0] + in_channel * arguments.w_stride[1] +
                uint(tap.x) * arguments.w_stride[2] + uint(tap.y) * arguments.w_stride[3] +
                uint(tap.z) * arguments.w_stride[4]]);
}

void write(uint image, uint channel, ivec3 place, float value) {
  if (HAS_BIAS == 1) value += LOAD(bias[arguments.start[4] + channel]);
  y[arguments.start[1] + image * arguments.y_stride[0] + channel * arguments.y_stride[1] +
    uint(place.x) * arguments.y_stride[2] + uint(place.y) * arguments.y_stride[3] +
    uint(place.z) * arguments.y_stride[4]] = STORE(value);
}

void depthwise() {
  const uint places = uint(arguments.outside[0] * arguments.outside[1] * arguments.outside[2]);
  const uint count = arguments.batch * arguments.groups * places;
  for (uint i = gl_GlobalInvocationID.x; i < count; i += gl_NumWorkGroups.x * gl_WorkGroupSize.x) {
    const uint channel = i / places % arguments.groups;
    const uint image = i / places / arguments.groups;
    const ivec3 place = split(i % places, arguments.outside[1], arguments.outside[2]);
    float sum = 0.0;
    for (int a = 0; a < arguments.kernel[0]; ++a) {
      for (int b = 0; b < arguments.kernel[1]; ++b) {
        for (int c = 0; c < arguments.kernel[2]; ++c) {
          const ivec3 tap = ivec3(a, b, c);
          sum += window(image, channel, place, tap) * weight(channel, 0, tap);
        }
      }
    }
    write(image, channel, place, sum);
  }
}

void product() {
  const uint me = gl_LocalInvocationID.x;
  const uint column = me % 8;
  const uint row = me / 8;
  const uint places = uint(arguments.outside[0] * arguments.outside[1] * arguments.outside[2]);
  const uint taps = uint(arguments.kernel[0] * arguments.kernel[1] * arguments.kernel[2]);
  const uint k_size = arguments.in_channels * taps;
  const uint tiles_n = (places + TILE - 1) / TILE;
  const uint tiles = (arguments.out_channels + TILE - 1) / TILE * tiles_n;
  const uint jobs = tiles * arguments.batch * arguments.groups;
  // A grid may be smaller than the result.
  for (uint job = gl_WorkGroupID.x; job < jobs; job += gl_NumWorkGroups.x) {
    const uint first_m = job % tiles / tiles_n * TILE;
    const uint first_n = job % tiles % tiles_n * TILE;
    const uint image = job / tiles / arguments.groups;
    const uint group = job / tiles % arguments.groups;
    float sums[EACH][EACH];
    for (uint i = 0; i < EACH; ++i) {
      for (uint j = 0; j < EACH; ++j) sums[i][j] = 0.0;
    }
    for (uint first_k = 0; first_k < k_size; first_k += DEPTH) {
      for (uint i = me; i < DEPTH * TILE; i += 64) {
        const uint k_w = first_k + i % DEPTH;
        const uint m = first_m + i / DEPTH;
        float value = 0.0;
        if (m < arguments.out_channels && k_w < k_size) {
          const ivec3 tap = split(k_w % taps, arguments.kernel[1], arguments.kernel[2]);
          value = weight(group * arguments.out_channels + m, k_w / taps, tap);
        }
        tile_w[i % DEPTH][i / DEPTH] = value;
        const uint k_x = first_k + i / TILE;
        const uint n = first_n + i % TILE;
        value = 0.0;
        if (n < places && k_x < k_size) {
          const ivec3 tap = split(k_x % taps, arguments.kernel[1], arguments.kernel[2]);
          const ivec3 place = split(n, arguments.outside[1], arguments.outside[2]);
          value = window(image, group * arguments.in_channels + k_x / taps, place, tap);
        }
        tile_x[i / TILE][i % TILE] = value;
      }
      barrier();
      for (uint k = 0; k < DEPTH; ++k) {
        float values[EACH];
        for (uint j = 0; j < EACH; ++j) values[j] = tile_x[k][column + j * 8];
        for (uint i = 0; i < EACH; ++i) {
          const float value = tile_w[k][row + i * 8];
          for (uint j = 0; j < EACH; ++j) sums[i][j] += value * values[j];
        }
      }
      barrier();
    }
    for (uint i = 0; i < EACH; ++i) {
      const uint m = first_m + row + i * 8;
      for (uint j = 0; j < EACH; ++j) {
        const uint n = first_n + column + j * 8;
        if (m >= arguments.out_channels || n >= places) continue;
        write(image, group * arguments.out_channels + m, split(n, arguments.outside[1], arguments.outside[2]),
              sums[i][j]);
      }
    }
  }
}

void main() {
  if (DEPTHWISE == 1) {
    depthwise();
  } else {
    product();
  }
}
