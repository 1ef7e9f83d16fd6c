#pragma once

// Tensors from and to DLPack, the exchange format of array libraries:
// https://dmlc.github.io/dlpack.
//
//   DLManagedTensor* managed = at::toDLPack(tensor);   // the receiver calls managed->deleter
//   at::Tensor same = at::fromDLPack(managed);         // or passes it on: this calls it at the end

#include <ATen/core/Tensor.h>
#include <ATen/dlpack.h>

#include <functional>

namespace at {

/// A tensor's memory for another library: shared, not copied. The strides of dimensions of one
/// element or none are 1. BufferError for a type or a device that DLPack has not, and for a tensor
/// with the conjugate or the negative bit.
TORCH_API DLManagedTensor* toDLPack(const Tensor& src);
/// The same with DLPack's version and flags.
TORCH_API DLManagedTensorVersioned* toDLPackVersioned(const Tensor& src);

/// A tensor over the memory of `src`, on the CPU. It calls `deleter`, or the one of `src`, when the
/// memory is not needed any more. BufferError for a type or a device that is not supported, or
/// another major version; ValueError for negative strides. What fails leaves `src` to the caller.
TORCH_API Tensor fromDLPack(DLManagedTensor* src, std::function<void(void*)> deleter = {});
TORCH_API Tensor fromDLPackVersioned(DLManagedTensorVersioned* src,
                                     std::function<void(void*)> deleter = {});

/// The names of types and devices in DLPack.
TORCH_API ScalarType toScalarType(const DLDataType& dtype);
TORCH_API DLDataType getDLDataType(const Tensor& t);
TORCH_API DLDevice torchDeviceToDLDevice(Device device);

}  // namespace at
