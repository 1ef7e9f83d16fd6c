#include <ATen/core/VariableHooksInterface.h>

#include <ATen/core/Tensor.h>
#include <c10/util/Exception.h>

namespace at {
namespace impl {

namespace {
VariableHooksInterface* hooks = nullptr;
}  // namespace

void SetVariableHooks(VariableHooksInterface* h) { hooks = h; }
VariableHooksInterface* GetVariableHooks() {
  TORCH_CHECK(hooks != nullptr,
              "Cannot get VariableHooks: the autograd library is not linked into this program");
  return hooks;
}
bool HasVariableHooks() { return hooks != nullptr; }

}  // namespace impl

bool TensorBase::is_leaf() const { return impl::GetVariableHooks()->is_leaf(*this); }
int64_t TensorBase::output_nr() const { return impl::GetVariableHooks()->output_nr(*this); }
int64_t TensorBase::_version() const {
  TORCH_CHECK(!is_inference(), "Inference tensors do not track version counter.");
  return static_cast<int64_t>(impl_->version_counter().current_version());
}
const std::shared_ptr<torch::autograd::Node>& TensorBase::grad_fn() const {
  return impl::GetVariableHooks()->grad_fn(*this);
}
void TensorBase::retain_grad() const { impl::GetVariableHooks()->retain_grad(*this); }
bool TensorBase::retains_grad() const { return impl::GetVariableHooks()->retains_grad(*this); }
const TensorBase& TensorBase::requires_grad_(bool requires_grad) const {
  impl::GetVariableHooks()->requires_grad_(*this, requires_grad);
  return *this;
}
bool TensorBase::is_view() const { return impl::GetVariableHooks()->is_view(*this); }
const TensorBase& TensorBase::_base() const { return impl::GetVariableHooks()->base(*this); }
const std::string& TensorBase::name() const { return impl::GetVariableHooks()->name(*this); }
TensorBase TensorBase::tensor_data() const { return impl::GetVariableHooks()->tensor_data(*this); }
TensorBase TensorBase::variable_data() const {
  return impl::GetVariableHooks()->variable_data(*this);
}
void TensorBase::set_data(const TensorBase& new_data) const {
  impl::GetVariableHooks()->set_data(*this, new_data);
}
unsigned TensorBase::_register_hook(c10::intrusive_ptr<detail::TensorHook> hook) const {
  return impl::GetVariableHooks()->_register_hook(
      *this, [hook = std::move(hook)](const TensorBase& grad) { return hook->call(grad); });
}
void TensorBase::remove_hook(unsigned pos) const {
  impl::GetVariableHooks()->remove_hook(*this, pos);
}

void Tensor::backward(const Tensor& gradient, std::optional<bool> retain_graph, bool create_graph,
                      std::optional<TensorList> inputs) const {
  impl::GetVariableHooks()->_backward(
      *this, inputs.value_or(TensorList()),
      gradient.defined() ? std::make_optional(gradient) : std::nullopt, retain_graph, create_graph);
}

}  // namespace at
