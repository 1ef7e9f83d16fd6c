// The largest and the smallest elements, alone and with their places.

#define TORCH_ASSERT_NO_OPERATORS
#include <ATen/native/ReduceOps.h>
#include <ATen/native/TensorCompare.h>

#include <ATen/Dispatch.h>
#include <ATen/core/TensorBase.h>
#include <ATen/native/ReduceFormulas.h>
#include <c10/core/ScalarType.h>
#include <c10/macros/Macros.h>
#include <ATen/native/cuda/Reduce.cuh>

#include <cstdint>
#include <limits>

namespace at::native {
namespace {

template <typename T, bool kMax>
struct ExtremeOp {
  using acc_t = T;
  T* out;

  C10_HOST_DEVICE acc_t identity() const { return reduction::extreme_identity<T>(kMax); }
  C10_HOST_DEVICE acc_t combine(acc_t a, acc_t b) const { return reduction::extreme(a, b, kMax); }
  C10_HOST_DEVICE acc_t reduce(acc_t acc, T x, int64_t) const { return combine(acc, x); }
  C10_HOST_DEVICE void store(int64_t i, acc_t acc) const { out[i] = acc; }
};

template <bool kMax>
void extreme_values(const char* name, const TensorBase& out, const TensorBase& self, DimMask mask) {
  check_same_gpu(name, {&self, &out});
  AT_DISPATCH_ALL_TYPES_AND3(kBFloat16, kHalf, kBool, self.scalar_type(), name, [&] {
    gpu_reduce<scalar_t>(self, mask,
                         ExtremeOp<scalar_t, kMax>{static_cast<scalar_t*>(out.mutable_data_ptr())});
  });
}

void max_values_kernel_cuda(const TensorBase& out, const TensorBase& self, DimMask mask) {
  extreme_values<true>("max_values_cuda", out, self, mask);
}

void min_values_kernel_cuda(const TensorBase& out, const TensorBase& self, DimMask mask) {
  extreme_values<false>("min_values_cuda", out, self, mask);
}

// An element with its place; the first place wins, and the first NaN over everything.
template <typename T, bool kMax>
struct ArgExtremeOp {
  struct acc_t {
    T value;
    int64_t index;
  };
  T* values;
  int64_t* indices;

  C10_HOST_DEVICE acc_t identity() const {
    return {reduction::extreme_identity<T>(kMax), std::numeric_limits<int64_t>::max()};
  }
  C10_HOST_DEVICE acc_t combine(acc_t a, acc_t b) const {
    const bool nan_a = a.value != a.value;
    const bool nan_b = b.value != b.value;
    if (nan_a != nan_b) return nan_a ? a : b;
    if (nan_a || a.value == b.value) return a.index < b.index ? a : b;
    return (kMax ? a.value < b.value : b.value < a.value) ? b : a;
  }
  C10_HOST_DEVICE acc_t reduce(acc_t acc, T x, int64_t i) const {
    return combine(acc, acc_t{x, i});
  }
  C10_HOST_DEVICE void store(int64_t i, acc_t acc) const {
    values[i] = acc.value;
    indices[i] = acc.index;
  }
};

template <bool kMax>
void extreme_along_dim(const char* name, const TensorBase& values, const TensorBase& indices,
                       const TensorBase& self, int64_t dim) {
  check_same_gpu(name, {&self, &values, &indices});
  DimMask mask;
  mask.set(static_cast<size_t>(dim));
  AT_DISPATCH_ALL_TYPES_AND3(kBFloat16, kHalf, kBool, self.scalar_type(), name, [&] {
    gpu_reduce<scalar_t>(
        self, mask,
        ArgExtremeOp<scalar_t, kMax>{static_cast<scalar_t*>(values.mutable_data_ptr()),
                                     static_cast<int64_t*>(indices.mutable_data_ptr())});
  });
}

void max_kernel_cuda(const TensorBase& values, const TensorBase& indices, const TensorBase& self,
                     int64_t dim) {
  extreme_along_dim<true>("max_cuda", values, indices, self, dim);
}

void min_kernel_cuda(const TensorBase& values, const TensorBase& indices, const TensorBase& self,
                     int64_t dim) {
  extreme_along_dim<false>("min_cuda", values, indices, self, dim);
}

}  // namespace

REGISTER_CUDA_DISPATCH(max_values_stub, &max_values_kernel_cuda)
REGISTER_CUDA_DISPATCH(min_values_stub, &min_values_kernel_cuda)
REGISTER_CUDA_DISPATCH(max_stub, &max_kernel_cuda)
REGISTER_CUDA_DISPATCH(min_stub, &min_kernel_cuda)

}  // namespace at::native
