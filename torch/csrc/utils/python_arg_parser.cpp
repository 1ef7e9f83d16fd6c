#include <torch/csrc/utils/python_arg_parser.h>

#include <ATen/detail/CUDAHooksInterface.h>
#include <ATen/ops/item_ops.h>
#include <torch/csrc/Device.h>
#include <torch/csrc/Dtype.h>
#include <torch/csrc/Generator.h>
#include <torch/csrc/Layout.h>
#include <torch/csrc/autograd/python_variable.h>
#include <torch/csrc/utils/default_device.h>
#include <torch/csrc/utils/invalid_arguments.h>
#include <torch/csrc/utils/python_numbers.h>
#include <torch/csrc/utils/python_scalars.h>
#include <torch/csrc/utils/python_strings.h>

#include <c10/util/Exception.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace torch {

namespace {

struct TypeSpelling {
  std::string_view text;
  ParameterType type;
};

constexpr TypeSpelling kTypes[] = {
    {"Tensor", ParameterType::TENSOR},
    {"Scalar", ParameterType::SCALAR},
    {"int64_t", ParameterType::INT64},
    {"int", ParameterType::INT64},
    {"SymInt", ParameterType::INT64},
    {"double", ParameterType::DOUBLE},
    {"bool", ParameterType::BOOL},
    {"IntArrayRef", ParameterType::INT_LIST},
    {"SymIntArrayRef", ParameterType::INT_LIST},
    {"TensorList", ParameterType::TENSOR_LIST},
    {"c10::List<std::optional<Tensor>>", ParameterType::OPTIONAL_TENSOR_LIST},
    {"ArrayRef<double>", ParameterType::FLOAT_LIST},
    {"ArrayRef<Scalar>", ParameterType::SCALAR_LIST},
    {"ScalarType", ParameterType::SCALARTYPE},
    {"Layout", ParameterType::LAYOUT},
    {"MemoryFormat", ParameterType::MEMORY_FORMAT},
    {"Device", ParameterType::DEVICE},
    {"Generator", ParameterType::GENERATOR},
    {"c10::string_view", ParameterType::STRING},
    {"std::string_view", ParameterType::STRING},
    {"PyObject*", ParameterType::PYOBJECT},
};

// Keywords NumPy uses for the same thing.
struct NumpyAlias {
  std::string_view name;
  const char* alias;
};

constexpr NumpyAlias kNumpyAliases[] = {
    {"dim", "axis"}, {"keepdim", "keepdims"}, {"input", "x"},
    {"input", "a"},  {"input", "x1"},         {"other", "x2"},
};

// Functions that take Python numbers where their schema says Tensor.
constexpr std::string_view kNumbersAsTensors[] = {
    "add",          "add_",         "sub",           "sub_",      "mul",
    "mul_",         "div",          "div_",          "divide",    "divide_",
    "multiply",     "multiply_",    "subtract",      "subtract_", "true_divide",
    "true_divide_", "floor_divide", "floor_divide_", "copy_"};

bool takes_numbers_as_tensors(std::string_view function) {
  for (std::string_view name : kNumbersAsTensors) {
    if (name == function) return true;
  }
  return false;
}

bool is_zero_dim_tensor(PyObject* obj) {
  if (!THPVariable_Check(obj)) return false;
  const at::Tensor& tensor = THPVariable_Unpack(obj);
  return tensor.defined() && tensor.dim() == 0 && !tensor.requires_grad();
}

bool is_int(PyObject* obj) {
  if (THPUtils_checkLong(obj)) return true;
  return is_zero_dim_tensor(obj) &&
         c10::isIntegralType(THPVariable_Unpack(obj).scalar_type(), /*includeBool=*/false);
}

bool is_sequence(PyObject* obj) { return PyTuple_Check(obj) || PyList_Check(obj); }

bool is_list_of(PyObject* obj, bool (*is_element)(PyObject*)) {
  if (!is_sequence(obj)) return false;
  return PySequence_Fast_GET_SIZE(obj) == 0 || is_element(PySequence_Fast_GET_ITEM(obj, 0));
}

int64_t to_int(PyObject* obj) {
  if (THPVariable_Check(obj)) return at::_ops::item::call(THPVariable_Unpack(obj)).toLong();
  return THPUtils_unpackLong(obj);
}

bool is_python_dtype(PyObject* obj) {
  return obj == reinterpret_cast<PyObject*>(&PyFloat_Type) ||
         obj == reinterpret_cast<PyObject*>(&PyLong_Type) ||
         obj == reinterpret_cast<PyObject*>(&PyBool_Type) ||
         obj == reinterpret_cast<PyObject*>(&PyComplex_Type);
}

std::vector<std::string> split(const std::string& text, const std::string& separator) {
  std::vector<std::string> pieces;
  size_t begin = 0;
  int depth = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '[' || text[i] == '{' || text[i] == '<') ++depth;
    if (text[i] == ']' || text[i] == '}' || text[i] == '>') --depth;
    if (depth == 0 && text.compare(i, separator.size(), separator) == 0) {
      pieces.push_back(text.substr(begin, i - begin));
      begin = i + separator.size();
    }
  }
  if (begin < text.size()) pieces.push_back(text.substr(begin));
  return pieces;
}

