#include <torch/csrc/utils/python_operators.h>

#include <ATen/core/LegacyTypeDispatch.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/enum_tag.h>
#include <ATen/core/function_schema.h>
#include <ATen/core/ivalue.h>
#include <ATen/core/stack.h>
#include <c10/util/Exception.h>
#include <c10/util/intrusive_ptr.h>
#include <torch/csrc/Exceptions.h>
#include <torch/csrc/utils/gil.h>
#include <torch/csrc/utils/object_ptr.h>
#include <torch/csrc/utils/python_ivalue.h>
#include <torch/csrc/utils/python_numbers.h>
#include <torch/csrc/utils/python_strings.h>
#include <torch/library.h>

#include <cstddef>
#include <cstdint>
#include <exception>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace torch {
namespace {

using c10::IValue;

c10::OperatorHandle find(PyObject* name, PyObject* overload) {
  return c10::Dispatcher::singleton().findSchemaOrThrow(THPUtils_unpackString(name).c_str(),
                                                        THPUtils_unpackString(overload).c_str());
}

PyObject* operator_overloads(PyObject* /*self*/, PyObject* name) {
  HANDLE_TH_ERRORS
  const std::string wanted = THPUtils_unpackString(name);
  THPObjectPtr found(PyList_New(0));
  if (!found) throw python_error();
  for (const c10::OperatorName& known : c10::Dispatcher::singleton().getAllOpNames()) {
    if (known.name != wanted || !c10::Dispatcher::singleton().findSchema(known)) continue;
    THPObjectPtr overload(THPUtils_packString(known.overload_name));
    if (!overload || PyList_Append(found, overload) < 0) throw python_error();
  }
  return found.release();
  END_HANDLE_TH_ERRORS
}

PyObject* operator_schema(PyObject* /*self*/, PyObject* args) {
  HANDLE_TH_ERRORS
  PyObject* name = nullptr;
  PyObject* overload = nullptr;
  if (!PyArg_ParseTuple(args, "UU", &name, &overload)) throw python_error();
  return THPUtils_packString(toString(find(name, overload).schema()));
  END_HANDLE_TH_ERRORS
}

// (name, overload, args, kwargs); without the kernels of autograd where `below_autograd`.
PyObject* call(PyObject* args, bool below_autograd) try {
  PyObject* name = nullptr;
  PyObject* overload = nullptr;
  PyObject* positional = nullptr;
  PyObject* named = nullptr;
  if (!PyArg_ParseTuple(args, "UUO!O!", &name, &overload, &PyTuple_Type, &positional, &PyDict_Type,
                        &named)) {
    throw python_error();
  }
  const c10::OperatorHandle op = find(name, overload);
  const c10::FunctionSchema& schema = op.schema();
  c10::Stack stack = arguments_from_python(schema, positional, named);
  {
    GilRelease no_gil;
    std::optional<at::AutoDispatchBelowAutograd> guard;
    if (below_autograd) guard.emplace();
    op.callBoxed(stack);
  }
  const auto& returns = schema.returns();
  if (returns.empty()) Py_RETURN_NONE;
  if (returns.size() == 1) return ivalue_to_python(stack.at(0), *returns[0].type());
  THPObjectPtr tuple(PyTuple_New(static_cast<Py_ssize_t>(returns.size())));
  if (!tuple) throw python_error();
  for (size_t i = 0; i < returns.size(); ++i) {
    PyTuple_SET_ITEM(tuple.get(), static_cast<Py_ssize_t>(i),
                     ivalue_to_python(stack.at(i), *returns[i].type()));
  }
  return tuple.release();
} catch (...) {
  translate_exception_as_pybind11(std::current_exception());
  return nullptr;
}

PyObject* call_operator(PyObject* /*self*/, PyObject* args) {
  return call(args, /*below_autograd=*/false);
}
PyObject* call_operator_below_autograd(PyObject* /*self*/, PyObject* args) {
  return call(args, /*below_autograd=*/true);
}

// ---- operators that Python registers: torch.library

// A kernel that is a function of Python.
class PythonKernel final : public c10::OperatorKernel {
 public:
  explicit PythonKernel(PyObject* function) : function_(THPObjectPtr::dup(function)) {}
  ~PythonKernel() override {
    if (!Py_IsInitialized()) {
      (void)function_.release();
      return;
    }
    const GilAcquire gil;
    function_ = THPObjectPtr();
  }

