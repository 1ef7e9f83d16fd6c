#version 450
#extension GL_GOOGLE_include_directive : require
#include "elements.glsl"
#include "rows.glsl"
#include "operations.glsl"

// The extreme value of each row and where it is first. A NaN is more extreme than any number.

layout(std430, set = 0, binding = 1) writeonly buffer Values { T values[]; };
layout(std430, set = 0, binding = 2) readonly buffer In { T source[]; };
layout(std430, set = 0, binding = 3) writeonly buffer Places { int64_t places[]; };

shared A partial[128];
shared uint partial_place[128];

// Whether x at i comes before y at j.
bool wins(A x, uint i, A y, uint j) {
  const bool nan_x = is_nan(x);
  const bool nan_y = is_nan(y);
  if (nan_x || nan_y) return nan_x && (!nan_y || i < j);
  if (x == y) return i < j;
  return OP == REDUCE_MAX ? x > y : x < y;
}

void main() {
  for (uint row = first_row(); row < arguments.rows; row += row_step()) {
    const uint at = row_start(row);
    uint best = min(first_element(), arguments.count - 1);
    A value = LOAD(source[at + place(best)]);
    for (uint i = first_element() + element_step(); i < arguments.count; i += element_step()) {
      const A x = LOAD(source[at + place(i)]);
      if (wins(x, i, value, best)) {
        value = x;
        best = i;
      }
    }
    if (SHARED == 1) {
      const uint me = gl_LocalInvocationID.x;
      partial[me] = value;
      partial_place[me] = best;
      barrier();
      for (uint width = gl_WorkGroupSize.x / 2; width > 0; width /= 2) {
        if (me < width && wins(partial[me + width], partial_place[me + width], partial[me], partial_place[me])) {
          partial[me] = partial[me + width];
          partial_place[me] = partial_place[me + width];
        }
        barrier();
      }
      value = partial[0];
      best = partial_place[0];
      barrier();
    }
    if (writes()) {
      values[arguments.start[1] + row] = STORE(value);
      places[arguments.start[3] + row] = int64_t(best);
    }
  }
}
