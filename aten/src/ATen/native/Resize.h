#pragma once

// Changing the shape of a tensor in place, with its storage growing when it must.

#include <ATen/core/TensorBase.h>

namespace c10 {
struct StorageImpl;
}  // namespace c10

namespace at {
class Tensor;

namespace native {

// Gives `output` the shape of an `out=` argument. Returns whether it changed; warns when a tensor
// that already had elements is resized.
TORCH_API bool resize_output(const Tensor& output, IntArrayRef shape);

// Whether resize_output would resize, with the same warning.
TORCH_API bool resize_output_check(const Tensor& output, IntArrayRef shape);

// Grows or shrinks a CPU or Meta storage, keeping the bytes that fit.
TORCH_API void resize_bytes_cpu(c10::StorageImpl* storage, size_t size_bytes);

// Sets sizes and strides (contiguous ones without `stride`), growing the storage when it is too
// small. Never shrinks it.
TORCH_API TensorImpl* resize_impl_cpu_(TensorImpl* self, IntArrayRef size,
                                       OptionalIntArrayRef stride, bool resize_storage = true);

// Throws if sizes, strides and offset reach outside of the storage.
TORCH_API void checkInBoundsForStorage(IntArrayRef size, IntArrayRef stride, int64_t storage_offset,
                                       size_t itemsize, const c10::Storage& new_storage);

}  // namespace native
}  // namespace at
