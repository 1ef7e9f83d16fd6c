#pragma once

// N-dimensional indexing over memory, as ATen/core/TensorAccessor.h has it, whose checks need no
// library. Sizes and strides count elements.
//
//   torch::headeronly::HeaderOnlyTensorAccessor<float, 2> a(
//       t.mutable_data_ptr<float>(), t.sizes().data(), t.strides().data());
//   a[1][2] = 3;

#include <ATen/core/TensorAccessor.h>
#include <torch/headeronly/macros/Macros.h>
#include <torch/headeronly/util/Exception.h>
#include <torch/headeronly/util/HeaderOnlyArrayRef.h>

#include <cstddef>
#include <cstdint>
#include <utility>

HIDDEN_NAMESPACE_BEGIN(torch, headeronly)

using at::DefaultPtrTraits;
using at::RestrictPtrTraits;

template <typename T, size_t N, template <typename> class PtrTraits = DefaultPtrTraits,
          typename index_t = int64_t>
using HeaderOnlyTensorAccessor = at::TensorAccessor<T, N, PtrTraits, index_t>;

/// The same with sizes and strides of its own, for an argument of a kernel.
template <typename T, size_t N, template <typename> class PtrTraits = DefaultPtrTraits,
          typename index_t = int64_t>
class HeaderOnlyGenericPackedTensorAccessor
    : public at::GenericPackedTensorAccessor<T, N, PtrTraits, index_t> {
 public:
  using at::GenericPackedTensorAccessor<T, N, PtrTraits, index_t>::GenericPackedTensorAccessor;

  /// The same elements with two dimensions exchanged. std::runtime_error if there is no such
  /// dimension.
  C10_HOST HeaderOnlyGenericPackedTensorAccessor transpose(index_t dim1, index_t dim2) const {
    for (const index_t dim : {dim1, dim2}) {
      STD_TORCH_CHECK(0 <= dim && dim < static_cast<index_t>(N), "Index ", dim,
                      " is not within bounds of a tensor of dimension ", N);
    }
    HeaderOnlyGenericPackedTensorAccessor result(*this);
    std::swap(result.sizes_[dim1], result.sizes_[dim2]);
    std::swap(result.strides_[dim1], result.strides_[dim2]);
    return result;
  }
};

HIDDEN_NAMESPACE_END(torch, headeronly)
