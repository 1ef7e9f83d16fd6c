// Splitting tensors at indices and into sections; the parts are views.

#define TORCH_ASSERT_ONLY_METHOD_OPERATORS
#include <ATen/WrapDimUtils.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/dsplit_native.h>
#include <ATen/ops/hsplit_native.h>
#include <ATen/ops/split_copy_native.h>
#include <ATen/ops/split_with_sizes_copy_native.h>
#include <ATen/ops/tensor_split_native.h>
#include <ATen/ops/unbind_copy_native.h>
#include <ATen/ops/unsafe_chunk_native.h>
#include <ATen/ops/unsafe_split_native.h>
#include <ATen/ops/unsafe_split_with_sizes_native.h>
#include <ATen/ops/vsplit_native.h>
#include <c10/core/GradMode.h>
#include <c10/core/ScalarType.h>
#include <c10/util/Exception.h>

#include <vector>

namespace at::native {

std::vector<Tensor> tensor_split(const Tensor& self, int64_t sections, int64_t dim) {
  TORCH_CHECK(self.dim() > 0,
              "tensor_split expected at least a 1-dimensional tensor, but got a tensor with ",
              self.dim(), " dims");
  const int64_t d = at::maybe_wrap_dim(dim, self.dim());
  TORCH_CHECK(sections > 0, "number of sections must be larger than 0, got ", sections);
  const int64_t size = self.size(d);
  const int64_t small = size / sections;
  const int64_t larger = size % sections;
  std::vector<Tensor> parts;
  int64_t start = 0;
  for (int64_t i = 0; i < sections; ++i) {
    // The first ones take one more.
    const int64_t length = i < larger ? small + 1 : small;
    parts.push_back(self.slice(d, start, start + length));
    start += length;
  }
  return parts;
}

std::vector<Tensor> tensor_split(const Tensor& self, IntArrayRef indices, int64_t dim) {
  TORCH_CHECK(self.dim() > 0,
              "tensor_split expected at least a 1-dimensional tensor, but got a tensor with ",
              self.dim(), " dims");
  const int64_t d = at::maybe_wrap_dim(dim, self.dim());
  std::vector<Tensor> parts;
  int64_t start = 0;
  for (const int64_t end : indices) {
    parts.push_back(self.slice(d, start, end));
    start = end;
  }
  parts.push_back(self.slice(d, start, self.size(d)));
  return parts;
}

std::vector<Tensor> tensor_split(const Tensor& self, const Tensor& tensor_indices_or_sections,
                                 int64_t dim) {
  TORCH_CHECK(self.dim() > 0,
              "tensor_split expected at least a 1-dimensional tensor, but got a tensor with ",
              self.dim(), " dims");
  const Tensor& places = tensor_indices_or_sections;
  TORCH_CHECK(places.device().is_cpu(),
              "tensor_split expected tensor_indices_or_sections to be on cpu, but it's on ",
              places.device());
  TORCH_CHECK(places.scalar_type() == kLong,
              "tensor_split expected tensor_indices_or_sections to have dtype of long, but got ",
              places.scalar_type());
  TORCH_CHECK(
      places.dim() <= 1,
      "tensor_split expected tensor_indices_or_sections to be a zero-dimensional or one-dimensional tensor, but got a tensor with ",
      places.dim(), " dims");
  if (places.dim() == 0) return self.tensor_split(places.item().toLong(), dim);
  const Tensor list = places.contiguous();
  return self.tensor_split(
      IntArrayRef(list.const_data_ptr<int64_t>(), static_cast<size_t>(list.numel())), dim);
}

namespace {

void check_sections(const char* name, const Tensor& self, int64_t sections, int64_t dim) {
  TORCH_CHECK(sections != 0 && self.size(dim) % sections == 0, "torch.", name,
              " attempted to split along dimension ", dim, ", but the size of the dimension ",
              self.size(dim), " is not divisible by the split_size ", sections, "!");
}

}  // namespace

std::vector<Tensor> hsplit(const Tensor& self, int64_t sections) {
  TORCH_CHECK(self.dim() >= 1,
              "torch.hsplit requires a tensor with at least 1 dimension, but got a tensor with ",
              self.dim(), " dimensions!");
  const int64_t dim = self.dim() == 1 ? 0 : 1;
  check_sections("hsplit", self, sections, dim);
  return self.tensor_split(sections, dim);
}

std::vector<Tensor> hsplit(const Tensor& self, IntArrayRef indices) {
  TORCH_CHECK(self.dim() >= 1,
              "torch.hsplit requires a tensor with at least 1 dimension, but got a tensor with ",
              self.dim(), " dimensions!");
  return self.tensor_split(indices, self.dim() == 1 ? 0 : 1);
}

std::vector<Tensor> vsplit(const Tensor& self, int64_t sections) {
  TORCH_CHECK(self.dim() >= 2,
              "torch.vsplit requires a tensor with at least 2 dimension, but got a tensor with ",
              self.dim(), " dimensions!");
  check_sections("vsplit", self, sections, 0);
  return self.tensor_split(sections, 0);
}

std::vector<Tensor> vsplit(const Tensor& self, IntArrayRef indices) {
  TORCH_CHECK(self.dim() >= 2,
              "torch.vsplit requires a tensor with at least 2 dimension, but got a tensor with ",
              self.dim(), " dimensions!");
  return self.tensor_split(indices, 0);
}

std::vector<Tensor> dsplit(const Tensor& self, int64_t sections) {
  TORCH_CHECK(self.dim() >= 3,
              "torch.dsplit requires a tensor with at least 3 dimension, but got a tensor with ",
              self.dim(), " dimensions!");
  check_sections("dsplit", self, sections, 2);
  return self.tensor_split(sections, 2);
}

std::vector<Tensor> dsplit(const Tensor& self, IntArrayRef indices) {
  TORCH_CHECK(self.dim() >= 3,
              "torch.dsplit requires a tensor with at least 3 dimension, but got a tensor with ",
              self.dim(), " dimensions!");
  return self.tensor_split(indices, 2);
}

// Parts that autograd does not take for views, so that they may be written to in place: where it
// watches they are copies, elsewhere they share memory.

namespace {

std::vector<Tensor> unwatched(const Tensor& self, std::vector<Tensor> views) {
  const bool watched = c10::GradMode::is_enabled() && self.requires_grad();
  for (Tensor& view : views) view = watched ? view.clone() : view.detach();
  return views;
}

}  // namespace

std::vector<Tensor> unsafe_split(const Tensor& self, int64_t split_size, int64_t dim) {
  return unwatched(self, self.split(split_size, dim));
}

std::vector<Tensor> unsafe_split_with_sizes(const Tensor& self, IntArrayRef split_sizes,
                                            int64_t dim) {
  return unwatched(self, self.split_with_sizes(split_sizes, dim));
}

std::vector<Tensor> unsafe_chunk(const Tensor& self, int64_t chunks, int64_t dim) {
  return unwatched(self, self.chunk(chunks, dim));
}

// Copies.

namespace {

std::vector<Tensor> copies(std::vector<Tensor> views) {
  for (Tensor& view : views) view = view.clone();
  return views;
}

}  // namespace

std::vector<Tensor> split_copy(const Tensor& self, int64_t split_size, int64_t dim) {
  return copies(self.split(split_size, dim));
}

std::vector<Tensor> split_with_sizes_copy(const Tensor& self, IntArrayRef split_sizes,
                                          int64_t dim) {
  return copies(self.split_with_sizes(split_sizes, dim));
}

std::vector<Tensor> unbind_copy(const Tensor& self, int64_t dim) {
  return copies(self.unbind(dim));
}

}  // namespace at::native
