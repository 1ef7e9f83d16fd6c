#include <torch/csrc/Generator.h>

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/detail/CUDAHooksInterface.h>
#include <torch/csrc/Device.h>
#include <torch/csrc/Exceptions.h>
#include <torch/csrc/autograd/python_variable.h>
#include <torch/csrc/utils/python_numbers.h>
#include <torch/csrc/utils/python_strings.h>

#include <c10/core/GeneratorImpl.h>
#include <c10/util/Exception.h>

#include <mutex>

namespace {

at::Generator& generator_of(PyObject* self) { return reinterpret_cast<THPGenerator*>(self)->cdata; }

PyObject* THPGenerator_pynew(PyTypeObject* /*type*/, PyObject* args, PyObject* kwargs) {
  HANDLE_TH_ERRORS
  const char* keywords[] = {"device", nullptr};
  PyObject* device = nullptr;
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "|O:Generator", const_cast<char**>(keywords),
                                   &device)) {
    throw python_error();
  }
  if (device) {
    c10::Device wanted = THPDevice_Check(device) ? reinterpret_cast<THPDevice*>(device)->device
                                                 : c10::Device(THPUtils_unpackString(device));
    if (wanted.is_cuda()) {
      return THPGenerator_New(at::detail::getCUDAHooks().getNewGenerator(wanted.index()));
    }
    TORCH_CHECK(wanted.is_cpu(), "Device type ", wanted.str(),
                " is not supported for torch.Generator() api.");
  }
  return THPGenerator_New(at::make_generator<at::CPUGeneratorImpl>());
  END_HANDLE_TH_ERRORS
}

void THPGenerator_dealloc(PyObject* self) {
  generator_of(self).~Generator();
  Py_TYPE(self)->tp_free(self);
}

PyObject* THPGenerator_manualSeed(PyObject* self, PyObject* seed) {
  HANDLE_TH_ERRORS
  if (!THPUtils_checkLong(seed)) {
    throw torch::TypeError("manual_seed expected a long, but got %s", Py_TYPE(seed)->tp_name);
  }
  uint64_t value = PyLong_AsUnsignedLongLong(seed);
  if (PyErr_Occurred()) {
    // Negative seeds stand for their two's complement.
    PyErr_Clear();
    value = static_cast<uint64_t>(THPUtils_unpackLong(seed));
  }
  at::Generator& generator = generator_of(self);
  const std::lock_guard<std::mutex> lock(generator.mutex());
  generator.set_current_seed(value);
  return Py_NewRef(self);
  END_HANDLE_TH_ERRORS
}

PyObject* THPGenerator_seed(PyObject* self, PyObject* /*unused*/) {
  HANDLE_TH_ERRORS
  at::Generator& generator = generator_of(self);
  const std::lock_guard<std::mutex> lock(generator.mutex());
  return THPUtils_packUInt64(generator.seed());
  END_HANDLE_TH_ERRORS
}

PyObject* THPGenerator_initialSeed(PyObject* self, PyObject* /*unused*/) {
  HANDLE_TH_ERRORS
  return THPUtils_packUInt64(generator_of(self).current_seed());
  END_HANDLE_TH_ERRORS
}

PyObject* THPGenerator_getState(PyObject* self, PyObject* /*unused*/) {
  HANDLE_TH_ERRORS
  at::Generator& generator = generator_of(self);
  const std::lock_guard<std::mutex> lock(generator.mutex());
  return THPVariable_Wrap(generator.get_state());
  END_HANDLE_TH_ERRORS
}

PyObject* THPGenerator_setState(PyObject* self, PyObject* state) {
  HANDLE_TH_ERRORS
  if (!THPVariable_Check(state)) {
    throw torch::TypeError("expected a torch.ByteTensor, but got %s", Py_TYPE(state)->tp_name);
  }
  at::Generator& generator = generator_of(self);
  const std::lock_guard<std::mutex> lock(generator.mutex());
  generator.set_state(THPVariable_Unpack(state));
  return Py_NewRef(self);
  END_HANDLE_TH_ERRORS
}

PyObject* THPGenerator_cloneState(PyObject* self, PyObject* /*unused*/) {
  HANDLE_TH_ERRORS
  at::Generator& generator = generator_of(self);
  const std::lock_guard<std::mutex> lock(generator.mutex());
  return THPGenerator_New(generator.clone());
  END_HANDLE_TH_ERRORS
}

PyObject* THPGenerator_device(PyObject* self, void* /*unused*/) {
  HANDLE_TH_ERRORS
  return THPDevice_New(generator_of(self).device());
  END_HANDLE_TH_ERRORS
}

PyGetSetDef kProperties[] = {
    {"device", THPGenerator_device, nullptr, nullptr, nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr},
};

PyMethodDef kMethods[] = {
    {"get_state", THPGenerator_getState, METH_NOARGS, nullptr},
    {"set_state", THPGenerator_setState, METH_O, nullptr},
    {"clone_state", THPGenerator_cloneState, METH_NOARGS, nullptr},
    {"manual_seed", THPGenerator_manualSeed, METH_O, nullptr},
    {"seed", THPGenerator_seed, METH_NOARGS, nullptr},
    {"initial_seed", THPGenerator_initialSeed, METH_NOARGS, nullptr},
    {nullptr, nullptr, 0, nullptr},
};

PyTypeObject make_type() {
  PyTypeObject type = {PyVarObject_HEAD_INIT(nullptr, 0)};
  type.tp_name = "torch._C.Generator";
  type.tp_basicsize = sizeof(THPGenerator);
  type.tp_dealloc = THPGenerator_dealloc;
  type.tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE;
  type.tp_methods = kMethods;
  type.tp_getset = kProperties;
  type.tp_new = THPGenerator_pynew;
  return type;
}

}  // namespace

PyTypeObject THPGeneratorType = make_type();

PyObject* THPGenerator_New(at::Generator generator) {
  PyObject* self = THPGeneratorType.tp_alloc(&THPGeneratorType, 0);
  if (!self) throw python_error();
  new (&reinterpret_cast<THPGenerator*>(self)->cdata) at::Generator(std::move(generator));
  return self;
}

void THPGenerator_init(PyObject* module) {
  if (PyType_Ready(&THPGeneratorType) < 0) throw python_error();
  PyModule_AddObjectRef(module, "Generator", reinterpret_cast<PyObject*>(&THPGeneratorType));
  PyModule_AddObject(module, "default_generator",
                     THPGenerator_New(at::detail::getDefaultCPUGenerator()));
}
