#include <torch/csrc/utils/tensor_numpy.h>

#include <ATen/ops/detach_ops.h>
#include <ATen/ops/empty_ops.h>
#include <ATen/ops/resolve_conj_ops.h>
#include <ATen/ops/resolve_neg_ops.h>
#include <ATen/ops/to_ops.h>
#include <c10/core/Allocator.h>
#include <c10/core/GradMode.h>
#include <c10/core/Storage.h>
#include <c10/util/Exception.h>
#include <c10/util/SmallVector.h>
#include <torch/csrc/Exceptions.h>
#include <torch/csrc/autograd/python_variable.h>
#include <torch/csrc/utils/gil.h>
#include <torch/csrc/utils/object_ptr.h>
#include <torch/csrc/utils/python_numbers.h>
#include <torch/csrc/utils/python_strings.h>

#include <algorithm>
#include <cstring>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>

namespace torch::utils {

namespace {

struct TypeEntry {
  c10::ScalarType type;
  const char* code;  // kind and size, as in "f4"
  int number;        // NumPy's NPY_TYPES
};

constexpr bool kLongHas64Bits = sizeof(long) == 8;

constexpr TypeEntry kTypes[] = {
    {c10::ScalarType::Byte, "u1", 2},
    {c10::ScalarType::Char, "i1", 1},
    {c10::ScalarType::Short, "i2", 3},
    {c10::ScalarType::Int, "i4", 5},
    {c10::ScalarType::Long, "i8", kLongHas64Bits ? 7 : 9},
    {c10::ScalarType::Half, "f2", 23},
    {c10::ScalarType::Float, "f4", 11},
    {c10::ScalarType::Double, "f8", 12},
    {c10::ScalarType::ComplexFloat, "c8", 14},
    {c10::ScalarType::ComplexDouble, "c16", 15},
    {c10::ScalarType::Bool, "b1", 0},
    {c10::ScalarType::UInt16, "u2", 4},
    {c10::ScalarType::UInt32, "u4", 6},
    {c10::ScalarType::UInt64, "u8", kLongHas64Bits ? 8 : 10},
};

// What is used of NumPy's C interface: a table of pointers whose places do not change
// (numpy/_core/code_generators/numpy_api.py), so that no header of NumPy's is needed.
struct NumpyInterface {
  using New = PyObject* (*)(PyTypeObject* subtype, int ndim, const Py_ssize_t* sizes, int number,
                            const Py_ssize_t* byte_strides, void* data, int item_size, int flags,
                            PyObject* prototype);
  using SetBaseObject = int (*)(PyObject* array, PyObject* base);  // takes `base` over

