#include <torch/csrc/autograd/variable.h>

#include <c10/core/GradMode.h>
#include <c10/core/TensorImpl.h>
#include <c10/core/impl/AutogradMetaFactory.h>
#include <c10/util/Exception.h>
#include <c10/util/StringUtil.h>
#include <torch/csrc/autograd/edge.h>
#include <torch/csrc/autograd/function.h>
#include <torch/csrc/autograd/functions/accumulate_grad.h>
#include <torch/csrc/autograd/functions/tensor.h>

#include <cstddef>
#include <mutex>
#include <string>
#include <utility>

namespace torch::autograd {

bool isDifferentiableType(at::ScalarType type) {
  return c10::isFloatingType(type) || c10::isComplexType(type);
}

// ---- metadata ----

AutogradMeta::AutogradMeta(at::TensorImpl* self_impl, bool requires_grad, Edge gradient_edge)
    : grad_fn_(std::move(gradient_edge.function)), output_nr_(gradient_edge.input_nr) {
  TORCH_CHECK(!grad_fn_ || !requires_grad, "requires_grad should be false if grad_fn is set");
  if (requires_grad) {
    TORCH_INTERNAL_ASSERT(self_impl);
    set_requires_grad(requires_grad, self_impl);
  }
}

AutogradMeta::~AutogradMeta() = default;

void AutogradMeta::set_requires_grad(bool requires_grad, at::TensorImpl* self_impl) {
  TORCH_CHECK(!requires_grad || isDifferentiableType(c10::typeMetaToScalarType(self_impl->dtype())),
              "Only Tensors of floating point and complex dtype can require gradients");
  requires_grad_ = requires_grad;
}

ViewInfo ViewInfo::chain(const Variable& base, const Variable& tensor, ViewFn view_fn) const {
  // A chain of as_strided views is one as_strided view of the base; nothing to compose.
  if (!view_fn && !has_view_fn()) {
    return ViewInfo(base_, nullptr);
  }
  ViewFn first = view_fn_;
  if (!first) {
    const std::vector<int64_t> sizes = base.sizes().vec();
    const std::vector<int64_t> strides = base.strides().vec();
    const int64_t offset = base.storage_offset() - base_.storage_offset();
    first = [sizes, strides, offset](const Variable& root) {
      return root.as_strided(sizes, strides, root.storage_offset() + offset);
    };
  }
  ViewFn second = std::move(view_fn);
  if (!second) {
    const std::vector<int64_t> sizes = tensor.sizes().vec();
    const std::vector<int64_t> strides = tensor.strides().vec();
    const int64_t offset = tensor.storage_offset() - base.storage_offset();
    second = [sizes, strides, offset](const Variable& parent) {
      return parent.as_strided(sizes, strides, parent.storage_offset() + offset);
    };
  }
  return ViewInfo(base_, [first = std::move(first), second = std::move(second)](
                             const Variable& root) { return second(first(root)); });
}

DifferentiableViewMeta::DifferentiableViewMeta(at::TensorImpl* self_impl,
                                               std::optional<ViewInfo> backward_info,
                                               CreationMeta creation_meta)
    : AutogradMeta(self_impl),
      backward_info_(std::move(backward_info)),
      attr_version_(0),
      creation_meta_(creation_meta) {
  is_view_ = true;
  if (backward_info_) {
    self_impl->set_version_counter(impl::version_counter(backward_info_->base_));
    attr_version_ = self_impl->version_counter().current_version();
  }
}

bool DifferentiableViewMeta::requires_grad() const {
  return requires_grad_ || grad_fn_ != nullptr ||
         (has_bw_view() && backward_info_->base_.requires_grad());
}

namespace {

// Registers autograd's metadata with c10, which only knows the interface.
struct MetaFactory final : public c10::impl::AutogradMetaFactory {
  std::unique_ptr<c10::AutogradMetaInterface> make() const override {
    return std::make_unique<AutogradMeta>();
  }
  const at::Tensor& undefined_tensor() const override {
    static const at::Tensor undefined;
    return undefined;
  }
};

MetaFactory meta_factory;
c10::impl::AutogradMetaFactoryRegisterer meta_factory_registerer(&meta_factory);

}  // namespace

namespace impl {

AutogradMeta* get_autograd_meta(const at::TensorBase& variable) {
  TORCH_CHECK(variable.defined(), "cannot call get_autograd_meta() on undefined tensor");
  return static_cast<AutogradMeta*>(variable.unsafeGetTensorImpl()->autograd_meta());
}

DifferentiableViewMeta* get_view_autograd_meta(const at::TensorBase& variable) {
  AutogradMeta* meta = get_autograd_meta(variable);
  return meta != nullptr && meta->is_view_ ? static_cast<DifferentiableViewMeta*>(meta) : nullptr;
}

AutogradMeta* materialize_autograd_meta(const at::TensorBase& variable) {
  TORCH_CHECK(variable.defined(), "cannot call materialize_autograd_meta() on undefined tensor");
  c10::TensorImpl* tensor = variable.unsafeGetTensorImpl();
  if (tensor->autograd_meta() == nullptr) {
    tensor->set_autograd_meta(std::make_unique<AutogradMeta>());
  }
  return get_autograd_meta(variable);
}

const std::shared_ptr<Node>& grad_fn_unsafe(const Variable& variable) {
  static const std::shared_ptr<Node> none;
  const AutogradMeta* meta = get_autograd_meta(variable);
  return meta == nullptr ? none : meta->grad_fn_;
}

std::shared_ptr<Node> try_get_grad_accumulator(const Variable& variable) {
  const AutogradMeta* meta = get_autograd_meta(variable);
  return meta == nullptr ? nullptr : meta->grad_accumulator_.lock();
}

std::shared_ptr<Node> grad_accumulator(const Variable& variable) {
  AutogradMeta* meta = get_autograd_meta(variable);
  if (meta == nullptr) {
    return nullptr;
  }
  TORCH_CHECK(!meta->grad_fn_, "grad_accumulator() should be only called on leaf Variables");
  if (!meta->requires_grad_) {
    return nullptr;
  }
  std::lock_guard<std::mutex> lock(meta->mutex_);
  if (auto existing = meta->grad_accumulator_.lock()) {
    return existing;
  }
  auto accumulator = std::shared_ptr<Node>(new AccumulateGrad(variable), deleteNode);
  meta->grad_accumulator_ = accumulator;
  return accumulator;
}

void set_grad_accumulator(const Variable& variable, std::weak_ptr<Node> accumulator) {
  materialize_autograd_meta(variable)->grad_accumulator_ = std::move(accumulator);
}

Edge gradient_edge(const Variable& variable) {
  // grad_fn() and not grad_fn_: brings a view up to date.
  if (const auto& grad_fn = variable.grad_fn()) {
    return Edge(grad_fn, static_cast<uint32_t>(variable.output_nr()));
  }
  return Edge(grad_accumulator(variable), 0);
}

void set_gradient_edge(const Variable& variable, Edge edge) {
  AutogradMeta* meta = materialize_autograd_meta(variable);
  meta->grad_fn_ = std::move(edge.function);
  meta->output_nr_ = edge.input_nr;
  if (DifferentiableViewMeta* view_meta = get_view_autograd_meta(variable)) {
    // From here on grad_fn_ is this view's own.
    view_meta->set_attr_version(
        variable.unsafeGetTensorImpl()->version_counter().current_version());
  }
}

namespace {

// After an operation in place: hooks belong to the value that they were registered for, and stay
// with its node; to retain the gradient is a wish about the tensor, and goes along.
void leave_hooks_behind(const Variable& variable, const std::shared_ptr<Node>& old_node,
                        size_t old_output_nr) {
  AutogradMeta* meta = get_autograd_meta(variable);
  meta->cpp_hooks_list_ = nullptr;
  if (!old_node || !meta->retains_grad_) return;
  old_node->pop_retains_grad_hook(old_output_nr);
  meta->retains_grad_ = false;
  variable.retain_grad();
}

}  // namespace

void rebase_history(const Variable& variable, Edge gradient_edge) {
  TORCH_INTERNAL_ASSERT(gradient_edge.function != nullptr);
  DifferentiableViewMeta* view_meta = get_view_autograd_meta(variable);
  const std::shared_ptr<Node> old_node = grad_fn_unsafe(variable);
  const auto old_output_nr = old_node ? static_cast<size_t>(variable.output_nr()) : 0;
  if (view_meta == nullptr || !view_meta->has_bw_view()) {
    set_gradient_edge(variable, std::move(gradient_edge));
    leave_hooks_behind(variable, old_node, old_output_nr);
    return;
  }
  handle_view_on_rebase(view_meta);
  TORCH_INTERNAL_ASSERT(gradient_edge.input_nr == 0);
  TORCH_CHECK(gradient_edge.function->num_inputs() == 1,
              "Functions which modify views in-place must return a single Variable");
  const ViewInfo& info = view_meta->get_backward_view();
  const Variable& base = info.base_;
  auto copy_slices =
      std::shared_ptr<Node>(new CopySlices(base, at::TensorGeometry(variable), info.view_fn(),
                                           std::move(gradient_edge.function)),
                            deleteNode);
  const std::shared_ptr<Node> old_base_node = grad_fn_unsafe(base);
  const auto old_base_nr = old_base_node ? static_cast<size_t>(base.output_nr()) : 0;
  set_gradient_edge(base, Edge(std::move(copy_slices), 0));
  leave_hooks_behind(base, old_base_node, old_base_nr);
  variable.grad_fn();  // Renews the view's own grad_fn.
  leave_hooks_behind(variable, old_node, old_output_nr);
}

void bump_version(const Variable& variable) { variable.unsafeGetTensorImpl()->bump_version(); }

void set_version_counter(const Variable& variable, const c10::VariableVersion& version_counter) {
  TORCH_CHECK(variable.defined(), "cannot call set_version_counter() on undefined tensor");
  variable.unsafeGetTensorImpl()->set_version_counter(version_counter);
}

const c10::VariableVersion& version_counter(const Variable& variable) {
  TORCH_CHECK(variable.defined(), "cannot call version_counter() on undefined tensor");
  return variable.unsafeGetTensorImpl()->version_counter();
}

void set_name(const Variable& variable, const std::string& name) {
  materialize_autograd_meta(variable)->name_ = name;
}

void add_hook(const Variable& variable, std::unique_ptr<FunctionPreHook> hook) {
  AutogradMeta* meta = materialize_autograd_meta(variable);
  // A leaf's hooks stay with the leaf: its accumulator may not exist yet.
  const auto& grad_fn = variable.grad_fn();
  if (grad_fn) {
    grad_fn->add_tensor_pre_hook(std::move(hook));
  } else {
    meta->hooks_.push_back(std::move(hook));
  }
}

std::vector<std::unique_ptr<FunctionPreHook>>& hooks(const Variable& variable) {
  return materialize_autograd_meta(variable)->hooks_;
}

void clear_hooks(const Variable& variable) { materialize_autograd_meta(variable)->hooks_.clear(); }

void set_post_acc_grad_hooks(const Variable& variable,
                             std::unique_ptr<PostAccumulateGradHook> hook) {
  materialize_autograd_meta(variable)->post_acc_grad_hooks_ = std::move(hook);
}

std::unique_ptr<PostAccumulateGradHook>& post_acc_grad_hooks(const Variable& variable) {
  return materialize_autograd_meta(variable)->post_acc_grad_hooks_;
}

void create_cpp_hook(const Variable& variable, bool is_retains_grad_hook) {
  const auto& grad_fn = variable.grad_fn();
  auto& list = materialize_autograd_meta(variable)->cpp_hooks_list_;
  list = std::make_shared<hooks_list>();
  auto hook = std::make_unique<CppFunctionTensorPreHook>(
      list, static_cast<size_t>(grad_fn ? variable.output_nr() : 0));
  if (is_retains_grad_hook && grad_fn) {
    grad_fn->add_retains_grad_hook(std::move(hook), static_cast<size_t>(variable.output_nr()));
  } else {
    add_hook(variable, std::move(hook));
  }
}

}  // namespace impl

// ---- making variables ----

namespace {

c10::intrusive_ptr<c10::TensorImpl, c10::UndefinedTensorImpl> detached_impl(
    const Variable& data, bool allow_tensor_metadata_change) {
  return data.getIntrusivePtr()->shallow_copy_and_detach(
      /*version_counter=*/c10::VariableVersion(0), allow_tensor_metadata_change);
}

}  // namespace

Variable make_variable_differentiable_view(const Variable& data,
                                           std::optional<ViewInfo> backward_info,
                                           CreationMeta creation_meta,
                                           bool allow_tensor_metadata_change) {
  if (!data.defined()) {
    return Variable();
  }
  // A tensor nobody else holds becomes the view itself.
  c10::intrusive_ptr<c10::TensorImpl, c10::UndefinedTensorImpl> impl = data.getIntrusivePtr();
  if (data.use_count() > 2) {  // `data` and `impl`
    impl = detached_impl(data, allow_tensor_metadata_change);
  }
  impl->set_autograd_meta(std::make_unique<DifferentiableViewMeta>(
      impl.get(), std::move(backward_info), creation_meta));
  return Variable(std::move(impl));
}

Variable make_variable_non_differentiable_view(const Variable& base, const Variable& data,
                                               bool allow_tensor_metadata_change) {
  if (!data.defined()) {
    return Variable();
  }
  auto impl = data.getIntrusivePtr()->shallow_copy_and_detach(impl::version_counter(base),
                                                              allow_tensor_metadata_change);
  impl->set_autograd_meta(nullptr);
  return Variable(std::move(impl));
}

Variable make_variable(Variable data, bool requires_grad, bool allow_tensor_metadata_change) {
  if (!data.defined()) {
    return Variable();
  }
  auto impl = detached_impl(data, allow_tensor_metadata_change);
  impl->set_autograd_meta(requires_grad ? std::make_unique<AutogradMeta>(impl.get(), requires_grad)
                                        : nullptr);
  return Variable(std::move(impl));
}

Variable make_variable(const Variable& data, Edge gradient_edge,
                       bool allow_tensor_metadata_change) {
  if (!data.defined()) {
    return Variable();
  }
  auto impl = detached_impl(data, allow_tensor_metadata_change);
  impl->set_autograd_meta(
      std::make_unique<AutogradMeta>(impl.get(), false, std::move(gradient_edge)));
  return Variable(std::move(impl));
}

// ---- in-place changes ----

void handle_view_on_rebase(DifferentiableViewMeta* meta, bool indirect) {
  const CreationMeta creation_meta = meta->get_creation_meta();
  if (creation_meta == CreationMeta::DEFAULT) {
    return;
  }
  const char* const modified =
      indirect ? " and its base or another view of its base has been modified inplace"
               : " and is being modified inplace";
  const bool inference = creation_meta == CreationMeta::INFERENCE_MODE;
  std::string what;
  if (meta->grad_fn_) {
    what = c10::str("Output ", meta->output_nr_, " of ", meta->grad_fn_->name(), " is a view",
                    modified, ".");
  } else {
    what = c10::str("A view was created in ", inference ? "inference mode" : "no_grad mode",
                    modified, inference ? " in normal mode." : " with grad mode enabled.");
  }
  TORCH_CHECK(creation_meta != CreationMeta::MULTI_OUTPUT_NODE &&
                  creation_meta != CreationMeta::MULTI_OUTPUT_SAFE,
              what,
              " This view is the output of a function that returns multiple views. "
              "Such functions do not allow the output views to be modified inplace. "
              "You should replace the inplace operation by an out-of-place one.");
  TORCH_CHECK(
      creation_meta != CreationMeta::IN_CUSTOM_FUNCTION, what,
      " This view was created inside a custom Function (or because an input was returned as-is) and the autograd logic to handle view+inplace would override the custom backward associated with the custom Function, leading to incorrect gradients. "
      "This behavior is forbidden. "
      "You can fix this by cloning the output of the custom Function.");
  TORCH_CHECK(
      false, what,
      " Given that this use case is ambiguous and error-prone, it is forbidden. "
      "You can clarify your code by moving both the view and the inplace either both inside the ",
      inference ? "inference_mode" : "no_grad",
      " block (if you don't want the inplace to be tracked) or both outside (if you want the inplace to be tracked).");
}

void check_inplace_allowed(const Variable& tensor, bool requires_grad) {
  if (!requires_grad || !c10::GradMode::is_enabled()) {
    return;
  }
  DifferentiableViewMeta* view_meta = impl::get_view_autograd_meta(tensor);
  if (view_meta != nullptr && view_meta->has_bw_view()) {
    // The message of a view that cannot be tracked comes before that of its leaf.
    handle_view_on_rebase(view_meta);
    // The view may be the leaf, of a base without gradients: the change would cut it off.
    const Variable& base = view_meta->get_backward_view().base_;
    TORCH_CHECK(
        !(tensor.requires_grad() && base.is_leaf()),
        "a view of a leaf Variable that requires grad is being used in an in-place operation.");
  }
  TORCH_CHECK(!(tensor.requires_grad() && tensor.is_leaf()),
              "a leaf Variable that requires grad is being used in an in-place operation.");
}

}  // namespace torch::autograd
