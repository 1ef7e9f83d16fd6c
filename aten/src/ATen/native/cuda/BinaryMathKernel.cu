// Functions of two numbers beyond arithmetic.

#define TORCH_ASSERT_NO_OPERATORS
#include <ATen/Dispatch.h>
#include <ATen/TensorIterator.h>
#include <ATen/native/BinaryOps.h>
#include <c10/core/ScalarType.h>
#include <ATen/native/cuda/Loops.cuh>

#include <limits>
#include <type_traits>

namespace at::native {
namespace {

#define BINARY_MATH_KERNEL(op, ...)                                                          \
  GPU_BINARY_OP(op##_op, __VA_ARGS__)                                                        \
  void op##_kernel_cuda(TensorIteratorBase& iter) {                                          \
    AT_DISPATCH_FLOATING_TYPES_AND2(kHalf, kBFloat16, iter.common_dtype(), #op "_cuda",      \
                                    [&] { gpu_kernel(iter, Binary<scalar_t, op##_op>{}); }); \
  }                                                                                          \
  REGISTER_CUDA_DISPATCH(op##_stub, &op##_kernel_cuda)

// max + log(1 + exp(min - max)); equal infinities are their own sum.
template <typename T>
C10_HOST_DEVICE T log_of_sum(T a, T b) {
  if (::isinf(a) && a == b) return a;
  const T high = a < b || b != b ? b : a;
  return high + ::log1p(::exp(-::fabs(a - b)));
}
template <typename T>
C10_HOST_DEVICE T log2_of_sum(T a, T b) {
  if (::isinf(a) && a == b) return a;
  const T high = a < b || b != b ? b : a;
  return high + ::log1p(::exp2(-::fabs(a - b))) * T(1.44269504088896340736);
}

BINARY_MATH_KERNEL(atan2, ::atan2(a, b))
BINARY_MATH_KERNEL(copysign, ::copysign(a, b))
BINARY_MATH_KERNEL(hypot, ::hypot(a, b))
BINARY_MATH_KERNEL(logaddexp, log_of_sum(a, b))
BINARY_MATH_KERNEL(logaddexp2, log2_of_sum(a, b))
BINARY_MATH_KERNEL(xlogy, b != b ? b : (a == T(0) ? T(0) : a * ::log(b)))
BINARY_MATH_KERNEL(special_xlog1py, b != b ? b : (a == T(0) ? T(0) : a * ::log1p(b)))

// The number that is not NaN, when one is; integers have none.
GPU_BINARY_OP(FMaxOf, ::fmax(a, b))
GPU_BINARY_OP(FMinOf, ::fmin(a, b))

void fmax_kernel_cuda(TensorIteratorBase& iter) {
  if (!c10::isFloatingType(iter.common_dtype())) {
    maximum_stub(iter.device_type(), iter);
    return;
  }
  AT_DISPATCH_FLOATING_TYPES_AND2(kHalf, kBFloat16, iter.common_dtype(), "fmax_cuda",
                                  [&] { gpu_kernel(iter, Binary<scalar_t, FMaxOf>{}); });
}
void fmin_kernel_cuda(TensorIteratorBase& iter) {
  if (!c10::isFloatingType(iter.common_dtype())) {
    minimum_stub(iter.device_type(), iter);
    return;
  }
  AT_DISPATCH_FLOATING_TYPES_AND2(kHalf, kBFloat16, iter.common_dtype(), "fmin_cuda",
                                  [&] { gpu_kernel(iter, Binary<scalar_t, FMinOf>{}); });
}
REGISTER_CUDA_DISPATCH(fmax_stub, &fmax_kernel_cuda)
REGISTER_CUDA_DISPATCH(fmin_stub, &fmin_kernel_cuda)

// C's %, by the sign of the dividend.
struct FmodOf {
  template <typename T>
  C10_HOST_DEVICE T operator()(T a, T b) const {
    if constexpr (std::is_floating_point_v<T>) {
      return ::fmod(a, b);
    } else {
      return static_cast<T>(a % b);
    }
  }
};
void fmod_kernel_cuda(TensorIteratorBase& iter) {
  AT_DISPATCH_ALL_TYPES_AND2(kHalf, kBFloat16, iter.common_dtype(), "fmod_cuda",
                             [&] { gpu_kernel(iter, Binary<scalar_t, FmodOf>{}); });
}
REGISTER_CUDA_DISPATCH(fmod_stub, &fmod_kernel_cuda)

// A shift past the last bit leaves 0, or the sign.
struct ShiftLeft {
  template <typename T>
  C10_HOST_DEVICE T operator()(T a, T b) const {
    constexpr int kBits = static_cast<int>(sizeof(T)) * 8;
    if (b < T(0) || b >= T(kBits)) return 0;
    return static_cast<T>(static_cast<std::make_unsigned_t<T>>(a) << b);
  }
};
struct ShiftRight {
  template <typename T>
  C10_HOST_DEVICE T operator()(T a, T b) const {
    constexpr int kLast = static_cast<int>(sizeof(T)) * 8 - (std::is_signed_v<T> ? 1 : 0);
    if (b >= T(0) && b < T(kLast)) return static_cast<T>(a >> b);
    if constexpr (std::is_signed_v<T>) return static_cast<T>(a >> kLast);
    return T(0);
  }
};
void shift_left_kernel_cuda(TensorIteratorBase& iter) {
  AT_DISPATCH_INTEGRAL_TYPES(iter.common_dtype(), "lshift_cuda",
                             [&] { gpu_kernel(iter, Binary<scalar_t, ShiftLeft>{}); });
}
void shift_right_kernel_cuda(TensorIteratorBase& iter) {
  AT_DISPATCH_INTEGRAL_TYPES(iter.common_dtype(), "rshift_cuda",
                             [&] { gpu_kernel(iter, Binary<scalar_t, ShiftRight>{}); });
}
REGISTER_CUDA_DISPATCH(bitwise_left_shift_stub, &shift_left_kernel_cuda)
REGISTER_CUDA_DISPATCH(bitwise_right_shift_stub, &shift_right_kernel_cuda)

template <typename V>
struct LogitBackward {
  V low;
  bool clamped;
  template <typename T>
  C10_HOST_DEVICE T operator()(T grad, T x) const {
    if (x < low || x > T(1) - low) {
      return clamped ? T(0) : std::numeric_limits<T>::quiet_NaN();
    }
    return grad / (x * (T(1) - x));
  }
};
void logit_backward_kernel_cuda(TensorIteratorBase& iter, double eps) {
  AT_DISPATCH_FLOATING_TYPES_AND2(
      kHalf, kBFloat16, iter.common_dtype(), "logit_backward_cuda", [&] {
        using T = opmath_type<scalar_t>;
        const bool clamped = eps >= 0;
        gpu_kernel(iter, Binary<scalar_t, LogitBackward<T>>{
                             {clamped ? static_cast<T>(eps) : T(0), clamped}});
      });
}
REGISTER_CUDA_DISPATCH(logit_backward_stub, &logit_backward_kernel_cuda)

}  // namespace
}  // namespace at::native
