#pragma once

// Reads an element whose bytes may be of another kind: a bool of any bit but 0 is true.

#include <c10/macros/Macros.h>

namespace c10 {

template <typename T>
C10_HOST_DEVICE inline T load(const void* src) {
  return *reinterpret_cast<const T*>(src);
}
template <>
C10_HOST_DEVICE inline bool load<bool>(const void* src) {
  return *reinterpret_cast<const unsigned char*>(src) != 0;
}
template <typename scalar_t>
C10_HOST_DEVICE inline scalar_t load(const scalar_t* src) {
  return load<scalar_t>(static_cast<const void*>(src));
}

}  // namespace c10
