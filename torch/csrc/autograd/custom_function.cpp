#include <torch/csrc/autograd/custom_function.h>

#include <torch/csrc/autograd/VariableTypeUtils.h>

#include <utility>

namespace torch::autograd {

variable_list AutogradContext::get_saved_variables() const {
  TORCH_CHECK(!has_freed_buffers_, ERR_BACKWARD_TWICE);
  const auto node = grad_fn_.lock();
  variable_list saved;
  saved.reserve(saved_variables_.size());
  for (const SavedVariable& variable : saved_variables_) {
    saved.push_back(variable.unpack(node));
  }
  return saved;
}

void AutogradContext::mark_dirty(const variable_list& inputs) {
  dirty_inputs_.clear();
  for (const Variable& input : inputs) {
    dirty_inputs_.insert(input.unsafeGetTensorImpl());
  }
}

void AutogradContext::mark_non_differentiable(const variable_list& outputs) {
  non_differentiable_.clear();
  for (const Variable& output : outputs) {
    non_differentiable_.insert(output.unsafeGetTensorImpl());
  }
}

bool AutogradContext::needs_input_grad(size_t output_edge_index) const {
  const auto node = grad_fn_.lock();
  TORCH_INTERNAL_ASSERT(node, "the node of this context is gone");
  return node->task_should_compute_output(output_edge_index);
}

void AutogradContext::save_variables() {
  saved_variables_.clear();
  const auto node = grad_fn_.lock();
  for (const Variable& variable : to_save_) {
    const bool is_output =
        variable.defined() && node != nullptr && impl::grad_fn_unsafe(variable) == node;
    saved_variables_.emplace_back(variable, is_output);
  }
  to_save_.clear();
}

variable_list _wrap_custom_outputs(AutogradContext& ctx, const variable_list& inputs,
                                   const variable_list& outputs,
                                   const std::shared_ptr<Node>& node) {
  std::unordered_set<at::TensorImpl*> input_impls;
  for (const Variable& input : inputs) {
    input_impls.insert(input.unsafeGetTensorImpl());
  }
  variable_list wrapped;
  wrapped.reserve(outputs.size());
  for (Variable output : outputs) {
    at::TensorImpl* const original = output.unsafeGetTensorImpl();
    const bool is_input = input_impls.count(original) > 0;
    const bool is_dirty = ctx.dirty_inputs_.count(original) > 0;
    const bool differentiable = output.defined() && ctx.non_differentiable_.count(original) == 0 &&
                                isDifferentiableType(output.scalar_type());
    if (!output.defined()) {
      if (node) {
        node->add_input_metadata(Node::undefined_input());
      }
    } else if (!differentiable) {
      if (is_input && !is_dirty) {
        output = output.detach();
      }
      if (node) {
        node->add_input_metadata(output);
      }
    } else if (is_dirty) {
      check_inplace_allowed(output, node != nullptr);
      if (node) {
        rebase_history(output, node);
      }
    } else {
      if (is_input) {
        output = output.view(output.sizes()).detach();  // The input keeps its own history.
      }
      if (node) {
        set_history(output, node);
      }
    }
    // A saved output is saved with the history it has now.
    for (Variable& saved : ctx.to_save_) {
      if (saved.unsafeGetTensorImpl() == original && !is_input) {
        saved = output;
      }
    }
    wrapped.push_back(std::move(output));
  }
  return wrapped;
}

}  // namespace torch::autograd
