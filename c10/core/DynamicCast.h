#pragma once

#include <c10/core/ScalarType.h>
#include <c10/macros/Macros.h>
#include <c10/util/Exception.h>
#include <c10/util/TypeCast.h>

// Device code cannot throw: a type that no kernel handles stops it.
#ifdef __CUDA_ARCH__
#define ERROR_UNSUPPORTED_CAST(type) __trap()
#else
#define ERROR_UNSUPPORTED_CAST(type) TORCH_CHECK(false, "Unexpected scalar type: ", type)
#endif

namespace c10 {

/// Reads an element whose type is known at run time and converts it, as `convert` does.
template <typename To>
C10_HOST_DEVICE inline To fetch_and_cast(const ScalarType src_type, const void* ptr) {
  switch (src_type) {
#define CASE(type, name) \
  case ScalarType::name: \
    return c10::convert<To>(*static_cast<const type*>(ptr));
    AT_FORALL_SCALAR_TYPES_WITH_COMPLEX(CASE)
#undef CASE
    default:
      ERROR_UNSUPPORTED_CAST(src_type);
  }
}

/// Converts a value and stores it as an element whose type is known at run time.
template <typename From>
C10_HOST_DEVICE inline void cast_and_store(const ScalarType dest_type, void* ptr, From value) {
  switch (dest_type) {
#define CASE(type, name)                                  \
  case ScalarType::name:                                  \
    *static_cast<type*>(ptr) = c10::convert<type>(value); \
    return;
    AT_FORALL_SCALAR_TYPES_WITH_COMPLEX(CASE)
#undef CASE
    default:
      ERROR_UNSUPPORTED_CAST(dest_type);
  }
}

}  // namespace c10

#undef ERROR_UNSUPPORTED_CAST
