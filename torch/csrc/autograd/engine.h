#pragma once

#include <ATen/core/Tensor.h>
#include <c10/core/Device.h>
#include <c10/macros/Export.h>
#include <torch/csrc/autograd/function.h>
#include <torch/csrc/autograd/graph_task.h>
#include <torch/csrc/autograd/input_buffer.h>

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <queue>
#include <utility>
#include <vector>

namespace torch::autograd {

/// A node whose gradients have all arrived.
struct NodeTask {
  NodeTask(std::weak_ptr<GraphTask> base, std::shared_ptr<Node> fn, InputBuffer inputs)
      : base_(std::move(base)), fn_(std::move(fn)), inputs_(std::move(inputs)) {}

  std::weak_ptr<GraphTask> base_;
  std::shared_ptr<Node> fn_;
  InputBuffer inputs_;
};

/// The ready nodes of one worker, latest sequence number first.
struct TORCH_API ReadyQueue {
  void push(NodeTask item);
  /// Waits for a task.
  NodeTask pop();
  bool empty() const;

 private:
  struct RunsLater {
    bool operator()(const NodeTask& a, const NodeTask& b) const {
      return a.fn_->sequence_nr() < b.fn_->sequence_nr();
    }
  };

  mutable std::mutex mutex_;
  std::condition_variable not_empty_;
  std::priority_queue<NodeTask, std::vector<NodeTask>, RunsLater> heap_;
};

/// Runs backward passes. CPU nodes run on the calling thread; a backward inside a node recurses
/// on the same thread. The queue of a node is chosen by its device, so that an accelerator can be
/// given a thread of its own.
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

  bool is_checkpoint_valid() const { return true; }

 protected:
  /// Called with the exception of a node in flight; may replace it by throwing.
  virtual void thread_on_exception(const std::shared_ptr<GraphTask>& graph_task,
                                   const std::shared_ptr<Node>& fn);

 private:
  void compute_dependencies(Node* root, GraphTask& task, uint64_t min_topo_nr);
  void thread_main(const std::shared_ptr<GraphTask>& graph_task);
  void evaluate_function(const std::shared_ptr<GraphTask>& graph_task, Node* func,
                         InputBuffer& inputs);
  std::shared_ptr<ReadyQueue> ready_queue(const std::shared_ptr<ReadyQueue>& cpu_ready_queue,
                                          at::Device device);
};

/// Checks the gradients against the metadata of the edges they go to: shape, dtype, device. Sums
/// what was broadcast, casts what was promoted; throws for the rest. `format_error` completes a
/// message.
TORCH_API void validate_outputs(const edge_list& edges, variable_list& grads,
                                const std::function<std::string(const std::string&)>& format_error);

}  // namespace torch::autograd
