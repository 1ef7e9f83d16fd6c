// Arguments of poolings.

#define TORCH_ASSERT_ONLY_METHOD_OPERATORS
#include <ATen/native/Pool.h>

#include <ATen/core/Tensor.h>
#include <ATen/ops/empty.h>
#include <c10/util/Exception.h>

#include <algorithm>
#include <cstddef>
#include <string>

namespace at::native {
namespace {

std::string tuple_of(int64_t dims) {
  if (dims == 1) return "a single int";
  return "a single int, or a tuple of " + std::string(dims == 2 ? "two" : "three") + " ints";
}

// One value stands for all dimensions.
int64_t param(IntArrayRef values, int64_t d) {
  return values.size() == 1 ? values[0] : values[static_cast<size_t>(d)];
}

void check_length(const char* name, const char* what, IntArrayRef values, int64_t dims) {
  TORCH_CHECK(values.size() == 1 || static_cast<int64_t>(values.size()) == dims, name, ": ", what,
              " must either be ", tuple_of(dims));
}

// The input has `dims` dimensions to pool, channels, and perhaps a batch.
PoolGeometry base_geometry(const char* name, const Tensor& input, int64_t dims) {
  const int64_t ndim = input.dim();
  TORCH_CHECK(
      ndim == dims + 1 || ndim == dims + 2, name, ": Expected ", dims + 1, "D or ", dims + 2,
      "D (batch mode) tensor with optional 0 dim batch size for input, but got: ", input.sizes(),
      ": non-empty ", dims + 1, "D or ", dims + 2, "D (batch mode) tensor expected for input");
  PoolGeometry g;
  g.out_sizes = input.sizes().vec();
  for (int64_t d = 0; d < ndim - dims; ++d) g.planes *= input.size(d);
  for (int64_t d = 0; d < dims; ++d) {
    g.in[static_cast<size_t>(d + 3 - dims)] = input.size(ndim - dims + d);
  }
  return g;
}

// Only the batch may be empty.
void check_not_empty(const char* name, const Tensor& input, int64_t dims) {
  const int64_t first = input.dim() == dims + 2 ? 1 : 0;
  for (int64_t d = first; d < input.dim(); ++d) {
    TORCH_CHECK(
        input.size(d) > 0, name, ": Expected ", dims + 1, "D or ", dims + 2,
        "D (batch mode) tensor with optional 0 dim batch size for input, but got:", input.sizes(),
        ": Expected input's non-batch dimensions to have positive length, but input has a shape of ",
        input.sizes(), " and non-batch dimension ", d - first, " has length zero!");
  }
}

// Channels and the pooled dimensions, as (2x3x3).
std::string volume_of(int64_t channels, const PoolGeometry::Dims& sizes, int64_t dims) {
  std::string text = "(" + std::to_string(channels);
  for (int64_t d = 3 - std::max<int64_t>(dims, 2); d < 3; ++d) {
    text += "x" + std::to_string(sizes[static_cast<size_t>(d)]);
  }
  return text + ")";
}

}  // namespace

PoolGeometry pool_geometry(const char* name, const Tensor& input, int64_t dims, IntArrayRef kernel,
                           IntArrayRef stride, IntArrayRef padding, IntArrayRef dilation,
                           bool ceil_mode) {
  check_length(name, "kernel_size", kernel, dims);
  TORCH_CHECK(stride.empty() || stride.size() == 1 || static_cast<int64_t>(stride.size()) == dims,
              name, ": stride must either be omitted, ", tuple_of(dims));
  check_length(name, "padding", padding, dims);
  check_length(name, "dilation", dilation, dims);
  const auto stride_of = [&](int64_t d) { return param(stride.empty() ? kernel : stride, d); };
  for (int64_t d = 0; d < dims; ++d) {
    const int64_t size = param(kernel, d);
    const int64_t pad = param(padding, d);
    const int64_t gap = param(dilation, d);
    TORCH_CHECK(stride_of(d) != 0, "stride should not be zero");
    TORCH_CHECK(size > 0, "kernel size should be greater than zero, but got ", size);
    TORCH_CHECK(stride_of(d) > 0, "stride should be greater than zero, but got ", stride_of(d));
    TORCH_CHECK(gap > 0, "dilation should be greater than zero, but got ", gap);
    TORCH_CHECK(pad >= 0, "pad must be non-negative, but got pad: ", pad);
    TORCH_CHECK(pad <= (gap * (size - 1) + 1) / 2,
                "pad should be at most half of effective kernel size, but got pad=", pad,
                ", kernel_size=", size, " and dilation=", gap);
    TORCH_CHECK(pad <= size / 2,
                "pad should be smaller than or equal to half of kernel size, but got pad=", pad,
                " and kernel_size=", size);
  }
  PoolGeometry g = base_geometry(name, input, dims);
  check_not_empty(name, input, dims);
  bool too_small = false;
  for (int64_t d = 0; d < dims; ++d) {
    const auto at = static_cast<size_t>(d + 3 - dims);
    g.kernel[at] = param(kernel, d);
    g.stride[at] = stride_of(d);
    g.padding[at] = param(padding, d);
    g.dilation[at] = param(dilation, d);
    const int64_t window = g.dilation[at] * (g.kernel[at] - 1) + 1;
    // The last window must start inside the input or its left padding.
    const int64_t room = g.in[at] + 2 * g.padding[at] - window;
    int64_t out = (room + (ceil_mode ? g.stride[at] - 1 : 0)) / g.stride[at] + 1;
    if (room + (ceil_mode ? g.stride[at] - 1 : 0) < 0) out = 0;
    if (ceil_mode && (out - 1) * g.stride[at] >= g.in[at] + g.padding[at]) --out;
    too_small = too_small || out <= 0;
    g.out[at] = out;
    g.out_sizes[static_cast<size_t>(input.dim() - dims + d)] = out;
  }
  const int64_t channels = input.size(-dims - 1);
  TORCH_CHECK(!too_small, "Given input size: ", volume_of(channels, g.in, dims),
              ". Calculated output size: ", volume_of(channels, g.out, dims),
              ". Output size is too small");
  return g;
}

void check_adaptive_sizes(const char* name, const char* what, const Tensor& tensor, int64_t first) {
  for (int64_t d = first; d < tensor.dim(); ++d) {
    TORCH_CHECK(tensor.size(d) > 0, name, "(): Expected ", what,
                " to have non-zero size for non-batch dimensions, but ", what, " has sizes ",
                tensor.sizes(), " with dimension ", d, " being empty");
  }
}

Tensor pooled_in_format(const Tensor& result, MemoryFormat format) {
  if (format == MemoryFormat::Contiguous) return result;
  return at::empty(result.sizes(), result.options(), format).copy_(result);
}

PoolGeometry adaptive_pool_geometry(const char* name, const Tensor& input, int64_t dims,
                                    IntArrayRef output_size, bool mean) {
  TORCH_CHECK(output_size.size() == 1 || static_cast<int64_t>(output_size.size()) == dims, name,
              ": internal error: output_size.size() must be ", dims);
  PoolGeometry g = base_geometry(name, input, dims);
  // Means in two dimensions, and tensors without a batch, may have no channels.
  check_adaptive_sizes(name, "input", input, mean && dims == 2 ? input.dim() - 2 : 1);
  for (int64_t d = 0; d < dims; ++d) {
    const int64_t out = param(output_size, d);
    g.out[static_cast<size_t>(d + 3 - dims)] = out;
    g.out_sizes[static_cast<size_t>(input.dim() - dims + d)] = out;
    TORCH_CHECK(out >= 0, name,
                ": elements of output_size must be greater than or equal to 0 but received ",
                output_size, ". Trying to create tensor with negative dimension ", out, ": ",
                IntArrayRef(g.out_sizes));
  }
  return g;
}

}  // namespace at::native
