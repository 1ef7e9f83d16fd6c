#pragma once

#include <c10/core/Allocator.h>
#include <c10/macros/Macros.h>

#include <cstddef>
#include <cstdint>

namespace c10 {

/// Every CPU allocation begins at a multiple of this: a cache line, and the widest vector.
constexpr size_t gAlignment = 64;

/// Aligned memory from the system; null for 0 bytes. Throws c10::OutOfMemoryError. On Linux 4 MiB
/// and more ask for huge pages, unless the environment has THP_MEM_ALLOC_ENABLE=0.
C10_API void* alloc_cpu(size_t nbytes);
C10_API void free_cpu(void* data);

/// The allocator of CPU tensors, and how to replace it.
C10_API Allocator* GetCPUAllocator();
C10_API void SetCPUAllocator(Allocator* alloc, uint8_t priority = 0);
/// The allocator that is there from the start.
C10_API Allocator* GetDefaultCPUAllocator();

}  // namespace c10
