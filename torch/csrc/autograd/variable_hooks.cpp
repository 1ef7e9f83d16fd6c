// What tensors ask of autograd: the implementation of at::impl::VariableHooksInterface.

#include <ATen/core/Tensor.h>
#include <ATen/core/VariableHooksInterface.h>
#include <ATen/ops/as_strided.h>
#include <c10/core/GradMode.h>
#include <c10/util/Exception.h>
#include <torch/csrc/autograd/autograd.h>
#include <torch/csrc/autograd/cpp_hook.h>
#include <torch/csrc/autograd/function.h>
#include <torch/csrc/autograd/variable.h>

#include <cstddef>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

namespace torch::autograd {

namespace {

struct VariableHooks final : public at::impl::VariableHooksInterface {
  at::TensorBase tensor_data(const at::TensorBase& self) const override {
    TORCH_CHECK(self.defined(), "cannot call tensor_data() on undefined tensor");
    return at::TensorBase(self.getIntrusivePtr()->shallow_copy_and_detach(
        self.unsafeGetTensorImpl()->version_counter(),
        /*allow_tensor_metadata_change=*/false));
  }

  at::TensorBase variable_data(const at::TensorBase& self) const override {
    TORCH_CHECK(self.defined(), "cannot call variable_data() on undefined tensor");
    return at::TensorBase(self.getIntrusivePtr()->shallow_copy_and_detach(
        /*version_counter=*/c10::VariableVersion(0), /*allow_tensor_metadata_change=*/false));
  }

  const std::shared_ptr<Node>& grad_fn(const at::TensorBase& self) const override;
  unsigned _register_hook(const at::TensorBase& self,
                          std::function<at::TensorBase(const at::TensorBase&)> hook) const override;
  void remove_hook(const at::TensorBase& self, unsigned pos) const override;
  void retain_grad(const at::TensorBase& self) const override;
  void set_data(const at::TensorBase& self, const at::TensorBase& new_data) const override;
  void _backward(const at::Tensor& self, at::TensorList inputs,
                 const std::optional<at::Tensor>& gradient, std::optional<bool> keep_graph,
                 bool create_graph) const override;
  void requires_grad_(const at::TensorBase& self, bool requires_grad) const override;

  bool is_view(const at::TensorBase& self) const override {
    const DifferentiableViewMeta* meta = impl::get_view_autograd_meta(self);
    return meta != nullptr && meta->has_bw_view();
  }

  const at::TensorBase& base(const at::TensorBase& self) const override {
    const DifferentiableViewMeta* meta = impl::get_view_autograd_meta(self);
    TORCH_CHECK(meta != nullptr && meta->has_bw_view(),
                "Can't get base of non-backward view Tensor");
    return meta->get_backward_view().base_;
  }

  const std::string& name(const at::TensorBase& self) const override {
    static const std::string none;
    const AutogradMeta* meta = impl::get_autograd_meta(self);
    return meta == nullptr ? none : meta->name_;
  }

  bool is_leaf(const at::TensorBase& self) const override { return grad_fn(self) == nullptr; }

  int64_t output_nr(const at::TensorBase& self) const override {
    const AutogradMeta* meta = impl::get_autograd_meta(self);
    return meta == nullptr ? 0 : meta->output_nr_;
  }

  at::TensorBase data(const at::TensorBase& self) const override { return variable_data(self); }

  int64_t _version(const at::TensorBase& self) const override {
    return self.unsafeGetTensorImpl()->version_counter().current_version();
  }

