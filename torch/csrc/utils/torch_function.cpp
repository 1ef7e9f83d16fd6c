#include <torch/csrc/utils/torch_function.h>

#include <torch/csrc/Exceptions.h>
#include <torch/csrc/autograd/python_variable.h>
#include <torch/csrc/utils/object_ptr.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace torch {

namespace {

// What a thread has switched off; the numbers are those that torch.overrides passes.
enum class State : int { ENABLED = 0, SUBCLASSES_DISABLED = 1, ALL_DISABLED = 2 };

thread_local State state = State::ENABLED;
// The active modes of this thread, the innermost last.
thread_local std::vector<THPObjectPtr> modes;
// How many modes all threads have: while there are none, calls need not look at their thread's.
std::atomic<int64_t> mode_count = 0;

PyObject* interned(const char* text) {
  PyObject* name = PyUnicode_InternFromString(text);
  if (!name) throw python_error();
  return name;
}

// torch._C._disabled_torch_function_impl: a class with this `__torch_function__` is treated like
// torch.Tensor.
PyObject* disabled_implementation = nullptr;

bool is_plain_type(PyTypeObject* type) {
  return type == reinterpret_cast<PyTypeObject*>(THPVariableClass) ||
         type == reinterpret_cast<PyTypeObject*>(ParameterClass) || type == &PyLong_Type ||
         type == &PyFloat_Type || type == Py_TYPE(Py_None) || type == &PyBool_Type ||
         type == &PyUnicode_Type || type == &PyComplex_Type || type == &PySlice_Type;
}

// Whether the class of `obj` wants the calls that take it.
bool class_overrides(PyObject* obj) {
  static PyObject* const name = interned("__torch_function__");
  if (PyType_Check(obj)) return false;
  PyObject* found = _PyType_Lookup(Py_TYPE(obj), name);  // borrowed; no error is set
  return found && found != disabled_implementation && state == State::ENABLED;
}

bool overrides(PyObject* obj) { return !is_plain_type(Py_TYPE(obj)) && class_overrides(obj); }

// Calls `visit` with each argument, and with the elements of lists and tuples, until it says true.
template <class Visit>
bool any_argument(PyObject* const* args, Py_ssize_t count, const Visit& visit) {
  for (Py_ssize_t i = 0; i < count; ++i) {
    PyObject* arg = args[i];
    if (is_plain_type(Py_TYPE(arg))) continue;
    if (PyList_Check(arg) || PyTuple_Check(arg)) {
      PyObject* const* items = PySequence_Fast_ITEMS(arg);
      const Py_ssize_t size = PySequence_Fast_GET_SIZE(arg);
      for (Py_ssize_t k = 0; k < size; ++k) {
        if (overrides(items[k]) && visit(items[k])) return true;
      }
    }
    if (class_overrides(arg) && visit(arg)) return true;
  }
  return false;
}

void append(PyObject* list, PyObject* item) {
  if (PyList_Append(list, item) < 0) throw python_error();
}

THPObjectPtr new_list() {
  THPObjectPtr list(PyList_New(0));
  if (!list) throw python_error();
  return list;
}

void append_candidates(PyObject* list, PyObject* const* args, Py_ssize_t count) {
  any_argument(args, count, [&](PyObject* arg) {
    append(list, arg);
    return false;
  });
}

THPObjectPtr attribute(PyObject* owner, const char* name) {
  THPObjectPtr found(PyObject_GetAttrString(owner, name));
  if (!found) throw python_error();
  return found;
}

// A function of torch/_torch_function.py; a new reference.
PyObject* written_in_python(const char* name) {
  THPObjectPtr module(PyImport_ImportModule("torch._torch_function"));
  if (!module) throw python_error();
  return attribute(module, name).release();
}

// What `torch.overrides` answers: NotImplemented where nobody takes the call.
PyObject* ask(PyObject* function, PyObject* candidates, PyObject* args, PyObject* kwargs) {
  static PyObject* const dispatch = written_in_python("dispatch");
  return PyObject_CallFunctionObjArgs(dispatch, function, candidates, args, kwargs, nullptr);
}

// The same, but throws if no class takes the call.
PyObject* ask_or_raise(PyObject* function, PyObject* candidates, PyObject* args, PyObject* kwargs,
                       const char* owner, const char* name) {
  THPObjectPtr result(ask(function, candidates, args, kwargs));
  if (result.get() != Py_NotImplemented) return result.release();
  std::string text = std::string("Multiple dispatch failed for '") + owner + "." + name +
                     "'; all __torch_function__ handlers returned NotImplemented:\n\n";
  for (Py_ssize_t i = 0; i < PyList_GET_SIZE(candidates); ++i) {
    THPObjectPtr type(
        PyObject_Repr(reinterpret_cast<PyObject*>(Py_TYPE(PyList_GET_ITEM(candidates, i)))));
    if (!type) throw python_error();
    text += std::string("  - tensor subclass ") + PyUnicode_AsUTF8(type) + "\n";
  }
  throw TypeError("%s", text.c_str());
}

PyObject* functions_of_torch() {
  static PyObject* const functions = [] {
    THPObjectPtr module(PyImport_ImportModule("torch._C"));
    if (!module) throw python_error();
    return attribute(module, "_VariableFunctions").release();
  }();
  return functions;
}

// torch._C._has_torch_function_variadic(*args)
PyObject* has_torch_function_variadic(PyObject* /*self*/, PyObject* const* args, Py_ssize_t nargs) {
  const bool found = torch_function_mode_is_active() ||
                     any_argument(args, nargs, [](PyObject* /*arg*/) { return true; });
  return PyBool_FromLong(found);
}

// torch._C._has_torch_function(args)
PyObject* has_torch_function_in(PyObject* /*self*/, PyObject* args) {
  HANDLE_TH_ERRORS
  THPObjectPtr items(PySequence_Fast(args, "expected a sequence of arguments"));
  if (!items) throw python_error();
  return has_torch_function_variadic(nullptr, PySequence_Fast_ITEMS(items.get()),
                                     PySequence_Fast_GET_SIZE(items.get()));
  END_HANDLE_TH_ERRORS
}

// torch._C._torch_function_candidates(args, kwargs): the arguments whose classes override; None
// where the call is torch's own.
PyObject* candidates_of_call(PyObject* /*self*/, PyObject* const* args, Py_ssize_t nargs) {
  HANDLE_TH_ERRORS
  if (nargs != 2 || !PyTuple_Check(args[0]) || !PyDict_Check(args[1])) {
    throw TypeError("_torch_function_candidates() takes a tuple and a dict");
  }
  THPObjectPtr found = new_list();
  append_candidates(found, PySequence_Fast_ITEMS(args[0]), PyTuple_GET_SIZE(args[0]));
  PyObject* value = nullptr;
  Py_ssize_t at = 0;
  while (PyDict_Next(args[1], &at, nullptr, &value)) append_candidates(found, &value, 1);
  if (PyList_GET_SIZE(found.get()) == 0 && !torch_function_mode_is_active()) Py_RETURN_NONE;
  return found.release();
  END_HANDLE_TH_ERRORS
}

PyObject* set_state(PyObject* /*self*/, PyObject* arg) {
  const long wanted = PyLong_AsLong(arg);
  if (wanted == -1 && PyErr_Occurred()) return nullptr;
  return PyLong_FromLong(static_cast<int>(std::exchange(state, static_cast<State>(wanted))));
}
PyObject* is_enabled(PyObject* /*self*/, PyObject* /*unused*/) {
  return PyBool_FromLong(state == State::ENABLED);
}
PyObject* is_all_disabled(PyObject* /*self*/, PyObject* /*unused*/) {
  return PyBool_FromLong(state == State::ALL_DISABLED);
}
PyObject* is_mode_enabled(PyObject* /*self*/, PyObject* /*unused*/) {
  return PyBool_FromLong(torch_function_mode_is_active());
}

PyObject* push_mode(PyObject* /*self*/, PyObject* mode) {
  modes.push_back(THPObjectPtr::dup(mode));
  mode_count.fetch_add(1, std::memory_order_relaxed);
  Py_RETURN_NONE;
}
PyObject* pop_mode(PyObject* /*self*/, PyObject* /*unused*/) {
  HANDLE_TH_ERRORS
  if (modes.empty()) throw RuntimeError("there is no active TorchFunctionMode to leave");
  THPObjectPtr mode = std::move(modes.back());
  modes.pop_back();
  mode_count.fetch_sub(1, std::memory_order_relaxed);
  return mode.release();
  END_HANDLE_TH_ERRORS
}
PyObject* get_mode(PyObject* /*self*/, PyObject* index) {
  HANDLE_TH_ERRORS
  const Py_ssize_t at = PyLong_AsSsize_t(index);
  if (at == -1 && PyErr_Occurred()) throw python_error();
  if (at < 0 || static_cast<size_t>(at) >= modes.size()) {
    throw IndexError("no TorchFunctionMode at position %zd: there are %zu", at, modes.size());
  }
  return Py_NewRef(modes[static_cast<size_t>(at)].get());
  END_HANDLE_TH_ERRORS
}
PyObject* count_modes(PyObject* /*self*/, PyObject* /*unused*/) {
  return PyLong_FromSize_t(modes.size());
}

// func(*args, **kwargs) as if no class had `__torch_function__`.
PyObject* call_disabled(PyObject* /*self*/, PyObject* call) {
  HANDLE_TH_ERRORS
  PyObject* function = nullptr;
  PyObject* types = nullptr;
  PyObject* args = nullptr;
  PyObject* kwargs = nullptr;
  if (!PyArg_ParseTuple(call, "OO|OO", &function, &types, &args, &kwargs)) throw python_error();
  THPObjectPtr items(args ? PySequence_Tuple(args) : PyTuple_New(0));
  if (!items) throw python_error();
  const State before = state;
  if (state == State::ENABLED) state = State::SUBCLASSES_DISABLED;
  PyObject* result = PyObject_Call(function, items, kwargs == Py_None ? nullptr : kwargs);
  state = before;
  return result;
  END_HANDLE_TH_ERRORS
}

// torch._C._Overridable(function): a function written in Python that asks before it runs. It costs
// a plain call less than one in Python around it would. Like a function it binds to objects of the
// class that holds it, and is pickled by its name.
struct Overridable {
  PyObject_HEAD PyObject* function;
  PyObject* dict;
  PyObject* weakrefs;
  vectorcallfunc call;
};

PyObject* call_overridable(PyObject* self, PyObject* const* args, size_t nargsf,
                           PyObject* kwnames) {
  HANDLE_TH_ERRORS
  const Py_ssize_t nargs = PyVectorcall_NARGS(nargsf);
  if (C10_LIKELY(!has_torch_function(nullptr, args, nargs, kwnames))) {
    PyObject* function = reinterpret_cast<Overridable*>(self)->function;
    return PyObject_Vectorcall(function, args, nargsf, kwnames);
  }
  static PyObject* const handle = written_in_python("handle_torch_function");
  const Py_ssize_t count = nargs + (kwnames ? PyTuple_GET_SIZE(kwnames) : 0);
  THPObjectPtr candidates = new_list();
  append_candidates(candidates, args, count);
  std::vector<PyObject*> handed = {self, candidates.get()};
  handed.insert(handed.end(), args, args + count);
  return PyObject_Vectorcall(handle, handed.data(), static_cast<size_t>(nargs + 2), kwnames);
  END_HANDLE_TH_ERRORS
}

PyObject* new_overridable(PyTypeObject* type, PyObject* args, PyObject* /*kwargs*/) {
  PyObject* function = nullptr;
  if (!PyArg_ParseTuple(args, "O", &function)) return nullptr;
  PyObject* result = type->tp_alloc(type, 0);
  if (!result) return nullptr;
  auto* overridable = reinterpret_cast<Overridable*>(result);
  overridable->function = Py_NewRef(function);
  overridable->call = call_overridable;
  return result;
}
int traverse_overridable(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(reinterpret_cast<Overridable*>(self)->function);
  Py_VISIT(reinterpret_cast<Overridable*>(self)->dict);
  return 0;
}
int clear_overridable(PyObject* self) {
  Py_CLEAR(reinterpret_cast<Overridable*>(self)->function);
  Py_CLEAR(reinterpret_cast<Overridable*>(self)->dict);
  return 0;
}
void free_overridable(PyObject* self) {
  PyObject_GC_UnTrack(self);
  if (reinterpret_cast<Overridable*>(self)->weakrefs) PyObject_ClearWeakRefs(self);
  clear_overridable(self);
  Py_TYPE(self)->tp_free(self);
}
PyObject* bind_overridable(PyObject* self, PyObject* object, PyObject* /*type*/) {
  return object && object != Py_None ? PyMethod_New(self, object) : Py_NewRef(self);
}
// What it has not itself, as __code__ and __kwdefaults__, is the function's: programs look there.
PyObject* attribute_of_overridable(PyObject* self, PyObject* name) {
  PyObject* found = PyObject_GenericGetAttr(self, name);
  if (found || !PyErr_ExceptionMatches(PyExc_AttributeError)) return found;
  PyErr_Clear();
  return PyObject_GetAttr(reinterpret_cast<Overridable*>(self)->function, name);
}
PyObject* repr_of_overridable(PyObject* self) {
  return PyObject_Repr(reinterpret_cast<Overridable*>(self)->function);
}

PyGetSetDef kOverridableProperties[] = {
    {"__dict__", PyObject_GenericGetDict, PyObject_GenericSetDict, nullptr, nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr},
};
PyMethodDef kOverridableMethods[] = {
    {"__reduce__",
     [](PyObject* self, PyObject* /*unused*/) {
       return PyObject_GetAttrString(self, "__qualname__");
     },
     METH_NOARGS, nullptr},
    {nullptr, nullptr, 0, nullptr},
};

PyTypeObject OverridableType = {PyVarObject_HEAD_INIT(nullptr, 0)};

void init_overridable(PyObject* module) {
  PyTypeObject& type = OverridableType;
  type.tp_name = "torch._C._Overridable";
  type.tp_basicsize = sizeof(Overridable);
  type.tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_HAVE_VECTORCALL |
                  Py_TPFLAGS_METHOD_DESCRIPTOR;
  type.tp_vectorcall_offset = offsetof(Overridable, call);
  type.tp_dictoffset = offsetof(Overridable, dict);
  type.tp_weaklistoffset = offsetof(Overridable, weakrefs);
  type.tp_new = new_overridable;
  type.tp_dealloc = free_overridable;
  type.tp_traverse = traverse_overridable;
  type.tp_clear = clear_overridable;
  type.tp_call = PyVectorcall_Call;
  type.tp_descr_get = bind_overridable;
  type.tp_getattro = attribute_of_overridable;
  type.tp_repr = repr_of_overridable;
  type.tp_getset = kOverridableProperties;
  type.tp_methods = kOverridableMethods;
  if (PyType_Ready(&type) < 0) throw python_error();
  PyModule_AddObjectRef(module, "_Overridable", reinterpret_cast<PyObject*>(&type));
}

template <class Function>
PyCFunction as_function(Function* function) {
  return reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(function));
}

