#include <torch/csrc/jit/frontend/function_schema_parser.h>

#include <ATen/core/custom_class.h>
#include <c10/core/Layout.h>
#include <c10/core/MemoryFormat.h>
#include <c10/core/ScalarType.h>
#include <c10/util/Exception.h>

#include <cctype>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace torch::jit {

namespace {

using c10::Argument;
using c10::FunctionSchema;
using c10::IValue;
using c10::OperatorName;
using c10::Type;
using c10::TypeKind;
using c10::TypePtr;

struct Token {
  // A punctuation's own text, or "ident", "number", "string", "eof".
  std::string kind;
  std::string text;
  size_t begin;
  size_t end;
};

std::vector<Token> tokenize(const std::string& source);

class Parser {
 public:
  explicit Parser(const std::string& source) : source_(source), tokens_(tokenize(source)) {}

  OperatorName parseName() {
    std::string name = expect("ident").text;
    while (accept("::")) name += "::" + expect("ident").text;
    std::string overload;
    if (accept(".")) overload = expect("ident").text;
    return OperatorName(std::move(name), std::move(overload));
  }

  FunctionSchema parseSchema() {
    OperatorName name = parseName();
    std::vector<Argument> arguments;
    bool is_vararg = false;
    bool kwarg_only = false;
    expect("(");
    parseList(")", [&] {
      if (is_vararg) fail("... must be the last element of the argument list");
      if (accept("*")) {
        kwarg_only = true;
      } else if (accept("...")) {
        is_vararg = true;
      } else {
        arguments.push_back(parseArgument(/*is_return=*/false, kwarg_only));
      }
    });
    std::vector<Argument> returns;
    bool is_varret = false;
    expect("->");
    if (accept("...")) {
      is_varret = true;
    } else if (accept("(")) {
      parseList(")", [&] {
        if (accept("...")) {
          is_varret = true;
        } else {
          returns.push_back(parseArgument(/*is_return=*/true, /*kwarg_only=*/false));
        }
      });
    } else {
      auto [type, alias] = parseType();
      returns.emplace_back("", std::move(type), std::nullopt, false, std::move(alias));
    }
    return FunctionSchema(std::move(name.name), std::move(name.overload_name), std::move(arguments),
                          std::move(returns), is_vararg, is_varret);
  }

  void expectEnd() { expect("eof"); }
  bool atParenthesis() const { return at("("); }

 private:
  const Token& current() const { return tokens_[pos_]; }
  bool at(std::string_view kind) const { return current().kind == kind; }
  bool accept(std::string_view kind) {
    if (!at(kind)) return false;
    ++pos_;
    return true;
  }
  const Token& expect(std::string_view kind) {
    if (!at(kind)) {
      fail(c10::str("expected ", kind, " but found '", current().kind, "' here:"), /*colon=*/false);
    }
    return tokens_[pos_++];
  }
  // Elements between commas, up to `close`.
  template <typename F>
  void parseList(std::string_view close, const F& parse_element) {
    if (accept(close)) return;
    do {
      parse_element();
    } while (accept(","));
    expect(close);
  }
  [[noreturn]] void fail(const std::string& what, bool colon = true) const {
    const Token& token = current();
    const size_t length = token.end > token.begin ? token.end - token.begin : 1;
    TORCH_CHECK(false, what, colon ? ":\n" : "\n", source_, "\n", std::string(token.begin, ' '),
                std::string(length, '~'), " <--- HERE\n");
  }

  Argument parseArgument(bool is_return, bool kwarg_only) {
    auto [type, alias] = parseType();
    std::string name;
    if (at("ident")) {
      name = expect("ident").text;
    } else if (!is_return) {
      expect("ident");
    }
    std::optional<IValue> default_value;
    if (!is_return && accept("=")) default_value = parseDefault(*type);
    return Argument(std::move(name), std::move(type), std::move(default_value), kwarg_only,
                    std::move(alias));
  }

