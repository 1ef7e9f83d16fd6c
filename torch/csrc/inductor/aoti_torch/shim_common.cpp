#include <ATen/EmptyTensor.h>
#include <ATen/FromBlob.h>
#include <ATen/core/List.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/amax.h>
#include <ATen/ops/as_strided.h>
#include <ATen/ops/clone.h>
#include <ATen/ops/copy.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_strided.h>
#include <ATen/ops/fill.h>
#include <ATen/ops/full.h>
#include <ATen/ops/index_put.h>
#include <ATen/ops/item.h>
#include <ATen/ops/narrow.h>
#include <ATen/ops/new_empty.h>
#include <ATen/ops/new_zeros.h>
#include <ATen/ops/pad.h>
#include <ATen/ops/scalar_tensor.h>
#include <ATen/ops/scatter.h>
#include <ATen/ops/scatter_reduce.h>
#include <ATen/ops/subtract.h>
#include <ATen/ops/zero.h>
#include <c10/core/Device.h>
#include <c10/core/DeviceGuard.h>
#include <c10/core/DeviceType.h>
#include <c10/core/GradMode.h>
#include <c10/core/Layout.h>
#include <c10/core/MemoryFormat.h>
#include <c10/core/Scalar.h>
#include <c10/core/ScalarType.h>
#include <c10/core/Stream.h>
#include <c10/core/TensorImpl.h>
#include <c10/core/TensorOptions.h>
#include <c10/core/impl/VirtualGuardImpl.h>
#include <c10/util/ArrayRef.h>
#include <c10/util/Exception.h>
#include <c10/util/complex_type.h>
#include <torch/csrc/inductor/aoti_torch/c/shim.h>
#include <torch/csrc/inductor/aoti_torch/utils.h>
#include <torch/csrc/stable/c/shim.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

using torch::aot_inductor::convert_exception_to_error_code;
using torch::aot_inductor::device_of;
using torch::aot_inductor::layout_of;
using torch::aot_inductor::new_tensor_handle;
using torch::aot_inductor::scalar_type_of;
using torch::aot_inductor::tensor_of;

namespace {

c10::IntArrayRef ints(const int64_t* data, int64_t size) {
  return c10::IntArrayRef(data, static_cast<size_t>(size));
}

c10::TensorOptions options_of(int32_t dtype, int32_t device_type, int32_t device_index) {
  return c10::TensorOptions()
      .dtype(scalar_type_of(dtype))
      .device(device_of(device_type, device_index));
}

// Of pointers to numbers, where null is None.
template <typename T, typename Convert>
std::optional<T> optional_of(const int32_t* number, const Convert& convert) {
  return number == nullptr ? std::nullopt : std::optional<T>(convert(*number));
}
std::optional<c10::ScalarType> optional_dtype(const int32_t* number) {
  return optional_of<c10::ScalarType>(number, scalar_type_of);
}
std::optional<c10::Layout> optional_layout(const int32_t* number) {
  return optional_of<c10::Layout>(number, layout_of);
}
std::optional<c10::Device> optional_device(const int32_t* type, int32_t index) {
  return optional_of<c10::Device>(type, [index](int32_t t) { return device_of(t, index); });
}
std::optional<bool> optional_bool(const int32_t* number) {
  return optional_of<bool>(number, [](int32_t n) { return n != 0; });
}

// What torch.accelerator has in Python.
c10::DeviceType accelerator() {
  for (const c10::DeviceType type : {c10::kCUDA, c10::kMPS}) {
    if (c10::impl::hasDeviceGuardImpl(type)) return type;
  }
  TORCH_CHECK(
      false,
      "this build has no accelerator, whose device or stream the extension asks for. Ask torch.accelerator.is_available() first");
}
c10::Device accelerator_device(int32_t index) {
  return device_of(static_cast<int64_t>(accelerator()), index);
}

at::Tensor from_blob(void* data, c10::IntArrayRef sizes, c10::IntArrayRef strides,
                     int64_t storage_offset, const c10::TensorOptions& options, int32_t layout,
                     int64_t opaque_metadata_size, void (*deleter)(void* data, void* context),
                     void* context) {
  TORCH_CHECK(layout_of(layout) == c10::kStrided,
              "from_blob: memory of the caller's is strided, and the layout is ",
              layout_of(layout));
  TORCH_CHECK(opaque_metadata_size == 0, "from_blob: this version reads no opaque metadata");
  std::function<void(void*)> release;
  if (deleter != nullptr) release = [=](void* memory) { deleter(memory, context); };
  return at::Tensor(at::detail::from_blob(data, sizes, strides, storage_offset, release, options));
}

template <typename T>
void item(AtenTensorHandle handle, T* result) {
  const at::Tensor& tensor = tensor_of(handle);
  constexpr c10::ScalarType expected = c10::CppTypeToScalarType<T>::value;
  TORCH_CHECK(tensor.scalar_type() == expected, "expected scalar type ", expected, " but found ",
              tensor.scalar_type());
  *result = tensor.item().to<T>();
}

}  // namespace

