#pragma once

#include <ATen/core/Tensor.h>
#include <c10/macros/Export.h>
#include <torch/csrc/autograd/edge.h>
#include <torch/csrc/autograd/function_hook.h>
#include <torch/csrc/autograd/input_buffer.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace torch::autograd {

struct Node;
using edge_list = std::vector<Edge>;

/// A node whose gradients have all arrived.
struct NodeTask {
  std::shared_ptr<Node> fn_;
  InputBuffer inputs_;
};

/// The ready nodes of a pass, latest sequence number first.
class TORCH_API ReadyQueue {
 public:
  void push(NodeTask task);
  NodeTask pop();
  bool empty() const { return heap_.empty(); }

 private:
  std::vector<NodeTask> heap_;
};

/// One backward pass: what is known of the graph and of how far it got.
struct TORCH_API GraphTask {
  /// What the pass wants of a node; only kept when it does not simply want everything.
  struct ExecInfo {
    /// A gradient that enters the node and is a result of the pass.
    struct Capture {
      Capture(uint32_t input_idx, uint32_t output_idx)
          : input_idx_(input_idx), output_idx_(output_idx) {}
      uint32_t input_idx_;
      uint32_t output_idx_;
    };

    bool should_execute() const { return needed_ || captures_ != nullptr; }

    bool needed_ = false;
    std::unique_ptr<std::vector<Capture>> captures_;
  };

  GraphTask(bool keep_graph, bool grad_mode)
      : keep_graph_(keep_graph), grad_mode_(grad_mode), id_(next_id()) {}

  /// Fills exec_info_ for a pass that computes the gradients of `outputs` (or accumulates them).
  /// `min_topo_nr` cuts off the search.
  void init_to_execute(Node& graph_root, const edge_list& outputs, bool accumulate_grad,
                       uint64_t min_topo_nr);

  /// Runs the callbacks of Engine::queue_callback.
  void exec_post_processing();

  const bool keep_graph_;
  // Whether backward itself is recorded (create_graph).
  const bool grad_mode_;

  ReadyQueue ready_;
  // What has arrived at nodes that wait for more.
  std::unordered_map<Node*, InputBuffer> not_ready_;
  std::unordered_map<Node*, int> dependencies_;
  std::unordered_set<Node*> nodes_in_graph_;
  // Empty: run everything that is reachable.
  std::unordered_map<Node*, ExecInfo> exec_info_;
  std::vector<at::Tensor> captured_vars_;
  std::vector<std::function<void()>> final_callbacks_;

  const uint64_t id_;

 private:
  static uint64_t next_id();
};

/// The running pass's exec_info, or null when it runs everything or when none runs.
TORCH_API const std::unordered_map<Node*, GraphTask::ExecInfo>* get_current_graph_task_exec_info();
TORCH_API const std::unordered_set<Node*>* get_current_graph_task_nodes_in_graph();
TORCH_API bool get_current_graph_task_keep_graph();
/// -1 when no pass runs.
TORCH_API int64_t get_current_graph_task_id();

}  // namespace torch::autograd
