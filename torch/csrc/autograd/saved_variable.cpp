#include <torch/csrc/autograd/saved_variable.h>

#include <ATen/core/grad_mode.h>
#include <c10/util/Exception.h>
#include <c10/util/StringUtil.h>
#include <torch/csrc/autograd/function.h>
#include <torch/csrc/autograd/saved_variable_hooks.h>
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
    "Trying to backward through the graph a second time (or directly access saved tensors after they have already been freed). Saved intermediate values of the graph are freed when you call .backward() or autograd.grad(). Specify retain_graph=True if you need to backward through the graph a second time or if you need to access saved tensors after calling backward.";

SavedVariable::SavedVariable() = default;
SavedVariable::SavedVariable(SavedVariable&&) noexcept = default;
SavedVariable& SavedVariable::operator=(SavedVariable&&) noexcept = default;
SavedVariable::~SavedVariable() = default;

SavedVariable::SavedVariable(const Variable& variable, bool is_output, bool is_inplace_on_view) {
  if (!variable.defined()) {
    return;
  }
  TORCH_CHECK(
      !variable.is_inference(),
      "Inference tensors cannot be saved for backward. "
      "Please do not use Tensors created in inference mode in computation tracked by autograd. "
      "To work around this, you can make a clone to get a normal tensor and use it in autograd, or use `torch.no_grad()` instead of `torch.inference_mode()`.");
  was_default_constructed_ = false;
  saved_version_ = variable._version();
  output_nr_ = static_cast<uint32_t>(variable.output_nr());
  is_leaf_ = variable.is_leaf();
  is_output_ = is_output;
  is_inplace_on_view_ = is_inplace_on_view;
  if (is_inplace_on_view) {
    TORCH_INTERNAL_ASSERT(!is_leaf_ && is_output);
    weak_grad_fn_ = variable.grad_fn();
  }
  // A number that was made a tensor is nobody's business.
  auto hooks = variable.unsafeGetTensorImpl()->is_wrapped_number()
                   ? nullptr
                   : SavedTensorDefaultHooks::get_hooks();
  if (hooks) {
    save_metadata(variable);
    set_hooks_and_pack_data(std::move(hooks), variable);
    return;
  }
  saved_original_ = !is_output || is_leaf_;
  data_ = saved_original_ ? variable : variable.tensor_data();
}

SavedVariable::SavedVariable(const std::optional<Variable>& variable, bool is_output,
                             bool is_inplace_on_view)
    : SavedVariable(variable.has_value() ? *variable : Variable(), is_output, is_inplace_on_view) {}

void SavedVariable::save_metadata(const Variable& variable) {
  if (is_leaf_) {
    grad_accumulator_ = impl::grad_accumulator(variable);
    requires_grad_ = variable.requires_grad();
  } else if (!is_output_) {
    grad_fn_ = variable.grad_fn();
  }
}

void SavedVariable::reset_data() {
  hooks_.reset();
  grad_fn_.reset();
  data_.reset();
}

void SavedVariable::register_hooks(std::unique_ptr<SavedVariableHooks>&& hooks) {
  TORCH_INTERNAL_ASSERT(hooks);
  TORCH_CHECK(!hooks_,
              "Calling register_hooks on a saved tensor whose hooks have already been set. "
              "Hint: only one pair of hooks is allowed at a time.");
  if (!data_.defined()) {
    TORCH_CHECK(was_default_constructed_, ERR_BACKWARD_TWICE);
    TORCH_CHECK(false, "Calling register_hooks on a saved tensor with value None is forbidden");
  }
  check_version(impl::grad_fn_unsafe(data_));
  if (saved_original_) {
    save_metadata(data_);
  }
  set_hooks_and_pack_data(std::move(hooks), data_);
  saved_original_ = false;
  data_.reset();
}

void SavedVariable::set_hooks_and_pack_data(std::unique_ptr<SavedVariableHooks>&& hooks,
                                            const Variable& data) {
  const at::NoGradGuard no_grad;
  const uint32_t version = data._version();
  hooks->call_pack_hook(data);
  TORCH_CHECK(
      version == data._version(),
      "A saved tensor pack hook is modifying its input in place. "
      "Tensors provided as input to pack hook can not be modified by in-place operations as this can lead to unexpected side-effects. "
      "Please open an issue if you need to perform in-place operations on the input to a pack hook.");
  hooks_ = std::move(hooks);
}

void SavedVariable::check_version(const std::shared_ptr<Node>& grad_fn) const {
  const uint32_t current_version = data_._version();
  if (current_version == saved_version_) {
    return;
  }
  std::string message = c10::str(
      "one of the variables needed for gradient computation has been modified by an inplace operation: [",
      python_type_name(data_), " ", data_.sizes(), "]");
  if (grad_fn) {
    message += c10::str(", which is output ", output_nr_, " of ", grad_fn->forward_op_name(), ",");
  }
  message += c10::str(
      " is at version ", current_version, "; expected version ", saved_version_,
      " instead. Hint: enable anomaly detection to find the operation that failed to compute its gradient, with torch.autograd.set_detect_anomaly(True, check_nan=False).");
  TORCH_CHECK(false, message);
}

Variable SavedVariable::unpack(std::shared_ptr<Node> saved_for) const {
  if (was_default_constructed_) {
    return Variable();
  }
  TORCH_CHECK(hooks_ || data_.defined(), ERR_BACKWARD_TWICE);

  std::shared_ptr<Node> grad_fn;
  if (is_inplace_on_view_) {
    grad_fn = weak_grad_fn_.lock();
  } else if (hooks_) {
    grad_fn = grad_fn_;
  } else if (saved_original_) {
    grad_fn = impl::grad_fn_unsafe(data_);
  }
  if (!is_leaf_ && !grad_fn) {
    TORCH_CHECK(
        hooks_ || !saved_original_,
        "Trying to use a saved tensor that has been detached in-place, i.e. with .detach_(). "
        "This is not supported, please use out-of-place `.detach()` instead");
    TORCH_INTERNAL_ASSERT(saved_for, "No grad_fn for non-leaf saved tensor");
    grad_fn = std::move(saved_for);
  }
  if (!hooks_) {
    check_version(grad_fn);
    if (saved_original_) {
      return data_;
    }
  }

  const Variable data = hooks_ ? hooks_->call_unpack_hook() : data_;
  Variable variable;
  if (grad_fn) {
    variable = make_variable(data, Edge(std::move(grad_fn), output_nr_));
  } else {
    variable = make_variable(data, requires_grad_);
  }
  impl::set_version_counter(variable, impl::version_counter(data));
  if (is_leaf_ && requires_grad_ && !grad_accumulator_.expired()) {
    impl::set_grad_accumulator(variable, grad_accumulator_);
  }
  return variable;
}

}  // namespace torch::autograd
