// Trigonometric and hyperbolic functions, their inverses, and other functions of CUDA's library.

#define TORCH_ASSERT_NO_OPERATORS
#include <ATen/Dispatch.h>
#include <ATen/TensorIterator.h>
#include <ATen/native/UnaryFormulas.h>
#include <ATen/native/UnaryOps.h>
#include <c10/core/ScalarType.h>
#include <ATen/native/cuda/Loops.cuh>

#include <cmath>
#include <limits>
#include <optional>

namespace at::native {
namespace {

#define UNARY_MATH_KERNEL(op, ...)                                                          \
  GPU_UNARY_OP(op##_op, __VA_ARGS__)                                                        \
  void op##_kernel_cuda(TensorIteratorBase& iter) {                                         \
    AT_DISPATCH_FLOATING_TYPES_AND2(kHalf, kBFloat16, iter.common_dtype(), #op "_cuda",     \
                                    [&] { gpu_kernel(iter, Unary<scalar_t, op##_op>{}); }); \
  }                                                                                         \
  REGISTER_CUDA_DISPATCH(op##_stub, &op##_kernel_cuda)

UNARY_MATH_KERNEL(acos, ::acos(a))
UNARY_MATH_KERNEL(acosh, ::acosh(a))
UNARY_MATH_KERNEL(asin, ::asin(a))
UNARY_MATH_KERNEL(asinh, ::asinh(a))
UNARY_MATH_KERNEL(atan, ::atan(a))
UNARY_MATH_KERNEL(atanh, ::atanh(a))
UNARY_MATH_KERNEL(cosh, ::cosh(a))
UNARY_MATH_KERNEL(erf, ::erf(a))
UNARY_MATH_KERNEL(erfc, ::erfc(a))
UNARY_MATH_KERNEL(erfinv, ::erfinv(a))
UNARY_MATH_KERNEL(exp2, ::exp2(a))
UNARY_MATH_KERNEL(frac, unary::Fraction()(a))
UNARY_MATH_KERNEL(lgamma, ::lgamma(a))
UNARY_MATH_KERNEL(log10, ::log10(a))
UNARY_MATH_KERNEL(log2, ::log2(a))
UNARY_MATH_KERNEL(sinh, ::sinh(a))
UNARY_MATH_KERNEL(tan, ::tan(a))
// The bare functions of NVIDIA's library, whose arguments and values are those of SciPy's.
UNARY_MATH_KERNEL(i0, ::cyl_bessel_i0(a))
UNARY_MATH_KERNEL(special_i1, ::cyl_bessel_i1(a))
UNARY_MATH_KERNEL(special_erfcx, ::erfcx(a))
UNARY_MATH_KERNEL(special_ndtri, ::normcdfinv(a))
UNARY_MATH_KERNEL(sinc, unary::Sinc()(a))
UNARY_MATH_KERNEL(special_entr, unary::Entropy()(a))

void signbit_kernel_cuda(TensorIteratorBase& iter) {
  AT_DISPATCH_ALL_TYPES_AND3(kBool, kHalf, kBFloat16, iter.dtype(1), "signbit_cuda", [&] {
    gpu_kernel(iter, [] GPU_LAMBDA(scalar_t a) -> bool { return unary::SignBit()(a); });
  });
}
REGISTER_CUDA_DISPATCH(signbit_stub, &signbit_kernel_cuda)

void nan_to_num_kernel_cuda(TensorIteratorBase& iter, double nan, std::optional<double> posinf,
                            std::optional<double> neginf) {
  AT_DISPATCH_FLOATING_TYPES_AND2(kHalf, kBFloat16, iter.common_dtype(), "nan_to_num_cuda", [&] {
    using T = opmath_type<scalar_t>;
    const auto max = static_cast<double>(std::numeric_limits<scalar_t>::max());
    gpu_kernel(iter, Unary<scalar_t, unary::NanToNum<T>>{{static_cast<T>(nan),
                                                          static_cast<T>(neginf.value_or(-max)),
                                                          static_cast<T>(posinf.value_or(max))}});
  });
}
REGISTER_CUDA_DISPATCH(nan_to_num_stub, &nan_to_num_kernel_cuda)

void logit_kernel_cuda(TensorIteratorBase& iter, double eps) {
  AT_DISPATCH_FLOATING_TYPES_AND2(kHalf, kBFloat16, iter.common_dtype(), "logit_cuda", [&] {
    using T = opmath_type<scalar_t>;
    gpu_kernel(iter, Unary<scalar_t, unary::Logit<T>>{{static_cast<T>(eps), eps >= 0}});
  });
}
REGISTER_CUDA_DISPATCH(logit_stub, &logit_kernel_cuda)

void round_decimals_kernel_cuda(TensorIteratorBase& iter, int64_t decimals) {
  AT_DISPATCH_FLOATING_TYPES_AND2(kHalf, kBFloat16, iter.common_dtype(), "round_cuda", [&] {
    using T = opmath_type<scalar_t>;
    const double scale = std::pow(10.0, static_cast<double>(decimals < 0 ? -decimals : decimals));
    gpu_kernel(iter,
               Unary<scalar_t, unary::RoundDecimals<T>>{{static_cast<T>(scale), decimals < 0}});
  });
}
REGISTER_CUDA_DISPATCH(round_decimals_stub, &round_decimals_kernel_cuda)

}  // namespace
}  // namespace at::native
