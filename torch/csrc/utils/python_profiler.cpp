#include <torch/csrc/utils/python_profiler.h>

#include <ATen/record_function.h>
#include <torch/csrc/Exceptions.h>
#include <torch/csrc/utils/object_ptr.h>
#include <torch/csrc/utils/python_strings.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace torch::profiler {
namespace {

PyObject* start(PyObject* /*self*/, PyObject* shapes) {
  HANDLE_TH_ERRORS
  at::start_recording(PyObject_IsTrue(shapes) == 1);
  Py_RETURN_NONE;
  END_HANDLE_TH_ERRORS
}

// A list with an item for each element.
template <typename T, typename Make>
PyObject* list_of(const std::vector<T>& elements, const Make& make) {
  THPObjectPtr list(PyList_New(static_cast<Py_ssize_t>(elements.size())));
  if (!list) throw python_error();
  for (size_t i = 0; i < elements.size(); ++i) {
    PyObject* item = make(elements[i]);
    if (item == nullptr) throw python_error();
    PyList_SET_ITEM(list.get(), static_cast<Py_ssize_t>(i), item);
  }
  return list.release();
}

PyObject* stop(PyObject* /*self*/, PyObject* /*noargs*/) {
  HANDLE_TH_ERRORS
  return list_of(at::stop_recording(), [](const at::RecordedRange& range) {
    THPObjectPtr shapes(list_of(range.shapes, [](const std::vector<int64_t>& sizes) {
      return list_of(sizes, [](int64_t size) { return PyLong_FromLongLong(size); });
    }));
    return Py_BuildValue("isLLKO", static_cast<int>(range.scope), range.name.c_str(),
                         static_cast<long long>(range.start), static_cast<long long>(range.end),
                         static_cast<unsigned long long>(range.thread), shapes.get());
  });
  END_HANDLE_TH_ERRORS
}

PyObject* begin(PyObject* /*self*/, PyObject* name) {
  HANDLE_TH_ERRORS
  return PyLong_FromSize_t(
      at::begin_range(at::RecordScope::USER_SCOPE, THPUtils_unpackString(name)));
  END_HANDLE_TH_ERRORS
}

PyObject* end(PyObject* /*self*/, PyObject* number) {
  HANDLE_TH_ERRORS
  const size_t range = PyLong_AsSize_t(number);
  if (PyErr_Occurred() != nullptr) throw python_error();
  at::end_range(range);
  Py_RETURN_NONE;
  END_HANDLE_TH_ERRORS
}

PyMethodDef kFunctions[] = {
    {"_profiler_start", start, METH_O, nullptr},
    {"_profiler_stop", stop, METH_NOARGS, nullptr},
    {"_profiler_begin", begin, METH_O, nullptr},
    {"_profiler_end", end, METH_O, nullptr},
    {nullptr, nullptr, 0, nullptr},
};

}  // namespace

PyMethodDef* python_functions() { return kFunctions; }

}  // namespace torch::profiler
