#include <torch/csrc/autograd/saved_variable.h>

#include <c10/util/Exception.h>
#include <c10/util/StringUtil.h>
#include <torch/csrc/autograd/function.h>
#include <torch/csrc/autograd/variable.h>

#include <string>
#include <utility>

namespace torch::autograd {

namespace {

// What Python calls the type of a tensor: torch.FloatTensor, torch.cuda.FloatTensor.
std::string python_type_name(const at::TensorBase& tensor) {
  const c10::DeviceType type = tensor.device().type();
  const std::string module =
      type == c10::DeviceType::CPU ? "" : c10::DeviceTypeName(type, /*lower_case=*/true) + ".";
  return c10::str("torch.", module, c10::toString(tensor.scalar_type()), "Tensor");
}

}  // namespace

const char* ERR_BACKWARD_TWICE =
    "Trying to backward through the graph a second time (or directly access saved tensors after "
    "they have already been freed). Saved intermediate values of the graph are freed when you "
    "call .backward() or autograd.grad(). Specify retain_graph=True if you need to backward "
    "through the graph a second time or if you need to access saved tensors after calling "
    "backward.";

SavedVariable::SavedVariable(const Variable& variable, bool is_output, bool is_inplace_on_view) {
  if (!variable.defined()) {
    return;
  }
  TORCH_CHECK(
      !variable.is_inference(),
      "Inference tensors cannot be saved for backward. Please do not use Tensors created in "
      "inference mode in computation tracked by autograd. To work around this, you can make "
      "a clone to get a normal tensor and use it in autograd, or use `torch.no_grad()` "
      "instead of `torch.inference_mode()`.");
  was_default_constructed_ = false;
  saved_version_ = variable._version();
  output_nr_ = static_cast<uint32_t>(variable.output_nr());
  is_leaf_ = variable.is_leaf();
  is_inplace_on_view_ = is_inplace_on_view;
  if (is_inplace_on_view) {
    TORCH_INTERNAL_ASSERT(!is_leaf_ && is_output);
    weak_grad_fn_ = variable.grad_fn();
  }
  saved_original_ = !is_output || is_leaf_;
  data_ = saved_original_ ? variable : variable.tensor_data();
}

SavedVariable::SavedVariable(const std::optional<Variable>& variable, bool is_output,
                             bool is_inplace_on_view)
    : SavedVariable(variable.has_value() ? *variable : Variable(), is_output, is_inplace_on_view) {}

void SavedVariable::reset_data() { data_.reset(); }

Variable SavedVariable::unpack(std::shared_ptr<Node> saved_for) const {
  if (was_default_constructed_) {
    return Variable();
  }
  TORCH_CHECK(data_.defined(), ERR_BACKWARD_TWICE);

  std::shared_ptr<Node> grad_fn;
  if (is_inplace_on_view_) {
    grad_fn = weak_grad_fn_.lock();
  } else if (saved_original_) {
    grad_fn = impl::grad_fn_unsafe(data_);
  }
  if (!is_leaf_ && !grad_fn) {
    TORCH_INTERNAL_ASSERT(saved_for, "No grad_fn for non-leaf saved tensor");
    grad_fn = std::move(saved_for);
  }

  const uint32_t current_version = data_._version();
  if (current_version != saved_version_) {
    std::string message = c10::str(
        "one of the variables needed for gradient computation has been modified by an inplace "
        "operation: [",
        python_type_name(data_), " ", data_.sizes(), "]");
    if (grad_fn) {
      message +=
          c10::str(", which is output ", output_nr_, " of ", grad_fn->forward_op_name(), ",");
    }
    message += c10::str(" is at version ", current_version, "; expected version ", saved_version_,
                        " instead. Hint: enable anomaly detection to find the operation that "
                        "failed to compute its gradient, with "
                        "torch.autograd.set_detect_anomaly(True, check_nan=False).");
    TORCH_CHECK(false, message);
  }

  if (saved_original_) {
    return data_;
  }
  Variable variable = make_variable(data_, Edge(std::move(grad_fn), output_nr_));
  impl::set_version_counter(variable, impl::version_counter(data_));
  return variable;
}

}  // namespace torch::autograd
