#include <torch/csrc/utils/device_lazy_init.h>

#include <torch/csrc/python_headers.h>

#include <ATen/detail/CUDAHooksInterface.h>
#include <torch/csrc/Exceptions.h>
#include <torch/csrc/utils/object_ptr.h>

namespace torch::utils {

void maybe_initialize_device(c10::Device device) {
  if (!device.is_cuda() || at::detail::getCUDAHooks().hasCUDA()) return;
  const THPObjectPtr cuda(PyImport_ImportModule("torch.cuda"));
  const THPObjectPtr done(cuda ? PyObject_CallMethod(cuda.get(), "init", nullptr) : nullptr);
  if (!done) throw python_error();
}

}  // namespace torch::utils
