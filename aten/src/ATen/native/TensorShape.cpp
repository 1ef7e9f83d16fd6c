// Views: the same elements under another shape. None of these copies, except reshape when it must.

#define TORCH_ASSERT_ONLY_METHOD_OPERATORS
#include <ATen/ExpandUtils.h>
#include <ATen/InferSize.h>
#include <ATen/WrapDimUtils.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/Resize.h>
#include <ATen/native/StrideInference.h>
#include <ATen/ops/_reshape_alias_native.h>
#include <ATen/ops/_unsafe_view.h>
#include <ATen/ops/_unsafe_view_native.h>
#include <ATen/ops/alias.h>
#include <ATen/ops/alias_native.h>
#include <ATen/ops/as_strided_native.h>
#include <ATen/ops/chunk_native.h>
#include <ATen/ops/detach_native.h>
#include <ATen/ops/diagonal_native.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/expand_as_native.h>
#include <ATen/ops/expand_native.h>
#include <ATen/ops/flatten_native.h>
#include <ATen/ops/lift_fresh_native.h>
#include <ATen/ops/mT_native.h>
#include <ATen/ops/movedim.h>
#include <ATen/ops/movedim_native.h>
#include <ATen/ops/narrow_native.h>
#include <ATen/ops/numpy_T_native.h>
#include <ATen/ops/permute_native.h>
#include <ATen/ops/ravel_native.h>
#include <ATen/ops/repeat_native.h>
#include <ATen/ops/reshape_as_native.h>
#include <ATen/ops/reshape_native.h>
#include <ATen/ops/select_backward_native.h>
#include <ATen/ops/select_native.h>
#include <ATen/ops/slice_backward_native.h>
#include <ATen/ops/slice_native.h>
#include <ATen/ops/split_native.h>
#include <ATen/ops/split_with_sizes_native.h>
#include <ATen/ops/squeeze_native.h>
#include <ATen/ops/sum_to_size_native.h>
#include <ATen/ops/t_native.h>
#include <ATen/ops/transpose_native.h>
#include <ATen/ops/unbind_native.h>
#include <ATen/ops/unflatten_native.h>
#include <ATen/ops/unsqueeze_native.h>
#include <ATen/ops/view_as_native.h>
#include <ATen/ops/view_native.h>
#include <ATen/ops/zeros.h>
#include <c10/core/ScalarType.h>
#include <c10/core/Storage.h>
#include <c10/core/TensorImpl.h>
#include <c10/util/Exception.h>
#include <c10/util/intrusive_ptr.h>

#include <algorithm>
#include <numeric>
#include <vector>

