#pragma once

#include <ATen/core/Tensor.h>
#include <c10/core/Device.h>
#include <c10/core/ScalarType.h>
#include <c10/core/TensorOptions.h>
#include <c10/macros/Export.h>
#include <c10/util/ArrayRef.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace torch::autograd {

/// What the engine knows of a forward output: a gradient that enters the node must have this
/// shape, dtype and device. Default-constructed: an input that takes no gradient.
struct TORCH_API InputMetadata {
  InputMetadata() = default;
  explicit InputMetadata(const at::Tensor& t);
  InputMetadata(const at::TensorOptions& options, c10::IntArrayRef shape);

  const at::TensorOptions& options() const { return options_; }
  at::ScalarType dtype() const;
  at::Device device() const { return options_.device(); }
  c10::IntArrayRef shape() const { return shape_; }
  bool was_default_constructed() const { return was_default_constructed_; }

  at::Tensor zeros_like() const;
  bool is_same_shape(const at::Tensor& grad) const;
  /// Whether the forward broadcast this shape up to `grad`'s.
  bool is_expandable_to_shape(const at::Tensor& grad) const;
  /// Sums a gradient of a broadcast result down to this shape.
  at::Tensor reduce_grad(const at::Tensor& grad) const;
  std::string incompatible_shape_error_message(size_t index, const at::Tensor& grad) const;

 private:
  at::TensorOptions options_;
  std::vector<int64_t> shape_;
  bool was_default_constructed_ = true;
};

}  // namespace torch::autograd
