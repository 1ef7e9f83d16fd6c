#pragma once

#include <c10/core/DefaultDtype.h>
#include <c10/core/Device.h>
#include <c10/core/DispatchKeySet.h>
#include <c10/core/Layout.h>
#include <c10/core/MemoryFormat.h>
#include <c10/core/ScalarType.h>
#include <c10/core/ScalarTypeToTypeMeta.h>
#include <c10/macros/Macros.h>
#include <c10/util/Exception.h>
#include <c10/util/typeid.h>

#include <iosfwd>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

namespace c10 {

/// The dispatch key of a tensor with these options. Throws c10::Error if the device and the layout
/// have none.
C10_API DispatchKey computeDispatchKey(std::optional<ScalarType> dtype,
                                       std::optional<Layout> layout, std::optional<Device> device);

/// The values, or the defaults for what is not set.
inline ScalarType dtype_or_default(std::optional<ScalarType> dtype) {
  return dtype.has_value() ? *dtype : get_default_dtype_as_scalartype();
}
inline caffe2::TypeMeta dtype_or_default(std::optional<caffe2::TypeMeta> dtype) {
  return dtype.has_value() ? *dtype : get_default_dtype();
}
inline Layout layout_or_default(std::optional<Layout> layout) { return layout.value_or(kStrided); }
inline Device device_or_default(std::optional<Device> device) {
  return device.has_value() ? *device : Device(kCPU);
}
inline bool pinned_memory_or_default(std::optional<bool> pinned_memory) {
  return pinned_memory.value_or(false);
}

/// The properties of a new tensor: dtype, device, layout, requires_grad, pinned memory and memory
/// format. What is not set has a default: torch.get_default_dtype(), the CPU, strided, false,
/// false, contiguous. Setters return a changed copy.
///
///   auto x = at::zeros({2}, at::device(at::kCPU).dtype(at::kDouble));
struct C10_API TensorOptions {
  TensorOptions()
      : has_device_(false),
        has_dtype_(false),
        has_layout_(false),
        has_requires_grad_(false),
        has_pinned_memory_(false),
        has_memory_format_(false) {}
  /* implicit */ TensorOptions(Layout layout) : TensorOptions() { set_layout(layout); }
  /// A template, so that the braces of `TensorOptions({kCUDA, 1})` are those of options alone.
  template <typename T>
    requires std::is_same_v<std::decay_t<T>, Device>
  /* implicit */ TensorOptions(T&& device) : TensorOptions() {
    set_device(std::forward<T>(device));
  }
  /* implicit */ TensorOptions(DeviceType device) : TensorOptions(Device(device)) {}
  /// From "cuda:1", and from the arguments of Device's other constructors.
  template <typename T>
    requires std::is_constructible_v<std::string, T>
  /* implicit */ TensorOptions(T&& device) : TensorOptions(Device(std::forward<T>(device))) {}
  TensorOptions(DeviceType device, DeviceIndex index) : TensorOptions(Device(device, index)) {}
  /* implicit */ TensorOptions(caffe2::TypeMeta dtype) : TensorOptions() { set_dtype(dtype); }
  /* implicit */ TensorOptions(ScalarType dtype) : TensorOptions() { set_dtype(dtype); }
  /* implicit */ TensorOptions(MemoryFormat memory_format) : TensorOptions() {
    set_memory_format(memory_format);
  }