  void operator()(const c10::OperatorHandle& op, c10::DispatchKeySet /*unused*/,
                  c10::Stack* stack) {
    const GilAcquire gil;
    const c10::FunctionSchema& schema = op.schema();
    const auto& formals = schema.arguments();
    const size_t first = stack->size() - formals.size();
    size_t positional = 0;
    while (positional < formals.size() && !formals[positional].kwarg_only()) ++positional;
    THPObjectPtr args(PyTuple_New(static_cast<Py_ssize_t>(positional)));
    THPObjectPtr kwargs(PyDict_New());
    if (!args || !kwargs) throw python_error();
    for (size_t i = 0; i < formals.size(); ++i) {
      THPObjectPtr value(ivalue_to_python(stack->at(first + i), *formals[i].type()));
      if (!value) throw python_error();
      if (i < positional) {
        PyTuple_SET_ITEM(args.get(), static_cast<Py_ssize_t>(i), value.release());
      } else if (PyDict_SetItemString(kwargs, formals[i].name().c_str(), value) < 0) {
        throw python_error();
      }
    }
    stack->resize(first);
    THPObjectPtr result(PyObject_Call(function_, args, kwargs));
    if (!result) throw python_error();
    push_results(schema, result, *stack);
  }

 private:
  static void push_results(const c10::FunctionSchema& schema, PyObject* result, c10::Stack& stack) {
    const auto& returns = schema.returns();
    if (returns.empty()) {
      TORCH_CHECK(result == Py_None, "a kernel of ", schema.name(),
                  " has to return None, but returned a ", Py_TYPE(result)->tp_name);
      return;
    }
    const bool several = returns.size() > 1;
    TORCH_CHECK(
        !several || ((PyTuple_Check(result) || PyList_Check(result)) &&
                     PySequence_Fast_GET_SIZE(result) == static_cast<Py_ssize_t>(returns.size())),
        "a kernel of ", schema.name(), " has to return a tuple of ", returns.size(),
        ", but returned a ", Py_TYPE(result)->tp_name);
    for (size_t i = 0; i < returns.size(); ++i) {
      PyObject* item =
          several ? PySequence_Fast_GET_ITEM(result, static_cast<Py_ssize_t>(i)) : result;
      std::optional<IValue> value = ivalue_from_python(item, *returns[i].type());
      TORCH_CHECK(value, "a kernel of ", schema.name(), " has to return a '",
                  returns[i].type()->str(), "', but returned a ", Py_TYPE(item)->tp_name);
      stack.push_back(*std::move(value));
    }
  }

  THPObjectPtr function_;
};

constexpr const char* kLibraryCapsule = "torch.Library";

Library& library_of(PyObject* capsule) {
  auto* library = static_cast<Library*>(PyCapsule_GetPointer(capsule, kLibraryCapsule));
  if (!library) throw python_error();
  return *library;
}

// _library_new("DEF" or "FRAGMENT" or "IMPL", namespace): registrations, undone with the object.
PyObject* library_new(PyObject* /*self*/, PyObject* args) {
  HANDLE_TH_ERRORS
  const char* kind = nullptr;
  const char* ns = nullptr;
  if (!PyArg_ParseTuple(args, "ss", &kind, &ns)) throw python_error();
  const std::string_view wanted = kind;
  TORCH_CHECK_VALUE(wanted == "DEF" || wanted == "FRAGMENT" || wanted == "IMPL",
                    "Unsupported library kind: ", kind, "; choose DEF, FRAGMENT or IMPL");
  auto library = std::make_unique<Library>(wanted == "DEF"        ? Library::DEF
                                           : wanted == "FRAGMENT" ? Library::FRAGMENT
                                                                  : Library::IMPL,
                                           ns, std::nullopt, "torch/library.py", 0);
  PyObject* capsule = PyCapsule_New(library.get(), kLibraryCapsule, [](PyObject* self) {
    delete static_cast<Library*>(PyCapsule_GetPointer(self, kLibraryCapsule));
  });
  if (!capsule) throw python_error();
  (void)library.release();
  return capsule;
  END_HANDLE_TH_ERRORS
}

// _library_define(library, schema, the tags' numbers)
PyObject* library_define(PyObject* /*self*/, PyObject* args) {
  HANDLE_TH_ERRORS
  PyObject* library = nullptr;
  const char* schema = nullptr;
  PyObject* numbers = nullptr;
  if (!PyArg_ParseTuple(args, "OsO!", &library, &schema, &PyTuple_Type, &numbers)) {
    throw python_error();
  }
  std::vector<at::Tag> tags;
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(numbers); ++i) {
    tags.push_back(static_cast<at::Tag>(THPUtils_unpackLong(PyTuple_GET_ITEM(numbers, i))));
  }
  library_of(library).def(schema, tags);
  Py_RETURN_NONE;
  END_HANDLE_TH_ERRORS
}

// _tags(): the names of all tags; the number of each is its place.
PyObject* tag_names(PyObject* /*self*/, PyObject* /*unused*/) {
  HANDLE_TH_ERRORS
  THPObjectPtr names(PyTuple_New(static_cast<Py_ssize_t>(std::size(at::kTagNames))));
  if (!names) throw python_error();
  for (size_t i = 0; i < std::size(at::kTagNames); ++i) {
    PyTuple_SET_ITEM(names.get(), static_cast<Py_ssize_t>(i),
                     THPUtils_packString(at::kTagNames[i]));
  }
  return names.release();
  END_HANDLE_TH_ERRORS
}

