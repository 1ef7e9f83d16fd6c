#include <torch/csrc/utils/tensor_dlpack.h>

#include <ATen/dlpack.h>
#include <ATen/ops/empty_ops.h>
#include <c10/core/Allocator.h>
#include <c10/core/Storage.h>
#include <c10/core/TensorImpl.h>
#include <c10/util/Exception.h>
#include <torch/csrc/Exceptions.h>
#include <torch/csrc/autograd/python_variable.h>
#include <torch/csrc/utils/object_ptr.h>

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace torch::utils {

namespace {

constexpr const char* kPlain = "dltensor";
constexpr const char* kVersioned = "dltensor_versioned";

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
  at::Tensor tensor;
  std::vector<int64_t> shape;
  std::vector<int64_t> strides;
  Managed managed{};
};

DLDataType type_of(const at::Tensor& tensor) {
  for (const TypeEntry& entry : kTypes) {
    if (entry.type == tensor.scalar_type()) return {entry.code, entry.bits, 1};
  }
  TORCH_CHECK_BUFFER(false, c10::toString(tensor.scalar_type()),
                     " types are not supported by dlpack");
}

DLDevice device_of(const at::Tensor& tensor) {
  if (tensor.is_cpu()) return {kDLCPU, 0};
  if (tensor.is_cuda()) return {kDLCUDA, static_cast<int32_t>(tensor.get_device())};
  TORCH_CHECK_BUFFER(false, "Cannot pack tensors on ", tensor.device().str());
}

template <class Managed>
Managed* export_tensor(const at::Tensor& tensor) {
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
  out.device = device_of(tensor);
  out.ndim = static_cast<int32_t>(tensor.dim());
  out.dtype = type_of(tensor);
  out.shape = exported->shape.data();
  out.strides = exported->strides.data();
  out.byte_offset = 0;
  exported->managed.manager_ctx = exported.get();
  exported->managed.deleter = [](Managed* self) {
    delete static_cast<Exported<Managed>*>(self->manager_ctx);
  };
  return &exported.release()->managed;
}

// Frees the tensor of a capsule that was not consumed.
template <class Managed>
void destroy_capsule(PyObject* capsule, const char* name) {
  if (!PyCapsule_IsValid(capsule, name)) return;
  auto* managed = static_cast<Managed*>(PyCapsule_GetPointer(capsule, name));
  if (managed->deleter) managed->deleter(managed);
}

PyObject* to_dlpack(PyObject* /*self*/, PyObject* args) {
  HANDLE_TH_ERRORS
  PyObject* obj = nullptr;
  int versioned = 0;
  if (!PyArg_ParseTuple(args, "O|p:_to_dlpack", &obj, &versioned)) throw python_error();
  if (!THPVariable_Check(obj)) throw torch::TypeError("data must be a Tensor");
  const at::Tensor& tensor = THPVariable_Unpack(obj);
  TORCH_CHECK_BUFFER(!tensor.is_conj(), "Can't export tensors with the conjugate bit set");
  TORCH_CHECK_BUFFER(!tensor.is_neg(), "Can't export tensors with the negative bit set");
  PyObject* capsule = nullptr;
  if (versioned) {
    auto* managed = export_tensor<DLManagedTensorVersioned>(tensor);
    managed->version = {DLPACK_MAJOR_VERSION, DLPACK_MINOR_VERSION};
    capsule = PyCapsule_New(managed, kVersioned, [](PyObject* self) {
      destroy_capsule<DLManagedTensorVersioned>(self, kVersioned);
    });
  } else {
    capsule = PyCapsule_New(export_tensor<DLManagedTensor>(tensor), kPlain,
                            [](PyObject* self) { destroy_capsule<DLManagedTensor>(self, kPlain); });
  }
  if (!capsule) throw python_error();
  return capsule;
  END_HANDLE_TH_ERRORS
}

c10::ScalarType scalar_type_of(const DLDataType& type) {
  TORCH_CHECK_BUFFER(type.lanes == 1, "ATen does not support lanes != 1");
  for (const TypeEntry& entry : kTypes) {
    if (entry.code == type.code && entry.bits == type.bits) return entry.type;
  }
  TORCH_CHECK_BUFFER(false, "Unsupported DLPack type: code ", static_cast<int>(type.code), " with ",
                     static_cast<int>(type.bits), " bits");
}

template <class Managed>
at::Tensor import_tensor(Managed* managed) {
  const DLTensor& in = managed->dl_tensor;
  const c10::ScalarType type = scalar_type_of(in.dtype);
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
  c10::Storage storage(c10::Storage::use_byte_size_t(), nbytes,
                       c10::DataPtr(
                           data, managed,
                           [](void* context) {
                             auto* owned = static_cast<Managed*>(context);
                             if (owned->deleter) owned->deleter(owned);
                           },
                           c10::Device(c10::kCPU)),
                       nullptr, false);
  at::Tensor tensor = at::_ops::empty_memory_format::call(
      {0}, type, std::nullopt, c10::Device(c10::kCPU), std::nullopt, std::nullopt);
  c10::TensorImpl* impl = tensor.unsafeGetTensorImpl();
  impl->set_storage_keep_dtype(std::move(storage));
  impl->set_sizes_and_strides(sizes, strides);
  return tensor;
}

template <class Managed>
PyObject* consume(PyObject* capsule, const char* name) {
  auto* managed = static_cast<Managed*>(PyCapsule_GetPointer(capsule, name));
  if (!managed) throw python_error();
  at::Tensor tensor = import_tensor(managed);
  // From here on the tensor frees it.
  PyCapsule_SetName(capsule, name == kPlain ? "used_dltensor" : "used_dltensor_versioned");
  return THPVariable_Wrap(std::move(tensor));
}

PyObject* from_dlpack(PyObject* /*self*/, PyObject* capsule) {
  HANDLE_TH_ERRORS
  if (PyCapsule_IsValid(capsule, kVersioned)) {
    const auto* managed =
        static_cast<DLManagedTensorVersioned*>(PyCapsule_GetPointer(capsule, kVersioned));
    TORCH_CHECK_BUFFER(managed->version.major == DLPACK_MAJOR_VERSION,
                       "from_dlpack received a tensor of DLPack version ", managed->version.major,
                       ", which is not version ", DLPACK_MAJOR_VERSION);
    return consume<DLManagedTensorVersioned>(capsule, kVersioned);
  }
  if (PyCapsule_IsValid(capsule, kPlain)) return consume<DLManagedTensor>(capsule, kPlain);
  throw torch::RuntimeError(
      "from_dlpack received an invalid capsule. "
      "Note that DLTensor capsules can be consumed only once, so you might have already constructed a tensor from it once.");
  END_HANDLE_TH_ERRORS
}

PyMethodDef kFunctions[] = {
    {"_to_dlpack", to_dlpack, METH_VARARGS, nullptr},
    {"_from_dlpack", from_dlpack, METH_O, nullptr},
    {nullptr, nullptr, 0, nullptr},
};

}  // namespace

void init_dlpack(PyObject* module) {
  if (PyModule_AddFunctions(module, kFunctions) < 0) throw python_error();
}

}  // namespace torch::utils
