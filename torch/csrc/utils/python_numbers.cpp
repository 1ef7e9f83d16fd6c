#include <torch/csrc/utils/python_numbers.h>

#include <torch/csrc/utils/object_ptr.h>

#include <cstring>

bool THPUtils_isNumpyObject(PyObject* obj) {
  return std::strncmp(Py_TYPE(obj)->tp_name, "numpy.", 6) == 0;
}

bool THPUtils_checkLongSlow(PyObject* obj) {
  if (PyLong_Check(obj)) return !PyBool_Check(obj);
  return THPUtils_isNumpyObject(obj) && PyIndex_Check(obj) &&
         std::strstr(Py_TYPE(obj)->tp_name, "int") != nullptr;
}

bool THPUtils_checkBool(PyObject* obj) {
  return PyBool_Check(obj) ||
         (THPUtils_isNumpyObject(obj) && std::strncmp(Py_TYPE(obj)->tp_name + 6, "bool", 4) == 0);
}

bool THPUtils_checkDouble(PyObject* obj) {
  if (PyFloat_Check(obj) || PyLong_Check(obj)) return true;
  if (!THPUtils_isNumpyObject(obj)) return false;
  const char* name = Py_TYPE(obj)->tp_name + 6;
  return std::strncmp(name, "float", 5) == 0 || std::strcmp(name, "longdouble") == 0 ||
         THPUtils_checkLongSlow(obj);
}

bool THPUtils_checkScalar(PyObject* obj) {
  if (PyFloat_Check(obj) || PyLong_Check(obj) || PyComplex_Check(obj)) return true;
  if (!THPUtils_isNumpyObject(obj)) return false;
  return THPUtils_checkDouble(obj) || THPUtils_checkBool(obj) ||
         std::strncmp(Py_TYPE(obj)->tp_name + 6, "complex", 7) == 0;
}

int64_t THPUtils_unpackLong(PyObject* obj) {
  int overflow = 0;
  THPObjectPtr index;
  if (!PyLong_Check(obj)) {
    index = PyNumber_Index(obj);
    if (!index) throw python_error();
    obj = index;
  }
  const long long value = PyLong_AsLongLongAndOverflow(obj, &overflow);
  if (value == -1 && PyErr_Occurred()) throw python_error();
  if (overflow != 0) throw torch::ValueError("Overflow when unpacking long long");
  return value;
}

double THPUtils_unpackDouble(PyObject* obj) {
  if (PyFloat_CheckExact(obj)) return PyFloat_AS_DOUBLE(obj);
  const double value = PyFloat_AsDouble(obj);
  if (value == -1 && PyErr_Occurred()) throw python_error();
  return value;
}

bool THPUtils_unpackBool(PyObject* obj) {
  if (obj == Py_True) return true;
  if (obj == Py_False) return false;
  const int value = PyObject_IsTrue(obj);
  if (value < 0) throw python_error();
  return value != 0;
}
