#include <torch/csrc/utils/python_arg_parser.h>

#include <torch/csrc/Device.h>
#include <torch/csrc/Dtype.h>
#include <torch/csrc/Generator.h>
#include <torch/csrc/Layout.h>
#include <torch/csrc/autograd/python_variable.h>
#include <torch/csrc/utils/invalid_arguments.h>
#include <torch/csrc/utils/python_arg_kinds.h>
#include <torch/csrc/utils/python_numbers.h>
#include <torch/csrc/utils/python_strings.h>

#include <c10/util/Exception.h>

#include <algorithm>

namespace torch {

namespace {

// The first element decides, as in PyTorch; the others are checked when they are read.
bool is_list_of(PyObject* obj, bool (*is_element)(PyObject*), int64_t* failed_idx) {
  if (!is_sequence(obj)) return false;
  if (PySequence_Fast_GET_SIZE(obj) == 0 || is_element(PySequence_Fast_GET_ITEM(obj, 0))) {
    return true;
  }
  *failed_idx = 0;
  return false;
}

bool is_python_dtype(PyObject* obj) {
  return obj == reinterpret_cast<PyObject*>(&PyFloat_Type) ||
         obj == reinterpret_cast<PyObject*>(&PyLong_Type) ||
         obj == reinterpret_cast<PyObject*>(&PyBool_Type) ||
         obj == reinterpret_cast<PyObject*>(&PyComplex_Type);
}

}  // namespace

bool FunctionParameter::check(PyObject* obj, const char* function, int argnum,
                              int64_t* failed_idx) const {
  switch (type) {
    case ParameterType::TENSOR:
      return THPVariable_Check(obj) || (allow_numbers_as_tensors && THPUtils_checkScalar(obj));
    case ParameterType::SCALAR:
      return THPUtils_checkScalar(obj) || is_zero_dim_tensor(obj);
    case ParameterType::INT64:
      return is_int(obj);
    case ParameterType::DOUBLE:
      return THPUtils_checkDouble(obj) || is_zero_dim_tensor(obj);
    case ParameterType::BOOL:
      return THPUtils_checkBool(obj);
    case ParameterType::INT_LIST:
      return is_list_of(obj, is_int, failed_idx) || (size > 0 && is_int(obj));
    case ParameterType::TENSOR_LIST:
      if (!is_sequence(obj)) return false;
      for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(obj); ++i) {
        PyObject* item = PySequence_Fast_GET_ITEM(obj, i);
        if (!THPVariable_Check(item)) {
          throw TypeError("expected Tensor as element %zd in argument %d, but got %s", i, argnum,
                          Py_TYPE(item)->tp_name);
        }
      }
      return true;
    case ParameterType::OPTIONAL_TENSOR_LIST:
      if (!is_sequence(obj)) return false;
      for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(obj); ++i) {
        PyObject* item = PySequence_Fast_GET_ITEM(obj, i);
        if (item != Py_None && !THPVariable_Check(item)) {
          *failed_idx = i;
          return false;
        }
      }
      return true;
    case ParameterType::FLOAT_LIST:
      return is_list_of(obj, THPUtils_checkDouble, failed_idx);
    case ParameterType::SCALAR_LIST:
      return is_list_of(obj, THPUtils_checkScalar, failed_idx);
    case ParameterType::BOOL_LIST:
      return is_list_of(obj, THPUtils_checkBool, failed_idx);
    case ParameterType::SCALARTYPE:
      return THPDtype_Check(obj) || is_python_dtype(obj);
    case ParameterType::LAYOUT:
      return THPLayout_Check(obj);
    case ParameterType::MEMORY_FORMAT:
      return THPMemoryFormat_Check(obj);
    case ParameterType::DEVICE:
      return THPDevice_Check(obj) || THPUtils_checkString(obj) || THPUtils_checkLong(obj);
    case ParameterType::GENERATOR:
      return THPGenerator_Check(obj);
    case ParameterType::STRING:
      return THPUtils_checkString(obj);
    case ParameterType::PYOBJECT:
      return true;
  }
  return false;
}

