#include <torch/csrc/autograd/saved_variable_hooks.h>

#include <c10/util/Exception.h>

#include <utility>
#include <vector>

namespace torch::autograd {

namespace {

struct DefaultHooks {
  std::vector<SavedTensorDefaultHooks::Factory> stack;
  std::optional<std::string> disabled_error_message;
};

thread_local DefaultHooks default_hooks;

}  // namespace

void SavedTensorDefaultHooks::push_hooks(Factory factory) {
  TORCH_CHECK(is_enabled(), *default_hooks.disabled_error_message);
  default_hooks.stack.push_back(std::move(factory));
}

void SavedTensorDefaultHooks::pop_hooks() {
  TORCH_CHECK(!default_hooks.stack.empty(), "There are no saved tensor hooks to pop");
  default_hooks.stack.pop_back();
}

std::unique_ptr<SavedVariableHooks> SavedTensorDefaultHooks::get_hooks() {
  // A copy: the hooks themselves may push others.
  if (default_hooks.stack.empty()) return nullptr;
  const Factory factory = default_hooks.stack.back();
  return factory();
}

void SavedTensorDefaultHooks::disable(const std::string& error_message) {
  TORCH_CHECK(default_hooks.stack.empty(), error_message);
  default_hooks.disabled_error_message = error_message;
}

void SavedTensorDefaultHooks::enable() { default_hooks.disabled_error_message.reset(); }

bool SavedTensorDefaultHooks::is_enabled() {
  return !default_hooks.disabled_error_message.has_value();
}

const std::optional<std::string>& SavedTensorDefaultHooks::get_disabled_error_message() {
  return default_hooks.disabled_error_message;
}

}  // namespace torch::autograd
