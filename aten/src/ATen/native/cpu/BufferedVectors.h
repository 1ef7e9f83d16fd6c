#pragma once

// Elementwise loops of costly functions of one number: elements pass through a buffer, which makes
// strided ones dense, converts them to the type that the formula needs, and fills the last vector.

#include <ATen/Dispatch.h>
#include <ATen/TensorIterator.h>
#include <ATen/cpu/vec/vec.h>
#include <ATen/native/cpu/Formulas.h>
#include <ATen/native/cpu/Loops.h>
#include <c10/core/ScalarType.h>

#include <algorithm>
#include <cstdint>

namespace at::native {
inline namespace CPU_CAPABILITY {

// Few of these elements are worth a thread.
constexpr int64_t kBufferedGrain = 2048;

// `op` takes and returns Vectorized<wide_t>.
template <typename wide_t, typename scalar_t, typename Op>
void buffered_vectors(TensorIteratorBase& iter, const Op& op) {
  using V = vec::Vectorized<wide_t>;
  constexpr int64_t kBuffer = 128;
  static_assert(kBuffer % V::size() == 0);
  loops::for_each_element(
      iter,
      [&](char** data, const int64_t* strides, int64_t n) {
        wide_t buffer[kBuffer];
        for (int64_t first = 0; first < n; first += kBuffer) {
          const int64_t count = std::min(kBuffer, n - first);
          const char* in = data[1] + first * strides[1];
          for (int64_t k = 0; k < count; ++k) {
            buffer[k] =
                static_cast<wide_t>(*reinterpret_cast<const scalar_t*>(in + k * strides[1]));
          }
          int64_t end = count;
          // A number that is there already leads to no slower branch than the others.
          for (; end % V::size() != 0; ++end) buffer[end] = buffer[count - 1];
          for (int64_t k = 0; k < end; k += V::size()) op(V::loadu(buffer + k)).store(buffer + k);
          char* out = data[0] + first * strides[0];
          for (int64_t k = 0; k < count; ++k) {
            *reinterpret_cast<scalar_t*>(out + k * strides[0]) = static_cast<scalar_t>(buffer[k]);
          }
        }
      },
      kBufferedGrain);
  iter.cast_outputs();
}

// Defines and registers the kernel of a stub by a function of vectors of doubles: for float and
// double, and for elements of 16 bits too.
#define DOUBLE_VECTORS_KERNEL(stub, dispatch, title, function)                               \
  void stub##_kernel(TensorIteratorBase& iter) {                                             \
    dispatch(iter.common_dtype(), title, [&] {                                               \
      using V = vec::Vectorized<double>;                                                     \
      buffered_vectors<double, scalar_t>(iter, [](const V& x) -> V { return function(x); }); \
    });                                                                                      \
  }                                                                                          \
  REGISTER_DISPATCH(stub, &stub##_kernel)

#define FLOATING_DOUBLE_VECTORS_KERNEL(stub, title, function) \
  DOUBLE_VECTORS_KERNEL(stub, AT_DISPATCH_FLOATING_TYPES, title, function)
#define DISPATCH_ALL_FLOATING(...) AT_DISPATCH_FLOATING_TYPES_AND2(kHalf, kBFloat16, __VA_ARGS__)
#define ALL_FLOATING_DOUBLE_VECTORS_KERNEL(stub, title, function) \
  DOUBLE_VECTORS_KERNEL(stub, DISPATCH_ALL_FLOATING, title, function)

// near() where x is at most `end`, and far() elsewhere. Calls one of them alone where it can.
template <typename T, typename Near, typename Far>
vec::Vectorized<T> piecewise(const vec::Vectorized<T>& x, double end, const Near& near,
                             const Far& far) {
  using V = vec::Vectorized<T>;
  const V bound(static_cast<T>(end));
  if (none_negative(V(bound - x))) return near();
  if (none_negative(V(x - bound))) return far();
  return select(V(x <= bound), V(near()), V(far()));
}

}  // namespace CPU_CAPABILITY
}  // namespace at::native