PyMethodDef kFunctions[] = {
    {"_has_torch_function", has_torch_function_in, METH_O, nullptr},
    {"_has_torch_function_unary",
     [](PyObject* self, PyObject* arg) { return has_torch_function_variadic(self, &arg, 1); },
     METH_O, nullptr},
    {"_has_torch_function_variadic", as_function(has_torch_function_variadic), METH_FASTCALL,
     nullptr},
    {"_torch_function_candidates", as_function(candidates_of_call), METH_FASTCALL, nullptr},
    {"_disabled_torch_function_impl", call_disabled, METH_VARARGS, nullptr},
    {"_set_torch_function_state", set_state, METH_O, nullptr},
    {"_is_torch_function_enabled", is_enabled, METH_NOARGS, nullptr},
    {"_is_torch_function_all_disabled", is_all_disabled, METH_NOARGS, nullptr},
    {"_is_torch_function_mode_enabled", is_mode_enabled, METH_NOARGS, nullptr},
    {"_push_on_torch_function_stack", push_mode, METH_O, nullptr},
    {"_pop_torch_function_stack", pop_mode, METH_NOARGS, nullptr},
    {"_get_function_stack_at", get_mode, METH_O, nullptr},
    {"_len_torch_function_stack", count_modes, METH_NOARGS, nullptr},
    {nullptr, nullptr, 0, nullptr},
};

}  // namespace

