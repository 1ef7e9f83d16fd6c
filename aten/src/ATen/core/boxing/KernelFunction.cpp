#include <ATen/core/boxing/KernelFunction.h>

#include <ATen/core/dispatch/Dispatcher.h>
#include <c10/util/Exception.h>

namespace c10 {

OperatorKernel::~OperatorKernel() = default;

void fallthrough_kernel(const KernelFunction&, const OperatorHandle& op, DispatchKeySet, Stack*) {
  TORCH_INTERNAL_ASSERT(
      false,
      "fallthrough_kernel was executed but it should have been short-circuited by the dispatcher, for operator ",
      toString(op.operator_name()));
}

void ambiguous_autogradother_kernel(const KernelFunction&, const OperatorHandle& op, DispatchKeySet,
                                    Stack*) {
  TORCH_INTERNAL_ASSERT(
      false, toString(op.operator_name()),
      " has kernels registered to both CompositeImplicitAutograd and a backend mapped to AutogradOther, so that the backend kernel would never be reached. "
      "Register a kernel for the backend's own Autograd key, or run the operator under c10::InferenceMode.");
}

std::string KernelFunction::dumpState() const {
  if (isFallthrough()) return "fallthrough";
  if (isAmbiguousAutogradOther()) return "ambiguous AutogradOther";
  std::string out = "boxed ";
  if (isValidUnboxed()) out += "unboxed ";
  return out;
}

}  // namespace c10
