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

TORCH_API extern const char* ERR_BACKWARD_TWICE;

/// A tensor kept for the backward pass, with its version: unpack() refuses a tensor that was
/// changed in place meanwhile. An output of the node is kept without its grad_fn, because the
/// node would otherwise keep itself alive.
class TORCH_API SavedVariable {
 public:
  SavedVariable() = default;
  SavedVariable(const Variable& variable, bool is_output, bool is_inplace_on_view = false);
  SavedVariable(const std::optional<Variable>& variable, bool is_output,
                bool is_inplace_on_view = false);
  SavedVariable(const SavedVariable&) = delete;
  SavedVariable(SavedVariable&&) = default;
  SavedVariable& operator=(const SavedVariable&) = delete;
  SavedVariable& operator=(SavedVariable&&) = default;
  ~SavedVariable() = default;

  /// The tensor, connected to the graph again. `saved_for` is the node that saved it; it is
  /// needed when the tensor is an output of that node.
  Variable unpack(std::shared_ptr<Node> saved_for = nullptr) const;

  void reset_data();

 private:
  // The tensor itself, or for an output of the node an alias without grad_fn; both share the
  // version counter.
  Variable data_;
  // In-place on a view: the final grad_fn belongs to the view and is set after saving.
  std::weak_ptr<Node> weak_grad_fn_;
  uint32_t saved_version_ = 0;
  uint32_t output_nr_ = 0;
  bool was_default_constructed_ = true;
  bool saved_original_ = false;
  bool is_inplace_on_view_ = false;
  bool is_leaf_ = false;
};

}  // namespace torch::autograd
