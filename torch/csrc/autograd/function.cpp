#include <torch/csrc/autograd/function.h>

#include <torch/csrc/autograd/anomaly_mode.h>
#include <torch/csrc/autograd/graph_task.h>
#include <torch/csrc/autograd/variable.h>

#include <cxxabi.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <string_view>
#include <typeinfo>
#include <utility>

namespace torch::autograd {

namespace {

thread_local std::shared_ptr<Node> current_node;
thread_local uint64_t sequence_counter = 0;

uint64_t current_thread_id() {
  static std::atomic<uint64_t> next{1};
  thread_local const uint64_t id = next++;
  return id;
}

// Sets the thread's current node for a scope; backwards nest.
class CurrentNodeGuard {
 public:
  explicit CurrentNodeGuard(std::shared_ptr<Node> node)
      : previous_(std::exchange(current_node, std::move(node))) {}
  CurrentNodeGuard(const CurrentNodeGuard&) = delete;
  CurrentNodeGuard& operator=(const CurrentNodeGuard&) = delete;
  ~CurrentNodeGuard() { current_node = std::move(previous_); }

 private:
  std::shared_ptr<Node> previous_;
};

std::string class_name(const std::type_info& type) {
  int status = 0;
  char* demangled = abi::__cxa_demangle(type.name(), nullptr, nullptr, &status);
  std::string name = status == 0 ? demangled : type.name();
  std::free(demangled);
  return name;
}

}  // namespace

namespace impl {
uint64_t next_sequence_nr() { return sequence_counter++; }
}  // namespace impl

std::shared_ptr<Node> get_current_node() { return current_node; }

Node::Node(edge_list&& next_edges) : Node(impl::next_sequence_nr(), std::move(next_edges)) {}

Node::Node(uint64_t sequence_nr, edge_list&& next_edges)
    : sequence_nr_(sequence_nr),
      thread_id_(current_thread_id()),
      next_edges_(std::move(next_edges)) {
  for (const Edge& edge : next_edges_) {
    update_topological_nr(edge);
  }
  if (AnomalyMode::is_enabled()) AnomalyMode::record(*this);
}

Node::~Node() = default;

variable_list Node::operator()(variable_list&& inputs) {
  CurrentNodeGuard guard(weak_from_this().lock());
  return apply(std::move(inputs));
}

std::string Node::name() const { return class_name(typeid(*this)); }

std::string Node::forward_op_name() const {
  std::string full = name();
  // The last "Backward", and a number behind it.
  const size_t digits = full.find_last_not_of("0123456789") + 1;
  constexpr std::string_view kSuffix = "Backward";
  if (digits > kSuffix.size() &&
      full.compare(digits - kSuffix.size(), kSuffix.size(), kSuffix) == 0) {
    full.resize(digits - kSuffix.size());
  }
  return full;
}

bool Node::should_compute_output(std::initializer_list<IndexRange> ranges) const {
  return std::any_of(ranges.begin(), ranges.end(), [this](const IndexRange& range) {
    for (size_t i = range.first; i < range.second; ++i) {
      if (should_compute_output(i)) {
        return true;
      }
    }
    return false;
  });
}

bool Node::task_should_compute_output(size_t index) const {
  TORCH_CHECK(index < num_outputs(), "Index out of range");
  const Edge& next = next_edges_[index];
  if (!next.is_valid()) {
    return false;
  }
  const auto* exec_info = get_current_graph_task_exec_info();
  if (exec_info == nullptr || exec_info->empty()) {
    return true;
  }
  const auto it = exec_info->find(next.function.get());
  return it != exec_info->end() && it->second.should_execute();
}

bool Node::task_should_compute_output(std::initializer_list<IndexRange> ranges) const {
  return std::any_of(ranges.begin(), ranges.end(), [this](const IndexRange& range) {
    for (size_t i = range.first; i < range.second; ++i) {
      if (task_should_compute_output(i)) {
        return true;
      }
    }
    return false;
  });
}

void Node::update_topological_nr(const Edge& edge) {
  TORCH_INTERNAL_ASSERT(
      !has_parent_,
      "Cannot update a node's topological_nr after it already has a parent. "
      "If we allow this, we can no longer guarantee that a parent's topo_nr is always greater than those of all its children");
  if (edge.function) {
    topological_nr_ = std::max(topological_nr_, edge.function->topological_nr() + 1);
  }
}

uintptr_t Node::add_post_hook(std::unique_ptr<FunctionPostHook>&& hook) {
  post_hooks_.push_back(std::move(hook));
  return reinterpret_cast<uintptr_t>(post_hooks_.back().get());
}

bool Node::del_post_hook(uintptr_t key) {
  return std::erase_if(post_hooks_, [key](const std::unique_ptr<FunctionPostHook>& hook) {
           return reinterpret_cast<uintptr_t>(hook.get()) == key;
         }) > 0;
}

void Node::add_pre_hook(std::unique_ptr<FunctionPreHook>&& hook) {
  pre_hooks_.push_back(std::move(hook));
}

void Node::add_tensor_pre_hook(std::unique_ptr<FunctionPreHook>&& hook) {
  tensor_pre_hooks_.push_back(std::move(hook));
}

void Node::add_retains_grad_hook(std::unique_ptr<FunctionPreHook>&& hook, size_t output_idx) {
  retains_grad_hooks_[output_idx] = std::move(hook);
}

std::unique_ptr<FunctionPreHook> Node::pop_retains_grad_hook(size_t output_idx) {
  auto node = retains_grad_hooks_.extract(output_idx);
  return node.empty() ? nullptr : std::move(node.mapped());
}

std::unique_ptr<PostAccumulateGradHook>& Node::tensor_post_acc_grad_hooks() const noexcept {
  static std::unique_ptr<PostAccumulateGradHook> none;
  return none;
}

void deleteNode(Node* function) {
  // Frees the graph below iteratively: takes over the edges of every node that would die.
  std::vector<std::shared_ptr<Node>> dying;
  const auto gather = [&dying](Node& node) {
    for (Edge& edge : node.next_edges()) {
      if (edge.function.use_count() == 1) {
        dying.push_back(std::move(edge.function));
      } else {
        edge.function.reset();
      }
    }
  };
  function->release_variables();
  gather(*function);
  delete function;
  while (!dying.empty()) {
    const std::shared_ptr<Node> node = std::move(dying.back());
    dying.pop_back();
    gather(*node);
  }
}

void create_gradient_edge(Variable& variable, std::shared_ptr<Node> function) {
  const uint32_t input_nr = function->add_input_metadata(variable);
  impl::set_gradient_edge(variable, Edge(std::move(function), input_nr));
}

bool any_variable_requires_grad(const variable_list& variables) {
  return std::any_of(variables.begin(), variables.end(), [](const Variable& variable) {
    return variable.defined() && variable.requires_grad();
  });
}

}  // namespace torch::autograd
