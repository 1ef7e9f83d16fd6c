// Recurrent cells: what one step does behind its products of matrices, in one pass over memory.
//
// Hochreiter and Schmidhuber, "Long Short-Term Memory" (1997), with the forget gates of Gers,
// Schmidhuber and Cummins, "Learning to Forget" (2000).

#define TORCH_ASSERT_ONLY_METHOD_OPERATORS
#include <ATen/native/RNN.h>

#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/_thnn_differentiable_lstm_cell_backward_native.h>
#include <ATen/ops/_thnn_fused_lstm_cell_backward_impl.h>
#include <ATen/ops/_thnn_fused_lstm_cell_backward_impl_native.h>
#include <ATen/ops/_thnn_fused_lstm_cell_backward_native.h>
#include <ATen/ops/_thnn_fused_lstm_cell_native.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/empty_like.h>
#include <c10/util/Exception.h>

#include <optional>
#include <tuple>
#include <vector>

namespace at::native {

DEFINE_DISPATCH(lstm_cell_stub);
DEFINE_DISPATCH(lstm_cell_backward_stub);

namespace {

void check_cell(const Tensor& gates, const Tensor& cx) {
  TORCH_CHECK(
      cx.dim() == 2 && gates.dim() == 2 && gates.size(0) == cx.size(0) &&
          gates.size(1) == 4 * cx.size(1),
      "_thnn_fused_lstm_cell: expected gates of size [batch, 4 * hidden] and a cell of size [batch, hidden], but got ",
      gates.sizes(), " and ", cx.sizes());
  TORCH_CHECK(gates.scalar_type() == cx.scalar_type(),
              "_thnn_fused_lstm_cell: expected gates and cell of one dtype, but got ",
              gates.scalar_type(), " and ", cx.scalar_type());
}

// A bias as 4 * hidden numbers that lie together, or an undefined tensor.
Tensor checked_bias(const std::optional<Tensor>& bias, const Tensor& gates) {
  if (!bias || !bias->defined()) return Tensor();
  TORCH_CHECK(bias->dim() == 1 && bias->size(0) == gates.size(1),
              "_thnn_fused_lstm_cell: expected a bias of size [", gates.size(1), "], but got ",
              bias->sizes());
  TORCH_CHECK(bias->scalar_type() == gates.scalar_type(),
              "_thnn_fused_lstm_cell: expected gates and bias of one dtype, but got ",
              gates.scalar_type(), " and ", bias->scalar_type());
  return bias->contiguous();
}

const void* data_of(const Tensor& t) { return t.defined() ? t.const_data_ptr() : nullptr; }

// A gradient of the cell's size that lies together, or an undefined tensor.
Tensor checked_grad(const std::optional<Tensor>& grad, const Tensor& cx) {
  if (!grad || !grad->defined()) return Tensor();
  TORCH_CHECK(grad->sizes() == cx.sizes() && grad->scalar_type() == cx.scalar_type(),
              "_thnn_fused_lstm_cell_backward: expected gradients like the cell, of size ",
              cx.sizes(), " and dtype ", cx.scalar_type(), ", but got ", grad->sizes(), " and ",
              grad->scalar_type());
  return grad->contiguous();
}

}  // namespace

std::tuple<Tensor, Tensor, Tensor> _thnn_fused_lstm_cell_cpu(
    const Tensor& input_gates, const Tensor& hidden_gates, const Tensor& cx,
    const std::optional<Tensor>& input_bias, const std::optional<Tensor>& hidden_bias) {
  check_cell(input_gates, cx);
  check_cell(hidden_gates, cx);
  const Tensor from_input = input_gates.contiguous();
  const Tensor from_hidden = hidden_gates.contiguous();
  const Tensor bias1 = checked_bias(input_bias, input_gates);
  const Tensor bias2 = checked_bias(hidden_bias, input_gates);
  const Tensor cell = cx.contiguous();
  Tensor hy = at::empty_like(cell);
  Tensor cy = at::empty_like(cell);
  Tensor workspace = at::empty_like(from_input);
  lstm_cell_stub(
      c10::DeviceType::CPU,
      LstmCell{cell.size(0), cell.size(1), from_input.const_data_ptr(),
               from_hidden.const_data_ptr(), data_of(bias1), data_of(bias2), cell.const_data_ptr(),
               hy.mutable_data_ptr(), cy.mutable_data_ptr(), workspace.mutable_data_ptr()},
      cell.scalar_type());
  return {hy, cy, workspace};
}

std::tuple<Tensor, Tensor, Tensor> _thnn_fused_lstm_cell_backward_impl_cpu(
    const std::optional<Tensor>& grad_hy, const std::optional<Tensor>& grad_cy, const Tensor& cx,
    const Tensor& cy, const Tensor& workspace, bool has_bias) {
  check_cell(workspace, cx);
  check_cell(workspace, cy);
  const Tensor dh = checked_grad(grad_hy, cx);
  const Tensor dc = checked_grad(grad_cy, cx);
  if (!dh.defined() && !dc.defined()) return {};
  const Tensor before = cx.contiguous();
  const Tensor after = cy.contiguous();
  const Tensor kept = workspace.contiguous();
  Tensor grad_gates = at::empty_like(kept);
  Tensor grad_cx = at::empty_like(before);
  lstm_cell_backward_stub(
      c10::DeviceType::CPU,
      LstmCellBackward{before.size(0), before.size(1), data_of(dh), data_of(dc),
                       before.const_data_ptr(), after.const_data_ptr(), kept.const_data_ptr(),
                       grad_gates.mutable_data_ptr(), grad_cx.mutable_data_ptr()},
      before.scalar_type());
  return {grad_gates, grad_cx, has_bias ? grad_gates.sum({0}) : Tensor()};
}

std::tuple<Tensor, Tensor, Tensor, Tensor, Tensor> _thnn_fused_lstm_cell_backward(
    const std::optional<Tensor>& grad_hy, const std::optional<Tensor>& grad_cy, const Tensor& cx,
    const Tensor& cy, const Tensor& workspace, bool has_bias) {
  const auto [grad_gates, grad_cx, grad_bias] =
      at::_thnn_fused_lstm_cell_backward_impl(grad_hy, grad_cy, cx, cy, workspace, has_bias);
  return {grad_gates, grad_gates, grad_cx, grad_bias, grad_bias};
}

// The same by operators that have gradients themselves.
std::tuple<Tensor, Tensor, Tensor, Tensor, Tensor> _thnn_differentiable_lstm_cell_backward(
    const std::optional<Tensor>& grad_hy, const std::optional<Tensor>& grad_cy,
    const Tensor& input_gates, const Tensor& hidden_gates, const std::optional<Tensor>& input_bias,
    const std::optional<Tensor>& hidden_bias, const Tensor& cx, const Tensor& cy) {
  const bool has_dh = grad_hy && grad_hy->defined();
  const bool has_dc = grad_cy && grad_cy->defined();
  if (!has_dh && !has_dc) return {};
  const bool has_bias = input_bias && input_bias->defined();
  Tensor gates = input_gates + hidden_gates;
  if (has_bias) gates = gates + *input_bias;
  if (hidden_bias && hidden_bias->defined()) gates = gates + *hidden_bias;
  const std::vector<Tensor> parts = gates.chunk(4, 1);
  const Tensor into = parts[0].sigmoid();
  const Tensor forget = parts[1].sigmoid();
  const Tensor fresh = parts[2].tanh();
  const Tensor out = parts[3].sigmoid();
  const Tensor shown = cy.tanh();
  Tensor dc;
  if (has_dh) dc = *grad_hy * out * (1 - shown * shown);
  if (has_dc) dc = has_dh ? dc + *grad_cy : *grad_cy;
  const Tensor d_out = has_dh ? *grad_hy * shown * out * (1 - out) : out * 0;
  const Tensor grad_gates =
      at::cat({dc * fresh * into * (1 - into), dc * cx * forget * (1 - forget),
               dc * into * (1 - fresh * fresh), d_out},
              1);
  const Tensor grad_bias = has_bias ? grad_gates.sum({0}) : Tensor();
  return {grad_gates, grad_gates, dc * forget, grad_bias, grad_bias};
}

}  // namespace at::native