  std::pair<TypePtr, std::optional<c10::AliasInfo>> parseType() {
    TypePtr type;
    std::optional<c10::AliasInfo> alias;
    if (accept("(")) {
      std::vector<TypePtr> elements;
      parseList(")", [&] { elements.push_back(parseType().first); });
      type = Type::tuple(std::move(elements));
    } else if (at("ident") && current().text == "Dict") {
      ++pos_;
      expect("(");
      TypePtr key = parseType().first;
      expect(",");
      TypePtr value = parseType().first;
      expect(")");
      type = Type::dict(std::move(key), std::move(value));
    } else if (at("ident") && current().text == "__torch__") {
      type = parseClass();
    } else {
      type = Type::get(parseTypeName());
      if (type->kind() == TypeKind::TensorType && at("(")) alias = parseAlias();
    }
    while (true) {
      if (accept("?")) {
        type = Type::optional(std::move(type));
      } else if (accept("[")) {
        std::optional<int32_t> size;
        if (at("number")) size = std::atoi(expect("number").text.c_str());
        expect("]");
        type = Type::list(std::move(type), size);
        if (at("(")) alias = parseAlias();
      } else {
        return {std::move(type), std::move(alias)};
      }
    }
  }

  TypeKind parseTypeName() {
    static const std::pair<std::string_view, TypeKind> kNames[] = {
        {"Tensor", TypeKind::TensorType},
        {"int", TypeKind::IntType},
        {"SymInt", TypeKind::SymIntType},
        {"float", TypeKind::FloatType},
        {"bool", TypeKind::BoolType},
        {"str", TypeKind::StringType},
        {"Scalar", TypeKind::NumberType},
        {"number", TypeKind::NumberType},
        {"complex", TypeKind::ComplexType},
        {"Device", TypeKind::DeviceObjType},
        {"DeviceIndex", TypeKind::IntType},
        {"Generator", TypeKind::GeneratorType},
        {"Stream", TypeKind::StreamObjType},
        {"Storage", TypeKind::StorageType},
        {"ScalarType", TypeKind::ScalarTypeType},
        {"Layout", TypeKind::LayoutType},
        {"MemoryFormat", TypeKind::MemoryFormatType},
        {"Any", TypeKind::AnyType},
        {"NoneType", TypeKind::NoneType},
    };
    if (!at("ident")) expect("ident");
    for (const auto& [name, kind] : kNames) {
      if (current().text == name) {
        ++pos_;
        return kind;
      }
    }
    fail(
        "\nunknown type specifier. Common valid schema types include Tensor, SymInt, int, float, bool, Scalar; for a full list, please see https://github.com/pytorch/pytorch/blob/main/aten/src/ATen/native/README.md#func ");
  }

  // `__torch__.torch.classes.ns.Name`
  TypePtr parseClass() {
    const size_t begin = pos_;
    std::string name = expect("ident").text;
    while (accept(".")) name += "." + expect("ident").text;
    TypePtr type = getCustomClass(name);
    if (type == nullptr) {
      pos_ = begin;
      fail(c10::str(
          "Unknown custom class type ", name,
          ". Please ensure it is registered: m.class_<T>(\"Name\") comes before the schema, in a TORCH_LIBRARY block"));
    }
    return type;
  }

  // `(a)`, `(a!)`, `(a -> *)`, `(a! -> a|b)`.
  c10::AliasInfo parseAlias() {
    expect("(");
    std::string set = accept("*") ? "*" : expect("ident").text;
    while (accept("|")) set += "|" + expect("ident").text;
    const bool is_write = accept("!");
    if (accept("->")) {
      set += " -> ";
      set += accept("*") ? "*" : expect("ident").text;
      while (accept("|")) set += "|" + expect("ident").text;
    }
    expect(")");
    return c10::AliasInfo(std::move(set), is_write);
  }

