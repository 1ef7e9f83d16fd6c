#pragma once

// Parses the arguments of a Python call against one or more signatures.
//
//   static PythonArgParser parser({
//       "add(Tensor input, Tensor other, *, Scalar alpha=1, Tensor out=None)",
//   });
//   ParsedArgs<4> parsed_args;
//   PythonArgs _r = parser.parse(self, args, nargs, kwnames, parsed_args);
//   if (_r.idx == 0) ... _r.tensor(0) ...
//
// Signatures are parsed once. A call allocates nothing: it matches borrowed references into
// `parsed_args`, and `PythonArgs` converts on request. Arguments come as CPython's vectorcall gives
// them: positional ones, then the values of the keywords `kwnames` names.
//
// Types: Tensor, Scalar, int64_t (int, SymInt), double, bool, IntArrayRef (SymIntArrayRef),
// TensorList, c10::List<std::optional<Tensor>>, ArrayRef<double>, ArrayRef<Scalar>,
// std::array<bool,N>, ScalarType, Layout, MemoryFormat, Device, Generator, c10::string_view,
// PyObject*. `?` after a type allows None, as does the default None; `[N]` after a list type lets
// one int stand for N.

#include <ATen/core/Generator.h>
#include <ATen/core/Tensor.h>
#include <c10/core/Device.h>
#include <c10/core/Layout.h>
#include <c10/core/MemoryFormat.h>
#include <c10/core/Scalar.h>
#include <c10/core/ScalarType.h>
#include <torch/csrc/Exceptions.h>
#include <torch/csrc/python_headers.h>

#include <array>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace torch {

enum class ParameterType : uint8_t {
  TENSOR,
  SCALAR,
  INT64,
  DOUBLE,
  BOOL,
  INT_LIST,
  TENSOR_LIST,
  OPTIONAL_TENSOR_LIST,
  FLOAT_LIST,
  SCALAR_LIST,
  BOOL_LIST,
  SCALARTYPE,
  LAYOUT,
  MEMORY_FORMAT,
  DEVICE,
  GENERATOR,
  STRING,
  PYOBJECT,
};

struct TORCH_PYTHON_API FunctionParameter {
  FunctionParameter(const std::string& format, bool keyword_only);

  // Whether `obj` can be converted. `failed_idx` gets the position of a sequence's bad element.
  bool check(PyObject* obj, const char* function, int argnum, int64_t* failed_idx) const;
  std::string type_name() const;

  ParameterType type;
  bool optional = false;  // has a default
  bool allow_none = false;
  bool keyword_only = false;
  bool allow_numbers_as_tensors = false;
  int size = 0;
  std::string name;
  std::string default_text;
  PyObject* python_name = nullptr;       // interned
  std::vector<PyObject*> numpy_aliases;  // interned
  // The default value, by type.
  c10::Scalar default_scalar;
  std::vector<int64_t> default_intlist;
  std::string default_string;
  int64_t default_int = 0;
  double default_double = 0;
  bool default_bool = false;
  c10::ScalarType default_scalartype = c10::ScalarType::Undefined;
  c10::Layout default_layout = c10::Layout::Strided;
  c10::MemoryFormat default_memory_format = c10::MemoryFormat::Contiguous;

 private:
  void set_default(const std::string& text);
};

struct TORCH_PYTHON_API FunctionSignature {
  FunctionSignature(const std::string& format, int index);

  // Matches the call into `dst` (`max_args` slots, null where absent). Returns false, or throws
  // TypeError with `raise_exception`, when it does not match.
  // `nvarargs`: how many positional arguments are together the list of parameter 0, else 0.
  bool parse(PyObject* const* args, Py_ssize_t nargs, PyObject* kwnames, PyObject** dst,
             Py_ssize_t* nvarargs, bool raise_exception) const;
  std::string to_string() const;

  std::string name;
  std::vector<FunctionParameter> params;
  size_t min_args = 0;
  size_t max_args = 0;
  size_t max_pos_args = 0;
  int index;
  bool hidden = false;
  bool varargs_intlist = false;
  // A factory of tensors out of nothing: without a device it makes them on the default one.
  bool uses_default_device = false;
};

// Room for the arguments of the longest signature, on the caller's stack.
template <int N>
struct ParsedArgs {
  PyObject* args[N > 0 ? N : 1];
};

struct TORCH_PYTHON_API PythonArgs {
  PythonArgs(const FunctionSignature& signature, PyObject** args,
             PyObject* const* varargs = nullptr, Py_ssize_t nvarargs = 0)
      : idx(signature.index),
        signature(signature),
        args(args),
        varargs(varargs),
        nvarargs(nvarargs) {}

