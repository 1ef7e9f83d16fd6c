#include <torch/csrc/utils/python_scalars.h>

#include <ATen/ScalarOps.h>
#include <ATen/ops/item_ops.h>
#include <c10/util/Exception.h>
#include <c10/util/overflows.h>
#include <torch/csrc/Exceptions.h>
#include <torch/csrc/autograd/python_variable.h>
#include <torch/csrc/utils/python_numbers.h>

#include <cstring>
#include <type_traits>

namespace torch::utils {

namespace {

template <typename T>
T read(const void* data) {
  T value;
  std::memcpy(&value, data, sizeof(T));
  return value;
}

template <typename T>
void write(void* data, T value) {
  std::memcpy(data, &value, sizeof(T));
}

void write_uint64(void* data, PyObject* obj) {
  THPObjectPtr number(PyNumber_Index(obj));
  if (!number) throw python_error();
  const unsigned long long value = PyLong_AsUnsignedLongLong(number);
  if (PyErr_Occurred()) throw python_error();
  write<uint64_t>(data, value);
}

template <typename T>
void write_integer(void* data, PyObject* obj, const char* type_name) {
  if constexpr (std::is_same_v<T, uint64_t>) {
    if (!PyFloat_Check(obj)) return write_uint64(data, obj);
  }
  const bool fraction = PyFloat_Check(obj);
  const int64_t integer = fraction ? 0 : THPUtils_unpackLong(obj);
  if (fraction ? c10::overflows<T, double>(PyFloat_AS_DOUBLE(obj))
               : c10::overflows<T, int64_t>(integer)) {
    throw torch::RuntimeError("value cannot be converted to type %s without overflow", type_name);
  }
  write<T>(data, fraction ? static_cast<T>(PyFloat_AS_DOUBLE(obj)) : static_cast<T>(integer));
}

// Above the range of int64_t there is uint64_t.
c10::Scalar integer_from_python(PyObject* obj) {
  THPObjectPtr number(PyNumber_Index(obj));
  if (!number) throw python_error();
  int overflow = 0;
  const long long value = PyLong_AsLongLongAndOverflow(number, &overflow);
  if (value == -1 && PyErr_Occurred()) throw python_error();
  if (overflow == 0) return c10::Scalar(static_cast<int64_t>(value));
  const unsigned long long large = PyLong_AsUnsignedLongLong(number);
  if (PyErr_Occurred()) throw python_error();
  return c10::Scalar(static_cast<uint64_t>(large));
}

Py_complex to_complex(PyObject* obj) {
  const Py_complex value = PyComplex_AsCComplex(obj);
  if (value.real == -1.0 && PyErr_Occurred()) throw python_error();
  return value;
}

}  // namespace

PyObject* load_scalar(const void* data, c10::ScalarType type) {
  switch (type) {
    case c10::ScalarType::Byte:
      return PyLong_FromLong(read<uint8_t>(data));
    case c10::ScalarType::Char:
      return PyLong_FromLong(read<int8_t>(data));
    case c10::ScalarType::Short:
      return PyLong_FromLong(read<int16_t>(data));
    case c10::ScalarType::Int:
      return PyLong_FromLong(read<int32_t>(data));
    case c10::ScalarType::Long:
      return PyLong_FromLongLong(read<int64_t>(data));
    case c10::ScalarType::UInt16:
      return PyLong_FromLong(read<uint16_t>(data));
    case c10::ScalarType::UInt32:
      return PyLong_FromUnsignedLong(read<uint32_t>(data));
    case c10::ScalarType::UInt64:
      return PyLong_FromUnsignedLongLong(read<uint64_t>(data));
    case c10::ScalarType::Bool:
      return PyBool_FromLong(read<uint8_t>(data) != 0);
    case c10::ScalarType::Half:
      return PyFloat_FromDouble(static_cast<float>(read<c10::Half>(data)));
    case c10::ScalarType::BFloat16:
      return PyFloat_FromDouble(static_cast<float>(read<c10::BFloat16>(data)));
    case c10::ScalarType::Float:
      return PyFloat_FromDouble(read<float>(data));
    case c10::ScalarType::Double:
      return PyFloat_FromDouble(read<double>(data));
    case c10::ScalarType::ComplexFloat: {
      const auto* parts = static_cast<const float*>(data);
      return PyComplex_FromDoubles(parts[0], parts[1]);
    }
    case c10::ScalarType::ComplexDouble: {
      const auto* parts = static_cast<const double*>(data);
      return PyComplex_FromDoubles(parts[0], parts[1]);
    }
    default:
      throw torch::TypeError("elements of type %s have no Python counterpart", c10::toString(type));
  }
}

void store_scalar(void* data, c10::ScalarType type, PyObject* obj) {
  THPObjectPtr item;
  if (THPVariable_Check(obj)) {
    const at::Tensor& tensor = THPVariable_Unpack(obj);
    if (tensor.numel() != 1) {
      throw torch::ValueError("only one element tensors can be converted to Python scalars");
    }
    item = scalar_to_python(at::_ops::item::call(tensor));
    if (!item) throw python_error();
    obj = item;
  }
  switch (type) {
    case c10::ScalarType::Byte:
      return write_integer<uint8_t>(data, obj, "uint8");
    case c10::ScalarType::Char:
      return write_integer<int8_t>(data, obj, "int8");
    case c10::ScalarType::Short:
      return write_integer<int16_t>(data, obj, "int16");
    case c10::ScalarType::Int:
      return write_integer<int32_t>(data, obj, "int32");
    case c10::ScalarType::Long:
      return write_integer<int64_t>(data, obj, "int64");
    case c10::ScalarType::UInt16:
      return write_integer<uint16_t>(data, obj, "uint16");
    case c10::ScalarType::UInt32:
      return write_integer<uint32_t>(data, obj, "uint32");
    case c10::ScalarType::UInt64:
      return write_integer<uint64_t>(data, obj, "uint64");
    case c10::ScalarType::Bool:
      return write<uint8_t>(data, THPUtils_unpackBool(obj));
    case c10::ScalarType::Half:
      return write<c10::Half>(data, c10::Half(static_cast<float>(THPUtils_unpackDouble(obj))));
    case c10::ScalarType::BFloat16:
      return write<c10::BFloat16>(data,
                                  c10::BFloat16(static_cast<float>(THPUtils_unpackDouble(obj))));
    case c10::ScalarType::Float:
      return write<float>(data, static_cast<float>(THPUtils_unpackDouble(obj)));
    case c10::ScalarType::Double:
      return write<double>(data, THPUtils_unpackDouble(obj));
    case c10::ScalarType::ComplexFloat: {
      const Py_complex value = to_complex(obj);
      const float parts[2] = {static_cast<float>(value.real), static_cast<float>(value.imag)};
      std::memcpy(data, parts, sizeof(parts));
      return;
    }
    case c10::ScalarType::ComplexDouble: {
      const Py_complex value = to_complex(obj);
      std::memcpy(data, &value, sizeof(value));
      return;
    }
    default:
      throw torch::TypeError("elements of type %s have no Python counterpart", c10::toString(type));
  }
}

c10::Scalar scalar_from_python(PyObject* obj) {
  if (PyFloat_CheckExact(obj)) return c10::Scalar(PyFloat_AS_DOUBLE(obj));
  if (THPVariable_Check(obj)) return at::_ops::item::call(THPVariable_Unpack(obj));
  if (PyBool_Check(obj)) return c10::Scalar(THPUtils_unpackBool(obj));
  // As in PyTorch: a bool of NumPy counts as a number with a fraction.
  if (THPUtils_checkBool(obj)) return c10::Scalar(THPUtils_unpackBool(obj) ? 1.0 : 0.0);
  if (THPUtils_checkLong(obj)) return integer_from_python(obj);
  if (THPUtils_checkDouble(obj)) return c10::Scalar(THPUtils_unpackDouble(obj));
  const Py_complex value = to_complex(obj);
  return c10::Scalar(c10::complex<double>(value.real, value.imag));
}

PyObject* scalar_to_python(const c10::Scalar& scalar) {
  if (scalar.isBoolean()) return PyBool_FromLong(scalar.toBool());
  if (scalar.isFloatingPoint()) return PyFloat_FromDouble(scalar.toDouble());
  if (scalar.isComplex()) {
    const auto value = scalar.toComplexDouble();
    return PyComplex_FromDoubles(value.real(), value.imag());
  }
  if (scalar.type() == c10::ScalarType::UInt64) {
    return PyLong_FromUnsignedLongLong(scalar.toUInt64());
  }
  return PyLong_FromLongLong(scalar.toLong());
}

at::Tensor wrapped_scalar_tensor(const c10::Scalar& scalar) {
  return at::native::wrapped_scalar_tensor(scalar);
}

}  // namespace torch::utils
