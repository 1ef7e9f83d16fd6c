#pragma once

// Operators on torch::stable::Tensor: those of ATen with the same names, whose documentation says
// what they compute. Each throws std::runtime_error with the operator's message.

#include <torch/csrc/inductor/aoti_torch/c/shim.h>
#include <torch/csrc/stable/c/shim.h>
#include <torch/csrc/stable/device.h>
#include <torch/csrc/stable/macros.h>
#include <torch/csrc/stable/stableivalue_conversions.h>
#include <torch/csrc/stable/tensor.h>
#include <torch/csrc/stable/version.h>
#include <torch/headeronly/core/Layout.h>
#include <torch/headeronly/core/MemoryFormat.h>
#include <torch/headeronly/core/ScalarType.h>
#include <torch/headeronly/macros/Macros.h>
#include <torch/headeronly/util/Exception.h>
#include <torch/headeronly/util/HeaderOnlyArrayRef.h>

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

HIDDEN_NAMESPACE_BEGIN(torch, stable)

using torch::headeronly::MemoryFormat;
using DeleterFnPtr = void (*)(void*);

namespace detail {

// The first result of an operator; every argument of its schema must be there.
template <typename... Args>
Tensor call(const char* name, const char* overload, const Args&... args) {
  std::array<StableIValue, sizeof...(Args)> stack{from(args)...};
  STABLE_TORCH_ERROR_CODE_CHECK(
      torch_call_dispatcher(name, overload, stack.data(), TORCH_FEATURE_VERSION));
  return to<Tensor>(stack[0]);
}

}  // namespace detail

inline Tensor empty(IntHeaderOnlyArrayRef size, std::optional<ScalarType> dtype = std::nullopt,
                    std::optional<Layout> layout = std::nullopt,
                    std::optional<Device> device = std::nullopt,
                    std::optional<bool> pin_memory = std::nullopt,
                    std::optional<MemoryFormat> memory_format = std::nullopt) {
  return detail::call("aten::empty", "memory_format", size, dtype, layout, device, pin_memory,
                      memory_format);
}

inline Tensor empty_like(const Tensor& self) {
  return detail::call("aten::empty_like", "", self, std::nullopt, std::nullopt, std::nullopt,
                      std::nullopt, std::nullopt);
}

inline Tensor new_empty(const Tensor& self, IntHeaderOnlyArrayRef size,
                        std::optional<ScalarType> dtype = std::nullopt,
                        std::optional<Layout> layout = std::nullopt,
                        std::optional<Device> device = std::nullopt,
                        std::optional<bool> pin_memory = std::nullopt) {
  return detail::call("aten::new_empty", "", self, size, dtype, layout, device, pin_memory);
}

inline Tensor new_zeros(const Tensor& self, IntHeaderOnlyArrayRef size,
                        std::optional<ScalarType> dtype = std::nullopt,
                        std::optional<Layout> layout = std::nullopt,
                        std::optional<Device> device = std::nullopt,
                        std::optional<bool> pin_memory = std::nullopt) {
  return detail::call("aten::new_zeros", "", self, size, dtype, layout, device, pin_memory);
}

inline Tensor full(IntHeaderOnlyArrayRef size, double fill_value,
                   std::optional<ScalarType> dtype = std::nullopt,
                   std::optional<Layout> layout = std::nullopt,
                   std::optional<Device> device = std::nullopt,
                   std::optional<bool> pin_memory = std::nullopt) {
  const auto number = [](auto value) { return static_cast<int32_t>(value); };
  int32_t dtype_number = dtype ? number(*dtype) : 0;
  int32_t layout_number = layout ? number(*layout) : 0;
  int32_t device_number = device ? number(device->type()) : 0;
  int32_t pinned = pin_memory.value_or(false);
  AtenTensorHandle result = nullptr;
  STABLE_TORCH_ERROR_CODE_CHECK(aoti_torch_aten_full(
      size.data(), static_cast<int64_t>(size.size()), fill_value, dtype ? &dtype_number : nullptr,
      layout ? &layout_number : nullptr, device ? &device_number : nullptr,
      device ? device->index() : -1, pin_memory ? &pinned : nullptr, &result));
  return Tensor(result);
}

