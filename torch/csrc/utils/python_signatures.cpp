// The text of a signature, such as "add(Tensor input, Tensor other, *, Scalar alpha=1)", and back.

#include <torch/csrc/utils/python_arg_parser.h>

#include <c10/util/Exception.h>

#include <algorithm>
#include <cstdlib>

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
    {"DeviceIndex", ParameterType::INT64},
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
      allow_none = allow_none || text == "[]";
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

FunctionSignature::FunctionSignature(const std::string& format, int index) : index(index) {
  const size_t open = format.find('(');
  TORCH_CHECK(open != std::string::npos, "missing opening parenthesis: ", format);
  const size_t close = format.rfind(')');
  TORCH_CHECK(close != std::string::npos, "missing closing parenthesis: ", format);
  name = format.substr(0, open);
  hidden = format.find("|deprecated", close) != std::string::npos;

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

}  // namespace torch
