#version 450
#extension GL_GOOGLE_include_directive : require
#include "elements.glsl"

// Pooling of contiguous planes: the largest element of each window and where it is (OP 0), the mean (OP 1), or the
// gradient of the mean (OP 2), for which x is the gradient of the means and y that of the elements.

layout(constant_id = 1) const int OP = 0;
// Whether windows depend on the place alone, instead of kernel, step, padding and dilation.
layout(constant_id = 2) const int ADAPTIVE = 0;
layout(constant_id = 3) const int COUNTS_PADDING = 0;

layout(std430, set = 0, binding = 0) readonly buffer Arguments {
  uint start[8];
  uint planes;
  int inside[3];
  int outside[3];
  int kernel[3];
  int step[3];
  int padding[3];
  int dilation[3];
  // 0 stands for the number of elements.
  int divisor;
} arguments;

layout(std430, set = 0, binding = 1) writeonly buffer Out { T y[]; };
layout(std430, set = 0, binding = 2) readonly buffer In { T x[]; };
layout(std430, set = 0, binding = 3) writeonly buffer Places { int64_t places[]; };

// First element, end and distance in dimension d; `padded` is how many there are with the padding.
void window(int d, int i, out int begin, out int end, out int by, out int padded) {
  const int size = arguments.inside[d];
  if (ADAPTIVE == 1) {
    const int count = arguments.outside[d];
    begin = i / count * size + i % count * size / count;
    end = 1 + ((i + 1) * size - 1) / count;
    by = 1;
    padded = end - begin;
    return;
  }
  by = arguments.dilation[d];
  begin = i * arguments.step[d] - arguments.padding[d];
  end = begin + (arguments.kernel[d] - 1) * by + 1;
  padded = min(end, size + arguments.padding[d]) - begin;
  if (begin < 0) begin += (-begin + by - 1) / by * by;
  end = min(end, size);
}

int divisor_of(ivec3 begin, ivec3 end, ivec3 padded) {
  if (arguments.divisor != 0) return arguments.divisor;
  const ivec3 size = COUNTS_PADDING == 1 ? padded : end - begin;
  return size.x * size.y * size.z;
}

void window_of(ivec3 at, out ivec3 begin, out ivec3 end, out ivec3 by, out ivec3 padded) {
  for (int d = 0; d < 3; ++d) {
    int first;
    int last;
    int distance;
    int all;
    window(d, at[d], first, last, distance, all);
    begin[d] = first;
    end[d] = last;
    by[d] = distance;
    padded[d] = all;
  }
}

ivec3 split(int i, int h, int w) { return ivec3(i / (h * w), i % (h * w) / w, i % w); }

// Adds up the shares of an element in the windows that it is in.
void spread() {
  const uint out_size = uint(arguments.outside[0] * arguments.outside[1] * arguments.outside[2]);
  const uint in_size = uint(arguments.inside[0] * arguments.inside[1] * arguments.inside[2]);
  const uint count = arguments.planes * in_size;
  for (uint i = gl_GlobalInvocationID.x; i < count; i += gl_NumWorkGroups.x * gl_WorkGroupSize.x) {
    const ivec3 element = split(int(i % in_size), arguments.inside[1], arguments.inside[2]);
    // Windows begin and end in the order of their places, so that those with the element follow each other.
    ivec3 first = ivec3(0);
    ivec3 last = ivec3(0);
    for (int d = 0; d < 3; ++d) {
      bool found = false;
      for (int o = 0; o < arguments.outside[d]; ++o) {
        int begin;
        int end;
        int by;
        int padded;
        window(d, o, begin, end, by, padded);
        if (element[d] < begin || element[d] >= end) continue;
        if (!found) first[d] = o;
        found = true;
        last[d] = o + 1;
      }
    }
    A sum = A(0);
    for (int a = first.x; a < last.x; ++a) {
      for (int b = first.y; b < last.y; ++b) {
        for (int c = first.z; c < last.z; ++c) {
          ivec3 begin;
          ivec3 end;
          ivec3 by;
          ivec3 padded;
          window_of(ivec3(a, b, c), begin, end, by, padded);
          const int o = (a * arguments.outside[1] + b) * arguments.outside[2] + c;
          sum += LOAD(x[arguments.start[2] + i / in_size * out_size + uint(o)]) / A(divisor_of(begin, end, padded));
        }
      }
    }
    y[arguments.start[1] + i] = STORE(sum);
  }
}

void combine() {
  const uint out_size = uint(arguments.outside[0] * arguments.outside[1] * arguments.outside[2]);
  const uint in_size = uint(arguments.inside[0] * arguments.inside[1] * arguments.inside[2]);
  const uint count = arguments.planes * out_size;
  for (uint o = gl_GlobalInvocationID.x; o < count; o += gl_NumWorkGroups.x * gl_WorkGroupSize.x) {
    const uint from = arguments.start[2] + o / out_size * in_size;
    const int place = int(o % out_size);
    ivec3 begin;
    ivec3 end;
    ivec3 by;
    ivec3 padded;
    window_of(split(place, arguments.outside[1], arguments.outside[2]), begin, end, by, padded);
    A value = A(0);
    int best = -1;
    for (int a = begin.x; a < end.x; a += by.x) {
      for (int b = begin.y; b < end.y; b += by.y) {
        for (int c = begin.z; c < end.z; c += by.z) {
          const int i = (a * arguments.inside[1] + b) * arguments.inside[2] + c;
          const A element = LOAD(x[from + uint(i)]);
          if (OP == 1) {
            value += element;
          } else if (best < 0 || element > value || is_nan(element)) {
            value = element;
            best = i;
          }
        }
      }
    }
    if (OP == 1) {
      value = value / A(divisor_of(begin, end, padded));
    } else {
      places[arguments.start[3] + o] = int64_t(best);
    }
    y[arguments.start[1] + o] = STORE(value);
  }
}

void main() {
  if (OP == 2) {
    spread();
  } else {
    combine();
  }
}
