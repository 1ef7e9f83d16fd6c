#pragma once

#include <ATen/core/Tensor.h>
#include <c10/core/TensorImpl.h>
#include <c10/macros/Export.h>
#include <torch/csrc/autograd/cpp_hook.h>
#include <torch/csrc/autograd/edge.h>
#include <torch/csrc/autograd/function_hook.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace torch::autograd {

/// A tensor that may take part in the graph: every tensor may, so it is at::Tensor.
using Variable = at::Tensor;

struct Node;
struct AutogradMeta;
struct DifferentiableViewMeta;

/// How a view came to be; decides whether an in-place change of it can be tracked.
enum class CreationMeta : uint8_t {
  DEFAULT,
  /// Output of a custom Function that returned a view.
  IN_CUSTOM_FUNCTION,
  /// One of several views that one operator returned: split, unbind, chunk.
  MULTI_OUTPUT_NODE,
  /// Made under no_grad.
  NO_GRAD_MODE,
  /// Output of a custom Function that returned several views.
  MULTI_OUTPUT_SAFE,
  /// Made in inference mode.
  INFERENCE_MODE
};

inline CreationMeta propagate_creation_meta(CreationMeta of_base, CreationMeta of_view) {
  return of_view == CreationMeta::DEFAULT ? of_base : of_view;
}

namespace impl {

/// The accumulator of a leaf; makes it when `variable` is a leaf that requires grad. Null for
/// anything else.
TORCH_API std::shared_ptr<Node> grad_accumulator(const Variable& variable);
TORCH_API std::shared_ptr<Node> try_get_grad_accumulator(const Variable& variable);
TORCH_API void set_grad_accumulator(const Variable& variable, std::weak_ptr<Node> accumulator);

/// Where the gradient of `variable` goes: its grad_fn, or its accumulator for a leaf.
TORCH_API Edge gradient_edge(const Variable& variable);
TORCH_API void set_gradient_edge(const Variable& variable, Edge edge);

/// After an in-place operation on `variable` that `gradient_edge` differentiates: connects it, and
/// for a view its base, to the new history.
TORCH_API void rebase_history(const Variable& variable, Edge gradient_edge);

/// The grad_fn of `variable` without bringing a view's up to date.
TORCH_API const std::shared_ptr<Node>& grad_fn_unsafe(const Variable& variable);

TORCH_API void bump_version(const Variable& variable);
TORCH_API void set_version_counter(const Variable& variable,
                                   const c10::VariableVersion& version_counter);
TORCH_API const c10::VariableVersion& version_counter(const Variable& variable);

TORCH_API void set_name(const Variable& variable, const std::string& name);

TORCH_API void add_hook(const Variable& variable, std::unique_ptr<FunctionPreHook> hook);
TORCH_API std::vector<std::unique_ptr<FunctionPreHook>>& hooks(const Variable& variable);
TORCH_API void clear_hooks(const Variable& variable);
TORCH_API void set_post_acc_grad_hooks(const Variable& variable,
                                       std::unique_ptr<PostAccumulateGradHook> hook);
TORCH_API std::unique_ptr<PostAccumulateGradHook>& post_acc_grad_hooks(const Variable& variable);
TORCH_API void create_cpp_hook(const Variable& variable, bool is_retains_grad_hook = false);

/// The autograd metadata, null when there is none.
TORCH_API AutogradMeta* get_autograd_meta(const at::TensorBase& variable);
TORCH_API DifferentiableViewMeta* get_view_autograd_meta(const at::TensorBase& variable);
/// The autograd metadata, made when there is none.
TORCH_API AutogradMeta* materialize_autograd_meta(const at::TensorBase& variable);

}  // namespace impl

/// What autograd keeps of a tensor.
struct TORCH_API AutogradMeta : public c10::AutogradMetaInterface {
  explicit AutogradMeta(at::TensorImpl* self_impl = nullptr, bool requires_grad = false,
                        Edge gradient_edge = Edge());
  ~AutogradMeta() override;

  void set_requires_grad(bool requires_grad, at::TensorImpl* self_impl) final;
  bool requires_grad() const override { return requires_grad_ || grad_fn_ != nullptr; }
  Variable& mutable_grad() override { return grad_; }
  const Variable& grad() const override { return grad_; }

