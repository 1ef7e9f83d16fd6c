// Norms, variances and standard deviations.

#define TORCH_ASSERT_NO_OPERATORS
#include <ATen/native/ReduceOps.h>

#include <ATen/Dispatch.h>
#include <ATen/core/TensorBase.h>
#include <ATen/native/ReduceFormulas.h>
#include <c10/core/ScalarType.h>
#include <c10/macros/Macros.h>
#include <ATen/native/cuda/Reduce.cuh>

#include <cmath>
#include <cstdint>
#include <limits>

namespace at::native {
namespace {

// Elements to a power, added up, and a root of the sum: p = 1, 2, any other, or 0, which counts
// those that are not zero.
template <typename T>
struct NormOp {
  using acc_t = T;
  T* out;
  T p;

  C10_HOST_DEVICE T identity() const { return T(0); }
  C10_HOST_DEVICE T reduce(T acc, T x, int64_t) const {
    if (p == T(2)) return acc + x * x;
    const T size = ::fabs(x);
    if (p == T(1)) return acc + size;
    if (p == T(0)) return acc + (x == T(0) ? T(0) : T(1));
    return acc + ::pow(size, p);
  }
  C10_HOST_DEVICE T combine(T a, T b) const { return a + b; }
  C10_HOST_DEVICE void store(int64_t i, T acc) const {
    out[i] = p == T(2) ? ::sqrt(acc) : p == T(1) || p == T(0) ? acc : ::pow(acc, T(1) / p);
  }
};

// The limits for p = inf and p = -inf: the largest and the smallest magnitude.
template <typename T>
struct ExtremeNormOp {
  using acc_t = T;
  T* out;
  bool largest;

  C10_HOST_DEVICE T identity() const { return largest ? T(0) : std::numeric_limits<T>::infinity(); }
  C10_HOST_DEVICE T combine(T a, T b) const { return reduction::extreme(a, b, largest); }
  C10_HOST_DEVICE T reduce(T acc, T x, int64_t) const { return combine(acc, ::fabs(x)); }
  C10_HOST_DEVICE void store(int64_t i, T acc) const { out[i] = acc; }
};

void norm_kernel_cuda(const TensorBase& out, const TensorBase& self, DimMask mask, double p) {
  check_same_gpu("norm", {&self, &out});
  AT_DISPATCH_FLOATING_TYPES(self.scalar_type(), "norm_cuda", [&] {
    auto* result = static_cast<scalar_t*>(out.mutable_data_ptr());
    if (std::isinf(p)) {
      gpu_reduce<scalar_t>(self, mask, ExtremeNormOp<scalar_t>{result, p > 0});
    } else {
      gpu_reduce<scalar_t>(self, mask, NormOp<scalar_t>{result, static_cast<scalar_t>(p)});
    }
  });
}

template <typename T>
struct WelfordOp {
  using acc_t = reduction::Moments<T>;
  T* out;
  T correction;
  bool take_sqrt;

  C10_HOST_DEVICE acc_t identity() const { return {}; }
  C10_HOST_DEVICE acc_t reduce(acc_t acc, T x, int64_t) const {
    acc.add(x);
    return acc;
  }
  C10_HOST_DEVICE acc_t combine(acc_t a, acc_t b) const { return acc_t::join(a, b); }
  C10_HOST_DEVICE void store(int64_t i, acc_t acc) const {
    const T variance = acc.variance(correction);
    out[i] = take_sqrt ? ::sqrt(variance) : variance;
  }
};

void std_var_kernel_cuda(const TensorBase& out, const TensorBase& self, DimMask mask,
                         double correction, bool take_sqrt) {
  check_same_gpu("std_var", {&self, &out});
  AT_DISPATCH_FLOATING_TYPES(self.scalar_type(), "std_cuda", [&] {
    gpu_reduce<scalar_t>(self, mask,
                         WelfordOp<scalar_t>{static_cast<scalar_t*>(out.mutable_data_ptr()),
                                             static_cast<scalar_t>(correction), take_sqrt});
  });
}

}  // namespace

REGISTER_CUDA_DISPATCH(norm_stub, &norm_kernel_cuda)
REGISTER_CUDA_DISPATCH(std_var_stub, &std_var_kernel_cuda)

}  // namespace at::native