#define DEFINE_NUMBER(function, number) \
  int32_t function() { return number; }
#define DEFINE_ENUMERATOR(function, enumerator) \
  DEFINE_NUMBER(function, static_cast<int32_t>(c10::enumerator))

DEFINE_ENUMERATOR(aoti_torch_device_type_cpu, DeviceType::CPU)
DEFINE_ENUMERATOR(aoti_torch_device_type_cuda, DeviceType::CUDA)
DEFINE_ENUMERATOR(aoti_torch_device_type_meta, DeviceType::Meta)
DEFINE_ENUMERATOR(aoti_torch_device_type_xpu, DeviceType::XPU)
DEFINE_ENUMERATOR(aoti_torch_device_type_mps, DeviceType::MPS)
DEFINE_ENUMERATOR(aoti_torch_device_type_privateuse1, DeviceType::PrivateUse1)

DEFINE_ENUMERATOR(aoti_torch_dtype_bfloat16, ScalarType::BFloat16)
DEFINE_ENUMERATOR(aoti_torch_dtype_float16, ScalarType::Half)
DEFINE_ENUMERATOR(aoti_torch_dtype_float32, ScalarType::Float)
DEFINE_ENUMERATOR(aoti_torch_dtype_float64, ScalarType::Double)
DEFINE_ENUMERATOR(aoti_torch_dtype_uint8, ScalarType::Byte)
DEFINE_ENUMERATOR(aoti_torch_dtype_uint16, ScalarType::UInt16)
DEFINE_ENUMERATOR(aoti_torch_dtype_uint32, ScalarType::UInt32)
DEFINE_ENUMERATOR(aoti_torch_dtype_uint64, ScalarType::UInt64)
DEFINE_ENUMERATOR(aoti_torch_dtype_int8, ScalarType::Char)
DEFINE_ENUMERATOR(aoti_torch_dtype_int16, ScalarType::Short)
DEFINE_ENUMERATOR(aoti_torch_dtype_int32, ScalarType::Int)
DEFINE_ENUMERATOR(aoti_torch_dtype_int64, ScalarType::Long)
DEFINE_ENUMERATOR(aoti_torch_dtype_bool, ScalarType::Bool)
DEFINE_ENUMERATOR(aoti_torch_dtype_complex32, ScalarType::ComplexHalf)
DEFINE_ENUMERATOR(aoti_torch_dtype_complex64, ScalarType::ComplexFloat)
DEFINE_ENUMERATOR(aoti_torch_dtype_complex128, ScalarType::ComplexDouble)
// PyTorch's numbers of types that this version does not have.
DEFINE_NUMBER(aoti_torch_dtype_float8_e5m2, 23)
DEFINE_NUMBER(aoti_torch_dtype_float8_e4m3fn, 24)
DEFINE_NUMBER(aoti_torch_dtype_float8_e5m2fnuz, 25)
DEFINE_NUMBER(aoti_torch_dtype_float8_e4m3fnuz, 26)
DEFINE_NUMBER(aoti_torch_dtype_float8_e8m0fnu, 44)
DEFINE_NUMBER(aoti_torch_dtype_float4_e2m1fn_x2, 45)
DEFINE_NUMBER(torch_dtype_float8_e8m0fnu, 44)
DEFINE_NUMBER(torch_dtype_float4_e2m1fn_x2, 45)
size_t aoti_torch_dtype_element_size(int32_t dtype) {
  return c10::elementSize(scalar_type_of(dtype));
}

