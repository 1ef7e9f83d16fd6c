#pragma once

#include <c10/macros/Export.h>

// Compiler differences, in one place. Nothing here includes a standard header.

/// True when the address sanitizer instruments this translation unit.
#if defined(__SANITIZE_ADDRESS__)
#define C10_ASAN_ENABLED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define C10_ASAN_ENABLED 1
#else
#define C10_ASAN_ENABLED 0
#endif
#else
#define C10_ASAN_ENABLED 0
#endif

/// Silences checks that fire on intended arithmetic (conversions out of range, division by zero).
#if defined(__clang__)
#define __ubsan_ignore_float_divide_by_zero__ __attribute__((no_sanitize("float-divide-by-zero")))
#define __ubsan_ignore_undefined__ __attribute__((no_sanitize("undefined")))
#define __ubsan_ignore_float_cast_overflow__ __attribute__((no_sanitize("float-cast-overflow")))
#define __ubsan_ignore_signed_int_overflow__ __attribute__((no_sanitize("signed-integer-overflow")))
#elif defined(__GNUC__)
#define __ubsan_ignore_float_divide_by_zero__ __attribute__((no_sanitize("float-divide-by-zero")))
#define __ubsan_ignore_undefined__ __attribute__((no_sanitize("undefined")))
#define __ubsan_ignore_float_cast_overflow__ __attribute__((no_sanitize("float-cast-overflow")))
#define __ubsan_ignore_signed_int_overflow__ __attribute__((no_sanitize("signed-integer-overflow")))
#else
#define __ubsan_ignore_float_divide_by_zero__
#define __ubsan_ignore_undefined__
#define __ubsan_ignore_float_cast_overflow__
#define __ubsan_ignore_signed_int_overflow__
#endif

#define C10_CONCATENATE_IMPL(s1, s2) s1##s2
#define C10_CONCATENATE(s1, s2) C10_CONCATENATE_IMPL(s1, s2)
#define C10_MACRO_EXPAND(args) args
#define C10_STRINGIZE_IMPL(x) #x
#define C10_STRINGIZE(x) C10_STRINGIZE_IMPL(x)

/// A number unique within a translation unit, and a variable name made from it.
#define C10_UID __COUNTER__
#define C10_ANONYMOUS_VARIABLE(str) C10_CONCATENATE(str, __COUNTER__)

#define C10_NODISCARD [[nodiscard]]
#define C10_UNUSED [[maybe_unused]]
#define C10_FALLTHROUGH [[fallthrough]]

#if defined(__GNUC__) || defined(__clang__)
#define C10_USED __attribute__((__used__))
#define C10_RESTRICT __restrict
#define C10_LIKELY(expr) (__builtin_expect(static_cast<bool>(expr), 1))
#define C10_UNLIKELY(expr) (__builtin_expect(static_cast<bool>(expr), 0))
#define C10_NOINLINE __attribute__((__noinline__))
#define C10_ALWAYS_INLINE __attribute__((__always_inline__)) inline
#define C10_ALWAYS_INLINE_ATTRIBUTE __attribute__((__always_inline__))
#define C10_COLD __attribute__((__cold__))
#elif defined(_MSC_VER)
#define C10_USED
#define C10_RESTRICT __restrict
#define C10_LIKELY(expr) (expr)
#define C10_UNLIKELY(expr) (expr)
#define C10_NOINLINE __declspec(noinline)
#define C10_ALWAYS_INLINE __forceinline
#define C10_ALWAYS_INLINE_ATTRIBUTE [[msvc::forceinline]]
#define C10_COLD
#else
#define C10_USED
#define C10_RESTRICT
#define C10_LIKELY(expr) (expr)
#define C10_UNLIKELY(expr) (expr)
#define C10_NOINLINE
#define C10_ALWAYS_INLINE inline
#define C10_ALWAYS_INLINE_ATTRIBUTE
#define C10_COLD
#endif

/// Tests what is almost always constant or false; device compilers take no branch hints.
#if defined(__CUDACC__)
#define C10_UNLIKELY_OR_CONST(e) e
#else
#define C10_UNLIKELY_OR_CONST(e) C10_UNLIKELY(e)
#endif

/// Functions usable from device code when a device compiler reads them.
#if defined(__CUDACC__) || defined(__HIPCC__)
#define C10_HOST_DEVICE __host__ __device__
#define C10_DEVICE __device__
#define C10_HOST __host__
#else
#define C10_HOST_DEVICE
#define C10_DEVICE
#define C10_HOST
#endif
#define C10_HIP_HOST_DEVICE
#define C10_HOST_CONSTEXPR_EXCEPT_WIN_CUDA constexpr
#define CONSTEXPR_EXCEPT_WIN_CUDA constexpr
#define C10_ALWAYS_INLINE_UNLESS_MOBILE C10_ALWAYS_INLINE

