#version 450
#extension GL_GOOGLE_include_directive : require
#include "elements.glsl"
#include "rows.glsl"
#include "math.glsl"
#include "operations.glsl"

// One number of each row.

layout(std430, set = 0, binding = 1) writeonly buffer Out { T result[]; };
layout(std430, set = 0, binding = 2) readonly buffer In { T source[]; };

shared A partial[128];

A larger(A x, A y) { return is_nan(x) || x > y ? x : y; }
A smaller(A x, A y) { return is_nan(x) || x < y ? x : y; }

A combine(A x, A y) {
  switch (OP) {
    case REDUCE_PROD: return x * y;
    case REDUCE_MAX: return larger(x, y);
    case REDUCE_MIN: return smaller(x, y);
    case REDUCE_AND: return x != A(0) && y != A(0) ? A(1) : A(0);
    case REDUCE_OR: return x != A(0) || y != A(0) ? A(1) : A(0);
#if T_IS_FLOATING
    // Of norms, a is the exponent.
    case REDUCE_NORM:
      if (is_inf(arguments.a)) return arguments.a > 0.0 ? larger(x, y) : smaller(x, y);
      return x + y;
#endif
  }
  return x + y;
}

A prepared(A x, A mean) {
#if T_IS_FLOATING
  if (OP == REDUCE_NORM) {
    const float p = arguments.a;
    if (p == 0.0) return x != 0.0 ? 1.0 : 0.0;
    if (is_inf(p) || p == 1.0) return abs(x);
    return p == 2.0 ? x * x : pow_of(abs(x), p);
  }
  if (OP == REDUCE_VAR || OP == REDUCE_STD) return (x - mean) * (x - mean);
#endif
  return x;
}

// What an empty row has, or -1 where every row has a first element.
A neutral() { return OP == REDUCE_PROD || OP == REDUCE_AND ? A(1) : A(0); }

A over_row(uint at, A mean) {
  A value = neutral();
  bool any = false;
  for (uint i = first_element(); i < arguments.count; i += element_step()) {
    const A x = prepared(LOAD(source[at + place(i)]), mean);
    value = any ? combine(value, x) : x;
    any = true;
  }
  // A thread without elements has what its neighbour has: rows of extremes have a first element.
  if (!any && arguments.count > 0 && (OP == REDUCE_MAX || OP == REDUCE_MIN || OP == REDUCE_NORM)) {
    value = prepared(LOAD(source[at]), mean);
#if T_IS_FLOATING
    if (OP == REDUCE_NORM && !is_inf(arguments.a)) value = 0.0;
#endif
  }
  SHARE(partial, value, combine)
  return value;
}

#if T_IS_FLOATING
float sum_of_row(uint at) {
  float sum = 0.0;
  for (uint i = first_element(); i < arguments.count; i += element_step()) {
    sum += LOAD(source[at + place(i)]);
  }
  SHARE(partial, sum, combine)
  return sum;
}
#endif

void main() {
  for (uint row = first_row(); row < arguments.rows; row += row_step()) {
    const uint at = row_start(row);
    A mean = A(0);
#if T_IS_FLOATING
    const float n = float(arguments.count);
    if (OP == REDUCE_VAR || OP == REDUCE_STD) mean = sum_of_row(at) / n;
#endif
    A value = over_row(at, mean);
#if T_IS_FLOATING
    if (OP == REDUCE_SUM) value *= arguments.a;
    if (OP == REDUCE_VAR || OP == REDUCE_STD) {
      // a is what the count is corrected by.
      const float freedom = max(n - arguments.a, 0.0);
      value = value / freedom;
      if (OP == REDUCE_STD) value = sqrt_of(value);
    }
    if (OP == REDUCE_NORM && arguments.a != 0.0 && arguments.a != 1.0 && !is_inf(arguments.a)) {
      value = arguments.a == 2.0 ? sqrt_of(value) : pow_of(value, 1.0 / arguments.a);
    }
#endif
    if (writes()) result[arguments.start[1] + row] = STORE(value);
  }
}
