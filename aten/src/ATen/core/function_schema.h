#pragma once

#include <ATen/core/alias_info.h>
#include <ATen/core/ivalue.h>
#include <ATen/core/jit_type.h>
#include <ATen/core/operator_name.h>
#include <c10/macros/Export.h>

#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace c10 {

// An argument or a result in a schema: `Tensor(a!) self`, `int dim=0`.
class TORCH_API Argument {
 public:
  Argument(std::string name, TypePtr type, std::optional<IValue> default_value = std::nullopt,
           bool kwarg_only = false, std::optional<AliasInfo> alias_info = std::nullopt)
      : name_(std::move(name)),
        type_(std::move(type)),
        default_value_(std::move(default_value)),
        alias_info_(std::move(alias_info)),
        kwarg_only_(kwarg_only) {}

  const std::string& name() const { return name_; }
  const TypePtr& type() const { return type_; }
  const std::optional<IValue>& default_value() const { return default_value_; }
  bool kwarg_only() const { return kwarg_only_; }
  const std::optional<AliasInfo>& alias_info() const { return alias_info_; }
  // Whether the operator writes to the argument: `Tensor(a!)`.
  bool is_write() const { return alias_info_ && alias_info_->isWrite(); }

 private:
  std::string name_;
  TypePtr type_;
  std::optional<IValue> default_value_;
  std::optional<AliasInfo> alias_info_;
  bool kwarg_only_;
};

// The signature of an operator: `ns::name.overload(Tensor self, int dim=0) -> Tensor`.
class TORCH_API FunctionSchema {
 public:
  FunctionSchema(std::string name, std::string overload_name, std::vector<Argument> arguments,
                 std::vector<Argument> returns, bool is_vararg = false, bool is_varret = false)
      : name_(std::move(name), std::move(overload_name)),
        arguments_(std::move(arguments)),
        returns_(std::move(returns)),
        is_vararg_(is_vararg),
        is_varret_(is_varret) {}

  const OperatorName& operator_name() const { return name_; }
  const std::string& name() const { return name_.name; }
  const std::string& overload_name() const { return name_.overload_name; }
  const std::vector<Argument>& arguments() const { return arguments_; }
  const std::vector<Argument>& returns() const { return returns_; }
  // Whether more arguments, or results, may follow: `...` in the schema.
  bool is_vararg() const { return is_vararg_; }
  bool is_varret() const { return is_varret_; }
  // Whether the operator writes to an argument.
  bool is_mutable() const;
  // The position of an argument; nullopt if there is none of the name.
  std::optional<size_t> argumentIndexWithName(std::string_view name) const;
  // Puts `ns::` in front of a name that has no namespace; returns whether it had none.
  bool setNamespaceIfNotSet(std::string_view ns) { return name_.setNamespaceIfNotSet(ns); }
  // A copy with another name.
  FunctionSchema cloneWithName(std::string name, std::string overload_name) const {
    return FunctionSchema(std::move(name), std::move(overload_name), arguments_, returns_,
                          is_vararg_, is_varret_);
  }

 private:
  OperatorName name_;
  std::vector<Argument> arguments_;
  std::vector<Argument> returns_;
  bool is_vararg_;
  bool is_varret_;
};

TORCH_API bool operator==(const Argument& a, const Argument& b);
TORCH_API bool operator==(const FunctionSchema& a, const FunctionSchema& b);
// The schema as `native_functions.yaml` writes it; parsing it again gives an equal schema.
TORCH_API std::string toString(const FunctionSchema& schema);
TORCH_API std::ostream& operator<<(std::ostream& out, const FunctionSchema& schema);

// The reason why a kernel with the schema `inferred` from its C++ signature cannot implement
// `specified`; nullopt if it can. Names, defaults and aliasing are not compared: a C++ signature
// does not have them.
TORCH_API std::optional<std::string> findSchemaDifferences(const FunctionSchema& inferred,
                                                           const FunctionSchema& specified);

}  // namespace c10
