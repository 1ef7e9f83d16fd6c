#pragma once

#include <c10/macros/Export.h>

#include <string>

namespace torch::autograd {

struct Node;

/// Debugging of backward passes: every node remembers where its forward ran, an error in a node
/// says so, and gradients are checked for NaN if wanted. One switch for all threads.
struct TORCH_API AnomalyMode {
  static bool is_enabled();
  static bool should_check_nan();
  static void set_enabled(bool enabled, bool check_nan = true);

  /// What tells the place in the program: the Python bindings set it.
  using StackFunction = std::string (*)();
  static void set_stack_function(StackFunction function);

  /// Notes in the node's metadata the place, and the node whose backward makes this one.
  static void record(Node& node);
  /// Warns with what `record` noted.
  static void print_stack(Node& node);
};

}  // namespace torch::autograd
