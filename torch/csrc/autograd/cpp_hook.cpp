#include <torch/csrc/autograd/cpp_hook.h>

#include <c10/util/Exception.h>

#include <utility>

namespace torch::autograd {

FunctionPreHook::~FunctionPreHook() = default;
FunctionPostHook::~FunctionPostHook() = default;
PostAccumulateGradHook::~PostAccumulateGradHook() = default;

namespace {

void check_hook_result(const Variable& original, const Variable& result, const char* where) {
  TORCH_CHECK(!original.defined() || result.sizes() == original.sizes(), where,
              " hook has changed the size of value: it was ", original.sizes(), ", now ",
              result.sizes());
  TORCH_CHECK(!original.defined() || result.scalar_type() == original.scalar_type(), where,
              " hook has changed the type of value: it was ", original.scalar_type(), ", now ",
              result.scalar_type());
}

// Returns true when the hook replaced `value`.
bool apply_hook(const std::function<Variable(const Variable&)>& hook, Variable& value) {
  if (!hook) {
    return false;
  }
  Variable result = hook(value);
  if (!result.defined()) {
    return false;  // A hook that returns nothing keeps the gradient.
  }
  check_hook_result(value, result, "tensor");
  value = std::move(result);
  return true;
}

}  // namespace

CppFunctionTensorPreHook::CppFunctionTensorPreHook(std::shared_ptr<hooks_list> hooks,
                                                   size_t value_idx)
    : hooks_(std::move(hooks)), value_idx_(value_idx) {}

variable_list CppFunctionTensorPreHook::operator()(const variable_list& values) {
  variable_list results(values);
  // By index: a hook may register another one.
  for (size_t i = 0; i < hooks_->size(); ++i) {
    apply_hook((*hooks_)[i], results[value_idx_]);
  }
  return results;
}

CppFunctionSingleTensorPreHook::CppFunctionSingleTensorPreHook(
    std::function<Variable(const Variable&)> hook, size_t value_idx)
    : hook_(std::move(hook)), value_idx_(value_idx) {}

variable_list CppFunctionSingleTensorPreHook::operator()(const variable_list& values) {
  variable_list results(values);
  apply_hook(hook_, results[value_idx_]);
  return results;
}

}  // namespace torch::autograd
