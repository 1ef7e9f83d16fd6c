#include <ATen/core/op_registration/infer_schema.h>

namespace c10::detail {

std::unique_ptr<FunctionSchema> makeInferredSchema(const TypeGetter* args, size_t n_args,
                                                   const TypeGetter* returns, size_t n_returns) {
  std::vector<Argument> arguments;
  arguments.reserve(n_args);
  for (size_t i = 0; i < n_args; ++i) arguments.emplace_back("_" + std::to_string(i), args[i]());
  std::vector<Argument> results;
  results.reserve(n_returns);
  for (size_t i = 0; i < n_returns; ++i)
    results.emplace_back("_" + std::to_string(i), returns[i]());
  return std::make_unique<FunctionSchema>("", "", std::move(arguments), std::move(results));
}

}  // namespace c10::detail
