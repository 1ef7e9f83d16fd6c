#pragma once

#include <c10/core/SymInt.h>
#include <c10/util/ArrayRef.h>

#include <optional>

namespace c10 {

// What code calls to pass between symbolic and plain sizes; both are plain here.
inline IntArrayRef asIntArrayRefUnchecked(SymIntArrayRef ar) { return ar; }
inline std::optional<IntArrayRef> asIntArrayRefSlowOpt(SymIntArrayRef ar) { return ar; }
inline IntArrayRef asIntArrayRefSlow(SymIntArrayRef ar, const char* /*file*/, int64_t /*line*/) {
  return ar;
}
inline SymIntArrayRef fromIntArrayRefUnchecked(IntArrayRef ar) { return ar; }
inline SymIntArrayRef fromIntArrayRefSlow(IntArrayRef ar) { return ar; }
inline SymIntArrayRef fromIntArrayRefKnownNonNegative(IntArrayRef ar) { return ar; }

}  // namespace c10

#define C10_AS_INTARRAYREF_SLOW(a) c10::asIntArrayRefSlow(a, __FILE__, __LINE__)
#define C10_AS_INTARRAYREF_SLOW_ALLOC(a) C10_AS_INTARRAYREF_SLOW(a)
