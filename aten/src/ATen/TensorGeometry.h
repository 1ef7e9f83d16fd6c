#pragma once

#include <ATen/core/TensorBase.h>
#include <c10/util/DimVector.h>

#include <cstdint>

namespace at {

// Sizes, strides and offset of a tensor, without its data.
struct TORCH_API TensorGeometry {
  TensorGeometry() = default;
  explicit TensorGeometry(IntArrayRef sizes);
  explicit TensorGeometry(const TensorBase& t)
      : sizes_(t.sizes().begin(), t.sizes().end()),
        strides_(t.strides().begin(), t.strides().end()),
        storage_offset_(t.storage_offset()),
        numel_(t.numel()) {}

  int64_t dim() const { return static_cast<int64_t>(sizes_.size()); }
  int64_t size(int64_t dim) const {
    return sizes_[static_cast<size_t>(c10::maybe_wrap_dim(dim, this->dim()))];
  }
  IntArrayRef sizes() const { return sizes_; }
  IntArrayRef strides() const { return strides_; }
  int64_t storage_offset() const { return storage_offset_; }
  int64_t numel() const { return numel_; }
  bool is_contiguous() const;

 private:
  c10::DimVector sizes_;
  c10::DimVector strides_;
  int64_t storage_offset_ = 0;
  int64_t numel_ = 0;
};

// Whether elements of such a geometry lie in row-major order without gaps.
TORCH_API bool geometry_is_contiguous(IntArrayRef sizes, IntArrayRef strides);

}  // namespace at
