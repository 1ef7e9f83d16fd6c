#define TORCH_ASSERT_ONLY_METHOD_OPERATORS
#include <ATen/native/IndexingUtils.h>

#include <ATen/ExpandUtils.h>
#include <ATen/core/List.h>
#include <ATen/core/Tensor.h>
#include <c10/core/ScalarType.h>
#include <c10/util/Exception.h>

#include <algorithm>
#include <optional>

namespace at::native {
namespace {

// Masks become the places of their true elements: one index for each dimension of the mask. A mask
// without dimensions selects all or nothing, along a dimension of size 1 that `self` is given.
std::vector<Tensor> expand_tensors(Tensor& self, const c10::List<std::optional<Tensor>>& indices) {
  std::vector<Tensor> result;
  for (const std::optional<Tensor>& optional_index : indices) {
    if (!optional_index.has_value() || !optional_index->defined()) {
      result.emplace_back();
      continue;
    }
    const Tensor& index = *optional_index;
    const ScalarType type = index.scalar_type();
    TORCH_CHECK_INDEX(type == kLong || type == kInt || type == kByte || type == kBool,
                      "tensors used as indices must be long, int, byte or bool tensors");
    if (type != kByte && type != kBool) {
      result.push_back(index.to(self.device(), kLong));
      continue;
    }
    if (type == kByte) {
      TORCH_WARN(
          "indexing with dtype torch.uint8 is now deprecated, please use a dtype torch.bool instead.");
    }
    for (int64_t d = 0; d < index.dim(); ++d) {
      const auto source_dim = static_cast<int64_t>(result.size()) + d;
      TORCH_CHECK_INDEX(source_dim < self.dim() && index.size(d) == self.size(source_dim),
                        "The shape of the mask ", index.sizes(), " at index ", d,
                        " does not match the shape of the indexed tensor ", self.sizes(),
                        " at index ", source_dim);
    }
    if (index.dim() == 0) {
      self = self.unsqueeze(static_cast<int64_t>(result.size()));
      result.push_back(index.reshape({1}).nonzero().select(1, 0).to(self.device(), kLong));
      continue;
    }
    const Tensor places = index.nonzero().to(self.device(), kLong);
    for (int64_t d = 0; d < index.dim(); ++d) result.push_back(places.select(1, d));
  }
  return result;
}

bool has_contiguous_subspace(const std::vector<Tensor>& indices) {
  const auto is_defined = [](const Tensor& t) { return t.defined(); };
  const auto first = std::find_if(indices.begin(), indices.end(), is_defined);
  if (first == indices.end()) return true;
  const auto last = std::find_if(indices.rbegin(), indices.rend(), is_defined).base();
  return std::all_of(first, last, is_defined);
}

// Moves the indexed dimensions to the front.
void transpose_to_front(Tensor& self, std::vector<Tensor>& indices) {
  std::vector<int64_t> dims;
  std::vector<Tensor> ordered;
  for (int64_t d = 0; d < self.dim(); ++d) {
    if (indices[static_cast<size_t>(d)].defined()) {
      dims.push_back(d);
      ordered.push_back(indices[static_cast<size_t>(d)]);
    }
  }
  for (int64_t d = 0; d < self.dim(); ++d) {
    if (!indices[static_cast<size_t>(d)].defined()) {
      dims.push_back(d);
      ordered.emplace_back();
    }
  }
  self = self.permute(dims);
  indices = std::move(ordered);
}

}  // namespace

void check_number_of_indices(const Tensor& self, const c10::List<std::optional<Tensor>>& indices) {
  int64_t dims = 0;
  for (const std::optional<Tensor>& index : indices) {
    const bool is_zero_dim_mask = index.has_value() && index->defined() && index->dim() == 0 &&
                                  (index->scalar_type() == kBool || index->scalar_type() == kByte);
    if (!is_zero_dim_mask) ++dims;
  }
  TORCH_CHECK_INDEX(dims <= self.dim(), "too many indices for tensor of dimension ", self.dim(),
                    " (got ", indices.size(), ")");
}

AdvancedIndex make_advanced_index(const Tensor& original,
                                  const c10::List<std::optional<Tensor>>& orig_indices) {
  check_number_of_indices(original, orig_indices);
  Tensor self = original;
  std::vector<Tensor> indices = expand_tensors(self, orig_indices);
  TORCH_CHECK_INDEX(static_cast<int64_t>(indices.size()) <= self.dim(),
                    "too many indices for tensor of dimension ", self.dim(), " (got ",
                    indices.size(), ")");
  // All of one shape.
  std::vector<int64_t> shape;
  bool first = true;
  for (const Tensor& index : indices) {
    if (!index.defined()) continue;
    if (!first && !are_expandable(shape, index.sizes())) {
      std::string shapes;
      for (const Tensor& t : indices) {
        if (t.defined()) shapes += (shapes.empty() ? "" : ", ") + c10::str(t.sizes());
      }
      TORCH_CHECK_INDEX(
          false, "shape mismatch: indexing tensors could not be broadcast together with shapes ",
          shapes);
    }
    shape = first ? index.sizes().vec() : at::infer_size(shape, index.sizes());
    first = false;
  }
  for (Tensor& index : indices) {
    if (index.defined()) index = index.expand(shape);
  }
  indices.resize(static_cast<size_t>(self.dim()));
  if (!has_contiguous_subspace(indices)) transpose_to_front(self, indices);

  AdvancedIndex info;
  int64_t dims_before = 0;
  int64_t dims_indexed = 0;
  for (int64_t d = 0; d < self.dim(); ++d) {
    if (indices[static_cast<size_t>(d)].defined()) {
      ++dims_indexed;
      info.indexed_sizes.push_back(self.size(d));
      info.indexed_strides.push_back(self.stride(d) * static_cast<int64_t>(self.element_size()));
    } else if (dims_indexed == 0) {
      ++dims_before;
    }
  }
  const bool empty_result = std::find(shape.begin(), shape.end(), 0) != shape.end();
  TORCH_CHECK_INDEX(empty_result || std::find(info.indexed_sizes.begin(), info.indexed_sizes.end(),
                                              0) == info.indexed_sizes.end(),
                    "index is out of bounds for dimension with size 0");

  // The indexed dimensions of `self` give way to those of the indices, of stride 0.
  std::vector<int64_t> sizes = self.sizes().vec();
  std::vector<int64_t> strides = self.strides().vec();
  const auto begin = dims_before;
  const auto end = dims_before + dims_indexed;
  sizes.erase(sizes.begin() + begin, sizes.begin() + end);
  sizes.insert(sizes.begin() + begin, shape.begin(), shape.end());
  strides.erase(strides.begin() + begin, strides.begin() + end);
  strides.insert(strides.begin() + begin, shape.size(), 0);
  info.src = self.as_strided(sizes, strides);

  // The indices vary along those dimensions only.
  for (const Tensor& index : indices) {
    if (!index.defined()) continue;
    std::vector<int64_t> index_sizes(static_cast<size_t>(dims_before), 1);
    index_sizes.insert(index_sizes.end(), shape.begin(), shape.end());
    index_sizes.resize(sizes.size(), 1);
    info.indices.push_back(index.reshape(index_sizes).expand(sizes));
  }
  return info;
}

}  // namespace at::native