  // Which signature matched.
  int idx;
  const FunctionSignature& signature;
  PyObject** args;
  // `f(2, 3)` for `f(int[] size)`: the elements of argument 0.
  PyObject* const* varargs;
  Py_ssize_t nvarargs;

  bool isNone(int i) const { return args[i] == nullptr; }
  at::Tensor tensor(int i) const;
  // The tensor itself, or `number` after it has taken the argument's value as a wrapped number.
  const at::Tensor& tensor(int i, at::Tensor& number) const;
  at::Tensor& mutableTensor(int i) const;
  // The tensors of a tuple of exactly `size` outputs.
  std::vector<at::Tensor> outputs(int i, size_t size) const;
  std::optional<at::Tensor> optionalTensor(int i) const;
  c10::Scalar scalar(int i) const;
  c10::Scalar scalarWithDefault(int i, const c10::Scalar& fallback) const;
  std::optional<c10::Scalar> scalarOptional(int i) const;
  std::vector<at::Tensor> tensorlist(int i) const;
  std::vector<std::optional<at::Tensor>> list_of_optional_tensors(int i) const;
  std::vector<c10::Scalar> scalarlist(int i) const;
  std::vector<int64_t> intlist(int i) const;
  std::optional<std::vector<int64_t>> intlistOptional(int i) const;
  std::vector<double> doublelist(int i) const;
  std::optional<std::vector<double>> doublelistOptional(int i) const;
  template <size_t N>
  std::array<bool, N> boolarray(int i) const {
    std::array<bool, N> values{};
    fill_bools(i, values.data(), N);
    return values;
  }
  int64_t toInt64(int i) const;
  int64_t toInt64WithDefault(int i, int64_t fallback) const {
    return args[i] ? toInt64(i) : fallback;
  }
  std::optional<int64_t> toInt64Optional(int i) const {
    if (!args[i]) return std::nullopt;
    return toInt64(i);
  }
  double toDouble(int i) const;
  std::optional<double> toDoubleOptional(int i) const {
    if (!args[i]) return std::nullopt;
    return toDouble(i);
  }
  bool toBool(int i) const;
  bool toBoolWithDefault(int i, bool fallback) const { return args[i] ? toBool(i) : fallback; }
  std::optional<bool> toBoolOptional(int i) const {
    if (!args[i]) return std::nullopt;
    return toBool(i);
  }
  c10::ScalarType scalartype(int i) const;
  std::optional<c10::ScalarType> scalartypeOptional(int i) const;
  c10::Layout layout(int i) const;
  std::optional<c10::Layout> layoutOptional(int i) const;
  c10::MemoryFormat memoryformat(int i) const;
  std::optional<c10::MemoryFormat> memoryformatOptional(int i) const;
  c10::Device device(int i) const;
  std::optional<c10::Device> deviceOptional(int i) const;
  std::optional<at::Generator> generator(int i) const;
  std::string_view stringView(int i) const;
  std::optional<std::string_view> stringViewOptional(int i) const;
  // The object itself (borrowed), null when absent.
  PyObject* pyobject(int i) const { return args[i]; }

 private:
  void fill_bools(int i, bool* out, size_t size) const;
};

class TORCH_PYTHON_API PythonArgParser {
 public:
  explicit PythonArgParser(std::initializer_list<const char*> formats);

  // Throws TypeError with PyTorch's text when nothing matches.
  template <int N>
  PythonArgs parse(PyObject* const* args, Py_ssize_t nargs, PyObject* kwnames,
                   ParsedArgs<N>& dst) const {
    check_capacity(N);
    return raw_parse(args, nargs, kwnames, dst.args);
  }

  // The signatures as they would be printed.
  std::vector<std::string> signatures() const;

 private:
  void check_capacity(size_t n) const {
    if (max_args_ > n) throw_capacity(n);
  }
  [[noreturn]] void throw_capacity(size_t n) const;
  [[noreturn]] void throw_mismatch(PyObject* const* args, Py_ssize_t nargs, PyObject* kwnames,
                                   PyObject** dst) const;
  PythonArgs raw_parse(PyObject* const* args, Py_ssize_t nargs, PyObject* kwnames,
                       PyObject** dst) const;

  std::vector<FunctionSignature> signatures_;
  std::string function_name_;
  size_t max_args_ = 0;
};

}  // namespace torch