bool torch_function_mode_is_active() {
  return mode_count.load(std::memory_order_relaxed) != 0 && !modes.empty() &&
         state != State::ALL_DISABLED;
}

bool has_torch_function(PyObject* self, PyObject* const* args, Py_ssize_t nargs,
                        PyObject* kwnames) {
  if (self && !PyModule_Check(self) && overrides(self)) return true;
  const Py_ssize_t count = nargs + (kwnames ? PyTuple_GET_SIZE(kwnames) : 0);
  return any_argument(args, count, [](PyObject* /*arg*/) { return true; }) ||
         torch_function_mode_is_active();
}

bool has_torch_function(PyObject* first, PyObject* second) {
  return overrides(first) || (second && overrides(second)) || torch_function_mode_is_active();
}

PyObject* call_torch_function(const char* name, PyObject* self, PyObject* const* args,
                              Py_ssize_t nargs, PyObject* kwnames) {
  HANDLE_TH_ERRORS
  const bool is_module = self && PyModule_Check(self);
  const bool is_method = self && !is_module;
  PyObject* owner = is_method ? THPVariableClass : is_module ? self : functions_of_torch();
  THPObjectPtr function = attribute(owner, name);
  THPObjectPtr candidates = new_list();
  if (is_method && overrides(self)) append(candidates, self);
  const Py_ssize_t named = kwnames ? PyTuple_GET_SIZE(kwnames) : 0;
  append_candidates(candidates, args, nargs + named);
  const Py_ssize_t first = is_method ? 1 : 0;
  THPObjectPtr positional(PyTuple_New(nargs + first));
  if (!positional) throw python_error();
  if (is_method) PyTuple_SET_ITEM(positional.get(), 0, Py_NewRef(self));
  for (Py_ssize_t i = 0; i < nargs; ++i) {
    PyTuple_SET_ITEM(positional.get(), i + first, Py_NewRef(args[i]));
  }
  THPObjectPtr keywords = THPObjectPtr::none();
  if (named > 0) {
    keywords = PyDict_New();
    if (!keywords) throw python_error();
    for (Py_ssize_t i = 0; i < named; ++i) {
      if (PyDict_SetItem(keywords, PyTuple_GET_ITEM(kwnames, i), args[nargs + i]) < 0) {
        throw python_error();
      }
    }
  }
  const char* owner_name = is_method   ? "torch.Tensor"
                           : is_module ? PyModule_GetName(self)
                                       : "torch";
  return ask_or_raise(function, candidates, positional, keywords, owner_name, name);
  END_HANDLE_TH_ERRORS
}

