#include <torch/csrc/autograd/python_variable_indexing.h>

#include <ATen/TensorIndexing.h>
#include <ATen/core/List.h>
#include <ATen/ops/alias_ops.h>
#include <ATen/ops/copy_ops.h>
#include <ATen/ops/expand_ops.h>
#include <ATen/ops/fill_ops.h>
#include <ATen/ops/index_ops.h>
#include <ATen/ops/index_put_ops.h>
#include <ATen/ops/scalar_tensor_ops.h>
#include <ATen/ops/unsqueeze_ops.h>
#include <torch/csrc/Exceptions.h>
#include <torch/csrc/autograd/python_variable.h>
#include <torch/csrc/utils/object_ptr.h>
#include <torch/csrc/utils/python_numbers.h>
#include <torch/csrc/utils/python_scalars.h>
#include <torch/csrc/utils/tensor_new.h>
#include <torch/csrc/utils/tensor_numpy.h>

#include <array>
#include <optional>

namespace torch::autograd {

namespace {

namespace indexing = at::indexing::impl;

// A list, a range, or anything else of elements; a tensor and a text are none.
bool is_sequence(PyObject* obj) {
  return PySequence_Check(obj) && !THPVariable_Check(obj) && !PyUnicode_Check(obj) &&
         !PyBytes_Check(obj);
}

[[noreturn]] void throw_invalid_index(PyObject* obj) {
  throw torch::IndexError(
      "only integers, slices (`:`), ellipsis (`...`), None and long or byte Variables are valid indices (got %s)",
      Py_TYPE(obj)->tp_name);
}

// start, stop and step of a slice, with its defaults filled in.
std::array<int64_t, 3> unpack_slice(PyObject* slice) {
  Py_ssize_t start = 0;
  Py_ssize_t stop = 0;
  Py_ssize_t step = 0;
  if (PySlice_Unpack(slice, &start, &stop, &step) < 0) throw python_error();
  return {start, stop, step};
}

// How many dimensions of the tensor an index consumes.
int64_t count_specified_dims(PyObject* index) {
  int64_t count = 0;
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(index); ++i) {
    PyObject* obj = PyTuple_GET_ITEM(index, i);
    if (THPVariable_Check(obj)) {
      count += indexing::dims_of_index(THPVariable_Unpack(obj));
    } else if (obj != Py_None && obj != Py_Ellipsis && !PyBool_Check(obj)) {
      ++count;
    }
  }
  return count;
}

indexing::IndexedView apply_index(const at::Tensor& self, PyObject* index) {
  indexing::IndexedView result(self, count_specified_dims(index));
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(index); ++i) {
    PyObject* obj = PyTuple_GET_ITEM(index, i);
    if (PyBool_Check(obj)) {
      result.boolean(obj == Py_True);
    } else if (THPUtils_checkLong(obj)) {
      result.integer(THPUtils_unpackLong(obj));
    } else if (PySlice_Check(obj)) {
      const auto [start, stop, step] = unpack_slice(obj);
      result.slice(start, stop, step);
    } else if (obj == Py_Ellipsis) {
      result.ellipsis();
    } else if (obj == Py_None) {
      result.none();
    } else if (THPVariable_Check(obj)) {
      result.tensor(THPVariable_Unpack(obj));
    } else if (is_sequence(obj) || utils::is_numpy_array(obj)) {
      result.tensor(utils::indexing_tensor_from_data(obj));
    } else if (PyIndex_Check(obj)) {
      THPObjectPtr number(PyNumber_Index(obj));
      if (!number) throw python_error();
      result.integer(THPUtils_unpackLong(number));
    } else {
      throw_invalid_index(obj);
    }
  }
  return result;
}

// Whether a sequence that is no tuple stands for one, as NumPy's older rule has it: it is short and
// has an element that is more than a number.
bool stands_for_tuple(PyObject* index) {
  constexpr Py_ssize_t kLongest = 32;
  if (!is_sequence(index) || utils::is_numpy_array(index)) return false;
  const Py_ssize_t size = PySequence_Size(index);
  if (size < 0) PyErr_Clear();
  if (size < 0 || size >= kLongest) return false;
  for (Py_ssize_t i = 0; i < size; ++i) {
    THPObjectPtr item(PySequence_GetItem(index, i));
    if (!item) {
      PyErr_Clear();
      return false;
    }
    if (THPVariable_Check(item.get()) || PySequence_Check(item.get()) ||
        PySlice_Check(item.get()) || item.get() == Py_Ellipsis || item.get() == Py_None) {
      return true;
    }
  }
  return false;
}

