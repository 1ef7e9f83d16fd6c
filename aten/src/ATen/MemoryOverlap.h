#pragma once

#include <ATen/core/TensorBase.h>
#include <c10/macros/Export.h>

#include <cstdint>

namespace at {

// Whether two elements of a tensor share memory.
enum class MemOverlap : uint8_t { No, Yes, TooHard };
// Whether two tensors share memory: all of it, some of it, none.
enum class MemOverlapStatus : uint8_t { Full, Partial, No, TooHard };

TORCH_API MemOverlap has_internal_overlap(const TensorBase& t);
TORCH_API MemOverlap has_internal_overlap(c10::TensorImpl* t);
// Throws "unsupported operation: more than one element of the written-to tensor refers to a single
// memory location. Please clone() the tensor before performing the operation."
TORCH_API void assert_no_internal_overlap(const TensorBase& t);
TORCH_API void assert_no_internal_overlap(c10::TensorImpl* t);

TORCH_API MemOverlapStatus get_overlap_status(const TensorBase& a, const TensorBase& b);
TORCH_API MemOverlapStatus get_overlap_status(const c10::TensorImpl* a, const c10::TensorImpl* b);
// Throws when the tensors share some memory but not all of it.
TORCH_API void assert_no_partial_overlap(const TensorBase& a, const TensorBase& b);
// Throws when the tensors share any memory.
TORCH_API void assert_no_overlap(const TensorBase& a, const TensorBase& b);

}  // namespace at
