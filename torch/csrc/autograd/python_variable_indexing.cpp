#include <torch/csrc/autograd/python_variable_indexing.h>

#include <ATen/core/List.h>
#include <ATen/ops/alias_ops.h>
#include <ATen/ops/copy_ops.h>
#include <ATen/ops/empty_ops.h>
#include <ATen/ops/expand_ops.h>
#include <ATen/ops/fill_ops.h>
#include <ATen/ops/index_ops.h>
#include <ATen/ops/index_put_ops.h>
#include <ATen/ops/item_ops.h>
#include <ATen/ops/reshape_ops.h>
#include <ATen/ops/scalar_tensor_ops.h>
#include <ATen/ops/select_ops.h>
#include <ATen/ops/slice_ops.h>
#include <ATen/ops/to_ops.h>
#include <ATen/ops/unsqueeze_ops.h>
#include <ATen/ops/zeros_ops.h>
#include <torch/csrc/Exceptions.h>
#include <torch/csrc/autograd/python_variable.h>
#include <torch/csrc/utils/object_ptr.h>
#include <torch/csrc/utils/python_numbers.h>
#include <torch/csrc/utils/python_scalars.h>
#include <torch/csrc/utils/tensor_new.h>
#include <torch/csrc/utils/tensor_numpy.h>

#include <optional>
#include <vector>