namespace {

// The value of keyword `name`, borrowed, or null. Names are interned, so comparing pointers almost
// always suffices.
PyObject* find_keyword(PyObject* name, PyObject* const* values, PyObject* kwnames, Py_ssize_t nkw) {
  for (Py_ssize_t i = 0; i < nkw; ++i) {
    if (PyTuple_GET_ITEM(kwnames, i) == name) return values[i];
  }
  for (Py_ssize_t i = 0; i < nkw; ++i) {
    if (PyUnicode_Compare(PyTuple_GET_ITEM(kwnames, i), name) == 0) return values[i];
  }
  return nullptr;
}

[[noreturn]] void throw_extra_args(const FunctionSignature& signature, Py_ssize_t nargs) {
  const size_t max_pos = signature.max_pos_args;
  size_t min_pos = 0;
  for (const FunctionParameter& param : signature.params) {
    if (!param.keyword_only && !param.optional) ++min_pos;
  }
  if (min_pos < max_pos) {
    throw TypeError("%s() takes from %zu to %zu positional arguments but %zd were given",
                    signature.name.c_str(), min_pos, max_pos, nargs);
  }
  throw TypeError("%s() takes %zu positional argument%s but %zd %s given", signature.name.c_str(),
                  max_pos, max_pos == 1 ? "" : "s", nargs, nargs == 1 ? "was" : "were");
}

[[noreturn]] void throw_missing_args(const FunctionSignature& signature, size_t first) {
  std::string names;
  int count = 0;
  for (size_t i = first; i < signature.params.size(); ++i) {
    const FunctionParameter& param = signature.params[i];
    if (param.optional) continue;
    names += (count++ ? ", \"" : "\"") + param.name + "\"";
  }
  // The plural is PyTorch's.
  throw TypeError("%s() missing %d required positional argument%s: %s", signature.name.c_str(),
                  count, count == 1 ? "s" : "", names.c_str());
}

[[noreturn]] void throw_extra_keywords(const FunctionSignature& signature, PyObject* kwnames,
                                       Py_ssize_t nargs) {
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(kwnames); ++i) {
    PyObject* keyword = PyTuple_GET_ITEM(kwnames, i);
    const char* text = PyUnicode_AsUTF8(keyword);
    bool known = false;
    for (size_t p = 0; p < signature.params.size(); ++p) {
      const FunctionParameter& param = signature.params[p];
      bool same = param.name == text;
      for (PyObject* alias : param.numpy_aliases) same |= PyUnicode_Compare(alias, keyword) == 0;
      if (!same) continue;
      known = true;
      if (static_cast<Py_ssize_t>(p) < nargs) {
        throw TypeError("%s() got multiple values for argument '%s'", signature.name.c_str(), text);
      }
    }
    if (!known) {
      throw TypeError("%s() got an unexpected keyword argument '%s'", signature.name.c_str(), text);
    }
  }
  throw TypeError("invalid keyword arguments");
}

}  // namespace

bool FunctionSignature::parse(PyObject* const* args, Py_ssize_t nargs, PyObject* kwnames,
                              PyObject** dst, Py_ssize_t* nvarargs, bool raise_exception) const {
  const Py_ssize_t nkw = kwnames ? PyTuple_GET_SIZE(kwnames) : 0;
  *nvarargs = 0;
  // Only a list that starts with a number may be written as several arguments.
  if (static_cast<size_t>(nargs) > max_pos_args && !(varargs_intlist && is_int(args[0]))) {
    if (raise_exception) throw_extra_args(*this, nargs);
    return false;
  }
  Py_ssize_t unused_keywords = nkw;
  for (size_t i = 0; i < max_args; ++i) {
    const FunctionParameter& param = params[i];
    PyObject* obj = nullptr;
    bool is_keyword = false;
    if (static_cast<Py_ssize_t>(i) < nargs) {
      if (param.keyword_only) {
        // Only behind a list written as several arguments.
        obj = nullptr;
      } else {
        obj = args[i];
      }
    }
    if (!obj && unused_keywords > 0) {
      obj = find_keyword(param.python_name, args + nargs, kwnames, nkw);
      for (size_t a = 0; !obj && a < param.numpy_aliases.size(); ++a) {
        obj = find_keyword(param.numpy_aliases[a], args + nargs, kwnames, nkw);
      }
      if (obj) {
        is_keyword = true;
        --unused_keywords;
      }
    }
    if (!obj) {
      if (!param.optional) {
        if (raise_exception) throw_missing_args(*this, i);
        return false;
      }
      dst[i] = nullptr;
      continue;
    }
    if (obj == Py_None && param.allow_none) {
      dst[i] = nullptr;
      continue;
    }
    int64_t failed_idx = -1;
    if (i == 0 && varargs_intlist && !is_keyword && is_int(obj)) {
      dst[0] = obj;
      *nvarargs = nargs;
      continue;
    }
    if (!param.check(obj, name.c_str(), static_cast<int>(i), &failed_idx)) {
      if (!raise_exception) return false;
      const std::string wanted = param.type_name();
      if (is_keyword) {
        throw TypeError("%s(): argument '%s' must be %s, not %s", name.c_str(), param.name.c_str(),
                        wanted.c_str(), Py_TYPE(obj)->tp_name);
      }
      if (failed_idx >= 0) {
        PyObject* item = PySequence_Fast_GET_ITEM(obj, failed_idx);
        throw TypeError(
            "%s(): argument '%s' (position %zu) must be %s, but found element of type %s at pos %lld",
            name.c_str(), param.name.c_str(), i + 1, wanted.c_str(), Py_TYPE(item)->tp_name,
            static_cast<long long>(failed_idx));
      }
      throw TypeError("%s(): argument '%s' (position %zu) must be %s, not %s", name.c_str(),
                      param.name.c_str(), i + 1, wanted.c_str(), Py_TYPE(obj)->tp_name);
    }
    dst[i] = obj;
  }
  if (unused_keywords > 0) {
    if (raise_exception) throw_extra_keywords(*this, kwnames, nargs);
    return false;
  }
  return true;
}

