// Samples of images and volumes at the places of a grid (Jaderberg and others, "Spatial Transformer
// Networks", arXiv:1506.02025), in two and three dimensions.

#define TORCH_ASSERT_ONLY_METHOD_OPERATORS
#include <ATen/core/Tensor.h>
#include <ATen/native/GridSampler.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/grid_sampler_2d.h>
#include <ATen/ops/grid_sampler_2d_backward_native.h>
#include <ATen/ops/grid_sampler_2d_native.h>
#include <ATen/ops/grid_sampler_3d.h>
#include <ATen/ops/grid_sampler_3d_backward_native.h>
#include <ATen/ops/grid_sampler_3d_native.h>
#include <ATen/ops/grid_sampler_native.h>
#include <ATen/ops/zeros.h>
#include <c10/core/ScalarType.h>
#include <c10/util/Exception.h>

#include <array>
#include <cstdint>
#include <tuple>
#include <vector>

namespace at::native {

DEFINE_DISPATCH(grid_sampler_stub);
DEFINE_DISPATCH(grid_sampler_backward_stub);

namespace {

using grid::kBicubic;

bool is_narrow(const Tensor& t) { return t.scalar_type() == kHalf || t.scalar_type() == kBFloat16; }

void check_grid(const Tensor& input, const Tensor& grid, int64_t dims, int64_t interpolation) {
  TORCH_CHECK(input.device() == grid.device(),
              "grid_sampler(): expected input and grid to be on same device, but input is on ",
              input.device(), " and grid is on ", grid.device());
  TORCH_CHECK(input.scalar_type() == grid.scalar_type(),
              "grid_sampler(): expected input and grid to have same dtype, but input has ",
              input.scalar_type(), " and grid has ", grid.scalar_type());
  TORCH_CHECK(input.dim() == dims + 2 && grid.dim() == dims + 2, "grid_sampler(): expected ",
              dims + 2,
              "D input and grid with same number of dimensions, but got input with sizes ",
              input.sizes(), " and grid with sizes ", grid.sizes());
  TORCH_CHECK(
      input.size(0) == grid.size(0),
      "grid_sampler(): expected grid and input to have same batch size, but got input with sizes ",
      input.sizes(), " and grid with sizes ", grid.sizes());
  TORCH_CHECK(grid.size(-1) == dims, "grid_sampler(): expected grid to have size ", dims,
              " in last dimension, but got grid with sizes ", grid.sizes());
  for (int64_t d = 2; d < input.dim(); ++d) {
    TORCH_CHECK(
        input.size(d) > 0,
        "grid_sampler(): expected input to have non-empty spatial dimensions, but input has sizes ",
        input.sizes(), " with dimension ", d, " being empty");
  }
  TORCH_CHECK(dims == 2 || interpolation != kBicubic,
              "grid_sampler(): bicubic interpolation only supports 4D input");
}

template <size_t D>
Tensor sample(const Tensor& input, const Tensor& grid, int64_t interpolation, int64_t padding,
              bool align_corners) {
  check_grid(input, grid, D, interpolation);
  if (is_narrow(input)) {
    return sample<D>(input.to(kFloat), grid.to(kFloat), interpolation, padding, align_corners)
        .to(input.scalar_type());
  }
  const Tensor x = input.contiguous();
  const Tensor g = grid.contiguous();
  std::vector<int64_t> sizes = {x.size(0), x.size(1)};
  for (size_t d = 0; d < D; ++d) sizes.push_back(g.size(static_cast<int64_t>(d) + 1));
  const Tensor output = at::empty(sizes, x.options());
  grid_sampler_stub(x.device().type(), output, x, g, interpolation, padding, align_corners);
  return output;
}

template <size_t D>
std::tuple<Tensor, Tensor> sample_backward(const Tensor& grad_output, const Tensor& input,
                                           const Tensor& grid, int64_t interpolation,
                                           int64_t padding, bool align_corners,
                                           std::array<bool, 2> output_mask) {
  check_grid(input, grid, D, interpolation);
  if (is_narrow(input)) {
    auto [by_input, by_grid] =
        sample_backward<D>(grad_output.to(kFloat), input.to(kFloat), grid.to(kFloat), interpolation,
                           padding, align_corners, output_mask);
    const ScalarType type = input.scalar_type();
    return {by_input.defined() ? by_input.to(type) : by_input, by_grid.to(type)};
  }
  const Tensor x = input.contiguous();
  const Tensor g = grid.contiguous();
  const Tensor dy = grad_output.contiguous();
  const Tensor by_input = output_mask[0] ? at::zeros(x.sizes(), x.options()) : Tensor();
  const Tensor by_grid = at::empty(g.sizes(), g.options());
  grid_sampler_backward_stub(x.device().type(), by_input, by_grid, dy, x, g, interpolation, padding,
                             align_corners);
  return {by_input, by_grid};
}

}  // namespace

Tensor grid_sampler_2d_cpu(const Tensor& input, const Tensor& grid, int64_t interpolation_mode,
                           int64_t padding_mode, bool align_corners) {
  return sample<2>(input, grid, interpolation_mode, padding_mode, align_corners);
}

Tensor grid_sampler_3d_cpu(const Tensor& input, const Tensor& grid, int64_t interpolation_mode,
                           int64_t padding_mode, bool align_corners) {
  return sample<3>(input, grid, interpolation_mode, padding_mode, align_corners);
}

std::tuple<Tensor, Tensor> grid_sampler_2d_backward_cpu(const Tensor& grad_output,
                                                        const Tensor& input, const Tensor& grid,
                                                        int64_t interpolation_mode,
                                                        int64_t padding_mode, bool align_corners,
                                                        std::array<bool, 2> output_mask) {
  return sample_backward<2>(grad_output, input, grid, interpolation_mode, padding_mode,
                            align_corners, output_mask);
}

std::tuple<Tensor, Tensor> grid_sampler_3d_backward_cpu(const Tensor& grad_output,
                                                        const Tensor& input, const Tensor& grid,
                                                        int64_t interpolation_mode,
                                                        int64_t padding_mode, bool align_corners,
                                                        std::array<bool, 2> output_mask) {
  return sample_backward<3>(grad_output, input, grid, interpolation_mode, padding_mode,
                            align_corners, output_mask);
}

Tensor grid_sampler(const Tensor& input, const Tensor& grid, int64_t interpolation_mode,
                    int64_t padding_mode, bool align_corners) {
  TORCH_CHECK(
      input.dim() == 0 || grid.dim() == 0 || input.size(0) == grid.size(0),
      "grid_sampler(): expected grid and input to have same batch size, but got input with sizes ",
      input.sizes(), " and grid with sizes ", grid.sizes());
  TORCH_CHECK(
      (input.dim() == 4 || input.dim() == 5) && input.dim() == grid.dim(),
      "grid_sampler(): expected 4D or 5D input and grid with same number of dimensions, but got input with sizes ",
      input.sizes(), " and grid with sizes ", grid.sizes());
  return input.dim() == 4
             ? at::grid_sampler_2d(input, grid, interpolation_mode, padding_mode, align_corners)
             : at::grid_sampler_3d(input, grid, interpolation_mode, padding_mode, align_corners);
}

}  // namespace at::native
