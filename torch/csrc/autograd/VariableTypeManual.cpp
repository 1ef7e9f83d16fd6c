// The kernels of autograd that are not generated: copies, detaching, resizing.

#include <ATen/core/LegacyTypeDispatch.h>
#include <ATen/ops/_conj_ops.h>
#include <ATen/ops/_neg_view_ops.h>
#include <ATen/ops/copy_ops.h>
#include <ATen/ops/detach_ops.h>
#include <ATen/ops/resize_as_ops.h>
#include <ATen/ops/resize_ops.h>
#include <ATen/ops/view_as_complex_ops.h>
#include <ATen/ops/view_as_real_ops.h>
#include <c10/core/GradMode.h>
#include <c10/util/Exception.h>
#include <torch/csrc/autograd/VariableTypeUtils.h>
#include <torch/csrc/autograd/functions/tensor.h>
#include <torch/library.h>

#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace torch::autograd {

namespace {

// How a view comes from its base where as_strided does not say it: one is complex, the other real,
// or one is the conjugate or the negative of the other.
ViewInfo::ViewFn view_fn_across(const at::Tensor& base, const at::Tensor& tensor) {
  const bool to_real = base.is_complex() && !tensor.is_complex();
  const bool to_complex = !base.is_complex() && tensor.is_complex();
  const bool conjugate = !to_real && !to_complex && base.is_conj() != tensor.is_conj();
  const bool negate = base.is_neg() != tensor.is_neg();
  if (!to_real && !to_complex && !conjugate && !negate) return nullptr;
  std::vector<int64_t> sizes = tensor.sizes().vec();
  std::vector<int64_t> strides = tensor.strides().vec();
  int64_t offset = tensor.storage_offset() - base.storage_offset();
  if (to_real) offset = tensor.storage_offset() - 2 * base.storage_offset();
  if (to_complex) {
    for (int64_t& stride : strides) stride *= 2;
    sizes.push_back(2);
    strides.push_back(1);
    offset = 2 * tensor.storage_offset() - base.storage_offset();
  }
  return [=](const Variable& parent) {
    const Variable whole = to_real ? at::_ops::view_as_real::call(parent) : parent;
    Variable view = whole.as_strided(sizes, strides, whole.storage_offset() + offset);
    if (to_complex) view = at::_ops::view_as_complex::call(view);
    if (conjugate) view = at::_ops::_conj::call(view);
    return negate ? at::_ops::_neg_view::call(view) : view;
  };
}

}  // namespace

at::Tensor as_view(const at::Tensor& base, at::Tensor&& tensor, bool is_differentiable,
                   CreationMeta creation_meta) {
  if (!tensor.defined()) {
    return std::move(tensor);
  }
  // Outside of inference mode views of its tensors come here too: they have no version to share.
  if (base.is_inference()) return std::move(tensor);
  if (tensor.is_same(base)) {
    tensor = tensor.tensor_data();  // The kernel had nothing to do; a view is another tensor.
  }
  if (!is_differentiable) {
    return make_variable_non_differentiable_view(base, tensor);
  }
  std::optional<ViewInfo> info;
  DifferentiableViewMeta* base_meta = impl::get_view_autograd_meta(base);
  if (base_meta != nullptr && base_meta->has_bw_view()) {
    info = base_meta->get_backward_view().chain(base, tensor, view_fn_across(base, tensor));
    creation_meta = propagate_creation_meta(base_meta->get_creation_meta(), creation_meta);
  } else {
    info.emplace(base, view_fn_across(base, tensor));
  }
  return make_variable_differentiable_view(tensor, std::move(info), creation_meta);
}

std::vector<at::Tensor> as_view(const at::Tensor& base, std::vector<at::Tensor>&& tensors,
                                bool is_differentiable, CreationMeta creation_meta) {
  for (at::Tensor& tensor : tensors) {
    tensor = as_view(base, std::move(tensor), is_differentiable, creation_meta);
  }
  return std::move(tensors);
}

