#include <torch/csrc/Device.h>

#include <torch/csrc/Exceptions.h>
#include <torch/csrc/utils/default_device.h>
#include <torch/csrc/utils/object_ptr.h>
#include <torch/csrc/utils/python_arg_parser.h>
#include <torch/csrc/utils/python_strings.h>

#include <c10/core/DeviceType.h>
#include <c10/util/Exception.h>

namespace {

const c10::Device& device_of(PyObject* self) { return reinterpret_cast<THPDevice*>(self)->device; }

std::string type_name(const c10::Device& device) {
  return c10::DeviceTypeName(device.type(), /*lower_case=*/true);
}

PyObject* THPDevice_repr(PyObject* self) {
  HANDLE_TH_ERRORS
  const c10::Device& device = device_of(self);
  std::string text = "device(type='" + type_name(device) + "'";
  if (device.has_index()) text += ", index=" + std::to_string(device.index());
  return THPUtils_packString(text + ")");
  END_HANDLE_TH_ERRORS
}

PyObject* THPDevice_str(PyObject* self) {
  HANDLE_TH_ERRORS
  return THPUtils_packString(device_of(self).str());
  END_HANDLE_TH_ERRORS
}

PyObject* THPDevice_pynew(PyTypeObject* /*type*/, PyObject* args, PyObject* kwargs) {
  HANDLE_TH_ERRORS
  static const torch::PythonArgParser parser({
      "device(Device device)",
      "device(c10::string_view type, int64_t? index=-1)",
  });
  // The constructor still gets a tuple and a dict: lay them out as a vectorcall does.
  std::vector<PyObject*> values;
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(args); ++i) {
    values.push_back(PyTuple_GET_ITEM(args, i));
  }
  const Py_ssize_t nargs = PyTuple_GET_SIZE(args);
  THPObjectPtr kwnames;
  if (kwargs && PyDict_GET_SIZE(kwargs) > 0) {
    kwnames = PyTuple_New(PyDict_GET_SIZE(kwargs));
    if (!kwnames) throw python_error();
    PyObject* key = nullptr;
    PyObject* value = nullptr;
    Py_ssize_t position = 0;
    for (Py_ssize_t i = 0; PyDict_Next(kwargs, &position, &key, &value); ++i) {
      PyTuple_SET_ITEM(kwnames.get(), i, Py_NewRef(key));
      values.push_back(value);
    }
  }
  if (nargs == 2 && !PyUnicode_Check(values[0])) {
    throw torch::TypeError("device(): argument 'type' (position 1) must be str, not %s",
                           Py_TYPE(values[0])->tp_name);
  }
  torch::ParsedArgs<2> parsed_args;
  auto r = parser.parse(values.data(), nargs, kwnames, parsed_args);
  if (r.idx == 0) return THPDevice_New(r.device(0));
  const std::string type(r.stringView(0));
  if (type.find(':') != std::string::npos && !r.isNone(1)) {
    throw torch::RuntimeError(
        "type (string) must not include an index because index was passed explicitly: %s",
        type.c_str());
  }
  c10::Device device(type);
  if (!r.isNone(1)) {
    const int64_t index = r.toInt64(1);
    TORCH_CHECK(index >= 0, "Device index must not be negative");
    device = c10::Device(device.type(), static_cast<c10::DeviceIndex>(index));
  }
  return THPDevice_New(device);
  END_HANDLE_TH_ERRORS
}

PyObject* THPDevice_type(PyObject* self, void* /*unused*/) {
  HANDLE_TH_ERRORS
  return THPUtils_packString(type_name(device_of(self)));
  END_HANDLE_TH_ERRORS
}

PyObject* THPDevice_index(PyObject* self, void* /*unused*/) {
  const c10::Device& device = device_of(self);
  if (!device.has_index()) Py_RETURN_NONE;
  return PyLong_FromLong(device.index());
}

Py_hash_t THPDevice_hash(PyObject* self) {
  const auto value = static_cast<Py_hash_t>(std::hash<c10::Device>{}(device_of(self)));
  return value == -1 ? -2 : value;
}

