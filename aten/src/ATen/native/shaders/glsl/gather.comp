#version 450
#extension GL_GOOGLE_include_directive : require
#include "elements.glsl"
#include "indices.glsl"

// Along one dimension, result[..., i, ...] = source[..., index[..., i, ...], ...] (OP 0), or
// result[..., index[..., i, ...], ...] = source[..., i, ...] (OP 1), or added to what is there (OP 2).

const int MOST_DIMS = 16;

layout(constant_id = 1) const int OP = 0;
layout(constant_id = 2) const int DIMS = 0;

layout(std430, set = 0, binding = 0) readonly buffer Arguments {
  uint start[8];
  uint count;
  uint dim;
  // Of the indexed tensor in that dimension.
  uint indexed_size;
  uint size[MOST_DIMS];
  uint result_stride[MOST_DIMS];
  uint source_stride[MOST_DIMS];
  uint index_stride[MOST_DIMS];
} arguments;

layout(std430, set = 0, binding = 2) readonly buffer In { T source[]; };
layout(std430, set = 0, binding = 3) readonly buffer Index { int64_t indices[]; };

void main() {
  for (uint i = gl_GlobalInvocationID.x; i < arguments.count; i += gl_NumWorkGroups.x * gl_WorkGroupSize.x) {
    uint to = arguments.start[1];
    uint from = arguments.start[2];
    uint where = arguments.start[3];
    uint left = i;
    for (int d = DIMS - 1; d >= 0; --d) {
      const uint size = arguments.size[d];
      const uint rest = left / size;
      const uint at = left - rest * size;
      left = rest;
      where += at * arguments.index_stride[d];
      const bool indexed = uint(d) == arguments.dim;
      if (OP != 0 || !indexed) from += at * arguments.source_stride[d];
      if (OP == 0 || !indexed) to += at * arguments.result_stride[d];
    }
    const int64_t index = indices[where];
    if (index < int64_t(0) || index >= int64_t(arguments.indexed_size)) {
      note_wrong_index(index, arguments.indexed_size);
      continue;
    }
    if (OP == 0) {
      from += uint(index) * arguments.source_stride[arguments.dim];
    } else {
      to += uint(index) * arguments.result_stride[arguments.dim];
    }
#if T_IS_ATOMIC
    add(to, source[from]);
#else
    result[to] = source[from];
#endif
  }
}
