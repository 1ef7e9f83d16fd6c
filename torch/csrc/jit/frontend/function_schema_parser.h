#pragma once

#include <ATen/core/function_schema.h>
#include <ATen/core/operator_name.h>
#include <c10/macros/Export.h>

#include <string>
#include <variant>

namespace torch::jit {

// Parses `ns::name.overload(Tensor(a!) self, int dim=0, *, ScalarType? dtype=None) -> Tensor(a!)`.
// Throws with the schema, a mark under the place, and what was expected there.
TORCH_API c10::FunctionSchema parseSchema(const std::string& schema);
// Parses `ns::name.overload` alone.
TORCH_API c10::OperatorName parseName(const std::string& name);
// Parses whichever it is; a schema has a parenthesis.
TORCH_API std::variant<c10::OperatorName, c10::FunctionSchema> parseSchemaOrName(
    const std::string& schema_or_name);

}  // namespace torch::jit
