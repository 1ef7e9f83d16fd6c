// Sums, means and products.

#define TORCH_ASSERT_NO_OPERATORS
#include <ATen/native/ReduceOps.h>

#include <ATen/AccumulateType.h>
#include <ATen/Dispatch.h>
#include <ATen/core/TensorBase.h>
#include <c10/core/ScalarType.h>
#include <c10/macros/Macros.h>
#include <ATen/native/cuda/Reduce.cuh>

#include <cstdint>
#include <type_traits>

namespace at::native {
namespace {

template <typename T>
struct SumOp {
  using acc_t = at::acc_type<T, /*is_cuda=*/true>;
  T* out;
  double factor;

  C10_HOST_DEVICE acc_t identity() const { return acc_t(0); }
  C10_HOST_DEVICE acc_t reduce(acc_t acc, T x, int64_t) const {
    return acc + static_cast<acc_t>(x);
  }
  C10_HOST_DEVICE acc_t combine(acc_t a, acc_t b) const { return a + b; }
  C10_HOST_DEVICE void store(int64_t i, acc_t acc) const {
    if constexpr (std::is_integral_v<acc_t>) {
      out[i] = static_cast<T>(acc);
    } else {
      out[i] = static_cast<T>(acc * static_cast<acc_t>(factor));
    }
  }
};

void sum_kernel_cuda(const TensorBase& out, const TensorBase& self, DimMask mask, double factor) {
  check_same_gpu("sum", {&self, &out});
  AT_DISPATCH_ALL_TYPES_AND_COMPLEX_AND2(kHalf, kBFloat16, self.scalar_type(), "sum_cuda", [&] {
    gpu_reduce<scalar_t>(self, mask,
                         SumOp<scalar_t>{static_cast<scalar_t*>(out.mutable_data_ptr()), factor});
  });
}

template <typename T>
struct ProdOp {
  using acc_t = at::acc_type<T, /*is_cuda=*/true>;
  T* out;

  C10_HOST_DEVICE acc_t identity() const { return acc_t(1); }
  C10_HOST_DEVICE acc_t reduce(acc_t acc, T x, int64_t) const {
    return acc * static_cast<acc_t>(x);
  }
  C10_HOST_DEVICE acc_t combine(acc_t a, acc_t b) const { return a * b; }
  C10_HOST_DEVICE void store(int64_t i, acc_t acc) const { out[i] = static_cast<T>(acc); }
};

void prod_kernel_cuda(const TensorBase& out, const TensorBase& self, DimMask mask) {
  check_same_gpu("prod", {&self, &out});
  AT_DISPATCH_ALL_TYPES_AND2(kHalf, kBFloat16, self.scalar_type(), "prod_cuda", [&] {
    gpu_reduce<scalar_t>(self, mask,
                         ProdOp<scalar_t>{static_cast<scalar_t*>(out.mutable_data_ptr())});
  });
}

}  // namespace

REGISTER_CUDA_DISPATCH(sum_stub, &sum_kernel_cuda)
REGISTER_CUDA_DISPATCH(prod_stub, &prod_kernel_cuda)

}  // namespace at::native
