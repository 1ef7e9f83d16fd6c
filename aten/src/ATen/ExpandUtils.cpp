#include <ATen/ExpandUtils.h>

#include <ATen/core/Tensor.h>
#include <c10/util/Exception.h>

#include <algorithm>

namespace at {

DimVector infer_size_dimvector(IntArrayRef a, IntArrayRef b) {
  const size_t ndim = std::max(a.size(), b.size());
  DimVector out(ndim, 1);
  for (size_t back = 1; back <= ndim; ++back) {
    const int64_t size_a = back <= a.size() ? a[a.size() - back] : 1;
    const int64_t size_b = back <= b.size() ? b[b.size() - back] : 1;
    TORCH_CHECK(size_a == size_b || size_a == 1 || size_b == 1, "The size of tensor a (", size_a,
                ") must match the size of tensor b (", size_b, ") at non-singleton dimension ",
                ndim - back);
    out[ndim - back] = size_a == 1 ? size_b : size_a;
  }
  return out;
}

std::vector<int64_t> infer_size(IntArrayRef a, IntArrayRef b) {
  const DimVector out = infer_size_dimvector(a, b);
  return std::vector<int64_t>(out.begin(), out.end());
}

InferExpandGeometryResult inferExpandGeometry_dimvector(IntArrayRef tensor_sizes,
                                                        IntArrayRef tensor_strides,
                                                        IntArrayRef sizes) {
  const auto ndim = static_cast<int64_t>(sizes.size());
  const auto tensor_dim = static_cast<int64_t>(tensor_sizes.size());
  InferExpandGeometryResult result{DimVector(sizes.size(), 0), DimVector(sizes.size(), 0)};
  for (int64_t i = ndim - 1; i >= 0; --i) {
    const int64_t dim = tensor_dim - (ndim - i);
    int64_t size = dim >= 0 ? tensor_sizes[static_cast<size_t>(dim)] : 1;
    int64_t stride = 0;
    if (dim >= 0) {
      stride = tensor_strides[static_cast<size_t>(dim)];
    } else if (i + 1 < ndim) {
      stride =
          result.sizes[static_cast<size_t>(i + 1)] * result.strides[static_cast<size_t>(i + 1)];
    } else {
      stride = 1;
    }
    int64_t target = sizes[static_cast<size_t>(i)];
    if (target == -1) {
      TORCH_CHECK(dim >= 0, "The expanded size of the tensor (", target,
                  ") isn't allowed in a leading, non-existing dimension ", i);
      target = size;
    }
    if (size != target) {
      TORCH_CHECK(size == 1, "The expanded size of the tensor (", target,
                  ") must match the existing size (", size, ") at non-singleton dimension ", i,
                  ".  Target sizes: ", sizes, ".  Tensor sizes: ", tensor_sizes);
      TORCH_CHECK(target >= 0, "numel: integer multiplication overflow");
      size = target;
      stride = 0;
    }
    result.sizes[static_cast<size_t>(i)] = size;
    result.strides[static_cast<size_t>(i)] = stride;
  }
  return result;
}

bool are_expandable(IntArrayRef shape1, IntArrayRef shape2) {
  const size_t ndim = std::min(shape1.size(), shape2.size());
  for (size_t back = 1; back <= ndim; ++back) {
    const int64_t a = shape1[shape1.size() - back];
    const int64_t b = shape2[shape2.size() - back];
    if (a != b && a != 1 && b != 1) return false;
  }
  return true;
}

bool is_expandable_to(IntArrayRef shape, IntArrayRef desired) {
  if (shape.size() > desired.size()) return false;
  for (size_t back = 1; back <= shape.size(); ++back) {
    const int64_t size = shape[shape.size() - back];
    if (size != desired[desired.size() - back] && size != 1) return false;
  }
  return true;
}

Tensor expand_inplace(const TensorBase& tensor, const Tensor& to_expand) {
  if (!to_expand.defined() || tensor.sizes().equals(to_expand.sizes())) return to_expand;
  return to_expand.expand(tensor.sizes());
}

Tensor expand_inplace(const TensorBase& tensor, const Tensor& to_expand,
                      std::string_view api_name) {
  TORCH_CHECK(to_expand.defined(), api_name, "(...) called with an undefined Tensor");
  return expand_inplace(tensor, to_expand);
}

Tensor expand_size(const Tensor& to_expand, IntArrayRef sizes) {
  return to_expand.sizes().equals(sizes) ? to_expand : to_expand.expand(sizes);
}

std::tuple<Tensor, Tensor> expand_outplace(const Tensor& a, const Tensor& b) {
  if (a.sizes().equals(b.sizes())) return {a, b};
  const DimVector sizes = infer_size_dimvector(a.sizes(), b.sizes());
  return {expand_size(a, sizes), expand_size(b, sizes)};
}

std::tuple<Tensor, Tensor, Tensor> expand_outplace(const Tensor& a, const Tensor& b,
                                                   const Tensor& c) {
  const DimVector sizes =
      infer_size_dimvector(infer_size_dimvector(a.sizes(), b.sizes()), c.sizes());
  return {expand_size(a, sizes), expand_size(b, sizes), expand_size(c, sizes)};
}

std::vector<Tensor> expand_outplace(TensorList to_expand) {
  DimVector sizes;
  bool first = true;
  for (const Tensor& tensor : to_expand) {
    if (!tensor.defined()) continue;
    if (first) {
      sizes.assign(tensor.sizes().begin(), tensor.sizes().end());
      first = false;
    } else {
      sizes = infer_size_dimvector(sizes, tensor.sizes());
    }
  }
  std::vector<Tensor> out;
  out.reserve(to_expand.size());
  for (const Tensor& tensor : to_expand) {
    out.push_back(tensor.defined() ? expand_size(tensor, sizes) : tensor);
  }
  return out;
}

Tensor sum_to(Tensor tensor, IntArrayRef shape) {
  if (shape.empty()) return tensor.sum();
  c10::DimVector dims;
  const int64_t leading = tensor.dim() - static_cast<int64_t>(shape.size());
  for (int64_t i = 0; i < leading; ++i) dims.push_back(i);
  for (int64_t i = leading; i < tensor.dim(); ++i) {
    if (shape[static_cast<size_t>(i - leading)] == 1 && tensor.size(i) != 1) dims.push_back(i);
  }
  if (!dims.empty()) tensor = tensor.sum(IntArrayRef(dims), /*keepdim=*/true);
  return leading > 0 ? tensor.view(shape) : tensor;
}

}  // namespace at
