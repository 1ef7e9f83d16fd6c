#pragma once

// Moving elements without looking into them: one kernel for all types of one size.

#include <c10/util/Exception.h>

#include <cstdint>

namespace at::native {

struct alignas(16) Opaque16 {
  uint64_t low, high;
};

// Calls f(T()) with a type of `size` bytes.
template <typename F>
void dispatch_opaque(int64_t size, const F& f) {
  switch (size) {
    case 1:
      return f(uint8_t());
    case 2:
      return f(uint16_t());
    case 4:
      return f(uint32_t());
    case 8:
      return f(uint64_t());
    case 16:
      return f(Opaque16());
    default:
      TORCH_CHECK(false, "no elements of ", size, " bytes");
  }
}

}  // namespace at::native
