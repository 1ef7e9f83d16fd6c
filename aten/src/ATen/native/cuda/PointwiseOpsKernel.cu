// Elementwise operators of three arguments, powers, clamps, and choices.

#define TORCH_ASSERT_NO_OPERATORS
#include <ATen/Dispatch.h>
#include <ATen/TensorIterator.h>
#include <ATen/native/Lerp.h>
#include <ATen/native/PointwiseFormulas.h>
#include <ATen/native/PointwiseOps.h>
#include <ATen/native/Pow.h>
#include <ATen/native/TensorCompare.h>
#include <ATen/native/UnaryFormulas.h>
#include <c10/core/Scalar.h>
#include <c10/core/ScalarType.h>
#include <ATen/native/cuda/Loops.cuh>
#include <ATen/native/cuda/OpaqueElement.cuh>

#include <type_traits>

namespace at::native {
namespace {

void addcmul_kernel_cuda(TensorIteratorBase& iter, const Scalar& value) {
  AT_DISPATCH_ALL_TYPES_AND2(kHalf, kBFloat16, iter.common_dtype(), "addcmul_cuda", [&] {
    using T = opmath_type<scalar_t>;
    gpu_kernel(iter, Ternary<scalar_t, pointwise::AddScaledProduct<T>>{{value.to<T>()}});
  });
}

void addcdiv_kernel_cuda(TensorIteratorBase& iter, const Scalar& value) {
  AT_DISPATCH_FLOATING_TYPES_AND2(kHalf, kBFloat16, iter.common_dtype(), "addcdiv_cuda", [&] {
    using T = opmath_type<scalar_t>;
    gpu_kernel(iter, Ternary<scalar_t, pointwise::AddScaledQuotient<T>>{{value.to<T>()}});
  });
}

void mse_backward_kernel_cuda(TensorIteratorBase& iter, const Scalar& value) {
  AT_DISPATCH_FLOATING_TYPES_AND2(kHalf, kBFloat16, iter.dtype(), "mse_backward_cuda", [&] {
    using T = opmath_type<scalar_t>;
    gpu_kernel(iter, Ternary<scalar_t, pointwise::ScaledDifference<T>>{{value.to<T>()}});
  });
}

template <typename W>
struct LerpBy {
  W weight;
  template <typename T>
  C10_HOST_DEVICE T operator()(T self, T end) const {
    return lerp<T>(self, end, weight);
  }
};
struct LerpByTensor {
  template <typename T>
  C10_HOST_DEVICE T operator()(T self, T end, T weight) const {
    return lerp(self, end, weight);
  }
};

void lerp_scalar_kernel_cuda(TensorIteratorBase& iter, const Scalar& weight) {
  AT_DISPATCH_FLOATING_TYPES_AND2(kHalf, kBFloat16, iter.common_dtype(), "lerp_cuda", [&] {
    using T = opmath_type<scalar_t>;
    gpu_kernel(iter, Binary<scalar_t, LerpBy<T>>{{weight.to<T>()}});
  });
}

void lerp_tensor_kernel_cuda(TensorIteratorBase& iter) {
  AT_DISPATCH_FLOATING_TYPES_AND2(kHalf, kBFloat16, iter.common_dtype(), "lerp_cuda",
                                  [&] { gpu_kernel(iter, Ternary<scalar_t, LerpByTensor>{}); });
}

struct PowerOf {
  template <typename T>
  C10_HOST_DEVICE T operator()(T a, T b) const {
    if constexpr (std::is_floating_point_v<T>) {
      return ::pow(a, b);
    } else {
      return powi(a, b);
    }
  }
};
template <typename E>
struct PowerBy {
  E exponent;
  template <typename T>
  C10_HOST_DEVICE T operator()(T a) const {
    return PowerOf{}.template operator()<T>(a, exponent);
  }
};
GPU_UNARY_OP(SquareOf, a* a)
GPU_UNARY_OP(CubeOf, a * a * a)

void pow_tensor_tensor_kernel_cuda(TensorIteratorBase& iter) {
  AT_DISPATCH_ALL_TYPES_AND2(kHalf, kBFloat16, iter.common_dtype(), "pow_cuda",
                             [&] { gpu_kernel(iter, Binary<scalar_t, PowerOf>{}); });
}

void pow_tensor_scalar_kernel_cuda(TensorIteratorBase& iter, const Scalar& exponent_scalar) {
  AT_DISPATCH_ALL_TYPES_AND2(kHalf, kBFloat16, iter.common_dtype(), "pow_cuda", [&] {
    using T = opmath_type<scalar_t>;
    const T exponent = exponent_scalar.to<T>();
    if (exponent == T(2)) {
      gpu_kernel(iter, Unary<scalar_t, SquareOf>{});
    } else if (exponent == T(3)) {
      gpu_kernel(iter, Unary<scalar_t, CubeOf>{});
    } else {
      gpu_kernel(iter, Unary<scalar_t, PowerBy<T>>{{exponent}});
    }
  });
}

void clamp_scalar_kernel_cuda(TensorIteratorBase& iter, const Scalar& min, const Scalar& max) {
  AT_DISPATCH_ALL_TYPES_AND2(kHalf, kBFloat16, iter.common_dtype(), "clamp_scalar_cuda", [&] {
    using T = opmath_type<scalar_t>;
    gpu_kernel(iter, Unary<scalar_t, unary::ClampTo<T>>{{min.to<T>(), max.to<T>()}});
  });
}

void clamp_min_scalar_kernel_cuda(TensorIteratorBase& iter, const Scalar& min) {
  AT_DISPATCH_ALL_TYPES_AND2(kHalf, kBFloat16, iter.common_dtype(), "clamp_min_scalar_cuda", [&] {
    using T = opmath_type<scalar_t>;
    gpu_kernel(iter, Unary<scalar_t, unary::ClampFrom<T>>{{min.to<T>()}});
  });
}

void clamp_max_scalar_kernel_cuda(TensorIteratorBase& iter, const Scalar& max) {
  AT_DISPATCH_ALL_TYPES_AND2(kHalf, kBFloat16, iter.common_dtype(), "clamp_max_scalar_cuda", [&] {
    using T = opmath_type<scalar_t>;
    gpu_kernel(iter, Unary<scalar_t, unary::ClampUntil<T>>{{max.to<T>()}});
  });
}

void clamp_kernel_cuda(TensorIteratorBase& iter) {
  AT_DISPATCH_ALL_TYPES_AND2(kHalf, kBFloat16, iter.common_dtype(), "clamp_cuda",
                             [&] { gpu_kernel(iter, Ternary<scalar_t, pointwise::Clamp>{}); });
}

// The choice does not look into elements: types of one size are one.
template <typename T>
struct Choice {
  C10_HOST_DEVICE T operator()(bool condition, T a, T b) const { return condition ? a : b; }
};
void where_kernel_cuda(TensorIterator& iter) {
  dispatch_opaque(iter.element_size(0),
                  [&](auto element) { gpu_kernel(iter, Choice<decltype(element)>{}); });
}

}  // namespace

REGISTER_CUDA_DISPATCH(addcmul_stub, &addcmul_kernel_cuda)
REGISTER_CUDA_DISPATCH(addcdiv_stub, &addcdiv_kernel_cuda)
REGISTER_CUDA_DISPATCH(mse_backward_stub, &mse_backward_kernel_cuda)
REGISTER_CUDA_DISPATCH(lerp_kernel_scalar_weight, &lerp_scalar_kernel_cuda)
REGISTER_CUDA_DISPATCH(lerp_kernel_tensor_weight, &lerp_tensor_kernel_cuda)
REGISTER_CUDA_DISPATCH(pow_tensor_tensor_stub, &pow_tensor_tensor_kernel_cuda)
REGISTER_CUDA_DISPATCH(pow_tensor_scalar_stub, &pow_tensor_scalar_kernel_cuda)
REGISTER_CUDA_DISPATCH(clamp_stub, &clamp_kernel_cuda)
REGISTER_CUDA_DISPATCH(clamp_scalar_stub, &clamp_scalar_kernel_cuda)
REGISTER_CUDA_DISPATCH(clamp_min_scalar_stub, &clamp_min_scalar_kernel_cuda)
REGISTER_CUDA_DISPATCH(clamp_max_scalar_stub, &clamp_max_scalar_kernel_cuda)
REGISTER_CUDA_DISPATCH(where_kernel, &where_kernel_cuda)

}  // namespace at::native
