#pragma once

#include <c10/util/ArrayRef.h>
#include <c10/util/OptionalArrayRef.h>

#include <cstdint>

// Schemas say SymInt where a size may be symbolic. There is no engine of symbolic shapes here:
// these names are plain numbers, so that code written with them compiles.

namespace c10 {

using SymInt = int64_t;
using SymFloat = double;
using SymBool = bool;
using SymIntArrayRef = IntArrayRef;
using OptionalSymIntArrayRef = OptionalIntArrayRef;

}  // namespace c10
