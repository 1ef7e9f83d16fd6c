#include <torch/csrc/utils/python_ivalue.h>

#include <ATen/core/Dict.h>
#include <ATen/core/Generator.h>
#include <ATen/core/Tensor.h>
#include <c10/core/Device.h>
#include <c10/core/Scalar.h>
#include <c10/util/Exception.h>
#include <c10/util/complex_type.h>
#include <c10/util/intrusive_ptr.h>
#include <torch/csrc/Device.h>
#include <torch/csrc/Dtype.h>
#include <torch/csrc/Exceptions.h>
#include <torch/csrc/Generator.h>
#include <torch/csrc/Layout.h>
#include <torch/csrc/autograd/python_variable.h>
#include <torch/csrc/utils/object_ptr.h>
#include <torch/csrc/utils/python_custom_class.h>
#include <torch/csrc/utils/python_numbers.h>
#include <torch/csrc/utils/python_scalars.h>
#include <torch/csrc/utils/python_strings.h>
#include <torch/csrc/utils/unpack_dtype.h>

#include <cstddef>
#include <cstdint>
#include <exception>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace torch {

using c10::IValue;
using c10::TypeKind;

namespace {

std::optional<IValue> number_from_python(PyObject* obj, TypeKind kind) {
  const bool integer = THPUtils_checkLong(obj) && !PyBool_Check(obj);
  switch (kind) {
    case TypeKind::BoolType:
      if (PyBool_Check(obj)) return IValue(obj == Py_True);
      return std::nullopt;
    case TypeKind::IntType:
    case TypeKind::SymIntType:
      if (integer) return IValue(static_cast<int64_t>(THPUtils_unpackLong(obj)));
      return std::nullopt;
    case TypeKind::FloatType:
      if (PyFloat_Check(obj)) return IValue(PyFloat_AS_DOUBLE(obj));
      if (integer) return IValue(static_cast<double>(THPUtils_unpackLong(obj)));
      return std::nullopt;
    default:
      if (PyBool_Check(obj) || PyFloat_Check(obj) || PyComplex_Check(obj) || integer) {
        return IValue(utils::scalar_from_python(obj));
      }
      return std::nullopt;
  }
}

std::optional<IValue> list_from_python(PyObject* obj, const c10::Type& type) {
  const c10::TypePtr& element = type.getElementType();
  std::vector<IValue> values;
  if (!PyList_Check(obj) && !PyTuple_Check(obj)) {
    // `int[2]` takes one number for all.
    const std::optional<IValue> value =
        type.size() ? ivalue_from_python(obj, *element) : std::nullopt;
    if (!value) return std::nullopt;
    values.assign(static_cast<size_t>(*type.size()), *value);
  } else {
    THPObjectPtr items(PySequence_Fast(obj, "expected a sequence"));
    if (!items) throw python_error();
    for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(items.get()); ++i) {
      std::optional<IValue> value =
          ivalue_from_python(PySequence_Fast_GET_ITEM(items.get(), i), *element);
      if (!value) return std::nullopt;
      values.push_back(*std::move(value));
    }
  }
  return IValue(c10::make_intrusive<c10::detail::ListImpl>(std::move(values), element));
}

std::optional<IValue> dict_from_python(PyObject* obj, const c10::Type& type) {
  if (!PyDict_Check(obj)) return std::nullopt;
  auto dict = c10::make_intrusive<c10::detail::DictImpl>(type.getKeyType(), type.getValueType());
  PyObject* key = nullptr;
  PyObject* value = nullptr;
  Py_ssize_t at = 0;
  while (PyDict_Next(obj, &at, &key, &value)) {
    std::optional<IValue> k = ivalue_from_python(key, *type.getKeyType());
    std::optional<IValue> v = ivalue_from_python(value, *type.getValueType());
    if (!k || !v) return std::nullopt;
    dict->insert(*std::move(k), *std::move(v), /*assign=*/true);
  }
  return IValue(std::move(dict));
}

