// Convolution and pooling.

#define TORCH_ASSERT_NO_OPERATORS
#include <ATen/native/ConvImplicitGemm.h>
#include <ATen/native/Pool.h>
#include <ATen/native/shaders/Launch.h>
#include <c10/core/ScalarType.h>
#include <c10/util/Exception.h>

#include <algorithm>
#include <array>

namespace at::native {
namespace {

using at::shaders::Binding;
using at::shaders::ComputeDevice;

// `Arguments` of convolution.comp.
struct ConvolutionArguments {
  uint32_t start[8];
  uint32_t batch;
  uint32_t groups;
  uint32_t in_channels;
  uint32_t out_channels;
  int32_t inside[3];
  int32_t outside[3];
  int32_t kernel[3];
  int32_t step[3];
  int32_t padding[3];
  int32_t dilation[3];
  uint32_t x_stride[5];
  uint32_t w_stride[5];
  uint32_t y_stride[5];
};

void assign(int32_t (&to)[3], const std::array<int64_t, 3>& from) {
  for (size_t d = 0; d < 3; ++d) to[d] = static_cast<int32_t>(shaders::narrow(from[d]));
}

template <typename Arguments, typename Geometry>
void assign_window(Arguments& arguments, const Geometry& g) {
  assign(arguments.inside, g.in);
  assign(arguments.outside, g.out);
  assign(arguments.kernel, g.kernel);
  assign(arguments.step, g.stride);
  assign(arguments.padding, g.padding);
  assign(arguments.dilation, g.dilation);
}

// Batch, channel and the last three of up to three dimensions.
void assign_strides(uint32_t (&to)[5], const TensorBase& t) {
  const int64_t dims = t.dim();
  to[0] = shaders::narrow(t.stride(0));
  to[1] = shaders::narrow(t.stride(1));
  for (int64_t d = 2; d < dims; ++d) {
    to[static_cast<size_t>(d + 5 - dims)] = shaders::narrow(t.stride(d));
  }
}

Binding binding(const TensorBase& t) {
  if (!t.defined()) return {};
  return {t.const_data_ptr(), static_cast<size_t>(t.element_size())};
}

// The gradients are products of matrices that operators write down.
bool convolution_shader(ConvProduct product, const ConvGeometry& g, const TensorBase& x,
                        const TensorBase& w, const TensorBase& bias, const TensorBase& y) {
  if (product != ConvProduct::FORWARD) return false;
  ComputeDevice& device = at::shaders::compute_device(x.device().index());
  const ScalarType dtype = x.scalar_type();
  shaders::check_type(dtype, {kFloat, kHalf}, "convolution", device);
  ConvolutionArguments arguments{};
  arguments.batch = shaders::narrow(g.batch);
  arguments.groups = shaders::narrow(g.groups);
  arguments.in_channels = shaders::narrow(g.in_channels);
  arguments.out_channels = shaders::narrow(g.out_channels);
  assign_window(arguments, g);
  assign_strides(arguments.x_stride, x);
  assign_strides(arguments.w_stride, w);
  assign_strides(arguments.y_stride, y);
  const bool depthwise = g.in_channels == 1 && g.out_channels == 1;
  constexpr uint32_t kThreads = 64;
  std::array<uint32_t, 3> groups = {1, 1, 1};
  if (depthwise) {
    groups[0] = shaders::groups_for(int64_t{shaders::narrow(y.numel())}, device, kThreads);
  } else {
    const int64_t tiles =
        (g.out_channels + 31) / 32 * ((g.out_size() + 31) / 32) * g.batch * g.groups;
    groups[0] = shaders::groups_for(int64_t{shaders::narrow(tiles)}, device, 1);
  }
  shaders::launch(device, "convolution_" + shaders::shader_type(dtype, "convolution", device),
                  {bias.defined() ? 1U : 0U, depthwise ? 1U : 0U},
                  {binding(y), binding(x), binding(w), binding(bias)}, arguments, groups, kThreads);
  return true;
}

// `Arguments` of pool.comp.
struct PoolArguments {
  uint32_t start[8];
  uint32_t planes;
  int32_t inside[3];
  int32_t outside[3];
  int32_t kernel[3];
  int32_t step[3];
  int32_t padding[3];
  int32_t dilation[3];
  int32_t divisor;
};

void pool(const char* name, const PoolGeometry& g, uint32_t op, bool adaptive, bool counts_padding,
          int64_t divisor, ScalarType dtype, const void* x, void* y, int64_t* places) {
  ComputeDevice& device = at::shaders::device_of_address(x);
  shaders::check_type(dtype, {kFloat, kHalf}, name, device);
  // Places are int64.
  shaders::shader_type(kLong, name, device);
  PoolArguments arguments{};
  arguments.planes = shaders::narrow(g.planes);
  assign_window(arguments, g);
  arguments.divisor = static_cast<int32_t>(divisor);
  const size_t size = c10::elementSize(dtype);
  shaders::launch(
      device, "pool_" + shaders::shader_type(dtype, name, device),
      {op, adaptive ? 1U : 0U, counts_padding ? 1U : 0U},
      {{y, size}, {x, size}, {places, sizeof(int64_t)}}, arguments,
      {shaders::groups_for(
           int64_t{shaders::narrow(g.planes * (op == 2 ? g.in_size() : g.out_size()))}, device),
       1, 1});
}

void max_pool_shader(const PoolGeometry& g, bool adaptive, ScalarType dtype, const void* x, void* y,
                     int64_t* indices) {
  pool("max_pool", g, 0, adaptive, false, 0, dtype, x, y, indices);
}

void average_pool_shader(const PoolGeometry& g, const AveragePool& how, ScalarType dtype,
                         const void* from, void* to) {
  pool("avg_pool", g, 1, how.adaptive, how.count_include_pad, how.divisor, dtype, from, to,
       nullptr);
}

void average_pool_backward_shader(const PoolGeometry& g, const AveragePool& how, ScalarType dtype,
                                  const void* from, void* to) {
  pool("avg_pool_backward", g, 2, how.adaptive, how.count_include_pad, how.divisor, dtype, from, to,
       nullptr);
}

}  // namespace

REGISTER_SHADER_DISPATCH(average_pool_backward_stub, &average_pool_backward_shader)
REGISTER_SHADER_DISPATCH(conv_implicit_gemm_stub, &convolution_shader)
REGISTER_SHADER_DISPATCH(max_pool_stub, &max_pool_shader)
REGISTER_SHADER_DISPATCH(average_pool_stub, &average_pool_shader)

}  // namespace at::native