namespace at::native {

namespace {

// A second tensor over the storage of `self`, and like it one of inference mode or none.
Tensor alias_with_sizes_and_strides(const Tensor& self, IntArrayRef sizes, IntArrayRef strides,
                                    int64_t storage_offset) {
  Tensor result(c10::make_intrusive<TensorImpl, c10::UndefinedTensorImpl>(
      TensorImpl::VIEW, c10::Storage(self.storage()), self.key_set(), self.dtype()));
  TensorImpl* impl = result.unsafeGetTensorImpl();
  impl->set_storage_offset(storage_offset);
  impl->set_sizes_and_strides(sizes, strides);
  return result;
}

Tensor alias_with_sizes_and_strides(const Tensor& self, IntArrayRef sizes, IntArrayRef strides) {
  return alias_with_sizes_and_strides(self, sizes, strides, self.storage_offset());
}

std::vector<int64_t> wrapped_dims(IntArrayRef dims, int64_t ndim) {
  std::vector<int64_t> result = dims.vec();
  for (int64_t& dim : result) dim = c10::maybe_wrap_dim(dim, ndim);
  return result;
}

}  // namespace

// ---- aliases

Tensor alias(const Tensor& self) {
  return alias_with_sizes_and_strides(self, self.sizes(), self.strides());
}

Tensor detach(const Tensor& self) { return native::alias(self); }

Tensor& detach_(Tensor& self) { return self; }

Tensor lift_fresh(const Tensor& self) { return self; }

namespace {

void check_as_strided(const Tensor& self, IntArrayRef size, IntArrayRef stride, int64_t offset) {
  TORCH_CHECK(size.size() == stride.size(), "mismatch in length of strides and shape");
  TORCH_CHECK(offset >= 0, "Tensor: invalid storage offset ", offset);
  for (const int64_t value : stride) {
    TORCH_CHECK(value >= 0,
                "as_strided: Negative strides are not supported at the moment, got "
                "strides: ",
                stride);
  }
  checkInBoundsForStorage(size, stride, offset, self.dtype().itemsize(), self.storage());
}

// The quotient rounded up, without the sum that overflows for a large divisor.
int64_t divide_up(int64_t a, int64_t b) { return a / b + (a % b != 0 ? 1 : 0); }

}  // namespace

Tensor as_strided_tensorimpl(const Tensor& self, IntArrayRef size, IntArrayRef stride,
                             std::optional<int64_t> storage_offset) {
  const int64_t offset = storage_offset.value_or(self.storage_offset());
  check_as_strided(self, size, stride, offset);
  return alias_with_sizes_and_strides(self, size, stride, offset);
}

Tensor& as_strided_(Tensor& self, IntArrayRef size, IntArrayRef stride,
                    std::optional<int64_t> storage_offset) {
  const int64_t offset = storage_offset.value_or(self.storage_offset());
  check_as_strided(self, size, stride, offset);
  self.unsafeGetTensorImpl()->set_sizes_and_strides(size, stride, offset);
  return self;
}

// ---- view and reshape

Tensor view(const Tensor& self, IntArrayRef size) {
  const std::vector<int64_t> shape = at::infer_size(size, self.numel());
  bool possible = false;
  const std::vector<int64_t> strides =
      compute_view_strides(self.sizes(), self.strides(), shape, &possible);
  TORCH_CHECK(possible,
              "view size is not compatible with input tensor's size and stride (at least one "
              "dimension spans across two contiguous subspaces). Use .reshape(...) instead.");
  return alias_with_sizes_and_strides(self, shape, strides);
}

// The bytes as another type. Between sizes of element the last dimension grows or shrinks.
Tensor view_dtype(const Tensor& self, ScalarType dtype) {
  if (self.scalar_type() == dtype) return native::alias(self);
  const auto from = static_cast<int64_t>(self.element_size());
  const auto to = static_cast<int64_t>(c10::elementSize(dtype));
  std::vector<int64_t> sizes = self.sizes().vec();
  std::vector<int64_t> strides = self.strides().vec();
  int64_t offset = self.storage_offset();
  if (from != to) {
    TORCH_CHECK(self.dim() != 0, "self.dim() cannot be 0 to view ", self.scalar_type(), " as ",
                dtype, " (different element sizes)");
    TORCH_CHECK(self.stride(-1) == 1, "self.stride(-1) must be 1 to view ", self.scalar_type(),
                " as ", dtype, " (different element sizes), but got ", self.stride(-1));
    if (from > to) {
      const int64_t ratio = from / to;
      for (size_t i = 0; i + 1 < strides.size(); ++i) strides[i] *= ratio;
      sizes.back() *= ratio;
      offset *= ratio;
    } else {
      const int64_t ratio = to / from;
      TORCH_CHECK(sizes.back() % ratio == 0, "self.size(-1) must be divisible by ", ratio,
                  " to view ", self.scalar_type(), " as ", dtype,
                  " (different element sizes), but got ", sizes.back());
      TORCH_CHECK(offset % ratio == 0, "self.storage_offset() must be divisible by ", ratio,
                  " to view ", self.scalar_type(), " as ", dtype,
                  " (different element sizes), but got ", offset);
      for (size_t i = 0; i + 1 < strides.size(); ++i) {
        TORCH_CHECK(strides[i] % ratio == 0, "self.stride(", i, ") must be divisible by ", ratio,
                    " to view ", self.scalar_type(), " as ", dtype,
                    " (different element sizes), but got ", strides[i]);
        strides[i] /= ratio;
      }
      sizes.back() /= ratio;
      offset /= ratio;
    }
  }
  Tensor result(c10::make_intrusive<TensorImpl, c10::UndefinedTensorImpl>(
      TensorImpl::VIEW, c10::Storage(self.storage()), self.key_set(),
      c10::scalarTypeToTypeMeta(dtype)));
  TensorImpl* impl = result.unsafeGetTensorImpl();
  impl->set_storage_offset(offset);
  impl->set_sizes_and_strides(sizes, strides);
  return result;
}

Tensor view_as(const Tensor& self, const Tensor& other) { return self.view(other.sizes()); }

Tensor _unsafe_view(const Tensor& self, IntArrayRef size) { return self.view(size); }

Tensor _reshape_alias(const Tensor& self, IntArrayRef size, IntArrayRef stride) {
  return alias_with_sizes_and_strides(self, size, stride);
}

Tensor reshape(const Tensor& self, IntArrayRef shape) {
  const std::vector<int64_t> size = at::infer_size(shape, self.numel());
  bool possible = false;
  compute_view_strides(self.sizes(), self.strides(), size, &possible);
  if (possible) return self.view(size);
  return at::_unsafe_view(self.clone(MemoryFormat::Contiguous), size);
}

Tensor reshape_as(const Tensor& self, const Tensor& other) { return self.reshape(other.sizes()); }

Tensor flatten(const Tensor& self, int64_t start_dim, int64_t end_dim) {
  start_dim = at::maybe_wrap_dim(start_dim, self.dim());
  end_dim = at::maybe_wrap_dim(end_dim, self.dim());
  TORCH_CHECK(start_dim <= end_dim,
              "flatten() has invalid args: start_dim cannot come after "
              "end_dim");
  if (self.dim() == 0) return self.reshape({1});
  if (start_dim == end_dim) return self;
  std::vector<int64_t> shape;
  int64_t flat = 1;
  for (int64_t d = 0; d < self.dim(); ++d) {
    if (d >= start_dim && d <= end_dim) flat *= self.size(d);
    if (d < start_dim || d > end_dim) shape.push_back(self.size(d));
    if (d == end_dim) shape.push_back(flat);
  }
  return self.reshape(shape);
}

Tensor ravel(const Tensor& self) { return self.contiguous().view({-1}); }

Tensor unflatten(const Tensor& self, int64_t dim, IntArrayRef sizes) {
  dim = at::maybe_wrap_dim(dim, self.dim());
  TORCH_CHECK(!sizes.empty(), "unflatten: sizes must be non-empty");
  const std::vector<int64_t> inner = at::infer_size(sizes, self.size(dim));
  std::vector<int64_t> shape = self.sizes().vec();
  shape.erase(shape.begin() + dim);
  shape.insert(shape.begin() + dim, inner.begin(), inner.end());
  return self.view(shape);
}

// ---- expand

Tensor expand(const Tensor& self, IntArrayRef size, bool implicit) {
  TORCH_CHECK(size.size() >= static_cast<size_t>(self.dim()), "expand(", self.toString(), "{",
              self.sizes(), "}, size=", size, "): the number of sizes provided (", size.size(),
              ") ", "must be greater or equal to the number of dimensions in the tensor (",
              self.dim(), ")");
  const auto geometry = inferExpandGeometry_dimvector(self.sizes(), self.strides(), size);
  return alias_with_sizes_and_strides(self, geometry.sizes, geometry.strides);
}

Tensor expand_as(const Tensor& self, const Tensor& other) { return self.expand(other.sizes()); }

Tensor sum_to_size(const Tensor& self, IntArrayRef size) {
  TORCH_CHECK(is_expandable_to(size, self.sizes()), "size {", size, "} is not expandable to size {",
              self.sizes(), "}.");
  return sum_to(self, size);
}

Tensor repeat(const Tensor& self, IntArrayRef repeats) {
  TORCH_CHECK(repeats.size() >= static_cast<size_t>(self.dim()),
              "Number of dimensions of repeat dims can not be smaller than number of dimensions "
              "of tensor");
  const auto added = static_cast<int64_t>(repeats.size()) - self.dim();
  std::vector<int64_t> target(repeats.size());
  // Each dimension becomes (repeats, size): the copy broadcasts over the first of the two.
  std::vector<int64_t> split;
  std::vector<int64_t> source;
  for (size_t i = 0; i < repeats.size(); ++i) {
    const auto d = static_cast<int64_t>(i);
    const int64_t size = d < added ? 1 : self.size(d - added);
    target[i] = repeats[i] * size;
    TORCH_CHECK(repeats[i] >= 0, "Trying to create tensor with negative dimension ", target[i],
                ": ", target);
    split.push_back(repeats[i]);
    split.push_back(size);
    source.push_back(1);
    source.push_back(size);
  }
  Tensor result = at::empty(target, self.options());
  if (result.numel() > 0) result.view(split).copy_(self.reshape(source));
  return result;
}

// ---- order of dimensions

Tensor permute(const Tensor& self, IntArrayRef dims) {
  const int64_t ndim = self.dim();
  TORCH_CHECK(ndim == static_cast<int64_t>(dims.size()),
              "permute(sparse_coo): number of dimensions in the tensor input does not match the "
              "length of the desired ordering of dimensions i.e. input.dim() = ",
              ndim, " is not equal to len(dims) = ", dims.size());
  std::vector<int64_t> sizes(ndim);
  std::vector<int64_t> strides(ndim);
  std::vector<bool> seen(ndim);
  for (int64_t i = 0; i < ndim; ++i) {
    const int64_t d = at::maybe_wrap_dim(dims[i], ndim);
    TORCH_CHECK(!seen[d], "permute(): duplicate dims are not allowed.");
    seen[d] = true;
    sizes[i] = self.size(d);
    strides[i] = self.stride(d);
  }
  return alias_with_sizes_and_strides(self, sizes, strides);
}

Tensor transpose(const Tensor& self, int64_t dim0, int64_t dim1) {
  dim0 = at::maybe_wrap_dim(dim0, self.dim());
  dim1 = at::maybe_wrap_dim(dim1, self.dim());
  if (dim0 == dim1) return native::alias(self);
  std::vector<int64_t> sizes = self.sizes().vec();
  std::vector<int64_t> strides = self.strides().vec();
  std::swap(sizes[dim0], sizes[dim1]);
  std::swap(strides[dim0], strides[dim1]);
  return alias_with_sizes_and_strides(self, sizes, strides);
}

Tensor& transpose_(Tensor& self, int64_t dim0, int64_t dim1) {
  const Tensor view = native::transpose(self, dim0, dim1);
  return self.as_strided_(view.sizes(), view.strides());
}

namespace {
void check_t(const Tensor& self, const char* name) {
  TORCH_CHECK(self.dim() <= 2, name, " expects a tensor with <= 2 dimensions, but self is ",
              self.dim(), "D");
}
}  // namespace

Tensor t(const Tensor& self) {
  check_t(self, "t()");
  return native::transpose(self, 0, self.dim() < 2 ? 0 : 1);
}

Tensor& t_(Tensor& self) {
  check_t(self, "t_()");
  return self.transpose_(0, self.dim() < 2 ? 0 : 1);
}

Tensor numpy_T(const Tensor& self) {
  const int64_t n = self.dim();
  if (n != 2 && n != 0) {
    TORCH_WARN_ONCE(
        "The use of `x.T` on tensors of dimension other than 2 to reverse their shape is "
        "deprecated and it will throw an error in a future release. Consider `x.mT` to transpose "
        "batches of matrices or `x.permute(*torch.arange(x.ndim - 1, -1, -1))` to reverse the "
        "dimensions of a tensor.");
  }
  std::vector<int64_t> dims(n);
  std::iota(dims.rbegin(), dims.rend(), int64_t{0});
  return self.permute(dims);
}

Tensor mT(const Tensor& self) {
  TORCH_CHECK(self.dim() >= 2,
              "tensor.mT is only supported on matrices or batches of matrices. "
              "Got ",
              self.dim(), "-D tensor.");
  return self.transpose(-2, -1);
}

Tensor movedim(const Tensor& self, IntArrayRef source, IntArrayRef destination) {
  TORCH_CHECK(source.size() == destination.size(),
              "movedim: Invalid source or destination dims: source (", source,
              " dims) should contain the same number of dims as destination (", destination,
              " dims)");
  const int64_t ndim = self.dim();
  const std::vector<int64_t> from = wrapped_dims(source, ndim);
  const std::vector<int64_t> to = wrapped_dims(destination, ndim);
  if (ndim == 0) return self.alias();
  std::vector<int64_t> order(ndim, -1);
  std::vector<bool> taken(ndim);
  for (size_t i = 0; i < from.size(); ++i) {
    TORCH_CHECK(!taken[from[i]], "movedim: repeated dim in `source` (", source, ")");
    TORCH_CHECK(order[to[i]] == -1, "movedim: repeated dim in `destination` (", destination, ")");
    taken[from[i]] = true;
    order[to[i]] = from[i];
  }
  int64_t next = 0;
  for (int64_t& dim : order) {
    if (dim != -1) continue;
    while (taken[next]) ++next;
    dim = next++;
  }
  return self.permute(order);
}

Tensor movedim(const Tensor& self, int64_t source, int64_t destination) {
  return at::movedim(self, IntArrayRef{source}, IntArrayRef{destination});
}

// ---- dimensions of size one

Tensor unsqueeze(const Tensor& self, int64_t dim) {
  dim = at::maybe_wrap_dim(dim, self.dim() + 1);
  std::vector<int64_t> sizes = self.sizes().vec();
  std::vector<int64_t> strides = self.strides().vec();
  const int64_t stride = dim >= self.dim() ? 1 : sizes[dim] * strides[dim];
  sizes.insert(sizes.begin() + dim, 1);
  strides.insert(strides.begin() + dim, stride);
  return alias_with_sizes_and_strides(self, sizes, strides);
}

Tensor& unsqueeze_(Tensor& self, int64_t dim) {
  const Tensor view = native::unsqueeze(self, dim);
  return self.as_strided_(view.sizes(), view.strides());
}

namespace {

// Without the dimensions of size 1 that `drop` selects.
template <typename Predicate>
Tensor squeeze_if(const Tensor& self, Predicate drop) {
  std::vector<int64_t> sizes;
  std::vector<int64_t> strides;
  for (int64_t d = 0; d < self.dim(); ++d) {
    if (self.size(d) == 1 && drop(d)) continue;
    sizes.push_back(self.size(d));
    strides.push_back(self.stride(d));
  }
  return alias_with_sizes_and_strides(self, sizes, strides);
}

Tensor& adopt_geometry(Tensor& self, const Tensor& view) {
  return self.as_strided_(view.sizes(), view.strides());
}

}  // namespace

Tensor squeeze(const Tensor& self) {
  return squeeze_if(self, [](int64_t) { return true; });
}

Tensor squeeze(const Tensor& self, int64_t dim) {
  dim = at::maybe_wrap_dim(dim, self.dim());
  return squeeze_if(self, [=](int64_t d) { return d == dim; });
}

Tensor squeeze(const Tensor& self, IntArrayRef dim) {
  const auto mask = at::dim_list_to_bitset(dim, self.dim());
  return squeeze_if(self, [&](int64_t d) { return mask[static_cast<size_t>(d)]; });
}

Tensor& squeeze_(Tensor& self) { return adopt_geometry(self, native::squeeze(self)); }
Tensor& squeeze_(Tensor& self, int64_t dim) {
  return adopt_geometry(self, native::squeeze(self, dim));
}
Tensor& squeeze_(Tensor& self, IntArrayRef dim) {
  return adopt_geometry(self, native::squeeze(self, dim));
}

// ---- parts

Tensor select(const Tensor& self, int64_t dim, int64_t index) {
  const int64_t ndim = self.dim();
  TORCH_CHECK_INDEX(ndim != 0, "select() cannot be applied to a 0-dim tensor.");
  dim = at::maybe_wrap_dim(dim, ndim);
  const int64_t size = self.size(dim);
  TORCH_CHECK_INDEX(-size <= index && index < size, "select(): index ", index,
                    " out of range for tensor of size ", self.sizes(), " at dimension ", dim);
  if (index < 0) index += size;
  std::vector<int64_t> sizes = self.sizes().vec();
  std::vector<int64_t> strides = self.strides().vec();
  const int64_t offset = self.storage_offset() + index * strides[dim];
  sizes.erase(sizes.begin() + dim);
  strides.erase(strides.begin() + dim);
  return alias_with_sizes_and_strides(self, sizes, strides, offset);
}

Tensor slice(const Tensor& self, int64_t dim, std::optional<int64_t> start,
             std::optional<int64_t> end, int64_t step) {
  TORCH_CHECK(self.dim() > 0, "slice() cannot be applied to a 0-dim tensor.");
  dim = at::maybe_wrap_dim(dim, self.dim());
  TORCH_CHECK(step > 0, "slice step must be positive");
  std::vector<int64_t> sizes = self.sizes().vec();
  std::vector<int64_t> strides = self.strides().vec();
  const int64_t size = sizes[dim];
  int64_t begin = start.value_or(0);
  int64_t finish = end.value_or(size);
  if (begin < 0) begin += size;
  if (finish < 0) finish += size;
  begin = std::clamp<int64_t>(begin, 0, size);
  finish = std::clamp<int64_t>(finish, begin, size);
  const int64_t length = finish - begin;
  const int64_t offset = self.storage_offset() + begin * strides[dim];
  sizes[dim] = divide_up(length, step);
  // A stride that does not fit is one that nothing takes: at most one element is left.
  if (__builtin_mul_overflow(strides[dim], step, &strides[dim])) strides[dim] = step;
  return alias_with_sizes_and_strides(self, sizes, strides, offset);
}

Tensor narrow(const Tensor& self, int64_t dim, int64_t start, int64_t length) {
  TORCH_CHECK(self.dim() > 0, "narrow() cannot be applied to a 0-dim tensor.");
  TORCH_CHECK(length >= 0, "narrow(): length must be non-negative.");
  const int64_t size = self.size(dim);
  TORCH_CHECK_INDEX(-size <= start && start <= size,
                    "start out of range (expected to be in range of [", -size, ", ", size,
                    "], but got ", start, ")");
  if (start < 0) start += size;
  TORCH_CHECK(start <= size - length, "start (", start, ") + length (", length,
              ") exceeds dimension size (", size, ").");
  return self.slice(dim, start, start + length, 1);
}

Tensor narrow(const Tensor& self, int64_t dim, const Tensor& start, int64_t length) {
  TORCH_CHECK(start.dim() == 0 && c10::isIntegralType(start.scalar_type(), /*includeBool=*/false),
              "start must be an 0-dim integral Tensor.");
  return native::narrow(self, dim, start.item().toLong(), length);
}

Tensor diagonal(const Tensor& self, int64_t offset, int64_t dim1, int64_t dim2) {
  dim1 = at::maybe_wrap_dim(dim1, self.dim());
  dim2 = at::maybe_wrap_dim(dim2, self.dim());
  TORCH_CHECK(dim1 != dim2, "diagonal dimensions cannot be identical ", dim1, ", ", dim2);
  int64_t length = 0;
  int64_t storage_offset = self.storage_offset();
  if (offset >= 0) {
    length = std::max<int64_t>(std::min(self.size(dim1), self.size(dim2) - offset), 0);
    if (length > 0) storage_offset += offset * self.stride(dim2);
  } else {
    length = std::max<int64_t>(std::min(self.size(dim1) + offset, self.size(dim2)), 0);
    if (length > 0) storage_offset -= offset * self.stride(dim1);
  }
  std::vector<int64_t> sizes = self.sizes().vec();
  std::vector<int64_t> strides = self.strides().vec();
  const int64_t stride = self.stride(dim1) + self.stride(dim2);
  sizes.erase(sizes.begin() + std::max(dim1, dim2));
  strides.erase(strides.begin() + std::max(dim1, dim2));
  sizes.erase(sizes.begin() + std::min(dim1, dim2));
  strides.erase(strides.begin() + std::min(dim1, dim2));
  sizes.push_back(length);
  strides.push_back(stride);
  return alias_with_sizes_and_strides(self, sizes, strides, storage_offset);
}

std::vector<Tensor> unbind(const Tensor& self, int64_t dim) {
  dim = at::maybe_wrap_dim(dim, self.dim());
  const int64_t size = self.size(dim);
  std::vector<Tensor> tensors;
  tensors.reserve(size);
  for (int64_t i = 0; i < size; ++i) tensors.push_back(self.select(dim, i));
  return tensors;
}

std::vector<Tensor> split(const Tensor& self, int64_t split_size, int64_t dim) {
  TORCH_CHECK(self.dim() != 0, "split expects at least a 1-dimensional tensor");
  TORCH_CHECK(split_size >= 0,
              "split expects split_size be non-negative, but got split_size=", split_size);
  const int64_t size = self.size(dim);
  TORCH_CHECK(split_size > 0 || size == 0,
              "split_size can only be 0 if dimension size is 0, but got dimension size of ", size);
  const int64_t splits = split_size == 0 ? 1 : std::max<int64_t>(divide_up(size, split_size), 1);
  std::vector<Tensor> result;
  result.reserve(splits);
  for (int64_t i = 0; i < splits; ++i) {
    const int64_t begin = i * split_size;
    result.push_back(self.narrow(dim, begin, std::min(split_size, size - begin)));
  }
  return result;
}

std::vector<Tensor> split(const Tensor& self, IntArrayRef split_size, int64_t dim) {
  return self.split_with_sizes(split_size, dim);
}

std::vector<Tensor> split_with_sizes(const Tensor& self, IntArrayRef split_sizes, int64_t dim) {
  TORCH_CHECK(self.dim() != 0, "split expects at least a 1-dimensional tensor");
  const int64_t size = self.size(dim);
  std::vector<Tensor> result;
  result.reserve(split_sizes.size());
  int64_t begin = 0;
  for (const int64_t length : split_sizes) {
    TORCH_CHECK(length >= 0,
                "split_with_sizes expects split_sizes have only non-negative entries, but got "
                "split_sizes=",
                split_sizes);
    if (length > size - begin) break;
    result.push_back(self.narrow(dim, begin, length));
    begin += length;
  }
  TORCH_CHECK(begin == size && result.size() == split_sizes.size(),
              "split_with_sizes expects split_sizes to sum exactly to ", size,
              " (input tensor's size at dimension ", dim, "), but got split_sizes=", split_sizes);
  return result;
}

std::vector<Tensor> chunk(const Tensor& self, int64_t chunks, int64_t dim) {
  TORCH_CHECK(self.dim() > 0, "chunk expects at least a 1-dimensional tensor");
  TORCH_CHECK(chunks > 0, "chunk expects `chunks` to be greater than 0, got: ", chunks);
  const int64_t size = self.size(dim);
  const int64_t split_size = divide_up(size, chunks);
  if (split_size == 0 && size == 0) {
    return self.split_with_sizes(std::vector<int64_t>(chunks, 0), dim);
  }
  return self.split(split_size, dim);
}

// ---- gradients of parts: zero outside of the part

Tensor select_backward(const Tensor& grad_output, IntArrayRef input_sizes, int64_t dim,
                       int64_t index) {
  Tensor grad_input = at::zeros(input_sizes, grad_output.options());
  grad_input.select(dim, index).copy_(grad_output);
  return grad_input;
}

Tensor slice_backward(const Tensor& grad_output, IntArrayRef input_sizes, int64_t dim,
                      int64_t start, int64_t end, int64_t step) {
  Tensor grad_input = at::zeros(input_sizes, grad_output.options());
  grad_input.slice(dim, start, end, step).copy_(grad_output);
  return grad_input;
}

}  // namespace at::native
