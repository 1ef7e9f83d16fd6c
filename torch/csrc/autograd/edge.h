#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <utility>

namespace torch::autograd {

struct Node;

/// An input of a node: where a gradient goes. `input_nr` counts that node's inputs.
struct Edge {
  Edge() noexcept = default;
  Edge(std::shared_ptr<Node> function_, uint32_t input_nr_) noexcept
      : function(std::move(function_)), input_nr(input_nr_) {}

  /// False for the edge of a tensor that needs no gradient.
  bool is_valid() const noexcept { return function != nullptr; }

  bool operator==(const Edge& other) const noexcept {
    return function == other.function && input_nr == other.input_nr;
  }
  bool operator!=(const Edge& other) const noexcept { return !(*this == other); }

  std::shared_ptr<Node> function;
  uint32_t input_nr = 0;
};

}  // namespace torch::autograd

template <>
struct std::hash<torch::autograd::Edge> {
  size_t operator()(const torch::autograd::Edge& edge) const noexcept {
    return std::hash<torch::autograd::Node*>()(edge.function.get()) * 31 + edge.input_nr;
  }
};
