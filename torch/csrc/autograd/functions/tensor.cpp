#include <torch/csrc/autograd/functions/tensor.h>

#include <ATen/ops/empty_strided.h>
#include <ATen/ops/real.h>
#include <ATen/ops/zeros.h>
#include <c10/util/Exception.h>
#include <torch/csrc/autograd/functions/utils.h>
#include <torch/csrc/autograd/graph_task.h>

#include <cstddef>
#include <mutex>
#include <utility>

namespace torch::autograd {
namespace {

// Another edge in the place of one, for a while.
class EdgeInstead {
 public:
  EdgeInstead(Edge& place, const Edge& edge) : place_(place), old_(std::exchange(place, edge)) {}
  ~EdgeInstead() { place_ = std::move(old_); }
  EdgeInstead(const EdgeInstead&) = delete;
  EdgeInstead& operator=(const EdgeInstead&) = delete;

 private:
  Edge& place_;
  Edge old_;
};

}  // namespace

variable_list CopyBackwards::apply(variable_list&& grads) {
  check_input_variables("CopyBackwards", grads, 1, -1, /*allow_undefined=*/true);
  variable_list grad_inputs(2);
  const Variable& grad = grads[0];
  if (!grad.defined()) {
    return grad_inputs;
  }
  if (task_should_compute_output(0)) {
    grad_inputs[0] = at::zeros(grad.sizes(), grad.options());
  }
  if (task_should_compute_output(1)) {
    const auto dtype = c10::typeMetaToScalarType(src_options.dtype());
    // The gradient of a real number that was copied into a complex one is the real part.
    const bool real_part = grad.is_complex() && !c10::isComplexType(dtype);
    grad_inputs[1] = (real_part ? at::real(grad) : grad).to(src_options.device(), dtype);
  }
  return grad_inputs;
}

CopySlices::CopySlices(const Variable& base_variable, at::TensorGeometry view_,
                       ViewInfo::ViewFn view_fn_, std::shared_ptr<Node> fn_)
    : base(base_variable),
      view(std::move(view_)),
      view_fn(std::move(view_fn_)),
      fn(std::move(fn_)) {
  add_input_metadata(base_variable);
  add_next_edge(impl::gradient_edge(base_variable));
  for (size_t i = 1; i < fn->num_outputs(); ++i) {
    add_next_edge(fn->next_edge(i));
  }
}

variable_list CopySlices::apply(variable_list&& inputs) {
  check_input_variables("CopySlices", inputs, 1, -1, /*allow_undefined=*/true);
  const Variable& grad = inputs[0];
  variable_list grad_inputs(num_outputs());
  if (!grad.defined()) {
    return grad_inputs;
  }
  std::lock_guard<std::mutex> lock(mutex_);
  TORCH_CHECK(fn, ERR_BACKWARD_TWICE);
  Variable result = at::empty_strided(base.sizes(), base.strides(), grad.options());
  result.copy_(grad);
  Variable grad_slice = view_fn ? view_fn(result)
                                : result.as_strided(view.sizes(), view.strides(),
                                                    view.storage_offset() - base.storage_offset());

  // The view's old history lies inside the base's: here `fn` asks whether that is wanted. By
  // itself, when a gradient comes back to the output that it saved, it goes on with the view's.
  const EdgeInstead base_edge(fn->next_edges()[0], next_edge(0));
  variable_list res = (*fn)({grad_slice.clone()});
  for (size_t i = 0; i < res.size(); ++i) {
    if (!task_should_compute_output(i)) {
      continue;
    }
    if (i == 0) {
      if (res[0].defined()) {
        grad_slice.copy_(res[0]);
      } else {
        grad_slice.zero_();
      }
      grad_inputs[0] = std::move(result);
    } else {
      grad_inputs[i] = std::move(res[i]);
    }
  }
  return grad_inputs;
}

void CopySlices::release_variables() {
  std::lock_guard<std::mutex> lock(mutex_);
  fn = nullptr;
}

}  // namespace torch::autograd