PyObject* call_torch_function_of_property(const char* name, PyObject* self, PyObject* value) {
  HANDLE_TH_ERRORS
  THPObjectPtr property = attribute(THPVariableClass, name);
  const char* access = value ? "__set__" : "__get__";
  THPObjectPtr function = attribute(property, access);
  THPObjectPtr candidates = new_list();
  append_candidates(candidates, &self, 1);
  THPObjectPtr args(value ? PyTuple_Pack(2, self, value) : PyTuple_Pack(1, self));
  if (!args) throw python_error();
  return ask_or_raise(function, candidates, args, Py_None, "torch.Tensor", name);
  END_HANDLE_TH_ERRORS
}

PyObject* call_torch_function_of_operands(const char* name, const char* reflected, PyObject* a,
                                          PyObject* b) {
  HANDLE_TH_ERRORS
  const bool swapped = !THPVariable_Check(a);
  THPObjectPtr function = attribute(THPVariableClass, swapped ? reflected : name);
  PyObject* const operands[] = {swapped ? b : a, swapped ? a : b};
  THPObjectPtr candidates = new_list();
  append_candidates(candidates, operands, 2);
  THPObjectPtr args(PyTuple_Pack(2, operands[0], operands[1]));
  if (!args) throw python_error();
  return ask(function, candidates, args, Py_None);
  END_HANDLE_TH_ERRORS
}

void init_torch_function(PyObject* module) {
  if (PyModule_AddFunctions(module, kFunctions) < 0) throw python_error();
  init_overridable(module);
  disabled_implementation = attribute(module, "_disabled_torch_function_impl").release();
}

}  // namespace torch
