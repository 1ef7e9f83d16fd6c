#include <ATen/core/op_registration/adaption.h>

#include <ATen/core/Tensor.h>
#include <c10/util/Exception.h>

namespace c10::impl {

void check_and_update_common_device(std::optional<Device>& common_device,
                                    const at::TensorBase& tensor, const char* method,
                                    const char* argument) {
  if (!tensor.defined() || (tensor.is_cpu() && tensor.dim() == 0)) return;
  if (!common_device.has_value()) {
    common_device = tensor.device();
    return;
  }
  TORCH_CHECK(*common_device == tensor.device(),
              "Expected all tensors to be on the same device, but got ", argument, " is on ",
              tensor.device(), ", different from other tensors on ", *common_device,
              " (when checking argument in method ", method, ")");
}

void check_and_update_common_device(std::optional<Device>& common_device,
                                    const std::optional<at::Tensor>& tensor, const char* method,
                                    const char* argument) {
  if (tensor.has_value()) check_and_update_common_device(common_device, *tensor, method, argument);
}

void check_and_update_common_device(std::optional<Device>& common_device,
                                    ArrayRef<at::Tensor> tensors, const char* method,
                                    const char* argument) {
  for (const at::Tensor& tensor : tensors) {
    check_and_update_common_device(common_device, tensor, method, argument);
  }
}

void check_and_update_common_device(std::optional<Device>&, const List<std::optional<at::Tensor>>&,
                                    const char*, const char*) {}

}  // namespace c10::impl
