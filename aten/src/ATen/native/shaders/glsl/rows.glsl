// Rows of elements that are combined: kept dimensions say where each row begins, the others where its elements are.

const int MOST_DIMS = 16;

// 0: a thread a row, 1: a workgroup a row.
layout(constant_id = 1) const int SHARED = 0;
layout(constant_id = 2) const int OP = 0;
layout(constant_id = 3) const int KEPT_DIMS = 0;
layout(constant_id = 4) const int DIMS = 0;

layout(std430, set = 0, binding = 0) readonly buffer Arguments {
  uint start[8];
  uint rows;
  uint count;
  uint kept_size[MOST_DIMS];
  uint kept_stride[MOST_DIMS];
  uint size[MOST_DIMS];
  uint stride[MOST_DIMS];
  float a;
  float b;
} arguments;

uint row_start(uint row) {
  uint at = arguments.start[2];
  for (int d = KEPT_DIMS - 1; d >= 0; --d) {
    const uint size = arguments.kept_size[d];
    const uint rest = row / size;
    at += (row - rest * size) * arguments.kept_stride[d];
    row = rest;
  }
  return at;
}

uint place(uint i) {
  uint at = 0;
  for (int d = DIMS - 1; d >= 0; --d) {
    const uint size = arguments.size[d];
    const uint rest = i / size;
    at += (i - rest * size) * arguments.stride[d];
    i = rest;
  }
  return at;
}

// Rows that this thread works at, and its elements in them.
uint first_row() { return SHARED == 1 ? gl_WorkGroupID.x : gl_GlobalInvocationID.x; }
uint row_step() { return SHARED == 1 ? gl_NumWorkGroups.x : gl_NumWorkGroups.x * gl_WorkGroupSize.x; }
uint first_element() { return SHARED == 1 ? gl_LocalInvocationID.x : 0; }
uint element_step() { return SHARED == 1 ? gl_WorkGroupSize.x : 1; }
bool writes() { return SHARED == 0 || gl_LocalInvocationID.x == 0; }

// Sets `value` to what all threads of the row have, combined in pairs; `combine` is associative.
#define SHARE(partial, value, combine)                                         \
  if (SHARED == 1) {                                                           \
    const uint me = gl_LocalInvocationID.x;                                    \
    partial[me] = value;                                                       \
    barrier();                                                                 \
    for (uint width = gl_WorkGroupSize.x / 2; width > 0; width /= 2) {         \
      if (me < width) partial[me] = combine(partial[me], partial[me + width]); \
      barrier();                                                               \
    }                                                                          \
    value = partial[0];                                                        \
    barrier();                                                                 \
  }
