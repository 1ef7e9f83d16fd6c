#include <torch/csrc/autograd/anomaly_mode.h>

#include <c10/util/Exception.h>
#include <torch/csrc/autograd/function.h>

#include <atomic>
#include <memory>

namespace torch::autograd {

namespace {

std::atomic<bool> enabled{false};
std::atomic<bool> check_nan{true};
std::atomic<AnomalyMode::StackFunction> stack_function{nullptr};

constexpr const char* kTraceback = "traceback_";
// The nodes that induced this one, as print_stack says it.
constexpr const char* kParents = "parents_";

}  // namespace

bool AnomalyMode::is_enabled() { return enabled.load(std::memory_order_relaxed); }
bool AnomalyMode::should_check_nan() { return check_nan.load(std::memory_order_relaxed); }

void AnomalyMode::set_enabled(bool is_enabled, bool should_check_nan) {
  enabled.store(is_enabled, std::memory_order_relaxed);
  check_nan.store(should_check_nan, std::memory_order_relaxed);
}

void AnomalyMode::set_stack_function(StackFunction function) { stack_function.store(function); }

void AnomalyMode::record(Node& node) {
  const StackFunction function = stack_function.load();
  if (function == nullptr) return;
  auto& metadata = node.metadata();
  metadata[kTraceback] = function();
  const std::shared_ptr<Node> parent = get_current_node();
  if (!parent) return;
  const auto& of_parent = parent->metadata();
  const auto traceback = of_parent.find(kTraceback);
  std::string text = "\n\nPrevious calculation was induced by " + parent->name() + ". ";
  if (traceback == of_parent.end()) {
    text += "No forward pass information available.";
  } else {
    text += "Traceback of forward call that induced the previous calculation:\n";
    text += traceback->second;
  }
  const auto parents = of_parent.find(kParents);
  metadata[kParents] = parents == of_parent.end() ? text : text + parents->second;
}

void AnomalyMode::print_stack(Node& node) {
  const auto& metadata = node.metadata();
  const auto traceback = metadata.find(kTraceback);
  if (traceback == metadata.end()) {
    TORCH_WARN("Error detected in ", node.name(),
               ". No forward pass information available. "
               "Enable detect anomaly during forward pass for more information.");
    return;
  }
  const auto parents = metadata.find(kParents);
  TORCH_WARN("Error detected in ", node.name(),
             ". Traceback of forward call that caused the error:\n", traceback->second,
             parents == metadata.end() ? std::string() : parents->second);
}

}  // namespace torch::autograd
