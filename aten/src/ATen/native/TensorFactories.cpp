// Tensors of given sizes: empty, constant, identity.

#define TORCH_ASSERT_ONLY_METHOD_OPERATORS
#include <ATen/EmptyTensor.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/Resize.h>
#include <ATen/native/TensorFactories.h>
#include <c10/core/DefaultDtype.h>
#include <c10/core/Scalar.h>
#include <c10/core/ScalarType.h>
#include <c10/core/TensorOptions.h>
#include <c10/util/Exception.h>
#include <c10/util/SmallVector.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include <ATen/native/StrideInference.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/empty_like_native.h>
#include <ATen/ops/empty_native.h>
#include <ATen/ops/empty_permuted_native.h>
#include <ATen/ops/empty_strided.h>
#include <ATen/ops/empty_strided_native.h>
#include <ATen/ops/eye_native.h>
#include <ATen/ops/full_like_native.h>
#include <ATen/ops/full_native.h>
#include <ATen/ops/new_empty_native.h>
#include <ATen/ops/new_empty_strided_native.h>
#include <ATen/ops/new_full_native.h>
#include <ATen/ops/new_ones_native.h>
#include <ATen/ops/new_zeros_native.h>
#include <ATen/ops/ones_like_native.h>
#include <ATen/ops/ones_native.h>
#include <ATen/ops/scalar_tensor_native.h>
#include <ATen/ops/zeros.h>
#include <ATen/ops/zeros_like_native.h>
#include <ATen/ops/zeros_native.h>