/// A tensor over `data`, which must outlive it. `device` says where the memory is; strides and
/// `storage_offset` count elements.
inline Tensor from_blob(void* data, IntHeaderOnlyArrayRef sizes, IntHeaderOnlyArrayRef strides,
                        Device device, ScalarType dtype, int64_t storage_offset = 0,
                        Layout layout = Layout::Strided) {
  STD_TORCH_CHECK(sizes.size() == strides.size(), "from_blob: ", sizes.size(), " sizes and ",
                  strides.size(), " strides");
  AtenTensorHandle result = nullptr;
  STABLE_TORCH_ERROR_CODE_CHECK(aoti_torch_create_tensor_from_blob_v2(
      data, static_cast<int64_t>(sizes.size()), sizes.data(), strides.data(), storage_offset,
      static_cast<int32_t>(dtype), static_cast<int32_t>(device.type()), device.index(), &result,
      static_cast<int32_t>(layout), nullptr, 0));
  return Tensor(result);
}

#if TORCH_FEATURE_VERSION >= TORCH_VERSION_2_11_0
/// The same; `deleter(data)` runs when the last tensor over the memory is gone.
template <class F>
  requires std::is_invocable_v<F, void*>
Tensor from_blob(void* data, IntHeaderOnlyArrayRef sizes, IntHeaderOnlyArrayRef strides,
                 Device device, ScalarType dtype, F deleter, int64_t storage_offset = 0,
                 Layout layout = Layout::Strided) {
  STD_TORCH_CHECK(sizes.size() == strides.size(), "from_blob: ", sizes.size(), " sizes and ",
                  strides.size(), " strides");
  auto owner = std::make_unique<F>(std::move(deleter));
  AtenTensorHandle result = nullptr;
  STABLE_TORCH_ERROR_CODE_CHECK(torch_from_blob(
      data, static_cast<int64_t>(sizes.size()), sizes.data(), strides.data(), storage_offset,
      static_cast<int32_t>(dtype), static_cast<int32_t>(device.type()), device.index(), &result,
      static_cast<int32_t>(layout), nullptr, 0,
      [](void* memory, void* context) {
        const std::unique_ptr<F> function(static_cast<F*>(context));
        (*function)(memory);
      },
      owner.get()));
  owner.release();
  return Tensor(result);
}
#endif

inline Tensor fill_(const Tensor& self, double value) {
  STABLE_TORCH_ERROR_CODE_CHECK(aoti_torch_aten_fill__Scalar(self.get(), value));
  return self;
}

inline Tensor zero_(const Tensor& self) { return detail::call("aten::zero_", "", self); }

inline Tensor copy_(const Tensor& self, const Tensor& src,
                    std::optional<bool> non_blocking = std::nullopt) {
  return detail::call("aten::copy_", "", self, src, non_blocking.value_or(false));
}

inline Tensor clone(const Tensor& self) {
  return detail::call("aten::clone", "", self, std::nullopt);
}

inline Tensor contiguous(const Tensor& self,
                         MemoryFormat memory_format = MemoryFormat::Contiguous) {
  return detail::call("aten::contiguous", "", self, memory_format);
}

inline Tensor to(const Tensor& self, std::optional<ScalarType> dtype = std::nullopt,
                 std::optional<Layout> layout = std::nullopt,
                 std::optional<Device> device = std::nullopt,
                 std::optional<bool> pin_memory = std::nullopt, bool non_blocking = false,
                 bool copy = false, std::optional<MemoryFormat> memory_format = std::nullopt) {
  return detail::call("aten::to", "dtype_layout", self, dtype, layout, device, pin_memory,
                      non_blocking, copy, memory_format);
}

inline Tensor to(const Tensor& self, Device device, bool non_blocking = false, bool copy = false) {
  return to(self, std::nullopt, std::nullopt, device, std::nullopt, non_blocking, copy);
}

