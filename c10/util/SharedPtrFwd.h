#pragma once

// Declares std::shared_ptr, for headers that only name references to one. GCC's <memory> includes
// <ostream>, a quarter of the time to read ATen/core/Tensor.h; whoever calls the function
// has included <memory> with the pointer's element type.

#include <cstddef>

#if defined(__GLIBCXX__) && !_GLIBCXX_INLINE_VERSION
// Visible like the definition, or templates over it would be hidden.
namespace std __attribute__((visibility("default"))) {  // NOLINT(cert-dcl58-cpp)
  template <typename T>
  class shared_ptr;
}  // namespace std
#else
#include <memory>
#endif
