#include <torch/csrc/Storage.h>

#include <ATen/ops/empty_ops.h>
#include <c10/core/Allocator.h>
#include <c10/core/DeviceGuard.h>
#include <c10/core/StorageImpl.h>
#include <c10/core/TensorImpl.h>
#include <c10/util/Exception.h>
#include <torch/csrc/Device.h>
#include <torch/csrc/Dtype.h>
#include <torch/csrc/Exceptions.h>
#include <torch/csrc/autograd/python_variable.h>
#include <torch/csrc/utils/gil.h>
#include <torch/csrc/utils/object_ptr.h>
#include <torch/csrc/utils/python_numbers.h>
#include <torch/csrc/utils/unpack_dtype.h>

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace {

c10::Storage& storage_of(PyObject* self) { return reinterpret_cast<THPStorage*>(self)->cdata; }

// The class of storages in Python, torch.UntypedStorage, which derives from this file's type.
PyTypeObject* storage_class = nullptr;

c10::Storage allocate(int64_t nbytes, c10::Device device) {
  if (!device.is_cpu()) {
    return at::_ops::empty_memory_format::call({nbytes}, c10::ScalarType::Byte, std::nullopt,
                                               device, std::nullopt, std::nullopt)
        .storage();
  }
  return c10::Storage(c10::Storage::use_byte_size_t(), static_cast<size_t>(nbytes),
                      c10::GetAllocator(c10::kCPU), /*resizable=*/true);
}

PyObject* new_object(PyTypeObject* type, c10::Storage storage) {
  PyObject* self = type->tp_alloc(type, 0);
  if (!self) throw python_error();
  new (&reinterpret_cast<THPStorage*>(self)->cdata) c10::Storage(std::move(storage));
  return self;
}

int64_t byte_count(PyObject* obj) {
  const int64_t nbytes = THPUtils_unpackLong(obj);
  TORCH_CHECK(nbytes >= 0, "Storage size must be non-negative, but got ", nbytes);
  return nbytes;
}

// StorageBase(nbytes=0, device="cpu"): bytes of any value.
PyObject* THPStorage_pynew(PyTypeObject* type, PyObject* args, PyObject* /*kwargs*/) {
  HANDLE_TH_ERRORS
  if (type == &THPStorageType) {
    throw torch::RuntimeError(
        "Cannot directly construct StorageBase; subclass it and then construct that");
  }
  PyObject* size = nullptr;
  PyObject* device = nullptr;
  if (!PyArg_ParseTuple(args, "|OO!:StorageBase", &size, &THPDeviceType, &device)) {
    throw python_error();
  }
  return new_object(type,
                    allocate(size ? byte_count(size) : 0,
                             device ? reinterpret_cast<THPDevice*>(device)->device : c10::kCPU));
  END_HANDLE_TH_ERRORS
}

void THPStorage_dealloc(PyObject* self) {
  storage_of(self).~Storage();
  Py_TYPE(self)->tp_free(self);
}

PyObject* THPStorage_nbytes(PyObject* self, PyObject* /*unused*/) {
  return PyLong_FromSize_t(storage_of(self).nbytes());
}

PyObject* THPStorage_data_ptr(PyObject* self, PyObject* /*unused*/) {
  return PyLong_FromVoidPtr(storage_of(self).mutable_data());
}

PyObject* THPStorage_resizable(PyObject* self, PyObject* /*unused*/) {
  return PyBool_FromLong(storage_of(self).resizable());
}

// resize_(nbytes): keeps what fits; returns self.
PyObject* THPStorage_resize_(PyObject* self, PyObject* size) {
  HANDLE_TH_ERRORS
  const auto nbytes = static_cast<size_t>(byte_count(size));
  c10::Storage& storage = storage_of(self);
  TORCH_CHECK(storage.resizable(), "Trying to resize storage that is not resizable");
  const c10::DeviceGuard guard(storage.device());
  c10::DataPtr memory = storage.allocator()->allocate(nbytes);
  const size_t kept = nbytes < storage.nbytes() ? nbytes : storage.nbytes();
  if (kept > 0) storage.allocator()->copy_data(memory.mutable_get(), storage.data(), kept);
  storage.set_data_ptr_noswap(std::move(memory));
  storage.set_nbytes(nbytes);
  return Py_NewRef(self);
  END_HANDLE_TH_ERRORS
}

PyObject* THPStorage_clone(PyObject* self, PyObject* /*unused*/) {
  HANDLE_TH_ERRORS
  const c10::Storage& storage = storage_of(self);
  const c10::DeviceGuard guard(storage.device());
  c10::Allocator* allocator = c10::GetAllocator(storage.device().type());
  c10::DataPtr memory = allocator->allocate(storage.nbytes());
  if (storage.nbytes() > 0) {
    allocator->copy_data(memory.mutable_get(), storage.data(), storage.nbytes());
  }
  return THPStorage_New(c10::Storage(c10::Storage::use_byte_size_t(), storage.nbytes(),
                                     std::move(memory), allocator, /*resizable=*/true));
  END_HANDLE_TH_ERRORS
}

void release_buffer(void* context) {
  const std::unique_ptr<Py_buffer> view(static_cast<Py_buffer*>(context));
  if (!Py_IsInitialized()) return;
  const torch::GilAcquire gil;
  PyBuffer_Release(view.get());
}

// StorageBase._share_buffer(buffer, offset=0, nbytes=-1): the memory of a Python buffer, which
// it keeps alive. A read-only buffer is taken too: whoever writes to it breaks a promise.
PyObject* THPStorage_share_buffer(PyObject* /*self*/, PyObject* args) {
  HANDLE_TH_ERRORS
  PyObject* buffer = nullptr;
  Py_ssize_t offset = 0;
  Py_ssize_t nbytes = -1;
  if (!PyArg_ParseTuple(args, "O|nn:_share_buffer", &buffer, &offset, &nbytes)) {
    throw python_error();
  }
  auto view = std::make_unique<Py_buffer>();
  if (PyObject_GetBuffer(buffer, view.get(), PyBUF_SIMPLE) < 0) throw python_error();
  std::unique_ptr<Py_buffer, void (*)(Py_buffer*)> held(
      view.release(), [](Py_buffer* owned) { release_buffer(owned); });
  if (nbytes < 0) nbytes = held->len - offset;
  TORCH_CHECK_VALUE(offset >= 0 && nbytes >= 0 && nbytes <= held->len - offset, "bytes ", offset,
                    " to ", offset + nbytes, " are outside a buffer of ", held->len, " bytes");
  auto* data = static_cast<char*>(held->buf) + offset;
  return THPStorage_New(c10::Storage(
      c10::Storage::use_byte_size_t(), static_cast<size_t>(nbytes),
      c10::DataPtr(data, held.release(), release_buffer, c10::Device(c10::kCPU)), nullptr, false));
  END_HANDLE_TH_ERRORS
}

// _take_memory(other): the memory of `other`, a storage of as many bytes that nobody uses besides,
// in place of its own. Tensors on this storage have it too.
PyObject* THPStorage_take_memory(PyObject* self, PyObject* other) {
  HANDLE_TH_ERRORS
  TORCH_CHECK_TYPE(THPStorage_Check(other), "_take_memory(): wanted a storage, but got ",
                   Py_TYPE(other)->tp_name);
  c10::StorageImpl* mine = storage_of(self).unsafeGetStorageImpl();
  c10::StorageImpl* given = storage_of(other).unsafeGetStorageImpl();
  TORCH_CHECK(mine->nbytes() == given->nbytes(), "_take_memory(): wanted ", mine->nbytes(),
              " bytes, but got ", given->nbytes());
  mine->set_resizable(false);
  mine->set_data_ptr_noswap(given->set_data_ptr(c10::DataPtr()));
  given->set_nbytes(0);
  mine->set_allocator(given->allocator());
  return Py_NewRef(self);
  END_HANDLE_TH_ERRORS
}

PyObject* get_cdata(PyObject* self, void* /*unused*/) {
  return PyLong_FromVoidPtr(storage_of(self).unsafeGetStorageImpl());
}
PyObject* get_device(PyObject* self, void* /*unused*/) {
  HANDLE_TH_ERRORS
  return THPDevice_New(storage_of(self).device());
  END_HANDLE_TH_ERRORS
}

Py_ssize_t THPStorage_length(PyObject* self) {
  return static_cast<Py_ssize_t>(storage_of(self).nbytes());
}

int THPStorage_getbuffer(PyObject* self, Py_buffer* view, int flags) {
  HANDLE_TH_ERRORS
  const c10::Storage& storage = storage_of(self);
  if (!storage.device().is_cpu()) {
    PyErr_SetString(PyExc_BufferError, "only the bytes of CPU storages can be read from Python");
    return -1;
  }
  static char no_memory;
  void* data = storage.nbytes() == 0 ? &no_memory : storage.mutable_data();
  return PyBuffer_FillInfo(view, self, data, static_cast<Py_ssize_t>(storage.nbytes()),
                           /*readonly=*/0, flags);
  END_HANDLE_TH_ERRORS_RET(-1)
}

PyMethodDef kMethods[] = {
    {"nbytes", THPStorage_nbytes, METH_NOARGS, nullptr},
    {"size", THPStorage_nbytes, METH_NOARGS, nullptr},
    {"data_ptr", THPStorage_data_ptr, METH_NOARGS, nullptr},
    {"resizable", THPStorage_resizable, METH_NOARGS, nullptr},
    {"resize_", THPStorage_resize_, METH_O, nullptr},
    {"clone", THPStorage_clone, METH_NOARGS, nullptr},
    {"_take_memory", THPStorage_take_memory, METH_O, nullptr},
    {"_share_buffer", THPStorage_share_buffer, METH_VARARGS | METH_STATIC, nullptr},
    {nullptr, nullptr, 0, nullptr},
};
PyGetSetDef kProperties[] = {
    {"_cdata", get_cdata, nullptr, nullptr, nullptr},
    {"device", get_device, nullptr, nullptr, nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr},
};
PySequenceMethods kSequence = {THPStorage_length};
PyBufferProcs kBuffer = {THPStorage_getbuffer, nullptr};

PyTypeObject make_type() {
  PyTypeObject type = {PyVarObject_HEAD_INIT(nullptr, 0)};
  type.tp_name = "torch._C.StorageBase";
  type.tp_basicsize = sizeof(THPStorage);
  type.tp_dealloc = THPStorage_dealloc;
  type.tp_as_sequence = &kSequence;
  type.tp_as_buffer = &kBuffer;
  type.tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE;
  type.tp_methods = kMethods;
  type.tp_getset = kProperties;
  type.tp_doc = "The bytes of tensors: the base of torch.UntypedStorage.";
  type.tp_new = THPStorage_pynew;
  return type;
}

const at::Tensor& tensor_of(PyObject* obj, const char* function) {
  if (!THPVariable_Check(obj)) {
    throw torch::TypeError("%s expects a Tensor, but got %s", function, Py_TYPE(obj)->tp_name);
  }
  return THPVariable_Unpack(obj);
}

// torch._C._untyped_storage(tensor).
PyObject* untyped_storage(PyObject* /*self*/, PyObject* tensor) {
  HANDLE_TH_ERRORS
  return THPStorage_New(tensor_of(tensor, "untyped_storage()").storage());
  END_HANDLE_TH_ERRORS
}

std::vector<int64_t> int_list(PyObject* sequence) {
  const THPObjectPtr fast(PySequence_Fast(sequence, "expected a sequence of ints"));
  if (!fast) throw python_error();
  std::vector<int64_t> values;
  for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(fast.get()); ++i) {
    values.push_back(THPUtils_unpackLong(PySequence_Fast_GET_ITEM(fast.get(), i)));
  }
  return values;
}

