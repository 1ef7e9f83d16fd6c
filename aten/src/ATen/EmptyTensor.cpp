#include <ATen/EmptyTensor.h>

#include <ATen/detail/CUDAHooksInterface.h>
#include <c10/core/Allocator.h>
#include <c10/core/CPUAllocator.h>
#include <c10/core/DefaultDtype.h>
#include <c10/core/DeviceGuard.h>
#include <c10/core/DispatchKeySet.h>
#include <c10/core/MemoryFormat.h>
#include <c10/core/StorageImpl.h>
#include <c10/util/Exception.h>
#include <c10/util/intrusive_ptr.h>

#include <limits>
#include <utility>

namespace at::detail {
namespace {

using c10::DispatchKeySet;

const DispatchKeySet kCpuKeys(c10::DispatchKey::CPU);
const DispatchKeySet kMetaKeys(c10::DispatchKey::Meta);

TensorBase make_tensor_over(c10::intrusive_ptr<c10::StorageImpl> storage, DispatchKeySet ks,
                            ScalarType dtype) {
  return TensorBase(c10::make_intrusive<c10::TensorImpl, c10::UndefinedTensorImpl>(
      c10::Storage(std::move(storage)), ks, c10::scalarTypeToTypeMeta(dtype)));
}

// Storage on the Meta device has a size but no memory.
struct MetaAllocator final : public c10::Allocator {
  c10::DataPtr allocate(size_t) override { return {nullptr, c10::Device(c10::DeviceType::Meta)}; }
  void copy_data(void*, const void*, size_t) const override {}
};

c10::intrusive_ptr<c10::StorageImpl> make_storage(size_t nbytes, c10::Allocator* allocator) {
  static MetaAllocator meta;
  return c10::make_intrusive<c10::StorageImpl>(c10::StorageImpl::use_byte_size_t(), nbytes,
                                               allocator != nullptr ? allocator : &meta,
                                               /*resizable=*/true);
}

// A number of bytes in the making. One that int64 cannot hold stays an overflow.
class StorageSize {
 public:
  explicit StorageSize(size_t value) : value_(value) { check(); }
  void add(size_t other) {
    overflowed_ = __builtin_add_overflow(value_, other, &value_) || overflowed_;
    check();
  }
  void multiply(size_t other) {
    overflowed_ = __builtin_mul_overflow(value_, other, &value_) || overflowed_;
    check();
  }
  void add(const StorageSize& other) {
    overflowed_ = overflowed_ || other.overflowed_;
    add(other.value_);
  }
  bool overflowed() const { return overflowed_; }
  size_t value() const { return value_; }

 private:
  void check() {
    if (value_ > static_cast<size_t>(std::numeric_limits<int64_t>::max())) overflowed_ = true;
  }

