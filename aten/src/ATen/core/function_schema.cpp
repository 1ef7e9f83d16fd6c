#include <ATen/core/function_schema.h>

#include <c10/util/Exception.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <ostream>
#include <sstream>
#include <vector>

namespace c10 {

namespace {

std::string typeWithAlias(const Argument& arg) {
  std::string type = arg.type()->str();
  if (!arg.alias_info()) return type;
  // The annotation follows the innermost type: `Tensor(a!)[]`, `Tensor(a)?`.
  const auto end = type.find_first_of("[?");
  const auto at = end == std::string::npos ? type.size() : end;
  return type.insert(at, arg.alias_info()->str());
}

void printReturns(std::ostream& out, const FunctionSchema& schema) {
  const auto& returns = schema.returns();
  const bool parentheses = returns.size() != 1 || schema.is_varret();
  if (parentheses) out << "(";
  for (size_t i = 0; i < returns.size(); ++i) {
    if (i > 0) out << ", ";
    out << typeWithAlias(returns[i]);
    if (!returns[i].name().empty()) out << " " << returns[i].name();
  }
  if (schema.is_varret()) out << (returns.empty() ? "..." : ", ...");
  if (parentheses) out << ")";
}

// Several integers that are one, which a schema may write as one: `int[2] stride=1`.
bool isOneInteger(const Argument& arg, const IValue& value) {
  if (!value.isIntList() || arg.type()->kind() != TypeKind::ListType) return false;
  if (arg.type()->getElementType()->kind() != TypeKind::IntType || !arg.type()->size())
    return false;
  const std::vector<int64_t> values = value.toIntVector();
  return values.size() > 1 &&
         std::count(values.begin(), values.end(), values[0]) == std::ssize(values);
}

void printDefault(std::ostream& out, const Argument& arg) {
  const IValue& value = *arg.default_value();
  if (value.isString()) {
    out << '"' << value.toStringRef() << '"';
  } else if (isOneInteger(arg, value)) {
    out << value.toListRef().front();
  } else {
    out << value;
  }
}

std::optional<std::string> findDifferences(const char* what, const std::vector<Argument>& inferred,
                                           const std::vector<Argument>& specified) {
  if (inferred.size() != specified.size()) {
    return c10::str("The number of ", what, "s is different. ", specified.size(), " vs ",
                    inferred.size(), ".");
  }
  for (size_t i = 0; i < inferred.size(); ++i) {
    if (!isCompatible(*inferred[i].type(), *specified[i].type())) {
      return c10::str("Type mismatch in ", what, " ", i + 1, ": ", specified[i].type()->str(),
                      " vs ", inferred[i].type()->str(), ".");
    }
  }
  return std::nullopt;
}

}  // namespace

bool FunctionSchema::is_mutable() const {
  for (const Argument& arg : arguments_) {
    if (arg.is_write()) return true;
  }
  return false;
}

std::optional<size_t> FunctionSchema::argumentIndexWithName(std::string_view name) const {
  for (size_t i = 0; i < arguments_.size(); ++i) {
    if (arguments_[i].name() == name) return i;
  }
  return std::nullopt;
}

bool operator==(const Argument& a, const Argument& b) {
  if (a.name() != b.name() || !(*a.type() == *b.type()) || a.kwarg_only() != b.kwarg_only() ||
      a.alias_info() != b.alias_info() ||
      a.default_value().has_value() != b.default_value().has_value()) {
    return false;
  }
  if (!a.default_value()) return true;
  std::ostringstream left, right;
  left << *a.default_value();
  right << *b.default_value();
  return left.str() == right.str();
}

bool operator==(const FunctionSchema& a, const FunctionSchema& b) {
  return a.operator_name() == b.operator_name() && a.arguments() == b.arguments() &&
         a.returns() == b.returns() && a.is_vararg() == b.is_vararg() &&
         a.is_varret() == b.is_varret();
}

std::ostream& operator<<(std::ostream& out, const FunctionSchema& schema) {
  out << schema.operator_name() << "(";
  bool first = true;
  bool seen_kwarg_only = false;
  for (const Argument& arg : schema.arguments()) {
    if (!first) out << ", ";
    first = false;
    if (arg.kwarg_only() && !seen_kwarg_only) {
      out << "*, ";
      seen_kwarg_only = true;
    }
    out << typeWithAlias(arg) << " " << arg.name();
    if (arg.default_value()) {
      out << "=";
      printDefault(out, arg);
    }
  }
  if (schema.is_vararg()) out << (first ? "..." : ", ...");
  out << ") -> ";
  printReturns(out, schema);
  return out;
}

std::string toString(const FunctionSchema& schema) {
  std::ostringstream out;
  out << schema;
  return out.str();
}

std::optional<std::string> findSchemaDifferences(const FunctionSchema& inferred,
                                                 const FunctionSchema& specified) {
  if (specified.is_vararg() || specified.is_varret()) return std::nullopt;
  if (auto difference = findDifferences("argument", inferred.arguments(), specified.arguments())) {
    return difference;
  }
  return findDifferences("return value", inferred.returns(), specified.returns());
}

}  // namespace c10
