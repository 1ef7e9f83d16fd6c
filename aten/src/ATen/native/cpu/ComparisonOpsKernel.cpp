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

// Numbers of 16 bits as integers in the same order, with one zero.
inline int16_t order_of(uint16_t bits) {
  const auto sign = static_cast<int16_t>(static_cast<int16_t>(bits) >> 15);
  return static_cast<int16_t>(((bits & 0x7fff) ^ sign) - sign);
}

// Comparisons of numbers whose infinity has these bits, without conversions. `kOfNan` is the answer
// where one is NaN. Nothing is captured, for a store of a bool might change it.
template <int kInfinity, bool kOfNan, typename Op>
void compare_bits(TensorIteratorBase& iter, Op /*op*/) {
  cpu_kernel(iter, [](uint16_t a, uint16_t b) -> bool {
    const auto first = static_cast<uint16_t>(a & 0x7fff);
    const auto second = static_cast<uint16_t>(b & 0x7fff);
    const bool found = Op()(order_of(a), order_of(b));
    return (first > second ? first : second) > kInfinity ? kOfNan : found;
  });
}
template <bool kOfNan, typename Op>
void compare_reduced(TensorIteratorBase& iter, Op op) {
  if (iter.common_dtype() == kHalf) {
    compare_bits<0x7c00, kOfNan>(iter, op);
  } else {
    compare_bits<0x7f80, kOfNan>(iter, op);
  }
}

inline bool is_reduced(const TensorIteratorBase& iter) {
  return iter.common_dtype() == kHalf || iter.common_dtype() == kBFloat16;
}

// The arguments have the common type, the result is bool.
#define COMPARISON_KERNEL(name, DISPATCH, expression, of_nan)                                 \
  void name##_kernel(TensorIteratorBase& iter) {                                              \
    if (is_reduced(iter)) {                                                                   \
      compare_reduced<of_nan>(iter, [](int16_t a, int16_t b) -> bool { return expression; }); \
      return;                                                                                 \
    }                                                                                         \
    DISPATCH(iter.common_dtype(), #name "_cpu", [&] {                                         \
      cpu_kernel(iter, [](scalar_t a, scalar_t b) -> bool { return expression; });            \
    });                                                                                       \
  }

// Equality has the unsigned types of more than 8 bits, as in PyTorch; the order of numbers has not.
#define DISPATCH_ORDER(...) AT_DISPATCH_ALL_TYPES_AND(kBool, __VA_ARGS__)

COMPARISON_KERNEL(eq, AT_DISPATCH_STORED_TYPES, a == b, false)
COMPARISON_KERNEL(ne, AT_DISPATCH_STORED_TYPES, !(a == b), true)
COMPARISON_KERNEL(lt, DISPATCH_ORDER, a < b, false)
COMPARISON_KERNEL(le, DISPATCH_ORDER, a <= b, false)
COMPARISON_KERNEL(gt, DISPATCH_ORDER, a > b, false)
COMPARISON_KERNEL(ge, DISPATCH_ORDER, a >= b, false)

// `op` takes whether each of both is something else than zero.
template <typename Op>
void logical_kernel(TensorIteratorBase& iter, const char* name, const Op& op) {
  if (is_reduced(iter)) {
    cpu_kernel(iter, [op](uint16_t a, uint16_t b) -> bool {
      return op((a & 0x7fff) != 0, (b & 0x7fff) != 0);
    });
    return;
  }
  AT_DISPATCH_ALL_TYPES_AND_COMPLEX_AND(kBool, iter.common_dtype(), name, [&] {
    cpu_kernel(iter, [op](scalar_t a, scalar_t b) -> bool {
      return op(a != scalar_t(0), b != scalar_t(0));
    });
  });
}

// Both sides are looked at, so that the compiler may make vectors.
void logical_and_kernel(TensorIteratorBase& iter) {
  logical_kernel(iter, "logical_and_cpu", [](bool a, bool b) -> bool { return a & b; });
}
void logical_or_kernel(TensorIteratorBase& iter) {
  logical_kernel(iter, "logical_or_cpu", [](bool a, bool b) -> bool { return a | b; });
}
void logical_xor_kernel(TensorIteratorBase& iter) {
  logical_kernel(iter, "logical_xor_cpu", [](bool a, bool b) -> bool { return a != b; });
}

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