DEFINE_ENUMERATOR(aoti_torch_layout_strided, Layout::Strided)
DEFINE_ENUMERATOR(aoti_torch_layout_sparse_coo, Layout::Sparse)
DEFINE_ENUMERATOR(aoti_torch_layout_sparse_csr, Layout::SparseCsr)
DEFINE_ENUMERATOR(aoti_torch_layout_sparse_csc, Layout::SparseCsc)
DEFINE_ENUMERATOR(aoti_torch_layout_sparse_bsr, Layout::SparseBsr)
DEFINE_ENUMERATOR(aoti_torch_layout_sparse_bsc, Layout::SparseBsc)
DEFINE_ENUMERATOR(aoti_torch_layout__mkldnn, Layout::Mkldnn)
DEFINE_ENUMERATOR(aoti_torch_layout_jagged, Layout::Jagged)

DEFINE_ENUMERATOR(aoti_torch_memory_format_contiguous_format, MemoryFormat::Contiguous)
DEFINE_ENUMERATOR(aoti_torch_memory_format_channels_last, MemoryFormat::ChannelsLast)
DEFINE_ENUMERATOR(aoti_torch_memory_format_channels_last_3d, MemoryFormat::ChannelsLast3d)
DEFINE_ENUMERATOR(aoti_torch_memory_format_preserve_format, MemoryFormat::Preserve)

#undef DEFINE_ENUMERATOR
#undef DEFINE_NUMBER

uint64_t aoti_torch_abi_version() { return TORCH_ABI_VERSION; }

bool aoti_torch_grad_mode_is_enabled() { return c10::GradMode::is_enabled(); }
void aoti_torch_grad_mode_set_enabled(bool enabled) { c10::GradMode::set_enabled(enabled); }