// The bytes from the start of a storage that a tensor of this geometry reaches.
int64_t reached_bytes(const std::vector<int64_t>& sizes, const std::vector<int64_t>& strides,
                      int64_t offset, int64_t item_size) {
  TORCH_CHECK(sizes.size() == strides.size(), "mismatch in length of strides and shape");
  TORCH_CHECK(offset >= 0, "Tensor: invalid storage offset ", offset);
  int64_t last = offset;
  for (size_t i = 0; i < sizes.size(); ++i) {
    TORCH_CHECK(sizes[i] >= 0, "Trying to create tensor with negative dimension ", sizes[i], ": ",
                c10::IntArrayRef(sizes));
    TORCH_CHECK(strides[i] >= 0, "as_strided: Negative strides are not supported at the moment");
    if (sizes[i] == 0) return 0;
    int64_t extent = 0;
    TORCH_CHECK(!__builtin_mul_overflow(sizes[i] - 1, strides[i], &extent) &&
                    !__builtin_add_overflow(last, extent, &last),
                "Storage size calculation overflowed with sizes=", c10::IntArrayRef(sizes));
  }
  int64_t bytes = 0;
  TORCH_CHECK(
      !__builtin_add_overflow(last, 1, &last) && !__builtin_mul_overflow(last, item_size, &bytes),
      "Storage size calculation overflowed with sizes=", c10::IntArrayRef(sizes));
  return bytes;
}

