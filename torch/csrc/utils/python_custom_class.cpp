#include <torch/csrc/utils/python_custom_class.h>

#include <ATen/core/custom_class.h>
#include <ATen/core/function_schema.h>
#include <ATen/core/jit_type.h>
#include <ATen/core/stack.h>
#include <c10/util/Exception.h>
#include <torch/csrc/Exceptions.h>
#include <torch/csrc/utils/gil.h>
#include <torch/csrc/utils/object_ptr.h>
#include <torch/csrc/utils/python_ivalue.h>
#include <torch/csrc/utils/python_strings.h>

#include <exception>
#include <string>
#include <string_view>
#include <utility>

namespace {

PyObject* script_object_type = nullptr;

c10::ivalue::Object& object_of(PyObject* self) {
  return *reinterpret_cast<THPScriptObject*>(self)->cdata;
}

void dealloc(PyObject* self) {
  PyTypeObject* type = Py_TYPE(self);
  using Pointer = c10::intrusive_ptr<c10::ivalue::Object>;
  reinterpret_cast<THPScriptObject*>(self)->cdata.~Pointer();
  type->tp_free(self);
  Py_DECREF(type);
}

PyObject* refuse_new(PyTypeObject* /*type*/, PyObject* /*args*/, PyObject* /*kwargs*/) {
  PyErr_SetString(PyExc_TypeError,
                  "torch.ScriptObject: No constructor defined! Call the class instead: "
                  "torch.classes.NAMESPACE.NAME(...)");
  return nullptr;
}

PyObject* name_of(PyObject* self, void* /*unused*/) {
  HANDLE_TH_ERRORS
  return THPUtils_packString(object_of(self).name());
  END_HANDLE_TH_ERRORS
}

// The same for all objects of Python that share one of C++.
PyObject* identity_of(PyObject* self, void* /*unused*/) {
  return PyLong_FromVoidPtr(object_of(self).holder.get());
}

PyGetSetDef kProperties[] = {
    {"_qualified_name", name_of, nullptr, nullptr, nullptr},
    {"_identity", identity_of, nullptr, nullptr, nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr},
};

PyType_Slot kSlots[] = {
    {Py_tp_dealloc, reinterpret_cast<void*>(dealloc)},
    {Py_tp_new, reinterpret_cast<void*>(refuse_new)},
    {Py_tp_getset, kProperties},
    {0, nullptr},
};

// A heap type: torch/_classes.py adds methods to it.
PyType_Spec kSpec = {"torch.ScriptObject", sizeof(THPScriptObject), 0, Py_TPFLAGS_DEFAULT, kSlots};

const c10::CustomClass& class_named(PyObject* name) {
  const std::string wanted = THPUtils_unpackString(name);
  const c10::CustomClass* found = c10::findCustomClass(wanted);
  TORCH_CHECK(found != nullptr, "Class ", wanted, " not registered!");
  return *found;
}

PyObject* call(const c10::CustomClassMethod& method, const std::string& name, PyObject* args,
               PyObject* kwargs) {
  // Messages name the method, and not the class.
  const c10::FunctionSchema schema = method.schema.cloneWithName(name, "");
  const c10::Stack stack = torch::arguments_from_python(schema, args, kwargs);
  c10::IValue result;
  {
    torch::GilRelease no_gil;
    result = method.call(stack);
  }
  if (schema.returns().empty()) Py_RETURN_NONE;
  return torch::ivalue_to_python(result, *schema.returns()[0].type());
}

// _class_call(class, method, args, kwargs): of an object's method the first argument is the object.
PyObject* class_call(PyObject* /*self*/, PyObject* args) {
  HANDLE_TH_ERRORS
  PyObject* class_name = nullptr;
  const char* method_name = nullptr;
  PyObject* positional = nullptr;
  PyObject* named = nullptr;
  if (!PyArg_ParseTuple(args, "UsO!O!", &class_name, &method_name, &PyTuple_Type, &positional,
                        &PyDict_Type, &named)) {
    throw python_error();
  }
  const c10::CustomClass& type = class_named(class_name);
  const c10::CustomClassMethod* method = type.findMethod(method_name);
  TORCH_CHECK(method != nullptr, type.name(), " has no method ", method_name);
  // PyTorch makes, copies and pickles objects and calls static methods through pybind11, and other
  // methods through its interpreter, whose exceptions are RuntimeErrors.
  const bool through_pybind11 =
      method->is_static || std::string_view(method_name) == "__getstate__";
  try {
    return call(*method, method_name, positional, named);
  } catch (...) {
    if (!through_pybind11) throw;
    torch::translate_exception_as_pybind11(std::current_exception());
    return nullptr;
  }
  END_HANDLE_TH_ERRORS
}

// _class_property(object, name) reads, _class_property(object, name, value) writes.
PyObject* class_property(PyObject* /*self*/, PyObject* args) {
  HANDLE_TH_ERRORS
  PyObject* object = nullptr;
  const char* name = nullptr;
  PyObject* value = nullptr;
  if (!PyArg_ParseTuple(args, "O!s|O", script_object_type, &object, &name, &value)) {
    throw python_error();
  }
  const c10::CustomClass& type = c10::customClassOf(object_of(object));
  const auto found = type.properties.find(std::string_view(name));
  TORCH_CHECK(found != type.properties.end(), type.name(), " has no property ", name);
  THPObjectPtr none(PyDict_New());
  if (!none) throw python_error();
  if (value == nullptr) {
    THPObjectPtr self(PyTuple_Pack(1, object));
    if (!self) throw python_error();
    return call(found->second.get, name, self, none);
  }
  TORCH_CHECK_TYPE(found->second.set.has_value(), "the property ", name, " of ", type.name(),
                   " cannot be set");
  THPObjectPtr both(PyTuple_Pack(2, object, value));
  if (!both) throw python_error();
  return call(*found->second.set, name, both, none);
  END_HANDLE_TH_ERRORS
}

// _class_members(class): None if nobody registered it, else its docstring and, by name, "method",
// "static" or "property" with the docstring.
PyObject* class_members(PyObject* /*self*/, PyObject* name) {
  HANDLE_TH_ERRORS
  const c10::CustomClass* type = c10::findCustomClass(THPUtils_unpackString(name));
  if (type == nullptr) Py_RETURN_NONE;
  THPObjectPtr members(PyDict_New());
  if (!members) throw python_error();
  const auto add = [&](const std::string& member, const char* kind, const std::string& doc) {
    THPObjectPtr entry(Py_BuildValue("ss", kind, doc.c_str()));
    if (!entry || PyDict_SetItemString(members, member.c_str(), entry) < 0) throw python_error();
  };
  for (const auto& [member, method] : type->methods) {
    add(member, method.is_static ? "static" : "method", method.doc);
  }
  for (const auto& [member, property] : type->properties) add(member, "property", property.get.doc);
  return Py_BuildValue("sO", type->doc.c_str(), members.get());
  END_HANDLE_TH_ERRORS
}

PyMethodDef kFunctions[] = {
    {"_class_call", class_call, METH_VARARGS, nullptr},
    {"_class_property", class_property, METH_VARARGS, nullptr},
    {"_class_members", class_members, METH_O, nullptr},
    {nullptr, nullptr, 0, nullptr},
};

}  // namespace

