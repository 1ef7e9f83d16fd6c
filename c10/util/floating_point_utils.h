#pragma once

#include <c10/macros/Macros.h>

#include <bit>
#include <cstdint>

// A GPU converts in one instruction, which counts where a kernel only moves elements. Constant
// expressions are evaluated by the compiler, with the code for processors.
#if defined(__CUDA_ARCH__)
#define C10_CONVERTS_ON_GPU (!__builtin_is_constant_evaluated())
#endif

namespace c10::detail {

C10_HOST_DEVICE constexpr float fp32_from_bits(uint32_t bits) { return std::bit_cast<float>(bits); }
C10_HOST_DEVICE constexpr uint32_t fp32_to_bits(float value) {
  return std::bit_cast<uint32_t>(value);
}

/// IEEE half precision to single precision; exact.
C10_HOST_DEVICE constexpr float fp16_ieee_to_fp32_value(uint16_t h) {
#if defined(C10_CONVERTS_ON_GPU)
  if (C10_CONVERTS_ON_GPU) {
    float result = 0;
    asm("cvt.f32.f16 %0, %1;" : "=f"(result) : "h"(h));
    return result;
  }
#endif
  const uint32_t sign = static_cast<uint32_t>(h & 0x8000u) << 16;
  const uint32_t exponent = (h >> 10) & 0x1Fu;
  const uint32_t mantissa = h & 0x3FFu;
  if (exponent == 0x1F) return fp32_from_bits(sign | 0x7F800000u | (mantissa << 13));
  if (exponent != 0) return fp32_from_bits(sign | ((exponent + 112) << 23) | (mantissa << 13));
  // Zero and subnormal: mantissa * 2^-24, which single precision holds exactly.
  const float magnitude = static_cast<float>(mantissa) * 0x1p-24f;
  return fp32_from_bits(sign | fp32_to_bits(magnitude));
}

/// Single precision to IEEE half precision, to nearest, ties to even; overflow gives infinity.
C10_HOST_DEVICE constexpr uint16_t fp16_ieee_from_fp32_value(float f) {
#if defined(C10_CONVERTS_ON_GPU)
  if (C10_CONVERTS_ON_GPU) {
    uint16_t result = 0;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(result) : "f"(f));
    return result;
  }
#endif
  const uint32_t bits = fp32_to_bits(f);
  const uint16_t sign = static_cast<uint16_t>((bits >> 16) & 0x8000u);
  const uint32_t magnitude = bits & 0x7FFFFFFFu;
  if (magnitude > 0x7F800000u) return sign | 0x7E00u;   // NaN
  if (magnitude >= 0x477FF000u) return sign | 0x7C00u;  // rounds to 65520 or more
  if (magnitude < 0x38800000u) {
    // Below 2^-14: subnormal. Adding 0.5 leaves value * 2^24, rounded, in the low mantissa bits.
    const float aligned = fp32_from_bits(magnitude) + 0.5f;
    return static_cast<uint16_t>(sign | (fp32_to_bits(aligned) - fp32_to_bits(0.5f)));
  }
  const uint32_t odd = (magnitude >> 13) & 1u;
  const uint32_t rounded = magnitude - (112u << 23) + 0xFFFu + odd;
  return static_cast<uint16_t>(sign | (rounded >> 13));
}

/// bfloat16 is the upper half of a single precision number.
/// The upper half of a float, cut off.
C10_HOST_DEVICE constexpr uint16_t bits_from_f32(float value) {
  return static_cast<uint16_t>(fp32_to_bits(value) >> 16);
}
C10_HOST_DEVICE constexpr float f32_from_bits(uint16_t bits) {
  return fp32_from_bits(static_cast<uint32_t>(bits) << 16);
}
/// Rounds to nearest, ties to even; every NaN becomes 0x7FC0 (0x7FFF on a GPU).
C10_HOST_DEVICE constexpr uint16_t round_to_nearest_even(float f) {
#if defined(C10_CONVERTS_ON_GPU) && __CUDA_ARCH__ >= 800
  if (C10_CONVERTS_ON_GPU) {
    uint16_t result = 0;
    asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(result) : "f"(f));
    return result;
  }
#endif
  if (f != f) return UINT16_C(0x7FC0);
  const uint32_t bits = fp32_to_bits(f);
  return static_cast<uint16_t>((bits + 0x7FFFu + ((bits >> 16) & 1u)) >> 16);
}

#undef C10_CONVERTS_ON_GPU

}  // namespace c10::detail
