// Loops of the special functions. They are bound by their arithmetic, which has no vectors: one
// compilation serves every capability.

#define TORCH_ASSERT_NO_OPERATORS
#include <ATen/Dispatch.h>
#include <ATen/OpMathType.h>
#include <ATen/TensorIterator.h>
#include <ATen/native/BinaryOps.h>
#include <ATen/native/SpecialFunctions.h>
#include <ATen/native/UnaryFormulas.h>
#include <ATen/native/UnaryOps.h>
#include <ATen/native/cpu/Loops.h>
#include <c10/core/ScalarType.h>
#include <c10/util/complex_math.h>

#include <cmath>
#include <cstdint>
#include <utility>

namespace at::native {
namespace {

// Each element costs much: few of them are worth a thread.
constexpr int64_t kGrainSize = 2048;

#define SPECIAL_UNARY_KERNEL(name, function)                                                   \
  void name##_kernel(TensorIteratorBase& iter) {                                               \
    AT_DISPATCH_FLOATING_TYPES_AND2(kHalf, kBFloat16, iter.common_dtype(), #name "_cpu", [&] { \
      using opmath_t = opmath_type<scalar_t>;                                                  \
      cpu_kernel(                                                                              \
          iter,                                                                                \
          [](scalar_t a) -> scalar_t {                                                         \
            return static_cast<scalar_t>(function(static_cast<opmath_t>(a)));                  \
          },                                                                                   \
          kGrainSize);                                                                         \
    });                                                                                        \
  }                                                                                            \
  REGISTER_ALL_CPU_DISPATCH(name##_stub, &name##_kernel)

SPECIAL_UNARY_KERNEL(special_entr, unary::Entropy())

void sinc_kernel(TensorIteratorBase& iter) {
  if (c10::isComplexType(iter.common_dtype())) {
    AT_DISPATCH_COMPLEX_TYPES(iter.common_dtype(), "sinc_cpu", [&] {
      cpu_kernel(iter, [](scalar_t a) -> scalar_t { return unary::Sinc()(a); }, kGrainSize);
    });
    return;
  }
  AT_DISPATCH_FLOATING_TYPES_AND2(kHalf, kBFloat16, iter.common_dtype(), "sinc_cpu", [&] {
    using opmath_t = opmath_type<scalar_t>;
    cpu_kernel(
        iter,
        [](scalar_t a) -> scalar_t {
          return static_cast<scalar_t>(unary::Sinc()(static_cast<opmath_t>(a)));
        },
        kGrainSize);
  });
}
REGISTER_ALL_CPU_DISPATCH(sinc_stub, &sinc_kernel)

#define SPECIAL_BINARY_KERNEL(name, function)                                                  \
  void name##_kernel(TensorIteratorBase& iter) {                                               \
    AT_DISPATCH_FLOATING_TYPES_AND2(kHalf, kBFloat16, iter.common_dtype(), #name "_cpu", [&] { \
      using opmath_t = opmath_type<scalar_t>;                                                  \
      cpu_kernel(                                                                              \
          iter,                                                                                \
          [](scalar_t a, scalar_t b) -> scalar_t {                                             \
            return static_cast<scalar_t>(                                                      \
                function(static_cast<opmath_t>(a), static_cast<opmath_t>(b)));                 \
          },                                                                                   \
          kGrainSize);                                                                         \
    });                                                                                        \
  }                                                                                            \
  REGISTER_ALL_CPU_DISPATCH(name##_stub, &name##_kernel)

SPECIAL_BINARY_KERNEL(igamma, special::igamma)
SPECIAL_BINARY_KERNEL(igammac, special::igammac)
SPECIAL_BINARY_KERNEL(special_zeta, special::zeta)

}  // namespace
}  // namespace at::native
