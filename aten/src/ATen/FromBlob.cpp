#include <ATen/FromBlob.h>

#include <ATen/EmptyTensor.h>
#include <c10/core/Allocator.h>
#include <c10/core/Storage.h>
#include <c10/core/TensorImpl.h>
#include <c10/util/DimVector.h>
#include <c10/util/Exception.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <utility>

namespace at::detail {

namespace {

struct Blob {
  void* data;
  std::function<void(void*)> deleter;
  static void release(void* blob) {
    const std::unique_ptr<Blob> self(static_cast<Blob*>(blob));
    self->deleter(self->data);
  }
};

}  // namespace

TensorBase from_blob(void* data, IntArrayRef sizes, OptionalIntArrayRef strides,
                     int64_t storage_offset, const std::function<void(void*)>& deleter,
                     const TensorOptions& options, std::optional<Device> target_device) {
  check_size_nonnegative(sizes);
  TORCH_CHECK(storage_offset >= 0, "from_blob: the offset cannot be negative, and is ",
              storage_offset);
  TORCH_CHECK(!options.requires_grad(),
              "at::from_blob makes no tensor that requires grad; call torch::from_blob");
  const TensorOptions on_device = target_device ? options.device(*target_device) : options;
  TensorBase tensor = empty_on_device({0}, on_device);
  const size_t itemsize = tensor.element_size();
  const auto offset = static_cast<size_t>(storage_offset);

  c10::DimVector contiguous;
  if (!strides.has_value()) {
    // Throws if the strides below would overflow.
    computeStorageNbytesContiguous(sizes, itemsize, offset);
    contiguous.resize(sizes.size());
    int64_t stride = 1;
    for (size_t d = sizes.size(); d-- > 0;) {
      contiguous[d] = stride;
      stride *= std::max<int64_t>(sizes[d], 1);
    }
    strides = IntArrayRef(contiguous);
  } else {
    TORCH_CHECK(sizes.size() == strides->size(), "from_blob: ", sizes.size(), " sizes and ",
                strides->size(), " strides");
    for (const int64_t stride : *strides) {
      TORCH_CHECK(stride >= 0, "from_blob: strides cannot be negative, and are ", *strides);
    }
  }
  const size_t nbytes = computeStorageNbytes(sizes, *strides, itemsize, offset);
  TORCH_CHECK(data != nullptr || nbytes == 0 || tensor.is_meta(),
              "from_blob: the data is a null pointer, and a tensor of sizes ", sizes, " has ",
              nbytes, " bytes");
  // Checks the number of elements, which strides of 0 do not bound. The tensor has no memory yet,
  // and the caller keeps the data if this throws.
  c10::TensorImpl* impl = tensor.unsafeGetTensorImpl();
  impl->set_sizes_and_strides(sizes, *strides, storage_offset);
  c10::DataPtr memory =
      deleter ? c10::DataPtr(data, new Blob{data, deleter}, &Blob::release, tensor.device())
              : c10::DataPtr(data, tensor.device());
  impl->set_storage_keep_dtype(
      c10::Storage(c10::Storage::use_byte_size_t(), nbytes, std::move(memory), nullptr, false));
  return tensor;
}

}  // namespace at::detail
