#pragma once

#include <ATen/core/Tensor.h>
#include <c10/macros/Export.h>

#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace torch::autograd {

/// How one tensor is kept for the backward pass: `call_pack_hook` takes it when it is saved,
/// `call_unpack_hook` gives it, or one of the same value, back as often as it is asked. The tensor
/// is the caller's own, with its gradient function: whoever keeps an output of the node as it is,
/// not its detach(), keeps the node alive for ever.
struct TORCH_API SavedVariableHooks {
  virtual void call_pack_hook(const at::Tensor& tensor) = 0;
  virtual at::Tensor call_unpack_hook() = 0;
  virtual ~SavedVariableHooks() = default;
};

/// The stack of hooks for tensors that this thread saves. The top one is in effect.
class TORCH_API SavedTensorDefaultHooks {
 public:
  using Factory = std::function<std::unique_ptr<SavedVariableHooks>()>;

  /// Throws the message of disable(), when that was called.
  static void push_hooks(Factory factory);
  /// Throws when there are none.
  static void pop_hooks();
  /// New hooks from the top of the stack; null when it is empty.
  static std::unique_ptr<SavedVariableHooks> get_hooks();

  /// Makes push_hooks throw; throws itself when hooks are in effect.
  static void disable(const std::string& error_message);
  static void enable();
  static bool is_enabled();
  static const std::optional<std::string>& get_disabled_error_message();
};

}  // namespace torch::autograd