/// __launch_bounds__ of kernels of extensions, within what the device that is compiled for has:
///
///   C10_LAUNCH_BOUNDS_1(512) __global__ void kernel(float* out);
#if defined(__CUDACC__) || defined(__HIPCC__)
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ == 750
constexpr unsigned int CUDA_MAX_THREADS_PER_SM = 1024;
#elif defined(__CUDA_ARCH__) && (__CUDA_ARCH__ == 860 || __CUDA_ARCH__ == 870 || \
                                 __CUDA_ARCH__ == 890 || __CUDA_ARCH__ == 1200)
constexpr unsigned int CUDA_MAX_THREADS_PER_SM = 1536;
#else
constexpr unsigned int CUDA_MAX_THREADS_PER_SM = 2048;
#endif
constexpr unsigned int CUDA_MAX_THREADS_PER_BLOCK = 1024;
constexpr unsigned int CUDA_THREADS_PER_BLOCK_FALLBACK = 256;
#define C10_MAX_THREADS_PER_BLOCK(threads) \
  ((threads) <= CUDA_MAX_THREADS_PER_BLOCK ? (threads) : CUDA_THREADS_PER_BLOCK_FALLBACK)
#define C10_MIN_BLOCKS_PER_SM(threads, blocks)     \
  ((threads) * (blocks) <= CUDA_MAX_THREADS_PER_SM \
       ? (blocks)                                  \
       : (CUDA_MAX_THREADS_PER_SM + (threads) - 1) / (threads))
#define C10_LAUNCH_BOUNDS_0 __launch_bounds__(256, 4)
#define C10_LAUNCH_BOUNDS_1(threads) __launch_bounds__((C10_MAX_THREADS_PER_BLOCK((threads))))
#define C10_LAUNCH_BOUNDS_2(threads, blocks)                \
  __launch_bounds__((C10_MAX_THREADS_PER_BLOCK((threads))), \
                    (C10_MIN_BLOCKS_PER_SM((threads), (blocks))))
#endif

/// Older spellings that extension code still uses.
#define TORCH_UNUSED C10_UNUSED
#define AT_HOST_DEVICE C10_HOST_DEVICE
#ifdef __has_cpp_attribute
#define C10_HAS_CPP_ATTRIBUTE(x) __has_cpp_attribute(x)
#else
#define C10_HAS_CPP_ATTRIBUTE(x) (0)
#endif

/// Makes a class neither copyable nor assignable.
#define C10_DISABLE_COPY_AND_ASSIGN(classname) \
  classname(const classname&) = delete;        \
  classname& operator=(const classname&) = delete

/// Suppresses a warning for one statement group; `warning` is a string such as "-Wunused".
#if defined(__GNUC__) || defined(__clang__)
#define C10_PRAGMA(x) _Pragma(#x)
#define C10_DIAGNOSTIC_PUSH_AND_IGNORED_IF_DEFINED(warning) \
  C10_PRAGMA(GCC diagnostic push) C10_PRAGMA(GCC diagnostic ignored warning)
#define C10_DIAGNOSTIC_POP() C10_PRAGMA(GCC diagnostic pop)
#else
#define C10_DIAGNOSTIC_PUSH_AND_IGNORED_IF_DEFINED(warning)
#define C10_DIAGNOSTIC_POP()
#endif

#if defined(__ANDROID__) || (defined(__APPLE__) && defined(TARGET_OS_IPHONE) && TARGET_OS_IPHONE)
#define C10_MOBILE 1
#endif

// Namespaces that every header of the tree may rely on.
namespace c10 {}
namespace at {
using namespace c10;  // NOLINT: at:: users see c10's types under at::
namespace native {}
namespace detail {}
}  // namespace at
namespace torch {}

// A check in device code that stays in release builds: the kernel stops, and the next call of the
// runtime fails with cudaErrorAssert. In code of the host it ends the process.
#if defined(__linux__)
// What assert() calls; declared here for builds in which it calls nothing.
#if defined(__CUDACC__) || defined(__HIPCC__)
extern "C" __host__ __device__ void __assert_fail(const char* assertion, const char* file,
                                                  unsigned int line, const char* function) noexcept
    __attribute__((__noreturn__));
#else
extern "C" void __assert_fail(const char* assertion, const char* file, unsigned int line,
                              const char* function) noexcept __attribute__((__noreturn__));
#endif
#define CUDA_KERNEL_ASSERT_MSG(condition, message)                          \
  do {                                                                      \
    if (!(condition)) __assert_fail(message, __FILE__, __LINE__, __func__); \
  } while (0)
#else
#define CUDA_KERNEL_ASSERT_MSG(condition, message) static_cast<void>(0)
#endif
#define CUDA_KERNEL_ASSERT(condition) CUDA_KERNEL_ASSERT_MSG(condition, #condition)
#define CUDA_KERNEL_ASSERT_VERBOSE(condition, ...) CUDA_KERNEL_ASSERT(condition)
#define CUDA_KERNEL_ASSERT_PRINTF(condition, message, ...) \
  CUDA_KERNEL_ASSERT_MSG(condition, message)
