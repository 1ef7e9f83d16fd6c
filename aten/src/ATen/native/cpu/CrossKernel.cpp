// The loop of cross products.

#define TORCH_ASSERT_NO_OPERATORS
#include <ATen/native/Cross.h>

#include <ATen/Dispatch.h>
#include <ATen/TensorIterator.h>
#include <ATen/native/Wrapping.h>
#include <ATen/native/cpu/ReducedElement.h>
#include <c10/core/ScalarType.h>

#include <cstdint>
#include <type_traits>

namespace at::native {
inline namespace CPU_CAPABILITY {
namespace {

// a * b - c * d; integers wrap around.
template <typename T>
T difference(T a, T b, T c, T d) {
  if constexpr (std::is_integral_v<T>) {
    return wrapping_add(wrapping_mul(a, b), wrapping_neg(wrapping_mul(c, d)));
  } else if constexpr (vec::is_reduced_floating_point_v<T>) {
    // Each product is rounded, as by the type's own operators.
    const T first = vec::to_element<T>(vec::to_float(a) * vec::to_float(b));
    const T second = vec::to_element<T>(vec::to_float(c) * vec::to_float(d));
    return vec::to_element<T>(vec::to_float(first) - vec::to_float(second));
  } else {
    return a * b - c * d;
  }
}

// `step`s are those between vectors, in elements.
template <typename T>
void cross_loop(T* out, int64_t out_stride, int64_t out_step, const T* a, int64_t a_stride,
                int64_t a_step, const T* b, int64_t b_stride, int64_t b_step, int64_t n) {
  for (int64_t i = 0; i < n; ++i, out += out_step, a += a_step, b += b_step) {
    const T x = difference(a[a_stride], b[2 * b_stride], a[2 * a_stride], b[b_stride]);
    const T y = difference(a[2 * a_stride], b[0], a[0], b[2 * b_stride]);
    const T z = difference(a[0], b[b_stride], a[a_stride], b[0]);
    out[0] = x;
    out[out_stride] = y;
    out[2 * out_stride] = z;
  }
}

void cross_kernel(TensorIteratorBase& iter, int64_t out_stride, int64_t a_stride,
                  int64_t b_stride) {
  AT_DISPATCH_ALL_TYPES_AND_COMPLEX_AND2(kBFloat16, kHalf, iter.dtype(), "cross", [&] {
    constexpr auto kSize = static_cast<int64_t>(sizeof(scalar_t));
    iter.for_each([=](char** data, const int64_t* strides, int64_t n) {
      auto* const out = reinterpret_cast<scalar_t*>(data[0]);
      const auto* const a = reinterpret_cast<const scalar_t*>(data[1]);
      const auto* const b = reinterpret_cast<const scalar_t*>(data[2]);
      if (strides[0] == kSize && strides[1] == kSize && strides[2] == kSize) {
        cross_loop(out, out_stride, 1, a, a_stride, 1, b, b_stride, 1, n);
      } else {
        cross_loop(out, out_stride, strides[0] / kSize, a, a_stride, strides[1] / kSize, b,
                   b_stride, strides[2] / kSize, n);
      }
    });
  });
}

}  // namespace
}  // namespace CPU_CAPABILITY

REGISTER_DISPATCH(cross_stub, &CPU_CAPABILITY::cross_kernel)

}  // namespace at::native