  bool retains_grad(const at::TensorBase& self) const override {
    const AutogradMeta* meta = impl::get_autograd_meta(self);
    return meta != nullptr && meta->retains_grad_;
  }
};

// The node of a view in the present graph of its base.
std::shared_ptr<Node> view_grad_fn(const at::TensorBase& view, const ViewInfo& info) {
  const c10::AutoGradMode record(true);
  const Variable& base = info.base_;
  const Variable fresh = info.has_view_fn() ? info.view_fn()(base)
                                            : at::as_strided(base, view.sizes(), view.strides(),
                                                             view.storage_offset());
  return impl::grad_fn_unsafe(fresh);
}

const std::shared_ptr<Node>& VariableHooks::grad_fn(const at::TensorBase& self) const {
  static const std::shared_ptr<Node> none;
  DifferentiableViewMeta* view_meta = impl::get_view_autograd_meta(self);
  if (view_meta == nullptr || !view_meta->has_bw_view()) {
    const AutogradMeta* meta = impl::get_autograd_meta(self);
    return meta == nullptr ? none : meta->grad_fn_;
  }
  std::lock_guard<std::mutex> lock(view_meta->mutex_);
  const ViewInfo& info = view_meta->get_backward_view();
  if (!view_meta->grad_fn_ && !info.base_.requires_grad()) {
    return view_meta->grad_fn_;
  }
  const auto version = static_cast<uint32_t>(_version(self));
  if (view_meta->get_attr_version() != version) {
    // The data changed under the view: its history is now a part of the base's.
    handle_view_on_rebase(view_meta, /*indirect=*/true);
    const std::shared_ptr<Node> old_node = view_meta->grad_fn_;
    const auto old_output_nr = static_cast<size_t>(view_meta->output_nr_);
    view_meta->grad_fn_ = view_grad_fn(self, info);
    view_meta->output_nr_ = 0;
    // To retain the gradient is a wish about the tensor. A node of several views has thrown above.
    if (view_meta->retains_grad_ && old_node && view_meta->grad_fn_ && old_output_nr == 0) {
      if (auto hook = old_node->pop_retains_grad_hook(0)) {
        view_meta->grad_fn_->add_retains_grad_hook(std::move(hook), 0);
      }
    }
    view_meta->set_attr_version(version);
  }
  return view_meta->grad_fn_;
}

unsigned VariableHooks::_register_hook(
    const at::TensorBase& self, std::function<at::TensorBase(const at::TensorBase&)> hook) const {
  TORCH_CHECK(self.requires_grad(),
              "cannot register a hook on a variable that doesn't require gradient");
  const Variable variable(self);
  AutogradMeta* meta = impl::get_autograd_meta(self);
  if (meta->cpp_hooks_list_ == nullptr) {
    impl::create_cpp_hook(variable);
  }
  meta->cpp_hooks_list_->push_back(
      [hook = std::move(hook)](const Variable& grad) -> Variable { return hook(grad); });
  return static_cast<unsigned>(meta->cpp_hooks_list_->size() - 1);
}

void VariableHooks::remove_hook(const at::TensorBase& self, unsigned pos) const {
  const AutogradMeta* meta = impl::get_autograd_meta(self);
  const auto list = meta == nullptr ? nullptr : meta->cpp_hooks_list_;
  TORCH_CHECK(list != nullptr && pos < list->size(), "Invalid index, no hook at position ", pos);
  (*list)[pos] = nullptr;
}

void VariableHooks::retain_grad(const at::TensorBase& self) const {
  TORCH_CHECK(self.requires_grad(), "can't retain_grad on Tensor that has requires_grad=False");
  if (self.is_leaf() || retains_grad(self)) {
    return;  // A leaf has its gradient anyway.
  }
  // Weak: the hook belongs to the graph, which the tensor keeps alive.
  const c10::weak_intrusive_ptr<c10::TensorImpl, c10::UndefinedTensorImpl> weak(
      self.getIntrusivePtr());
  auto hook = [weak](const Variable& grad) -> Variable {
    const auto strong = weak.lock();
    if (strong && grad.defined()) {
      Variable variable(strong);
      Variable& kept = variable.mutable_grad();
      kept = kept.defined() ? kept.add(grad) : grad.clone();
    }
    return Variable();
  };
  const auto& node = self.grad_fn();
  const auto output_nr = static_cast<size_t>(self.output_nr());
  node->add_retains_grad_hook(
      std::make_unique<CppFunctionSingleTensorPreHook>(std::move(hook), output_nr), output_nr);
  impl::get_autograd_meta(self)->retains_grad_ = true;
}

void VariableHooks::set_data(const at::TensorBase& self, const at::TensorBase& new_data) const {
  // Keeps the object, its hooks and accumulator; takes the other's storage and geometry.
  TORCH_CHECK(
      self.unsafeGetTensorImpl()->has_compatible_shallow_copy_type(
          new_data.unsafeGetTensorImpl()->key_set()),
      "Attempted to call `variable.set_data(tensor)`, but `variable` and `tensor` have incompatible tensor type.");
  TORCH_CHECK(
      !self.requires_grad() || isDifferentiableType(new_data.scalar_type()),
      "data set to a tensor that requires gradients must be floating point or complex dtype");
  if (AutogradMeta* meta = impl::get_autograd_meta(self)) {
    const std::lock_guard<std::mutex> lock(meta->mutex_);
    const auto accumulator = meta->grad_accumulator_.lock();
    if (accumulator &&
        (new_data.scalar_type() != self.scalar_type() || new_data.device() != self.device() ||
         !new_data.sizes().equals(self.sizes()))) {
      meta->grad_accumulator_.reset();  // It knows the old dtype, device and shape.
    }
  }
  self.unsafeGetTensorImpl()->shallow_copy_from(new_data.getIntrusivePtr());
}

void VariableHooks::_backward(const at::Tensor& self, at::TensorList inputs,
                              const std::optional<at::Tensor>& gradient,
                              std::optional<bool> keep_graph, bool create_graph) const {
  backward({self}, {gradient.value_or(at::Tensor())}, keep_graph, create_graph, inputs.vec());
}

void VariableHooks::requires_grad_(const at::TensorBase& self, bool requires_grad) const {
  TORCH_CHECK(
      self.is_leaf() || requires_grad,
      "you can only change requires_grad flags of leaf variables. "
      "If you want to use a computed variable in a subgraph that doesn't require differentiation use var_no_grad = var.detach().");
  if (self.is_leaf()) {
    self.set_requires_grad(requires_grad);
  }
}

VariableHooks variable_hooks;
at::impl::VariableHooksRegisterer register_variable_hooks(&variable_hooks);

}  // namespace
}  // namespace torch::autograd
