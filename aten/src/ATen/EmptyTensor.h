#pragma once

// Tensors without values, made without the dispatcher: what the factories, the structured kernels
// and TensorIterator allocate their results with.

#include <ATen/core/TensorBase.h>

#include <optional>

namespace c10 {
struct Allocator;
}  // namespace c10

namespace at::detail {

// Throws if one of `size` is negative.
TORCH_API void check_size_nonnegative(IntArrayRef size);

// Bytes of the storage that holds such a tensor from its first element on. Throws when the number
// does not fit an int64.
TORCH_API size_t computeStorageNbytesContiguous(IntArrayRef sizes, size_t itemsize,
                                                size_t storage_offset = 0);
TORCH_API size_t computeStorageNbytes(IntArrayRef sizes, IntArrayRef strides, size_t itemsize,
                                      size_t storage_offset = 0);

TORCH_API TensorBase empty_generic(IntArrayRef size, c10::Allocator* allocator, DispatchKeySet ks,
                                   ScalarType scalar_type,
                                   std::optional<MemoryFormat> memory_format);
TORCH_API TensorBase empty_strided_generic(IntArrayRef size, IntArrayRef stride,
                                           c10::Allocator* allocator, DispatchKeySet ks,
                                           ScalarType scalar_type);

TORCH_API TensorBase empty_cpu(IntArrayRef size, ScalarType dtype, bool pin_memory = false,
                               std::optional<MemoryFormat> memory_format = std::nullopt);
TORCH_API TensorBase empty_cpu(IntArrayRef size, std::optional<ScalarType> dtype,
                               std::optional<Layout> layout, std::optional<Device> device,
                               std::optional<bool> pin_memory,
                               std::optional<MemoryFormat> memory_format);
TORCH_API TensorBase empty_cpu(IntArrayRef size, const TensorOptions& options);

TORCH_API TensorBase empty_strided_cpu(IntArrayRef size, IntArrayRef stride, ScalarType dtype,
                                       bool pin_memory = false);
TORCH_API TensorBase empty_strided_cpu(IntArrayRef size, IntArrayRef stride,
                                       std::optional<ScalarType> dtype,
                                       std::optional<Layout> layout, std::optional<Device> device,
                                       std::optional<bool> pin_memory);
TORCH_API TensorBase empty_strided_cpu(IntArrayRef size, IntArrayRef stride,
                                       const TensorOptions& options);

// Tensors on the Meta device have a shape and a type but no data.
TORCH_API TensorBase empty_meta(IntArrayRef size, ScalarType dtype,
                                std::optional<MemoryFormat> memory_format = std::nullopt);
TORCH_API TensorBase empty_meta(IntArrayRef size, const TensorOptions& options);
TORCH_API TensorBase empty_strided_meta(IntArrayRef size, IntArrayRef stride, ScalarType dtype);
TORCH_API TensorBase empty_strided_meta(IntArrayRef size, IntArrayRef stride,
                                        const TensorOptions& options);

// On the device of the options, whichever it is; its backend's allocator gives the memory. A device
// without an index is the current one.
TORCH_API TensorBase empty_on_device(IntArrayRef size, const TensorOptions& options);
TORCH_API TensorBase empty_strided_on_device(IntArrayRef size, IntArrayRef stride,
                                             const TensorOptions& options);

}  // namespace at::detail
