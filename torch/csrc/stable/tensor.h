#pragma once

#include <torch/csrc/inductor/aoti_torch/c/shim.h>
#include <torch/csrc/stable/accelerator.h>
#include <torch/csrc/stable/c/shim.h>
#include <torch/csrc/stable/device.h>
#include <torch/csrc/stable/macros.h>
#include <torch/headeronly/core/Layout.h>
#include <torch/headeronly/core/ScalarType.h>
#include <torch/headeronly/macros/Macros.h>
#include <torch/headeronly/util/Exception.h>
#include <torch/headeronly/util/HeaderOnlyArrayRef.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <type_traits>

HIDDEN_NAMESPACE_BEGIN(torch, stable)

using torch::headeronly::IntHeaderOnlyArrayRef;
using torch::headeronly::Layout;
using torch::headeronly::ScalarType;

/// A tensor of the library, behind the C interface: its metadata and its memory. Copies share the
/// tensor. Operators on it are functions of torch/csrc/stable/ops.h. Every member throws
/// std::runtime_error if the library reports an error.
class Tensor {
 public:
  /// An undefined tensor.
  Tensor() {
    AtenTensorHandle tensor = nullptr;
    STABLE_TORCH_ERROR_CODE_CHECK(aoti_torch_new_uninitialized_tensor(&tensor));
    tensor_.reset(tensor, aoti_torch_delete_tensor_object);
  }
  /// Takes the handle over.
  explicit Tensor(AtenTensorHandle tensor) : tensor_(tensor, aoti_torch_delete_tensor_object) {}

  /// The handle, which stays this object's.
  AtenTensorHandle get() const { return tensor_.get(); }

  bool defined() const { return ask<bool>(aoti_torch_is_defined); }
  int64_t dim() const { return ask<int64_t>(aoti_torch_get_dim); }
  int64_t numel() const { return ask<int64_t>(aoti_torch_get_numel); }
  /// Borrowed from the tensor, as are the strides, which count elements.
  IntHeaderOnlyArrayRef sizes() const {
    return IntHeaderOnlyArrayRef(ask<int64_t*>(aoti_torch_get_sizes), static_cast<size_t>(dim()));
  }
  IntHeaderOnlyArrayRef strides() const {
    return IntHeaderOnlyArrayRef(ask<int64_t*>(aoti_torch_get_strides), static_cast<size_t>(dim()));
  }
  /// The size or stride of a dimension; -1 is the last one.
  int64_t size(int64_t dim) const {
    int64_t size;
    STABLE_TORCH_ERROR_CODE_CHECK(aoti_torch_get_size(get(), dim, &size));
    return size;
  }
  int64_t stride(int64_t dim) const {
    int64_t stride;
    STABLE_TORCH_ERROR_CODE_CHECK(aoti_torch_get_stride(get(), dim, &stride));
    return stride;
  }
  int64_t storage_offset() const { return ask<int64_t>(aoti_torch_get_storage_offset); }
  bool is_contiguous() const { return ask<bool>(aoti_torch_is_contiguous); }

  ScalarType scalar_type() const {
    return static_cast<ScalarType>(ask<int32_t>(aoti_torch_get_dtype));
  }
  size_t element_size() const {
    return aoti_torch_dtype_element_size(ask<int32_t>(aoti_torch_get_dtype));
  }
  Layout layout() const { return static_cast<Layout>(ask<int32_t>(aoti_torch_get_layout)); }
  Device device() const {
    return Device(static_cast<DeviceType>(ask<int32_t>(aoti_torch_get_device_type)),
                  get_device_index());
  }
  /// -1 on the CPU.
  DeviceIndex get_device_index() const { return ask<int32_t>(aoti_torch_get_device_index); }
  int8_t get_device() const {
    const DeviceIndex index = get_device_index();
    STD_TORCH_CHECK(index <= std::numeric_limits<int8_t>::max(), "device index ", index,
                    " does not fit into int8_t; call get_device_index()");
    return static_cast<int8_t>(index);
  }
  bool is_cuda() const { return device().is_cuda(); }
  bool is_cpu() const { return device().is_cpu(); }

  void* data_ptr() const { return ask<void*>(aoti_torch_get_data_ptr); }
  void* mutable_data_ptr() const { return ask<void*>(torch_get_mutable_data_ptr); }
  const void* const_data_ptr() const { return ask<const void*>(torch_get_const_data_ptr); }
  /// The same with a type. Throws std::runtime_error, "expected scalar type Float but found Int",
  /// if it is not the tensor's.
  template <typename T>
  T* mutable_data_ptr() const {
    check_type<T>();
    return static_cast<T*>(mutable_data_ptr());
  }
  template <typename T>
    requires(!std::is_const_v<T>)
  const T* const_data_ptr() const {
    check_type<T>();
    return static_cast<const T*>(const_data_ptr());
  }

  const Tensor& set_requires_grad(bool requires_grad) const {
    STABLE_TORCH_ERROR_CODE_CHECK(torch_set_requires_grad(get(), requires_grad));
    return *this;
  }

 private:
  // What a function of the C interface says of the tensor.
  template <typename Answer>
  Answer ask(AOTITorchError (*question)(AtenTensorHandle, Answer*)) const {
    Answer answer{};
    STABLE_TORCH_ERROR_CODE_CHECK(question(get(), &answer));
    return answer;
  }
  template <typename T>
  void check_type() const {
    constexpr ScalarType expected =
        torch::headeronly::CppTypeToScalarType<std::remove_const_t<T>>::value;
    const ScalarType found = scalar_type();
    STD_TORCH_CHECK(found == expected, "expected scalar type ",
                    torch::headeronly::toString(expected), " but found ",
                    torch::headeronly::toString(found));
  }

  std::shared_ptr<AtenTensorOpaque> tensor_;
};

HIDDEN_NAMESPACE_END(torch, stable)
