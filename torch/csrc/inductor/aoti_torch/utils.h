#pragma once

// What the sources of the C interface share.

#include <ATen/core/Tensor.h>
#include <c10/core/Device.h>
#include <c10/core/DeviceType.h>
#include <c10/core/Layout.h>
#include <c10/core/ScalarType.h>
#include <c10/macros/Export.h>
#include <c10/util/Exception.h>
#include <torch/csrc/inductor/aoti_torch/c/macros.h>

#include <cstdint>
#include <exception>
#include <utility>

namespace torch::aot_inductor {

// Keeps what torch_exception_get_what() answers on this thread.
TORCH_API void set_last_error(std::exception_ptr error);

// Runs a function of the interface; what it throws becomes an error code.
template <typename Function>
AOTITorchError convert_exception_to_error_code(Function&& function) {
  try {
    std::forward<Function>(function)();
    return AOTI_TORCH_SUCCESS;
  } catch (...) {
    set_last_error(std::current_exception());
    return AOTI_TORCH_FAILURE;
  }
}

inline at::Tensor& tensor_of(AtenTensorHandle handle) {
  TORCH_CHECK(handle != nullptr, "expected a handle of a tensor, but got a null pointer");
  return *reinterpret_cast<at::Tensor*>(handle);
}

// A handle that owns a reference to the tensor.
inline AtenTensorHandle new_tensor_handle(at::Tensor tensor) {
  return reinterpret_cast<AtenTensorHandle>(new at::Tensor(std::move(tensor)));
}

// The numbers of the interface are the enumerators'. These throw for a number that is none.
inline c10::ScalarType scalar_type_of(int64_t number) {
#define CASE(cpp_type, name) \
  if (number == static_cast<int64_t>(c10::ScalarType::name)) return c10::ScalarType::name;
  AT_FORALL_SCALAR_TYPES_WITH_COMPLEX(CASE)
#undef CASE
  TORCH_CHECK(false, "element type ", number,
              " is not one of this version, which has those of c10/core/ScalarType.h");
}
inline c10::Layout layout_of(int64_t number) {
  TORCH_CHECK(0 <= number && number < static_cast<int64_t>(c10::Layout::NumOptions), "layout ",
              number, " does not exist");
  return static_cast<c10::Layout>(number);
}
inline c10::Device device_of(int64_t type, int64_t index) {
  TORCH_CHECK(0 <= type && type < c10::COMPILE_TIME_MAX_DEVICE_TYPES, "kind of device ", type,
              " does not exist");
  TORCH_CHECK(-1 <= index && index < 128, "device index ", index, " is out of range");
  return c10::Device(static_cast<c10::DeviceType>(type), static_cast<c10::DeviceIndex>(index));
}

}  // namespace torch::aot_inductor