c10::ScalarType parse_dtype(const std::string& text) {
  if (text == "torch.int64" || text == "long") return c10::ScalarType::Long;
  if (text == "torch.float32" || text == "float") return c10::ScalarType::Float;
  if (text == "torch.float64" || text == "double") return c10::ScalarType::Double;
  if (text == "torch.bool" || text == "bool") return c10::ScalarType::Bool;
  if (text == "torch.int32" || text == "int") return c10::ScalarType::Int;
  TORCH_CHECK(false, "default dtype '", text, "' of a signature is unknown");
}

}  // namespace

FunctionParameter::FunctionParameter(const std::string& format, bool keyword_only)
    : keyword_only(keyword_only) {
  const size_t space = format.find(' ');
  TORCH_CHECK(space != std::string::npos, "FunctionParameter(): missing type: ", format);
  std::string type_text = format.substr(0, space);
  std::string name_text = format.substr(space + 1);
  if (type_text.back() == '?') {
    allow_none = true;
    type_text.pop_back();
  }
  if (type_text.rfind("std::array<bool", 0) == 0) {
    type = ParameterType::BOOL_LIST;
  } else {
    if (const size_t bracket = type_text.find('['); bracket != std::string::npos) {
      size = std::atoi(type_text.c_str() + bracket + 1);
      type_text.resize(bracket);
    }
    bool found = false;
    for (const TypeSpelling& spelling : kTypes) {
      if (spelling.text == type_text) {
        type = spelling.type;
        found = true;
      }
    }
    TORCH_CHECK(found, "FunctionParameter(): invalid type string: ", type_text);
  }
  if (const size_t equals = name_text.find('='); equals != std::string::npos) {
    optional = true;
    const std::string text = name_text.substr(equals + 1);
    name_text.resize(equals);
    set_default(text);
  }
  name = name_text;
  python_name = PyUnicode_InternFromString(name.c_str());
  for (const NumpyAlias& entry : kNumpyAliases) {
    if (entry.name == name) numpy_aliases.push_back(PyUnicode_InternFromString(entry.alias));
  }
}

