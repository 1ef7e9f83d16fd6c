#include <ATen/native/DispatchUnsigned.h>
#include <ATen/native/Resize.h>

#include <ATen/Context.h>
#include <ATen/EmptyTensor.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/TensorFactories.h>
#include <ATen/ops/resize_as_native.h>
#include <ATen/ops/resize_native.h>
#include <c10/core/Allocator.h>
#include <c10/core/CPUAllocator.h>
#include <c10/core/DeviceGuard.h>
#include <c10/core/StorageImpl.h>
#include <c10/util/Exception.h>

#include <algorithm>
#include <atomic>
#include <limits>
#include <utility>

namespace at::native {

bool resize_output_check(const Tensor& output, IntArrayRef shape) {
  if (output.sizes().equals(shape)) return false;
  if (output.numel() != 0) {
    TORCH_WARN(
        "An output with one or more elements was resized since it had shape ", output.sizes(),
        ", which does not match the required output shape ", shape,
        ". This behavior is deprecated, and in a future PyTorch release outputs will not be resized unless they have zero elements. "
        "You can explicitly reuse an out tensor t by resizing it, inplace, to zero elements with t.resize_(0).");
  }
  return true;
}

bool resize_output(const Tensor& output, IntArrayRef shape) {
  if (!resize_output_check(output, shape)) return false;
  output.resize_(shape);
  return true;
}

void resize_bytes_cpu(c10::StorageImpl* storage, size_t size_bytes) {
  TORCH_CHECK(storage->resizable(), "Trying to resize storage that is not resizable");
  if (storage->device().is_meta()) {
    storage->set_nbytes(size_bytes);
    return;
  }
  c10::Allocator* allocator =
      storage->allocator() != nullptr ? storage->allocator() : c10::GetCPUAllocator();
  const c10::DeviceGuard guard(storage->device());
  c10::DataPtr data = allocator->allocate(size_bytes);
  const void* old = storage->data();
  const size_t kept = std::min(storage->nbytes(), size_bytes);
  if (old != nullptr && kept > 0) allocator->copy_data(data.mutable_get(), old, kept);
  storage->set_data_ptr_noswap(std::move(data));
  storage->set_nbytes(size_bytes);
}

TensorImpl* resize_impl_cpu_(TensorImpl* self, IntArrayRef size, OptionalIntArrayRef stride,
                             bool resize_storage) {
  if (self->sizes() == size && (!stride.has_value() || self->strides() == *stride)) return self;
  const size_t itemsize = self->dtype().itemsize();
  const auto offset = static_cast<size_t>(self->storage_offset());
  // The memory first: a tensor keeps its shape when there is none for the new one.
  const size_t nbytes = stride.has_value()
                            ? at::detail::computeStorageNbytes(size, *stride, itemsize, offset)
                            : at::detail::computeStorageNbytesContiguous(size, itemsize, offset);
  const bool has_elements = std::find(size.begin(), size.end(), 0) == size.end();
  if (resize_storage && has_elements) {
    c10::StorageImpl* storage = self->unsafe_storage().unsafeGetStorageImpl();
    TORCH_CHECK(storage != nullptr, "Tensor: invalid null storage");
    if (nbytes > storage->nbytes()) resize_bytes_cpu(storage, nbytes);
  }
  if (stride.has_value()) {
    self->set_sizes_and_strides(size, *stride);
  } else {
    self->set_sizes_contiguous(size);
  }
  return self;
}

void checkInBoundsForStorage(IntArrayRef size, IntArrayRef stride, int64_t storage_offset,
                             size_t itemsize, const c10::Storage& new_storage) {
  const size_t nbytes =
      at::detail::computeStorageNbytes(size, stride, itemsize, static_cast<size_t>(storage_offset));
  if (nbytes == 0) return;
  const size_t available = new_storage.nbytes();
  TORCH_CHECK(nbytes <= available, "setStorage: sizes ", size, ", strides ", stride,
              ","
              " storage offset ",
              storage_offset, ", and itemsize ", itemsize, " requiring a storage size of ", nbytes,
              " are out of bounds for storage of size ", available);
}

namespace {
std::atomic<bool> fill_uninitialized{true};
}  // namespace

bool deterministic_fill_uninitialized_memory() { return fill_uninitialized; }
void set_deterministic_fill_uninitialized_memory(bool fill) { fill_uninitialized = fill; }

bool fills_uninitialized_memory() {
  return fill_uninitialized && at::globalContext().deterministicAlgorithms();
}

void fill_empty_deterministic_(Tensor& tensor) {
  const ScalarType dtype = tensor.scalar_type();
  if (c10::isFloatingType(dtype) || c10::isComplexType(dtype)) {
    tensor.fill_(std::numeric_limits<double>::quiet_NaN());
    return;
  }
  AT_DISPATCH_INTEGRAL_TYPES_V2_AND_BOOL(dtype, "fill_empty_deterministic_", [&] {
    tensor.fill_(std::numeric_limits<scalar_t>::max());
  });
}

Tensor& resize_(Tensor& self, IntArrayRef size, std::optional<MemoryFormat> memory_format) {
  at::detail::check_size_nonnegative(size);
  TensorImpl* impl = self.unsafeGetTensorImpl();
  const size_t bytes_before = self.storage().nbytes();
  resize_impl_cpu_(impl, size, /*stride=*/std::nullopt);
  if (memory_format.has_value()) {
    TORCH_CHECK(*memory_format != MemoryFormat::Preserve, "Unsupported memory format",
                *memory_format);
    impl->empty_tensor_restride(*memory_format);
  }
  if (self.is_cpu() && fills_uninitialized_memory()) {
    const auto element = static_cast<int64_t>(self.element_size());
    const int64_t before = static_cast<int64_t>(bytes_before) / element;
    const int64_t count = static_cast<int64_t>(self.storage().nbytes()) / element;
    if (count > before) {
      Tensor added(at::detail::empty_cpu({0}, self.options()));
      added.unsafeGetTensorImpl()->set_storage_keep_dtype(self.storage());
      added.unsafeGetTensorImpl()->set_storage_offset(before);
      added.unsafeGetTensorImpl()->set_sizes_contiguous({count - before});
      fill_empty_deterministic_(added);
    }
  }
  return self;
}

Tensor& resize_as_(Tensor& self, const Tensor& the_template,
                   std::optional<MemoryFormat> memory_format) {
  self.resize_(the_template.sizes());
  if (memory_format.has_value()) {
    const MemoryFormat format = *memory_format == MemoryFormat::Preserve
                                    ? the_template.suggest_memory_format()
                                    : *memory_format;
    self.unsafeGetTensorImpl()->empty_tensor_restride(format);
  }
  return self;
}

}  // namespace at::native
