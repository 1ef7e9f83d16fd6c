#pragma once

// The stubs of indexing, gathering and scattering.

#include <ATen/native/DispatchStub.h>
#include <c10/util/ArrayRef.h>
#include <c10/util/FunctionRef.h>

#include <cstdint>

namespace c10 {
class Scalar;
}  // namespace c10

namespace at {
class TensorBase;
struct TensorIterator;

namespace native {

// Operand 0 is the result, 1 the source with stride 0 in the indexed dimensions, and the others are
// the indices.
using index_fn = void (*)(TensorIterator&, c10::IntArrayRef indexed_sizes,
                          c10::IntArrayRef indexed_strides);
// As above, with 0 the target and 1 the values.
using index_put_fn = void (*)(TensorIterator&, c10::IntArrayRef indexed_sizes,
                              c10::IntArrayRef indexed_strides, bool accumulate);
// Operand 0 is written where operand 1, a mask, is true.
using masked_fill_fn = void (*)(TensorIterator&, const c10::Scalar& value);
// result[..., i, ...] = self[..., index[..., i, ...], ...] with `i` along `dim`.
using gather_fn = void (*)(const TensorBase& result, const TensorBase& self, int64_t dim,
                           const TensorBase& index);
// self[..., index[..., i, ...], ...] (+)= src[..., i, ...]
using scatter_fn = void (*)(const TensorBase& self, int64_t dim, const TensorBase& index,
                            const TensorBase& src);

// As above: each place becomes its product with the values that lead to it, or the largest or the
// smallest of all, which a NaN is.
enum class ScatterCombination : uint8_t { Product, Largest, Smallest };
using scatter_combine_fn = void (*)(const TensorBase& self, int64_t dim, const TensorBase& index,
                                    const TensorBase& src, ScatterCombination how);

// A row of indices for each true element of `truth`, contiguous and boolean, in order. `allocate`
// gives the result: an int64 tensor with that many rows, called once. On CUDA it is contiguous.
using nonzero_fn = void (*)(const TensorBase& truth,
                            c10::function_ref<TensorBase(int64_t rows)> allocate);

DECLARE_DISPATCH(index_fn, index_stub)
DECLARE_DISPATCH(index_put_fn, index_put_stub)
DECLARE_DISPATCH(masked_fill_fn, masked_fill_stub)
DECLARE_DISPATCH(gather_fn, gather_stub)
DECLARE_DISPATCH(scatter_fn, scatter_stub)
DECLARE_DISPATCH(scatter_fn, scatter_add_stub)
DECLARE_DISPATCH(scatter_combine_fn, scatter_combine_stub)
DECLARE_DISPATCH(nonzero_fn, nonzero_stub)

}  // namespace native
}  // namespace at
