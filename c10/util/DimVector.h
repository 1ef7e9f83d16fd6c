#pragma once

#include <c10/util/SmallVector.h>

#include <cstddef>
#include <cstdint>

namespace c10 {

/// Tensors of up to this many dimensions keep sizes and strides without an allocation.
constexpr size_t kDimVectorStaticSize = 5;

/// A list of sizes or strides.
using DimVector = SmallVector<int64_t, kDimVectorStaticSize>;

}  // namespace c10
namespace at {
using c10::DimVector;
using c10::kDimVectorStaticSize;
}  // namespace at
