#pragma once

// What the generated binding files share.

#include <ATen/core/LegacyTypeDispatch.h>
#include <ATen/core/List.h>
#include <ATen/core/Tensor.h>
#include <c10/util/OptionalArrayRef.h>
#include <torch/csrc/Exceptions.h>
#include <torch/csrc/autograd/generated/python_tables.h>
#include <torch/csrc/autograd/python_variable.h>
#include <torch/csrc/autograd/wrap_outputs.h>
#include <torch/csrc/python_headers.h>
#include <torch/csrc/utils/gil.h>
#include <torch/csrc/utils/python_arg_parser.h>
#include <torch/csrc/utils/torch_function.h>

#include <initializer_list>
#include <optional>
#include <utility>
#include <vector>

namespace torch::autograd {

using FastcallWithKeywords = PyObject* (*)(PyObject*, PyObject* const*, Py_ssize_t, PyObject*);

inline PyCFunction as_method(FastcallWithKeywords function) {
  return reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(function));
}

// Entries of the tables below; each looks for `__torch_function__` before `function` runs.
#define TORCH_FUNCTION(NAME, FUNCTION)                                                          \
  {#NAME, as_method(overridable<#NAME, FUNCTION>), METH_FASTCALL | METH_KEYWORDS | METH_STATIC, \
   nullptr}
#define TORCH_METHOD(NAME, FUNCTION) \
  {#NAME, as_method(overridable<#NAME, FUNCTION>), METH_FASTCALL | METH_KEYWORDS, nullptr}
#define TORCH_METHOD_WITHOUT_ARGUMENTS(NAME, FUNCTION) \
  {#NAME, overridable_without_arguments<#NAME, FUNCTION>, METH_NOARGS, nullptr}

inline c10::IntArrayRef as_int_array_ref(const std::vector<int64_t>& values) { return values; }
inline c10::OptionalIntArrayRef as_int_array_ref(
    const std::optional<std::vector<int64_t>>& values) {
  if (!values) return std::nullopt;
  return c10::IntArrayRef(*values);
}
inline c10::ArrayRef<double> as_double_array_ref(const std::vector<double>& values) {
  return values;
}
inline std::optional<c10::ArrayRef<double>> as_double_array_ref(
    const std::optional<std::vector<double>>& values) {
  if (!values.has_value()) return std::nullopt;
  return c10::ArrayRef<double>(*values);
}

inline c10::List<std::optional<at::Tensor>> to_optional_tensor_list(const PythonArgs& r, int i) {
  c10::List<std::optional<at::Tensor>> list;
  for (std::optional<at::Tensor>& tensor : r.list_of_optional_tensors(i)) {
    list.push_back(std::move(tensor));
  }
  return list;
}

// The namedtuple torch.return_types.NAME (borrowed), made on first use.
TORCH_PYTHON_API PyTypeObject* return_type(const char* name,
                                           std::initializer_list<const char*> fields);

// Throws when `out` contradicts the dtype, layout or device that was asked for besides it. The
// numbers are the arguments' positions.
TORCH_PYTHON_API void check_out_options(const PythonArgs& r, int out, int dtype, int layout,
                                        int device);

// The tables of the generated files, each ended by an entry without a name.
#define TORCH_DECLARE_TABLE(NAME) PyMethodDef* NAME();
TORCH_FOR_EACH_FUNCTION_TABLE(TORCH_DECLARE_TABLE)
TORCH_FOR_EACH_METHOD_TABLE(TORCH_DECLARE_TABLE)
TORCH_DECLARE_TABLE(python_nn_functions)
TORCH_DECLARE_TABLE(python_linalg_functions)
TORCH_DECLARE_TABLE(python_special_functions)
TORCH_DECLARE_TABLE(python_fft_functions)
#undef TORCH_DECLARE_TABLE

// The hand-written functions of torch and of torch.Tensor.
PyMethodDef* python_torch_functions_manual();
PyMethodDef* python_variable_methods_manual();

// Adds _VariableFunctions, _nn, _linalg, _special and _fft to the module.
void init_function_modules(PyObject* module);
// All methods of TensorBase: the hand-written table, then the generated ones.
PyMethodDef* all_variable_methods();

}  // namespace torch::autograd