std::optional<IValue> tuple_from_python(PyObject* obj, const c10::Type& type) {
  const std::vector<c10::TypePtr>& types = type.containedTypes();
  if (!PyTuple_Check(obj) || PyTuple_GET_SIZE(obj) != static_cast<Py_ssize_t>(types.size())) {
    return std::nullopt;
  }
  std::vector<IValue> elements;
  for (size_t i = 0; i < types.size(); ++i) {
    std::optional<IValue> value =
        ivalue_from_python(PyTuple_GET_ITEM(obj, static_cast<Py_ssize_t>(i)), *types[i]);
    if (!value) return std::nullopt;
    elements.push_back(*std::move(value));
  }
  return IValue(c10::make_intrusive<c10::ivalue::Tuple>(std::move(elements)));
}

// Where a schema says Any: the type that the object has.
c10::TypePtr type_of_object(PyObject* obj) {
  const auto get = [](TypeKind kind) { return c10::Type::get(kind); };
  if (obj == Py_None) return get(TypeKind::NoneType);
  if (THPVariable_Check(obj)) return get(TypeKind::TensorType);
  if (PyBool_Check(obj)) return get(TypeKind::BoolType);
  if (THPUtils_checkLong(obj)) return get(TypeKind::IntType);
  if (PyFloat_Check(obj)) return get(TypeKind::FloatType);
  if (PyComplex_Check(obj)) return get(TypeKind::ComplexType);
  if (THPUtils_checkString(obj)) return get(TypeKind::StringType);
  if (THPDevice_Check(obj)) return get(TypeKind::DeviceObjType);
  if (THPGenerator_Check(obj)) return get(TypeKind::GeneratorType);
  if (THPScriptObject_Check(obj)) {
    return reinterpret_cast<THPScriptObject*>(obj)->cdata->type;
  }
  const c10::TypePtr any = get(TypeKind::AnyType);
  if (PyTuple_Check(obj)) {
    return c10::Type::tuple(
        std::vector<c10::TypePtr>(static_cast<size_t>(PyTuple_GET_SIZE(obj)), any));
  }
  if (PyList_Check(obj)) return c10::Type::list(any);
  if (PyDict_Check(obj)) return c10::Type::dict(any, any);
  return nullptr;
}

// The type that a value has.
c10::TypePtr type_of_value(const IValue& value) {
  const auto get = [](TypeKind kind) { return c10::Type::get(kind); };
  if (value.isTensor()) return get(TypeKind::TensorType);
  if (value.isBool()) return get(TypeKind::BoolType);
  if (value.isInt()) return get(TypeKind::IntType);
  if (value.isDouble()) return get(TypeKind::FloatType);
  if (value.isComplexDouble()) return get(TypeKind::ComplexType);
  if (value.isString()) return get(TypeKind::StringType);
  if (value.isDevice()) return get(TypeKind::DeviceObjType);
  if (value.isGenerator()) return get(TypeKind::GeneratorType);
  if (value.isObject()) return value.toObjectRef().type;
  const c10::TypePtr any = get(TypeKind::AnyType);
  if (value.isTuple()) {
    return c10::Type::tuple(std::vector<c10::TypePtr>(value.toTupleRef().size(), any));
  }
  // Lists and dicts know more than their values: a list of ScalarType has ints.
  if (value.isList()) return c10::Type::list(value.toListImpl()->elementType);
  if (value.isGenericDict()) {
    return c10::Type::dict(value.toDictImpl()->keyType, value.toDictImpl()->valueType);
  }
  return get(TypeKind::StreamObjType);
}

}  // namespace

