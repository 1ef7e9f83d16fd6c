// Comparisons and logic: the result is bool.

#define TORCH_ASSERT_NO_OPERATORS
#include <ATen/Dispatch.h>
#include <ATen/TensorIterator.h>
#include <ATen/native/BinaryOps.h>
#include <c10/core/ScalarType.h>
#include <ATen/native/cuda/Loops.cuh>

namespace at::native {
namespace {

#define COMPARE_KERNEL(op, DISPATCH, expression)                                              \
  void op##_kernel_cuda(TensorIteratorBase& iter) {                                           \
    DISPATCH(kHalf, kBFloat16, kBool, iter.common_dtype(), #op "_cuda", [&] {                 \
      gpu_kernel(iter, [] GPU_LAMBDA(scalar_t a, scalar_t b) -> bool { return expression; }); \
    });                                                                                       \
  }

COMPARE_KERNEL(eq, AT_DISPATCH_ALL_TYPES_AND_COMPLEX_AND3, a == b)
COMPARE_KERNEL(ne, AT_DISPATCH_ALL_TYPES_AND_COMPLEX_AND3, !(a == b))
COMPARE_KERNEL(lt, AT_DISPATCH_ALL_TYPES_AND3, a < b)
COMPARE_KERNEL(le, AT_DISPATCH_ALL_TYPES_AND3, a <= b)
COMPARE_KERNEL(gt, AT_DISPATCH_ALL_TYPES_AND3, a > b)
COMPARE_KERNEL(ge, AT_DISPATCH_ALL_TYPES_AND3, a >= b)
COMPARE_KERNEL(logical_and, AT_DISPATCH_ALL_TYPES_AND3,
               static_cast<bool>(a) && static_cast<bool>(b))
COMPARE_KERNEL(logical_or, AT_DISPATCH_ALL_TYPES_AND3, static_cast<bool>(a) || static_cast<bool>(b))
COMPARE_KERNEL(logical_xor, AT_DISPATCH_ALL_TYPES_AND3,
               static_cast<bool>(a) != static_cast<bool>(b))

}  // namespace

REGISTER_CUDA_DISPATCH(eq_stub, &eq_kernel_cuda)
REGISTER_CUDA_DISPATCH(ne_stub, &ne_kernel_cuda)
REGISTER_CUDA_DISPATCH(lt_stub, &lt_kernel_cuda)
REGISTER_CUDA_DISPATCH(le_stub, &le_kernel_cuda)
REGISTER_CUDA_DISPATCH(gt_stub, &gt_kernel_cuda)
REGISTER_CUDA_DISPATCH(ge_stub, &ge_kernel_cuda)
REGISTER_CUDA_DISPATCH(logical_and_stub, &logical_and_kernel_cuda)
REGISTER_CUDA_DISPATCH(logical_or_stub, &logical_or_kernel_cuda)
REGISTER_CUDA_DISPATCH(logical_xor_stub, &logical_xor_kernel_cuda)

}  // namespace at::native