  /// The node that made the tensor. For a view, see DifferentiableViewMeta.
  virtual std::shared_ptr<Node> grad_fn() const { return grad_fn_; }

  std::string name_;
  Variable grad_;
  std::shared_ptr<Node> grad_fn_;
  // Weak: the accumulator keeps its leaf alive.
  std::weak_ptr<Node> grad_accumulator_;

  std::vector<std::unique_ptr<FunctionPreHook>> hooks_;
  std::shared_ptr<hooks_list> cpp_hooks_list_;
  std::unique_ptr<PostAccumulateGradHook> post_acc_grad_hooks_;

  bool requires_grad_ = false;
  bool retains_grad_ = false;
  bool is_view_ = false;
  uint32_t output_nr_ = 0;

  // Guards the lazy parts: the accumulator, a view's grad_fn, .grad of a shared leaf.
  mutable std::mutex mutex_;
};

/// The base of a view and the way back to it.
struct TORCH_API ViewInfo {
  using ViewFn = std::function<Variable(const Variable&)>;

  ViewInfo(Variable base, ViewFn view_fn) : base_(std::move(base)), view_fn_(std::move(view_fn)) {}

  /// The view of `tensor` seen through this one and `view_fn`, relative to this one's base.
  ViewInfo chain(const Variable& base, const Variable& tensor, ViewFn view_fn) const;
  /// Empty: the view is what as_strided() of its geometry gives.
  const ViewFn& view_fn() const { return view_fn_; }
  bool has_view_fn() const { return static_cast<bool>(view_fn_); }

  /// Never itself a view.
  Variable base_;
  ViewFn view_fn_;
};

/// The metadata of a differentiable view. Its grad_fn is made anew when the base or another view
/// of it was changed in place: `attr_version_` is the version grad_fn_ belongs to.
struct TORCH_API DifferentiableViewMeta : public AutogradMeta {
  DifferentiableViewMeta(at::TensorImpl* self_impl, std::optional<ViewInfo> backward_info,
                         CreationMeta creation_meta = CreationMeta::DEFAULT);

  bool requires_grad() const override;

  bool has_bw_view() const { return backward_info_.has_value(); }
  const ViewInfo& get_backward_view() const { return *backward_info_; }
  CreationMeta get_creation_meta() const { return creation_meta_; }
  void set_creation_meta(CreationMeta creation_meta) { creation_meta_ = creation_meta; }
  uint32_t get_attr_version() const { return attr_version_; }
  void set_attr_version(uint32_t version) { attr_version_ = version; }

 private:
  std::optional<ViewInfo> backward_info_;
  uint32_t attr_version_;
  CreationMeta creation_meta_;
};

/// Whether a backward pass through a tensor of this dtype means anything.
TORCH_API bool isDifferentiableType(at::ScalarType type);

/// Makes `data` a differentiable view. `data` becomes unusable when nobody else holds it.
TORCH_API Variable make_variable_differentiable_view(
    const Variable& data, std::optional<ViewInfo> backward_info,
    CreationMeta creation_meta = CreationMeta::DEFAULT, bool allow_tensor_metadata_change = true);

/// A view that is not differentiable; it shares the base's version counter.
TORCH_API Variable make_variable_non_differentiable_view(const Variable& base, const Variable& data,
                                                         bool allow_tensor_metadata_change = true);

/// A leaf with the storage of `data` and a fresh version counter.
TORCH_API Variable make_variable(Variable data, bool requires_grad = false,
                                 bool allow_tensor_metadata_change = true);

/// A tensor with the storage of `data`, made by the node of `gradient_edge`.
TORCH_API Variable make_variable(const Variable& data, Edge gradient_edge,
                                 bool allow_tensor_metadata_change = true);

/// The edges of the tensors: collect_next_edges for a variable_list.
TORCH_API Edge gradient_edge_or_empty(const Variable& variable);

/// Throws when an in-place operation on `tensor` would lose its history: a leaf that requires grad,
/// a view of one, a view that cannot be tracked. `requires_grad`: whether the operation records.
TORCH_API void check_inplace_allowed(const Variable& tensor, bool requires_grad);
TORCH_API void handle_view_on_rebase(DifferentiableViewMeta* meta, bool indirect = false);

}  // namespace torch::autograd