std::optional<IValue> ivalue_from_python(PyObject* obj, const c10::Type& type) {
  switch (type.kind()) {
    case TypeKind::OptionalType:
      if (obj == Py_None) return IValue();
      return ivalue_from_python(obj, *type.getElementType());
    case TypeKind::ListType:
      return list_from_python(obj, type);
    case TypeKind::TensorType:
      if (!THPVariable_Check(obj)) return std::nullopt;
      return IValue(THPVariable_Unpack(obj));
    case TypeKind::DictType:
      return dict_from_python(obj, type);
    case TypeKind::TupleType:
      return tuple_from_python(obj, type);
    case TypeKind::ClassType:
      if (!THPScriptObject_Check(obj) ||
          !(*reinterpret_cast<THPScriptObject*>(obj)->cdata->type == type)) {
        return std::nullopt;
      }
      return IValue(reinterpret_cast<THPScriptObject*>(obj)->cdata);
    case TypeKind::AnyType: {
      const c10::TypePtr found = type_of_object(obj);
      if (!found) return std::nullopt;
      return ivalue_from_python(obj, *found);
    }
    case TypeKind::NoneType:
      if (obj != Py_None) return std::nullopt;
      return IValue();
    case TypeKind::BoolType:
    case TypeKind::IntType:
    case TypeKind::SymIntType:
    case TypeKind::FloatType:
    case TypeKind::NumberType:
      return number_from_python(obj, type.kind());
    case TypeKind::ComplexType: {
      std::optional<IValue> number = number_from_python(obj, TypeKind::NumberType);
      if (number) number = IValue(number->toScalar().to<c10::complex<double>>());
      return number;
    }
    case TypeKind::StringType:
      if (!THPUtils_checkString(obj)) return std::nullopt;
      return IValue(THPUtils_unpackString(obj));
    case TypeKind::DeviceObjType:
      if (THPUtils_checkString(obj)) return IValue(c10::Device(THPUtils_unpackString(obj)));
      if (!THPDevice_Check(obj)) return std::nullopt;
      return IValue(reinterpret_cast<THPDevice*>(obj)->device);
    case TypeKind::ScalarTypeType:
      if (!THPDtype_Check(obj)) return std::nullopt;
      return IValue(unpack_dtype(obj));
    case TypeKind::LayoutType:
      if (!THPLayout_Check(obj)) return std::nullopt;
      return IValue(reinterpret_cast<THPLayout*>(obj)->layout);
    case TypeKind::MemoryFormatType:
      if (!THPMemoryFormat_Check(obj)) return std::nullopt;
      return IValue(reinterpret_cast<THPMemoryFormat*>(obj)->memory_format);
    case TypeKind::GeneratorType:
      if (!THPGenerator_Check(obj)) return std::nullopt;
      return IValue(reinterpret_cast<THPGenerator*>(obj)->cdata);
    default:
      return std::nullopt;
  }
}

PyObject* ivalue_to_python(const IValue& value, const c10::Type& type) {
  if (value.isNone()) Py_RETURN_NONE;
  switch (type.kind()) {
    case TypeKind::OptionalType:
      return ivalue_to_python(value, *type.getElementType());
    case TypeKind::TensorType:
      return THPVariable_Wrap(value.toTensor());
    case TypeKind::BoolType:
      return PyBool_FromLong(value.toBool());
    case TypeKind::IntType:
    case TypeKind::SymIntType:
      return THPUtils_packInt64(value.toInt());
    case TypeKind::FloatType:
      return PyFloat_FromDouble(value.toDouble());
    case TypeKind::NumberType:
    case TypeKind::ComplexType:
      return utils::scalar_to_python(value.toScalar());
    case TypeKind::GeneratorType:
      return THPGenerator_New(value.toGenerator());
    case TypeKind::AnyType:
      return ivalue_to_python(value, *type_of_value(value));
    case TypeKind::ClassType:
      return THPScriptObject_New(value.toObject());
    case TypeKind::DictType: {
      THPObjectPtr dict(PyDict_New());
      if (!dict) throw python_error();
      for (const auto& entry : value.toGenericDict()) {
        THPObjectPtr k(ivalue_to_python(entry.key(), *type.getKeyType()));
        THPObjectPtr v(ivalue_to_python(entry.value(), *type.getValueType()));
        if (!k || !v || PyDict_SetItem(dict, k, v) < 0) throw python_error();
      }
      return dict.release();
    }
    case TypeKind::TupleType: {
      const std::vector<IValue>& values = value.toTupleRef().elements();
      THPObjectPtr tuple(PyTuple_New(static_cast<Py_ssize_t>(values.size())));
      if (!tuple) throw python_error();
      for (size_t i = 0; i < values.size(); ++i) {
        PyTuple_SET_ITEM(tuple.get(), static_cast<Py_ssize_t>(i),
                         ivalue_to_python(values[i], *type.containedTypes().at(i)));
      }
      return tuple.release();
    }
    case TypeKind::StringType:
      return THPUtils_packString(value.toStringView());
    case TypeKind::DeviceObjType:
      return THPDevice_New(value.toDevice());
    case TypeKind::ScalarTypeType:
      return Py_NewRef(getTHPDtype(value.toScalarType()));
    case TypeKind::LayoutType:
      return Py_NewRef(getTHPLayout(value.toLayout()));
    case TypeKind::MemoryFormatType:
      return Py_NewRef(getTHPMemoryFormat(value.toMemoryFormat()));
    case TypeKind::ListType: {
      const std::vector<IValue>& values = value.toListRef();
      THPObjectPtr list(PyList_New(static_cast<Py_ssize_t>(values.size())));
      if (!list) throw python_error();
      for (size_t i = 0; i < values.size(); ++i) {
        PyList_SET_ITEM(list.get(), static_cast<Py_ssize_t>(i),
                        ivalue_to_python(values[i], *type.getElementType()));
      }
      return list.release();
    }
    default:
      TORCH_CHECK(false, "torch.ops cannot return a ", type.str());
  }
}