AOTITorchError aoti_torch_delete_tensor_object(AtenTensorHandle tensor) {
  return convert_exception_to_error_code([&] { delete &tensor_of(tensor); });
}
AOTITorchError aoti_torch_new_tensor_handle(AtenTensorHandle orig_handle,
                                            AtenTensorHandle* new_handle) {
  return convert_exception_to_error_code(
      [&] { *new_handle = new_tensor_handle(tensor_of(orig_handle)); });
}
AOTITorchError aoti_torch_new_uninitialized_tensor(AtenTensorHandle* ret) {
  return convert_exception_to_error_code([&] { *ret = new_tensor_handle(at::Tensor()); });
}
AOTITorchError aoti_torch_is_defined(AtenTensorHandle tensor, bool* ret_is_defined) {
  return convert_exception_to_error_code([&] { *ret_is_defined = tensor_of(tensor).defined(); });
}
AOTITorchError aoti_torch_get_data_ptr(AtenTensorHandle tensor, void** ret_data_ptr) {
  return convert_exception_to_error_code(
      [&] { *ret_data_ptr = tensor_of(tensor).unsafeGetTensorImpl()->mutable_data(); });
}
AOTITorchError aoti_torch_get_dim(AtenTensorHandle tensor, int64_t* ret_dim) {
  return convert_exception_to_error_code([&] { *ret_dim = tensor_of(tensor).dim(); });
}
AOTITorchError aoti_torch_get_numel(AtenTensorHandle tensor, int64_t* ret_numel) {
  return convert_exception_to_error_code([&] { *ret_numel = tensor_of(tensor).numel(); });
}
AOTITorchError aoti_torch_get_storage_offset(AtenTensorHandle tensor, int64_t* ret_storage_offset) {
  return convert_exception_to_error_code(
      [&] { *ret_storage_offset = tensor_of(tensor).storage_offset(); });
}
AOTITorchError aoti_torch_is_contiguous(AtenTensorHandle tensor, bool* ret_is_contiguous) {
  return convert_exception_to_error_code(
      [&] { *ret_is_contiguous = tensor_of(tensor).is_contiguous(); });
}
AOTITorchError aoti_torch_get_sizes(AtenTensorHandle tensor, int64_t** ret_sizes) {
  return convert_exception_to_error_code(
      [&] { *ret_sizes = const_cast<int64_t*>(tensor_of(tensor).sizes().data()); });
}
AOTITorchError aoti_torch_get_size(AtenTensorHandle tensor, int64_t d, int64_t* ret_size) {
  return convert_exception_to_error_code([&] { *ret_size = tensor_of(tensor).size(d); });
}
AOTITorchError aoti_torch_get_strides(AtenTensorHandle tensor, int64_t** ret_strides) {
  return convert_exception_to_error_code(
      [&] { *ret_strides = const_cast<int64_t*>(tensor_of(tensor).strides().data()); });
}
AOTITorchError aoti_torch_get_stride(AtenTensorHandle tensor, int64_t d, int64_t* ret_stride) {
  return convert_exception_to_error_code([&] { *ret_stride = tensor_of(tensor).stride(d); });
}
AOTITorchError aoti_torch_get_dtype(AtenTensorHandle tensor, int32_t* ret_dtype) {
  return convert_exception_to_error_code(
      [&] { *ret_dtype = static_cast<int32_t>(tensor_of(tensor).scalar_type()); });
}
AOTITorchError aoti_torch_get_device_type(AtenTensorHandle tensor, int32_t* ret_device_type) {
  return convert_exception_to_error_code(
      [&] { *ret_device_type = static_cast<int32_t>(tensor_of(tensor).device().type()); });
}
AOTITorchError aoti_torch_get_device_index(AtenTensorHandle tensor, int32_t* ret_device_index) {
  return convert_exception_to_error_code(
      [&] { *ret_device_index = tensor_of(tensor).device().index(); });
}
AOTITorchError aoti_torch_get_layout(AtenTensorHandle tensor, int32_t* ret_layout) {
  return convert_exception_to_error_code(
      [&] { *ret_layout = static_cast<int32_t>(tensor_of(tensor).layout()); });
}
AOTITorchError aoti_torch_get_storage_size(AtenTensorHandle tensor, int64_t* ret_size) {
  return convert_exception_to_error_code(
      [&] { *ret_size = static_cast<int64_t>(tensor_of(tensor).storage().nbytes()); });
}
AOTITorchError aoti_torch_get_storage_numel(AtenTensorHandle tensor, int64_t* ret_numel) {
  return convert_exception_to_error_code([&] {
    const at::Tensor& t = tensor_of(tensor);
    *ret_numel = static_cast<int64_t>(t.storage().nbytes() / t.element_size());
  });
}

