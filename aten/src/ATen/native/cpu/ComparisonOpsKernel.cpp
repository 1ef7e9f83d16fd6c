// Loops of comparisons, logical and bitwise operators.

#define TORCH_ASSERT_NO_OPERATORS
#include <ATen/native/BinaryFormulas.h>
#include <ATen/native/BinaryOps.h>
#include <ATen/native/DispatchUnsigned.h>

#include <ATen/TensorIterator.h>
#include <ATen/cpu/vec/vec.h>
#include <ATen/native/cpu/Loops.h>
#include <c10/core/ScalarType.h>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace at::native {
inline namespace CPU_CAPABILITY {
namespace {

// The arguments have the common type, the result is bool.
#define COMPARISON_KERNEL(name, DISPATCH, expression)                              \
  void name##_kernel(TensorIteratorBase& iter) {                                   \
    DISPATCH(kBool, kBFloat16, kHalf, iter.common_dtype(), #name "_cpu", [&] {     \
      cpu_kernel(iter, [](scalar_t a, scalar_t b) -> bool { return expression; }); \
    });                                                                            \
  }

// Equality has the unsigned types of more than 8 bits, as in PyTorch; the order of numbers has not.
#define DISPATCH_EQUALITY(T1, T2, T3, dtype, name, ...) \
  AT_DISPATCH_STORED_TYPES(dtype, name, __VA_ARGS__)

COMPARISON_KERNEL(eq, DISPATCH_EQUALITY, a == b)
COMPARISON_KERNEL(ne, DISPATCH_EQUALITY, !(a == b))
COMPARISON_KERNEL(lt, AT_DISPATCH_ALL_TYPES_AND3, a < b)
COMPARISON_KERNEL(le, AT_DISPATCH_ALL_TYPES_AND3, a <= b)
COMPARISON_KERNEL(gt, AT_DISPATCH_ALL_TYPES_AND3, a > b)
COMPARISON_KERNEL(ge, AT_DISPATCH_ALL_TYPES_AND3, a >= b)
// Both sides are looked at, so that the compiler may make vectors.
COMPARISON_KERNEL(logical_and, AT_DISPATCH_ALL_TYPES_AND_COMPLEX_AND3,
                  static_cast<bool>((a != scalar_t(0)) & (b != scalar_t(0))))
COMPARISON_KERNEL(logical_or, AT_DISPATCH_ALL_TYPES_AND_COMPLEX_AND3,
                  static_cast<bool>((a != scalar_t(0)) | (b != scalar_t(0))))
COMPARISON_KERNEL(logical_xor, AT_DISPATCH_ALL_TYPES_AND_COMPLEX_AND3,
                  (a != scalar_t(0)) != (b != scalar_t(0)))

// GCC makes no vectors of these loops over words of 4 and 8 bytes by itself.
template <typename Op>
void bitwise_kernel(TensorIteratorBase& iter, const char* name, const Op& op) {
  AT_DISPATCH_INTEGRAL_TYPES_V2_AND_BOOL(iter.common_dtype(), name, [&] {
    if constexpr (sizeof(scalar_t) >= 4 && std::is_signed_v<scalar_t>) {
      cpu_kernel_vec(
          iter, [op](scalar_t a, scalar_t b) -> scalar_t { return op(a, b); },
          [op](vec::Vectorized<scalar_t> a, vec::Vectorized<scalar_t> b) { return op(a, b); });
    } else {
      cpu_kernel(iter, [op](scalar_t a, scalar_t b) -> scalar_t {
        return static_cast<scalar_t>(op(a, b));
      });
    }
  });
}

#define BITWISE_KERNEL(name, op)                                               \
  void name##_kernel(TensorIteratorBase& iter) {                               \
    bitwise_kernel(iter, #name "_cpu", [](auto a, auto b) { return a op b; }); \
  }

template <typename Op>
void shift_kernel(TensorIteratorBase& iter, const char* name, Op op) {
  AT_DISPATCH_INTEGRAL_TYPES(iter.dtype(), name, [&] {
    cpu_kernel(iter, [op](scalar_t a, scalar_t b) -> scalar_t { return op(a, b); });
  });
}
void bitwise_left_shift_kernel(TensorIteratorBase& iter) {
  shift_kernel(iter, "bitwise_left_shift", binary::ShiftLeft());
}
void bitwise_right_shift_kernel(TensorIteratorBase& iter) {
  shift_kernel(iter, "bitwise_right_shift", binary::ShiftRight());
}

BITWISE_KERNEL(bitwise_and, &)
BITWISE_KERNEL(bitwise_or, |)
BITWISE_KERNEL(bitwise_xor, ^)

}  // namespace
}  // namespace CPU_CAPABILITY

REGISTER_DISPATCH(eq_stub, &CPU_CAPABILITY::eq_kernel)
REGISTER_DISPATCH(ne_stub, &CPU_CAPABILITY::ne_kernel)
REGISTER_DISPATCH(lt_stub, &CPU_CAPABILITY::lt_kernel)
REGISTER_DISPATCH(le_stub, &CPU_CAPABILITY::le_kernel)
REGISTER_DISPATCH(gt_stub, &CPU_CAPABILITY::gt_kernel)
REGISTER_DISPATCH(ge_stub, &CPU_CAPABILITY::ge_kernel)
REGISTER_DISPATCH(logical_and_stub, &CPU_CAPABILITY::logical_and_kernel)
REGISTER_DISPATCH(logical_or_stub, &CPU_CAPABILITY::logical_or_kernel)
REGISTER_DISPATCH(logical_xor_stub, &CPU_CAPABILITY::logical_xor_kernel)
REGISTER_DISPATCH(bitwise_and_stub, &CPU_CAPABILITY::bitwise_and_kernel)
REGISTER_DISPATCH(bitwise_or_stub, &CPU_CAPABILITY::bitwise_or_kernel)
REGISTER_DISPATCH(bitwise_left_shift_stub, &CPU_CAPABILITY::bitwise_left_shift_kernel)
REGISTER_DISPATCH(bitwise_right_shift_stub, &CPU_CAPABILITY::bitwise_right_shift_kernel)
REGISTER_DISPATCH(bitwise_xor_stub, &CPU_CAPABILITY::bitwise_xor_kernel)

}  // namespace at::native
