// The dimensions of an iterator: their strides, their order, those that run as one.

#include <ATen/TensorIterator.h>

#include <ATen/core/Tensor.h>
#include <c10/util/Exception.h>

#include <algorithm>
#include <utility>

namespace at {

void TensorIteratorBase::compute_strides(const TensorIteratorConfig& config) {
  for (OperandInfo& op : operands_) {
    if (!op.tensor_base().defined() || op.will_resize) continue;
    const IntArrayRef shape =
        config.static_shape_.has_value() ? IntArrayRef(shape_) : op.tensor_base().sizes();
    const IntArrayRef strides = op.tensor_base().strides();
    const auto element_size = static_cast<int64_t>(op.tensor_base().itemsize());
    const size_t offset = shape_.size() - shape.size();
    op.stride_bytes = StrideVector(shape_.size(), 0);
    for (size_t i = 0; i < shape.size(); ++i) {
      const bool broadcast = shape[i] == 1 && shape_[offset + i] != 1;
      op.stride_bytes[offset + i] = broadcast ? 0 : strides[i] * element_size;
    }
  }
}

// Fastest dimension first, by the strides of the first operand that tells.
void TensorIteratorBase::reorder_dimensions() {
  const auto n = shape_.size();
  perm_.resize(n);
  for (size_t i = 0; i < n; ++i) perm_[i] = static_cast<int64_t>(n - 1 - i);
  if (n <= 1 || enforce_linear_iteration_) {
    permute_dimensions(perm_);
    return;
  }
  // > 0: `dim0` belongs after `dim1`; 0: no operand tells.
  const auto compare = [&](int64_t dim0, int64_t dim1) {
    for (const OperandInfo& op : operands_) {
      if (op.stride_bytes.empty() || op.will_resize) continue;
      const int64_t stride0 = op.stride_bytes[dim0];
      const int64_t stride1 = op.stride_bytes[dim1];
      if (stride0 == 0 || stride1 == 0) continue;
      if (stride0 != stride1) return stride0 < stride1 ? -1 : 1;
      if (shape_[dim0] > shape_[dim1]) return 1;
    }
    return 0;
  };
  for (size_t i = 1; i < n; ++i) {
    size_t dim1 = i;
    for (size_t dim0 = i; dim0-- > 0;) {
      const int order = compare(perm_[dim0], perm_[dim1]);
      if (order < 0) break;
      if (order > 0) {
        std::swap(perm_[dim0], perm_[dim1]);
        dim1 = dim0;
      }
    }
  }
  permute_dimensions(perm_);
}

void TensorIteratorBase::permute_dimensions(IntArrayRef perm) {
  const auto reorder = [perm](const auto& data) {
    auto out = data;
    for (size_t i = 0; i < perm.size(); ++i) out[i] = data[static_cast<size_t>(perm[i])];
    return out;
  };
  shape_ = reorder(shape_);
  for (OperandInfo& op : operands_) {
    if (!op.stride_bytes.empty()) op.stride_bytes = reorder(op.stride_bytes);
  }
}

DimVector TensorIteratorBase::invert_perm(IntArrayRef input) const {
  TORCH_INTERNAL_ASSERT(!has_coalesced_dimensions_);
  DimVector out(input.size(), 0);
  for (size_t i = 0; i < input.size(); ++i) out[static_cast<size_t>(perm_[i])] = input[i];
  return out;
}

StrideVector TensorIteratorBase::compatible_stride(int64_t element_size) const {
  StrideVector strides;
  int64_t next = element_size;
  for (const int64_t size : shape_) {
    strides.push_back(next);
    next *= size;
  }
  return strides;
}

void TensorIteratorBase::coalesce_dimensions() {
  if (ndim() <= 1) return;
  const auto can_coalesce = [&](int dim0, int dim1) {
    const int64_t shape0 = shape_[dim0];
    if (shape0 == 1 || shape_[dim1] == 1) return true;
    for (const OperandInfo& op : operands_) {
      if (shape0 * op.stride_bytes[dim0] != op.stride_bytes[dim1]) return false;
    }
    return true;
  };
  const auto replace_stride = [&](int dim0, int dim1) {
    for (OperandInfo& op : operands_) op.stride_bytes[dim0] = op.stride_bytes[dim1];
  };
  int prev = 0;
  for (int dim = 1; dim < ndim(); ++dim) {
    if (can_coalesce(prev, dim)) {
      if (shape_[prev] == 1) replace_stride(prev, dim);
      shape_[prev] *= shape_[dim];
    } else {
      ++prev;
      if (prev != dim) {
        replace_stride(prev, dim);
        shape_[prev] = shape_[dim];
      }
    }
  }
  shape_.resize(static_cast<size_t>(prev) + 1);
  for (OperandInfo& op : operands_) op.stride_bytes.resize(shape_.size());
  has_coalesced_dimensions_ = true;
}

void TensorIteratorBase::narrow(int dim, int64_t start, int64_t size) {
  TORCH_INTERNAL_ASSERT(dim < ndim() && size >= 1);
  shape_[dim] = size;
  for (OperandInfo& op : operands_) {
    op.data = static_cast<char*>(op.data) + op.stride_bytes[dim] * start;
  }
  if (size == 1) coalesce_dimensions();
}

}  // namespace at
