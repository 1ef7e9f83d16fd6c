// Methods of torch.Tensor that no schema describes.

#include <torch/csrc/autograd/python_bindings.h>

#include <ATen/ops/alias_ops.h>
#include <ATen/ops/clone_ops.h>
#include <ATen/ops/contiguous_ops.h>
#include <ATen/ops/copy_ops.h>
#include <ATen/ops/detach_ops.h>
#include <ATen/ops/item_ops.h>
#include <ATen/ops/nonzero_numpy_ops.h>
#include <ATen/ops/nonzero_ops.h>
#include <ATen/ops/resolve_conj_ops.h>
#include <ATen/ops/resolve_neg_ops.h>
#include <ATen/ops/to_ops.h>
#include <c10/util/Exception.h>
#include <torch/csrc/Device.h>
#include <torch/csrc/Dtype.h>
#include <torch/csrc/Size.h>
#include <torch/csrc/autograd/variable.h>
#include <torch/csrc/utils/device_lazy_init.h>
#include <torch/csrc/utils/python_strings.h>
#include <torch/csrc/utils/tensor_new.h>
#include <torch/csrc/utils/tensor_numpy.h>
#include <torch/csrc/utils/unpack_dtype.h>

#include <vector>

namespace torch::autograd {

namespace {

at::Tensor dispatch_to(const at::Tensor& self, std::optional<c10::ScalarType> dtype,
                       std::optional<c10::Device> device, bool non_blocking, bool copy,
                       std::optional<c10::MemoryFormat> memory_format) {
  GilRelease no_gil;
  return at::_ops::to_dtype_layout::call(self, dtype, std::nullopt, device, std::nullopt,
                                         non_blocking, copy, memory_format);
}

PyObject* method_to(PyObject* self, PyObject* const* args, Py_ssize_t nargs, PyObject* kwnames) {
  HANDLE_TH_ERRORS
  static const PythonArgParser parser({
      "to(Device device=None, ScalarType dtype=None, bool non_blocking=False, bool copy=False, *, "
      "MemoryFormat? memory_format=None)",
      "to(ScalarType dtype, bool non_blocking=False, bool copy=False, *, "
      "MemoryFormat? memory_format=None)",
      "to(Tensor tensor, bool non_blocking=False, bool copy=False, *, "
      "MemoryFormat? memory_format=None)",
  });
  ParsedArgs<5> parsed_args;
  auto r = parser.parse(args, nargs, kwnames, parsed_args);
  const at::Tensor& tensor = THPVariable_Unpack(self);
  if (r.idx == 0) {
    if (r.isNone(0) && r.isNone(1) && !r.toBool(3) && r.isNone(4)) return Py_NewRef(self);
    return wrap(dispatch_to(tensor, r.scalartypeOptional(1), r.deviceOptional(0), r.toBool(2),
                            r.toBool(3), r.memoryformatOptional(4)));
  }
  if (r.idx == 1) {
    return wrap(dispatch_to(tensor, r.scalartype(0), std::nullopt, r.toBool(1), r.toBool(2),
                            r.memoryformatOptional(3)));
  }
  const at::Tensor other = r.tensor(0);
  return wrap(dispatch_to(tensor, other.scalar_type(), other.device(), r.toBool(1), r.toBool(2),
                          r.memoryformatOptional(3)));
  END_HANDLE_TH_ERRORS
}

// x.float() and its like. `Name` is the method's, for messages.
#define TORCH_CAST_METHOD(NAME, TYPE)                                                             \
  PyObject* method_##NAME(PyObject* self, PyObject* const* args, Py_ssize_t nargs,                \
                          PyObject* kwnames) {                                                    \
    HANDLE_TH_ERRORS                                                                              \
    static const PythonArgParser parser({#NAME "(*, MemoryFormat? memory_format=None)"});         \
    ParsedArgs<1> parsed_args;                                                                    \
    auto r = parser.parse(args, nargs, kwnames, parsed_args);                                     \
    return wrap(dispatch_to(THPVariable_Unpack(self), c10::ScalarType::TYPE, std::nullopt, false, \
                            false, r.memoryformatOptional(0)));                                   \
    END_HANDLE_TH_ERRORS                                                                          \
  }
TORCH_CAST_METHOD(bfloat16, BFloat16)
TORCH_CAST_METHOD(bool, Bool)
TORCH_CAST_METHOD(byte, Byte)
TORCH_CAST_METHOD(cdouble, ComplexDouble)
TORCH_CAST_METHOD(cfloat, ComplexFloat)
TORCH_CAST_METHOD(char, Char)
TORCH_CAST_METHOD(double, Double)
TORCH_CAST_METHOD(float, Float)
TORCH_CAST_METHOD(half, Half)
TORCH_CAST_METHOD(int, Int)
TORCH_CAST_METHOD(long, Long)
TORCH_CAST_METHOD(short, Short)
#undef TORCH_CAST_METHOD

PyObject* method_cpu(PyObject* self, PyObject* const* args, Py_ssize_t nargs, PyObject* kwnames) {
  HANDLE_TH_ERRORS
  static const PythonArgParser parser({"cpu(*, MemoryFormat? memory_format=None)"});
  ParsedArgs<1> parsed_args;
  auto r = parser.parse(args, nargs, kwnames, parsed_args);
  return wrap(dispatch_to(THPVariable_Unpack(self), std::nullopt, c10::Device(c10::kCPU), false,
                          false, r.memoryformatOptional(0)));
  END_HANDLE_TH_ERRORS
}

PyObject* method_cuda(PyObject* self, PyObject* const* args, Py_ssize_t nargs, PyObject* kwnames) {
  HANDLE_TH_ERRORS
  static const PythonArgParser parser(
      {"cuda(Device? device=None, bool non_blocking=False, *, MemoryFormat? memory_format=None)"});
  ParsedArgs<3> parsed_args;
  auto r = parser.parse(args, nargs, kwnames, parsed_args);
  const c10::Device device = r.isNone(0) ? c10::Device(c10::kCUDA) : r.device(0);
  TORCH_CHECK(device.is_cuda(), "Invalid device, must be cuda device");
  utils::maybe_initialize_device(device);
  return wrap(dispatch_to(THPVariable_Unpack(self), std::nullopt, device, r.toBool(1), false,
                          r.memoryformatOptional(2)));
  END_HANDLE_TH_ERRORS
}

PyObject* method_type(PyObject* self, PyObject* const* args, Py_ssize_t nargs, PyObject* kwnames) {
  HANDLE_TH_ERRORS
  static const PythonArgParser parser({"type(PyObject* dtype=None, bool non_blocking=False)"});
  ParsedArgs<2> parsed_args;
  auto r = parser.parse(args, nargs, kwnames, parsed_args);
  const at::Tensor& tensor = THPVariable_Unpack(self);
  if (r.isNone(0)) {
    return THPUtils_packString(utils::options_to_string(tensor.scalar_type(), tensor.device()));
  }
  PyObject* wanted = r.pyobject(0);
  if (THPDtype_Check(wanted)) {
    return wrap(
        dispatch_to(tensor, unpack_dtype(wanted), std::nullopt, r.toBool(1), false, std::nullopt));
  }
  if (!THPUtils_checkString(wanted)) {
    throw torch::TypeError("dtype must be a type, str, or dtype object");
  }
  const std::string name = THPUtils_unpackString(wanted);
  for (int i = 0; i < static_cast<int>(c10::NumScalarTypes); ++i) {
    const auto type = static_cast<c10::ScalarType>(i);
    if (type == c10::ScalarType::Undefined) continue;
    if (utils::options_to_string(type, c10::Device(c10::kCPU)) == name) {
      return wrap(
          dispatch_to(tensor, type, c10::Device(c10::kCPU), r.toBool(1), false, std::nullopt));
    }
  }
  throw torch::ValueError("invalid type: '%s'", name.c_str());
  END_HANDLE_TH_ERRORS
}

PyObject* method_contiguous(PyObject* self, PyObject* const* args, Py_ssize_t nargs,
                            PyObject* kwnames) {
  HANDLE_TH_ERRORS
  static const PythonArgParser parser(
      {"contiguous(*, MemoryFormat memory_format=torch.contiguous_format)"});
  ParsedArgs<1> parsed_args;
  auto r = parser.parse(args, nargs, kwnames, parsed_args);
  const at::Tensor& tensor = THPVariable_Unpack(self);
  const c10::MemoryFormat format = r.memoryformat(0);
  if (tensor.is_contiguous(format)) return Py_NewRef(self);
  return wrap(at::_ops::contiguous::call(tensor, format));
  END_HANDLE_TH_ERRORS
}

PyObject* method_is_contiguous(PyObject* self, PyObject* const* args, Py_ssize_t nargs,
                               PyObject* kwnames) {
  HANDLE_TH_ERRORS
  static const PythonArgParser parser(
      {"is_contiguous(*, MemoryFormat memory_format=torch.contiguous_format)"});
  ParsedArgs<1> parsed_args;
  auto r = parser.parse(args, nargs, kwnames, parsed_args);
  return wrap(THPVariable_Unpack(self).is_contiguous(r.memoryformat(0)));
  END_HANDLE_TH_ERRORS
}

PyObject* method_copy_(PyObject* self, PyObject* const* args, Py_ssize_t nargs, PyObject* kwnames) {
  HANDLE_TH_ERRORS
  static const PythonArgParser parser({"copy_(Tensor other, bool non_blocking=False)"});
  ParsedArgs<2> parsed_args;
  auto r = parser.parse(args, nargs, kwnames, parsed_args);
  const at::Tensor other = r.tensor(0);
  {
    GilRelease no_gil;
    at::_ops::copy_::call(reinterpret_cast<THPVariable*>(self)->cdata, other, r.toBool(1));
  }
  return Py_NewRef(self);
  END_HANDLE_TH_ERRORS
}

PyObject* method_item(PyObject* self, PyObject* /*unused*/) {
  HANDLE_TH_ERRORS
  return wrap(at::_ops::item::call(THPVariable_Unpack(self)));
  END_HANDLE_TH_ERRORS
}

PyObject* to_nested_list(const char* data, c10::IntArrayRef sizes, c10::IntArrayRef strides,
                         size_t dim, c10::ScalarType type, size_t item_size) {
  if (dim == sizes.size()) return utils::load_scalar(data, type);
  THPObjectPtr list(PyList_New(sizes[dim]));
  if (!list) throw python_error();
  for (int64_t i = 0; i < sizes[dim]; ++i) {
    PyObject* item = to_nested_list(data, sizes, strides, dim + 1, type, item_size);
    if (!item) throw python_error();
    PyList_SET_ITEM(list.get(), i, item);
    data += static_cast<size_t>(strides[dim]) * item_size;
  }
  return list.release();
}

PyObject* method_tolist(PyObject* self, PyObject* /*unused*/) {
  HANDLE_TH_ERRORS
  at::Tensor tensor =
      at::_ops::resolve_neg::call(at::_ops::resolve_conj::call(THPVariable_Unpack(self)));
  if (!tensor.is_cpu()) {
    tensor = dispatch_to(tensor, std::nullopt, c10::Device(c10::kCPU), false, false, std::nullopt);
  }
  const auto* data =
      tensor.numel() == 0 ? nullptr : static_cast<const char*>(tensor.const_data_ptr());
  return to_nested_list(data, tensor.sizes(), tensor.strides(), 0, tensor.scalar_type(),
                        tensor.itemsize());
  END_HANDLE_TH_ERRORS
}

PyObject* method_numpy(PyObject* self, PyObject* const* args, Py_ssize_t nargs, PyObject* kwnames) {
  HANDLE_TH_ERRORS
  static const PythonArgParser parser({"numpy(*, bool force=False)"});
  ParsedArgs<1> parsed_args;
  auto r = parser.parse(args, nargs, kwnames, parsed_args);
  return utils::tensor_to_numpy(self, r.toBool(0));
  END_HANDLE_TH_ERRORS
}

PyObject* method_size(PyObject* self, PyObject* const* args, Py_ssize_t nargs, PyObject* kwnames) {
  HANDLE_TH_ERRORS
  const at::Tensor& tensor = THPVariable_Unpack(self);
  if (nargs == 0 && !kwnames) return THPSize_New(tensor.sizes());
  static const PythonArgParser parser({"size(int64_t? dim=None)"});
  ParsedArgs<1> parsed_args;
  auto r = parser.parse(args, nargs, kwnames, parsed_args);
  if (r.isNone(0)) return THPSize_New(tensor.sizes());
  return wrap(tensor.size(r.toInt64(0)));
  END_HANDLE_TH_ERRORS
}

PyObject* method_stride(PyObject* self, PyObject* const* args, Py_ssize_t nargs,
                        PyObject* kwnames) {
  HANDLE_TH_ERRORS
  static const PythonArgParser parser({"stride(int64_t? dim=None)"});
  ParsedArgs<1> parsed_args;
  auto r = parser.parse(args, nargs, kwnames, parsed_args);
  const at::Tensor& tensor = THPVariable_Unpack(self);
  if (r.isNone(0)) return wrap(tensor.strides());
  return wrap(tensor.stride(r.toInt64(0)));
  END_HANDLE_TH_ERRORS
}

#define TORCH_INT_METHOD(NAME, EXPRESSION)                        \
  PyObject* method_##NAME(PyObject* self, PyObject* /*unused*/) { \
    HANDLE_TH_ERRORS                                              \
    const at::Tensor& tensor = THPVariable_Unpack(self);          \
    return wrap(static_cast<int64_t>(EXPRESSION));                \
    END_HANDLE_TH_ERRORS                                          \
  }
TORCH_INT_METHOD(dim, tensor.dim())
TORCH_INT_METHOD(numel, tensor.numel())
TORCH_INT_METHOD(element_size, tensor.element_size())
TORCH_INT_METHOD(storage_offset, tensor.storage_offset())
TORCH_INT_METHOD(get_device, tensor.get_device())
// The memory as it is, also of a conjugate or a negative.
TORCH_INT_METHOD(data_ptr, reinterpret_cast<intptr_t>(tensor.numel() == 0
                                                          ? nullptr
                                                          : tensor.unsafeGetTensorImpl()->data()))
#undef TORCH_INT_METHOD

PyObject* method_requires_grad_(PyObject* self, PyObject* const* args, Py_ssize_t nargs,
                                PyObject* kwnames) {
  HANDLE_TH_ERRORS
  static const PythonArgParser parser({"requires_grad_(bool requires_grad=True)"});
  ParsedArgs<1> parsed_args;
  auto r = parser.parse(args, nargs, kwnames, parsed_args);
  const at::Tensor& tensor = THPVariable_Unpack(self);
  const bool requires_grad = r.toBool(0);
  if (!tensor.is_leaf() && !requires_grad) {
    throw torch::RuntimeError(
        "you can only change requires_grad flags of leaf variables. "
        "If you want to use a computed variable in a subgraph that doesn't require differentiation use var_no_grad = var.detach().");
  }
  if (requires_grad && !isDifferentiableType(tensor.scalar_type())) {
    throw torch::RuntimeError("only Tensors of floating point dtype can require gradients");
  }
  tensor.set_requires_grad(requires_grad);
  return Py_NewRef(self);
  END_HANDLE_TH_ERRORS
}

PyObject* method_retain_grad(PyObject* self, PyObject* /*unused*/) {
  HANDLE_TH_ERRORS
  THPVariable_Unpack(self).retain_grad();
  Py_RETURN_NONE;
  END_HANDLE_TH_ERRORS
}

PyObject* method_is_view(PyObject* self, PyObject* /*unused*/) {
  HANDLE_TH_ERRORS
  return wrap(THPVariable_Unpack(self).is_view());
  END_HANDLE_TH_ERRORS
}

PyObject* method_is_inference(PyObject* self, PyObject* /*unused*/) {
  HANDLE_TH_ERRORS
  return wrap(THPVariable_Unpack(self).is_inference());
  END_HANDLE_TH_ERRORS
}

PyObject* method_is_conj(PyObject* self, PyObject* /*unused*/) {
  return PyBool_FromLong(THPVariable_Unpack(self).is_conj());
}
PyObject* method_is_neg(PyObject* self, PyObject* /*unused*/) {
  return PyBool_FromLong(THPVariable_Unpack(self).is_neg());
}

PyObject* method_false(PyObject* /*self*/, PyObject* /*unused*/) { Py_RETURN_FALSE; }

PyObject* method_nonzero(PyObject* self, PyObject* const* args, Py_ssize_t nargs,
                         PyObject* kwnames) {
  HANDLE_TH_ERRORS
  static const PythonArgParser parser({"nonzero(*, bool as_tuple=False)"});
  ParsedArgs<1> parsed_args;
  auto r = parser.parse(args, nargs, kwnames, parsed_args);
  const at::Tensor& tensor = THPVariable_Unpack(self);
  if (r.toBool(0)) return wrap(at::_ops::nonzero_numpy::call(tensor));
  return wrap(at::_ops::nonzero::call(tensor));
  END_HANDLE_TH_ERRORS
}

PyObject* method_new_tensor(PyObject* self, PyObject* const* args, Py_ssize_t nargs,
                            PyObject* kwnames) {
  HANDLE_TH_ERRORS
  static const PythonArgParser parser(
      {"new_tensor(PyObject* data, *, ScalarType dtype=None, Device device=None, "
       "bool requires_grad=False)"});
  ParsedArgs<4> parsed_args;
  auto r = parser.parse(args, nargs, kwnames, parsed_args);
  const at::Tensor& tensor = THPVariable_Unpack(self);
  at::Tensor result =
      utils::tensor_from_data(r.pyobject(0), r.isNone(1) ? tensor.scalar_type() : r.scalartype(1),
                              r.isNone(2) ? tensor.device() : r.device(2));
  if (r.toBool(3)) result.set_requires_grad(true);
  return wrap(std::move(result));
  END_HANDLE_TH_ERRORS
}

// TensorBase._make_subclass(cls, data, require_grad=False): an object of a subclass on the same
// data.
PyObject* static_make_subclass(PyObject* /*self*/, PyObject* const* args, Py_ssize_t nargs,
                               PyObject* kwnames) {
  HANDLE_TH_ERRORS
  static const PythonArgParser parser(
      {"_make_subclass(PyObject* cls, Tensor data, bool require_grad=False)"});
  ParsedArgs<3> parsed_args;
  auto r = parser.parse(args, nargs, kwnames, parsed_args);
  PyObject* cls = r.pyobject(0);
  if (!PyType_Check(cls))
    throw torch::TypeError("cls must be a type (got %s)", Py_TYPE(cls)->tp_name);
  at::Tensor data = at::_ops::detach::call(r.tensor(1));
  data.unsafeGetTensorImpl()->set_allow_tensor_metadata_change(true);
  data.set_requires_grad(r.toBool(2));
  return THPVariable_NewWithVar(reinterpret_cast<PyTypeObject*>(cls), std::move(data));
  END_HANDLE_TH_ERRORS
}

// x.as_subclass(cls): an object of a subclass for the same tensor in the same graph.
PyObject* method_as_subclass(PyObject* self, PyObject* const* args, Py_ssize_t nargs,
                             PyObject* kwnames) {
  HANDLE_TH_ERRORS
  static const PythonArgParser parser({"as_subclass(PyObject* cls)"});
  ParsedArgs<1> parsed_args;
  auto r = parser.parse(args, nargs, kwnames, parsed_args);
  PyObject* cls = r.pyobject(0);
  if (!PyType_Check(cls)) {
    throw torch::TypeError("cls must be a type (got %s)", Py_TYPE(cls)->tp_name);
  }
  if (!PyType_IsSubtype(reinterpret_cast<PyTypeObject*>(cls), &THPVariableType)) {
    throw torch::TypeError("cls must be a subclass of torch.Tensor (got %s)",
                           reinterpret_cast<PyTypeObject*>(cls)->tp_name);
  }
  return THPVariable_NewWithVar(reinterpret_cast<PyTypeObject*>(cls),
                                at::_ops::alias::call(THPVariable_Unpack(self)));
  END_HANDLE_TH_ERRORS
}

PyMethodDef kMethods[] = {
    {"as_subclass", as_method(method_as_subclass), METH_FASTCALL | METH_KEYWORDS, nullptr},
    TORCH_METHOD(to, method_to),
    TORCH_METHOD(bfloat16, method_bfloat16),
    TORCH_METHOD(bool, method_bool),
    TORCH_METHOD(byte, method_byte),
    TORCH_METHOD(cdouble, method_cdouble),
    TORCH_METHOD(cfloat, method_cfloat),
    TORCH_METHOD(char, method_char),
    TORCH_METHOD(double, method_double),
    TORCH_METHOD(float, method_float),
    TORCH_METHOD(half, method_half),
    TORCH_METHOD(int, method_int),
    TORCH_METHOD(long, method_long),
    TORCH_METHOD(short, method_short),
    TORCH_METHOD(cpu, method_cpu),
    TORCH_METHOD(cuda, method_cuda),
    TORCH_METHOD(type, method_type),
    TORCH_METHOD(contiguous, method_contiguous),
    TORCH_METHOD(is_contiguous, method_is_contiguous),
    TORCH_METHOD(copy_, method_copy_),
    TORCH_METHOD(numpy, method_numpy),
    TORCH_METHOD(size, method_size),
    TORCH_METHOD(stride, method_stride),
    TORCH_METHOD(requires_grad_, method_requires_grad_),
    TORCH_METHOD(nonzero, method_nonzero),
    TORCH_METHOD(new_tensor, method_new_tensor),
    TORCH_METHOD_WITHOUT_ARGUMENTS(item, method_item),
    TORCH_METHOD_WITHOUT_ARGUMENTS(tolist, method_tolist),
    TORCH_METHOD_WITHOUT_ARGUMENTS(dim, method_dim),
    TORCH_METHOD_WITHOUT_ARGUMENTS(ndimension, method_dim),
    TORCH_METHOD_WITHOUT_ARGUMENTS(numel, method_numel),
    TORCH_METHOD_WITHOUT_ARGUMENTS(nelement, method_numel),
    TORCH_METHOD_WITHOUT_ARGUMENTS(element_size, method_element_size),
    TORCH_METHOD_WITHOUT_ARGUMENTS(storage_offset, method_storage_offset),
    TORCH_METHOD_WITHOUT_ARGUMENTS(get_device, method_get_device),
    TORCH_METHOD_WITHOUT_ARGUMENTS(data_ptr, method_data_ptr),
    TORCH_METHOD_WITHOUT_ARGUMENTS(retain_grad, method_retain_grad),
    TORCH_METHOD_WITHOUT_ARGUMENTS(_is_view, method_is_view),
    TORCH_METHOD_WITHOUT_ARGUMENTS(is_inference, method_is_inference),
    TORCH_METHOD_WITHOUT_ARGUMENTS(is_conj, method_is_conj),
    TORCH_METHOD_WITHOUT_ARGUMENTS(is_neg, method_is_neg),
    {"_make_subclass", as_method(static_make_subclass), METH_FASTCALL | METH_KEYWORDS | METH_STATIC,
     nullptr},
    {nullptr, nullptr, 0, nullptr},
};

void append(std::vector<PyMethodDef>& all, PyMethodDef* table) {
  for (; table->ml_name; ++table) all.push_back(*table);
}

}  // namespace

PyMethodDef* python_variable_methods_manual() { return kMethods; }

PyMethodDef* all_variable_methods() {
  static std::vector<PyMethodDef> all = [] {
    std::vector<PyMethodDef> methods;
    append(methods, kMethods);
#define TORCH_APPEND_TABLE(NAME) append(methods, NAME());
    TORCH_FOR_EACH_METHOD_TABLE(TORCH_APPEND_TABLE)
#undef TORCH_APPEND_TABLE
    methods.push_back({nullptr, nullptr, 0, nullptr});
    return methods;
  }();
  return all.data();
}

}  // namespace torch::autograd