AOTITorchError aoti_torch_empty_strided(int64_t ndim, const int64_t* sizes_ptr,
                                        const int64_t* strides_ptr, int32_t dtype,
                                        int32_t device_type, int32_t device_index,
                                        AtenTensorHandle* ret_new_tensor) {
  return convert_exception_to_error_code([&] {
    *ret_new_tensor =
        new_tensor_handle(at::empty_strided(ints(sizes_ptr, ndim), ints(strides_ptr, ndim),
                                            options_of(dtype, device_type, device_index)));
  });
}
AOTITorchError aoti_torch_empty_strided_pinned(int64_t ndim, const int64_t* sizes_ptr,
                                               const int64_t* strides_ptr, int32_t dtype,
                                               int32_t device_type, int32_t device_index,
                                               AtenTensorHandle* ret_new_tensor) {
  return convert_exception_to_error_code([&] {
    *ret_new_tensor = new_tensor_handle(
        at::empty_strided(ints(sizes_ptr, ndim), ints(strides_ptr, ndim),
                          options_of(dtype, device_type, device_index).pinned_memory(true)));
  });
}
AOTITorchError torch_from_blob(void* data, int64_t ndim, const int64_t* sizes_ptr,
                               const int64_t* strides_ptr, int64_t storage_offset, int32_t dtype,
                               int32_t device_type, int32_t device_index, AtenTensorHandle* ret,
                               int32_t layout, const uint8_t*, int64_t opaque_metadata_size,
                               void (*deleter)(void* data, void* ctx), void* deleter_ctx) {
  return convert_exception_to_error_code([&] {
    *ret = new_tensor_handle(from_blob(data, ints(sizes_ptr, ndim), ints(strides_ptr, ndim),
                                       storage_offset, options_of(dtype, device_type, device_index),
                                       layout, opaque_metadata_size, deleter, deleter_ctx));
  });
}
AOTITorchError aoti_torch_create_tensor_from_blob_v2(
    void* data, int64_t ndim, const int64_t* sizes_ptr, const int64_t* strides_ptr,
    int64_t storage_offset, int32_t dtype, int32_t device_type, int32_t device_index,
    AtenTensorHandle* ret, int32_t layout, const uint8_t* opaque_metadata,
    int64_t opaque_metadata_size) {
  return torch_from_blob(data, ndim, sizes_ptr, strides_ptr, storage_offset, dtype, device_type,
                         device_index, ret, layout, opaque_metadata, opaque_metadata_size, nullptr,
                         nullptr);
}
AOTITorchError aoti_torch_create_tensor_from_blob(void* data, int64_t ndim,
                                                  const int64_t* sizes_ptr,
                                                  const int64_t* strides_ptr,
                                                  int64_t storage_offset, int32_t dtype,
                                                  int32_t device_type, int32_t device_index,
                                                  AtenTensorHandle* ret) {
  return aoti_torch_create_tensor_from_blob_v2(data, ndim, sizes_ptr, strides_ptr, storage_offset,
                                               dtype, device_type, device_index, ret,
                                               aoti_torch_layout_strided(), nullptr, 0);
}

