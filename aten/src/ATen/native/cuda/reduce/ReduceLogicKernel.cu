// Whether all, or any, elements are true.

#define TORCH_ASSERT_NO_OPERATORS
#include <ATen/native/ReduceOps.h>

#include <ATen/core/TensorBase.h>
#include <c10/macros/Macros.h>
#include <ATen/native/cuda/Reduce.cuh>

#include <cstdint>

namespace at::native {
namespace {

// Elements are read as bytes; any byte but 0 is true.
template <bool kAll>
struct TruthOp {
  using acc_t = bool;
  bool* out;

  C10_HOST_DEVICE bool identity() const { return kAll; }
  C10_HOST_DEVICE bool reduce(bool acc, uint8_t x, int64_t) const { return combine(acc, x != 0); }
  C10_HOST_DEVICE bool combine(bool a, bool b) const { return kAll ? a && b : a || b; }
  C10_HOST_DEVICE void store(int64_t i, bool acc) const { out[i] = acc; }
};

void and_kernel_cuda(const TensorBase& out, const TensorBase& self, DimMask mask) {
  check_same_gpu("all", {&self, &out});
  gpu_reduce<uint8_t>(self, mask, TruthOp<true>{static_cast<bool*>(out.mutable_data_ptr())});
}

void or_kernel_cuda(const TensorBase& out, const TensorBase& self, DimMask mask) {
  check_same_gpu("any", {&self, &out});
  gpu_reduce<uint8_t>(self, mask, TruthOp<false>{static_cast<bool*>(out.mutable_data_ptr())});
}

}  // namespace

REGISTER_CUDA_DISPATCH(and_stub, &and_kernel_cuda)
REGISTER_CUDA_DISPATCH(or_stub, &or_kernel_cuda)

}  // namespace at::native
