#pragma once

#include <ATen/core/stack.h>
#include <c10/core/DispatchKeySet.h>
#include <c10/macros/Export.h>
#include <c10/util/intrusive_ptr.h>

namespace c10 {

class OperatorHandle;
class KernelFunction;

// A kernel with state inherits from this; kernels from plain functions have none.
struct TORCH_API OperatorKernel : public c10::intrusive_ptr_target {
  ~OperatorKernel() override;
};

// Never runs: the dispatch table passes over the keys whose kernel it is.
TORCH_API void fallthrough_kernel(const KernelFunction&, const OperatorHandle&, DispatchKeySet,
                                  Stack*);
// Throws that the operator needs an Autograd kernel of its own for this backend.
TORCH_API void ambiguous_autogradother_kernel(const KernelFunction&, const OperatorHandle&,
                                              DispatchKeySet, Stack*);

}  // namespace c10