  /// Copies with one property set, or unset by nullopt.
  [[nodiscard]] TensorOptions device(std::optional<Device> device) const noexcept {
    TensorOptions r = *this;
    r.set_device(device);
    return r;
  }
  /// Sets the device from the arguments of its constructor: `device("cuda:1")`, `device(kCUDA, 1)`.
  template <typename... Args>
    requires(std::is_constructible_v<Device, Args...> &&
             !(std::is_convertible_v<Args, std::optional<Device>> && ...))
  [[nodiscard]] TensorOptions device(Args&&... args) const {
    return device(std::optional<Device>(Device(std::forward<Args>(args)...)));
  }
  /// The same type of device, with another index.
  [[nodiscard]] TensorOptions device_index(DeviceIndex index) const noexcept {
    return device(Device(device().type(), index));
  }
  [[nodiscard]] TensorOptions dtype(std::optional<caffe2::TypeMeta> dtype) const noexcept {
    TensorOptions r = *this;
    r.set_dtype(dtype);
    return r;
  }
  [[nodiscard]] TensorOptions dtype(std::optional<ScalarType> dtype) const noexcept {
    TensorOptions r = *this;
    r.set_dtype(dtype);
    return r;
  }
  [[nodiscard]] TensorOptions dtype(ScalarType dtype) const noexcept {
    return this->dtype(std::optional<ScalarType>(dtype));
  }
  [[nodiscard]] TensorOptions dtype(caffe2::TypeMeta dtype) const noexcept {
    return this->dtype(std::optional<caffe2::TypeMeta>(dtype));
  }
  /// Sets the dtype in place: `options.dtype<float>()`.
  template <typename T>
  TensorOptions& dtype() {
    set_dtype(CppTypeToScalarType<T>::value);
    return *this;
  }
  [[nodiscard]] TensorOptions layout(std::optional<Layout> layout) const noexcept {
    TensorOptions r = *this;
    r.set_layout(layout);
    return r;
  }
  [[nodiscard]] TensorOptions requires_grad(std::optional<bool> requires_grad) const noexcept {
    TensorOptions r = *this;
    r.set_requires_grad(requires_grad);
    return r;
  }
  [[nodiscard]] TensorOptions pinned_memory(std::optional<bool> pinned_memory) const noexcept {
    TensorOptions r = *this;
    r.set_pinned_memory(pinned_memory);
    return r;
  }
  [[nodiscard]] TensorOptions memory_format(
      std::optional<MemoryFormat> memory_format) const noexcept {
    TensorOptions r = *this;
    r.set_memory_format(memory_format);
    return r;
  }

  /// The properties with defaults filled in; `x_opt()` is nullopt if x is not set.
  Device device() const noexcept { return device_or_default(device_opt()); }
  bool has_device() const noexcept { return has_device_; }
  std::optional<Device> device_opt() const noexcept {
    return has_device_ ? std::make_optional(device_) : std::nullopt;
  }
  int32_t device_index() const noexcept { return device().index(); }
  caffe2::TypeMeta dtype() const noexcept { return dtype_or_default(dtype_opt()); }
  bool has_dtype() const noexcept { return has_dtype_; }
  std::optional<caffe2::TypeMeta> dtype_opt() const noexcept {
    return has_dtype_ ? std::make_optional(dtype_) : std::nullopt;
  }
  Layout layout() const noexcept { return layout_or_default(layout_opt()); }
  bool has_layout() const noexcept { return has_layout_; }
  std::optional<Layout> layout_opt() const noexcept {
    return has_layout_ ? std::make_optional(layout_) : std::nullopt;
  }
  bool requires_grad() const noexcept { return has_requires_grad_ && requires_grad_; }
  bool has_requires_grad() const noexcept { return has_requires_grad_; }
  std::optional<bool> requires_grad_opt() const noexcept {
    return has_requires_grad_ ? std::make_optional<bool>(requires_grad_) : std::nullopt;
  }
  bool pinned_memory() const noexcept { return has_pinned_memory_ && pinned_memory_; }
  bool has_pinned_memory() const noexcept { return has_pinned_memory_; }
  std::optional<bool> pinned_memory_opt() const noexcept {
    return has_pinned_memory_ ? std::make_optional<bool>(pinned_memory_) : std::nullopt;
  }
  bool has_memory_format() const noexcept { return has_memory_format_; }
  std::optional<MemoryFormat> memory_format_opt() const noexcept {
    return has_memory_format_ ? std::make_optional(memory_format_) : std::nullopt;
  }
  bool is_sparse() const { return layout() == Layout::Sparse; }

  /// Whether dtype and dispatch key (device type and layout) are equal, with defaults filled in.
  bool type_equal(const TensorOptions& other) const {
    return computeDispatchKey() == other.computeDispatchKey() && dtype() == other.dtype();
  }
  /// These options, with those that `options` sets replaced.
  [[nodiscard]] TensorOptions merge_in(TensorOptions options) const noexcept {
    TensorOptions merged = *this;
    if (options.has_device()) merged.set_device(options.device_opt());
    if (options.has_dtype()) merged.set_dtype(options.dtype_opt());
    if (options.has_layout()) merged.set_layout(options.layout_opt());
    if (options.has_requires_grad()) merged.set_requires_grad(options.requires_grad());
    if (options.has_pinned_memory()) merged.set_pinned_memory(options.pinned_memory());
    if (options.has_memory_format()) merged.set_memory_format(options.memory_format_opt());
    return merged;
  }
  /// These options, with another memory format if one is given.
  [[nodiscard]] TensorOptions merge_memory_format(
      std::optional<MemoryFormat> memory_format) const noexcept {
    TensorOptions merged = *this;
    if (memory_format.has_value()) merged.set_memory_format(*memory_format);
    return merged;
  }