PyObject* THPDevice_compare(PyObject* a, PyObject* b, int op) {
  if (!THPDevice_Check(a) || !THPDevice_Check(b)) Py_RETURN_NOTIMPLEMENTED;
  if (op != Py_EQ && op != Py_NE) Py_RETURN_NOTIMPLEMENTED;
  return PyBool_FromLong((device_of(a) == device_of(b)) == (op == Py_EQ));
}

PyObject* THPDevice_reduce(PyObject* self, PyObject* /*unused*/) {
  HANDLE_TH_ERRORS
  const c10::Device& device = device_of(self);
  const std::string type = type_name(device);
  if (device.has_index()) {
    return Py_BuildValue("(O(si))", &THPDeviceType, type.c_str(), static_cast<int>(device.index()));
  }
  return Py_BuildValue("(O(s))", &THPDeviceType, type.c_str());
  END_HANDLE_TH_ERRORS
}

// `with torch.device("meta"):` tensors made inside without a device are on this one.
PyObject* THPDevice_enter(PyObject* self, PyObject* /*unused*/) {
  HANDLE_TH_ERRORS
  torch::utils::push_default_device(device_of(self));
  return Py_NewRef(self);
  END_HANDLE_TH_ERRORS
}
PyObject* THPDevice_exit(PyObject* /*self*/, PyObject* /*args*/) {
  torch::utils::pop_default_device();
  Py_RETURN_NONE;
}

PyObject* set_default_device(PyObject* /*self*/, PyObject* device) {
  HANDLE_TH_ERRORS
  if (device == Py_None) {
    torch::utils::set_default_device(std::nullopt);
  } else {
    const THPObjectPtr wanted(
        PyObject_CallOneArg(reinterpret_cast<PyObject*>(&THPDeviceType), device));
    if (!wanted) throw python_error();
    torch::utils::set_default_device(device_of(wanted));
  }
  Py_RETURN_NONE;
  END_HANDLE_TH_ERRORS
}
PyObject* get_default_device(PyObject* /*self*/, PyObject* /*unused*/) {
  HANDLE_TH_ERRORS
  return THPDevice_New(torch::utils::default_device().value_or(c10::Device(c10::kCPU)));
  END_HANDLE_TH_ERRORS
}

PyMethodDef kFunctions[] = {
    {"set_default_device", set_default_device, METH_O, nullptr},
    {"get_default_device", get_default_device, METH_NOARGS, nullptr},
    {nullptr, nullptr, 0, nullptr},
};

PyGetSetDef kProperties[] = {
    {"type", THPDevice_type, nullptr, nullptr, nullptr},
    {"index", THPDevice_index, nullptr, nullptr, nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr},
};

PyMethodDef kMethods[] = {
    {"__reduce__", THPDevice_reduce, METH_NOARGS, nullptr},
    {"__enter__", THPDevice_enter, METH_NOARGS, nullptr},
    {"__exit__", THPDevice_exit, METH_VARARGS, nullptr},
    {nullptr, nullptr, 0, nullptr},
};

PyTypeObject make_type() {
  PyTypeObject type = {PyVarObject_HEAD_INIT(nullptr, 0)};
  type.tp_name = "torch.device";
  type.tp_basicsize = sizeof(THPDevice);
  type.tp_repr = THPDevice_repr;
  type.tp_str = THPDevice_str;
  type.tp_hash = THPDevice_hash;
  type.tp_richcompare = THPDevice_compare;
  type.tp_flags = Py_TPFLAGS_DEFAULT;
  type.tp_methods = kMethods;
  type.tp_getset = kProperties;
  type.tp_new = THPDevice_pynew;
  return type;
}

}  // namespace

PyTypeObject THPDeviceType = make_type();

PyObject* THPDevice_New(const c10::Device& device) {
  PyObject* self = THPDeviceType.tp_alloc(&THPDeviceType, 0);
  if (!self) throw python_error();
  new (&reinterpret_cast<THPDevice*>(self)->device) c10::Device(device);
  return self;
}

void THPDevice_init(PyObject* module) {
  if (PyType_Ready(&THPDeviceType) < 0) throw python_error();
  PyModule_AddObjectRef(module, "device", reinterpret_cast<PyObject*>(&THPDeviceType));
  if (PyModule_AddFunctions(module, kFunctions) < 0) throw python_error();
}
