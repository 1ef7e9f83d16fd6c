#pragma once

// The stubs of reductions.
//
// Each reduces the dimensions in `mask` of `self` into `out`, which is contiguous and holds the
// other dimensions in their order.

#include <ATen/native/DispatchStub.h>
#include <ATen/native/ReduceOpsUtils.h>

namespace at {
class TensorBase;

namespace native {

using reduce_fn = void (*)(const TensorBase& out, const TensorBase& self, DimMask mask);
// The result is multiplied by `factor`: 1 for a sum, 1 / n for a mean.
using reduce_sum_fn = void (*)(const TensorBase& out, const TensorBase& self, DimMask mask,
                               double factor);
using reduce_norm_fn = void (*)(const TensorBase& out, const TensorBase& self, DimMask mask,
                                double p);
// The variance with `correction` subtracted from the count, or its root.
using reduce_var_fn = void (*)(const TensorBase& out, const TensorBase& self, DimMask mask,
                               double correction, bool take_sqrt);
using cumsum_fn = void (*)(const TensorBase& out, const TensorBase& self, int64_t dim);

DECLARE_DISPATCH(reduce_sum_fn, sum_stub)
DECLARE_DISPATCH(reduce_fn, prod_stub)
DECLARE_DISPATCH(reduce_fn, max_values_stub)
DECLARE_DISPATCH(reduce_fn, min_values_stub)
DECLARE_DISPATCH(reduce_fn, and_stub)
DECLARE_DISPATCH(reduce_fn, or_stub)
DECLARE_DISPATCH(reduce_norm_fn, norm_stub)
DECLARE_DISPATCH(reduce_var_fn, std_var_stub)
// `out` and `self` are contiguous.
DECLARE_DISPATCH(cumsum_fn, cumsum_stub)
DECLARE_DISPATCH(cumsum_fn, cumprod_stub)

}  // namespace native
}  // namespace at