// torch._C._tensor_from_storage(storage, dtype, storage_offset, size, stride).
PyObject* tensor_from_storage(PyObject* /*self*/, PyObject* args) {
  HANDLE_TH_ERRORS
  PyObject* storage = nullptr;
  PyObject* dtype = nullptr;
  Py_ssize_t offset = 0;
  PyObject* size = nullptr;
  PyObject* stride = nullptr;
  if (!PyArg_ParseTuple(args, "O!O!nOO:_tensor_from_storage", &THPStorageType, &storage,
                        &THPDtypeType, &dtype, &offset, &size, &stride)) {
    throw python_error();
  }
  const c10::Storage& memory = storage_of(storage);
  const c10::ScalarType type = torch::unpack_dtype(dtype);
  const std::vector<int64_t> sizes = int_list(size);
  const std::vector<int64_t> strides = int_list(stride);
  const int64_t needed =
      reached_bytes(sizes, strides, offset, static_cast<int64_t>(c10::elementSize(type)));
  TORCH_CHECK(needed <= static_cast<int64_t>(memory.nbytes()), "setStorage: sizes ",
              c10::IntArrayRef(sizes), ", strides ", c10::IntArrayRef(strides), ", storage offset ",
              offset, ", and itemsize ", c10::elementSize(type), " requiring a storage size of ",
              needed, " are out of bounds for storage of size ", memory.nbytes());
  at::Tensor tensor = at::_ops::empty_memory_format::call({0}, type, std::nullopt, memory.device(),
                                                          std::nullopt, std::nullopt);
  c10::TensorImpl* impl = tensor.unsafeGetTensorImpl();
  impl->set_storage_keep_dtype(memory);
  impl->set_storage_offset(offset);
  impl->set_sizes_and_strides(sizes, strides);
  return THPVariable_Wrap(std::move(tensor));
  END_HANDLE_TH_ERRORS
}

