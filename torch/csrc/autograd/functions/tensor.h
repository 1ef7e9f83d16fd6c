#pragma once

#include <ATen/TensorGeometry.h>
#include <ATen/core/Tensor.h>
#include <c10/core/TensorOptions.h>
#include <torch/csrc/autograd/function.h>
#include <torch/csrc/autograd/variable.h>

#include <memory>

namespace torch::autograd {

/// Node of `copy_`: the gradient goes to the source, none to the overwritten destination.
struct TORCH_API CopyBackwards : public Node {
  variable_list apply(variable_list&& grads) override;

  at::TensorOptions src_options;
};

/// The node of a base after a view of it was changed in place. It copies the gradient of the base
/// and passes the part of the view through `fn`, the node of the in-place operation.
///
///   base.slice <- fn(base.slice, others)
///
/// Its first output is the base's old history, the others are `fn`'s others.
struct TORCH_API CopySlices : public Node {
  CopySlices(const Variable& base, at::TensorGeometry view, ViewInfo::ViewFn view_fn,
             std::shared_ptr<Node> fn);

  variable_list apply(variable_list&& inputs) override;
  void release_variables() override;

  at::TensorGeometry base;
  at::TensorGeometry view;
  ViewInfo::ViewFn view_fn;
  std::shared_ptr<Node> fn;
};

}  // namespace torch::autograd
