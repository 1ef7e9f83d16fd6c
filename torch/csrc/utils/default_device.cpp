#include <torch/csrc/utils/default_device.h>

#include <vector>

namespace torch::utils {

namespace {

thread_local std::optional<c10::Device> current;
thread_local std::vector<std::optional<c10::Device>> outer;

}  // namespace

std::optional<c10::Device> default_device() { return current; }
void set_default_device(std::optional<c10::Device> device) { current = device; }

void push_default_device(c10::Device device) {
  outer.push_back(current);
  current = device;
}

void pop_default_device() {
  if (outer.empty()) return;
  current = outer.back();
  outer.pop_back();
}

}  // namespace torch::utils
