#pragma once

#include <ATen/core/Tensor.h>
#include <c10/macros/Export.h>
#include <torch/csrc/autograd/function.h>
#include <torch/csrc/autograd/graph_task.h>
#include <torch/csrc/autograd/input_buffer.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

namespace torch::autograd {

/// Runs backward passes, all nodes on the calling thread: an accelerator's kernels run beside it
/// anyway. A backward inside a node recurses.
struct TORCH_API Engine {
  static Engine& get_default_engine();
  /// The Python bindings install an engine that releases and takes the interpreter lock.
  static void set_default_engine_stub(Engine& (*stub)());

  Engine();
  virtual ~Engine();
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  /// Sends `inputs` into the graph at `roots`. With `outputs`, returns the gradients of these
  /// edges (or accumulates them into the leaves when `accumulate_grad`) and runs only what they
  /// need; without, runs everything and returns nothing.
  virtual variable_list execute(const edge_list& roots, const variable_list& inputs,
                                bool keep_graph, bool create_graph, bool accumulate_grad,
                                const edge_list& outputs = {});

  /// Runs `callback` at the end of the running pass.
  void queue_callback(std::function<void()> callback);

 protected:
  /// Called with the exception of a node in flight; may replace it by throwing.
  virtual void thread_on_exception(const std::shared_ptr<GraphTask>& graph_task,
                                   const std::shared_ptr<Node>& fn);

 private:
  void compute_dependencies(Node* root, GraphTask& task, uint64_t min_topo_nr);
  void run(const std::shared_ptr<GraphTask>& graph_task);
  void evaluate_function(GraphTask& graph_task, Node* func, InputBuffer& inputs);
};

/// Checks the gradients against the metadata of the edges they go to: shape, dtype, device. Sums
/// what was broadcast, casts what was promoted; throws for the rest. `format_error` completes a
/// message.
TORCH_API void validate_outputs(const edge_list& edges, variable_list& grads,
                                const std::function<std::string(const std::string&)>& format_error);

}  // namespace torch::autograd
