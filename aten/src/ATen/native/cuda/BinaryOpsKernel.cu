// Arithmetic of two arguments.

#define TORCH_ASSERT_NO_OPERATORS
#include <ATen/Dispatch.h>
#include <ATen/TensorIterator.h>
#include <ATen/native/BinaryFormulas.h>
#include <ATen/native/BinaryOps.h>
#include <ATen/native/Division.h>
#include <c10/core/Scalar.h>
#include <c10/core/ScalarType.h>
#include <ATen/native/cuda/Loops.cuh>

#include <type_traits>

namespace at::native {
namespace {

void add_kernel_cuda(TensorIteratorBase& iter, const Scalar& alpha_scalar) {
  const ScalarType dtype = iter.common_dtype();
  if (dtype == kBool) {
    const bool alpha = alpha_scalar.to<bool>();
    gpu_kernel(iter, [alpha] GPU_LAMBDA(bool a, bool b) -> bool { return a || (alpha && b); });
    return;
  }
  AT_DISPATCH_ALL_TYPES_AND_COMPLEX_AND2(kHalf, kBFloat16, dtype, "add_cuda", [&] {
    using T = opmath_type<scalar_t>;
    gpu_kernel(iter, Binary<scalar_t, binary::AddScaled<T>>{{alpha_scalar.to<T>()}});
  });
}

GPU_BINARY_OP(QuotientOf, a / b)

// Half and BFloat16 with a number, which is not rounded to their type.
template <typename scalar_t, typename Op>
struct WithNumber {
  float number;
  C10_HOST_DEVICE scalar_t operator()(scalar_t a, scalar_t /*rounded*/) const {
    return static_cast<scalar_t>(Op()(static_cast<float>(a), number));
  }
};
template <typename Op>
bool with_number(TensorIteratorBase& iter, const char* name) {
  if (!c10::isReducedFloatingType(iter.common_dtype()) || !iter.is_cpu_scalar(2)) return false;
  const auto number = static_cast<float>(iter.original_scalar_value<double>(2));
  AT_DISPATCH_REDUCED_FLOATING_TYPES(iter.common_dtype(), name,
                                     [&] { gpu_kernel(iter, WithNumber<scalar_t, Op>{number}); });
  return true;
}

void mul_kernel_cuda(TensorIteratorBase& iter) {
  const ScalarType dtype = iter.common_dtype();
  if (with_number<binary::Product>(iter, "mul_cuda")) return;
  if (dtype == kBool) {
    gpu_kernel(iter, [] GPU_LAMBDA(bool a, bool b) -> bool { return a && b; });
    return;
  }
  AT_DISPATCH_ALL_TYPES_AND_COMPLEX_AND2(kHalf, kBFloat16, dtype, "mul_cuda", [&] {
    gpu_kernel(iter, Binary<scalar_t, binary::Product>{});
  });
}

void div_true_kernel_cuda(TensorIteratorBase& iter) {
  if (with_number<QuotientOf>(iter, "div_cuda")) return;
  AT_DISPATCH_FLOATING_AND_COMPLEX_TYPES_AND2(
      kHalf, kBFloat16, iter.common_dtype(), "div_cuda",
      [&] { gpu_kernel(iter, Binary<scalar_t, QuotientOf>{}); });
}

struct FlooredQuotient {
  template <typename T>
  C10_HOST_DEVICE T operator()(T a, T b) const {
    if constexpr (std::is_floating_point_v<T>) {
      return div_floor_floating(a, b);
    } else {
      return div_floor_integer(a, b);
    }
  }
};
GPU_BINARY_OP(RemainderOf, div_mod(a, b))

template <typename Op>
void real_binary(TensorIteratorBase& iter, const char* name) {
  AT_DISPATCH_ALL_TYPES_AND2(kHalf, kBFloat16, iter.common_dtype(), name,
                             [&] { gpu_kernel(iter, Binary<scalar_t, Op>{}); });
}

void div_trunc_kernel_cuda(TensorIteratorBase& iter) {
  real_binary<binary::TruncatedQuotient>(iter, "div_trunc_cuda");
}
void div_floor_kernel_cuda(TensorIteratorBase& iter) {
  real_binary<FlooredQuotient>(iter, "div_floor_cuda");
}
void remainder_kernel_cuda(TensorIteratorBase& iter) {
  real_binary<RemainderOf>(iter, "remainder_cuda");
}
void maximum_kernel_cuda(TensorIteratorBase& iter) {
  if (iter.common_dtype() == kBool) {
    gpu_kernel(iter, [] GPU_LAMBDA(bool a, bool b) -> bool { return a || b; });
  } else {
    real_binary<binary::Maximum>(iter, "maximum_cuda");
  }
}
void minimum_kernel_cuda(TensorIteratorBase& iter) {
  if (iter.common_dtype() == kBool) {
    gpu_kernel(iter, [] GPU_LAMBDA(bool a, bool b) -> bool { return a && b; });
  } else {
    real_binary<binary::Minimum>(iter, "minimum_cuda");
  }
}

#define BITWISE_KERNEL(op, expression)                                                            \
  void bitwise_##op##_kernel_cuda(TensorIteratorBase& iter) {                                     \
    AT_DISPATCH_INTEGRAL_TYPES_AND(kBool, iter.common_dtype(), "bitwise_" #op "_cuda", [&] {      \
      gpu_kernel(iter, [] GPU_LAMBDA(scalar_t a, scalar_t b) -> scalar_t { return expression; }); \
    });                                                                                           \
  }

BITWISE_KERNEL(and, a& b)
BITWISE_KERNEL(or, a | b)
BITWISE_KERNEL(xor, a ^ b)

}  // namespace

REGISTER_CUDA_DISPATCH(add_stub, &add_kernel_cuda)
REGISTER_CUDA_DISPATCH(mul_stub, &mul_kernel_cuda)
REGISTER_CUDA_DISPATCH(div_true_stub, &div_true_kernel_cuda)
REGISTER_CUDA_DISPATCH(div_trunc_stub, &div_trunc_kernel_cuda)
REGISTER_CUDA_DISPATCH(div_floor_stub, &div_floor_kernel_cuda)
REGISTER_CUDA_DISPATCH(remainder_stub, &remainder_kernel_cuda)
REGISTER_CUDA_DISPATCH(maximum_stub, &maximum_kernel_cuda)
REGISTER_CUDA_DISPATCH(minimum_stub, &minimum_kernel_cuda)
REGISTER_CUDA_DISPATCH(bitwise_and_stub, &bitwise_and_kernel_cuda)
REGISTER_CUDA_DISPATCH(bitwise_or_stub, &bitwise_or_kernel_cuda)
REGISTER_CUDA_DISPATCH(bitwise_xor_stub, &bitwise_xor_kernel_cuda)

}  // namespace at::native