AOTITorchError aoti_torch__reinterpret_tensor(AtenTensorHandle self, int64_t ndim,
                                              const int64_t* sizes_ptr, const int64_t* strides_ptr,
                                              int64_t storage_offset,
                                              AtenTensorHandle* ret_new_tensor) {
  return convert_exception_to_error_code([&] {
    const at::Tensor& t = tensor_of(self);
    *ret_new_tensor = new_tensor_handle(at::as_strided(
        t, ints(sizes_ptr, ndim), ints(strides_ptr, ndim), t.storage_offset() + storage_offset));
  });
}
AOTITorchError aoti_torch_as_strided(AtenTensorHandle self, const int64_t* sizes_ptr,
                                     const int64_t* strides_ptr, AtenTensorHandle* ret) {
  return convert_exception_to_error_code([&] {
    const at::Tensor& t = tensor_of(self);
    *ret =
        new_tensor_handle(at::as_strided(t, ints(sizes_ptr, t.dim()), ints(strides_ptr, t.dim())));
  });
}
AOTITorchError aoti_torch_clone(AtenTensorHandle self, AtenTensorHandle* ret) {
  return convert_exception_to_error_code(
      [&] { *ret = new_tensor_handle(at::clone(tensor_of(self))); });
}
AOTITorchError aoti_torch_clone_preserve_strides(AtenTensorHandle self, AtenTensorHandle* ret) {
  return convert_exception_to_error_code([&] {
    const at::Tensor& tensor = tensor_of(self);
    at::Tensor result = at::empty_strided(tensor.sizes(), tensor.strides(), tensor.options());
    // Elements that share memory are copied once.
    const auto size =
        static_cast<int64_t>(at::detail::computeStorageNbytes(tensor.sizes(), tensor.strides(), 1));
    at::as_strided(result, {size}, {1}, 0)
        .copy_(at::as_strided(tensor, {size}, {1}, tensor.storage_offset()));
    *ret = new_tensor_handle(std::move(result));
  });
}
AOTITorchError aoti_torch_tensor_copy_(AtenTensorHandle src, AtenTensorHandle dst) {
  return convert_exception_to_error_code([&] { tensor_of(dst).copy_(tensor_of(src)); });
}
AOTITorchError aoti_torch_copy_(AtenTensorHandle self, AtenTensorHandle src, int32_t non_blocking) {
  return convert_exception_to_error_code(
      [&] { tensor_of(self).copy_(tensor_of(src), non_blocking != 0); });
}
AOTITorchError aoti_torch_zero_(AtenTensorHandle self) {
  return convert_exception_to_error_code([&] { tensor_of(self).zero_(); });
}
AOTITorchError aoti_torch_assign_tensors(AtenTensorHandle src, AtenTensorHandle dst) {
  return convert_exception_to_error_code([&] { tensor_of(dst) = tensor_of(src); });
}
AOTITorchError aoti_torch_assign_tensors_out(AtenTensorHandle src, AtenTensorHandle* ret_dst) {
  return convert_exception_to_error_code([&] { *ret_dst = new_tensor_handle(tensor_of(src)); });
}

#define DEFINE_ITEM(name, type)                                                     \
  AOTITorchError aoti_torch_item_##name(AtenTensorHandle tensor, type* ret_value) { \
    return convert_exception_to_error_code([&] { item(tensor, ret_value); });       \
  }
DEFINE_ITEM(float16, c10::Half)
DEFINE_ITEM(bfloat16, c10::BFloat16)
DEFINE_ITEM(float32, float)
DEFINE_ITEM(float64, double)
DEFINE_ITEM(uint8, uint8_t)
DEFINE_ITEM(uint16, uint16_t)
DEFINE_ITEM(uint32, uint32_t)
DEFINE_ITEM(uint64, uint64_t)
DEFINE_ITEM(int8, int8_t)
DEFINE_ITEM(int16, int16_t)
DEFINE_ITEM(int32, int32_t)
DEFINE_ITEM(int64, int64_t)
DEFINE_ITEM(bool, bool)
DEFINE_ITEM(complex64, c10::complex<float>)
#undef DEFINE_ITEM

#define DEFINE_SCALAR_TO_TENSOR(name, type)                                                   \
  AOTITorchError aoti_torch_scalar_to_tensor_##name(type value,                               \
                                                    AtenTensorHandle* ret_new_tensor) {       \
    return convert_exception_to_error_code([&] {                                              \
      *ret_new_tensor =                                                                       \
          new_tensor_handle(at::scalar_tensor(value, c10::CppTypeToScalarType<type>::value)); \
    });                                                                                       \
  }
DEFINE_SCALAR_TO_TENSOR(float32, float)
DEFINE_SCALAR_TO_TENSOR(float64, double)
DEFINE_SCALAR_TO_TENSOR(uint8, uint8_t)
DEFINE_SCALAR_TO_TENSOR(uint16, uint16_t)
DEFINE_SCALAR_TO_TENSOR(uint32, uint32_t)
DEFINE_SCALAR_TO_TENSOR(uint64, uint64_t)
DEFINE_SCALAR_TO_TENSOR(int8, int8_t)
DEFINE_SCALAR_TO_TENSOR(int16, int16_t)
DEFINE_SCALAR_TO_TENSOR(int32, int32_t)
DEFINE_SCALAR_TO_TENSOR(int64, int64_t)
DEFINE_SCALAR_TO_TENSOR(bool, bool)
DEFINE_SCALAR_TO_TENSOR(complex64, c10::complex<float>)
DEFINE_SCALAR_TO_TENSOR(complex128, c10::complex<double>)
#undef DEFINE_SCALAR_TO_TENSOR

