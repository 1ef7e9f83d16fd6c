#pragma once

#include <ATen/core/Tensor.h>
#include <c10/core/TensorImpl.h>
#include <c10/macros/Export.h>

#include <cstdint>
#include <memory>
#include <optional>

namespace torch::autograd {

using Variable = at::Tensor;
struct Node;
struct SavedVariableHooks;

TORCH_API extern const char* ERR_BACKWARD_TWICE;

/// A tensor kept for the backward pass, with its version: unpack() refuses a tensor that was
/// changed in place meanwhile. An output of the node is kept without its grad_fn, because the
/// node would otherwise keep itself alive. With hooks, of its own or this thread's default ones
/// (saved_variable_hooks.h), it keeps what they packed and checks no version.
class TORCH_API SavedVariable {
 public:
  /// Keeps nothing: `unpack` gives an undefined tensor.
  SavedVariable();
  /// `is_output`: `variable` is a result of the node that saves it. `is_inplace_on_view`: that node
  /// wrote it through a view, and its `grad_fn` is final. Throws c10::Error for a tensor that was
  /// made in inference mode.
  SavedVariable(const Variable& variable, bool is_output, bool is_inplace_on_view = false);
  SavedVariable(const std::optional<Variable>& variable, bool is_output,
                bool is_inplace_on_view = false);
  SavedVariable(const SavedVariable&) = delete;
  SavedVariable(SavedVariable&&) noexcept;
  SavedVariable& operator=(const SavedVariable&) = delete;
  SavedVariable& operator=(SavedVariable&&) noexcept;
  ~SavedVariable();

  /// The tensor, connected to the graph again. `saved_for` is the node that saved it; it is
  /// needed when the tensor is an output of that node. Throws c10::Error if the tensor was changed
  /// in place since, or released.
  Variable unpack(std::shared_ptr<Node> saved_for = nullptr) const;

  /// Releases the tensor and the hooks, as the backward pass does unless it keeps the graph.
  void reset_data();

  /// Packs the tensor with `hooks` instead. Throws for a second pair, for a value of None, and
  /// after the tensor was released.
  void register_hooks(std::unique_ptr<SavedVariableHooks>&& hooks);
  bool has_hooks() const { return hooks_ != nullptr; }

 private:
  void save_metadata(const Variable& variable);
  void set_hooks_and_pack_data(std::unique_ptr<SavedVariableHooks>&& hooks, const Variable& data);
  void check_version(const std::shared_ptr<Node>& grad_fn) const;

  // The tensor itself, or for an output of the node an alias without grad_fn; both share the
  // version counter. Undefined with hooks.
  Variable data_;
  std::unique_ptr<SavedVariableHooks> hooks_;
  // Kept with hooks: what they packed cannot be asked for its gradient edge.
  std::shared_ptr<Node> grad_fn_;
  std::weak_ptr<Node> grad_accumulator_;
  // Of an output that was written through a view. Weak, because the view's node keeps the node that
  // saves alive.
  std::weak_ptr<Node> weak_grad_fn_;
  uint32_t saved_version_ = 0;
  uint32_t output_nr_ = 0;
  bool was_default_constructed_ = true;
  bool saved_original_ = false;
  bool is_inplace_on_view_ = false;
  bool is_leaf_ = false;
  bool is_output_ = false;
  bool requires_grad_ = false;
};

}  // namespace torch::autograd