inline Tensor view(const Tensor& self, IntHeaderOnlyArrayRef size) {
  return detail::call("aten::view", "", self, size);
}

inline Tensor reshape(const Tensor& self, IntHeaderOnlyArrayRef shape) {
  return detail::call("aten::reshape", "", self, shape);
}

inline Tensor flatten(const Tensor& self, int64_t start_dim = 0, int64_t end_dim = -1) {
  return detail::call("aten::flatten", "using_ints", self, start_dim, end_dim);
}

inline Tensor transpose(const Tensor& self, int64_t dim0, int64_t dim1) {
  return detail::call("aten::transpose", "int", self, dim0, dim1);
}

inline Tensor unsqueeze(const Tensor& self, int64_t dim) {
  return detail::call("aten::unsqueeze", "", self, dim);
}

inline Tensor squeeze(const Tensor& self, int64_t dim) {
  return detail::call("aten::squeeze", "dim", self, dim);
}

inline Tensor select(const Tensor& self, int64_t dim, int64_t index) {
  return detail::call("aten::select", "int", self, dim, index);
}

inline Tensor narrow(const Tensor& self, int64_t dim, int64_t start, int64_t length) {
  return detail::call("aten::narrow", "", self, dim, start, length);
}

inline Tensor pad(const Tensor& self, IntHeaderOnlyArrayRef pad,
                  const std::string& mode = "constant", double value = 0.0) {
  return detail::call("aten::pad", "", self, pad, mode, std::optional<double>(value));
}

inline Tensor matmul(const Tensor& self, const Tensor& other) {
  return detail::call("aten::matmul", "", self, other);
}

/// self - alpha * other.
inline Tensor subtract(const Tensor& self, const Tensor& other, double alpha = 1.0) {
  AtenTensorHandle result = nullptr;
  STABLE_TORCH_ERROR_CODE_CHECK(
      aoti_torch_aten_subtract_Tensor(self.get(), other.get(), alpha, &result));
  return Tensor(result);
}

inline Tensor amax(const Tensor& self, IntHeaderOnlyArrayRef dims, bool keepdim = false) {
  return detail::call("aten::amax", "", self, dims, keepdim);
}

inline Tensor amax(const Tensor& self, int64_t dim, bool keepdim = false) {
  return amax(self, IntHeaderOnlyArrayRef(dim), keepdim);
}

inline Tensor sum(const Tensor& self, std::optional<IntHeaderOnlyArrayRef> dim = std::nullopt,
                  bool keepdim = false, std::optional<ScalarType> dtype = std::nullopt) {
  return detail::call("aten::sum", "dim_IntList", self, dim, keepdim, dtype);
}

inline Tensor& sum_out(Tensor& out, const Tensor& self,
                       std::optional<IntHeaderOnlyArrayRef> dim = std::nullopt,
                       bool keepdim = false, std::optional<ScalarType> dtype = std::nullopt) {
  detail::call("aten::sum", "IntList_out", self, dim, keepdim, dtype, out);
  return out;
}

/// at::parallel_for: f(chunk_begin, chunk_end) for chunks of at least `grain_size` that cover the
/// range. What `f` throws in a chunk is thrown here, as std::runtime_error.
template <class F>
void parallel_for(int64_t begin, int64_t end, int64_t grain_size, const F& f) {
  STABLE_TORCH_ERROR_CODE_CHECK(torch_parallel_for(
      begin, end, grain_size,
      [](int64_t chunk_begin, int64_t chunk_end, void* context) {
        (*static_cast<const F*>(context))(chunk_begin, chunk_end);
      },
      const_cast<void*>(static_cast<const void*>(&f))));
}

inline uint32_t get_num_threads() {
  uint32_t threads = 0;
  STABLE_TORCH_ERROR_CODE_CHECK(torch_get_num_threads(&threads));
  return threads;
}

HIDDEN_NAMESPACE_END(torch, stable)
