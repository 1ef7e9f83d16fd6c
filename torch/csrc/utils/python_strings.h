#pragma once

#include <torch/csrc/Exceptions.h>
#include <torch/csrc/python_headers.h>

#include <string>
#include <string_view>

inline bool THPUtils_checkString(PyObject* obj) { return PyUnicode_Check(obj); }

// The UTF-8 of a str, valid while the object lives.
inline std::string_view THPUtils_unpackStringView(PyObject* obj) {
  Py_ssize_t size = 0;
  const char* data = PyUnicode_AsUTF8AndSize(obj, &size);
  if (!data) throw python_error();
  return {data, static_cast<size_t>(size)};
}
inline std::string THPUtils_unpackString(PyObject* obj) {
  return std::string(THPUtils_unpackStringView(obj));
}
inline PyObject* THPUtils_packString(std::string_view text) {
  return PyUnicode_FromStringAndSize(text.data(), static_cast<Py_ssize_t>(text.size()));
}
inline PyObject* THPUtils_internString(const char* text) {
  return PyUnicode_InternFromString(text);
}
