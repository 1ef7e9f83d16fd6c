// Derivatives of views, joined tensors and indexing; FunctionsManual.h says what they share.

#include <torch/csrc/autograd/FunctionsManual.h>

#include <ATen/ExpandUtils.h>
#include <ATen/TensorOperators.h>
#include <ATen/WrapDimUtils.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/diagonal_backward.h>
#include <ATen/ops/real.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/zeros.h>
#include <c10/util/accumulate.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

namespace torch::autograd::generated::details {

namespace {

// One past the largest offset that the geometry reaches, from its own start.
int64_t storage_extent(IntArrayRef sizes, IntArrayRef strides) {
  int64_t extent = 1;
  for (size_t i = 0; i < sizes.size(); ++i) {
    if (sizes[i] == 0) {
      return 0;
    }
    extent += (sizes[i] - 1) * strides[i];
  }
  return extent;
}

// Whether two indices may name one element: a step does not pass all that shorter steps reach.
bool may_overlap(IntArrayRef sizes, IntArrayRef strides) {
  std::vector<std::pair<int64_t, int64_t>> steps;
  for (size_t i = 0; i < sizes.size(); ++i) {
    if (sizes[i] > 1) steps.emplace_back(strides[i], sizes[i]);
  }
  std::sort(steps.begin(), steps.end());
  int64_t reach = 0;
  for (const auto& [stride, size] : steps) {
    if (stride <= reach) return true;
    reach += stride * (size - 1);
  }
  return false;
}

// Offsets of the elements of a strided view, flattened.
Tensor strided_offsets(IntArrayRef sizes, IntArrayRef strides, const at::TensorOptions& options) {
  Tensor offsets = at::zeros({}, options);
  for (size_t i = 0; i < sizes.size(); ++i) {
    std::vector<int64_t> shape(sizes.size(), 1);
    shape[i] = sizes[i];
    offsets = offsets + (at::arange(sizes[i], options) * strides[i]).view(shape);
  }
  return offsets.expand(sizes).reshape({-1});
}

}  // namespace

Tensor as_strided_backward(const Tensor& grad, const at::TensorGeometry& input, IntArrayRef sizes,
                           IntArrayRef strides, std::optional<int64_t> storage_offset) {
  // Scatter the gradient into a flat image of the storage, then read it as the input does. An
  // input that overlaps itself has each storage element's gradient shared evenly.
  const int64_t offset = storage_offset.value_or(input.storage_offset());
  const int64_t base = std::min(offset, input.storage_offset());
  const int64_t size =
      std::max(offset - base + storage_extent(sizes, strides),
               input.storage_offset() - base + storage_extent(input.sizes(), input.strides()));
  const at::TensorOptions index_options =
      at::TensorOptions().dtype(at::kLong).device(grad.device());
  Tensor storage = at::zeros({size}, grad.options());
  if (may_overlap(sizes, strides)) {
    const Tensor index = strided_offsets(sizes, strides, index_options) + (offset - base);
    storage = storage.index_add(0, index, grad.reshape({-1}));
  } else {
    storage.as_strided(sizes, strides, offset - base).copy_(grad);
  }
  const int64_t start = input.storage_offset() - base;
  if (!may_overlap(input.sizes(), input.strides())) {
    return storage.as_strided(input.sizes(), input.strides(), start);
  }
  const Tensor index = strided_offsets(input.sizes(), input.strides(), index_options) + start;
  const Tensor ones = at::zeros({index.numel()}, grad.options()) + 1;
  const Tensor count = at::zeros({size}, grad.options()).index_add(0, index, ones);
  storage = storage / count.masked_fill(count == 0, 1);
  return storage.index_select(0, index).view(input.sizes());
}

Tensor permute_backwards(const Tensor& grad, IntArrayRef dims) {
  std::vector<int64_t> inverse(dims.size());
  for (size_t i = 0; i < dims.size(); ++i) {
    inverse[static_cast<size_t>(c10::maybe_wrap_dim(dims[i], static_cast<int64_t>(dims.size())))] =
        static_cast<int64_t>(i);
  }
  return grad.permute(inverse);
}

Tensor slice_backward_wrapper(const Tensor& grad, IntArrayRef input_sizes, int64_t dim,
                              std::optional<int64_t> start, std::optional<int64_t> end,
                              int64_t step) {
  Tensor result = at::zeros(input_sizes, grad.options());
  result.slice(dim, start, end, step).copy_(grad);
  return result;
}

Tensor split_with_sizes_backward(const variable_list& grads, IntArrayRef split_sizes, int64_t dim,
                                 IntArrayRef sizes, const at::TensorOptions& options) {
  dim = c10::maybe_wrap_dim(dim, static_cast<int64_t>(sizes.size()));
  std::vector<Tensor> parts(grads.size());
  for (size_t i = 0; i < grads.size(); ++i) {
    if (grads[i].defined()) {
      parts[i] = grads[i];
    } else {
      std::vector<int64_t> part_sizes = sizes.vec();
      part_sizes[static_cast<size_t>(dim)] = split_sizes[i];
      parts[i] = at::zeros(part_sizes, options);
    }
  }
  return at::cat(parts, dim);
}

Tensor split_backward(const variable_list& grads, int64_t split_size, int64_t dim,
                      IntArrayRef sizes, const at::TensorOptions& options) {
  dim = c10::maybe_wrap_dim(dim, static_cast<int64_t>(sizes.size()));
  const int64_t total = sizes[static_cast<size_t>(dim)];
  std::vector<int64_t> split_sizes(grads.size(), split_size);
  if (!grads.empty()) {
    split_sizes.back() = total - split_size * static_cast<int64_t>(grads.size() - 1);
  }
  return split_with_sizes_backward(grads, split_sizes, dim, sizes, options);
}

Tensor unbind_backward(const variable_list& grads, int64_t dim) {
  const auto defined =
      std::find_if(grads.begin(), grads.end(), [](const Tensor& grad) { return grad.defined(); });
  if (defined == grads.end()) {
    return Tensor();
  }
  std::vector<Tensor> parts;
  parts.reserve(grads.size());
  for (const Tensor& grad : grads) {
    parts.push_back(grad.defined() ? grad : at::zeros(defined->sizes(), defined->options()));
  }
  return at::stack(parts, dim);
}

Tensor repeat_backward(Tensor grad, IntArrayRef repeats, IntArrayRef input_sizes) {
  if (std::find(repeats.begin(), repeats.end(), 0) != repeats.end()) {
    return at::zeros(input_sizes, grad.options());
  }
  // Each repeated dimension becomes (repeat, size); sum over the repeats.
  const size_t new_dims = repeats.size() - input_sizes.size();
  std::vector<int64_t> shape;
  std::vector<int64_t> sum_dims;
  for (size_t i = 0; i < repeats.size(); ++i) {
    sum_dims.push_back(static_cast<int64_t>(shape.size()));
    shape.push_back(repeats[i]);
    if (i >= new_dims) {
      shape.push_back(input_sizes[i - new_dims]);
    }
  }
  if (sum_dims.empty()) {
    return grad;
  }
  return grad.reshape(shape).sum(sum_dims);
}

// ---- indexing ----

std::vector<Tensor> cat_tensors_backward(const Tensor& grad,
                                         const std::vector<std::vector<int64_t>>& sizes,
                                         const std::vector<at::ScalarType>& dtypes, int64_t dim) {
  std::vector<Tensor> results(sizes.size());
  if (!grad.defined()) {
    return results;
  }
  dim = c10::maybe_wrap_dim(dim, grad.dim());
  int64_t start = 0;
  for (size_t i = 0; i < sizes.size(); ++i) {
    // cat() accepts and skips tensors of shape (0).
    if (sizes[i].size() == 1 && sizes[i][0] == 0) {
      results[i] = at::zeros({0}, grad.options());
      continue;
    }
    const int64_t size = sizes[i][static_cast<size_t>(dim)];
    results[i] = grad.narrow(dim, start, size);
    start += size;
  }
  return results;
}

std::vector<Tensor> stack_tensors_backward(const Tensor& grad, int64_t dim,
                                           const std::vector<at::ScalarType>& dtypes) {
  if (!grad.defined()) {
    return std::vector<Tensor>(dtypes.size());
  }
  return grad.unbind(dim);
}

std::vector<Tensor> block_diag_backward(const Tensor& grad,
                                        const std::vector<std::vector<int64_t>>& sizes,
                                        const std::vector<at::ScalarType>& dtypes) {
  std::vector<Tensor> results(sizes.size());
  if (!grad.defined()) {
    return results;
  }
  int64_t row = 0;
  int64_t column = 0;
  for (size_t i = 0; i < sizes.size(); ++i) {
    const std::vector<int64_t>& size = sizes[i];
    const int64_t rows = size.size() == 2 ? size[0] : 1;
    const int64_t columns = size.empty() ? 1 : size.back();
    Tensor block = grad.is_complex() && !at::isComplexType(dtypes[i]) ? at::real(grad) : grad;
    block = block.narrow(0, row, rows).narrow(1, column, columns);
    for (size_t d = size.size(); d < 2; ++d) {
      block = block.select(0, 0);
    }
    results[i] = block;
    row += rows;
    column += columns;
  }
  return results;
}

Tensor roll_backward(const Tensor& grad, IntArrayRef shifts, IntArrayRef dims) {
  std::vector<int64_t> back(shifts.rbegin(), shifts.rend());
  for (int64_t& shift : back) {
    shift = -shift;
  }
  return grad.roll(back, std::vector<int64_t>(dims.rbegin(), dims.rend()));
}

Tensor trace_backward(const Tensor& grad, IntArrayRef input_sizes) {
  const int64_t size = std::min(input_sizes[0], input_sizes[1]);
  return at::diagonal_backward(grad.expand({size}), input_sizes, 0, 0, 1);
}

Tensor index_backward(const Tensor& grad, IntArrayRef input_sizes,
                      const OptionalTensorList& indices) {
  return grad.new_zeros(input_sizes).index_put_(indices, grad, /*accumulate=*/true);
}

Tensor index_put_self_backward(const Tensor& grad, const OptionalTensorList& indices) {
  return grad.index_put(indices, at::zeros({}, grad.options()), /*accumulate=*/false);
}

Tensor masked_fill_backward(const Tensor& grad, const Tensor& mask) {
  return grad.masked_fill(mask.logical_not(), 0).sum();
}

Tensor masked_scatter_backward(const Tensor& grad, const Tensor& mask, IntArrayRef source_sizes) {
  const Tensor selected = grad.masked_select(mask);
  const int64_t total = c10::multiply_integers(source_sizes);
  const Tensor rest = at::zeros({total - selected.numel()}, grad.options());
  return at::cat({selected, rest}).view(source_sizes);
}

}  // namespace torch::autograd::generated::details
