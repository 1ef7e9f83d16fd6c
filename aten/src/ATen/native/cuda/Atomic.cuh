#pragma once

// a += b, whole, where other threads may add to the same place. For every type and architecture:
// elements of one or two bytes through the word that holds them.

#include <c10/macros/Macros.h>
#include <c10/util/BFloat16.h>
#include <c10/util/Half.h>
#include <c10/util/complex_type.h>

#include <cstdint>
#include <cstring>
#include <type_traits>

namespace at::native {

template <typename T>
C10_DEVICE void atomic_add_small(T* address, T value) {
  const auto place = reinterpret_cast<uintptr_t>(address);
  auto* word = reinterpret_cast<unsigned int*>(place & ~uintptr_t{3});
  const unsigned int shift = (place & 3) * 8;
  constexpr unsigned int kMask = sizeof(T) == 1 ? 0xffu : 0xffffu;
  unsigned int old = *word;
  unsigned int assumed;
  do {
    assumed = old;
    const unsigned int bits = (assumed >> shift) & kMask;
    T element;
    memcpy(&element, &bits, sizeof(T));  // little-endian
    element = static_cast<T>(element + value);
    unsigned int sum = 0;
    memcpy(&sum, &element, sizeof(T));
    old = atomicCAS(word, assumed, (assumed & ~(kMask << shift)) | (sum << shift));
  } while (old != assumed);
}

template <typename T>
C10_DEVICE void atomic_add(T* address, T value) {
  if constexpr (std::is_same_v<T, bool>) {
    if (value) *address = true;  // all writers write the same
  } else if constexpr (sizeof(T) <= 2) {
    atomic_add_small(address, value);
  } else if constexpr (std::is_same_v<T, int64_t>) {
    atomicAdd(reinterpret_cast<unsigned long long*>(address),
              static_cast<unsigned long long>(value));
  } else {
    atomicAdd(address, value);
  }
}
template <typename T>
C10_DEVICE void atomic_add(c10::complex<T>* address, c10::complex<T> value) {
  T* parts = reinterpret_cast<T*>(address);
  atomicAdd(parts, value.real());
  atomicAdd(parts + 1, value.imag());
}

}  // namespace at::native
