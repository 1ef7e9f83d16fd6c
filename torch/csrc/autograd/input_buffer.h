#pragma once

#include <ATen/core/Tensor.h>
#include <c10/macros/Export.h>

#include <cstddef>
#include <utility>
#include <vector>

namespace torch::autograd {

/// The gradients that have arrived so far for the inputs of one node.
struct TORCH_API InputBuffer {
  explicit InputBuffer(size_t size) : buffer(size), owned_(size, false) {}
  InputBuffer(const InputBuffer&) = delete;
  InputBuffer(InputBuffer&&) = default;
  InputBuffer& operator=(const InputBuffer&) = delete;
  InputBuffer& operator=(InputBuffer&&) = default;

  /// Adds a gradient to input `pos`. In place once the sum is the buffer's own and no graph is
  /// recorded.
  void add(size_t pos, at::Tensor&& grad);

  size_t size() const { return buffer.size(); }
  const at::Tensor& operator[](size_t pos) const { return buffer[pos]; }

  static std::vector<at::Tensor> variables(InputBuffer&& input) { return std::move(input.buffer); }

  std::vector<at::Tensor> buffer;

 private:
  // Sums made here, which nobody else sees.
  std::vector<bool> owned_;
};

}  // namespace torch::autograd
