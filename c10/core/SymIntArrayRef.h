#pragma once

#include <c10/core/SymInt.h>
#include <c10/util/ArrayRef.h>
#include <c10/util/DimVector.h>
#include <c10/util/OptionalArrayRef.h>
#include <c10/util/SmallVector.h>

#include <cstdint>
#include <optional>
#include <type_traits>

// Lists of sizes that may be symbolic in PyTorch. A SymInt is an int64_t here, and a list of the
// one is a list of the other: these borrow the elements.

namespace c10 {

using SymIntArrayRef = ArrayRef<SymInt>;
using OptionalSymIntArrayRef = OptionalArrayRef<SymInt>;
using SymDimVector = SmallVector<SymInt, kDimVectorStaticSize>;

static_assert(sizeof(SymInt) == sizeof(int64_t) && std::is_standard_layout_v<SymInt> &&
              std::is_trivially_copyable_v<SymInt>);

/// The same elements as the other type. The result borrows them, valid as long as those of `list`.
inline IntArrayRef asIntArrayRefUnchecked(SymIntArrayRef list) {
  return IntArrayRef(reinterpret_cast<const int64_t*>(list.data()), list.size());
}
inline std::optional<IntArrayRef> asIntArrayRefSlowOpt(SymIntArrayRef list) {
  return asIntArrayRefUnchecked(list);
}
inline IntArrayRef asIntArrayRefSlow(SymIntArrayRef list, const char* /*file*/, int64_t /*line*/) {
  return asIntArrayRefUnchecked(list);
}
/// A list of its own.
inline DimVector asIntArrayRefSlowAlloc(SymIntArrayRef list, const char* /*file*/,
                                        int64_t /*line*/) {
  const IntArrayRef sizes = asIntArrayRefUnchecked(list);
  return DimVector(sizes.begin(), sizes.end());
}

inline SymIntArrayRef fromIntArrayRefUnchecked(IntArrayRef list) {
  return SymIntArrayRef(reinterpret_cast<const SymInt*>(list.data()), list.size());
}
inline SymIntArrayRef fromIntArrayRefSlow(IntArrayRef list) {
  return fromIntArrayRefUnchecked(list);
}
inline SymIntArrayRef fromIntArrayRefKnownNonNegative(IntArrayRef list) {
  return fromIntArrayRefUnchecked(list);
}

inline SymBool sym_equals(SymIntArrayRef a, SymIntArrayRef b) { return a.equals(b); }

}  // namespace c10

#define C10_AS_INTARRAYREF_SLOW(a) c10::asIntArrayRefSlow(a, __FILE__, __LINE__)
#define C10_AS_INTARRAYREF_SLOW_ALLOC(a) c10::asIntArrayRefSlowAlloc(a, __FILE__, __LINE__)
