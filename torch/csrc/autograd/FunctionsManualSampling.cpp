// The second derivative of grid_sample, out of operators, so that there are derivatives of every
// order. Its formulas are those of GridSampler.h, which has the sampling itself in loops.

#include <ATen/TensorOperators.h>
#include <ATen/native/GridSampler.h>
#include <ATen/ops/full_like.h>
#include <ATen/ops/gather.h>
#include <ATen/ops/grid_sampler_2d.h>
#include <ATen/ops/grid_sampler_2d_backward.h>
#include <ATen/ops/grid_sampler_3d.h>
#include <ATen/ops/grid_sampler_3d_backward.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/where.h>
#include <ATen/ops/zeros_like.h>
#include <torch/csrc/autograd/FunctionsManualNN.h>

#include <array>
#include <cstddef>
#include <vector>

namespace torch::autograd::generated::details {

using at::Tensor;
using at::native::grid::CubicWeight;
using at::native::grid::kBicubic;
using at::native::grid::kNearest;
using at::native::grid::kReflection;
using at::native::grid::kZeros;
using at::native::grid::unnormalize;
using at::native::grid::unnormalize_slope;

namespace {

// Coordinates along one dimension of the input, in elements, and their derivative by the grid's.
struct Places {
  Tensor value;
  Tensor slope;
};

// An element along one dimension, whether it is inside, and its weight with two derivatives.
struct Tap {
  Tensor index;
  Tensor inside;
  Tensor weight;
  Tensor slope;
  Tensor curvature;
};

Places place(const Tensor& x, int64_t size, bool align_corners) {
  return {unnormalize(x, size, align_corners),
          at::full_like(x, unnormalize_slope<Tensor>(size, align_corners))};
}

// Between the middles of the outermost elements, or between their edges.
Places reflected(const Places& x, int64_t size, bool align_corners) {
  const double low = align_corners ? 0 : -0.5;
  const double span = static_cast<double>(align_corners ? size - 1 : size);
  if (span == 0) return {at::zeros_like(x.value), at::zeros_like(x.value)};
  const Tensor distance = (x.value - low).abs();
  const Tensor slope = at::where(x.value < low, -x.slope, x.slope);
  const Tensor turns = (distance / span).floor().detach();
  const Tensor rest = distance - turns * span;
  const Tensor even = turns.remainder(2) == 0;
  return {at::where(even, rest, span - rest) + low, at::where(even, slope, -slope)};
}

// Into the input, as the padding says; a place that is no number is one outside.
Places padded(Places x, int64_t size, int64_t padding, bool align_corners) {
  if (padding == kReflection) x = reflected(x, size, align_corners);
  if (padding != kZeros) {
    const auto last = static_cast<double>(size - 1);
    const Tensor moves = (x.value > 0).logical_and(x.value < last);
    x = {at::where(x.value > 0, x.value.clamp(0, last), 0), at::where(moves, x.slope, 0)};
  }
  const Tensor usable = x.value.abs() < 1e9;
  return {at::where(usable, x.value, -100), at::where(usable, x.slope, 0)};
}

Tap tap(const Tensor& element, int64_t size, const Tensor& weight, const Tensor& slope,
        const Tensor& curvature) {
  const Tensor whole = element.detach();
  const Tensor inside = (whole >= 0).logical_and(whole < size);
  return {whole.clamp(0, static_cast<double>(size - 1)).to(at::kLong), inside, weight, slope,
          curvature};
}

std::vector<Tap> linear_taps(const Places& x, int64_t size) {
  const Tensor first = x.value.floor().detach();
  const Tensor rest = x.value - first;
  const Tensor none = at::zeros_like(rest);
  return {tap(first, size, 1 - rest, -x.slope, none), tap(first + 1, size, rest, x.slope, none)};
}

// x is the distance to an element, and `sign` the derivative of x by the place.
Tap cubic_tap(const Tensor& element, int64_t size, const Tensor& x, double sign, bool near,
              const Tensor& by_grid) {
  using W = CubicWeight<Tensor>;
  const Tensor value = near ? W::near(x) : W::far(x);
  const Tensor slope = near ? W::near_slope(x) : W::far_slope(x);
  const Tensor curvature = near ? W::near_curvature(x) : W::far_curvature(x);
  return tap(element, size, value, slope * by_grid * sign, curvature * by_grid * by_grid);
}

std::vector<Tap> cubic_taps(const Places& x, int64_t size, int64_t padding, bool align_corners) {
  const Tensor first = x.value.floor().detach();
  const Tensor t = x.value - first;
  const std::array<Tensor, 4> distances = {t + 1, t, 1 - t, 2 - t};
  std::vector<Tap> taps;
  for (int step = 0; step < 4; ++step) {
    const Places element = padded({first + (step - 1), x.slope}, size, padding, align_corners);
    taps.push_back(cubic_tap(element.value, size, distances[static_cast<size_t>(step)],
                             step < 2 ? 1 : -1, step == 1 || step == 2, x.slope));
  }
  return taps;
}

// What the derivative by the grid adds: by grad_output, input and grid.
struct Terms {
  Tensor by_grad;
  Tensor by_input;
  std::vector<Tensor> by_grid;
};

// One element of the sum that a sample is: a tap of each dimension. `along` is the gradient of the
// derivative by the grid, one tensor a dimension; all of them are (N, points), `x` and
// `grad_output` (N, C, elements) and (N, C, points).
void add_term(Terms& terms, const std::vector<Tap>& taps, const std::vector<int64_t>& sizes,
              const std::vector<Tensor>& along, const Tensor& x, const Tensor& grad_output) {
  const size_t dims = taps.size();
  Tensor index = at::zeros_like(taps[0].index);
  Tensor inside = taps[0].inside;
  for (size_t d = 0; d < dims; ++d) {
    index = index * sizes[d] + taps[d].index;
    inside = inside.logical_and(taps[d].inside);
  }
  // The derivative of the product of the weights by the coordinates a and b.
  const auto derivative = [&](size_t a, size_t b) {
    Tensor product = inside.to(along[0].scalar_type());
    for (size_t d = 0; d < dims; ++d) {
      const Tap& t = taps[d];
      product = product * (d == a && d == b ? t.curvature : d == a || d == b ? t.slope : t.weight);
    }
    return product;
  };
  Tensor slope = at::zeros_like(along[0]);
  std::vector<Tensor> curvature(dims, slope);
  for (size_t a = 0; a < dims; ++a) {
    slope = slope + along[a] * derivative(a, dims);
    for (size_t b = 0; b < dims; ++b) curvature[b] = curvature[b] + along[a] * derivative(a, b);
  }
  index = index.unsqueeze(1).expand(grad_output.sizes());
  const Tensor value = x.gather(2, index);
  terms.by_grad = terms.by_grad + value * slope.unsqueeze(1);
  terms.by_input = terms.by_input.scatter_add(2, index, grad_output * slope.unsqueeze(1));
  const Tensor weighted = (value * grad_output).sum(1);
  for (size_t d = 0; d < dims; ++d) {
    terms.by_grid[d] = terms.by_grid[d] + weighted * curvature[d];
  }
}

// Derivatives of <gg, the derivative of the samples by the grid>.
Terms grid_terms(const Tensor& gg, const Tensor& grad_output, const Tensor& input,
                 const Tensor& grid, int64_t interpolation, int64_t padding, bool align_corners) {
  const auto dims = static_cast<size_t>(input.dim() - 2);
  std::vector<int64_t> sizes;
  std::vector<Tensor> along;
  std::vector<std::vector<Tap>> taps;
  for (size_t d = 0; d < dims; ++d) {
    const int64_t size = input.size(static_cast<int64_t>(d) + 2);
    const auto coordinate = static_cast<int64_t>(dims - 1 - d);  // In the opposite order.
    const Places x = place(grid.select(-1, coordinate).flatten(1), size, align_corners);
    sizes.push_back(size);
    along.push_back(gg.select(-1, coordinate).flatten(1));
    taps.push_back(interpolation == kBicubic
                       ? cubic_taps(x, size, padding, align_corners)
                       : linear_taps(padded(x, size, padding, align_corners), size));
  }
  const Tensor x = input.flatten(2);
  const Tensor dy = grad_output.flatten(2);
  Terms terms{at::zeros_like(dy), at::zeros_like(x),
              std::vector<Tensor>(dims, at::zeros_like(along[0]))};
  const size_t each = taps[0].size();
  size_t combinations = 1;
  for (size_t d = 0; d < dims; ++d) combinations *= each;
  for (size_t i = 0; i < combinations; ++i) {
    std::vector<Tap> chosen;
    size_t rest = i;
    for (size_t d = 0; d < dims; ++d, rest /= each) chosen.push_back(taps[d][rest % each]);
    add_term(terms, chosen, sizes, along, x, dy);
  }
  return terms;
}

}  // namespace

std::tuple<Tensor, Tensor, Tensor> grid_sampler_double_backward(
    const Tensor& grad_by_input, const Tensor& grad_by_grid, const Tensor& grad_output,
    const Tensor& input, const Tensor& grid, int64_t interpolation_mode, int64_t padding_mode,
    bool align_corners) {
  Tensor by_grad = at::zeros_like(grad_output);
  Tensor by_input = at::zeros_like(input);
  Tensor by_grid = at::zeros_like(grid);
  if (grad_by_input.defined()) {
    // The derivative by the input is the transpose of sampling, which is linear in its input.
    const bool flat = input.dim() == 4;
    const auto sample = flat ? at::grid_sampler_2d : at::grid_sampler_3d;
    const auto backward = flat ? at::grid_sampler_2d_backward : at::grid_sampler_3d_backward;
    by_grad = sample(grad_by_input, grid, interpolation_mode, padding_mode, align_corners);
    by_grid = std::get<1>(backward(grad_output, grad_by_input, grid, interpolation_mode,
                                   padding_mode, align_corners, {false, true}));
  }
  if (grad_by_grid.defined() && interpolation_mode != kNearest) {
    const Terms terms = grid_terms(grad_by_grid, grad_output, input, grid, interpolation_mode,
                                   padding_mode, align_corners);
    by_grad = by_grad + terms.by_grad.view_as(by_grad);
    by_input = by_input + terms.by_input.view_as(by_input);
    const std::vector<Tensor> columns(terms.by_grid.rbegin(), terms.by_grid.rend());
    by_grid = by_grid + at::stack(columns, -1).view_as(by_grid);
  }
  // No gradient rather than one of zeros where PyTorch has none.
  return {by_grad, interpolation_mode == kNearest ? Tensor() : by_input, by_grid};
}

}  // namespace torch::autograd::generated::details
