#pragma once

// Loops that only move elements do not care for their type: they are instantiated for each element
// size instead, which is five sizes rather than twelve types.

#include <c10/util/Exception.h>

#include <cstdint>

namespace at::native {

struct alignas(16) OpaqueElement16 {
  uint64_t words[2];
};

// Calls `f` with a value of an opaque type of `size` bytes; its decltype is what matters.
template <typename F>
void dispatch_element_size(int64_t size, F&& f) {
  switch (size) {
    case 1:
      return f(uint8_t{});
    case 2:
      return f(uint16_t{});
    case 4:
      return f(uint32_t{});
    case 8:
      return f(uint64_t{});
    case 16:
      return f(OpaqueElement16{});
    default:
      TORCH_CHECK(false, "elements of 1, 2, 4, 8 or 16 bytes were expected, not of ", size);
  }
}

}  // namespace at::native