AOTITorchError aoti_torch_aten_amax(AtenTensorHandle self, const int64_t* dim, int64_t dim_len_,
                                    int32_t keepdim, AtenTensorHandle* ret0) {
  return convert_exception_to_error_code([&] {
    *ret0 = new_tensor_handle(at::amax(tensor_of(self), ints(dim, dim_len_), keepdim != 0));
  });
}
AOTITorchError aoti_torch_aten_fill__Scalar(AtenTensorHandle self, double value) {
  return convert_exception_to_error_code([&] { tensor_of(self).fill_(value); });
}
AOTITorchError aoti_torch_aten_full(const int64_t* size, int64_t size_len_, double fill_value,
                                    int32_t* dtype, int32_t* layout, int32_t* device,
                                    int32_t device_index_, int32_t* pin_memory,
                                    AtenTensorHandle* ret0) {
  return convert_exception_to_error_code([&] {
    *ret0 = new_tensor_handle(
        at::full(ints(size, size_len_), fill_value, optional_dtype(dtype), optional_layout(layout),
                 optional_device(device, device_index_), optional_bool(pin_memory)));
  });
}
AOTITorchError aoti_torch_aten_narrow(AtenTensorHandle self, int64_t dim, int64_t start,
                                      int64_t length, AtenTensorHandle* ret0) {
  return convert_exception_to_error_code(
      [&] { *ret0 = new_tensor_handle(at::narrow(tensor_of(self), dim, start, length)); });
}
AOTITorchError aoti_torch_aten_new_empty(AtenTensorHandle self, const int64_t* size,
                                         int64_t size_len_, int32_t* dtype, int32_t* layout,
                                         int32_t* device, int32_t device_index_,
                                         int32_t* pin_memory, AtenTensorHandle* ret0) {
  return convert_exception_to_error_code([&] {
    *ret0 = new_tensor_handle(tensor_of(self).new_empty(
        ints(size, size_len_), optional_dtype(dtype), optional_layout(layout),
        optional_device(device, device_index_), optional_bool(pin_memory)));
  });
}
AOTITorchError aoti_torch_aten_new_zeros(AtenTensorHandle self, const int64_t* size,
                                         int64_t size_len_, int32_t* dtype, int32_t* layout,
                                         int32_t* device, int32_t device_index_,
                                         int32_t* pin_memory, AtenTensorHandle* ret0) {
  return convert_exception_to_error_code([&] {
    *ret0 = new_tensor_handle(tensor_of(self).new_zeros(
        ints(size, size_len_), optional_dtype(dtype), optional_layout(layout),
        optional_device(device, device_index_), optional_bool(pin_memory)));
  });
}
AOTITorchError aoti_torch_aten_pad(AtenTensorHandle self, const int64_t* pad, int64_t pad_len_,
                                   const char* mode, double* value, AtenTensorHandle* ret0) {
  return convert_exception_to_error_code([&] {
    *ret0 = new_tensor_handle(at::pad(tensor_of(self), ints(pad, pad_len_), std::string_view(mode),
                                      value ? std::make_optional(*value) : std::nullopt));
  });
}
AOTITorchError aoti_torch_aten_subtract_Tensor(AtenTensorHandle self, AtenTensorHandle other,
                                               double alpha, AtenTensorHandle* ret0) {
  return convert_exception_to_error_code(
      [&] { *ret0 = new_tensor_handle(at::subtract(tensor_of(self), tensor_of(other), alpha)); });
}