THPObjectPtr as_tuple(PyObject* index) {
  if (PyTuple_Check(index)) return THPObjectPtr::dup(index);
  THPObjectPtr tuple;
  if (stands_for_tuple(index)) {
    if (PyErr_WarnEx(
            PyExc_UserWarning,
            "Using a non-tuple sequence for multidimensional indexing is deprecated and will mean x[torch.tensor(seq)] one day; use x[tuple(seq)] instead of x[seq]",
            1) < 0) {
      throw python_error();
    }
    tuple = PySequence_Tuple(index);
  } else {
    tuple = PyTuple_Pack(1, index);
  }
  if (!tuple) throw python_error();
  return tuple;
}

at::Tensor value_to_tensor(const at::Tensor& self, PyObject* value) {
  if (THPVariable_Check(value)) return THPVariable_Unpack(value);
  if (THPUtils_checkScalar(value)) {
    const c10::ScalarType type = PyComplex_Check(value) && !c10::isComplexType(self.scalar_type())
                                     ? c10::ScalarType::ComplexDouble
                                     : self.scalar_type();
    return at::_ops::scalar_tensor::call(utils::scalar_from_python(value), type, std::nullopt,
                                         self.device(), std::nullopt);
  }
  throw torch::TypeError("can't assign a %s to a %s", Py_TYPE(value)->tp_name,
                         utils::options_to_string(self.scalar_type(), self.device()).c_str());
}

// Writes `value`, which Python gave as `py_value`, into a view.
void assign(at::Tensor target, const at::Tensor& value, PyObject* py_value) {
  if (!THPVariable_Check(py_value) && value.device().is_cpu()) {
    at::_ops::fill__Scalar::call(target, utils::scalar_from_python(py_value));
    return;
  }
  const at::Tensor stripped = indexing::strip_leading_ones(value, target.dim());
  at::_ops::copy_::call(target, at::_ops::expand::call(stripped, target.sizes(), false), false);
}

}  // namespace

Py_ssize_t THPVariable_length(PyObject* self) {
  HANDLE_TH_ERRORS
  const at::Tensor& tensor = THPVariable_Unpack(self);
  if (tensor.dim() == 0) throw torch::TypeError("len() of a 0-d tensor");
  return static_cast<Py_ssize_t>(tensor.sizes()[0]);
  END_HANDLE_TH_ERRORS_RET(-1)
}

PyObject* THPVariable_getitem(PyObject* self, PyObject* index) {
  HANDLE_TH_ERRORS
  const at::Tensor& tensor = THPVariable_Unpack(self);
  if (THPUtils_checkLong(index)) {
    return THPVariable_Wrap(indexing::select(tensor, 0, THPUtils_unpackLong(index), 0));
  }
  if (PySlice_Check(index)) {
    const auto [start, stop, step] = unpack_slice(index);
    at::Tensor result = indexing::slice(tensor, 0, start, stop, step);
    return THPVariable_Wrap(result.is_same(tensor) ? at::_ops::alias::call(tensor) : result);
  }
  THPObjectPtr tuple = as_tuple(index);
  const indexing::IndexedView indexed = apply_index(tensor, tuple);
  if (indexed.has_tensors()) {
    return THPVariable_Wrap(at::_ops::index_Tensor::call(indexed.view(), indexed.tensors()));
  }
  return THPVariable_Wrap(indexed.view().is_same(tensor) ? at::_ops::alias::call(tensor)
                                                         : indexed.view());
  END_HANDLE_TH_ERRORS
}

int THPVariable_setitem(PyObject* self, PyObject* index, PyObject* py_value) {
  HANDLE_TH_ERRORS
  if (!py_value) throw torch::TypeError("Tensor does not support deleting items");
  const at::Tensor& tensor = THPVariable_Unpack(self);
  const at::Tensor value = value_to_tensor(tensor, py_value);
  if (PyBool_Check(index)) {
    // x[True] is all of x, x[False] nothing of it.
    if (index == Py_True) assign(at::_ops::unsqueeze::call(tensor, 0), value, py_value);
    return 0;
  }
  THPObjectPtr tuple = as_tuple(index);
  const indexing::IndexedView indexed = apply_index(tensor, tuple);
  at::Tensor target = indexed.view();
  if (!indexed.has_tensors()) {
    assign(target, value, py_value);
    return 0;
  }
  at::_ops::index_put_::call(target, indexed.tensors(), indexing::strip_leading_ones(value, 0),
                             false);
  return 0;
  END_HANDLE_TH_ERRORS_RET(-1)
}

}  // namespace torch::autograd
