#include <ATen/TensorGeometry.h>

#include <c10/core/Contiguity.h>

namespace at {

TensorGeometry::TensorGeometry(IntArrayRef sizes)
    : sizes_(sizes.begin(), sizes.end()), strides_(sizes.size(), 1), numel_(1) {
  for (size_t i = sizes.size(); i-- > 0;) {
    strides_[i] = numel_ == 0 ? 1 : numel_;
    numel_ *= sizes[i];
  }
}

bool TensorGeometry::is_contiguous() const { return geometry_is_contiguous(sizes_, strides_); }

bool geometry_is_contiguous(IntArrayRef sizes, IntArrayRef strides) {
  int64_t numel = 1;
  for (const int64_t size : sizes) numel *= size;
  return c10::_compute_contiguous(sizes, strides, numel);
}

}  // namespace at
