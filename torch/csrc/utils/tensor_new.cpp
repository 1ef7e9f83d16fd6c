#include <torch/csrc/utils/tensor_new.h>

#include <ATen/ops/alias_ops.h>
#include <ATen/ops/detach_ops.h>
#include <ATen/ops/empty_ops.h>
#include <ATen/ops/to_ops.h>
#include <c10/core/DefaultDtype.h>
#include <c10/util/Exception.h>
#include <torch/csrc/Device.h>
#include <torch/csrc/Exceptions.h>
#include <torch/csrc/Size.h>
#include <torch/csrc/Storage.h>
#include <torch/csrc/autograd/python_variable.h>
#include <torch/csrc/utils/object_ptr.h>
#include <torch/csrc/utils/python_numbers.h>
#include <torch/csrc/utils/python_scalars.h>
#include <torch/csrc/utils/python_strings.h>
#include <torch/csrc/utils/tensor_numpy.h>
#include <torch/csrc/utils/unpack_dtype.h>

#include <utility>
#include <vector>

namespace torch::utils {

namespace {

constexpr size_t kMaxDims = 128;

bool is_sequence(PyObject* obj) {
  return PySequence_Check(obj) && !THPVariable_Check(obj) && !PyUnicode_Check(obj) &&
         !PyBytes_Check(obj);
}

std::vector<int64_t> compute_sizes(PyObject* data) {
  std::vector<int64_t> sizes;
  THPObjectPtr current = THPObjectPtr::dup(data);
  while (true) {
    if (PyUnicode_Check(current.get()) || PyBytes_Check(current.get())) {
      throw torch::ValueError("too many dimensions '%s'", Py_TYPE(current.get())->tp_name);
    }
    if (!is_sequence(current)) return sizes;
    const Py_ssize_t length = PySequence_Length(current);
    if (length < 0) throw python_error();
    sizes.push_back(length);
    if (sizes.size() > kMaxDims) {
      throw torch::ValueError("too many dimensions '%s'", Py_TYPE(current.get())->tp_name);
    }
    if (length == 0) return sizes;
    THPObjectPtr first(PySequence_GetItem(current, 0));
    if (!first) {
      PyErr_Clear();
      throw torch::ValueError("could not determine the shape of object type '%s'",
                              Py_TYPE(current.get())->tp_name);
    }
    current = std::move(first);
  }
}

void store_recursively(char* data, c10::IntArrayRef sizes, c10::IntArrayRef strides, size_t dim,
                       c10::ScalarType type, size_t item_size, PyObject* obj) {
  if (dim == sizes.size()) {
    store_scalar(data, type, obj);
    return;
  }
  THPObjectPtr sequence(PySequence_Fast(obj, "not a sequence"));
  if (!sequence) throw python_error();
  const int64_t size = sizes[dim];
  if (PySequence_Fast_GET_SIZE(sequence.get()) != size) {
    throw torch::ValueError("expected sequence of length %lld at dim %zu (got %zd)",
                            static_cast<long long>(size), dim,
                            PySequence_Fast_GET_SIZE(sequence.get()));
  }
  PyObject** items = PySequence_Fast_ITEMS(sequence.get());
  for (int64_t i = 0; i < size; ++i) {
    store_recursively(data, sizes, strides, dim + 1, type, item_size, items[i]);
    data += static_cast<size_t>(strides[dim]) * item_size;
  }
}

at::Tensor empty_cpu(c10::IntArrayRef sizes, c10::ScalarType type) {
  return at::_ops::empty_memory_format::call(sizes, type, std::nullopt, c10::Device(c10::kCPU),
                                             std::nullopt, std::nullopt);
}

// The bytes of a torch.UntypedStorage, or of a storage with elements; null for other objects.
THPObjectPtr untyped_storage_of(PyObject* obj) {
  if (THPStorage_Check(obj)) return THPObjectPtr::dup(obj);
  if (PyList_Check(obj) || PyTuple_Check(obj) || is_numpy_array(obj)) return {};
  THPObjectPtr inner(PyObject_GetAttrString(obj, "_untyped_storage"));
  if (!inner) PyErr_Clear();
  return inner && THPStorage_Check(inner) ? std::move(inner) : THPObjectPtr();
}

// The element type of a torch.TypedStorage; none of the bytes of an untyped one.
std::optional<c10::ScalarType> storage_type(PyObject* obj) {
  if (THPStorage_Check(obj)) return std::nullopt;
  const THPObjectPtr dtype(PyObject_GetAttrString(obj, "dtype"));
  if (!dtype) throw python_error();
  return unpack_dtype(dtype);
}

// A tensor of one dimension on all of a storage.
at::Tensor on_storage(PyObject* obj, c10::ScalarType type) {
  const c10::Storage& storage = reinterpret_cast<THPStorage*>(obj)->cdata;
  at::Tensor tensor = at::_ops::empty_memory_format::call({0}, type, std::nullopt, storage.device(),
                                                          std::nullopt, std::nullopt);
  c10::TensorImpl* impl = tensor.unsafeGetTensorImpl();
  impl->set_storage_keep_dtype(storage);
  impl->set_sizes_contiguous({static_cast<int64_t>(storage.nbytes() / tensor.itemsize())});
  return tensor;
}

// A tensor on the memory of an object of another library that exports it; null for other objects.
THPObjectPtr through_dlpack(PyObject* obj) {
  if (PyList_CheckExact(obj) || PyTuple_CheckExact(obj) || PyFloat_CheckExact(obj) ||
      PyLong_CheckExact(obj) || PyBool_Check(obj)) {
    return {};
  }
  if (!PyObject_HasAttrString(obj, "__dlpack__") ||
      !PyObject_HasAttrString(obj, "__dlpack_device__")) {
    return {};
  }
  const THPObjectPtr module(PyImport_ImportModule("torch.utils.dlpack"));
  if (!module) throw python_error();
  THPObjectPtr tensor(PyObject_CallMethod(module.get(), "from_dlpack", "O", obj));
  if (!tensor) throw python_error();
  return tensor;
}

void warn_about_arrays(PyObject* data) {
  if (!PyList_Check(data) || PyList_GET_SIZE(data) == 0) return;
  if (!is_numpy_array(PyList_GET_ITEM(data, 0))) return;
  TORCH_WARN_ONCE(
      "Creating a tensor from a list of numpy.ndarrays is extremely slow. Please consider converting the list to a single numpy.ndarray with numpy.array() before converting to a tensor.");
}

at::Tensor to_device(const at::Tensor& tensor, std::optional<c10::ScalarType> dtype,
                     std::optional<c10::Device> device, bool copy) {
  return at::_ops::to_dtype_layout::call(tensor, dtype, std::nullopt, device, std::nullopt, false,
                                         copy, std::nullopt);
}

}  // namespace

std::string options_to_string(c10::ScalarType type, c10::Device device) {
  std::string text = "torch.";
  if (!device.is_cpu()) text += c10::DeviceTypeName(device.type(), /*lower_case=*/true) + ".";
  return text + c10::toString(type) + "Tensor";
}

c10::ScalarType infer_scalar_type(PyObject* data) {
  // Before Python's numbers: numpy.float64 is a float, and numpy.complex128 a complex.
  if (THPUtils_isNumpyObject(data)) {
    if (const auto type = numpy_scalar_type(data)) return *type;
  }
  if (PyFloat_Check(data)) return c10::get_default_dtype_as_scalartype();
  if (THPUtils_checkBool(data)) return c10::ScalarType::Bool;
  if (PyLong_Check(data)) return c10::ScalarType::Long;
  if (PyComplex_Check(data)) {
    return c10::get_default_dtype_as_scalartype() == c10::ScalarType::Double
               ? c10::ScalarType::ComplexDouble
               : c10::ScalarType::ComplexFloat;
  }
  if (THPVariable_Check(data)) return THPVariable_Unpack(data).scalar_type();
  if (PyUnicode_Check(data)) {
    throw torch::TypeError("new(): invalid data type '%s'", Py_TYPE(data)->tp_name);
  }
  if (is_sequence(data)) {
    const Py_ssize_t length = PySequence_Length(data);
    if (length < 0) throw python_error();
    if (length == 0) return c10::get_default_dtype_as_scalartype();
    THPObjectPtr sequence(PySequence_Fast(data, "not a sequence"));
    if (!sequence) throw python_error();
    if (PySequence_Fast_GET_SIZE(sequence.get()) != length) {
      throw torch::ValueError("could not determine the shape of object type '%s'",
                              Py_TYPE(data)->tp_name);
    }
    std::optional<c10::ScalarType> type;
    for (Py_ssize_t i = 0; i < length; ++i) {
      PyObject* item = PySequence_Fast_GET_ITEM(sequence.get(), i);
      if (item == data) throw torch::TypeError("new(): self-referential lists are incompatible");
      const c10::ScalarType item_type = infer_scalar_type(item);
      type = type ? c10::promoteTypes(*type, item_type) : item_type;
    }
    return *type;
  }
  throw torch::RuntimeError("Could not infer dtype of %s", Py_TYPE(data)->tp_name);
}

at::Tensor tensor_from_data(PyObject* data, std::optional<c10::ScalarType> dtype,
                            std::optional<c10::Device> device) {
  if (THPVariable_Check(data)) {
    const at::Tensor& source = THPVariable_Unpack(data);
    return at::_ops::detach::call(to_device(source, dtype, device, /*copy=*/true));
  }
  if (is_numpy_array(data)) {
    return to_device(tensor_from_numpy(data, /*warn_if_readonly=*/false), dtype, device,
                     /*copy=*/true);
  }
  if (PyUnicode_Check(data)) {
    throw torch::TypeError("new(): invalid data type '%s'", Py_TYPE(data)->tp_name);
  }
  if (const THPObjectPtr storage = untyped_storage_of(data)) {
    const auto type = storage_type(data);
    const auto wanted = dtype  ? *dtype
                        : type ? c10::get_default_dtype_as_scalartype()
                               : c10::ScalarType::Long;
    if (type && *type != wanted) {
      throw torch::RuntimeError("Expected a Storage of type %s or an UntypedStorage, but got %s",
                                c10::toString(wanted), c10::toString(*type));
    }
    return to_device(on_storage(storage, type.value_or(wanted)), wanted, device, /*copy=*/true);
  }
  if (const THPObjectPtr shared = through_dlpack(data)) {
    return to_device(THPVariable_Unpack(shared.get()), dtype, device, /*copy=*/true);
  }
  warn_about_arrays(data);
  const std::vector<int64_t> sizes = compute_sizes(data);
  const c10::ScalarType type = dtype ? *dtype : infer_scalar_type(data);
  at::Tensor tensor = empty_cpu(sizes, type);
  if (tensor.numel() != 0) {
    store_recursively(static_cast<char*>(tensor.mutable_data_ptr()), tensor.sizes(),
                      tensor.strides(), 0, type, tensor.itemsize(), data);
  }
  if (device && !device->is_cpu()) return to_device(tensor, std::nullopt, device, false);
  return tensor;
}

at::Tensor indexing_tensor_from_data(PyObject* data) {
  if (is_numpy_array(data)) return tensor_from_numpy(data, /*warn_if_readonly=*/false);
  const std::vector<int64_t> sizes = compute_sizes(data);
  c10::ScalarType type = infer_scalar_type(data);
  if (type != c10::ScalarType::Bool && type != c10::ScalarType::Byte) {
    int64_t numel = 1;
    for (int64_t size : sizes) numel *= size;
    if (numel != 0 && !c10::isIntegralType(type, /*includeBool=*/true)) {
      throw torch::IndexError("tensors used as indices must be long, int, byte or bool tensors");
    }
    type = c10::ScalarType::Long;
  }
  return tensor_from_data(data, type, std::nullopt);
}

at::Tensor legacy_tensor_ctor(c10::ScalarType type, PyObject* args, PyObject* kwargs) {
  if (kwargs && PyDict_GET_SIZE(kwargs) > 0) {
    PyObject* size = PyDict_GetItemString(kwargs, "size");
    if (size && PyDict_GET_SIZE(kwargs) == 1 && PyTuple_GET_SIZE(args) == 0 &&
        PyTuple_Check(size)) {
      return legacy_tensor_ctor(type, size, nullptr);
    }
    PyObject* device = PyDict_GetItemString(kwargs, "device");
    if (!device || PyDict_GET_SIZE(kwargs) > 1) {
      throw torch::TypeError(
          "new() received an invalid keyword argument; use torch.tensor(data, dtype=..., device=...) instead");
    }
    if (device != Py_None &&
        !(THPDevice_Check(device) && reinterpret_cast<THPDevice*>(device)->device.is_cpu()) &&
        !(THPUtils_checkString(device) && c10::Device(THPUtils_unpackString(device)).is_cpu())) {
      throw torch::RuntimeError(
          "legacy constructor expects device type: cpu; use torch.empty(size, device=...) or torch.tensor(data, device=...) for another device");
    }
  }
  const Py_ssize_t count = PyTuple_GET_SIZE(args);
  if (count == 0) return empty_cpu({0}, type);
  PyObject* first = PyTuple_GET_ITEM(args, 0);
  if (count == 1 && !THPUtils_checkLong(first)) {
    if (THPVariable_Check(first)) {
      // A view of all of it, of any dtype: gradients flow to the tensor.
      return at::_ops::alias::call(THPVariable_Unpack(first));
    }
    if (THPSize_Check(first)) {
      std::vector<int64_t> sizes;
      for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(first); ++i) {
        sizes.push_back(THPUtils_unpackLong(PyTuple_GET_ITEM(first, i)));
      }
      return empty_cpu(sizes, type);
    }
    if (THPObjectPtr storage = untyped_storage_of(first)) {
      const auto found = storage_type(first);
      TORCH_CHECK(!found || *found == type, "Expected a Storage of type ", c10::toString(type),
                  " or an UntypedStorage, but got type ", c10::toString(found.value_or(type)),
                  " for argument 1 'storage'");
      return on_storage(storage, type);
    }
    if (!is_sequence(first) && !PyUnicode_Check(first) && !is_numpy_array(first)) {
      throw torch::TypeError("new(): data must be a sequence (got %s)", Py_TYPE(first)->tp_name);
    }
    return tensor_from_data(first, type, std::nullopt);
  }
  std::vector<int64_t> sizes;
  for (Py_ssize_t i = 0; i < count; ++i) {
    PyObject* item = PyTuple_GET_ITEM(args, i);
    if (!THPUtils_checkLong(item)) {
      throw torch::TypeError(
          "new(): argument 'size' failed to unpack the object at pos %zd with error \"type must be tuple of ints,but got %s\"",
          i + 1, Py_TYPE(item)->tp_name);
    }
    sizes.push_back(THPUtils_unpackLong(item));
  }
  return empty_cpu(sizes, type);
}

}  // namespace torch::utils
