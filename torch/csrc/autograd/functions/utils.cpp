#include <torch/csrc/autograd/functions/utils.h>

#include <c10/util/Exception.h>

#include <cstddef>
#include <utility>

namespace torch::autograd {

variable_list wrap_outputs(const variable_list& inputs, tensor_list&& outputs,
                           const function_constructor& constructor) {
  variable_list results;
  results.reserve(outputs.size());
  if (!any_variable_requires_grad(inputs)) {
    for (at::Tensor& output : outputs) {
      results.push_back(output.defined() ? make_variable(output, /*requires_grad=*/false)
                                         : Variable());
    }
    return results;
  }
  const auto grad_fn = constructor(collect_next_edges(at::TensorList(inputs)));
  for (at::Tensor& output : outputs) {
    if (!output.defined()) {
      grad_fn->add_input_metadata(Node::undefined_input());
      results.emplace_back();
      continue;
    }
    Variable variable = make_variable(output, /*requires_grad=*/false);
    create_gradient_edge(variable, grad_fn);
    results.push_back(std::move(variable));
  }
  return results;
}

void check_input_variables(const char* name, const variable_list& inputs, int args,
                           int required_args, bool allow_undefined) {
  if (required_args == -1) {
    required_args = args;
  }
  TORCH_CHECK(inputs.size() == static_cast<size_t>(args), name, ": expected ", args,
              " arguments (got ", inputs.size(), ")");
  for (int i = 0; i < required_args; ++i) {
    TORCH_CHECK(allow_undefined || inputs[i].defined(), name, ": expected Tensor at argument ", i,
                " (got None)");
  }
}

}  // namespace torch::autograd
