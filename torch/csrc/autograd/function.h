#pragma once

#include <ATen/core/Tensor.h>
#include <c10/macros/Export.h>
#include <c10/util/Exception.h>
#include <torch/csrc/autograd/edge.h>
#include <torch/csrc/autograd/function_hook.h>
#include <torch/csrc/autograd/input_metadata.h>
#include <torch/csrc/autograd/saved_variable.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

struct _object;
using PyObject = _object;

namespace torch::autograd {

using edge_list = std::vector<Edge>;
using saved_variable_list = std::vector<SavedVariable>;
using IndexRange = std::pair<size_t, size_t>;

struct Node;

/// The node whose apply() this thread is in, or null.
TORCH_API std::shared_ptr<Node> get_current_node();

/// Gives out a thread's sequence numbers: a node made later runs earlier.
namespace impl {
TORCH_API uint64_t next_sequence_nr();
}

/// A function of the backward graph: takes the gradients of the forward outputs, gives the
/// gradients of the forward inputs. `next_edges()` say where these go.
/// Make one with `std::shared_ptr<T>(new T(...), deleteNode)`, so that a long graph is freed
/// without recursion.
struct TORCH_API Node : std::enable_shared_from_this<Node> {
  explicit Node(edge_list&& next_edges = edge_list());
  Node(uint64_t sequence_nr, edge_list&& next_edges);
  Node(const Node&) = delete;
  Node(Node&&) = delete;
  Node& operator=(const Node&) = delete;
  Node& operator=(Node&&) = delete;
  virtual ~Node();

  std::shared_ptr<Node> getptr() { return shared_from_this(); }

  /// Runs apply() with this node as the thread's current node.
  variable_list operator()(variable_list&& inputs);

  // Inputs: one for each forward output.

  uint32_t add_input_metadata(const at::TensorOptions& options, c10::IntArrayRef shape) {
    input_metadata_.emplace_back(options, shape);
    return static_cast<uint32_t>(input_metadata_.size() - 1);
  }
  uint32_t add_input_metadata(const at::Tensor& t) {
    input_metadata_.emplace_back(t);
    return static_cast<uint32_t>(input_metadata_.size() - 1);
  }
  struct undefined_input {};
  /// Adds an input that never takes a gradient.
  uint32_t add_input_metadata(undefined_input) {
    input_metadata_.emplace_back();
    return static_cast<uint32_t>(input_metadata_.size() - 1);
  }
  uint32_t num_inputs() const noexcept { return static_cast<uint32_t>(input_metadata_.size()); }
  const InputMetadata& input_metadata(size_t index) const { return input_metadata_[index]; }
  InputMetadata& mutable_input_metadata(size_t index) { return input_metadata_[index]; }

  // Outputs: one for each forward input.

  const Edge& next_edge(size_t index) const noexcept { return next_edges_[index]; }
  void set_next_edge(size_t index, Edge edge) {
    update_topological_nr(edge);
    next_edges_[index] = std::move(edge);
  }
  void add_next_edge(Edge edge) {
    update_topological_nr(edge);
    next_edges_.emplace_back(std::move(edge));
  }
  void set_next_edges(edge_list&& next_edges) {
    next_edges_ = std::move(next_edges);
    for (const Edge& edge : next_edges_) {
      update_topological_nr(edge);
    }
  }
  const edge_list& next_edges() const noexcept { return next_edges_; }
  edge_list& next_edges() noexcept { return next_edges_; }
  uint32_t num_outputs() const noexcept { return static_cast<uint32_t>(next_edges_.size()); }

  /// Order among ready nodes: highest first. Leaves' accumulators have UINT64_MAX.
  uint64_t sequence_nr() const noexcept { return sequence_nr_; }
  void set_sequence_nr(uint64_t sequence_nr) noexcept { sequence_nr_ = sequence_nr; }
  /// Length of the longest path from here to a leaf.
  uint64_t topological_nr() const noexcept {
    has_parent_ = true;
    return topological_nr_;
  }
  uint64_t thread_id() const noexcept { return thread_id_; }

  /// The class: "MulBackward0" for generated nodes, with its namespace for others.
  virtual std::string name() const;
  /// The operator whose gradient this is, as messages name it: "Mul".
  std::string forward_op_name() const;

