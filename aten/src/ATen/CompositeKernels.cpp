#include <ATen/CompositeKernels.h>

#include <ATen/native/LinalgSupport.h>
#include <ATen/native/Resize.h>
#include <ATen/ops/clone.h>
#include <c10/core/MemoryFormat.h>
#include <c10/util/Exception.h>

#include <cstddef>

namespace at::impl {

namespace {

template <typename Copy>
std::vector<Tensor> copied(TensorList tensors, Copy copy) {
  std::vector<Tensor> result;
  result.reserve(tensors.size());
  for (const Tensor& tensor : tensors) {
    result.push_back(copy(tensor));
  }
  return result;
}

void check_same_length(TensorList out, TensorList values) {
  TORCH_CHECK(out.size() == values.size(), "Expected a list of ", values.size(),
              " out tensors, but got ", out.size());
}

}  // namespace

Tensor clone_argument(const Tensor& argument) { return at::clone(argument); }

std::optional<Tensor> clone_argument(const std::optional<Tensor>& argument) {
  return argument.has_value() ? std::make_optional(at::clone(*argument)) : std::nullopt;
}

std::vector<Tensor> clone_argument(TensorList argument) {
  return copied(argument, [](const Tensor& tensor) { return at::clone(tensor); });
}

void copy_to_out(const Tensor& out, const Tensor& value) {
  TORCH_CHECK(value.dtype() == out.dtype(), "Expected out tensor to have dtype ", value.dtype(),
              ", but got ", out.dtype(), " instead");
  at::native::resize_output(out, value.sizes());
  out.copy_(value);
}

void copy_to_out(TensorList out, TensorList values) {
  check_same_length(out, values);
  for (size_t i = 0; i < out.size(); ++i) {
    copy_to_out(out[i], values[i]);
  }
}

void write_to_out(const Tensor& out, const Tensor& value) {
  Tensor written = out;
  at::native::write_linalg_out(value, written);
}

void write_to_out(TensorList out, TensorList values) {
  check_same_length(out, values);
  for (size_t i = 0; i < out.size(); ++i) {
    write_to_out(out[i], values[i]);
  }
}

Tensor contiguous_copy(const Tensor& view) {
  return at::clone(view, c10::MemoryFormat::Contiguous);
}

std::vector<Tensor> contiguous_copy(TensorList views) {
  return copied(views, [](const Tensor& view) { return contiguous_copy(view); });
}

}  // namespace at::impl
