#pragma once

// Checks of arguments whose messages name the argument and the function.
//
//   at::TensorArg input_arg{input, "input", 1}, weight_arg{weight, "weight", 2};
//   at::checkAllSameType("my_op", {input_arg, weight_arg});
//   at::checkDim("my_op", input_arg, 4);
//
// Each throws Error.

#include <ATen/TensorGeometry.h>
#include <ATen/core/Tensor.h>
#include <c10/core/ScalarType.h>
#include <c10/macros/Export.h>
#include <c10/util/ArrayRef.h>

#include <cstdint>
#include <iosfwd>
#include <string>
#include <utility>
#include <vector>

namespace at {

/// A tensor with its name, and its place among the arguments from 1 on; 0 if it has none.
struct TORCH_API TensorArg {
  const Tensor& tensor;
  const char* name;
  int pos;

  TensorArg(const Tensor& tensor_, const char* name_, int pos_)
      : tensor(tensor_), name(name_), pos(pos_) {}
  // It keeps a reference.
  TensorArg(Tensor&&, const char*, int) = delete;
  const Tensor* operator->() const { return &tensor; }
  const Tensor& operator*() const { return tensor; }
};

/// Sizes and strides with a name and a place.
struct TORCH_API TensorGeometryArg {
  TensorGeometry tensor;
  const char* name;
  int pos;

  /*implicit*/ TensorGeometryArg(const TensorArg& arg)
      : tensor(TensorGeometry(arg.tensor)), name(arg.name), pos(arg.pos) {}
  TensorGeometryArg(TensorGeometry tensor_, const char* name_, int pos_)
      : tensor(std::move(tensor_)), name(name_), pos(pos_) {}
  const TensorGeometry* operator->() const { return &tensor; }
  const TensorGeometry& operator*() const { return tensor; }
};

/// The function that checks.
using CheckedFrom = const char*;

/// argument #1 'input'
TORCH_API std::ostream& operator<<(std::ostream& out, const TensorGeometryArg& t);

TORCH_API void checkDim(CheckedFrom c, const Tensor& tensor, const char* name, int pos,
                        int64_t dim);
TORCH_API void checkDim(CheckedFrom c, const TensorGeometryArg& t, int64_t dim);
/// dim_start <= t.dim() < dim_end
TORCH_API void checkDimRange(CheckedFrom c, const TensorGeometryArg& t, int64_t dim_start,
                             int64_t dim_end);
TORCH_API void checkSameDim(CheckedFrom c, const TensorGeometryArg& t1,
                            const TensorGeometryArg& t2);
TORCH_API void checkContiguous(CheckedFrom c, const TensorGeometryArg& t);
TORCH_API void checkAllContiguous(CheckedFrom c, ArrayRef<TensorArg> ts);
TORCH_API void checkSize(CheckedFrom c, const TensorGeometryArg& t, IntArrayRef sizes);
TORCH_API void checkSize(CheckedFrom c, const TensorGeometryArg& t, int64_t dim, int64_t size);
TORCH_API void checkSameSize(CheckedFrom c, const TensorArg& t1, const TensorArg& t2);
TORCH_API void checkAllSameSize(CheckedFrom c, ArrayRef<TensorArg> tensors);
TORCH_API void checkNumel(CheckedFrom c, const TensorGeometryArg& t, int64_t numel);
TORCH_API void checkSameNumel(CheckedFrom c, const TensorArg& t1, const TensorArg& t2);
TORCH_API void checkAllSameNumel(CheckedFrom c, ArrayRef<TensorArg> tensors);
TORCH_API void checkScalarType(CheckedFrom c, const TensorArg& t, ScalarType s);
TORCH_API void checkScalarTypes(CheckedFrom c, const TensorArg& t, ArrayRef<ScalarType> l);
TORCH_API void checkSameType(CheckedFrom c, const TensorArg& t1, const TensorArg& t2);
TORCH_API void checkAllSameType(CheckedFrom c, ArrayRef<TensorArg> tensors);
/// Both on one GPU.
TORCH_API void checkSameGPU(CheckedFrom c, const TensorArg& t1, const TensorArg& t2);
TORCH_API void checkAllSameGPU(CheckedFrom c, ArrayRef<TensorArg> tensors);
TORCH_API void checkDefined(CheckedFrom c, const TensorArg& t);
TORCH_API void checkAllDefined(CheckedFrom c, ArrayRef<TensorArg> ts);
TORCH_API void checkDeviceType(CheckedFrom c, const Tensor& t, c10::DeviceType device_type);
TORCH_API void checkDeviceType(CheckedFrom c, ArrayRef<Tensor> tensors,
                               c10::DeviceType device_type);
TORCH_API void checkLayout(CheckedFrom c, const Tensor& t, Layout layout);
TORCH_API void checkLayout(CheckedFrom c, ArrayRef<Tensor> tensors, Layout layout);

/// The first element's address; null for an undefined tensor.
TORCH_API void* maybe_data_ptr(const Tensor& tensor);
TORCH_API void* maybe_data_ptr(const TensorArg& tensor);

namespace detail {
/// Strides of a contiguous tensor.
TORCH_API std::vector<int64_t> defaultStrides(IntArrayRef sizes);
}  // namespace detail

}  // namespace at
