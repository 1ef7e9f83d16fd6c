#pragma once

// A check in device code that stays in release builds: the kernel stops, and the next call of the
// runtime fails with cudaErrorAssert.

#include <cassert>

#ifdef NDEBUG
// What assert() calls; declared here for builds in which it calls nothing.
extern "C" __host__ __device__ void __assert_fail(const char* assertion, const char* file,
                                                  unsigned int line, const char* function) noexcept
    __attribute__((__noreturn__));
#endif

#define CUDA_KERNEL_ASSERT(condition)                                          \
  do {                                                                         \
    if (!(condition)) __assert_fail(#condition, __FILE__, __LINE__, __func__); \
  } while (0)
