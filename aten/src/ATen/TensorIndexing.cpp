#include <ATen/TensorIndexing.h>

#include <ATen/core/Formatting.h>
#include <ATen/ops/alias_ops.h>
#include <ATen/ops/copy_ops.h>
#include <ATen/ops/empty_ops.h>
#include <ATen/ops/expand_ops.h>
#include <ATen/ops/fill_ops.h>
#include <ATen/ops/index_ops.h>
#include <ATen/ops/index_put_ops.h>
#include <ATen/ops/item_ops.h>
#include <ATen/ops/reshape_ops.h>
#include <ATen/ops/scalar_tensor_ops.h>
#include <ATen/ops/select_ops.h>
#include <ATen/ops/slice_ops.h>
#include <ATen/ops/to_ops.h>
#include <ATen/ops/unsqueeze_ops.h>
#include <ATen/ops/zeros_ops.h>
#include <c10/core/ScalarType.h>

#include <algorithm>
#include <ostream>

namespace at::indexing {

namespace {

bool is_mask_type(ScalarType type) { return type == kBool || type == kByte; }

Tensor index_tensor_of_bool(bool value, Device device) {
  if (value) return at::_ops::zeros::call({1}, kLong, std::nullopt, device, std::nullopt);
  return at::_ops::empty_memory_format::call({0}, kLong, std::nullopt, device, std::nullopt,
                                             std::nullopt);
}

impl::IndexedView apply(const Tensor& self, ArrayRef<TensorIndex> indices) {
  int64_t specified = 0;
  for (const TensorIndex& index : indices) {
    if (index.is_tensor()) {
      specified += impl::dims_of_index(index.tensor());
    } else if (index.is_integer() || index.is_slice()) {
      ++specified;
    }
  }
  impl::IndexedView result(self, specified);
  for (const TensorIndex& index : indices) {
    if (index.is_none()) result.none();
    if (index.is_ellipsis()) result.ellipsis();
    if (index.is_integer()) result.integer(index.integer().expect_int());
    if (index.is_boolean()) result.boolean(index.boolean());
    if (index.is_slice()) {
      const Slice& slice = index.slice();
      result.slice(slice.start().expect_int(), slice.stop().expect_int(),
                   slice.step().expect_int());
    }
    if (index.is_tensor()) result.tensor(index.tensor());
  }
  return result;
}

}  // namespace

std::ostream& operator<<(std::ostream& stream, const Slice& slice) {
  return stream << slice.start() << ':' << slice.stop() << ':' << slice.step();
}

std::ostream& operator<<(std::ostream& stream, const TensorIndex& index) {
  if (index.is_none()) return stream << "None";
  if (index.is_ellipsis()) return stream << "...";
  if (index.is_integer()) return stream << index.integer();
  if (index.is_boolean()) return stream << (index.boolean() ? "true" : "false");
  if (index.is_slice()) return stream << index.slice();
  return stream << index.tensor();
}

std::ostream& operator<<(std::ostream& stream, const std::vector<TensorIndex>& indices) {
  stream << '(';
  for (size_t i = 0; i < indices.size(); ++i) stream << (i == 0 ? "" : ", ") << indices[i];
  return stream << ')';
}

namespace impl {

int64_t dims_of_index(const Tensor& index) {
  return is_mask_type(index.scalar_type()) ? index.dim() : 1;
}

Tensor select(const Tensor& self, int64_t dim, int64_t index, int64_t real_dim) {
  TORCH_CHECK_INDEX(
      self.dim() != 0,
      "invalid index of a 0-dim tensor. Use `tensor.item()` in Python or `tensor.item<T>()` in C++ to convert a 0-dim tensor to a number");
  const int64_t size = self.sizes()[static_cast<size_t>(dim)];
  TORCH_CHECK_INDEX(-size <= index && index < size, "index ", index,
                    " is out of bounds for dimension ", real_dim, " with size ", size);
  return at::_ops::select_int::call(self, dim, index);
}

Tensor slice(const Tensor& self, int64_t dim, int64_t start, int64_t stop, int64_t step) {
  TORCH_CHECK_INDEX(self.dim() != 0, "slice() cannot be applied to a 0-dim tensor.");
  TORCH_CHECK_VALUE(step > 0, "step must be greater than zero");
  const int64_t size = self.sizes()[static_cast<size_t>(dim)];
  const auto bound = [size](int64_t place) {
    return std::clamp<int64_t>(place < 0 ? std::max(place, -size) + size : place, 0, size);
  };
  start = bound(start);
  stop = bound(stop);
  if (start == 0 && stop == size && step == 1) return self;
  return at::_ops::slice_Tensor::call(self, dim, start, std::max(start, stop), step);
}

Tensor strip_leading_ones(const Tensor& value, int64_t dim) {
  const IntArrayRef sizes = value.sizes();
  size_t skip = 0;
  while (static_cast<int64_t>(sizes.size() - skip) > dim && sizes[skip] == 1) ++skip;
  if (skip == 0) return value;
  return at::_ops::reshape::call(value, sizes.slice(skip));
}

IndexedView::IndexedView(const Tensor& self, int64_t specified)
    : self_(self), view_(self), specified_(specified) {
  TORCH_CHECK_INDEX(specified <= self.dim(), "too many indices for tensor of dimension ",
                    self.dim());
}

void IndexedView::keep_dim() {
  tensors_.emplace_back();
  ++dim_;
}

void IndexedView::none() {
  view_ = at::_ops::unsqueeze::call(view_, dim_);
  keep_dim();
}

void IndexedView::ellipsis() {
  for (int64_t k = self_.dim() - specified_; k > 0; --k) {
    keep_dim();
    ++real_dim_;
  }
}

void IndexedView::boolean(bool value) {
  view_ = at::_ops::unsqueeze::call(view_, dim_);
  tensors_.emplace_back(index_tensor_of_bool(value, Device(kCPU)));
  has_tensors_ = true;
  ++dim_;
}

void IndexedView::integer(int64_t index) {
  view_ = impl::select(view_, dim_, index, real_dim_);
  ++real_dim_;
}

void IndexedView::slice(int64_t start, int64_t stop, int64_t step) {
  view_ = impl::slice(view_, dim_, start, stop, step);
  keep_dim();
  ++real_dim_;
}

void IndexedView::index_by(Tensor index, int64_t dims) {
  if (is_mask_type(index.scalar_type())) {
    for (int64_t k = 0; k < index.dim(); ++k) {
      TORCH_CHECK_INDEX(index.size(k) == view_.size(dim_ + k), "The shape of the mask ",
                        index.sizes(), " at index ", k,
                        " does not match the shape of the indexed tensor ", self_.sizes(),
                        " at index ", dim_ + k);
    }
  }
  tensors_.emplace_back(std::move(index));
  has_tensors_ = true;
  dim_ += dims;
  real_dim_ += dims;
}

void IndexedView::tensor(const Tensor& index) {
  const ScalarType type = index.scalar_type();
  if (index.dim() == 0 && is_mask_type(type)) {
    view_ = at::_ops::unsqueeze::call(view_, dim_);
    index_by(index_tensor_of_bool(at::_ops::item::call(index).toLong() != 0, Device(kCPU)), 1);
    --real_dim_;
  } else if (index.dim() == 0 && c10::isIntegralType(type, /*includeBool=*/false)) {
    integer(at::_ops::item::call(index).toLong());
  } else {
    index_by(index, dims_of_index(index));
  }
}

c10::List<std::optional<Tensor>> IndexedView::tensors() const {
  c10::List<std::optional<Tensor>> list;
  for (const std::optional<Tensor>& tensor : tensors_) {
    if (tensor && tensor->device() != view_.device()) {
      list.push_back(at::_ops::to_dtype_layout::call(*tensor, std::nullopt, std::nullopt,
                                                     view_.device(), std::nullopt, false, false,
                                                     std::nullopt));
    } else {
      list.push_back(tensor);
    }
  }
  return list;
}

}  // namespace impl

Tensor get_item(const Tensor& self, ArrayRef<TensorIndex> indices) {
  const impl::IndexedView indexed = apply(self, indices);
  if (indexed.has_tensors()) return at::_ops::index_Tensor::call(indexed.view(), indexed.tensors());
  return indexed.view().is_same(self) ? at::_ops::alias::call(self) : indexed.view();
}

void set_item(const Tensor& self, ArrayRef<TensorIndex> indices, const Tensor& value) {
  const impl::IndexedView indexed = apply(self, indices);
  Tensor view = indexed.view();
  if (indexed.has_tensors()) {
    at::_ops::index_put_::call(view, indexed.tensors(), impl::strip_leading_ones(value, 0), false);
    return;
  }
  const Tensor stripped = impl::strip_leading_ones(value, view.dim());
  at::_ops::copy_::call(view, at::_ops::expand::call(stripped, view.sizes(), false), false);
}

void set_item(const Tensor& self, ArrayRef<TensorIndex> indices, const Scalar& value) {
  const impl::IndexedView indexed = apply(self, indices);
  Tensor view = indexed.view();
  if (!indexed.has_tensors()) {
    at::_ops::fill__Scalar::call(view, value);
    return;
  }
  const Tensor number = at::_ops::scalar_tensor::call(value, self.scalar_type(), std::nullopt,
                                                      self.device(), std::nullopt);
  at::_ops::index_put_::call(view, indexed.tensors(), number, false);
}

}  // namespace at::indexing