  IValue parseDefault(const Type& type) {
    if (at("ident") && current().text == "None") {
      ++pos_;
      return IValue();
    }
    switch (type.kind()) {
      case TypeKind::OptionalType:
        return parseDefault(*type.getElementType());
      case TypeKind::ListType:
        return parseListDefault(type);
      case TypeKind::TensorType:
      case TypeKind::GeneratorType:
      case TypeKind::StreamObjType:
      case TypeKind::StorageType:
      case TypeKind::DictType:
      case TypeKind::ClassType:
        fail(c10::str("expected None but found '", current().kind, "' here:"), /*colon=*/false);
      case TypeKind::StringType:
        return IValue(expect("string").text);
      case TypeKind::DeviceObjType:
        return IValue(c10::Device(at("string") ? expect("string").text : expect("ident").text));
      default:
        return parseScalarDefault(type.kind());
    }
  }

  IValue parseListDefault(const Type& type) {
    const Type& element = *type.getElementType();
    std::vector<IValue> values;
    if (accept("[")) {
      parseList("]", [&] { values.push_back(parseDefault(element)); });
    } else {
      // `int[2] stride=1` means [1, 1].
      if (!type.size()) expect("[");
      values.assign(static_cast<size_t>(*type.size()), parseDefault(element));
    }
    return IValue(
        c10::make_intrusive<c10::detail::ListImpl>(std::move(values), type.getElementType()));
  }

  IValue parseScalarDefault(TypeKind kind) {
    if (at("ident")) {
      const std::string text = current().text;
      if (text == "True" || text == "False") {
        ++pos_;
        return IValue(text == "True");
      }
      if (kind == TypeKind::FloatType || kind == TypeKind::NumberType) {
        if (text == "inf" || text == "nan") {
          ++pos_;
          return IValue(toDouble(text));
        }
      }
      if (const auto value = enumerator(text)) {
        ++pos_;
        return IValue(*value);
      }
      fail(c10::str("unknown default value '", text, "'"));
    }
    const bool negative = accept("-");
    const std::string text = (negative ? "-" : "") + expect("number").text;
    const bool is_float = text.find_first_of(".eE") != std::string::npos;
    if (kind == TypeKind::ComplexType) {
      const double value = toDouble(text);
      const bool imaginary = at("ident") && current().text == "j";
      if (imaginary) ++pos_;
      return IValue(imaginary ? c10::complex<double>(0, value) : c10::complex<double>(value, 0));
    }
    if (kind == TypeKind::FloatType || (kind == TypeKind::NumberType && is_float)) {
      return IValue(toDouble(text));
    }
    int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size()) {
      --pos_;
      fail(c10::str("expected an integer of 64 bits but found ", text));
    }
    return IValue(value);
  }

  // The value of the last token.
  double toDouble(const std::string& text) {
    errno = 0;
    const double value = std::strtod(text.c_str(), nullptr);
    if (errno == ERANGE && std::abs(value) == HUGE_VAL) {
      --pos_;
      fail(c10::str("expected a number of double precision but found ", text));
    }
    return value;
  }

  // The number of a name that schemas use for one.
  static std::optional<int64_t> enumerator(const std::string& name) {
    const auto number = [](auto e) { return static_cast<int64_t>(e); };
    static const std::pair<std::string_view, int64_t> kNames[] = {
        {"Mean", 1},
        {"Sum", 2},
        {"strided", number(c10::Layout::Strided)},
        {"contiguous_format", number(c10::MemoryFormat::Contiguous)},
        {"preserve_format", number(c10::MemoryFormat::Preserve)},
        {"channels_last", number(c10::MemoryFormat::ChannelsLast)},
        {"float", number(c10::ScalarType::Float)},
        {"double", number(c10::ScalarType::Double)},
        {"half", number(c10::ScalarType::Half)},
        {"bfloat16", number(c10::ScalarType::BFloat16)},
        {"long", number(c10::ScalarType::Long)},
        {"int", number(c10::ScalarType::Int)},
        {"short", number(c10::ScalarType::Short)},
        {"uint8", number(c10::ScalarType::Byte)},
        {"int8", number(c10::ScalarType::Char)},
        {"bool", number(c10::ScalarType::Bool)},
        {"float16", number(c10::ScalarType::Half)},
        {"float32", number(c10::ScalarType::Float)},
        {"float64", number(c10::ScalarType::Double)},
        {"int16", number(c10::ScalarType::Short)},
        {"int32", number(c10::ScalarType::Int)},
        {"int64", number(c10::ScalarType::Long)},
        {"uint16", number(c10::ScalarType::UInt16)},
        {"uint32", number(c10::ScalarType::UInt32)},
        {"uint64", number(c10::ScalarType::UInt64)},
        {"complex32", number(c10::ScalarType::ComplexHalf)},
        {"complex64", number(c10::ScalarType::ComplexFloat)},
        {"complex128", number(c10::ScalarType::ComplexDouble)},
    };
    for (const auto& [known, value] : kNames) {
      if (name == known) return value;
    }
    return std::nullopt;
  }

