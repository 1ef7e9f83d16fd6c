// One thread an element of a loop over operands of any strides: what TensorIterator says, with the fastest
// dimension first. Binding 0 holds the arguments, binding 1 + k operand k.

const int MOST_DIMS = 16;
const int MOST_OPERANDS = 5;

// 0: all operands lie densely in one order.
layout(constant_id = 1) const int DIMS = 0;
layout(constant_id = 2) const int OP = 0;
// Bit k: operand k is the number words[2 k] instead of a tensor.
layout(constant_id = 3) const int NUMBERS = 0;

layout(std430, set = 0, binding = 0) readonly buffer Arguments {
  // Of each binding, the element of it that the tensor starts at.
  uint start[8];
  uint count;
  uint size[MOST_DIMS];
  uint stride[MOST_OPERANDS * MOST_DIMS];
  // Numbers of 64 bits each.
  uint words[2 * 8];
} arguments;

// Where operand k's element i is.
uint place(int k, uint i) {
  uint at = arguments.start[k + 1];
  if (DIMS == 0) return at + i;
  for (int d = 0; d < DIMS; ++d) {
    const uint size = arguments.size[d];
    const uint rest = i / size;
    at += (i - rest * size) * arguments.stride[k * MOST_DIMS + d];
    i = rest;
  }
  return at;
}

#define number(k, unused) from_words(arguments.words[2 * (k)], arguments.words[2 * (k) + 1], unused)
bool is_number(int k) { return ((NUMBERS >> k) & 1) != 0; }

#define FOR_EACH_ELEMENT(i)                                             \
  for (uint i = gl_GlobalInvocationID.x; i < arguments.count;           \
       i += gl_NumWorkGroups.x * gl_WorkGroupSize.x)