AOTITorchError aoti_torch_scatter_out(AtenTensorHandle out, AtenTensorHandle self, int64_t dim,
                                      AtenTensorHandle index, AtenTensorHandle src) {
  return convert_exception_to_error_code([&] {
    at::scatter_out(tensor_of(out), tensor_of(self), dim, tensor_of(index), tensor_of(src));
  });
}
AOTITorchError aoti_torch_scatter_reduce_out(AtenTensorHandle out, AtenTensorHandle self,
                                             int64_t dim, AtenTensorHandle index,
                                             AtenTensorHandle src, const char* reduce,
                                             int32_t include_self) {
  return convert_exception_to_error_code([&] {
    at::scatter_reduce_out(tensor_of(out), tensor_of(self), dim, tensor_of(index), tensor_of(src),
                           std::string_view(reduce), include_self != 0);
  });
}
AOTITorchError aoti_torch_index_put_out(AtenTensorHandle out, AtenTensorHandle self,
                                        const AtenTensorHandle* indices, const uint32_t num_indices,
                                        const AtenTensorHandle values, bool accumulate) {
  return convert_exception_to_error_code([&] {
    c10::List<std::optional<at::Tensor>> list;
    list.reserve(num_indices);
    for (uint32_t i = 0; i < num_indices; ++i) {
      list.push_back(indices[i] == nullptr ? std::nullopt
                                           : std::make_optional(tensor_of(indices[i])));
    }
    at::index_put_out(tensor_of(out), tensor_of(self), list, tensor_of(values), accumulate);
  });
}

void aoti_torch_check(bool cond, const char* func, const char* file, uint32_t line,
                      const char* msg) {
  if (!cond) throw c10::Error(c10::SourceLocation{func, file, line}, std::string(msg));
}
void aoti_torch_warn(const char* func, const char* file, uint32_t line, const char* msg) {
  c10::warn(c10::Warning(c10::Warning::Kind::User, c10::SourceLocation{func, file, line}, msg,
                         /*verbatim=*/false));
}

AOTITorchError aoti_torch_create_device_guard(int32_t device_index, DeviceGuardHandle* ret_guard) {
  return convert_exception_to_error_code([&] {
    *ret_guard =
        reinterpret_cast<DeviceGuardHandle>(new c10::DeviceGuard(accelerator_device(device_index)));
  });
}
AOTITorchError aoti_torch_delete_device_guard(DeviceGuardHandle guard) {
  return convert_exception_to_error_code(
      [&] { delete reinterpret_cast<c10::DeviceGuard*>(guard); });
}
AOTITorchError aoti_torch_device_guard_set_index(DeviceGuardHandle guard, int32_t device_index) {
  return convert_exception_to_error_code([&] {
    reinterpret_cast<c10::DeviceGuard*>(guard)->set_index(accelerator_device(device_index).index());
  });
}
AOTITorchError aoti_torch_get_current_device_index(int32_t* ret_device_index) {
  return convert_exception_to_error_code(
      [&] { *ret_device_index = c10::impl::VirtualGuardImpl(accelerator()).getDevice().index(); });
}
AOTITorchError aoti_torch_get_current_stream(int32_t device_index, StreamHandle* ret_stream) {
  return convert_exception_to_error_code([&] {
    const c10::Device device = accelerator_device(device_index);
    *ret_stream = reinterpret_cast<StreamHandle>(
        new c10::Stream(c10::impl::VirtualGuardImpl(device.type()).getStream(device)));
  });
}
AOTITorchError aoti_torch_delete_stream(StreamHandle stream) {
  return convert_exception_to_error_code([&] { delete reinterpret_cast<c10::Stream*>(stream); });
}
AOTITorchError aoti_torch_stream_id(StreamHandle stream, int64_t* ret_stream_id) {
  return convert_exception_to_error_code(
      [&] { *ret_stream_id = reinterpret_cast<c10::Stream*>(stream)->id(); });
}