  size_t value_;
  bool overflowed_ = false;
};

void check_layout(std::optional<Layout> layout) {
  TORCH_CHECK(layout.value_or(c10::kStrided) == c10::kStrided,
              "only the strided layout is supported, got ", *layout);
}

ScalarType dtype_of(std::optional<ScalarType> dtype) {
  return dtype.has_value() ? *dtype : c10::get_default_dtype_as_scalartype();
}

c10::Allocator* cpu_allocator(bool pin_memory) {
  return pin_memory ? getCUDAHooks().getPinnedMemoryAllocator() : c10::GetCPUAllocator();
}

void check_options_of_device(const TensorOptions& options) {
  check_layout(options.layout_opt());
  TORCH_CHECK(!options.pinned_memory(), "Only dense CPU tensors can be pinned");
}

}  // namespace

void check_size_nonnegative(IntArrayRef size) {
  for (const int64_t x : size) {
    TORCH_CHECK(x >= 0, "Trying to create tensor with negative dimension ", x, ": ", size);
  }
}

size_t computeStorageNbytesContiguous(IntArrayRef sizes, size_t itemsize, size_t storage_offset) {
  StorageSize size(1);
  for (const int64_t n : sizes) size.multiply(static_cast<size_t>(n));
  size.add(storage_offset);
  size.multiply(itemsize);
  TORCH_CHECK(!size.overflowed(), "Storage size calculation overflowed with sizes=", sizes);
  if (size.value() == 0) {
    // Strides count a size of 0 as 1.
    StorageSize stride(1);
    for (size_t d = 1; d < sizes.size(); ++d) {
      stride.multiply(static_cast<size_t>(sizes[d] == 0 ? 1 : sizes[d]));
    }
    TORCH_CHECK(!stride.overflowed(), "Stride calculation overflowed with sizes=", sizes);
  }
  return size.value();
}

size_t computeStorageNbytes(IntArrayRef sizes, IntArrayRef strides, size_t itemsize,
                            size_t storage_offset) {
  TORCH_CHECK(sizes.size() == strides.size(), "dimensionality of sizes (", sizes.size(),
              ") must match dimensionality of strides (", strides.size(), ")");
  StorageSize size(1);
  for (size_t i = 0; i < sizes.size(); ++i) {
    if (sizes[i] == 0) return 0;
    StorageSize reach(static_cast<size_t>(strides[i]));
    reach.multiply(static_cast<size_t>(sizes[i] - 1));
    size.add(reach);
  }
  size.add(storage_offset);
  size.multiply(itemsize);
  TORCH_CHECK(!size.overflowed(), "Storage size calculation overflowed with sizes=", sizes,
              " and strides=", strides);
  return size.value();
}

TensorBase empty_generic(IntArrayRef size, c10::Allocator* allocator, DispatchKeySet ks,
                         ScalarType scalar_type, std::optional<MemoryFormat> memory_format) {
  check_size_nonnegative(size);
  const size_t nbytes = computeStorageNbytesContiguous(size, c10::elementSize(scalar_type));
  TensorBase tensor = make_tensor_over(make_storage(nbytes, allocator), ks, scalar_type);
  c10::TensorImpl* impl = tensor.unsafeGetTensorImpl();
  if (size.size() != 1 || size[0] != 0) impl->set_sizes_contiguous(size);
  if (memory_format.has_value() && *memory_format != MemoryFormat::Contiguous) {
    impl->empty_tensor_restride(*memory_format);
  }
  return tensor;
}

TensorBase empty_strided_generic(IntArrayRef size, IntArrayRef stride, c10::Allocator* allocator,
                                 DispatchKeySet ks, ScalarType scalar_type) {
  check_size_nonnegative(size);
  const size_t nbytes = computeStorageNbytes(size, stride, c10::elementSize(scalar_type));
  TensorBase tensor = make_tensor_over(make_storage(nbytes, allocator), ks, scalar_type);
  tensor.unsafeGetTensorImpl()->set_sizes_and_strides(size, stride);
  return tensor;
}

TensorBase empty_cpu(IntArrayRef size, ScalarType dtype, bool pin_memory,
                     std::optional<MemoryFormat> memory_format) {
  return empty_generic(size, cpu_allocator(pin_memory), kCpuKeys, dtype, memory_format);
}

TensorBase empty_cpu(IntArrayRef size, std::optional<ScalarType> dtype,
                     std::optional<Layout> layout, std::optional<Device> device,
                     std::optional<bool> pin_memory, std::optional<MemoryFormat> memory_format) {
  check_layout(layout);
  return empty_cpu(size, dtype_of(dtype), pin_memory.value_or(false), memory_format);
}

TensorBase empty_cpu(IntArrayRef size, const TensorOptions& options) {
  return empty_cpu(size, c10::optTypeMetaToScalarType(options.dtype_opt()), options.layout_opt(),
                   options.device_opt(), options.pinned_memory_opt(), options.memory_format_opt());
}

TensorBase empty_strided_cpu(IntArrayRef size, IntArrayRef stride, ScalarType dtype,
                             bool pin_memory) {
  return empty_strided_generic(size, stride, cpu_allocator(pin_memory), kCpuKeys, dtype);
}

TensorBase empty_strided_cpu(IntArrayRef size, IntArrayRef stride, std::optional<ScalarType> dtype,
                             std::optional<Layout> layout, std::optional<Device> device,
                             std::optional<bool> pin_memory) {
  check_layout(layout);
  return empty_strided_cpu(size, stride, dtype_of(dtype), pin_memory.value_or(false));
}

TensorBase empty_strided_cpu(IntArrayRef size, IntArrayRef stride, const TensorOptions& options) {
  return empty_strided_cpu(size, stride, c10::optTypeMetaToScalarType(options.dtype_opt()),
                           options.layout_opt(), options.device_opt(), options.pinned_memory_opt());
}

TensorBase empty_meta(IntArrayRef size, ScalarType dtype,
                      std::optional<MemoryFormat> memory_format) {
  return empty_generic(size, /*allocator=*/nullptr, kMetaKeys, dtype, memory_format);
}

TensorBase empty_meta(IntArrayRef size, const TensorOptions& options) {
  check_layout(options.layout_opt());
  return empty_meta(size, dtype_of(c10::optTypeMetaToScalarType(options.dtype_opt())),
                    options.memory_format_opt());
}

TensorBase empty_strided_meta(IntArrayRef size, IntArrayRef stride, ScalarType dtype) {
  return empty_strided_generic(size, stride, /*allocator=*/nullptr, kMetaKeys, dtype);
}

TensorBase empty_strided_meta(IntArrayRef size, IntArrayRef stride, const TensorOptions& options) {
  check_layout(options.layout_opt());
  return empty_strided_meta(size, stride,
                            dtype_of(c10::optTypeMetaToScalarType(options.dtype_opt())));
}

TensorBase empty_on_device(IntArrayRef size, const TensorOptions& options) {
  const c10::Device device = options.device();
  if (device.is_cpu()) return empty_cpu(size, options);
  if (device.is_meta()) return empty_meta(size, options);
  check_options_of_device(options);
  const c10::DeviceGuard guard(device);
  return empty_generic(
      size, c10::GetAllocator(device.type()), DispatchKeySet(options.computeDispatchKey()),
      dtype_of(c10::optTypeMetaToScalarType(options.dtype_opt())), options.memory_format_opt());
}

TensorBase empty_strided_on_device(IntArrayRef size, IntArrayRef stride,
                                   const TensorOptions& options) {
  const c10::Device device = options.device();
  if (device.is_cpu()) return empty_strided_cpu(size, stride, options);
  if (device.is_meta()) return empty_strided_meta(size, stride, options);
  check_options_of_device(options);
  const c10::DeviceGuard guard(device);
  return empty_strided_generic(size, stride, c10::GetAllocator(device.type()),
                               DispatchKeySet(options.computeDispatchKey()),
                               dtype_of(c10::optTypeMetaToScalarType(options.dtype_opt())));
}

}  // namespace at::detail