namespace torch::autograd {

namespace {

using OptionalTensors = std::vector<std::optional<at::Tensor>>;

bool is_mask_type(c10::ScalarType type) {
  return type == c10::ScalarType::Bool || type == c10::ScalarType::Byte;
}

// What an index leaves to do: a view, and one entry for each of its dimensions up to the last that
// a tensor indexes. A mask of k dimensions is one entry for k dimensions.
struct Indexed {
  at::Tensor view;
  OptionalTensors tensors;
  bool has_tensors = false;
};

at::Tensor index_tensor_of_bool(bool value) {
  const auto type = c10::ScalarType::Long;
  if (value) return at::_ops::zeros::call({1}, type, std::nullopt, std::nullopt, std::nullopt);
  return at::_ops::empty_memory_format::call({0}, type, std::nullopt, std::nullopt, std::nullopt,
                                             std::nullopt);
}

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

at::Tensor apply_select(const at::Tensor& self, int64_t dim, int64_t index, int64_t real_dim) {
  if (self.dim() == 0) {
    throw torch::IndexError(
        "invalid index of a 0-dim tensor. "
        "Use `tensor.item()` in Python or `tensor.item<T>()` in C++ to convert a 0-dim tensor to a number");
  }
  const int64_t size = self.sizes()[dim];
  if (index < -size || index >= size) {
    throw torch::IndexError("index %lld is out of bounds for dimension %lld with size %lld",
                            static_cast<long long>(index), static_cast<long long>(real_dim),
                            static_cast<long long>(size));
  }
  return at::_ops::select_int::call(self, dim, index);
}

at::Tensor apply_slice(const at::Tensor& self, int64_t dim, PyObject* slice) {
  if (self.dim() == 0) throw torch::IndexError("slice() cannot be applied to a 0-dim tensor.");
  Py_ssize_t start = 0;
  Py_ssize_t stop = 0;
  Py_ssize_t step = 0;
  if (PySlice_Unpack(slice, &start, &stop, &step) < 0) throw python_error();
  if (step <= 0) throw torch::ValueError("step must be greater than zero");
  const auto size = static_cast<Py_ssize_t>(self.sizes()[dim]);
  PySlice_AdjustIndices(size, &start, &stop, step);
  if (start == 0 && stop == size && step == 1) return self;
  return at::_ops::slice_Tensor::call(self, dim, start, std::max(start, stop), step);
}

// How many dimensions of the tensor an index consumes.
int64_t count_specified_dims(PyObject* index) {
  int64_t count = 0;
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(index); ++i) {
    PyObject* obj = PyTuple_GET_ITEM(index, i);
    if (THPVariable_Check(obj)) {
      const at::Tensor& tensor = THPVariable_Unpack(obj);
      count += is_mask_type(tensor.scalar_type()) ? tensor.dim() : 1;
    } else if (obj != Py_None && obj != Py_Ellipsis && !PyBool_Check(obj)) {
      ++count;
    }
  }
  return count;
}

Indexed apply_index(const at::Tensor& self, PyObject* index) {
  Indexed result{self, {}, false};
  const int64_t specified = count_specified_dims(index);
  if (specified > self.dim()) {
    throw torch::IndexError("too many indices for tensor of dimension %lld",
                            static_cast<long long>(self.dim()));
  }
  int64_t dim = 0;
  int64_t real_dim = 0;
  auto keep_dim = [&] {
    result.tensors.emplace_back();
    ++dim;
  };
  auto index_by = [&](at::Tensor tensor, int64_t dims) {
    if (is_mask_type(tensor.scalar_type())) {
      for (int64_t k = 0; k < tensor.dim(); ++k) {
        if (tensor.sizes()[k] != result.view.sizes()[dim + k]) {
          std::string shape, indexed;
          for (int64_t s : tensor.sizes()) shape += (shape.empty() ? "" : ", ") + std::to_string(s);
          for (int64_t s : self.sizes())
            indexed += (indexed.empty() ? "" : ", ") + std::to_string(s);
          throw torch::IndexError(
              "The shape of the mask [%s] at index %lld does not match the shape of the indexed tensor [%s] at index %lld",
              shape.c_str(), static_cast<long long>(k), indexed.c_str(),
              static_cast<long long>(dim + k));
        }
      }
    }
    result.tensors.emplace_back(std::move(tensor));
    result.has_tensors = true;
    dim += dims;
    real_dim += dims;
  };
  auto index_by_tensor = [&](const at::Tensor& tensor) {
    const c10::ScalarType type = tensor.scalar_type();
    if (tensor.dim() == 0 && is_mask_type(type)) {
      result.view = at::_ops::unsqueeze::call(result.view, dim);
      index_by(index_tensor_of_bool(at::_ops::item::call(tensor).toLong() != 0), 1);
      --real_dim;
    } else if (tensor.dim() == 0 && c10::isIntegralType(type, /*includeBool=*/false)) {
      result.view =
          apply_select(result.view, dim, at::_ops::item::call(tensor).toLong(), real_dim++);
    } else {
      index_by(tensor, is_mask_type(type) ? tensor.dim() : 1);
    }
  };
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(index); ++i) {
    PyObject* obj = PyTuple_GET_ITEM(index, i);
    if (PyBool_Check(obj)) {
      result.view = at::_ops::unsqueeze::call(result.view, dim);
      result.tensors.emplace_back(index_tensor_of_bool(obj == Py_True));
      result.has_tensors = true;
      ++dim;
    } else if (THPUtils_checkLong(obj)) {
      result.view = apply_select(result.view, dim, THPUtils_unpackLong(obj), real_dim++);
    } else if (PySlice_Check(obj)) {
      result.view = apply_slice(result.view, dim, obj);
      keep_dim();
      ++real_dim;
    } else if (obj == Py_Ellipsis) {
      for (int64_t k = self.dim() - specified; k > 0; --k) {
        keep_dim();
        ++real_dim;
      }
    } else if (obj == Py_None) {
      result.view = at::_ops::unsqueeze::call(result.view, dim);
      keep_dim();
    } else if (THPVariable_Check(obj)) {
      index_by_tensor(THPVariable_Unpack(obj));
    } else if (is_sequence(obj) || utils::is_numpy_array(obj)) {
      index_by_tensor(utils::indexing_tensor_from_data(obj));
    } else if (PyIndex_Check(obj)) {
      THPObjectPtr number(PyNumber_Index(obj));
      if (!number) throw python_error();
      result.view = apply_select(result.view, dim, THPUtils_unpackLong(number), real_dim++);
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
    if (PyErr_WarnEx(PyExc_UserWarning,
                     "Using a non-tuple sequence for multidimensional indexing is deprecated and "
                     "will mean x[torch.tensor(seq)] one day; use x[tuple(seq)] instead of x[seq]",
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

c10::List<std::optional<at::Tensor>> to_list(const Indexed& indexed) {
  c10::List<std::optional<at::Tensor>> list;
  for (const std::optional<at::Tensor>& tensor : indexed.tensors) {
    if (tensor && tensor->device() != indexed.view.device()) {
      list.push_back(at::_ops::to_dtype_layout::call(*tensor, std::nullopt, std::nullopt,
                                                     indexed.view.device(), std::nullopt, false,
                                                     false, std::nullopt));
    } else {
      list.push_back(tensor);
    }
  }
  return list;
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

// Without the leading dimensions of size 1 that the target lacks.
at::Tensor strip_leading_ones(const at::Tensor& value, int64_t dim) {
  c10::IntArrayRef sizes = value.sizes();
  size_t skip = 0;
  while (static_cast<int64_t>(sizes.size() - skip) > dim && sizes[skip] == 1) ++skip;
  if (skip == 0) return value;
  return at::_ops::reshape::call(value, sizes.slice(skip));
}

// Writes `value`, which Python gave as `py_value`, into a view.
void assign(at::Tensor target, const at::Tensor& value, PyObject* py_value) {
  if (!THPVariable_Check(py_value) && value.device().is_cpu()) {
    at::_ops::fill__Scalar::call(target, utils::scalar_from_python(py_value));
    return;
  }
  const at::Tensor stripped = strip_leading_ones(value, target.dim());
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
    return THPVariable_Wrap(apply_select(tensor, 0, THPUtils_unpackLong(index), 0));
  }
  if (PySlice_Check(index)) {
    at::Tensor result = apply_slice(tensor, 0, index);
    return THPVariable_Wrap(result.is_same(tensor) ? at::_ops::alias::call(tensor) : result);
  }
  THPObjectPtr tuple = as_tuple(index);
  Indexed indexed = apply_index(tensor, tuple);
  if (!indexed.has_tensors) {
    if (indexed.view.is_same(tensor)) indexed.view = at::_ops::alias::call(tensor);
    return THPVariable_Wrap(std::move(indexed.view));
  }
  return THPVariable_Wrap(at::_ops::index_Tensor::call(indexed.view, to_list(indexed)));
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
  Indexed indexed = apply_index(tensor, tuple);
  at::Tensor target = indexed.view;
  if (!indexed.has_tensors) {
    assign(target, value, py_value);
    return 0;
  }
  at::_ops::index_put_::call(target, to_list(indexed), strip_leading_ones(value, 0), false);
  return 0;
  END_HANDLE_TH_ERRORS_RET(-1)
}

}  // namespace torch::autograd
