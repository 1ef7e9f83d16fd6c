// Elements of tensors. A source is compiled for each type that tools/rules/shaders.bzl lists: T is how an
// element lies in memory, T_ARITHMETIC what it is computed in, T_IS_FLOATING and T_IS_BOOL say which kind it is.

#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require
#extension GL_EXT_shader_explicit_arithmetic_types_int8 : require
#extension GL_EXT_shader_explicit_arithmetic_types_int16 : require
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_8bit_storage : require

#define A T_ARITHMETIC

layout(local_size_x_id = 0, local_size_y = 1, local_size_z = 1) in;

// Not the built-in functions: a driver may assume that there is no NaN and no infinity.
bool is_nan(float x) { return (floatBitsToUint(x) & 0x7fffffffu) > 0x7f800000u; }
bool is_nan(int x) { return false; }
bool is_nan(int64_t x) { return false; }
bool is_inf(float x) { return (floatBitsToUint(x) & 0x7fffffffu) == 0x7f800000u; }

// A number of 64 bits, which is a float's bits or an integer.
float from_words(uint low, uint high, float unused) { return uintBitsToFloat(low); }
int from_words(uint low, uint high, int unused) { return int(low); }
int64_t from_words(uint low, uint high, int64_t unused) {
  return int64_t((uint64_t(high) << 32) | uint64_t(low));
}

float make_nan() { return uintBitsToFloat(0x7fc00000u); }
float make_inf() { return uintBitsToFloat(0x7f800000u); }

// As an element in memory.
#if T_IS_BOOL
#define STORE(value) T((value) != A(0) ? 1 : 0)
#else
#define STORE(value) T(value)
#endif
#define LOAD(element) A(element)