namespace VariableType {
namespace {

at::Tensor& copy_(c10::DispatchKeySet ks, at::Tensor& self, const at::Tensor& src,
                  bool non_blocking) {
  check_defined(self, "self", 0);
  check_defined(src, "src", 1);
  const bool any_requires_grad =
      compute_requires_grad(self, src) && isDifferentiableType(self.scalar_type());
  check_inplace_allowed(self, any_requires_grad);
  std::shared_ptr<CopyBackwards> grad_fn;
  if (any_requires_grad) {
    grad_fn = std::shared_ptr<CopyBackwards>(new CopyBackwards(), deleteNode);
    grad_fn->set_next_edges(collect_next_edges(self, src));
    grad_fn->src_options = src.options();
  }
  {
    at::AutoDispatchBelowAutograd guard;
    at::_ops::copy_::redispatch(ks & c10::after_autograd_keyset, self, src, non_blocking);
  }
  if (grad_fn) {
    rebase_history(self, std::move(grad_fn));
  }
  return self;
}

at::Tensor& detach_(c10::DispatchKeySet ks, at::Tensor& self) {
  TORCH_CHECK(
      !self.is_view(),
      "Can't detach views in-place. "
      "Use detach() instead. "
      "If you are using DistributedDataParallel (DDP) for training, and gradient_as_bucket_view is set as True, gradients are views of DDP buckets, and hence detach_() cannot be called on these gradients. "
      "To fix this error, please refer to the Optimizer.zero_grad() function in torch/optim/optimizer.py as the solution.");
  if (AutogradMeta* meta = impl::get_autograd_meta(self)) {
    meta->set_requires_grad(false, self.unsafeGetTensorImpl());
    meta->grad_fn_.reset();
    meta->output_nr_ = 0;
  }
  return self;
}

// The gradient of a resized tensor would have no meaning.
at::Tensor& resize_(c10::DispatchKeySet ks, at::Tensor& self, c10::IntArrayRef size,
                    std::optional<at::MemoryFormat> memory_format) {
  TORCH_CHECK(!self.requires_grad(), "cannot resize variables that require grad");
  const std::vector<int64_t> before = self.sizes().vec();
  {
    at::AutoDispatchBelowADInplaceOrView guard;
    at::_ops::resize_::redispatch(ks & c10::after_ADInplaceOrView_keyset, self, size,
                                  memory_format);
  }
  if (self.sizes() != c10::IntArrayRef(before)) increment_version(self);
  return self;
}

at::Tensor& resize_as_(c10::DispatchKeySet ks, at::Tensor& self, const at::Tensor& the_template,
                       std::optional<at::MemoryFormat> memory_format) {
  TORCH_CHECK(!self.requires_grad(), "cannot resize variables that require grad");
  const std::vector<int64_t> before = self.sizes().vec();
  {
    at::AutoDispatchBelowADInplaceOrView guard;
    at::_ops::resize_as_::redispatch(ks & c10::after_ADInplaceOrView_keyset, self, the_template,
                                     memory_format);
  }
  if (self.sizes() != c10::IntArrayRef(before)) increment_version(self);
  return self;
}

}  // namespace
}  // namespace VariableType

namespace ADInplaceOrView {
namespace {

at::Tensor& copy_(c10::DispatchKeySet ks, at::Tensor& self, const at::Tensor& src,
                  bool non_blocking) {
  {
    at::AutoDispatchBelowADInplaceOrView guard;
    at::_ops::copy_::redispatch(ks & c10::after_ADInplaceOrView_keyset, self, src, non_blocking);
  }
  increment_version(self);
  return self;
}

// The same data with its version counter, but no history.
at::Tensor detach(const at::Tensor& self) {
  return make_variable_non_differentiable_view(self, self);
}

}  // namespace
}  // namespace ADInplaceOrView

namespace {

TORCH_LIBRARY_IMPL(aten, Autograd, m) {
  m.impl("copy_", TORCH_FN(VariableType::copy_));
  m.impl("detach_", TORCH_FN(VariableType::detach_));
  m.impl("resize_", TORCH_FN(VariableType::resize_));
  m.impl("resize_as_", TORCH_FN(VariableType::resize_as_));
}

TORCH_LIBRARY_IMPL(aten, ADInplaceOrView, m) {
  m.impl("copy_", TORCH_FN(ADInplaceOrView::copy_));
  m.impl("detach", TORCH_FN(ADInplaceOrView::detach));
}

}  // namespace
}  // namespace torch::autograd
