#pragma once

#include <torch/csrc/autograd/function.h>
#include <torch/csrc/autograd/variable.h>

#include <string>
#include <utility>

namespace torch::autograd {

/// Throws `msg` when a gradient reaches it.
struct TORCH_API Error : public Node {
  Error(std::string msg, edge_list&& next_edges)
      : Node(std::move(next_edges)), msg(std::move(msg)) {}
  explicit Error(std::string msg) : msg(std::move(msg)) {}

  variable_list apply(variable_list&& inputs) override;

  std::string msg;
};

/// Node of an operator without a derivative.
struct TORCH_API NotImplemented : public Error {
  NotImplemented(const std::string& forward_fn, edge_list&& next_edges)
      : Error("derivative for " + forward_fn + " is not implemented", std::move(next_edges)) {}
  explicit NotImplemented(const std::string& forward_fn)
      : Error("derivative for " + forward_fn + " is not implemented") {}
};

/// Node that can be applied once (`Function.once_differentiable`).
struct TORCH_API DelayedError : public Node {
  DelayedError(std::string msg, int64_t num_inputs);
  variable_list apply(variable_list&& inputs) override;

  std::string msg;
};

/// A root that passes what it gets to the roots of a pass.
struct TORCH_API GraphRoot : public Node {
  GraphRoot(edge_list functions, variable_list inputs);
  variable_list apply(variable_list&& inputs) override { return outputs; }

  variable_list outputs;
};

/// y = x.
struct TORCH_API Identity : public Node {
  variable_list apply(variable_list&& inputs) override;
};

}  // namespace torch::autograd
