#pragma once

#include <c10/core/impl/PyInterpreter.h>
#include <c10/macros/Macros.h>
#include <c10/util/LightAtomic.h>

#include <cstdint>
#include <optional>

namespace c10::impl {

/// The link from a C++ object to the Python object that stands for it, so that a tensor keeps its
/// Python identity while either side lives. Either the Python object owns the C++ one (the usual
/// case), or, after the last Python reference has gone while C++ ones are left, the C++ object owns
/// the Python one.
struct C10_API PyObjectSlot {
  PyObjectSlot() = default;
  ~PyObjectSlot() { maybe_destroy_pyobj(); }
  C10_DISABLE_COPY_AND_ASSIGN(PyObjectSlot);

  /// Drops the Python object if this side owns it.
  void maybe_destroy_pyobj();

  /// Sets the object; done once, with the interpreter's lock held. Does not count a reference.
  void init_pyobj(PyInterpreter* interpreter, PyObject* pyobj) {
    interpreter_ = interpreter;
    pyobj_.store_release(pyobj);
  }
  void init_pyobj(PyObject* pyobj) { init_pyobj(getGlobalPyInterpreter(), pyobj); }
  /// The Python object, or nothing where none was made.
  std::optional<PyObject*> check_pyobj() const {
    PyObject* pyobj = pyobj_.load_acquire();
    if (pyobj == nullptr) return std::nullopt;
    return pyobj;
  }
  PyObject* load_pyobj() const { return pyobj_.load_acquire(); }
  void clear_pyobj() { pyobj_.store_release(nullptr); }
  PyInterpreter* pyobj_interpreter() const { return interpreter_; }
  bool has_pyobj() const { return load_pyobj() != nullptr; }

  bool owns_pyobj() const { return owns_pyobj_; }
  void set_owns_pyobj(bool owns) { owns_pyobj_ = owns; }
  void unchecked_clear_pyobj(PyInterpreter* /*interpreter*/) { clear_pyobj(); }

 private:
  PyInterpreter* interpreter_ = nullptr;
  LightAtomic<PyObject*> pyobj_;
  bool owns_pyobj_ = false;
};

}  // namespace c10::impl
