#include <ATen/DLConvertor.h>

#include <ATen/ops/empty_ops.h>
#include <c10/core/Allocator.h>
#include <c10/core/Storage.h>
#include <c10/core/TensorImpl.h>
#include <c10/util/Exception.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

namespace at {

namespace {

struct TypeEntry {
  c10::ScalarType type;
  uint8_t code;
  uint8_t bits;
};

constexpr TypeEntry kTypes[] = {
    {c10::ScalarType::Byte, kDLUInt, 8},
    {c10::ScalarType::UInt16, kDLUInt, 16},
    {c10::ScalarType::UInt32, kDLUInt, 32},
    {c10::ScalarType::UInt64, kDLUInt, 64},
    {c10::ScalarType::Char, kDLInt, 8},
    {c10::ScalarType::Short, kDLInt, 16},
    {c10::ScalarType::Int, kDLInt, 32},
    {c10::ScalarType::Long, kDLInt, 64},
    {c10::ScalarType::Half, kDLFloat, 16},
    {c10::ScalarType::Float, kDLFloat, 32},
    {c10::ScalarType::Double, kDLFloat, 64},
    {c10::ScalarType::BFloat16, kDLBfloat, 16},
    {c10::ScalarType::ComplexFloat, kDLComplex, 64},
    {c10::ScalarType::ComplexDouble, kDLComplex, 128},
    {c10::ScalarType::Bool, kDLBool, 8},
};

// A tensor with the arrays that its DLTensor points to.
template <class Managed>
struct Exported {
  Tensor tensor;
  std::vector<int64_t> shape;
  std::vector<int64_t> strides;
  Managed managed{};
};

}  // namespace

DLDataType getDLDataType(const Tensor& tensor) {
  for (const TypeEntry& entry : kTypes) {
    if (entry.type == tensor.scalar_type()) return {entry.code, entry.bits, 1};
  }
  TORCH_CHECK_BUFFER(false, c10::toString(tensor.scalar_type()),
                     " types are not supported by dlpack");
}

DLDevice torchDeviceToDLDevice(Device device) {
  if (device.is_cpu()) return {kDLCPU, 0};
  if (device.is_cuda()) return {kDLCUDA, static_cast<int32_t>(device.index())};
  TORCH_CHECK_BUFFER(false, "Cannot pack tensors on ", device.str());
}

namespace {

template <class Managed>
Managed* export_tensor(const Tensor& tensor) {
  TORCH_CHECK_BUFFER(!tensor.is_conj(), "Can't export tensors with the conjugate bit set");
  TORCH_CHECK_BUFFER(!tensor.is_neg(), "Can't export tensors with the negative bit set");
  auto exported = std::make_unique<Exported<Managed>>();
  exported->tensor = tensor;
  exported->shape = tensor.sizes().vec();
  exported->strides = tensor.strides().vec();
  // Libraries check the strides of dimensions that no element is reached through.
  for (size_t i = 0; i < exported->shape.size(); ++i) {
    if (exported->shape[i] < 2) exported->strides[i] = 1;
  }
  DLTensor& out = exported->managed.dl_tensor;
  out.data = tensor.numel() == 0 ? nullptr : tensor.data_ptr();
  out.device = torchDeviceToDLDevice(tensor.device());
  out.ndim = static_cast<int32_t>(tensor.dim());
  out.dtype = getDLDataType(tensor);
  out.shape = exported->shape.data();
  out.strides = exported->strides.data();
  out.byte_offset = 0;
  exported->managed.manager_ctx = exported.get();
  exported->managed.deleter = [](Managed* self) {
    delete static_cast<Exported<Managed>*>(self->manager_ctx);
  };
  return &exported.release()->managed;
}

}  // namespace

ScalarType toScalarType(const DLDataType& type) {
  TORCH_CHECK_BUFFER(type.lanes == 1, "ATen does not support lanes != 1");
  for (const TypeEntry& entry : kTypes) {
    if (entry.code == type.code && entry.bits == type.bits) return entry.type;
  }
  TORCH_CHECK_BUFFER(false, "Unsupported DLPack type: code ", static_cast<int>(type.code), " with ",
                     static_cast<int>(type.bits), " bits");
}

namespace {

// The owner of a tensor's memory that came from another library.
template <class Managed>
struct Imported {
  Managed* managed;
  std::function<void(void*)> deleter;

  Imported(Managed* m, std::function<void(void*)> d) : managed(m), deleter(std::move(d)) {}
  Imported(const Imported&) = delete;
  Imported& operator=(const Imported&) = delete;
  ~Imported() {
    if (deleter) {
      deleter(managed);
    } else if (managed->deleter) {
      managed->deleter(managed);
    }
  }
};

template <class Managed>
Tensor import_tensor(Managed* managed, std::function<void(void*)> deleter) {
  const DLTensor& in = managed->dl_tensor;
  const c10::ScalarType type = toScalarType(in.dtype);
  TORCH_CHECK_BUFFER(in.device.device_type == kDLCPU,
                     "Unsupported device_type: ", static_cast<int>(in.device.device_type));
  const std::vector<int64_t> sizes(in.shape, in.shape + in.ndim);
  std::vector<int64_t> strides(sizes.size());
  int64_t contiguous = 1;
  int64_t last = 0;
  bool empty = false;
  for (size_t i = sizes.size(); i-- > 0;) {
    strides[i] = in.strides ? in.strides[i] : contiguous;
    TORCH_CHECK_VALUE(strides[i] >= 0, "tensors with negative strides are not supported");
    contiguous *= sizes[i] > 1 ? sizes[i] : 1;
    empty |= sizes[i] == 0;
    if (sizes[i] > 1) last += (sizes[i] - 1) * strides[i];
  }
  const size_t nbytes = empty ? 0 : static_cast<size_t>(last + 1) * c10::elementSize(type);
  auto* data = static_cast<char*>(in.data) + in.byte_offset;
  Tensor tensor = _ops::empty_memory_format::call({0}, type, std::nullopt, c10::Device(c10::kCPU),
                                                  std::nullopt, std::nullopt);
  // From here on nothing throws: who fails has not taken the memory over.
  auto* owner = new Imported<Managed>{managed, std::move(deleter)};
  c10::Storage storage(
      c10::Storage::use_byte_size_t(), nbytes,
      c10::DataPtr(
          data, owner, [](void* context) { delete static_cast<Imported<Managed>*>(context); },
          c10::Device(c10::kCPU)),
      nullptr, false);
  c10::TensorImpl* impl = tensor.unsafeGetTensorImpl();
  impl->set_storage_keep_dtype(std::move(storage));
  impl->set_sizes_and_strides(sizes, strides);
  return tensor;
}

}  // namespace

DLManagedTensor* toDLPack(const Tensor& src) { return export_tensor<DLManagedTensor>(src); }

DLManagedTensorVersioned* toDLPackVersioned(const Tensor& src) {
  auto* managed = export_tensor<DLManagedTensorVersioned>(src);
  managed->version = {DLPACK_MAJOR_VERSION, DLPACK_MINOR_VERSION};
  return managed;
}

Tensor fromDLPack(DLManagedTensor* src, std::function<void(void*)> deleter) {
  return import_tensor(src, std::move(deleter));
}

Tensor fromDLPackVersioned(DLManagedTensorVersioned* src, std::function<void(void*)> deleter) {
  TORCH_CHECK_BUFFER(src->version.major == DLPACK_MAJOR_VERSION,
                     "from_dlpack received a tensor of DLPack version ", src->version.major,
                     ", which is not version ", DLPACK_MAJOR_VERSION);
  return import_tensor(src, std::move(deleter));
}

}  // namespace at
