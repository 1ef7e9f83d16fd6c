#include <torch/csrc/Exceptions.h>

#include <c10/util/Exception.h>

#include <cstdarg>
#include <cstdio>
#include <new>

namespace {

// torch._C._LinAlgError and torch.OutOfMemoryError.
PyObject* lin_alg_error = nullptr;
PyObject* out_of_memory_error = nullptr;

PyObject* new_runtime_error(const char* name, const char* doc) {
  PyObject* error = PyErr_NewExceptionWithDoc(name, doc, PyExc_RuntimeError, nullptr);
  if (error == nullptr) throw python_error();
  return error;
}

std::string format_message(const char* format, va_list args) {
  va_list copy;
  va_copy(copy, args);
  const int size = vsnprintf(nullptr, 0, format, copy);
  va_end(copy);
  std::string message(size > 0 ? size : 0, '\0');
  if (size > 0) vsnprintf(message.data(), message.size() + 1, format, args);
  return message;
}

}  // namespace

python_error::python_error(const python_error& other)
    : std::exception(other),
      type(other.type),
      value(other.value),
      traceback(other.traceback),
      message(other.message) {
  if (!type && !value && !traceback) return;
  const PyGILState_STATE gil = PyGILState_Ensure();
  Py_XINCREF(type);
  Py_XINCREF(value);
  Py_XINCREF(traceback);
  PyGILState_Release(gil);
}

python_error::python_error(python_error&& other) noexcept
    : std::exception(other),
      type(std::exchange(other.type, nullptr)),
      value(std::exchange(other.value, nullptr)),
      traceback(std::exchange(other.traceback, nullptr)),
      message(std::move(other.message)) {}

python_error::~python_error() {
  if ((!type && !value && !traceback) || !Py_IsInitialized()) return;
  const PyGILState_STATE gil = PyGILState_Ensure();
  Py_XDECREF(type);
  Py_XDECREF(value);
  Py_XDECREF(traceback);
  PyGILState_Release(gil);
}

void python_error::build_message() {
  message = "python_error";
  THPObjectPtr text(value ? PyObject_Str(value) : nullptr);
  const char* utf8 = text ? PyUnicode_AsUTF8(text) : nullptr;
  if (type && utf8) {
    message = std::string(reinterpret_cast<PyTypeObject*>(type)->tp_name) + ": " + utf8;
  }
  PyErr_Clear();
}

void python_error::persist() {
  if (type) return;
  const PyGILState_STATE gil = PyGILState_Ensure();
  PyErr_Fetch(&type, &value, &traceback);
  build_message();
  PyGILState_Release(gil);
}

void python_error::restore() {
  if (!type) return;
  Py_XINCREF(type);
  Py_XINCREF(value);
  Py_XINCREF(traceback);
  PyErr_Restore(type, value, traceback);
}

namespace torch {

#define TORCH_DEFINE_PYTHON_ERROR(NAME) \
  NAME::NAME(const char* format, ...) { \
    va_list args;                       \
    va_start(args, format);             \
    msg = format_message(format, args); \
    va_end(args);                       \
  }
TORCH_DEFINE_PYTHON_ERROR(IndexError)
TORCH_DEFINE_PYTHON_ERROR(TypeError)
TORCH_DEFINE_PYTHON_ERROR(ValueError)
TORCH_DEFINE_PYTHON_ERROR(NotImplementedError)
TORCH_DEFINE_PYTHON_ERROR(AttributeError)
TORCH_DEFINE_PYTHON_ERROR(RuntimeError)
#undef TORCH_DEFINE_PYTHON_ERROR

void THPException_init(PyObject* module) {
  lin_alg_error =
      new_runtime_error("torch._C._LinAlgError",
                        "A matrix that an algorithm cannot take: singular, or not converging.");
  PyModule_AddObjectRef(module, "_LinAlgError", lin_alg_error);
  out_of_memory_error =
      new_runtime_error("torch.OutOfMemoryError", "A GPU has not the memory that was asked for.");
  PyModule_AddObjectRef(module, "OutOfMemoryError", out_of_memory_error);
}

void translate_exception_to_python(const std::exception_ptr& exception) {
  try {
    std::rethrow_exception(exception);
  } catch (python_error& e) {
    e.restore();
    if (!PyErr_Occurred()) PyErr_SetString(PyExc_RuntimeError, e.what());
  } catch (PyTorchError& e) {
    PyErr_SetString(e.python_type(), e.what());
  } catch (const c10::IndexError& e) {
    PyErr_SetString(PyExc_IndexError, e.what_without_backtrace());
  } catch (const c10::ValueError& e) {
    PyErr_SetString(PyExc_ValueError, e.what_without_backtrace());
  } catch (const c10::TypeError& e) {
    PyErr_SetString(PyExc_TypeError, e.what_without_backtrace());
  } catch (const c10::BufferError& e) {
    PyErr_SetString(PyExc_BufferError, e.what_without_backtrace());
  } catch (const c10::SyntaxError& e) {
    PyErr_SetString(PyExc_SyntaxError, e.what_without_backtrace());
  } catch (const c10::NotImplementedError& e) {
    PyErr_SetString(PyExc_NotImplementedError, e.what_without_backtrace());
  } catch (const c10::OutOfMemoryError& e) {
    PyErr_SetString(out_of_memory_error, e.what_without_backtrace());
  } catch (const c10::LinAlgError& e) {
    PyErr_SetString(lin_alg_error, e.what_without_backtrace());
  } catch (const c10::Error& e) {
    PyErr_SetString(PyExc_RuntimeError, e.what_without_backtrace());
  } catch (const std::bad_alloc&) {
    PyErr_NoMemory();
  } catch (const std::exception& e) {
    PyErr_SetString(PyExc_RuntimeError, e.what());
  } catch (...) {
    PyErr_SetString(PyExc_RuntimeError, "an exception of a type unknown to torch was thrown");
  }
}

}  // namespace torch

void THPUtils_setError(const char* format, ...) {
  va_list args;
  va_start(args, format);
  PyErr_SetString(PyExc_RuntimeError, format_message(format, args).c_str());
  va_end(args);
}
