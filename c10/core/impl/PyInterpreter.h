#pragma once

#include <c10/macros/Export.h>

#include <cstddef>
#include <string>

// Python's PyObject, without Python.
struct _object;
using PyObject = _object;

namespace c10::impl {

/// What c10 asks of the Python interpreter whose objects stand for its tensors. The binding
/// implements it; c10 itself links no Python. Implementations take the interpreter's lock.
struct C10_API PyInterpreter {
  virtual ~PyInterpreter();

  virtual std::string name() const = 0;
  virtual void incref(PyObject* pyobj) const = 0;
  /// `has_pyobj_slot`: the object is a tensor or storage whose slot points back to it.
  virtual void decref(PyObject* pyobj, bool has_pyobj_slot) const = 0;
  virtual size_t refcnt(PyObject* pyobj) const = 0;
};

/// The interpreter of the process, null until the binding registers it.
C10_API PyInterpreter* getGlobalPyInterpreter();
C10_API void setGlobalPyInterpreter(PyInterpreter* interpreter);

}  // namespace c10::impl
