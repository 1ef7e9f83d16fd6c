#pragma once

#include <c10/macros/Export.h>
#include <torch/csrc/python_headers.h>
#include <torch/csrc/utils/object_ptr.h>

#include <exception>
#include <string>

// Every function that Python calls wraps its body in these two: C++ exceptions become Python's.
#define HANDLE_TH_ERRORS try {
#define END_HANDLE_TH_ERRORS_RET(retval)                              \
  }                                                                   \
  catch (...) {                                                       \
    ::torch::translate_exception_to_python(std::current_exception()); \
    return retval;                                                    \
  }
#define END_HANDLE_TH_ERRORS END_HANDLE_TH_ERRORS_RET(nullptr)

// A Python exception on its way through C++ frames. `persist` takes it out of the interpreter,
// `restore` puts it back. Copies hold their own references.
struct TORCH_PYTHON_API python_error : public std::exception {
  python_error() = default;
  python_error(const python_error& other);
  python_error(python_error&& other) noexcept;
  python_error& operator=(const python_error&) = delete;
  python_error& operator=(python_error&&) = delete;
  ~python_error() override;

  const char* what() const noexcept override { return message.c_str(); }
  void persist();
  void restore();

  PyObject* type = nullptr;
  PyObject* value = nullptr;
  PyObject* traceback = nullptr;
  std::string message;

 private:
  void build_message();
};

namespace torch {

// Exceptions that name the Python type they become. Messages are printf-formatted.
struct TORCH_PYTHON_API PyTorchError : public std::exception {
  explicit PyTorchError(std::string msg = {}) : msg(std::move(msg)) {}
  virtual PyObject* python_type() = 0;
  const char* what() const noexcept override { return msg.c_str(); }
  std::string msg;
};

#define TORCH_DECLARE_PYTHON_ERROR(NAME, PYTHON_TYPE)                             \
  struct TORCH_PYTHON_API NAME : public PyTorchError {                            \
    explicit NAME(const char* format, ...) __attribute__((format(printf, 2, 3))); \
    PyObject* python_type() override { return PYTHON_TYPE; }                      \
  };
TORCH_DECLARE_PYTHON_ERROR(IndexError, PyExc_IndexError)
TORCH_DECLARE_PYTHON_ERROR(TypeError, PyExc_TypeError)
TORCH_DECLARE_PYTHON_ERROR(ValueError, PyExc_ValueError)
TORCH_DECLARE_PYTHON_ERROR(NotImplementedError, PyExc_NotImplementedError)
TORCH_DECLARE_PYTHON_ERROR(AttributeError, PyExc_AttributeError)
TORCH_DECLARE_PYTHON_ERROR(RuntimeError, PyExc_RuntimeError)
#undef TORCH_DECLARE_PYTHON_ERROR

// Makes the exceptions that Python does not have.
void THPException_init(PyObject* module);

// Sets the Python error that corresponds to a C++ exception. Needs the GIL.
TORCH_PYTHON_API void translate_exception_to_python(const std::exception_ptr& exception);

}  // namespace torch

// Sets a RuntimeError with a printf-formatted message.
TORCH_PYTHON_API void THPUtils_setError(const char* format, ...)
    __attribute__((format(printf, 1, 2)));
