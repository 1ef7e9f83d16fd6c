#pragma once

// a = a + b and its kind, whole, where other threads change the same element. Each returns what was
// there before. For integers, bool, half precision and complex numbers too.

#include <ATen/NumericUtils.h>
#include <c10/util/BFloat16.h>
#include <c10/util/Half.h>
#include <c10/util/complex_type.h>
#include <cuda_runtime.h>

#include <cstdint>
#include <cstring>
#include <type_traits>

namespace at::cuda::detail {

// Replaces an element by update(element), through the word that holds it.
template <typename T, typename Update>
__device__ T atomic_update(T* address, const Update& update) {
  using Word = std::conditional_t<sizeof(T) == 8, unsigned long long, unsigned int>;
  static_assert(sizeof(T) <= 8);
  const auto place = reinterpret_cast<uintptr_t>(address);
  auto* word = reinterpret_cast<Word*>(place & ~uintptr_t{sizeof(Word) - 1});
  const unsigned int shift = static_cast<unsigned int>(place % sizeof(Word)) * 8;
  constexpr Word kMask =
      sizeof(T) == sizeof(Word) ? ~Word{0} : (Word{1} << (8 * (sizeof(T) % sizeof(Word)))) - 1;
  Word old = *word;
  Word assumed;
  T before;
  do {
    assumed = old;
    const Word bits = (assumed >> shift) & kMask;
    memcpy(&before, &bits, sizeof(T));  // little-endian
    const T after = update(before);
    Word changed = 0;
    memcpy(&changed, &after, sizeof(T));
    old = atomicCAS(word, assumed, (assumed & ~(kMask << shift)) | (changed << shift));
  } while (old != assumed);
  return before;
}

}  // namespace at::cuda::detail

template <typename T>
__device__ T gpuAtomicAdd(T* address, T value) {
  if constexpr (std::is_same_v<T, bool>) {
    return at::cuda::detail::atomic_update(address, [=](bool a) { return a || value; });
  } else if constexpr (std::is_same_v<T, int64_t>) {
    return static_cast<int64_t>(atomicAdd(reinterpret_cast<unsigned long long*>(address),
                                          static_cast<unsigned long long>(value)));
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 600
  } else if constexpr (std::is_same_v<T, float> || std::is_same_v<T, int32_t>) {
#else
  } else if constexpr (std::is_same_v<T, float> || std::is_same_v<T, double> ||
                       std::is_same_v<T, int32_t>) {
#endif
    return atomicAdd(address, value);
  } else {
    return at::cuda::detail::atomic_update(address, [=](T a) { return static_cast<T>(a + value); });
  }
}
/// The two parts are added one after the other; nothing is returned.
template <typename T>
__device__ void gpuAtomicAdd(c10::complex<T>* address, c10::complex<T> value) {
  T* parts = reinterpret_cast<T*>(address);
  gpuAtomicAdd(parts, value.real());
  gpuAtomicAdd(parts + 1, value.imag());
}
template <typename T>
__device__ void gpuAtomicAddNoReturn(T* address, T value) {
  gpuAtomicAdd(address, value);
}
template <typename T>
__device__ T gpuAtomicMul(T* address, T value) {
  return at::cuda::detail::atomic_update(address, [=](T a) { return static_cast<T>(a * value); });
}
/// NaN counts as the largest, and as the smallest.
template <typename T>
__device__ T gpuAtomicMax(T* address, T value) {
  return at::cuda::detail::atomic_update(
      address, [=](T a) { return at::_isnan(a) || a > value ? a : value; });
}
template <typename T>
__device__ T gpuAtomicMin(T* address, T value) {
  return at::cuda::detail::atomic_update(
      address, [=](T a) { return at::_isnan(a) || a < value ? a : value; });
}

// CUDA's own name for the types that CUDA lacks.
#define TORCH_ATOMIC_ADD_(T) \
  static inline __device__ T atomicAdd(T* address, T value) { return gpuAtomicAdd(address, value); }
TORCH_ATOMIC_ADD_(c10::Half)
TORCH_ATOMIC_ADD_(c10::BFloat16)
TORCH_ATOMIC_ADD_(uint8_t)
TORCH_ATOMIC_ADD_(int8_t)
TORCH_ATOMIC_ADD_(int16_t)
TORCH_ATOMIC_ADD_(int64_t)
TORCH_ATOMIC_ADD_(bool)
#undef TORCH_ATOMIC_ADD_
template <typename T>
static inline __device__ void atomicAdd(c10::complex<T>* address, c10::complex<T> value) {
  gpuAtomicAdd(address, value);
}