// torch._C._set_storage_class(cls): what functions that return storages make objects of.
PyObject* set_storage_class(PyObject* /*self*/, PyObject* type) {
  HANDLE_TH_ERRORS
  if (!PyType_Check(type) ||
      !PyType_IsSubtype(reinterpret_cast<PyTypeObject*>(type), &THPStorageType)) {
    throw torch::TypeError("_set_storage_class() expects a class that derives from StorageBase");
  }
  Py_XSETREF(storage_class, reinterpret_cast<PyTypeObject*>(Py_NewRef(type)));
  Py_RETURN_NONE;
  END_HANDLE_TH_ERRORS
}

PyMethodDef kFunctions[] = {
    {"_set_storage_class", set_storage_class, METH_O, nullptr},
    {"_untyped_storage", untyped_storage, METH_O, nullptr},
    {"_tensor_from_storage", tensor_from_storage, METH_VARARGS, nullptr},
    {nullptr, nullptr, 0, nullptr},
};

}  // namespace

PyTypeObject THPStorageType = make_type();

PyObject* THPStorage_New(c10::Storage storage) {
  if (!storage_class) {
    // The module sets the class; `import torch` does not need it.
    const THPObjectPtr module(PyImport_ImportModule("torch.storage"));
    if (!module) throw python_error();
  }
  return new_object(storage_class, std::move(storage));
}

void THPStorage_init(PyObject* module) {
  if (PyType_Ready(&THPStorageType) < 0) throw python_error();
  PyModule_AddObjectRef(module, "StorageBase", reinterpret_cast<PyObject*>(&THPStorageType));
  if (PyModule_AddFunctions(module, kFunctions) < 0) throw python_error();
}
