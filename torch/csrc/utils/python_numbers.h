#pragma once

#include <torch/csrc/Exceptions.h>
#include <torch/csrc/python_headers.h>

#include <cstdint>

// Python numbers to C++ ones. NumPy's scalars count through the protocols they implement, so
// NumPy itself is not needed.

inline PyObject* THPUtils_packInt64(int64_t value) { return PyLong_FromLongLong(value); }
inline PyObject* THPUtils_packUInt64(uint64_t value) { return PyLong_FromUnsignedLongLong(value); }

// Whether `obj` is an integer: an int that is no bool, or a NumPy integer.
bool THPUtils_checkLongSlow(PyObject* obj);
inline bool THPUtils_checkLong(PyObject* obj) {
  if (PyLong_CheckExact(obj)) return true;
  if (PyBool_Check(obj) || PyFloat_CheckExact(obj)) return false;
  return THPUtils_checkLongSlow(obj);
}
// Whether `obj` is an int, a float, or NumPy's.
bool THPUtils_checkDouble(PyObject* obj);
// Whether `obj` is a bool, Python's or NumPy's.
bool THPUtils_checkBool(PyObject* obj);
bool THPUtils_checkScalar(PyObject* obj);
// Whether `obj` is an instance of a class NumPy defines.
bool THPUtils_isNumpyObject(PyObject* obj);

// Throw what Python raised; ValueError-like overflow has PyTorch's text.
int64_t THPUtils_unpackLong(PyObject* obj);
double THPUtils_unpackDouble(PyObject* obj);
bool THPUtils_unpackBool(PyObject* obj);
