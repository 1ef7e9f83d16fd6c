#pragma once

// What the tensor handle asks autograd for. Autograd registers its implementation at load time, so
// that the tensor library does not depend on it.

#include <ATen/core/TensorBase.h>
#include <c10/macros/Export.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace at::impl {

// The members of TensorBase that autograd implements; see there. The first argument is the tensor.
struct TORCH_API VariableHooksInterface {
  virtual ~VariableHooksInterface() = default;
  virtual TensorBase tensor_data(const TensorBase&) const = 0;
  virtual TensorBase variable_data(const TensorBase&) const = 0;
  virtual const std::shared_ptr<torch::autograd::Node>& grad_fn(const TensorBase&) const = 0;
  virtual unsigned _register_hook(const TensorBase&,
                                  std::function<TensorBase(const TensorBase&)> hook) const = 0;
  virtual void remove_hook(const TensorBase&, unsigned pos) const = 0;
  virtual bool is_view(const TensorBase&) const = 0;
  virtual const TensorBase& base(const TensorBase&) const = 0;
  virtual const std::string& name(const TensorBase&) const = 0;
  virtual bool is_leaf(const TensorBase&) const = 0;
  virtual int64_t output_nr(const TensorBase&) const = 0;
  virtual void set_data(const TensorBase&, const TensorBase&) const = 0;
  virtual TensorBase data(const TensorBase&) const = 0;
  virtual int64_t _version(const TensorBase&) const = 0;
  virtual void retain_grad(const TensorBase&) const = 0;
  virtual bool retains_grad(const TensorBase&) const = 0;
  virtual void _backward(const Tensor&, TensorList inputs, const std::optional<Tensor>& gradient,
                         std::optional<bool> keep_graph, bool create_graph) const = 0;
  virtual void requires_grad_(const TensorBase&, bool) const = 0;
};

// Not owned; `hooks` lives as long as the process.
TORCH_API void SetVariableHooks(VariableHooksInterface* hooks);
// Throws c10::Error when autograd is not linked in.
TORCH_API VariableHooksInterface* GetVariableHooks();
TORCH_API bool HasVariableHooks();

// Registers while the library is loaded.
struct TORCH_API VariableHooksRegisterer {
  explicit VariableHooksRegisterer(VariableHooksInterface* hooks) { SetVariableHooks(hooks); }
};

}  // namespace at::impl
