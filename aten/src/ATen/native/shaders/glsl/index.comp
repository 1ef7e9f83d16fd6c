#version 450
#extension GL_GOOGLE_include_directive : require
#include "elements.glsl"
#include "indices.glsl"
#include "iteration.glsl"

// result = source[..., index, ...] (OP 0), or target[..., index, ...] = values (OP 1), which are added to what is there
// where T is atomic. Operand 0 is written, operand 1 read, and the others are indices; numbers 3 and 4 of each index k are the size and the stride of what it indexes,
// in words 10 + 2 k and 11 + 2 k. An index outside is noted, and nothing is read or written there.

layout(constant_id = 4) const int INDICES = 1;

layout(std430, set = 0, binding = 2) readonly buffer In { T source[]; };
layout(std430, set = 0, binding = 3) readonly buffer First { int64_t first[]; };
layout(std430, set = 0, binding = 4) readonly buffer Second { int64_t second[]; };
layout(std430, set = 0, binding = 5) readonly buffer Third { int64_t third[]; };

void main() {
  FOR_EACH_ELEMENT(i) {
    uint offset = 0;
    bool inside = true;
    for (int k = 0; k < INDICES; ++k) {
      const uint at = place(2 + k, i);
      int64_t index = k == 0 ? first[at] : (k == 1 ? second[at] : third[at]);
      const int64_t size = int64_t(arguments.words[10 + 2 * k]);
      if (index < -size || index >= size) {
        note_wrong_index(index, uint(size));
        inside = false;
      }
      if (index < int64_t(0)) index += size;
      offset += uint(index) * arguments.words[11 + 2 * k];
    }
    if (!inside) continue;
#if T_IS_ATOMIC
    add(place(0, i) + offset, source[place(1, i)]);
#else
    if (OP == 0) {
      result[place(0, i)] = source[place(1, i) + offset];
    } else {
      result[place(0, i) + offset] = source[place(1, i)];
    }
#endif
  }
}
