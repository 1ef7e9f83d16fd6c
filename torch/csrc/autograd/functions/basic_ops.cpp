#include <torch/csrc/autograd/functions/basic_ops.h>

#include <c10/util/Exception.h>
#include <torch/csrc/autograd/functions/utils.h>

#include <memory>
#include <utility>

namespace torch::autograd {

variable_list Error::apply(variable_list&& inputs) { TORCH_CHECK(false, msg); }

DelayedError::DelayedError(std::string msg, int64_t num_inputs) : msg(std::move(msg)) {
  for (int64_t i = 0; i < num_inputs; ++i) {
    add_input_metadata(Node::undefined_input());
  }
}

variable_list DelayedError::apply(variable_list&& inputs) {
  tensor_list outputs;
  outputs.reserve(inputs.size());
  for (const Variable& input : inputs) {
    outputs.emplace_back(input.defined() ? input.tensor_data() : at::Tensor());
  }
  return wrap_outputs(inputs, std::move(outputs), [&](edge_list&& next_edges) {
    return std::shared_ptr<Node>(new Error(msg, std::move(next_edges)), deleteNode);
  });
}

GraphRoot::GraphRoot(edge_list functions, variable_list inputs)
    : Node(std::move(functions)), outputs(std::move(inputs)) {
  for (const Variable& output : outputs) {
    if (output.defined()) {
      add_input_metadata(output);
    } else {
      add_input_metadata(Node::undefined_input());
    }
  }
}

variable_list Identity::apply(variable_list&& inputs) { return std::move(inputs); }

}  // namespace torch::autograd