  const std::string& source_;
  std::vector<Token> tokens_;
  size_t pos_ = 0;
};

bool isIdentifierChar(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }
bool isDigit(char c) { return std::isdigit(static_cast<unsigned char>(c)); }

// Of the number that `text` begins with: digits with a point among them, and an exponent.
size_t numberLength(std::string_view text) {
  const auto digits_from = [&](size_t at) {
    while (at < text.size() && isDigit(text[at])) ++at;
    return at;
  };
  size_t length = digits_from(0);
  if (length < text.size() && text[length] == '.') length = digits_from(length + 1);
  if (length < text.size() && (text[length] == 'e' || text[length] == 'E')) {
    size_t exponent = length + 1;
    if (exponent < text.size() && (text[exponent] == '-' || text[exponent] == '+')) ++exponent;
    if (digits_from(exponent) > exponent) length = digits_from(exponent);
  }
  return length;
}

std::vector<Token> tokenize(const std::string& source) {
  std::vector<Token> tokens;
  size_t i = 0;
  const auto add = [&](std::string kind, size_t length) {
    tokens.push_back({std::move(kind), source.substr(i, length), i, i + length});
    i += length;
  };
  while (i < source.size()) {
    const char c = source[i];
    if (std::isspace(static_cast<unsigned char>(c))) {
      ++i;
    } else if (isDigit(c) || (c == '.' && i + 1 < source.size() && isDigit(source[i + 1]))) {
      add("number", numberLength(std::string_view(source).substr(i)));
    } else if (isIdentifierChar(c)) {
      size_t length = 0;
      while (i + length < source.size() && isIdentifierChar(source[i + length])) ++length;
      add("ident", length);
    } else if (c == '"' || c == '\'') {
      const size_t end = source.find(c, i + 1);
      TORCH_CHECK(end != std::string::npos, "expected a closing ", std::string(1, c),
                  " but the schema ends here:\n", source, "\n", std::string(i, ' '),
                  "~ <--- HERE\n");
      tokens.push_back({"string", source.substr(i + 1, end - i - 1), i, end + 1});
      i = end + 1;
    } else if (source.compare(i, 3, "...") == 0) {
      add("...", 3);
    } else if (source.compare(i, 2, "->") == 0 || source.compare(i, 2, "::") == 0) {
      add(source.substr(i, 2), 2);
    } else {
      add(std::string(1, c), 1);
    }
  }
  tokens.push_back({"eof", "", source.size(), source.size()});
  return tokens;
}

}  // namespace

FunctionSchema parseSchema(const std::string& schema) {
  Parser parser(schema);
  FunctionSchema parsed = parser.parseSchema();
  parser.expectEnd();
  return parsed;
}

OperatorName parseName(const std::string& name) {
  Parser parser(name);
  OperatorName parsed = parser.parseName();
  parser.expectEnd();
  return parsed;
}

std::variant<OperatorName, FunctionSchema> parseSchemaOrName(const std::string& schema_or_name) {
  Parser parser(schema_or_name);
  OperatorName name = parser.parseName();
  if (parser.atParenthesis()) return parseSchema(schema_or_name);
  parser.expectEnd();
  return name;
}

}  // namespace torch::jit