c10::Stack arguments_from_python(const c10::FunctionSchema& schema, PyObject* args,
                                 PyObject* kwargs) {
  const auto& formals = schema.arguments();
  const auto count = static_cast<size_t>(PyTuple_GET_SIZE(args));
  size_t positional = 0;
  while (positional < formals.size() && !formals[positional].kwarg_only()) ++positional;
  TORCH_CHECK(count <= positional, schema.name(), "() expected at most ", positional,
              " argument(s) but received ", count, " argument(s). Declaration: ", toString(schema));
  c10::Stack stack;
  Py_ssize_t used = 0;
  for (size_t i = 0; i < formals.size(); ++i) {
    const c10::Argument& formal = formals[i];
    PyObject* actual = i < count ? PyTuple_GET_ITEM(args, static_cast<Py_ssize_t>(i)) : nullptr;
    if (PyObject* named = PyDict_GetItemString(kwargs, formal.name().c_str())) {
      TORCH_CHECK(!actual, schema.name(), "() got multiple values for argument '", formal.name(),
                  "'. Declaration: ", toString(schema));
      actual = named;
      ++used;
    }
    if (!actual) {
      TORCH_CHECK(formal.default_value(), schema.name(), "() is missing value for argument '",
                  formal.name(), "'. Declaration: ", toString(schema));
      stack.push_back(*formal.default_value());
      continue;
    }
    std::optional<IValue> value = ivalue_from_python(actual, *formal.type());
    TORCH_CHECK(value, schema.name(), "() Expected a value of type '", formal.type()->str(),
                "' for argument '", formal.name(), "' but instead found type '",
                Py_TYPE(actual)->tp_name, "'. Declaration: ", toString(schema));
    stack.push_back(*std::move(value));
  }
  if (used < PyDict_Size(kwargs)) {
    PyObject* key = nullptr;
    Py_ssize_t at = 0;
    while (PyDict_Next(kwargs, &at, &key, nullptr)) {
      const std::string name = THPUtils_unpackString(key);
      bool known = false;
      for (const c10::Argument& formal : formals) known |= formal.name() == name;
      TORCH_CHECK(known, "Unknown keyword argument '", name, "' for operator '", schema.name(),
                  "'. Schema: ", toString(schema));
    }
  }
  return stack;
}

void translate_exception_as_pybind11(const std::exception_ptr& exception) {
  try {
    std::rethrow_exception(exception);
  } catch (const std::out_of_range& e) {
    PyErr_SetString(PyExc_IndexError, e.what());
  } catch (const std::invalid_argument& e) {
    PyErr_SetString(PyExc_ValueError, e.what());
  } catch (const std::domain_error& e) {
    PyErr_SetString(PyExc_ValueError, e.what());
  } catch (const std::length_error& e) {
    PyErr_SetString(PyExc_ValueError, e.what());
  } catch (const std::range_error& e) {
    PyErr_SetString(PyExc_ValueError, e.what());
  } catch (const std::overflow_error& e) {
    PyErr_SetString(PyExc_OverflowError, e.what());
  } catch (...) {
    translate_exception_to_python(exception);
  }
}

}  // namespace torch
