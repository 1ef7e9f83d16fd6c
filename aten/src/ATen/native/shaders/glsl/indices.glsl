// Elements by their indices: what is done about a wrong index, and adding to elements that several threads may meet.

layout(std430, set = 0, binding = 7) buffer Errors { uint errors[]; };

// Keeps the first of the wrong indices.
void note_wrong_index(int64_t index, uint size) {
  if (atomicCompSwap(errors[0], 0u, 1u) != 0u) return;
  errors[1] = uint(int(index));
  errors[2] = size;
}

#if T_IS_ATOMIC
// Devices add to words of 32 bits: larger and smaller elements are two words, and a part of one.
layout(std430, set = 0, binding = 1) buffer Out { uint result[]; };

#if T_BYTES == 8
void add(uint at, T value) {
  const uint low = uint(uint64_t(value) & 0xfffffffful);
  const uint high = uint(uint64_t(value) >> 32);
  const uint old = atomicAdd(result[2 * at], low);
  atomicAdd(result[2 * at + 1], high + (old + low < old ? 1u : 0u));
}
#elif T_BYTES == 4 && !T_IS_FLOATING
void add(uint at, T value) { atomicAdd(result[at], uint(value)); }
#else
// The word `old` with element `part` of it grown by `value`.
uint grown(uint old, uint part, T value) {
#if T_BYTES == 4
  return floatBitsToUint(uintBitsToFloat(old) + value);
#elif T_BYTES == 2
  vec2 both = unpackHalf2x16(old);
  if (part == 0u) {
    both.x += float(value);
  } else {
    both.y += float(value);
  }
  return packHalf2x16(both);
#else
  const uint shift = 8 * part;
  const uint sum = ((old >> shift) + uint(value)) & 0xffu;
  return (old & ~(0xffu << shift)) | (sum << shift);
#endif
}

void add(uint at, T value) {
  const uint each = 4 / T_BYTES;
  const uint word = at / each;
  uint old = result[word];
  while (true) {
    const uint seen = atomicCompSwap(result[word], old, grown(old, at % each, value));
    if (seen == old) return;
    old = seen;
  }
}
#endif
#else
layout(std430, set = 0, binding = 1) writeonly buffer Out { T result[]; };
#endif