  /// Whether some gradient of this output is wanted.
  bool should_compute_output(size_t index) const {
    TORCH_CHECK(index < num_outputs(), "Index out of range");
    return next_edges_[index].is_valid();
  }
  bool should_compute_output(std::initializer_list<IndexRange> ranges) const;

  /// As should_compute_output, but in the running backward pass: grad() with `inputs` asks less.
  bool task_should_compute_output(size_t index) const;
  bool task_should_compute_output(std::initializer_list<IndexRange> ranges) const;

  // The Python object of this node, owned by the Python bindings.
  PyObject* pyobj() const noexcept { return pyobj_; }
  void set_pyobj(PyObject* pyobj) noexcept { pyobj_ = pyobj; }

  /// What anomaly mode and Python's `grad_fn.metadata` keep.
  std::unordered_map<std::string, std::string>& metadata() noexcept { return metadata_; }

  // Hooks. A hook's address identifies it for del_post_hook.

  uintptr_t add_post_hook(std::unique_ptr<FunctionPostHook>&& hook);
  bool del_post_hook(uintptr_t key);
  void add_pre_hook(std::unique_ptr<FunctionPreHook>&& hook);
  void add_tensor_pre_hook(std::unique_ptr<FunctionPreHook>&& hook);
  void add_retains_grad_hook(std::unique_ptr<FunctionPreHook>&& hook, size_t output_idx);
  std::unique_ptr<FunctionPreHook> pop_retains_grad_hook(size_t output_idx);

  const std::vector<std::unique_ptr<FunctionPostHook>>& post_hooks() const noexcept {
    return post_hooks_;
  }
  std::vector<std::unique_ptr<FunctionPostHook>>& post_hooks() noexcept { return post_hooks_; }
  const std::vector<std::unique_ptr<FunctionPreHook>>& pre_hooks() const noexcept {
    return pre_hooks_;
  }
  std::vector<std::unique_ptr<FunctionPreHook>>& pre_hooks() noexcept { return pre_hooks_; }
  virtual std::vector<std::unique_ptr<FunctionPreHook>>& tensor_pre_hooks() noexcept {
    return tensor_pre_hooks_;
  }
  virtual std::unique_ptr<PostAccumulateGradHook>& tensor_post_acc_grad_hooks() const noexcept;
  std::unordered_map<size_t, std::unique_ptr<FunctionPreHook>>& retains_grad_hooks() noexcept {
    return retains_grad_hooks_;
  }

  /// Frees what the forward saved; a second backward then reports it.
  virtual void release_variables() {}
  /// Called before each apply() when the graph must survive it.
  virtual void will_release_variables() {}
  virtual bool is_traceable() { return false; }

 protected:
  /// The mathematics of the node. Undefined inputs stand for zeros.
  virtual variable_list apply(variable_list&& inputs) = 0;

  void update_topological_nr(const Edge& edge);

  uint64_t sequence_nr_;
  uint64_t topological_nr_ = 0;
  mutable bool has_parent_ = false;
  uint64_t thread_id_ = 0;
  std::mutex mutex_;
  edge_list next_edges_;
  PyObject* pyobj_ = nullptr;
  std::vector<std::unique_ptr<FunctionPreHook>> pre_hooks_;
  std::vector<std::unique_ptr<FunctionPreHook>> tensor_pre_hooks_;
  std::unordered_map<size_t, std::unique_ptr<FunctionPreHook>> retains_grad_hooks_;
  std::vector<std::unique_ptr<FunctionPostHook>> post_hooks_;
  std::vector<InputMetadata> input_metadata_;
  std::unordered_map<std::string, std::string> metadata_;
};

/// A node made of differentiable operators alone.
struct TORCH_API TraceableFunction : public Node {
  using Node::Node;
  bool is_traceable() final { return true; }
};

/// Deleter of nodes: frees a chain of any length without recursion.
TORCH_API void deleteNode(Node* function);

/// Gives `variable` the next input of `function` as its gradient edge.
TORCH_API void create_gradient_edge(Variable& variable, std::shared_ptr<Node> function);

/// Whether any of the tensors requires grad.
TORCH_API bool any_variable_requires_grad(const variable_list& variables);

}  // namespace torch::autograd
