#include <torch/csrc/autograd/autograd.h>

#include <ATen/ops/ones_like.h>
#include <c10/util/Exception.h>
#include <torch/csrc/autograd/engine.h>
#include <torch/csrc/autograd/function.h>
#include <torch/csrc/autograd/functions/basic_ops.h>

#include <cstddef>
#include <memory>
#include <utility>

namespace torch::autograd {

namespace {

// The gradients to start from; ones where a one-element tensor leaves its undefined.
variable_list make_grads(const variable_list& outputs, const variable_list& grad_outputs) {
  if (grad_outputs.empty()) {
    return make_grads(outputs, variable_list(outputs.size()));
  }
  TORCH_CHECK(outputs.size() == grad_outputs.size(), "got ", outputs.size(), " tensors and ",
              grad_outputs.size(), " gradients");
  variable_list grads;
  grads.reserve(outputs.size());
  for (size_t i = 0; i < outputs.size(); ++i) {
    const Variable& output = outputs[i];
    if (grad_outputs[i].defined()) {
      TORCH_CHECK(grad_outputs[i].sizes() == output.sizes(), "Mismatch in shape: grad_output[", i,
                  "] has a shape of ", grad_outputs[i].sizes(), " and output[", i,
                  "] has a shape of ", output.sizes(), ".");
      grads.push_back(grad_outputs[i]);
    } else if (output.requires_grad()) {
      TORCH_CHECK(output.numel() == 1, "grad can be implicitly created only for scalar outputs");
      TORCH_CHECK(c10::isFloatingType(output.scalar_type()),
                  "grad can be implicitly created only for real scalar outputs but got ",
                  output.scalar_type());
      grads.push_back(at::ones_like(output));
    } else {
      grads.emplace_back();
    }
  }
  return grads;
}

edge_list root_edges(const variable_list& outputs) {
  edge_list roots;
  roots.reserve(outputs.size());
  for (size_t i = 0; i < outputs.size(); ++i) {
    Edge edge = impl::gradient_edge(outputs[i]);
    TORCH_CHECK(edge.is_valid(), "element ", i,
                " of tensors does not require grad and does not have a grad_fn");
    roots.push_back(std::move(edge));
  }
  return roots;
}

// Where the gradients of `inputs` come out.
edge_list input_edges(const variable_list& inputs, bool accumulate_grad) {
  edge_list edges;
  edges.reserve(inputs.size());
  for (const Variable& input : inputs) {
    const auto& grad_fn = input.grad_fn();
    if (grad_fn) {
      edges.emplace_back(grad_fn, static_cast<uint32_t>(input.output_nr()));
      continue;
    }
    TORCH_CHECK(input.requires_grad(), "One of the differentiated Tensors does not require grad");
    // A leaf without an accumulator is in no graph; a stand-in never runs.
    auto accumulator =
        accumulate_grad ? impl::grad_accumulator(input) : impl::try_get_grad_accumulator(input);
    if (accumulator == nullptr) {
      accumulator = std::shared_ptr<Node>(new Identity(), deleteNode);
    }
    edges.emplace_back(std::move(accumulator), 0);
  }
  return edges;
}

}  // namespace

void backward(const variable_list& tensors, const variable_list& grad_tensors,
              std::optional<bool> retain_graph, bool create_graph, const variable_list& inputs) {
  const edge_list roots = root_edges(tensors);
  const variable_list grads = make_grads(tensors, grad_tensors);
  if (tensors.empty()) {
    return;
  }
  for (const Variable& input : inputs) {
    TORCH_CHECK(
        input.requires_grad(),
        "One of the differentiated Tensors given as 'inputs' to backward is not a leaf Tensor");
  }
  const edge_list outputs = input_edges(inputs, /*accumulate_grad=*/true);
  Engine::get_default_engine().execute(roots, grads, retain_graph.value_or(create_graph),
                                       create_graph, /*accumulate_grad=*/true, outputs);
}

variable_list grad(const variable_list& outputs, const variable_list& inputs,
                   const variable_list& grad_outputs, std::optional<bool> retain_graph,
                   bool create_graph, bool allow_unused) {
  TORCH_CHECK(!inputs.empty(), "grad requires non-empty inputs.");
  const edge_list roots = root_edges(outputs);
  const variable_list grads = make_grads(outputs, grad_outputs);
  const edge_list edges = input_edges(inputs, /*accumulate_grad=*/false);
  variable_list results =
      Engine::get_default_engine().execute(roots, grads, retain_graph.value_or(create_graph),
                                           create_graph, /*accumulate_grad=*/false, edges);
  for (size_t i = 0; i < results.size() && !allow_unused; ++i) {
    TORCH_CHECK(results[i].defined(), "The differentiated Tensor at index ", i,
                " appears to not have been used in the graph. "
                "Set allow_unused=True if this is the desired behavior.");
  }
  return results;
}

}  // namespace torch::autograd
