#pragma once

#include <cfenv>
#include <cstdint>

#include "tools/cuda_emulator/lexer.h"

namespace emulator {

enum class Rounding : std::uint8_t { kNearest, kZero, kDown, kUp };

// By .rn, .rz, .rm, .rp; to the nearest without one.
Rounding rounding_of(const Statement& statement);

// The host rounds in a mode as long as this lives.
class RoundingMode {
 public:
  explicit RoundingMode(Rounding rounding) : changed_(rounding != Rounding::kNearest) {
    if (!changed_) return;
    std::fesetround(rounding == Rounding::kZero   ? FE_TOWARDZERO
                    : rounding == Rounding::kDown ? FE_DOWNWARD
                                                  : FE_UPWARD);
  }
  ~RoundingMode() {
    if (changed_) std::fesetround(FE_TONEAREST);
  }
  RoundingMode(const RoundingMode&) = delete;
  RoundingMode& operator=(const RoundingMode&) = delete;

 private:
  bool changed_;
};

}  // namespace emulator