namespace at::native {

// ---- empty

namespace {

// Uninitialized memory differs from run to run.
Tensor filled_if_deterministic(Tensor tensor) {
  if (fills_uninitialized_memory()) fill_empty_deterministic_(tensor);
  return tensor;
}

}  // namespace

Tensor empty_cpu(IntArrayRef size, std::optional<ScalarType> dtype, std::optional<Layout> layout,
                 std::optional<Device> device, std::optional<bool> pin_memory,
                 std::optional<MemoryFormat> memory_format) {
  return filled_if_deterministic(
      Tensor(at::detail::empty_cpu(size, dtype, layout, device, pin_memory, memory_format)));
}

Tensor empty_meta(IntArrayRef size, std::optional<ScalarType> dtype, std::optional<Layout> layout,
                  std::optional<Device> device, std::optional<bool> pin_memory,
                  std::optional<MemoryFormat> memory_format) {
  return Tensor(at::detail::empty_meta(
      size, TensorOptions().dtype(dtype).layout(layout).memory_format(memory_format)));
}

Tensor empty_strided_cpu(IntArrayRef size, IntArrayRef stride, std::optional<ScalarType> dtype,
                         std::optional<Layout> layout, std::optional<Device> device,
                         std::optional<bool> pin_memory) {
  return filled_if_deterministic(
      Tensor(at::detail::empty_strided_cpu(size, stride, dtype, layout, device, pin_memory)));
}

Tensor empty_strided_meta(IntArrayRef size, IntArrayRef stride, std::optional<ScalarType> dtype,
                          std::optional<Layout> layout, std::optional<Device> device,
                          std::optional<bool> pin_memory) {
  return Tensor(
      at::detail::empty_strided_meta(size, stride, TensorOptions().dtype(dtype).layout(layout)));
}

Tensor& empty_out(IntArrayRef size, std::optional<MemoryFormat> memory_format, Tensor& out) {
  at::detail::check_size_nonnegative(size);
  if (!out.sizes().equals(size)) out.resize_(size, memory_format);
  return filled_if_deterministic(out), out;
}

Tensor empty_like(const Tensor& self, std::optional<ScalarType> dtype, std::optional<Layout> layout,
                  std::optional<Device> device, std::optional<bool> pin_memory,
                  std::optional<MemoryFormat> memory_format) {
  const TensorOptions options = self.options().merge_in(
      TensorOptions().dtype(dtype).layout(layout).device(device).pinned_memory(pin_memory));
  const MemoryFormat format = memory_format.value_or(MemoryFormat::Preserve);
  if (format != MemoryFormat::Preserve) return at::empty(self.sizes(), options, format);
  // Preserve: dense tensors keep their strides, others get the nearest dense ones.
  if (self.is_non_overlapping_and_dense()) {
    return at::empty_strided(self.sizes(), self.strides(), options);
  }
  return at::empty_strided(self.sizes(), infer_dense_strides(self.sizes(), self.strides()),
                           options);
}

Tensor new_empty(const Tensor& self, IntArrayRef size, std::optional<ScalarType> dtype,
                 std::optional<Layout> layout, std::optional<Device> device,
                 std::optional<bool> pin_memory) {
  const auto dtype_or_self = dtype.has_value() ? dtype : std::make_optional(self.scalar_type());
  const auto layout_or_self = layout.has_value() ? layout : std::make_optional(self.layout());
  const auto device_or_self = device.has_value() ? device : std::make_optional(self.device());
  return at::empty(size, dtype_or_self, layout_or_self, device_or_self, pin_memory, std::nullopt);
}

// ---- constants

Tensor zeros(IntArrayRef size, std::optional<ScalarType> dtype, std::optional<Layout> layout,
             std::optional<Device> device, std::optional<bool> pin_memory) {
  return at::empty(size, dtype, layout, device, pin_memory, std::nullopt).zero_();
}

Tensor& zeros_out(IntArrayRef size, Tensor& out) {
  out.resize_(size);
  return out.zero_();
}

Tensor zeros_like(const Tensor& self, std::optional<ScalarType> dtype, std::optional<Layout> layout,
                  std::optional<Device> device, std::optional<bool> pin_memory,
                  std::optional<MemoryFormat> memory_format) {
  return at::empty_like(self, dtype, layout, device, pin_memory, memory_format).zero_();
}

Tensor new_zeros(const Tensor& self, IntArrayRef size, std::optional<ScalarType> dtype,
                 std::optional<Layout> layout, std::optional<Device> device,
                 std::optional<bool> pin_memory) {
  return self.new_empty(size, dtype, layout, device, pin_memory).zero_();
}

Tensor ones(IntArrayRef size, std::optional<ScalarType> dtype, std::optional<Layout> layout,
            std::optional<Device> device, std::optional<bool> pin_memory) {
  return at::empty(size, dtype, layout, device, pin_memory, std::nullopt).fill_(1);
}

Tensor& ones_out(IntArrayRef size, Tensor& out) {
  out.resize_(size);
  return out.fill_(1);
}

Tensor ones_like(const Tensor& self, std::optional<ScalarType> dtype, std::optional<Layout> layout,
                 std::optional<Device> device, std::optional<bool> pin_memory,
                 std::optional<MemoryFormat> memory_format) {
  return at::empty_like(self, dtype, layout, device, pin_memory, memory_format).fill_(1);
}

Tensor new_ones(const Tensor& self, IntArrayRef size, std::optional<ScalarType> dtype,
                std::optional<Layout> layout, std::optional<Device> device,
                std::optional<bool> pin_memory) {
  return self.new_empty(size, dtype, layout, device, pin_memory).fill_(1);
}

// Without `dtype` the type is that of the number: bool, int64, or the default floating point type.
Tensor full(IntArrayRef size, const Scalar& fill_value, std::optional<ScalarType> dtype,
            std::optional<Layout> layout, std::optional<Device> device,
            std::optional<bool> pin_memory) {
  if (!dtype.has_value()) {
    if (fill_value.isBoolean()) {
      dtype = kBool;
    } else if (fill_value.isIntegral(/*includeBool=*/false)) {
      dtype = kLong;
    } else if (fill_value.isComplex()) {
      dtype = c10::get_default_dtype_as_scalartype() == kDouble ? kComplexDouble : kComplexFloat;
    }
  }
  return at::empty(size, dtype, layout, device, pin_memory, std::nullopt).fill_(fill_value);
}

Tensor& full_out(IntArrayRef size, const Scalar& fill_value, Tensor& out) {
  out.resize_(size);
  return out.fill_(fill_value);
}

Tensor full_like(const Tensor& self, const Scalar& fill_value, std::optional<ScalarType> dtype,
                 std::optional<Layout> layout, std::optional<Device> device,
                 std::optional<bool> pin_memory, std::optional<MemoryFormat> memory_format) {
  return at::empty_like(self, dtype, layout, device, pin_memory, memory_format).fill_(fill_value);
}

Tensor new_full(const Tensor& self, IntArrayRef size, const Scalar& fill_value,
                std::optional<ScalarType> dtype, std::optional<Layout> layout,
                std::optional<Device> device, std::optional<bool> pin_memory) {
  return self.new_empty(size, dtype, layout, device, pin_memory).fill_(fill_value);
}

Tensor scalar_tensor(const Scalar& s, std::optional<ScalarType> dtype, std::optional<Layout> layout,
                     std::optional<Device> device, std::optional<bool> pin_memory) {
  return at::empty({}, dtype, layout, device, pin_memory, std::nullopt).fill_(s);
}

// ---- identity

Tensor eye(int64_t n, int64_t m, std::optional<ScalarType> dtype, std::optional<Layout> layout,
           std::optional<Device> device, std::optional<bool> pin_memory) {
  TORCH_CHECK(n >= 0, "n must be greater or equal to 0, got ", n);
  TORCH_CHECK(m >= 0, "m must be greater or equal to 0, got ", m);
  Tensor result = at::zeros({n, m}, dtype, layout, device, pin_memory);
  if (n > 0 && m > 0) result.as_strided({std::min(n, m)}, {m + 1}).fill_(1);
  return result;
}

Tensor eye(int64_t n, std::optional<ScalarType> dtype, std::optional<Layout> layout,
           std::optional<Device> device, std::optional<bool> pin_memory) {
  return native::eye(n, n, dtype, layout, device, pin_memory);
}

Tensor& eye_out_cpu(int64_t n, Tensor& result) { return native::eye_out_cpu(n, n, result); }

Tensor& eye_out_cpu(int64_t n, int64_t m, Tensor& result) {
  TORCH_CHECK(n >= 0, "n must be greater or equal to 0, got ", n);
  TORCH_CHECK(m >= 0, "m must be greater or equal to 0, got ", m);
  result.resize_({n, m});
  result.zero_();
  if (n > 0 && m > 0) result.diagonal().fill_(1);
  return result;
}

Tensor empty_permuted(IntArrayRef size, IntArrayRef physical_layout,
                      std::optional<ScalarType> dtype, std::optional<Layout> layout,
                      std::optional<Device> device, std::optional<bool> pin_memory) {
  const auto ndim = static_cast<int64_t>(size.size());
  TORCH_CHECK(static_cast<int64_t>(physical_layout.size()) == ndim,
              "Number of dimensions in size does not match the length of the physical_layout; i.e. "
              "len(size) = ",
              ndim, " is not equal to len(physical_layout) = ", physical_layout.size());
  std::vector<int64_t> physical(size.size());
  std::vector<bool> seen(size.size(), false);
  for (size_t i = 0; i < size.size(); ++i) {
    const int64_t d = physical_layout[i];
    TORCH_CHECK(d >= 0 && d < ndim, "Dimension out of range (expected to be between 0 and ",
                ndim - 1, ", but got ", d, " at index ", i,
                ").  NB: negative dims not currently supported; file an issue if you want it.");
    TORCH_CHECK(!seen[static_cast<size_t>(d)], "Duplicate dim not allowed");
    seen[static_cast<size_t>(d)] = true;
    physical[i] = size[static_cast<size_t>(d)];
  }
  const Tensor base = at::empty(physical, dtype, layout, device, pin_memory, std::nullopt);
  std::vector<int64_t> strides(size.size());
  for (size_t i = 0; i < size.size(); ++i) {
    strides[static_cast<size_t>(physical_layout[i])] = base.strides()[i];
  }
  return base.as_strided(size, strides);
}

Tensor new_empty_strided(const Tensor& self, IntArrayRef size, IntArrayRef stride,
                         std::optional<ScalarType> dtype, std::optional<Layout> layout,
                         std::optional<Device> device, std::optional<bool> pin_memory) {
  return at::empty_strided(size, stride, dtype.value_or(self.scalar_type()),
                           layout.value_or(self.layout()), device.value_or(self.device()),
                           pin_memory);
}

}  // namespace at::native
