#include <torch/csrc/autograd/input_metadata.h>

#include <ATen/ExpandUtils.h>
#include <ATen/ops/zeros.h>
#include <c10/util/StringUtil.h>

namespace torch::autograd {

InputMetadata::InputMetadata(const at::Tensor& t) : InputMetadata(t.options(), t.sizes()) {}

InputMetadata::InputMetadata(const at::TensorOptions& options, c10::IntArrayRef shape)
    : options_(options), shape_(shape.begin(), shape.end()), was_default_constructed_(false) {}

at::ScalarType InputMetadata::dtype() const { return c10::typeMetaToScalarType(options_.dtype()); }

at::Tensor InputMetadata::zeros_like() const { return at::zeros(shape_, options_); }

bool InputMetadata::is_same_shape(const at::Tensor& grad) const { return grad.sizes() == shape(); }

bool InputMetadata::is_expandable_to_shape(const at::Tensor& grad) const {
  return at::is_expandable_to(shape_, grad.sizes());
}

at::Tensor InputMetadata::reduce_grad(const at::Tensor& grad) const {
  return at::sum_to(grad, shape_);
}

std::string InputMetadata::incompatible_shape_error_message(size_t index,
                                                            const at::Tensor& grad) const {
  return c10::str("invalid gradient at index ", index, " - got ", grad.sizes(),
                  " but expected shape compatible with ", shape());
}

}  // namespace torch::autograd
