// Loops of the functions of two numbers that have no vectors: one compilation serves every
// capability.

#define TORCH_ASSERT_NO_OPERATORS
#include <ATen/Dispatch.h>
#include <ATen/OpMathType.h>
#include <ATen/TensorIterator.h>
#include <ATen/native/BinaryOps.h>
#include <ATen/native/cpu/Loops.h>
#include <c10/core/ScalarType.h>
#include <c10/util/Exception.h>

#include <cstdint>
#include <numeric>

namespace at::native {
namespace {

void heaviside_kernel(TensorIteratorBase& iter) {
  AT_DISPATCH_ALL_TYPES_AND3(kHalf, kBool, kBFloat16, iter.dtype(0), "heaviside_cpu", [&] {
    cpu_kernel(iter, [](scalar_t a, scalar_t b) -> scalar_t {
      return a == scalar_t(0) ? b : static_cast<scalar_t>(a > scalar_t(0));
    });
  });
}
REGISTER_ALL_CPU_DISPATCH(heaviside_stub, &heaviside_kernel)

// Unsigned, so that the smallest number has a magnitude.
template <typename T>
uint64_t magnitude(T a) {
  const auto bits = static_cast<uint64_t>(a);
  return a < T(0) ? 0 - bits : bits;
}

void gcd_kernel(TensorIteratorBase& iter) {
  AT_DISPATCH_INTEGRAL_TYPES(iter.common_dtype(), "gcd_cpu", [&] {
    cpu_kernel(iter, [](scalar_t a, scalar_t b) -> scalar_t {
      return static_cast<scalar_t>(std::gcd(magnitude(a), magnitude(b)));
    });
  });
}
REGISTER_ALL_CPU_DISPATCH(gcd_stub, &gcd_kernel)

void lcm_kernel(TensorIteratorBase& iter) {
  AT_DISPATCH_INTEGRAL_TYPES(iter.common_dtype(), "lcm_cpu", [&] {
    cpu_kernel(iter, [](scalar_t a, scalar_t b) -> scalar_t {
      const uint64_t divisor = std::gcd(magnitude(a), magnitude(b));
      return divisor == 0 ? scalar_t(0)
                          : static_cast<scalar_t>(magnitude(a) / divisor * magnitude(b));
    });
  });
}
REGISTER_ALL_CPU_DISPATCH(lcm_stub, &lcm_kernel)

}  // namespace
}  // namespace at::native
