#include <torch/csrc/autograd/engine.h>

#include <ATen/ops/any_ops.h>
#include <ATen/ops/isnan_ops.h>
#include <ATen/ops/item_ops.h>
#include <ATen/ops/real.h>
#include <ATen/record_function.h>
#include <c10/core/GradMode.h>
#include <c10/util/Exception.h>
#include <c10/util/StringUtil.h>
#include <torch/csrc/autograd/anomaly_mode.h>
#include <torch/csrc/autograd/function_hook.h>
#include <torch/csrc/autograd/functions/basic_ops.h>
#include <torch/csrc/autograd/variable.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

namespace torch::autograd {

namespace {

thread_local std::shared_ptr<GraphTask> current_graph_task;

// Restores the surrounding pass when a pass inside it ends.
class GraphTaskGuard {
 public:
  explicit GraphTaskGuard(std::shared_ptr<GraphTask> task)
      : previous_(std::exchange(current_graph_task, std::move(task))) {}
  GraphTaskGuard(const GraphTaskGuard&) = delete;
  GraphTaskGuard& operator=(const GraphTaskGuard&) = delete;
  ~GraphTaskGuard() { current_graph_task = std::move(previous_); }

 private:
  std::shared_ptr<GraphTask> previous_;
};

Engine& default_engine() {
  static Engine engine;
  return engine;
}
std::atomic<Engine& (*)()> engine_stub{default_engine};

}  // namespace

// ---- ReadyQueue ----

namespace {
bool runs_later(const NodeTask& a, const NodeTask& b) {
  return a.fn_->sequence_nr() < b.fn_->sequence_nr();
}
}  // namespace

void ReadyQueue::push(NodeTask task) {
  heap_.push_back(std::move(task));
  std::push_heap(heap_.begin(), heap_.end(), runs_later);
}

NodeTask ReadyQueue::pop() {
  std::pop_heap(heap_.begin(), heap_.end(), runs_later);
  NodeTask task = std::move(heap_.back());
  heap_.pop_back();
  return task;
}

// ---- GraphTask ----

uint64_t GraphTask::next_id() {
  static std::atomic<uint64_t> next{0};
  return next++;
}

void GraphTask::init_to_execute(Node& graph_root, const edge_list& outputs, bool accumulate_grad,
                                uint64_t min_topo_nr) {
  uint32_t output_idx = 0;
  for (const Edge& output : outputs) {
    ExecInfo& info = exec_info_[output.function.get()];
    if (accumulate_grad) {
      info.needed_ = true;  // A leaf's accumulator runs and stores the gradient itself.
      continue;
    }
    if (info.captures_ == nullptr) {
      info.captures_ = std::make_unique<std::vector<ExecInfo::Capture>>();
    }
    info.captures_->emplace_back(output.input_nr, output_idx++);
  }
  if (!accumulate_grad) {
    captured_vars_.resize(outputs.size());
  }

  // A node is needed when it has a path to an output: depth first, without recursion.
  struct Frame {
    Node* fn;
    size_t next = 0;
  };
  std::vector<Frame> stack{{&graph_root}};
  std::unordered_set<Node*> seen{&graph_root};
  while (!stack.empty()) {
    Frame& frame = stack.back();
    Node* child = nullptr;
    while (frame.next < frame.fn->num_outputs() && child == nullptr) {
      Node* candidate = frame.fn->next_edge(frame.next++).function.get();
      if (candidate != nullptr && candidate->topological_nr() >= min_topo_nr &&
          seen.insert(candidate).second) {
        child = candidate;
      }
    }
    if (child != nullptr) {
      stack.push_back({child});
      continue;
    }
    const bool leads_to_output = std::any_of(
        frame.fn->next_edges().begin(), frame.fn->next_edges().end(), [this](const Edge& edge) {
          const auto it = exec_info_.find(edge.function.get());
          return it != exec_info_.end() && it->second.should_execute();
        });
    if (leads_to_output) {
      exec_info_[frame.fn].needed_ = true;
    }
    stack.pop_back();
  }
}

void GraphTask::exec_post_processing() {
  TORCH_CHECK(not_ready_.empty(), "could not compute gradients for some functions");
  // By index: a callback may queue another one.
  for (size_t i = 0; i < final_callbacks_.size(); ++i) {
    final_callbacks_[i]();
  }
}

const std::unordered_map<Node*, GraphTask::ExecInfo>* get_current_graph_task_exec_info() {
  return current_graph_task ? &current_graph_task->exec_info_ : nullptr;
}
const std::unordered_set<Node*>* get_current_graph_task_nodes_in_graph() {
  return current_graph_task ? &current_graph_task->nodes_in_graph_ : nullptr;
}
bool get_current_graph_task_keep_graph() {
  return current_graph_task == nullptr || current_graph_task->keep_graph_;
}
int64_t get_current_graph_task_id() {
  return current_graph_task ? static_cast<int64_t>(current_graph_task->id_) : -1;
}

// ---- validate_outputs ----

namespace {

// One gradient against the metadata of the input it goes to.
void validate_gradient(size_t index, const InputMetadata& metadata, at::Tensor& grad,
                       const std::function<std::string(const std::string&)>& format_error) {
  if (!metadata.is_same_shape(grad)) {
    TORCH_CHECK(metadata.is_expandable_to_shape(grad),
                format_error(metadata.incompatible_shape_error_message(index, grad)));
    grad = metadata.reduce_grad(grad);
  }
  const at::ScalarType dtype = metadata.dtype();
  if (grad.scalar_type() != dtype) {
    // A real argument takes the real part of a complex gradient.
    if (grad.is_complex() && !c10::isComplexType(dtype)) grad = at::real(grad);
    if (grad.scalar_type() != dtype) grad = grad.to(dtype);
  }
  if (grad.device() != metadata.device()) {
    // A 0-dim gradient may come from another device, as wrapped numbers do in the forward.
    TORCH_CHECK(grad.dim() == 0,
                format_error(c10::str("invalid gradient at index ", index, " - expected device ",
                                      metadata.device(), " but got ", grad.device())));
    grad = grad.to(metadata.options().device(metadata.device()));
  }
}

}  // namespace

void validate_outputs(const edge_list& edges, variable_list& grads,
                      const std::function<std::string(const std::string&)>& format_error) {
  if (grads.size() != edges.size()) {
    TORCH_CHECK(false, format_error(c10::str("invalid number of gradients - expected ",
                                             edges.size(), ", but got ", grads.size())));
  }
  for (size_t i = 0; i < grads.size(); ++i) {
    if (!edges[i].is_valid() || !grads[i].defined()) {
      continue;
    }
    const InputMetadata& metadata = edges[i].function->input_metadata(edges[i].input_nr);
    if (!metadata.was_default_constructed()) {
      validate_gradient(i, metadata, grads[i], format_error);
    }
  }
}

// ---- running nodes ----

namespace {

variable_list call_tensor_pre_hooks(Node& fn, variable_list inputs) {
  for (const auto& hook : fn.tensor_pre_hooks()) {
    inputs = (*hook)(inputs);
  }
  for (const auto& [index, hook] : fn.retains_grad_hooks()) {
    inputs = (*hook)(inputs);
  }
  return inputs;
}

variable_list call_function(const GraphTask& task, Node* func, variable_list inputs) {
  for (const auto& hook : func->pre_hooks()) {
    inputs = (*hook)(inputs);
  }
  if (!task.keep_graph_) {
    func->will_release_variables();
  }
  const bool has_post_hooks = !func->post_hooks().empty();
  variable_list outputs;
  if (has_post_hooks) {
    variable_list kept = inputs;  // Post hooks see what went in.
    outputs = (*func)(std::move(inputs));
    inputs = std::move(kept);
  } else {
    outputs = (*func)(std::move(inputs));
  }
  validate_outputs(func->next_edges(), outputs, [func](const std::string& message) {
    return c10::str("Function ", func->name(), " returned an ", message);
  });
  if (has_post_hooks) {
    for (const auto& hook : func->post_hooks()) {
      outputs = (*hook)(outputs, inputs);
    }
  }
  return outputs;
}

void refuse_nan(const Node& func, const variable_list& outputs) {
  const c10::AutoGradMode no_grad(false);
  for (size_t i = 0; i < outputs.size(); ++i) {
    if (!outputs[i].defined()) continue;
    const at::Tensor found = at::_ops::any::call(at::_ops::isnan::call(outputs[i]));
    TORCH_CHECK(!at::_ops::item::call(found).toBool(), "Function '", func.name(),
                "' returned nan values in its ", i, "th output.");
  }
}

}  // namespace

void Engine::evaluate_function(GraphTask& graph_task, Node* func, InputBuffer& inputs) {
  // Tensor hooks run even when the node is only a result, so that grad() sees them.
  variable_list grads = call_tensor_pre_hooks(*func, InputBuffer::variables(std::move(inputs)));

  const auto& exec_info = graph_task.exec_info_;
  if (!exec_info.empty()) {
    const auto it = exec_info.find(func);
    if (it == exec_info.end()) {
      return;
    }
    if (const auto* captures = it->second.captures_.get()) {
      for (const auto& capture : *captures) {
        graph_task.captured_vars_[capture.output_idx_] = grads[capture.input_idx_];
      }
    }
    if (!it->second.needed_) {
      return;  // Nothing below it is wanted.
    }
  }

  std::optional<at::RecordFunction> range;
  if (at::is_recording()) range.emplace(at::RecordScope::BACKWARD_FUNCTION, func->name());
  variable_list outputs = call_function(graph_task, func, std::move(grads));
  range.reset();
  if (AnomalyMode::is_enabled() && AnomalyMode::should_check_nan()) refuse_nan(*func, outputs);
  if (!graph_task.keep_graph_) {
    func->release_variables();
  }

  for (size_t i = 0; i < outputs.size(); ++i) {
    const Edge& next = func->next_edge(i);
    if (!next.is_valid()) {
      continue;
    }
    Node* next_fn = next.function.get();
    auto& dependencies = graph_task.dependencies_;
    const auto dependency = dependencies.find(next_fn);
    TORCH_INTERNAL_ASSERT(dependency != dependencies.end(), "dependency not found for ",
                          next_fn->name());
    const bool is_ready = --dependency->second == 0;
    if (is_ready) {
      dependencies.erase(dependency);
    }
    if (!exec_info.empty()) {
      const auto it = exec_info.find(next_fn);
      if (it == exec_info.end() || !it->second.should_execute()) {
        continue;
      }
    }
    auto [waiting, inserted] =
        graph_task.not_ready_.try_emplace(next_fn, InputBuffer(next_fn->num_inputs()));
    waiting->second.add(next.input_nr, std::move(outputs[i]));
    if (is_ready) {
      InputBuffer ready = std::move(waiting->second);
      graph_task.not_ready_.erase(waiting);
      graph_task.ready_.push({next.function, std::move(ready)});
    }
  }
}

void Engine::run(const std::shared_ptr<GraphTask>& graph_task) {
  while (!graph_task->ready_.empty()) {
    NodeTask task = graph_task->ready_.pop();
    c10::AutoGradMode grad_mode(graph_task->grad_mode_);
    try {
      evaluate_function(*graph_task, task.fn_.get(), task.inputs_);
    } catch (...) {
      thread_on_exception(graph_task, task.fn_);
      throw;
    }
  }
}

void Engine::thread_on_exception(const std::shared_ptr<GraphTask>& graph_task,
                                 const std::shared_ptr<Node>& fn) {
  if (AnomalyMode::is_enabled() && fn) AnomalyMode::print_stack(*fn);
}

void Engine::compute_dependencies(Node* root, GraphTask& task, uint64_t min_topo_nr) {
  std::vector<Node*> queue{root};
  while (!queue.empty()) {
    Node* fn = queue.back();
    queue.pop_back();
    if (fn->topological_nr() < min_topo_nr) {
      continue;
    }
    for (const Edge& edge : fn->next_edges()) {
      Node* next = edge.function.get();
      if (next == nullptr) {
        continue;
      }
      task.dependencies_[next] += 1;
      if (task.nodes_in_graph_.insert(next).second) {
        queue.push_back(next);
      }
    }
  }
}

Engine::Engine() = default;
Engine::~Engine() = default;

Engine& Engine::get_default_engine() { return engine_stub.load()(); }
void Engine::set_default_engine_stub(Engine& (*stub)()) { engine_stub.store(stub); }

variable_list Engine::execute(const edge_list& roots, const variable_list& inputs, bool keep_graph,
                              bool create_graph, bool accumulate_grad, const edge_list& outputs) {
  variable_list checked = inputs;
  validate_outputs(roots, checked, [](const std::string& message) { return message; });

  auto graph_task = std::make_shared<GraphTask>(keep_graph, create_graph);
  const auto graph_root =
      std::shared_ptr<Node>(new GraphRoot(roots, std::move(checked)), deleteNode);

  // Below the lowest output no node can lead to one.
  uint64_t min_topo_nr = 0;
  if (!outputs.empty()) {
    min_topo_nr = UINT64_MAX;
    for (const Edge& output : outputs) {
      min_topo_nr = std::min(min_topo_nr, output.function->topological_nr());
    }
  }
  compute_dependencies(graph_root.get(), *graph_task, min_topo_nr);
  if (!outputs.empty()) {
    graph_task->init_to_execute(*graph_root, outputs, accumulate_grad, min_topo_nr);
    // The root always runs: it only hands out the gradients.
    graph_task->exec_info_[graph_root.get()].needed_ = true;
  }

  GraphTaskGuard guard(graph_task);
  graph_task->ready_.push({graph_root, InputBuffer(0)});
  run(graph_task);
  graph_task->exec_post_processing();
  return std::move(graph_task->captured_vars_);
}

void Engine::queue_callback(std::function<void()> callback) {
  TORCH_CHECK(current_graph_task, "Final callbacks can only be installed during backward pass.");
  current_graph_task->final_callbacks_.emplace_back(std::move(callback));
}

}  // namespace torch::autograd