void FunctionParameter::set_default(const std::string& text) {
  default_text = text;
  if (text == "None") {
    allow_none = true;
    return;
  }
  switch (type) {
    case ParameterType::SCALAR:
      if (text == "True" || text == "False") {
        default_scalar = c10::Scalar(text == "True");
      } else if (text.find_first_of(".e") == std::string::npos) {
        default_scalar = c10::Scalar(static_cast<int64_t>(std::atoll(text.c_str())));
      } else {
        default_scalar = c10::Scalar(std::atof(text.c_str()));
      }
      break;
    case ParameterType::INT64:
      if (text == "at::Reduction::Mean") {
        default_int = 1;
      } else {
        default_int = std::atoll(text.c_str());
      }
      break;
    case ParameterType::DOUBLE:
      default_double = std::atof(text.c_str());
      break;
    case ParameterType::BOOL:
      default_bool = text == "True" || text == "true";
      break;
    case ParameterType::INT_LIST:
      if (text.front() == '[' || text.front() == '{') {
        for (const std::string& piece : split(text.substr(1, text.size() - 2), ",")) {
          default_intlist.push_back(std::atoll(piece.c_str()));
        }
      } else {
        default_intlist.assign(size > 0 ? size : 1, std::atoll(text.c_str()));
      }
      break;
    case ParameterType::STRING:
      default_string = text.substr(1, text.size() - 2);
      break;
    case ParameterType::SCALARTYPE:
      default_scalartype = parse_dtype(text);
      break;
    case ParameterType::MEMORY_FORMAT:
      default_memory_format = text.find("preserve") != std::string::npos
                                  ? c10::MemoryFormat::Preserve
                                  : c10::MemoryFormat::Contiguous;
      break;
    case ParameterType::LAYOUT:
      default_layout = c10::Layout::Strided;
      break;
    default:
      TORCH_CHECK(text == "[]" || text == "{}", "parameters of type ", type_name(),
                  " take no default but None, not ", text);
  }
}

std::string FunctionParameter::type_name() const {
  switch (type) {
    case ParameterType::TENSOR:
      return "Tensor";
    case ParameterType::SCALAR:
      return "Number";
    case ParameterType::INT64:
      return "int";
    case ParameterType::DOUBLE:
      return "float";
    case ParameterType::BOOL:
      return "bool";
    case ParameterType::INT_LIST:
      return "tuple of ints";
    case ParameterType::TENSOR_LIST:
    case ParameterType::OPTIONAL_TENSOR_LIST:
      return "tuple of Tensors";
    case ParameterType::FLOAT_LIST:
      return "tuple of floats";
    case ParameterType::SCALAR_LIST:
      return "tuple of Scalars";
    case ParameterType::BOOL_LIST:
      return "tuple of bools";
    case ParameterType::SCALARTYPE:
      return "torch.dtype";
    case ParameterType::LAYOUT:
      return "torch.layout";
    case ParameterType::MEMORY_FORMAT:
      return "torch.memory_format";
    case ParameterType::DEVICE:
      return "torch.device";
    case ParameterType::GENERATOR:
      return "torch.Generator";
    case ParameterType::STRING:
      return "str";
    case ParameterType::PYOBJECT:
      return "object";
  }
  return "object";
}

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
      return is_list_of(obj, is_int) || (size > 0 && is_int(obj));
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
      return is_list_of(obj, THPUtils_checkDouble);
    case ParameterType::SCALAR_LIST:
      return is_list_of(obj, THPUtils_checkScalar);
    case ParameterType::BOOL_LIST:
      return is_list_of(obj, THPUtils_checkBool);
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

FunctionSignature::FunctionSignature(const std::string& format, int index) : index(index) {
  const size_t open = format.find('(');
  TORCH_CHECK(open != std::string::npos, "missing opening parenthesis: ", format);
  const size_t close = format.rfind(')');
  TORCH_CHECK(close != std::string::npos, "missing closing parenthesis: ", format);
  name = format.substr(0, open);
  hidden = format.find("|deprecated", close) != std::string::npos ||
           format.find("|hidden", close) != std::string::npos;

  bool keyword_only = false;
  const bool numbers = takes_numbers_as_tensors(name);
  for (const std::string& piece : split(format.substr(open + 1, close - open - 1), ", ")) {
    if (piece == "*") {
      keyword_only = true;
      continue;
    }
    params.emplace_back(piece, keyword_only);
    FunctionParameter& param = params.back();
    param.allow_numbers_as_tensors =
        numbers && param.type == ParameterType::TENSOR && param.name != "out";
    if (!param.optional) ++min_args;
    if (!keyword_only) ++max_pos_args;
  }
  max_args = params.size();
  const auto makes = [](const FunctionParameter& param) {
    return param.type == ParameterType::DEVICE && param.keyword_only && param.name == "device";
  };
  const auto reads = [](const FunctionParameter& param) {
    return param.name != "out" &&
           (param.type == ParameterType::TENSOR || param.type == ParameterType::TENSOR_LIST);
  };
  uses_default_device = std::any_of(params.begin(), params.end(), makes) &&
                        std::none_of(params.begin(), params.end(), reads) &&
                        !name.starts_with("new_");
  varargs_intlist = max_pos_args == 1 && params[0].type == ParameterType::INT_LIST;
}

