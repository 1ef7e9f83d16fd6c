#include <torch/csrc/utils/invalid_arguments.h>

#include <torch/csrc/autograd/python_variable.h>
#include <torch/csrc/utils/python_numbers.h>

#include <map>

namespace torch {

namespace {

struct Argument {
  std::string type;
  std::string name;
};

// "(Tensor input, *, Number alpha = 1)" in pieces; the star is a piece, as it is in the count
// below.
std::vector<Argument> split_option(const std::string& option) {
  std::vector<Argument> arguments;
  const std::string body = option.substr(1, option.size() - 2);
  size_t begin = 0;
  while (begin < body.size()) {
    size_t end = body.find(", ", begin);
    if (end == std::string::npos) end = body.size();
    std::string piece = body.substr(begin, end - begin);
    begin = end + 2;
    if (const size_t equals = piece.find(" = "); equals != std::string::npos) piece.resize(equals);
    const size_t space = piece.rfind(' ');
    if (space == std::string::npos) {
      arguments.push_back({piece, ""});
    } else {
      arguments.push_back({piece.substr(0, space), piece.substr(space + 1)});
    }
  }
  return arguments;
}

std::string type_name(PyObject* obj) { return Py_TYPE(obj)->tp_name; }

// The type with that of the first element of a sequence: "list of [int]".
std::string detailed_type_name(PyObject* obj) {
  const bool tuple = PyTuple_Check(obj);
  if (!tuple && !PyList_Check(obj)) return type_name(obj);
  std::string text = tuple ? "tuple of (" : "list of [";
  const Py_ssize_t size = PySequence_Fast_GET_SIZE(obj);
  for (Py_ssize_t i = 0; i < size; ++i) {
    if (i > 0) text += ", ";
    text += type_name(PySequence_Fast_GET_ITEM(obj, i));
  }
  if (tuple && size == 1) text += ",";
  return text + (tuple ? ")" : "]");
}

bool matches(const std::string& type, PyObject* obj) {
  if (type == "Tensor") return THPVariable_Check(obj);
  if (type == "Number") return THPUtils_checkScalar(obj);
  if (type == "int") return THPUtils_checkLong(obj);
  if (type == "float") return THPUtils_checkDouble(obj);
  if (type == "bool") return PyBool_Check(obj);
  if (type == "str") return PyUnicode_Check(obj);
  if (type == "object") return true;
  if (type == "tuple of ints" || type == "tuple of Tensors") {
    if (!PyTuple_Check(obj) && !PyList_Check(obj)) return false;
    for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(obj); ++i) {
      PyObject* item = PySequence_Fast_GET_ITEM(obj, i);
      if (type == "tuple of ints" ? !THPUtils_checkLong(item) : !THPVariable_Check(item)) {
        return false;
      }
    }
    return true;
  }
  return type == Py_TYPE(obj)->tp_name;
}

}  // namespace

std::string format_invalid_args(PyObject* const* args, Py_ssize_t nargs, PyObject* kwnames,
                                const std::string& function_name,
                                const std::vector<std::string>& options) {
  std::map<std::string, PyObject*> keywords;
  const Py_ssize_t nkw = kwnames ? PyTuple_GET_SIZE(kwnames) : 0;
  for (Py_ssize_t i = 0; i < nkw; ++i) {
    keywords[PyUnicode_AsUTF8(PyTuple_GET_ITEM(kwnames, i))] = args[nargs + i];
  }

  std::string message = function_name + " received an invalid combination of arguments - got (";
  for (Py_ssize_t i = 0; i < nargs; ++i) {
    if (i > 0) message += ", ";
    message += type_name(args[i]);
  }
  bool first = true;
  for (const auto& [name, value] : keywords) {
    if (nargs > 0 || !first) message += ", ";
    message += name + "=" + type_name(value);
    first = false;
  }
  if (nargs == 0 && nkw > 0) message += ", ";
  message += "), but expected ";
  if (options.size() == 1) return message + options[0];
  message += "one of:\n";

  for (const std::string& option : options) {
    message += " * " + option + "\n";
    const std::vector<Argument> expected = split_option(option);
    // As in PyTorch, `*` and `out` count.
    if (expected.size() != static_cast<size_t>(nargs + nkw)) continue;

    std::string unknown;
    for (const auto& [name, value] : keywords) {
      bool known = false;
      for (const Argument& argument : expected) known |= argument.name == name;
      if (known) continue;
      unknown += (unknown.empty() ? "" : ", ") + name;
    }
    if (!unknown.empty()) {
      message +=
          "      didn't match because some of the keywords were incorrect: " + unknown + "\n";
      continue;
    }
    message += "      didn't match because some of the arguments have invalid types: (";
    size_t position = 0;
    for (Py_ssize_t i = 0; i < nargs; ++i, ++position) {
      if (position > 0) message += ", ";
      const bool good = position < expected.size() && matches(expected[position].type, args[i]);
      message += good ? detailed_type_name(args[i]) : "!" + detailed_type_name(args[i]) + "!";
    }
    for (const auto& [name, value] : keywords) {
      if (position++ > 0) message += ", ";
      bool good = false;
      for (const Argument& argument : expected) {
        good |= argument.name == name && matches(argument.type, value);
      }
      message += name + "=" + (good ? type_name(value) : "!" + type_name(value) + "!");
    }
    message += ")\n";
  }
  return message;
}

}  // namespace torch
