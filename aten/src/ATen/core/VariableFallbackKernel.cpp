// Keys above the backends do nothing unless an operator has a kernel for them.

#include <torch/library.h>

namespace {

#define AT_PASS_THROUGH(key) \
  TORCH_LIBRARY_IMPL(_, key, m) { m.fallback(torch::CppFunction::makeFallthrough()); }

AT_PASS_THROUGH(BackendSelect)
AT_PASS_THROUGH(Python)
AT_PASS_THROUGH(ADInplaceOrView)
AT_PASS_THROUGH(AutogradOther)
AT_PASS_THROUGH(AutogradCPU)
AT_PASS_THROUGH(AutogradCUDA)
AT_PASS_THROUGH(AutogradHIP)
AT_PASS_THROUGH(AutogradXPU)
AT_PASS_THROUGH(AutogradMPS)
AT_PASS_THROUGH(AutogradMeta)
AT_PASS_THROUGH(AutogradPrivateUse1)
AT_PASS_THROUGH(Tracer)
AT_PASS_THROUGH(AutocastCPU)
AT_PASS_THROUGH(AutocastXPU)
AT_PASS_THROUGH(AutocastMPS)
AT_PASS_THROUGH(AutocastCUDA)
AT_PASS_THROUGH(AutocastPrivateUse1)

#undef AT_PASS_THROUGH

}  // namespace