std::string FunctionSignature::to_string() const {
  std::string text = "(";
  bool keyword_only = false;
  for (size_t i = 0; i < params.size(); ++i) {
    const FunctionParameter& param = params[i];
    if (i > 0) text += ", ";
    if (param.keyword_only && !keyword_only) {
      text += "*, ";
      keyword_only = true;
    }
    text += param.type_name() + " " + param.name;
    if (param.optional) text += " = " + param.default_text;
  }
  return text + ")";
}

namespace {

// The value of keyword `name`, borrowed, or null. Names are interned, so pointers nearly always do.
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
      if (failed_idx >= 0) {
        PyObject* item = PySequence_Fast_GET_ITEM(obj, failed_idx);
        throw TypeError(
            "%s(): argument '%s' (position %zu) must be %s, but found element of type "
            "%s at pos %lld",
            name.c_str(), param.name.c_str(), i + 1, wanted.c_str(), Py_TYPE(item)->tp_name,
            static_cast<long long>(failed_idx));
      }
      if (is_keyword) {
        throw TypeError("%s(): argument '%s' must be %s, not %s", name.c_str(), param.name.c_str(),
                        wanted.c_str(), Py_TYPE(obj)->tp_name);
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

std::vector<std::string> PythonArgParser::signatures() const {
  std::vector<std::string> texts;
  for (const FunctionSignature& signature : signatures_) {
    if (!signature.hidden) texts.push_back(signature.to_string());
  }
  return texts;
}

void PythonArgParser::throw_capacity(size_t n) const {
  throw ValueError(
      "PythonArgParser: dst ParsedArgs buffer does not have enough capacity, "
      "expected %zu (got %zu)",
      max_args_, n);
}

PythonArgs PythonArgParser::raw_parse(PyObject* const* args, Py_ssize_t nargs, PyObject* kwnames,
                                      PyObject** dst) const {
  Py_ssize_t nvarargs = 0;
  const bool single = signatures_.size() == 1;
  for (const FunctionSignature& signature : signatures_) {
    if (signature.parse(args, nargs, kwnames, dst, &nvarargs, /*raise_exception=*/single)) {
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
          "%s(): argument '%s' failed to unpack the object at pos %zd with error "
          "\"type must be %s,but got %s\"",
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
  if (THPDtype_Check(obj)) return reinterpret_cast<THPDtype*>(obj)->scalar_type;
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

// As torch.cuda does: without CUDA in this build, or without a GPU.
static void raise_no_gpu() {
  const THPObjectPtr cuda(PyImport_ImportModule("torch.cuda"));
  const THPObjectPtr done(cuda ? PyObject_CallMethod(cuda.get(), "init", nullptr) : nullptr);
  if (!done) throw python_error();
}

std::optional<c10::Device> PythonArgs::deviceOptional(int i) const {
  const std::optional<c10::Device> chosen = args[i] ? device(i)
                                            : signature.uses_default_device
                                                ? utils::default_device()
                                                : std::nullopt;
  if (chosen && chosen->is_cuda() && !at::detail::getCUDAHooks().hasCUDA()) raise_no_gpu();
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
