// The values of arguments that matched a signature.

#include <torch/csrc/utils/python_arg_parser.h>

#include <ATen/ops/item_ops.h>
#include <torch/csrc/Device.h>
#include <torch/csrc/Dtype.h>
#include <torch/csrc/Generator.h>
#include <torch/csrc/Layout.h>
#include <torch/csrc/autograd/python_variable.h>
#include <torch/csrc/utils/default_device.h>
#include <torch/csrc/utils/device_lazy_init.h>
#include <torch/csrc/utils/python_arg_kinds.h>
#include <torch/csrc/utils/python_numbers.h>
#include <torch/csrc/utils/python_scalars.h>
#include <torch/csrc/utils/python_strings.h>
#include <torch/csrc/utils/unpack_dtype.h>

#include <c10/util/Exception.h>

namespace torch {

namespace {

int64_t to_int(PyObject* obj) {
  if (THPVariable_Check(obj)) return at::_ops::item::call(THPVariable_Unpack(obj)).toLong();
  return THPUtils_unpackLong(obj);
}

}  // namespace

at::Tensor PythonArgs::tensor(int i) const {
  PyObject* obj = args[i];
  if (!obj) return at::Tensor();
  if (THPVariable_Check(obj)) return THPVariable_Unpack(obj);
  return utils::wrapped_scalar_tensor(utils::scalar_from_python(obj));
}

const at::Tensor& PythonArgs::tensor(int i, at::Tensor& number) const {
  PyObject* obj = args[i];
  if (obj && THPVariable_Check(obj)) return THPVariable_Unpack(obj);
  if (obj) number = utils::wrapped_scalar_tensor(utils::scalar_from_python(obj));
  return number;
}

at::Tensor& PythonArgs::mutableTensor(int i) const {
  return reinterpret_cast<THPVariable*>(args[i])->cdata;
}

std::vector<at::Tensor> PythonArgs::outputs(int i, size_t size) const {
  std::vector<at::Tensor> tensors = tensorlist(i);
  if (tensors.size() != size) {
    throw TypeError("expected tuple of %zu elements but got %zu", size, tensors.size());
  }
  return tensors;
}

std::optional<at::Tensor> PythonArgs::optionalTensor(int i) const {
  if (!args[i]) return std::nullopt;
  return tensor(i);
}

c10::Scalar PythonArgs::scalar(int i) const {
  if (!args[i]) return signature.params[i].default_scalar;
  return utils::scalar_from_python(args[i]);
}

c10::Scalar PythonArgs::scalarWithDefault(int i, const c10::Scalar& fallback) const {
  return args[i] ? utils::scalar_from_python(args[i]) : fallback;
}

std::optional<c10::Scalar> PythonArgs::scalarOptional(int i) const {
  if (!args[i]) return std::nullopt;
  return utils::scalar_from_python(args[i]);
}

std::vector<at::Tensor> PythonArgs::tensorlist(int i) const {
  std::vector<at::Tensor> tensors;
  if (!args[i]) return tensors;
  const Py_ssize_t size = PySequence_Fast_GET_SIZE(args[i]);
  tensors.reserve(size);
  for (Py_ssize_t k = 0; k < size; ++k) {
    tensors.push_back(THPVariable_Unpack(PySequence_Fast_GET_ITEM(args[i], k)));
  }
  return tensors;
}

std::vector<std::optional<at::Tensor>> PythonArgs::list_of_optional_tensors(int i) const {
  std::vector<std::optional<at::Tensor>> tensors;
  if (!args[i]) return tensors;
  const Py_ssize_t size = PySequence_Fast_GET_SIZE(args[i]);
  tensors.reserve(size);
  for (Py_ssize_t k = 0; k < size; ++k) {
    PyObject* item = PySequence_Fast_GET_ITEM(args[i], k);
    if (item == Py_None) {
      tensors.emplace_back();
    } else {
      tensors.emplace_back(THPVariable_Unpack(item));
    }
  }
  return tensors;
}

std::vector<c10::Scalar> PythonArgs::scalarlist(int i) const {
  std::vector<c10::Scalar> values;
  if (!args[i]) return values;
  for (Py_ssize_t k = 0; k < PySequence_Fast_GET_SIZE(args[i]); ++k) {
    values.push_back(utils::scalar_from_python(PySequence_Fast_GET_ITEM(args[i], k)));
  }
  return values;
}

std::vector<int64_t> PythonArgs::intlist(int i) const {
  const FunctionParameter& param = signature.params[i];
  PyObject* obj = args[i];
  if (!obj) return param.default_intlist;
  const bool variadic = nvarargs > 0 && i == 0;
  if (!variadic && !is_sequence(obj)) {
    return std::vector<int64_t>(param.size, to_int(obj));
  }
  PyObject* const* items = variadic ? varargs : PySequence_Fast_ITEMS(obj);
  const Py_ssize_t size = variadic ? nvarargs : PySequence_Fast_GET_SIZE(obj);
  std::vector<int64_t> values(size);
  for (Py_ssize_t k = 0; k < size; ++k) {
    if (!is_int(items[k])) {
      throw TypeError(
          "%s(): argument '%s' failed to unpack the object at pos %zd with error \"type must be %s,but got %s\"",
          signature.name.c_str(), param.name.c_str(), k + 1, param.type_name().c_str(),
          Py_TYPE(items[k])->tp_name);
    }
    try {
      values[k] = to_int(items[k]);
    } catch (const ValueError& error) {
      throw TypeError(
          "%s(): argument '%s' failed to unpack the object at pos %zd with error \"%s\"",
          signature.name.c_str(), param.name.c_str(), k + 1, error.what());
    }
  }
  return values;
}

std::optional<std::vector<int64_t>> PythonArgs::intlistOptional(int i) const {
  if (!args[i]) return std::nullopt;
  return intlist(i);
}

std::vector<double> PythonArgs::doublelist(int i) const {
  std::vector<double> values;
  if (!args[i]) return values;
  for (Py_ssize_t k = 0; k < PySequence_Fast_GET_SIZE(args[i]); ++k) {
    values.push_back(THPUtils_unpackDouble(PySequence_Fast_GET_ITEM(args[i], k)));
  }
  return values;
}

std::optional<std::vector<double>> PythonArgs::doublelistOptional(int i) const {
  if (!args[i]) return std::nullopt;
  return doublelist(i);
}

void PythonArgs::fill_bools(int i, bool* out, size_t size) const {
  if (!args[i]) return;
  if (PySequence_Fast_GET_SIZE(args[i]) != static_cast<Py_ssize_t>(size)) {
    throw TypeError("%s(): argument '%s' must be a tuple of %zu bools", signature.name.c_str(),
                    signature.params[i].name.c_str(), size);
  }
  for (size_t k = 0; k < size; ++k) {
    out[k] = THPUtils_unpackBool(PySequence_Fast_GET_ITEM(args[i], k));
  }
}

int64_t PythonArgs::toInt64(int i) const {
  return args[i] ? to_int(args[i]) : signature.params[i].default_int;
}

double PythonArgs::toDouble(int i) const {
  PyObject* obj = args[i];
  if (!obj) return signature.params[i].default_double;
  if (THPVariable_Check(obj)) return at::_ops::item::call(THPVariable_Unpack(obj)).toDouble();
  return THPUtils_unpackDouble(obj);
}

bool PythonArgs::toBool(int i) const {
  return args[i] ? THPUtils_unpackBool(args[i]) : signature.params[i].default_bool;
}

c10::ScalarType PythonArgs::scalartype(int i) const {
  PyObject* obj = args[i];
  if (!obj) {
    const c10::ScalarType type = signature.params[i].default_scalartype;
    return type == c10::ScalarType::Undefined ? c10::get_default_dtype_as_scalartype() : type;
  }
  if (THPDtype_Check(obj)) return unpack_dtype(obj);
  if (obj == reinterpret_cast<PyObject*>(&PyFloat_Type)) return c10::ScalarType::Double;
  if (obj == reinterpret_cast<PyObject*>(&PyBool_Type)) return c10::ScalarType::Bool;
  if (obj == reinterpret_cast<PyObject*>(&PyComplex_Type)) return c10::ScalarType::ComplexDouble;
  return c10::ScalarType::Long;
}

std::optional<c10::ScalarType> PythonArgs::scalartypeOptional(int i) const {
  if (!args[i] && signature.params[i].default_scalartype == c10::ScalarType::Undefined) {
    return std::nullopt;
  }
  return scalartype(i);
}

c10::Layout PythonArgs::layout(int i) const {
  return args[i] ? reinterpret_cast<THPLayout*>(args[i])->layout
                 : signature.params[i].default_layout;
}

std::optional<c10::Layout> PythonArgs::layoutOptional(int i) const {
  if (!args[i]) return std::nullopt;
  return layout(i);
}

c10::MemoryFormat PythonArgs::memoryformat(int i) const {
  return args[i] ? reinterpret_cast<THPMemoryFormat*>(args[i])->memory_format
                 : signature.params[i].default_memory_format;
}

std::optional<c10::MemoryFormat> PythonArgs::memoryformatOptional(int i) const {
  if (!args[i]) return std::nullopt;
  return memoryformat(i);
}

c10::Device PythonArgs::device(int i) const {
  PyObject* obj = args[i];
  if (!obj) return c10::Device(c10::kCPU);
  if (THPDevice_Check(obj)) return reinterpret_cast<THPDevice*>(obj)->device;
  if (THPUtils_checkLong(obj)) {
    const int64_t index = THPUtils_unpackLong(obj);
    TORCH_CHECK(index >= 0, "Device index must not be negative");
    return c10::Device(c10::kCUDA, static_cast<c10::DeviceIndex>(index));
  }
  return c10::Device(THPUtils_unpackString(obj));
}

std::optional<c10::Device> PythonArgs::deviceOptional(int i) const {
  const std::optional<c10::Device> chosen = args[i] ? device(i)
                                            : signature.uses_default_device
                                                ? utils::default_device()
                                                : std::nullopt;
  if (chosen) utils::maybe_initialize_device(*chosen);
  return chosen;
}

std::optional<at::Generator> PythonArgs::generator(int i) const {
  if (!args[i]) return std::nullopt;
  return reinterpret_cast<THPGenerator*>(args[i])->cdata;
}

std::string_view PythonArgs::stringView(int i) const {
  if (!args[i]) return signature.params[i].default_string;
  return THPUtils_unpackStringView(args[i]);
}

std::optional<std::string_view> PythonArgs::stringViewOptional(int i) const {
  if (!args[i]) return std::nullopt;
  return stringView(i);
}

}  // namespace torch
