#version 450
#extension GL_GOOGLE_include_directive : require
#include "elements.glsl"
#include "rows.glsl"
#include "math.glsl"

// Softmax of rows (OP 0), its logarithm (OP 1), and their gradients (OP 2 and 3). A row's elements are `stride[0]`
// apart in every tensor; with OP 2 and 3 the source is the gradient and `output_` what the operator gave.

layout(std430, set = 0, binding = 1) writeonly buffer Out { T result[]; };
layout(std430, set = 0, binding = 2) readonly buffer In { T source[]; };
layout(std430, set = 0, binding = 3) readonly buffer Output { T output_[]; };

shared float partial[128];

float larger(float x, float y) { return is_nan(x) || x > y ? x : y; }
float sum(float x, float y) { return x + y; }

void main() {
  for (uint row = first_row(); row < arguments.rows; row += row_step()) {
    const uint from = row_start(row);
    const uint to = from - arguments.start[2] + arguments.start[1];
    const uint seen = from - arguments.start[2] + arguments.start[3];
    const uint step = arguments.stride[0];
    float most = -make_inf();
    float total = 0.0;
    if (OP < 2) {
      for (uint i = first_element(); i < arguments.count; i += element_step()) {
        most = larger(LOAD(source[from + i * step]), most);
      }
      SHARE(partial, most, larger)
      for (uint i = first_element(); i < arguments.count; i += element_step()) {
        total += exp_of(LOAD(source[from + i * step]) - most);
      }
    } else {
      for (uint i = first_element(); i < arguments.count; i += element_step()) {
        const float g = LOAD(source[from + i * step]);
        total += OP == 2 ? g * LOAD(output_[seen + i * step]) : g;
      }
    }
    SHARE(partial, total, sum)
    const float log_total = OP == 1 ? log_of(total) : 0.0;
    for (uint i = first_element(); i < arguments.count; i += element_step()) {
      const float x = LOAD(source[from + i * step]);
      float y;
      if (OP == 0) {
        y = exp_of(x - most) / total;
      } else if (OP == 1) {
        y = x - most - log_total;
      } else if (OP == 2) {
        y = (x - total) * LOAD(output_[seen + i * step]);
      } else {
        y = x - exp_of(LOAD(output_[seen + i * step])) * total;
      }
      result[to + i * step] = STORE(y);
    }
  }
}