  PyTypeObject* array_type;
  New make;
  SetBaseObject set_base;
};

const NumpyInterface& numpy_interface() {
  static NumpyInterface found{};
  if (found.array_type) return found;
  // Version 1 has the module in `core`, where version 2 warns.
  THPObjectPtr module(PyImport_ImportModule("numpy._core._multiarray_umath"));
  if (!module) {
    PyErr_Clear();
    module = PyImport_ImportModule("numpy.core._multiarray_umath");
  }
  THPObjectPtr capsule(module ? PyObject_GetAttrString(module, "_ARRAY_API") : nullptr);
  auto** table = capsule ? static_cast<void**>(PyCapsule_GetPointer(capsule, nullptr)) : nullptr;
  if (!table) {
    PyErr_Clear();
    throw torch::RuntimeError("Numpy is not available");
  }
  found.make = reinterpret_cast<NumpyInterface::New>(table[93]);
  found.set_base = reinterpret_cast<NumpyInterface::SetBaseObject>(table[282]);
  found.array_type = static_cast<PyTypeObject*>(table[2]);
  return found;
}

// What the capsule `__array_struct__` points to (NumPy's manual, "The array interface protocol").
struct ArrayStruct {
  int two;
  int ndim;
  char kind;
  int item_size;
  int flags;
  const Py_ssize_t* sizes;
  const Py_ssize_t* byte_strides;
  void* data;
  PyObject* descr;
};
constexpr int kNotSwapped = 0x200;
constexpr int kWriteable = 0x400;

std::optional<c10::ScalarType> type_of_code(std::string_view code) {
  for (const TypeEntry& entry : kTypes) {
    if (code == entry.code) return entry.type;
  }
  return std::nullopt;
}

void release_array(void* array) {
  if (!Py_IsInitialized()) return;
  const GilAcquire gil;
  Py_DECREF(static_cast<PyObject*>(array));
}

}  // namespace

bool is_numpy_array(PyObject* obj) {
  for (PyTypeObject* type = Py_TYPE(obj); type; type = type->tp_base) {
    if (std::strcmp(type->tp_name, "numpy.ndarray") == 0) return true;
  }
  return false;
}

std::optional<c10::ScalarType> numpy_scalar_type(PyObject* obj) {
  THPObjectPtr dtype(PyObject_GetAttrString(obj, "dtype"));
  THPObjectPtr text(dtype ? PyObject_GetAttrString(dtype, "str") : nullptr);
  if (!text || !PyUnicode_Check(text.get())) {
    PyErr_Clear();
    return std::nullopt;
  }
  const std::string code = THPUtils_unpackString(text);  // The byte order comes first.
  if (code.empty() || code[0] == '>') return std::nullopt;
  return type_of_code(std::string_view(code).substr(1));
}

at::Tensor tensor_from_numpy(PyObject* obj, bool warn_if_readonly) {
  if (!is_numpy_array(obj)) {
    throw torch::TypeError("expected np.ndarray (got %s)", Py_TYPE(obj)->tp_name);
  }
  THPObjectPtr capsule(PyObject_GetAttrString(obj, "__array_struct__"));
  const auto* array =
      capsule ? static_cast<const ArrayStruct*>(PyCapsule_GetPointer(capsule, /*name=*/nullptr))
              : nullptr;
  if (!array) throw python_error();
  const bool swapped = (array->flags & kNotSwapped) == 0;
  const auto type = type_of_code(array->kind + std::to_string(array->item_size));
  if (!type || swapped) {
    THPObjectPtr dtype(PyObject_GetAttrString(obj, "dtype"));
    THPObjectPtr text(dtype ? PyObject_Str(dtype) : nullptr);
    if (swapped) {
      throw torch::ValueError(
          "given numpy array has byte order different from the native byte order. "
          "Conversion between byte orders is currently not supported.");
    }
    throw torch::TypeError(
        "can't convert np.ndarray of type %s. "
        "The only supported types are: float64, float32, float16, complex64, complex128, int64, int32, int16, int8, uint64, uint32, uint16, uint8, and bool.",
        text ? PyUnicode_AsUTF8(text) : "?");
  }
  const size_t item_size = c10::elementSize(*type);
  const c10::SmallVector<int64_t, 8> sizes(array->sizes, array->sizes + array->ndim);
  c10::SmallVector<int64_t, 8> strides(array->byte_strides, array->byte_strides + array->ndim);
  for (int64_t& stride : strides) {
    if (stride < 0) {
      throw torch::ValueError(
          "At least one stride in the given numpy array is negative, and tensors with negative strides are not currently supported. (You can probably work around this by making a copy of your array  with array.copy().) ");
    }
    if (stride % static_cast<int64_t>(item_size) != 0) {
      throw torch::ValueError(
          "given numpy array strides not a multiple of the element byte size. "
          "Copy the numpy array to reallocate the memory.");
    }
    stride /= static_cast<int64_t>(item_size);
  }
  if (warn_if_readonly && (array->flags & kWriteable) == 0) {
    if (PyErr_WarnEx(
            PyExc_UserWarning,
            "The given NumPy array is not writable, and PyTorch does not support non-writable tensors. This means writing to this tensor will result in undefined behavior. You may want to copy the array to protect its data or make it writable before converting it to a tensor. This type of warning will be suppressed for the rest of this program.",
            1) < 0) {
      throw python_error();
    }
  }

  size_t extent = 0;  // bytes from the first element to the end of the last
  bool empty = false;
  for (size_t i = 0; i < sizes.size(); ++i) {
    empty |= sizes[i] == 0;
    extent += static_cast<size_t>(std::max<int64_t>(sizes[i] - 1, 0) * strides[i]);
  }
  const size_t nbytes = empty ? 0 : (extent + 1) * item_size;
  Py_INCREF(obj);
  c10::Storage storage(c10::Storage::use_byte_size_t(), nbytes,
                       c10::DataPtr(array->data, obj, release_array, c10::Device(c10::kCPU)),
                       nullptr, false);
  at::Tensor tensor = at::_ops::empty_memory_format::call(
      {0}, *type, std::nullopt, c10::Device(c10::kCPU), std::nullopt, std::nullopt);
  c10::TensorImpl* impl = tensor.unsafeGetTensorImpl();
  impl->set_storage_keep_dtype(std::move(storage));
  impl->set_sizes_and_strides(sizes, strides);
  return tensor;
}

PyObject* tensor_to_numpy(PyObject* self, bool force) {
  at::Tensor tensor = THPVariable_Unpack(self);
  if (force) {
    tensor = at::_ops::to_dtype_layout::call(at::_ops::detach::call(tensor), std::nullopt,
                                             std::nullopt, c10::Device(c10::kCPU), std::nullopt,
                                             false, false, std::nullopt);
    tensor = at::_ops::resolve_neg::call(at::_ops::resolve_conj::call(tensor));
  }
  if (!tensor.device().is_cpu()) {
    throw torch::TypeError(
        "can't convert %s device type tensor to numpy. "
        "Use Tensor.cpu() to copy the tensor to host memory first.",
        tensor.device().str().c_str());
  }
  if (tensor.requires_grad() && c10::GradMode::is_enabled()) {
    throw torch::RuntimeError(
        "Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead.");
  }
  if (tensor.is_conj()) {
    throw torch::RuntimeError(
        "Can't call numpy() on Tensor that has conjugate bit set. Use tensor.resolve_conj().numpy() instead.");
  }
  if (tensor.is_neg()) {
    throw torch::RuntimeError(
        "Can't call numpy() on Tensor that has negative bit set. Use tensor.resolve_neg().numpy() instead.");
  }
  const auto* entry = std::find_if(std::begin(kTypes), std::end(kTypes), [&](const TypeEntry& e) {
    return e.type == tensor.scalar_type();
  });
  if (entry == std::end(kTypes)) {
    throw torch::TypeError("Got unsupported ScalarType %s", c10::toString(tensor.scalar_type()));
  }
  const NumpyInterface& numpy = numpy_interface();
  const auto item_size = static_cast<Py_ssize_t>(tensor.itemsize());
  c10::SmallVector<Py_ssize_t, 8> sizes(tensor.sizes().begin(), tensor.sizes().end());
  c10::SmallVector<Py_ssize_t, 8> strides(tensor.strides().begin(), tensor.strides().end());
  for (Py_ssize_t& stride : strides) stride *= item_size;
  // An empty tensor has no memory; NumPy still wants an address.
  static char no_memory;
  void* pointer = tensor.numel() == 0 ? &no_memory : tensor.data_ptr();
  constexpr int kAligned = 0x100;
  THPObjectPtr array(numpy.make(numpy.array_type, static_cast<int>(sizes.size()), sizes.data(),
                                entry->number, strides.data(), pointer, static_cast<int>(item_size),
                                kAligned | kWriteable, nullptr));
  // The array keeps the tensor.
  THPObjectPtr owner(THPVariable_Wrap(tensor));
  if (!array || !owner || numpy.set_base(array, owner.release()) < 0) throw python_error();
  // The array has the address: the memory must stay where it is.
  tensor.unsafeGetTensorImpl()->unsafe_storage().unsafeGetStorageImpl()->set_resizable(false);
  return array.release();
}

}  // namespace torch::utils
