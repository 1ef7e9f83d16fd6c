#include <torch/csrc/Layout.h>

#include <torch/csrc/Exceptions.h>

namespace {

PyObject* layouts[static_cast<int>(c10::Layout::NumOptions)] = {};
constexpr int kMemoryFormats = 4;
PyObject* memory_formats[kMemoryFormats] = {};

PyObject* THPLayout_repr(PyObject* self) {
  return PyUnicode_FromFormat("torch.%s", reinterpret_cast<THPLayout*>(self)->name);
}
PyObject* THPLayout_reduce(PyObject* self, PyObject* /*unused*/) {
  return PyUnicode_FromString(reinterpret_cast<THPLayout*>(self)->name);
}
PyObject* THPMemoryFormat_repr(PyObject* self) {
  return PyUnicode_FromFormat("torch.%s", reinterpret_cast<THPMemoryFormat*>(self)->name);
}
PyObject* THPMemoryFormat_reduce(PyObject* self, PyObject* /*unused*/) {
  return PyUnicode_FromString(reinterpret_cast<THPMemoryFormat*>(self)->name);
}

PyMethodDef kLayoutMethods[] = {
    {"__reduce__", THPLayout_reduce, METH_NOARGS, nullptr},
    {nullptr, nullptr, 0, nullptr},
};
PyMethodDef kMemoryFormatMethods[] = {
    {"__reduce__", THPMemoryFormat_reduce, METH_NOARGS, nullptr},
    {nullptr, nullptr, 0, nullptr},
};

PyTypeObject make_type(const char* name, Py_ssize_t size, reprfunc repr, PyMethodDef* methods) {
  PyTypeObject type = {PyVarObject_HEAD_INIT(nullptr, 0)};
  type.tp_name = name;
  type.tp_basicsize = size;
  type.tp_repr = repr;
  type.tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION;
  type.tp_methods = methods;
  return type;
}

}  // namespace

PyTypeObject THPLayoutType =
    make_type("torch.layout", sizeof(THPLayout), THPLayout_repr, kLayoutMethods);
PyTypeObject THPMemoryFormatType = make_type("torch.memory_format", sizeof(THPMemoryFormat),
                                             THPMemoryFormat_repr, kMemoryFormatMethods);

namespace torch {

PyObject* getTHPLayout(c10::Layout layout) { return layouts[static_cast<int>(layout)]; }

PyObject* getTHPMemoryFormat(c10::MemoryFormat memory_format) {
  return memory_formats[static_cast<int>(memory_format)];
}

}  // namespace torch

void THPLayout_init(PyObject* module) {
  if (PyType_Ready(&THPLayoutType) < 0) throw python_error();
  PyModule_AddObjectRef(module, "layout", reinterpret_cast<PyObject*>(&THPLayoutType));
  // Programs ask `t.layout == torch.sparse_coo`; factories refuse all but strided.
  const struct {
    c10::Layout layout;
    const char* name;
  } entries[] = {
      {c10::Layout::Strided, "strided"},      {c10::Layout::Sparse, "sparse_coo"},
      {c10::Layout::SparseCsr, "sparse_csr"}, {c10::Layout::SparseCsc, "sparse_csc"},
      {c10::Layout::SparseBsr, "sparse_bsr"}, {c10::Layout::SparseBsc, "sparse_bsc"},
      {c10::Layout::Mkldnn, "_mkldnn"},       {c10::Layout::Jagged, "jagged"},
  };
  for (const auto& entry : entries) {
    auto* object = PyObject_New(THPLayout, &THPLayoutType);
    if (!object) throw python_error();
    object->layout = entry.layout;
    object->name = entry.name;
    layouts[static_cast<int>(entry.layout)] = reinterpret_cast<PyObject*>(object);
    PyModule_AddObjectRef(module, entry.name, reinterpret_cast<PyObject*>(object));
  }
}

void THPMemoryFormat_init(PyObject* module) {
  if (PyType_Ready(&THPMemoryFormatType) < 0) throw python_error();
  PyModule_AddObjectRef(module, "memory_format", reinterpret_cast<PyObject*>(&THPMemoryFormatType));
  const struct {
    c10::MemoryFormat format;
    const char* name;
  } entries[] = {
      {c10::MemoryFormat::Preserve, "preserve_format"},
      {c10::MemoryFormat::Contiguous, "contiguous_format"},
      {c10::MemoryFormat::ChannelsLast, "channels_last"},
      {c10::MemoryFormat::ChannelsLast3d, "channels_last_3d"},
  };
  for (const auto& entry : entries) {
    auto* object = PyObject_New(THPMemoryFormat, &THPMemoryFormatType);
    if (!object) throw python_error();
    object->memory_format = entry.format;
    object->name = entry.name;
    memory_formats[static_cast<int>(entry.format)] = reinterpret_cast<PyObject*>(object);
    PyModule_AddObjectRef(module, entry.name, reinterpret_cast<PyObject*>(object));
  }
}