PythonArgParser::PythonArgParser(std::initializer_list<const char*> formats) {
  signatures_.reserve(formats.size());
  int index = 0;
  for (const char* format : formats) {
    signatures_.emplace_back(format, index++);
    max_args_ = std::max(max_args_, signatures_.back().max_args);
  }
  function_name_ = signatures_.at(0).name;
  // Hidden signatures are tried last.
  std::stable_partition(signatures_.begin(), signatures_.end(),
                        [](const FunctionSignature& signature) { return !signature.hidden; });
}

namespace {

void warn_deprecated(const FunctionSignature& signature, const std::vector<std::string>& others) {
  std::string text = "This overload of " + signature.name + " is deprecated:\n\t" + signature.name +
                     signature.to_string() +
                     "\nConsider using one of the following signatures instead:";
  for (const std::string& other : others) text += "\n\t" + signature.name + other;
  TORCH_WARN(text);
}

}  // namespace

std::vector<std::string> PythonArgParser::signatures() const {
  std::vector<std::string> texts;
  for (const FunctionSignature& signature : signatures_) {
    if (!signature.hidden) texts.push_back(signature.to_string());
  }
  return texts;
}

void PythonArgParser::throw_capacity(size_t n) const {
  throw ValueError(
      "PythonArgParser: dst ParsedArgs buffer does not have enough capacity, expected %zu (got %zu)",
      max_args_, n);
}

PythonArgs PythonArgParser::raw_parse(PyObject* const* args, Py_ssize_t nargs, PyObject* kwnames,
                                      PyObject** dst) const {
  Py_ssize_t nvarargs = 0;
  const bool single = signatures_.size() == 1;
  for (const FunctionSignature& signature : signatures_) {
    if (signature.parse(args, nargs, kwnames, dst, &nvarargs, /*raise_exception=*/single)) {
      if (signature.hidden) warn_deprecated(signature, signatures());
      return PythonArgs(signature, dst, args, nvarargs);
    }
  }
  throw_mismatch(args, nargs, kwnames, dst);
}

void PythonArgParser::throw_mismatch(PyObject* const* args, Py_ssize_t nargs, PyObject* kwnames,
                                     PyObject** dst) const {
  const size_t count = nargs + (kwnames ? PyTuple_GET_SIZE(kwnames) : 0);
  const FunctionSignature* plausible = nullptr;
  int plausible_count = 0;
  for (const FunctionSignature& signature : signatures_) {
    if (count >= signature.min_args && count <= signature.max_args && !signature.hidden) {
      plausible = &signature;
      ++plausible_count;
    }
  }
  if (plausible_count == 1) {
    Py_ssize_t nvarargs = 0;
    plausible->parse(args, nargs, kwnames, dst, &nvarargs, /*raise_exception=*/true);
  }
  throw TypeError(
      "%s", format_invalid_args(args, nargs, kwnames, function_name_ + "()", signatures()).c_str());
}

}  // namespace torch
