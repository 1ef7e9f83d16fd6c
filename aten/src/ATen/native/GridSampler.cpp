// Samples of images and volumes at the places of a grid (Jaderberg and others, "Spatial Transformer
// Networks", arXiv:1506.02025), in two and three dimensions.

#define TORCH_ASSERT_ONLY_METHOD_OPERATORS
#include <ATen/Dispatch.h>
#include <ATen/Parallel.h>
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
#include <limits>
#include <tuple>
#include <vector>

namespace at::native {
namespace {

using grid::kBicubic;
using grid::Sampler;
using grid::Tap;

template <typename T, size_t D>
Sampler<T, D> sampler(const Tensor& input, int64_t interpolation, int64_t padding,
                      bool align_corners) {
  Sampler<T, D> s;
  for (size_t d = 0; d < D; ++d) {
    s.axes[d] = {input.size(static_cast<int64_t>(d) + 2), padding, align_corners};
  }
  s.interpolation = interpolation;
  return s;
}

int64_t volume(const Tensor& t, int64_t first, int64_t last) {
  int64_t result = 1;
  for (int64_t d = first; d < last; ++d) result *= t.size(d);
  return result;
}

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
  const int64_t channels = x.size(1);
  const int64_t inside = volume(x, 2, x.dim());
  const int64_t points = volume(g, 1, g.dim() - 1);
  AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "grid_sampler", [&] {
    const auto s = sampler<scalar_t, D>(x, interpolation, padding, align_corners);
    const auto* in = x.const_data_ptr<scalar_t>();
    const auto* places = g.const_data_ptr<scalar_t>();
    auto* out = output.mutable_data_ptr<scalar_t>();
    at::parallel_for(0, x.size(0) * points, 256, [&](int64_t begin, int64_t end) {
      std::array<Tap<scalar_t, D>, 16> found;
      for (int64_t i = begin; i < end; ++i) {
        const scalar_t* place = places + i * static_cast<int64_t>(D);
        const size_t count = s.template taps<false>(place, found);
        const scalar_t start =
            s.undefined_at(place) ? std::numeric_limits<scalar_t>::quiet_NaN() : scalar_t(0);
        const int64_t n = i / points;
        const scalar_t* channel = in + n * channels * inside;
        scalar_t* to = out + n * channels * points + (i - n * points);
        for (int64_t c = 0; c < channels; ++c) {
          scalar_t sum = start;
          for (size_t t = 0; t < count; ++t) sum += channel[found[t].offset] * found[t].weight;
          *to = sum;
          channel += inside;
          to += points;
        }
      }
    });
  });
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
  const int64_t channels = x.size(1);
  const int64_t inside = volume(x, 2, x.dim());
  const int64_t points = volume(g, 1, g.dim() - 1);
  AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "grid_sampler_backward", [&] {
    const auto s = sampler<scalar_t, D>(x, interpolation, padding, align_corners);
    const auto* in = x.const_data_ptr<scalar_t>();
    const auto* places = g.const_data_ptr<scalar_t>();
    const auto* gy = dy.const_data_ptr<scalar_t>();
    auto* gx = output_mask[0] ? by_input.mutable_data_ptr<scalar_t>() : nullptr;
    auto* gg = by_grid.mutable_data_ptr<scalar_t>();
    // Points of one item may add to the same element.
    at::parallel_for(0, x.size(0), 1, [&](int64_t begin, int64_t end) {
      std::array<Tap<scalar_t, D>, 16> found;
      for (int64_t i = begin * points; i < end * points; ++i) {
        const size_t count = s.template taps<true>(places + i * static_cast<int64_t>(D), found);
        const int64_t n = i / points;
        const int64_t point = i - n * points;
        std::array<scalar_t, D> slopes{};
        for (int64_t c = 0; c < channels; ++c) {
          const scalar_t grad = gy[(n * channels + c) * points + point];
          const int64_t channel = (n * channels + c) * inside;
          for (size_t t = 0; t < count; ++t) {
            const Tap<scalar_t, D>& tap = found[t];
            if (gx != nullptr) gx[channel + tap.offset] += grad * tap.weight;
            const scalar_t value = grad * in[channel + tap.offset];
            for (size_t d = 0; d < D; ++d) slopes[d] += value * tap.slopes[d];
          }
        }
        for (size_t d = 0; d < D; ++d) gg[i * static_cast<int64_t>(D) + d] = slopes[D - 1 - d];
      }
    });
  });
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
