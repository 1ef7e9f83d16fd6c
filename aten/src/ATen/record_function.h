#pragma once

// Marks of a profiler, which this version lacks: a mark does nothing.

#include <c10/util/ArrayRef.h>

namespace at {

enum class RecordScope : unsigned char { FUNCTION = 0, BACKWARD_FUNCTION, USER_SCOPE };

}  // namespace at

#define RECORD_FUNCTION(fn, inputs, ...) static_cast<void>(fn)
#define RECORD_USER_SCOPE(fn) static_cast<void>(fn)
#define RECORD_FUNCTION_WITH_SCOPE(scope, fn, inputs, ...) static_cast<void>(fn)
#define RECORD_TORCHSCRIPT_FUNCTION(mn, inputs) static_cast<void>(mn)
