#pragma once

// What generated kernels are made of: those of the variants that `autogen` asks for in
// native_functions.yaml, those of out variants whose kernel is `functional_result`, and those of
// operators that copy what a view shows.

#include <ATen/core/Tensor.h>
#include <c10/macros/Export.h>

#include <optional>
#include <vector>

namespace at::impl {

// A copy of an argument that an operator will write to.
TORCH_API Tensor clone_argument(const Tensor& argument);
TORCH_API std::optional<Tensor> clone_argument(const std::optional<Tensor>& argument);
TORCH_API std::vector<Tensor> clone_argument(TensorList argument);

// Gives `out` the value's shape, as out= does, and copies. Throws "Expected out tensor to have
// dtype ..." if the types differ, and for lists of different lengths.
TORCH_API void copy_to_out(const Tensor& out, const Tensor& value);
TORCH_API void copy_to_out(TensorList out, TensorList values);

// The same for what a person calls: an `out` that is resized takes the value's strides too, as the
// kernels of structured operators give them. Throws also for another device, and where autograd
// would have to follow the copy.
TORCH_API void write_to_out(const Tensor& out, const Tensor& value);
TORCH_API void write_to_out(TensorList out, TensorList values);

// A contiguous copy of a view.
TORCH_API Tensor contiguous_copy(const Tensor& view);
TORCH_API std::vector<Tensor> contiguous_copy(TensorList views);

}  // namespace at::impl
