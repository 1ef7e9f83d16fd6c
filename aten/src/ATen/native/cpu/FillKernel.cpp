// The loop of fill_: one for each element size, not for each type.

#define TORCH_ASSERT_NO_OPERATORS
#include <ATen/native/DispatchUnsigned.h>
#include <ATen/native/Fill.h>

#include <ATen/TensorIterator.h>
#include <c10/core/Scalar.h>
#include <c10/core/ScalarType.h>
#include <c10/util/Exception.h>

#include <cstdint>
#include <cstring>

#include <ATen/native/cpu/OpaqueElement.h>

namespace at::native {
inline namespace CPU_CAPABILITY {
namespace {

template <typename opaque_t>
void fill_elements(TensorIterator& iter, const void* bits) {
  opaque_t value;
  std::memcpy(&value, bits, sizeof(value));
  iter.for_each([value](char** data, const int64_t* strides, int64_t n) {
    char* out = data[0];
    if (strides[0] == static_cast<int64_t>(sizeof(opaque_t))) {
      auto* p = reinterpret_cast<opaque_t*>(out);
      for (int64_t i = 0; i < n; ++i) p[i] = value;
    } else {
      for (int64_t i = 0; i < n; ++i) *reinterpret_cast<opaque_t*>(out + i * strides[0]) = value;
    }
  });
}

void fill_kernel(TensorIterator& iter, const Scalar& value_scalar) {
  alignas(16) char bits[16];
  const auto take_bits = [&](auto value) { std::memcpy(bits, &value, sizeof(value)); };
  AT_DISPATCH_STORED_TYPES(iter.dtype(), "fill_out",
                           [&] { take_bits(value_scalar.to<scalar_t>()); });
  dispatch_element_size(iter.element_size(0),
                        [&](auto element) { fill_elements<decltype(element)>(iter, bits); });
}

}  // namespace
}  // namespace CPU_CAPABILITY

REGISTER_DISPATCH(fill_stub, &CPU_CAPABILITY::fill_kernel)

}  // namespace at::native