  /// The dispatch key of a tensor with these options. Throws c10::Error if there is none.
  DispatchKey computeDispatchKey() const {
    return c10::computeDispatchKey(optTypeMetaToScalarType(dtype_opt()), layout_opt(),
                                   device_opt());
  }

 private:
  void set_device(std::optional<Device> device) & noexcept {
    has_device_ = device.has_value();
    if (device.has_value()) device_ = *device;
  }
  void set_dtype(std::optional<caffe2::TypeMeta> dtype) & noexcept {
    has_dtype_ = dtype.has_value();
    if (dtype.has_value()) dtype_ = *dtype;
  }
  void set_dtype(std::optional<ScalarType> dtype) & noexcept {
    has_dtype_ = dtype.has_value();
    if (dtype.has_value()) dtype_ = scalarTypeToTypeMeta(*dtype);
  }
  void set_dtype(ScalarType dtype) & noexcept { set_dtype(std::optional<ScalarType>(dtype)); }
  void set_dtype(caffe2::TypeMeta dtype) & noexcept {
    set_dtype(std::optional<caffe2::TypeMeta>(dtype));
  }
  void set_layout(std::optional<Layout> layout) & noexcept {
    has_layout_ = layout.has_value();
    if (layout.has_value()) layout_ = *layout;
  }
  void set_requires_grad(std::optional<bool> requires_grad) & noexcept {
    has_requires_grad_ = requires_grad.has_value();
    if (requires_grad.has_value()) requires_grad_ = *requires_grad;
  }
  void set_pinned_memory(std::optional<bool> pinned_memory) & noexcept {
    has_pinned_memory_ = pinned_memory.has_value();
    if (pinned_memory.has_value()) pinned_memory_ = *pinned_memory;
  }
  void set_memory_format(std::optional<MemoryFormat> memory_format) & noexcept {
    has_memory_format_ = memory_format.has_value();
    if (memory_format.has_value()) memory_format_ = *memory_format;
  }

  caffe2::TypeMeta dtype_ = caffe2::TypeMeta::Make<float>();
  Device device_ = DeviceType::CPU;
  Layout layout_ = Layout::Strided;
  MemoryFormat memory_format_ = MemoryFormat::Contiguous;
  bool requires_grad_ : 1 = false;
  bool pinned_memory_ : 1 = false;
  bool has_device_ : 1;
  bool has_dtype_ : 1;
  bool has_layout_ : 1;
  bool has_requires_grad_ : 1;
  bool has_pinned_memory_ : 1;
  bool has_memory_format_ : 1;
};

/// Options with one property set. Chain the others: `at::dtype(at::kInt).device(at::kCPU)`.
inline TensorOptions dtype(caffe2::TypeMeta dtype) { return TensorOptions().dtype(dtype); }
inline TensorOptions dtype(ScalarType dtype) { return TensorOptions().dtype(dtype); }
template <typename T>
inline TensorOptions dtype() {
  return dtype(CppTypeToScalarType<T>::value);
}
inline TensorOptions layout(Layout layout) { return TensorOptions().layout(layout); }
inline TensorOptions device(Device device) { return TensorOptions().device(device); }
/// CUDA's device of this index.
inline TensorOptions device_index(DeviceIndex device_index) {
  return TensorOptions().device(kCUDA, device_index);
}
inline TensorOptions requires_grad(bool requires_grad = true) {
  return TensorOptions().requires_grad(requires_grad);
}
inline TensorOptions memory_format(MemoryFormat memory_format) {
  return TensorOptions().memory_format(memory_format);
}

C10_API std::ostream& operator<<(std::ostream& stream, const TensorOptions& options);

namespace impl {

// The memory format given in `options` or as an argument; throws when it is given twice, or when
// the options ask for a gradient, which no operator can grant.
inline std::optional<MemoryFormat> check_tensor_options_and_extract_memory_format(
    const TensorOptions& options, std::optional<MemoryFormat> memory_format) {
  TORCH_CHECK(
      !options.requires_grad(),
      "Operators taking TensorOptions cannot take a TensorOptions with options.requires_grad set as true. This isn't implemented yet.");
  TORCH_CHECK(
      !(options.has_memory_format() && memory_format.has_value()),
      "Cannot set memory_format both in TensorOptions and explicit argument; please delete the redundant setter.");
  return memory_format.has_value() ? memory_format : options.memory_format_opt();
}

}  // namespace impl

}  // namespace c10