// _operator_tags("aten::add", "Tensor"): the tags' numbers
PyObject* operator_tags(PyObject* /*self*/, PyObject* args) {
  HANDLE_TH_ERRORS
  PyObject* name = nullptr;
  PyObject* overload = nullptr;
  if (!PyArg_ParseTuple(args, "UU", &name, &overload)) throw python_error();
  const std::vector<at::Tag>& tags = find(name, overload).getTags();
  THPObjectPtr numbers(PyTuple_New(static_cast<Py_ssize_t>(tags.size())));
  if (!numbers) throw python_error();
  for (size_t i = 0; i < tags.size(); ++i) {
    PyTuple_SET_ITEM(numbers.get(), static_cast<Py_ssize_t>(i),
                     THPUtils_packInt64(static_cast<int64_t>(tags[i])));
  }
  return numbers.release();
  END_HANDLE_TH_ERRORS
}

// _library_impl(library, name, dispatch key, function); without a function the key is passed over.
PyObject* library_impl(PyObject* /*self*/, PyObject* args) {
  HANDLE_TH_ERRORS
  PyObject* library = nullptr;
  const char* name = nullptr;
  const char* key = nullptr;
  PyObject* function = nullptr;
  if (!PyArg_ParseTuple(args, "OssO", &library, &name, &key, &function)) throw python_error();
  CppFunction kernel =
      function == Py_None
          ? CppFunction::makeFallthrough()
          : CppFunction::makeFromBoxedFunctor(std::make_unique<PythonKernel>(function));
  library_of(library).impl(name, dispatch(c10::parseDispatchKey(key), std::move(kernel)));
  Py_RETURN_NONE;
  END_HANDLE_TH_ERRORS
}

// _library_reset(library): undoes its registrations now.
PyObject* library_reset(PyObject* /*self*/, PyObject* library) {
  HANDLE_TH_ERRORS
  library_of(library).reset();
  Py_RETURN_NONE;
  END_HANDLE_TH_ERRORS
}

// _dispatch_has_kernel_for_dispatch_key("aten::add.Tensor", "CPU") -> bool
PyObject* has_kernel(PyObject* /*self*/, PyObject* args) {
  HANDLE_TH_ERRORS
  PyObject* name = nullptr;
  PyObject* key = nullptr;
  if (!PyArg_ParseTuple(args, "UU", &name, &key)) throw python_error();
  const std::string whole = THPUtils_unpackString(name);
  const size_t dot = whole.find('.');
  const bool plain = dot == std::string::npos;
  const auto op = c10::Dispatcher::singleton().findOp(
      {whole.substr(0, dot), plain ? std::string() : whole.substr(dot + 1)});
  TORCH_CHECK(op, "operator ", whole, " does not exist");
  return PyBool_FromLong(
      op->hasKernelForDispatchKey(c10::parseDispatchKey(THPUtils_unpackStringView(key))));
  END_HANDLE_TH_ERRORS
}

// _dispatch_pystub("ns::name", overload): the module and the context that Library's
// set_python_module named, and where the operator is defined; None if it named none.
PyObject* python_module_of(PyObject* /*self*/, PyObject* args) {
  HANDLE_TH_ERRORS
  const char* name = nullptr;
  const char* overload = nullptr;
  if (!PyArg_ParseTuple(args, "ss", &name, &overload)) throw python_error();
  auto& dispatcher = c10::Dispatcher::singleton();
  const auto found = dispatcher.getPyStub({name, overload});
  const auto op = dispatcher.findSchema({name, overload});
  if (!found || !op) Py_RETURN_NONE;
  return Py_BuildValue("(sss)", found->first, found->second, op->debug().c_str());
  END_HANDLE_TH_ERRORS
}

PyMethodDef kFunctions[] = {
    {"_operator_overloads", operator_overloads, METH_O, nullptr},
    {"_dispatch_has_kernel_for_dispatch_key", has_kernel, METH_VARARGS, nullptr},
    {"_dispatch_pystub", python_module_of, METH_VARARGS, nullptr},
    {"_operator_schema", operator_schema, METH_VARARGS, nullptr},
    {"_operator_tags", operator_tags, METH_VARARGS, nullptr},
    {"_tags", tag_names, METH_NOARGS, nullptr},
    {"_call_operator", call_operator, METH_VARARGS, nullptr},
    {"_call_operator_below_autograd", call_operator_below_autograd, METH_VARARGS, nullptr},
    {"_library_new", library_new, METH_VARARGS, nullptr},
    {"_library_define", library_define, METH_VARARGS, nullptr},
    {"_library_impl", library_impl, METH_VARARGS, nullptr},
    {"_library_reset", library_reset, METH_O, nullptr},
    {nullptr, nullptr, 0, nullptr},
};

}  // namespace

PyMethodDef* operator_functions() { return kFunctions; }

}  // namespace torch
