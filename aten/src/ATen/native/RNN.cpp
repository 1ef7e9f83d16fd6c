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
#include <ATen/ops/addmm.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/mkldnn_rnn_layer.h>
#include <ATen/ops/mkldnn_rnn_layer_backward.h>
#include <ATen/ops/mkldnn_rnn_layer_backward_native.h>
#include <ATen/ops/mkldnn_rnn_layer_native.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/zeros_like.h>
#include <c10/core/GradMode.h>
#include <c10/core/MemoryFormat.h>
#include <c10/util/Exception.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <tuple>
#include <vector>

namespace at::native {

DEFINE_DISPATCH(lstm_cell_stub);
DEFINE_DISPATCH(lstm_cell_backward_stub);
DEFINE_DISPATCH(recurrent_forward_stub);
DEFINE_DISPATCH(recurrent_backward_stub);

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

// ---- layers over all their steps

namespace {

// What the steps of a layer are: checked sizes, and tensors that lie together.
struct CheckedLayer {
  RecurrentMode mode;
  int64_t gates;
  std::vector<int64_t> batch_sizes;
  Tensor rows;  // the inputs of all steps, (rows, features)
  Tensor weight;
  Tensor hx;
  Tensor cx;  // undefined unless the layer is an LSTM

  RecurrentLayer steps(bool reverse) const {
    return {
        mode,       hx.size(1), reverse, batch_sizes, weight.const_data_ptr(), hx.const_data_ptr(),
        data_of(cx)};
  }
};

CheckedLayer checked_layer(const Tensor& input, const Tensor& weight0, const Tensor& weight1,
                           const Tensor& weight2, const Tensor& weight3, const Tensor& hx,
                           const Tensor& cx, IntArrayRef batch_sizes, int64_t mode, bool biases) {
  TORCH_CHECK(
      mode >= 0 && mode <= 3,
      "mkldnn_rnn_layer: expected a mode of 0 (relu), 1 (tanh), 2 (LSTM) or 3 (GRU), but got ",
      mode);
  CheckedLayer layer{static_cast<RecurrentMode>(mode), 1, batch_sizes.vec(), {}, {}, {}, {}};
  if (layer.mode == RecurrentMode::Lstm) layer.gates = 4;
  if (layer.mode == RecurrentMode::Gru) layer.gates = 3;
  const int64_t dims = batch_sizes.empty() ? 3 : 2;
  TORCH_CHECK(input.dim() == dims && hx.dim() == 2 && input.numel() > 0 && hx.numel() > 0,
              "mkldnn_rnn_layer: expected an input of size ",
              dims == 3 ? "[steps, batch, features]" : "[rows, features]",
              " and a state of size [batch, hidden], not empty, but got ", input.sizes(), " and ",
              hx.sizes());
  if (batch_sizes.empty()) {
    layer.batch_sizes.assign(static_cast<size_t>(input.size(0)), input.size(1));
  }
  int64_t rows = 0;
  for (const int64_t size : layer.batch_sizes) {
    TORCH_CHECK(size > 0 && size <= (rows == 0 ? hx.size(0) : layer.batch_sizes[0]),
                "mkldnn_rnn_layer: expected batch sizes in (0, ", hx.size(0), "], but got ", size);
    rows += size;
  }
  TORCH_CHECK(std::is_sorted(layer.batch_sizes.rbegin(), layer.batch_sizes.rend()),
              "mkldnn_rnn_layer: expected batch sizes that do not grow, but got ", batch_sizes);
  const int64_t features = input.size(-1);
  const int64_t size = hx.size(1);
  TORCH_CHECK(layer.batch_sizes[0] == hx.size(0) && rows * features == input.numel(),
              "mkldnn_rnn_layer: expected batch sizes of ", input.sizes(), " and a state of ",
              hx.sizes(), ", but got ", batch_sizes);
  const auto check = [&](const Tensor& t, IntArrayRef sizes, const char* what) {
    TORCH_CHECK(t.sizes() == sizes && t.scalar_type() == input.scalar_type(),
                "mkldnn_rnn_layer: expected ", what, " of size ", sizes, " and dtype ",
                input.scalar_type(), ", but got ", t.sizes(), " and ", t.scalar_type());
  };
  check(weight0, {layer.gates * size, features}, "a weight of the input");
  check(weight1, {layer.gates * size, size}, "a recurrent weight");
  check(hx, hx.sizes(), "a state");
  if (biases) {
    check(weight2, {layer.gates * size}, "a bias of the input");
    check(weight3, {layer.gates * size}, "a recurrent bias");
  }
  layer.rows = input.reshape({rows, features});
  layer.weight = weight1.contiguous();
  layer.hx = hx.contiguous();
  if (layer.mode == RecurrentMode::Lstm) {
    check(cx, hx.sizes(), "a cell");
    layer.cx = cx.contiguous();
  }
  return layer;
}

// Half and BFloat16 are computed as floats.
bool is_narrow(const Tensor& t) { return t.scalar_type() == kHalf || t.scalar_type() == kBFloat16; }
Tensor widened(const Tensor& t) { return t.to(kFloat); }

// What the way back computes before the products for all steps at once.
struct RecurrentGradients {
  Tensor hx;  // in: by the last states; out: by the first ones
  Tensor cx;  // the same
  Tensor gates;
  Tensor recurrent;  // of a GRU
  Tensor before;     // the states before each step
};

// One step of the way back out of operators; `gates` and `back` are what the input and the state
// give.
struct RecurrentStep {
  Tensor input;  // by the gates
  Tensor back;   // by the recurrent product
  Tensor state;  // by the state, as far as not through that product
  Tensor cell;
};

// The state and the cell behind a step, and a function of their gradients.
struct OperatorStep {
  Tensor state;
  Tensor cell;
  std::function<RecurrentStep(const Tensor& dh, const Tensor& dc)> backward;
};

OperatorStep step_by_operators(RecurrentMode mode, const Tensor& gates, const Tensor& back,
                               const Tensor& before, const Tensor& cell) {
  if (mode == RecurrentMode::Lstm) {
    const std::vector<Tensor> parts = (gates + back).chunk(4, 1);
    const Tensor into = parts[0].sigmoid();
    const Tensor forget = parts[1].sigmoid();
    const Tensor fresh = parts[2].tanh();
    const Tensor show = parts[3].sigmoid();
    const Tensor next = forget * cell + into * fresh;
    const Tensor shown = next.tanh();
    return {show * shown, next, [=](const Tensor& dh, const Tensor& dc_after) {
              const Tensor dc = dc_after + dh * show * (1 - shown * shown);
              const Tensor d =
                  at::cat({dc * fresh * into * (1 - into), dc * cell * forget * (1 - forget),
                           dc * into * (1 - fresh * fresh), dh * shown * show * (1 - show)},
                          1);
              return RecurrentStep{d, d, dh * 0, dc * forget};
            }};
  }
  if (mode == RecurrentMode::Gru) {
    const std::vector<Tensor> in = gates.chunk(3, 1);
    const std::vector<Tensor> of = back.chunk(3, 1);
    const Tensor reset = (in[0] + of[0]).sigmoid();
    const Tensor update = (in[1] + of[1]).sigmoid();
    const Tensor inner = of[2];
    const Tensor fresh = (in[2] + reset * inner).tanh();
    return {fresh + update * (before - fresh), Tensor(), [=](const Tensor& dh, const Tensor&) {
              const Tensor d_fresh = dh * (1 - update) * (1 - fresh * fresh);
              const Tensor d_reset = d_fresh * inner * reset * (1 - reset);
              const Tensor d_update = dh * (before - fresh) * update * (1 - update);
              return RecurrentStep{at::cat({d_reset, d_update, d_fresh}, 1),
                                   at::cat({d_reset, d_update, d_fresh * reset}, 1), dh * update,
                                   Tensor()};
            }};
  }
  const Tensor sum = gates + back;
  const bool relu = mode == RecurrentMode::Relu;
  const Tensor state = relu ? sum.relu() : sum.tanh();
  return {state, Tensor(), [=](const Tensor& dh, const Tensor&) {
            const Tensor d = dh * (relu ? sum.gt(0).to(sum.scalar_type()) : 1 - state * state);
            return RecurrentStep{d, d, dh * 0, Tensor()};
          }};
}

// Sets the first rows of a tensor of all sequences, which stays as it is.
Tensor with_first_rows(const Tensor& rows, const Tensor& all) {
  const int64_t waiting = all.size(0) - rows.size(0);
  return waiting == 0 ? rows : at::cat({rows, all.narrow(0, rows.size(0), waiting)}, 0);
}

// The layer again, and back, by operators that have gradients themselves.
void gradients_by_operators(const CheckedLayer& layer, const Tensor& input_weight,
                            const Tensor& bias, const Tensor& recurrent_bias, const Tensor& dy,
                            bool reverse, RecurrentGradients& g) {
  const bool lstm = layer.mode == RecurrentMode::Lstm;
  Tensor gates = at::mm(layer.rows, input_weight.t());
  if (bias.defined()) gates = gates + bias;
  const auto count = static_cast<int64_t>(layer.batch_sizes.size());
  const auto place = [&](int64_t n) { return static_cast<size_t>(reverse ? count - 1 - n : n); };
  std::vector<int64_t> first;
  int64_t rows = 0;
  for (const int64_t size : layer.batch_sizes) {
    first.push_back(rows);
    rows += size;
  }
  std::vector<OperatorStep> steps(layer.batch_sizes.size());
  std::vector<Tensor> before(layer.batch_sizes.size());
  Tensor state = layer.hx;
  Tensor cell = layer.cx;
  for (int64_t n = 0; n < count; ++n) {
    const size_t t = place(n);
    const int64_t size = layer.batch_sizes[t];
    before[t] = state.narrow(0, 0, size);
    Tensor back = at::mm(before[t], layer.weight.t());
    if (recurrent_bias.defined()) back = back + recurrent_bias;
    steps[t] = step_by_operators(layer.mode, gates.narrow(0, first[t], size), back, before[t],
                                 lstm ? cell.narrow(0, 0, size) : Tensor());
    state = with_first_rows(steps[t].state, state);
    if (lstm) cell = with_first_rows(steps[t].cell, cell);
  }
  const Tensor by_rows = dy.defined() ? dy.reshape({rows, layer.hx.size(1)}) : Tensor();
  std::vector<Tensor> of_gates(steps.size());
  std::vector<Tensor> of_recurrent(steps.size());
  for (int64_t n = count - 1; n >= 0; --n) {
    const size_t t = place(n);
    const int64_t size = layer.batch_sizes[t];
    Tensor dh = g.hx.narrow(0, 0, size);
    if (by_rows.defined()) dh = dh + by_rows.narrow(0, first[t], size);
    const RecurrentStep d = steps[t].backward(dh, lstm ? g.cx.narrow(0, 0, size) : Tensor());
    of_gates[t] = d.input;
    of_recurrent[t] = d.back;
    g.hx = with_first_rows(d.state + at::mm(d.back, layer.weight), g.hx);
    if (lstm) g.cx = with_first_rows(d.cell, g.cx);
  }
  g.gates = at::cat(of_gates, 0);
  if (layer.mode == RecurrentMode::Gru) g.recurrent = at::cat(of_recurrent, 0);
  g.before = at::cat(before, 0);
}

}  // namespace

std::tuple<Tensor, Tensor, Tensor, Tensor> mkldnn_rnn_layer(
    const Tensor& input, const Tensor& weight0, const Tensor& weight1, const Tensor& weight2,
    const Tensor& weight3, const Tensor& hx_, const Tensor& cx_, bool reverse,
    IntArrayRef batch_sizes, int64_t mode, int64_t hidden_size, int64_t num_layers, bool has_biases,
    bool bidirectional, bool batch_first, bool train) {
  if (is_narrow(input)) {
    const auto [output, hy, cy, workspace] = at::mkldnn_rnn_layer(
        widened(input), widened(weight0), widened(weight1), widened(weight2), widened(weight3),
        widened(hx_), widened(cx_), reverse, batch_sizes, mode, hidden_size, num_layers, has_biases,
        bidirectional, batch_first, train);
    const ScalarType dtype = input.scalar_type();
    return {output.to(dtype), hy.to(dtype), cy.to(dtype), workspace};
  }
  const CheckedLayer layer = checked_layer(input, weight0, weight1, weight2, weight3, hx_, cx_,
                                           batch_sizes, mode, has_biases);
  TORCH_CHECK(layer.hx.size(1) == hidden_size, "mkldnn_rnn_layer: expected a state of ",
              hidden_size, " features, but got ", layer.hx.size(1));
  const bool gru = layer.mode == RecurrentMode::Gru;
  // The inputs of all steps at once. A GRU scales the recurrent part with its bias.
  Tensor gates;
  Tensor recurrent_bias;
  if (has_biases) {
    gates = at::addmm(gru ? weight2 : weight2 + weight3, layer.rows, weight0.t());
    if (gru) recurrent_bias = weight3.contiguous();
  } else {
    gates = at::mm(layer.rows, weight0.t());
  }
  const int64_t rows = layer.rows.size(0);
  Tensor output = at::empty({rows, hidden_size}, input.options());
  Tensor hy = at::empty_like(layer.hx);
  Tensor cy = layer.cx.defined() ? at::empty_like(layer.cx) : at::empty({0}, input.options());
  const int64_t kept = layer.mode == RecurrentMode::Lstm ? kLstmKept : (gru ? kGruKept : 0);
  Tensor workspace = at::empty({train ? rows : 0, kept * hidden_size}, input.options());
  recurrent_forward_stub(
      c10::DeviceType::CPU, layer.steps(reverse),
      RecurrentForward{gates.const_data_ptr(), data_of(recurrent_bias), output.mutable_data_ptr(),
                       hy.mutable_data_ptr(), layer.cx.defined() ? cy.mutable_data_ptr() : nullptr,
                       train && kept > 0 ? workspace.mutable_data_ptr() : nullptr},
      input.scalar_type());
  if (batch_sizes.empty()) output = output.view({input.size(0), input.size(1), hidden_size});
  return {output, hy, cy, workspace};
}

std::tuple<Tensor, Tensor, Tensor, Tensor, Tensor, Tensor, Tensor> mkldnn_rnn_layer_backward(
    const Tensor& input, const Tensor& weight1, const Tensor& weight2, const Tensor& weight3,
    const Tensor& weight4, const Tensor& hx_, const Tensor& cx_tmp, const Tensor& output,
    const Tensor& hy_, const Tensor& cy_, const std::optional<Tensor>& grad_output,
    const std::optional<Tensor>& grad_hy, const std::optional<Tensor>& grad_cy, bool reverse,
    int64_t mode, int64_t hidden_size, int64_t num_layers, bool has_biases, bool train,
    bool bidirectional, IntArrayRef batch_sizes, bool batch_first, const Tensor& workspace) {
  TORCH_CHECK(train, "mkldnn_rnn_layer_backward: the layer ran with train = False");
  if (is_narrow(input)) {
    const auto wide = [](const std::optional<Tensor>& t) {
      return t && t->defined() ? std::optional<Tensor>(widened(*t)) : std::nullopt;
    };
    auto [dx, dw1, dw2, dw3, dw4, dhx, dcx] = at::mkldnn_rnn_layer_backward(
        widened(input), widened(weight1), widened(weight2), widened(weight3), widened(weight4),
        widened(hx_), widened(cx_tmp), widened(output), widened(hy_), widened(cy_),
        wide(grad_output), wide(grad_hy), wide(grad_cy), reverse, mode, hidden_size, num_layers,
        has_biases, train, bidirectional, batch_sizes, batch_first, workspace);
    for (Tensor* t : {&dx, &dw1, &dw2, &dw3, &dw4, &dhx, &dcx}) {
      if (t->defined()) *t = t->to(input.scalar_type());
    }
    return {dx, dw1, dw2, dw3, dw4, dhx, dcx};
  }
  const CheckedLayer layer = checked_layer(input, weight1, weight2, weight3, weight4, hx_, cx_tmp,
                                           batch_sizes, mode, has_biases);
  const auto given = [](const std::optional<Tensor>& t) { return t && t->defined(); };
  const auto start = [&](const std::optional<Tensor>& grad) {
    return given(grad) ? grad->clone(c10::MemoryFormat::Contiguous) : at::zeros_like(layer.hx);
  };
  RecurrentGradients g;
  g.hx = start(grad_hy);
  if (layer.cx.defined()) g.cx = start(grad_cy);
  const Tensor dy = given(grad_output) ? grad_output->contiguous() : Tensor();
  if (c10::GradMode::is_enabled()) {
    gradients_by_operators(layer, weight1, has_biases ? weight3 : Tensor(),
                           has_biases ? weight4 : Tensor(), dy, reverse, g);
  } else {
    g.gates = at::empty({layer.rows.size(0), layer.gates * hidden_size}, input.options());
    if (layer.mode == RecurrentMode::Gru) g.recurrent = at::empty_like(g.gates);
    g.before = at::empty({layer.rows.size(0), hidden_size}, input.options());
    const auto into = [](Tensor& t) { return t.defined() ? t.mutable_data_ptr() : nullptr; };
    const Tensor states = output.contiguous();
    recurrent_backward_stub(
        c10::DeviceType::CPU, layer.steps(reverse),
        RecurrentBackward{states.const_data_ptr(), workspace.const_data_ptr(), data_of(dy),
                          into(g.hx), into(g.cx), into(g.gates), into(g.recurrent), into(g.before)},
        input.scalar_type());
  }
  if (!g.recurrent.defined()) g.recurrent = g.gates;
  Tensor grad_bias;
  Tensor grad_recurrent_bias;
  if (has_biases) {
    grad_bias = g.gates.sum({0});
    grad_recurrent_bias = layer.mode == RecurrentMode::Gru ? g.recurrent.sum({0}) : grad_bias;
  }
  return {at::mm(g.gates, weight1).view(input.sizes()),
          at::mm(g.gates.t(), layer.rows),
          at::mm(g.recurrent.t(), g.before),
          grad_bias,
          grad_recurrent_bias,
          g.hx,
          g.cx};
}

}  // namespace at::native