namespace at {

Tensor Tensor::index(ArrayRef<indexing::TensorIndex> indices) const {
  TORCH_CHECK_INDEX(!indices.empty(),
                    "Passing an empty index list to Tensor::index() is not valid syntax");
  return indexing::get_item(*this, indices);
}

Tensor Tensor::index(std::initializer_list<indexing::TensorIndex> indices) const {
  return index(ArrayRef<indexing::TensorIndex>(indices));
}

Tensor& Tensor::index_put_(ArrayRef<indexing::TensorIndex> indices, const Tensor& rhs) {
  TORCH_CHECK_INDEX(!indices.empty(),
                    "Passing an empty index list to Tensor::index_put_() is not valid syntax");
  indexing::set_item(*this, indices, rhs);
  return *this;
}

Tensor& Tensor::index_put_(ArrayRef<indexing::TensorIndex> indices, const Scalar& v) {
  TORCH_CHECK_INDEX(!indices.empty(),
                    "Passing an empty index list to Tensor::index_put_() is not valid syntax");
  indexing::set_item(*this, indices, v);
  return *this;
}

Tensor& Tensor::index_put_(std::initializer_list<indexing::TensorIndex> indices,
                           const Tensor& rhs) {
  return index_put_(ArrayRef<indexing::TensorIndex>(indices), rhs);
}

Tensor& Tensor::index_put_(std::initializer_list<indexing::TensorIndex> indices, const Scalar& v) {
  return index_put_(ArrayRef<indexing::TensorIndex>(indices), v);
}

}  // namespace at
