#pragma once

#include <ATen/core/TensorBase.h>
#include <c10/macros/Export.h>
#include <c10/util/DimVector.h>
#include <c10/util/SmallVector.h>

#include <cstdint>
#include <string_view>
#include <tuple>
#include <vector>

namespace at {

// The shape that both broadcast to. Throws "The size of tensor a (3) must match the size of tensor
// b (4) at non-singleton dimension 0".
TORCH_API std::vector<int64_t> infer_size(IntArrayRef a, IntArrayRef b);
TORCH_API DimVector infer_size_dimvector(IntArrayRef a, IntArrayRef b);

struct TORCH_API InferExpandGeometryResult {
  DimVector sizes;
  DimVector strides;
};
// The geometry of expanding to `sizes`, where -1 keeps a size. Expanded dimensions have stride 0.
TORCH_API InferExpandGeometryResult inferExpandGeometry_dimvector(IntArrayRef tensor_sizes,
                                                                  IntArrayRef tensor_strides,
                                                                  IntArrayRef sizes);

// Strides of the same elements under `sizes` as seen through expansion.
TORCH_API bool are_expandable(IntArrayRef shape1, IntArrayRef shape2);
TORCH_API bool is_expandable_to(IntArrayRef shape, IntArrayRef desired);

// `to_expand` as a view of the shape of `tensor`; undefined tensors stay undefined.
TORCH_API Tensor expand_inplace(const TensorBase& tensor, const Tensor& to_expand);
TORCH_API Tensor expand_inplace(const TensorBase& tensor, const Tensor& to_expand,
                                std::string_view api_name);
TORCH_API Tensor expand_size(const Tensor& to_expand, IntArrayRef sizes);
// All of the shape that they broadcast to.
TORCH_API std::tuple<Tensor, Tensor> expand_outplace(const Tensor& a, const Tensor& b);
TORCH_API std::tuple<Tensor, Tensor, Tensor> expand_outplace(const Tensor& a, const Tensor& b,
                                                             const Tensor& c);
TORCH_API std::vector<Tensor> expand_outplace(TensorList to_expand);

// Sums a gradient down to the shape it was broadcast from.
TORCH_API Tensor sum_to(Tensor tensor, IntArrayRef shape);

}  // namespace at