bool THPScriptObject_Check(PyObject* obj) {
  return Py_TYPE(obj) == reinterpret_cast<PyTypeObject*>(script_object_type);
}

PyObject* THPScriptObject_New(c10::intrusive_ptr<c10::ivalue::Object> object) {
  // The GIL guards it. A static initialiser would deadlock: the import may let another thread run,
  // which waits for the initialiser while it holds the GIL.
  static bool has_methods = false;
  if (!has_methods) {
    const THPObjectPtr module(PyImport_ImportModule("torch._classes"));
    if (!module) throw python_error();
    has_methods = true;
  }
  auto* type = reinterpret_cast<PyTypeObject*>(script_object_type);
  PyObject* self = type->tp_alloc(type, 0);
  if (!self) throw python_error();
  using Pointer = c10::intrusive_ptr<c10::ivalue::Object>;
  new (&reinterpret_cast<THPScriptObject*>(self)->cdata) Pointer(std::move(object));
  return self;
}

void THPScriptObject_init(PyObject* module) {
  script_object_type = PyType_FromSpec(&kSpec);
  if (!script_object_type) throw python_error();
  if (PyModule_AddObjectRef(module, "ScriptObject", script_object_type) < 0 ||
      PyModule_AddFunctions(module, kFunctions) < 0) {
    throw python_error();
  }
}
