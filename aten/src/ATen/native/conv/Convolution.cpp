// Convolution in one, two and three dimensions, transposed too, and its gradients.

#define TORCH_ASSERT_ONLY_METHOD_OPERATORS
#include <ATen/DeviceGuard.h>
#include <ATen/core/Tensor.h>
#include <ATen/core/op_registration/adaption.h>
#include <ATen/native/ConvImplicitGemm.h>
#include <ATen/native/ConvLibrary.h>
#include <ATen/native/ConvProducts.h>
#include <ATen/native/ConvUtils.h>
#include <ATen/native/OneDnn.h>
#include <ATen/ops/_convolution_double_backward_native.h>
#include <ATen/ops/_convolution_native.h>
#include <ATen/ops/constant_pad_nd.h>
#include <ATen/ops/conv1d_native.h>
#include <ATen/ops/conv2d_native.h>
#include <ATen/ops/conv3d_native.h>
#include <ATen/ops/conv_transpose1d_native.h>
#include <ATen/ops/conv_transpose2d_native.h>
#include <ATen/ops/conv_transpose3d_native.h>
#include <ATen/ops/convolution.h>
#include <ATen/ops/convolution_backward.h>
#include <ATen/ops/convolution_backward_native.h>
#include <ATen/ops/convolution_native.h>
#include <ATen/ops/empty.h>
#include <c10/core/DeviceGuard.h>
#include <c10/core/ScalarType.h>
#include <c10/util/Exception.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <initializer_list>
#include <optional>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace at::native {

DEFINE_DISPATCH(conv_implicit_gemm_stub);

namespace {

struct ConvParams {
  std::vector<int64_t> stride;
  std::vector<int64_t> padding;
  std::vector<int64_t> dilation;
  std::vector<int64_t> output_padding;
  bool transposed;
  int64_t groups;
};

// One value stands for all dimensions.
std::vector<int64_t> expand_param(IntArrayRef values, const char* name, int64_t dims) {
  if (values.size() == 1) return std::vector<int64_t>(static_cast<size_t>(dims), values[0]);
  TORCH_CHECK(static_cast<int64_t>(values.size()) == dims, "expected ", name,
              " to be a single integer value or a list of ", dims,
              " values to match the convolution dimensions, but got ", name, "=", values);
  return values.vec();
}

ConvParams make_params(const Tensor& weight, IntArrayRef stride, IntArrayRef padding,
                       IntArrayRef dilation, bool transposed, IntArrayRef output_padding,
                       int64_t groups) {
  const int64_t dims = weight.dim() - 2;
  TORCH_CHECK(dims > 0, "weight should have at least three dimensions");
  TORCH_CHECK(dims <= 3,
              "convolution has at most three spatial dimensions, but got weight of size ",
              weight.sizes());
  TORCH_CHECK(groups > 0, "non-positive groups is not supported");
  return {expand_param(stride, "stride", dims),
          expand_param(padding, "padding", dims),
          expand_param(dilation, "dilation", dims),
          expand_param(output_padding, "output_padding", dims),
          transposed,
          groups};
}

bool any_below(const std::vector<int64_t>& values, int64_t least) {
  for (const int64_t value : values) {
    if (value < least) return true;
  }
  return false;
}

std::string by(const std::vector<int64_t>& values) {
  std::string text;
  for (const int64_t value : values) {
    text += (text.empty() ? "" : " x ") + std::to_string(value);
  }
  return text;
}

void check_devices(const char* function,
                   std::initializer_list<std::pair<const char*, const Tensor&>> arguments) {
  std::optional<c10::Device> common_device;
  for (const auto& [name, tensor] : arguments) {
    c10::impl::check_and_update_common_device(common_device, tensor, function, name);
  }
}

void check_shapes(const Tensor& input, const Tensor& weight, const Tensor& bias,
                  const ConvParams& p) {
  const int64_t dims = weight.dim() - 2;
  TORCH_CHECK(!any_below(p.padding, 0), "negative padding is not supported");
  TORCH_CHECK(!any_below(p.output_padding, 0), "negative output_padding is not supported");
  TORCH_CHECK(!any_below(p.stride, 1), "non-positive stride is not supported");
  TORCH_CHECK(!any_below(p.dilation, 1), "dilation should be greater than zero");
  TORCH_CHECK(weight.dim() == input.dim(), "Expected ", weight.dim(), "-dimensional input for ",
              weight.dim(), "-dimensional weight ", weight.sizes(), ", but got ", input.dim(),
              "-dimensional input of size ", input.sizes(), " instead");
  for (int64_t d = 0; d < dims; ++d) {
    const auto i = static_cast<size_t>(d);
    TORCH_CHECK(weight.size(d + 2) > 0,
                "kernel size should be greater than zero, but got weight of size ", weight.sizes());
    TORCH_CHECK(
        !p.transposed || p.output_padding[i] < std::max(p.stride[i], p.dilation[i]),
        "output padding must be smaller than either stride or dilation, but got output_padding=",
        p.output_padding[i], ", stride=", p.stride[i], " and dilation=", p.dilation[i],
        " in dimension ", d);
  }
  TORCH_CHECK(weight.size(0) >= p.groups, "Given groups=", p.groups,
              ", expected weight to be at least ", p.groups,
              " at dimension 0, but got weight of size ", weight.sizes(), " instead");
  TORCH_CHECK(weight.size(0) % p.groups == 0, "Given groups=", p.groups,
              ", expected weight to be divisible by ", p.groups,
              " at dimension 0, but got weight of size ", weight.sizes(), " instead");
  if (p.transposed) {
    TORCH_CHECK(input.size(1) == weight.size(0), "Given transposed=1, weight of size ",
                weight.sizes(), ", expected input", input.sizes(), " to have ", weight.size(0),
                " channels, but got ", input.size(1), " channels instead");
    TORCH_CHECK(!bias.defined() || (bias.dim() == 1 && bias.size(0) == weight.size(1) * p.groups),
                "Given transposed=1, weight of size ", weight.sizes(),
                ", expected bias to be 1-dimensional with ", weight.size(1) * p.groups,
                " elements, but got bias of size ", bias.defined() ? bias.sizes() : IntArrayRef{},
                " instead");
    return;
  }
  TORCH_CHECK(input.size(1) == weight.size(1) * p.groups, "Given groups=", p.groups,
              ", weight of size ", weight.sizes(), ", expected input", input.sizes(), " to have ",
              weight.size(1) * p.groups, " channels, but got ", input.size(1), " channels instead");
  TORCH_CHECK(!bias.defined() || (bias.dim() == 1 && bias.size(0) == weight.size(0)),
              "Given weight of size ", weight.sizes(), ", expected bias to be 1-dimensional with ",
              weight.size(0), " elements, but got bias of size ",
              bias.defined() ? bias.sizes() : IntArrayRef{}, " instead");
  std::vector<int64_t> padded;
  std::vector<int64_t> kernel;
  bool fits = true;
  for (int64_t d = 0; d < dims; ++d) {
    const auto i = static_cast<size_t>(d);
    padded.push_back(input.size(d + 2) + 2 * p.padding[i]);
    kernel.push_back(p.dilation[i] * (weight.size(d + 2) - 1) + 1);
    fits = fits && padded.back() >= kernel.back();
  }
  TORCH_CHECK(fits, "Calculated padded input size per channel: (", by(padded), "). Kernel size: (",
              by(kernel), "). Kernel size can't be greater than actual input size");
}

std::vector<int64_t> output_size(const Tensor& input, const Tensor& weight, const ConvParams& p) {
  std::vector<int64_t> size = {input.size(0),
                               p.transposed ? weight.size(1) * p.groups : weight.size(0)};
  for (int64_t d = 2; d < weight.dim(); ++d) {
    const auto i = static_cast<size_t>(d - 2);
    const int64_t kernel = p.dilation[i] * (weight.size(d) - 1) + 1;
    size.push_back(p.transposed ? (input.size(d) - 1) * p.stride[i] - 2 * p.padding[i] + kernel +
                                      p.output_padding[i]
                                : (input.size(d) + 2 * p.padding[i] - kernel) / p.stride[i] + 1);
  }
  return size;
}

// `small` is the side with the kernel's outputs: a convolution's output, a transposed one's input.
ConvGeometry make_geometry(const Tensor& large, const Tensor& small, const Tensor& weight,
                           const ConvParams& p) {
  ConvGeometry g;
  g.batch = large.size(0);
  g.groups = p.groups;
  g.in_channels = weight.size(1);
  g.out_channels = weight.size(0) / p.groups;
  const int64_t dims = weight.dim() - 2;
  for (int64_t d = 0; d < dims; ++d) {
    const auto from = static_cast<size_t>(d);
    const auto to = static_cast<size_t>(d + 3 - dims);
    g.in[to] = large.size(d + 2);
    g.out[to] = small.size(d + 2);
    g.kernel[to] = weight.size(d + 2);
    g.stride[to] = p.stride[from];
    g.padding[to] = p.padding[from];
    g.dilation[to] = p.dilation[from];
  }
  return g;
}

Tensor wide(const Tensor& t) { return t.defined() ? t.to(kFloat) : t; }

// Whether the tensors' device, which is no CPU, has a library.
bool has_library(const Tensor& t) {
  return !t.is_cpu() && conv_library_stub.is_device_supported(t.device().type()) &&
         conv_library_options().enabled;
}

// Whether their device has kernels of its own, which take channels last.
bool has_kernels(const Tensor& t) {
  return !t.is_cpu() && conv_implicit_gemm_stub.is_device_supported(t.device().type()) &&
         c10::isFloatingType(t.scalar_type());
}

// Channels are last in the results if they are in the input or the weight.
MemoryFormat result_format(const Tensor& input, const Tensor& weight) {
  const MemoryFormat format = input.suggest_memory_format();
  return format == MemoryFormat::Contiguous ? weight.suggest_memory_format() : format;
}

// The memory format in which a convolution is computed.
MemoryFormat compute_format(const Tensor& input, const Tensor& weight) {
  return has_kernels(input) && !has_library(input) ? result_format(input, weight)
                                                   : MemoryFormat::Contiguous;
}

// 16-bit types are converted to float and the result is rounded once, unless a library or the
// device's kernels do that. oneDNN does it if nothing is added afterwards.
Tensor compute_form(const Tensor& t, MemoryFormat format, bool adds_later = false) {
  const ScalarType dtype = t.scalar_type();
  const bool narrow =
      t.is_cpu() ? onednn::convolves(dtype) && !adds_later : has_library(t) || has_kernels(t);
  return (c10::isReducedFloatingType(dtype) && !narrow ? wide(t) : t).contiguous(format);
}

bool by_kernels(ConvProduct product, const ConvGeometry& g, const Tensor& x, const Tensor& w,
                const Tensor& bias, const Tensor& y) {
  return has_kernels(x) && conv_implicit_gemm_stub(x.device().type(), product, g, x, w, bias, y);
}

bool by_library(ConvProduct product, const ConvGeometry& g, const Tensor& x, const Tensor& w,
                const Tensor& y) {
  return has_library(x) &&
         conv_library_stub(x.device().type(), product, g, x.scalar_type(), x.mutable_data_ptr(),
                           w.mutable_data_ptr(), y.mutable_data_ptr());
}

Tensor along_channels(const Tensor& bias, int64_t dims) {
  std::vector<int64_t> shape(static_cast<size_t>(dims), 1);
  shape[1] = -1;
  return bias.view(shape);
}

// On the CPU by oneDNN if it takes the problem, otherwise by the loops of ConvUtils.h, which have
// no 16-bit types. On other devices by a library, the device's kernels or matrix products.
void forward(const ConvGeometry& g, const Tensor& x, const Tensor& w, const Tensor& bias,
             const Tensor& y) {
  if (by_library(ConvProduct::FORWARD, g, x, w, y)) {
    if (bias.defined()) y.add_(along_channels(bias, y.dim()));
    return;
  }
  if (by_kernels(ConvProduct::FORWARD, g, x, w, bias, y)) return;
  if (!x.is_cpu()) return conv_forward_by_products(g, x.contiguous(), w.contiguous(), bias, y);
  const ScalarType dtype = x.scalar_type();
  const void* b = bias.defined() ? bias.const_data_ptr() : nullptr;
  if (onednn::conv_forward(g, dtype, x.const_data_ptr(), w.const_data_ptr(), b,
                           y.mutable_data_ptr())) {
    return;
  }
  if (c10::isReducedFloatingType(dtype)) {
    const Tensor result = at::empty(y.sizes(), y.options().dtype(kFloat));
    forward(g, wide(x), wide(w), wide(bias), result);
    y.copy_(result);
    return;
  }
  conv_forward(g, dtype, x.const_data_ptr(), w.const_data_ptr(), b, y.mutable_data_ptr());
}

using Backward = void (*)(const ConvGeometry&, ScalarType, const void*, const void*, void*);
using OneDnnBackward = bool (*)(const ConvGeometry&, ScalarType, const void*, const void*, void*);

void backward(const ConvGeometry& g, const Tensor& a, const Tensor& b, const Tensor& result,
              OneDnnBackward library, Backward loops) {
  const ScalarType dtype = a.scalar_type();
  if (library(g, dtype, a.const_data_ptr(), b.const_data_ptr(), result.mutable_data_ptr())) return;
  if (c10::isReducedFloatingType(dtype)) {
    const Tensor sums = at::empty(result.sizes(), result.options().dtype(kFloat));
    backward(g, wide(a), wide(b), sums, library, loops);
    result.copy_(sums);
    return;
  }
  loops(g, dtype, a.const_data_ptr(), b.const_data_ptr(), result.mutable_data_ptr());
}

// Returns whether the bias was added too.
bool backward_input(const ConvGeometry& g, const Tensor& y, const Tensor& w, const Tensor& bias,
                    const Tensor& x) {
  if (by_library(ConvProduct::BACKWARD_INPUT, g, x, w, y)) return false;
  if (by_kernels(ConvProduct::BACKWARD_INPUT, g, x, w, bias, y)) return true;
  if (y.is_cpu()) {
    backward(g, y, w, x, &onednn::conv_backward_input, &conv_backward_input);
  } else if (c10::isReducedFloatingType(x.scalar_type())) {
    // Sums of floats, with the bias, are rounded once.
    const Tensor sums = at::empty(x.sizes(), x.options().dtype(kFloat));
    conv_backward_input_by_products(g, wide(y).contiguous(), wide(w).contiguous(), sums);
    if (bias.defined()) sums.add_(along_channels(wide(bias), x.dim()));
    x.copy_(sums);
    return bias.defined();
  } else {
    conv_backward_input_by_products(g, y.contiguous(), w.contiguous(), x);
  }
  return false;
}

void backward_weight(const ConvGeometry& g, const Tensor& y, const Tensor& x, const Tensor& w) {
  if (by_library(ConvProduct::BACKWARD_WEIGHT, g, x, w, y)) return;
  if (by_kernels(ConvProduct::BACKWARD_WEIGHT, g, x, w, Tensor(), y)) return;
  if (!y.is_cpu()) return conv_backward_weight_by_products(g, y.contiguous(), x.contiguous(), w);
  backward(g, y, x, w, &onednn::conv_backward_weight, &conv_backward_weight);
}

Tensor convolve(const Tensor& input, const Tensor& weight, const Tensor& bias,
                const ConvParams& p) {
  const std::vector<int64_t> size = output_size(input, weight, p);
  const std::vector<int64_t> from(input.sizes().begin() + 2, input.sizes().end());
  const std::vector<int64_t> to(size.begin() + 2, size.end());
  const auto positive = [](int64_t s) { return s > 0; };
  TORCH_CHECK(
      std::all_of(from.begin(), from.end(), positive),
      "Only zero batch or zero channel inputs are supported, but got input shape: ", input.sizes());
  TORCH_CHECK(std::all_of(to.begin(), to.end(), positive), "Given input size per channel: (",
              by(from), "). Calculated output size per channel: (", by(to),
              "). Output size is too small");
  const c10::OptionalDeviceGuard guard(device_of(input));
  const bool adds_bias = p.transposed && bias.defined();
  const MemoryFormat format = compute_format(input, weight);
  const Tensor x = compute_form(input, format, adds_bias);
  const Tensor w = compute_form(weight, format, adds_bias);
  Tensor output = at::empty(size, x.options(), format);
  if (output.numel() == 0) return output;
  if (!p.transposed) {
    forward(make_geometry(x, output, w, p), x, w,
            bias.defined() ? compute_form(bias, MemoryFormat::Contiguous) : bias, output);
    return output;
  }
  const Tensor b = adds_bias ? compute_form(bias, MemoryFormat::Contiguous, adds_bias) : Tensor();
  if (!backward_input(make_geometry(output, x, w, p), x, w, b, output) && adds_bias) {
    output.add_(along_channels(b, weight.dim()));
  }
  return output;
}

// conv1d, conv2d, conv3d take an input without a batch too.
std::pair<Tensor, bool> batchify(const Tensor& input, int64_t dims, const char* name) {
  const bool batched = input.dim() == dims + 2;
  TORCH_CHECK(batched || input.dim() == dims + 1, "Expected ", dims + 1, "D (unbatched) or ",
              dims + 2, "D (batched) input to ", name, ", but got input of size: ", input.sizes());
  return {batched ? input : input.unsqueeze(0), batched};
}

Tensor conv_nd(const Tensor& input, const Tensor& weight, const std::optional<Tensor>& bias,
               IntArrayRef stride, IntArrayRef padding, IntArrayRef dilation, int64_t groups,
               int64_t dims, const char* name) {
  const auto [x, batched] = batchify(input, dims, name);
  const Tensor output =
      at::convolution(x, weight, bias, stride, padding, dilation, /*transposed=*/false,
                      std::vector<int64_t>(static_cast<size_t>(dims), 0), groups);
  return batched ? output : output.squeeze(0);
}

Tensor conv_transpose_nd(const Tensor& input, const Tensor& weight,
                         const std::optional<Tensor>& bias, IntArrayRef stride, IntArrayRef padding,
                         IntArrayRef output_padding, int64_t groups, IntArrayRef dilation,
                         int64_t dims, const char* name) {
  const auto [x, batched] = batchify(input, dims, name);
  const Tensor output = at::convolution(x, weight, bias, stride, padding, dilation,
                                        /*transposed=*/true, output_padding, groups);
  return batched ? output : output.squeeze(0);
}

// "same" pads so that the output has the input's size; the odd element goes to the end.
Tensor conv_padding(const Tensor& input, const Tensor& weight, const std::optional<Tensor>& bias,
                    IntArrayRef stride, std::string_view padding, IntArrayRef dilation,
                    int64_t groups, int64_t dims, const char* name) {
  if (padding == "valid") {
    return conv_nd(input, weight, bias, stride, {0}, dilation, groups, dims, name);
  }
  TORCH_CHECK(padding == "same", "Invalid padding string: '", padding, "'");
  const auto [x, batched] = batchify(input, dims, name);
  TORCH_CHECK(weight.dim() == x.dim(), "Expected ", weight.dim(), "-dimensional input for ",
              weight.dim(), "-dimensional weight", weight.sizes(), ", but got ", x.dim(),
              "-dimensional input of size ", x.sizes(), " instead");
  for (const int64_t s : stride) {
    TORCH_CHECK(s == 1, "padding='same' is not supported for strided convolutions");
  }
  const std::vector<int64_t> dilations = expand_param(dilation, "dilation", dims);
  std::vector<int64_t> symmetric;
  std::vector<int64_t> extra(static_cast<size_t>(2 * dims), 0);
  bool pad = false;
  for (int64_t d = 0; d < dims; ++d) {
    const int64_t total = dilations[static_cast<size_t>(d)] * (weight.size(d + 2) - 1);
    symmetric.push_back(total / 2);
    // constant_pad_nd counts dimensions from the last.
    extra[static_cast<size_t>(2 * (dims - 1 - d) + 1)] = total % 2;
    pad = pad || total % 2 != 0;
  }
  const Tensor padded = pad ? at::constant_pad_nd(x, extra, 0) : x;
  const Tensor output =
      conv_nd(padded, weight, bias, stride, symmetric, dilation, groups, dims, name);
  return batched ? output : output.squeeze(0);
}

}  // namespace

Tensor convolution(const Tensor& input, const Tensor& weight, const std::optional<Tensor>& bias_opt,
                   IntArrayRef stride, IntArrayRef padding, IntArrayRef dilation, bool transposed,
                   IntArrayRef output_padding, int64_t groups) {
  const Tensor bias = bias_opt.value_or(Tensor());
  const ConvParams p =
      make_params(weight, stride, padding, dilation, transposed, output_padding, groups);
  check_shapes(input, weight, bias, p);
  check_devices("convolution", {{"input", input}, {"weight", weight}, {"bias", bias}});
  TORCH_CHECK(input.scalar_type() == weight.scalar_type(), "expected scalar type ",
              input.scalar_type(), " but found ", weight.scalar_type());
  TORCH_CHECK(!bias.defined() || input.scalar_type() == bias.scalar_type(), "Input type (",
              input.dtype(), ") and bias type (",
              bias.defined() ? bias.dtype() : caffe2::TypeMeta(), ") should be the same");
  TORCH_CHECK(input.scalar_type() != kBool, "\"slow_conv2d_cpu\" not implemented for 'Bool'");
  return convolve(input, weight, bias, p)
      .to(input.scalar_type())
      .contiguous(result_format(input, weight));
}

Tensor _convolution(const Tensor& input, const Tensor& weight, const std::optional<Tensor>& bias,
                    IntArrayRef stride, IntArrayRef padding, IntArrayRef dilation, bool transposed,
                    IntArrayRef output_padding, int64_t groups, bool benchmark, bool deterministic,
                    bool cudnn_enabled, bool allow_tf32) {
  return at::convolution(input, weight, bias, stride, padding, dilation, transposed, output_padding,
                         groups);
}

std::tuple<Tensor, Tensor, Tensor> convolution_backward(
    const Tensor& grad_output, const Tensor& input, const Tensor& weight,
    OptionalIntArrayRef bias_sizes, IntArrayRef stride, IntArrayRef padding, IntArrayRef dilation,
    bool transposed, IntArrayRef output_padding, int64_t groups, std::array<bool, 3> output_mask) {
  const ConvParams p =
      make_params(weight, stride, padding, dilation, transposed, output_padding, groups);
  check_shapes(input, weight, Tensor(), p);
  check_devices("convolution_backward",
                {{"grad_output", grad_output}, {"input", input}, {"weight", weight}});
  const std::vector<int64_t> expected = output_size(input, weight, p);
  TORCH_CHECK(grad_output.sizes() == IntArrayRef(expected), "Expected grad_output of size ",
              IntArrayRef(expected), ", but got ", grad_output.sizes());
  const c10::OptionalDeviceGuard guard(device_of(input));
  const ScalarType dtype = input.scalar_type();
  const MemoryFormat format = compute_format(input, weight);
  const Tensor gy = compute_form(grad_output, format);
  const Tensor x = compute_form(input, format);
  const Tensor w = compute_form(weight, format);
  const auto result = [&](const Tensor& like, bool zeros) {
    const Tensor t = at::empty(like.sizes(), like.options(), format);
    return zeros ? t.zero_() : t;
  };
  const ConvGeometry g = transposed ? make_geometry(gy, x, w, p) : make_geometry(x, gy, w, p);
  const bool empty = gy.numel() == 0 || x.numel() == 0 || w.numel() == 0;
  Tensor grad_input;
  Tensor grad_weight;
  Tensor grad_bias;
  if (output_mask[0]) {
    grad_input = result(x, empty);
    if (!empty && transposed) {
      forward(g, gy, w, Tensor(), grad_input);
    } else if (!empty) {
      backward_input(g, gy, w, Tensor(), grad_input);
    }
    grad_input = grad_input.to(dtype).contiguous(result_format(input, weight));
  }
  if (output_mask[1]) {
    grad_weight = result(w, empty);
    if (!empty) {
      backward_weight(g, transposed ? x : gy, transposed ? gy : x, grad_weight);
    }
    grad_weight = grad_weight.to(dtype).contiguous(result_format(input, weight));
  }
  if (output_mask[2]) {
    std::vector<int64_t> dims = {0};
    for (int64_t d = 2; d < grad_output.dim(); ++d) dims.push_back(d);
    grad_bias = gy.sum(dims).to(dtype);
  }
  return {grad_input, grad_weight, grad_bias};
}

// The gradients are linear in each of grad_output, input and weight; so are these, with the
// gradient's gradient in place of one of them.
std::tuple<Tensor, Tensor, Tensor> _convolution_double_backward(
    const std::optional<Tensor>& ggI_opt, const std::optional<Tensor>& ggW_opt,
    const std::optional<Tensor>& ggb_opt, const Tensor& gO, const Tensor& weight,
    const Tensor& self, IntArrayRef stride, IntArrayRef padding, IntArrayRef dilation,
    bool transposed, IntArrayRef output_padding, int64_t groups, std::array<bool, 3> output_mask) {
  const Tensor ggI = ggI_opt.value_or(Tensor());
  const Tensor ggW = ggW_opt.value_or(Tensor());
  const Tensor ggb = ggb_opt.value_or(Tensor());
  const auto convolve_with = [&](const Tensor& x, const Tensor& w) {
    return at::convolution(x, w, std::nullopt, stride, padding, dilation, transposed,
                           output_padding, groups);
  };
  Tensor ggO;
  if (output_mask[0]) {
    const auto add = [&](const Tensor& part) { ggO = ggO.defined() ? ggO.add(part) : part; };
    if (ggI.defined()) add(convolve_with(ggI, weight));
    if (ggW.defined()) add(convolve_with(self, ggW));
    if (ggb.defined()) {
      add(along_channels(ggb, gO.dim()).expand(gO.sizes()));
    }
  }
  Tensor gI;
  if (output_mask[1] && ggW.defined()) {
    gI = std::get<0>(at::convolution_backward(gO, self, ggW, std::nullopt, stride, padding,
                                              dilation, transposed, output_padding, groups,
                                              {true, false, false}));
  }
  Tensor gW;
  if (output_mask[2] && ggI.defined()) {
    gW = std::get<1>(at::convolution_backward(gO, ggI, weight, std::nullopt, stride, padding,
                                              dilation, transposed, output_padding, groups,
                                              {false, true, false}));
  }
  return {ggO, gI, gW};
}

#define TORCH_CONV_ND(dims)                                                                        \
  Tensor conv##dims##d(const Tensor& input, const Tensor& weight,                                  \
                       const std::optional<Tensor>& bias, IntArrayRef stride, IntArrayRef padding, \
                       IntArrayRef dilation, int64_t groups) {                                     \
    return conv_nd(input, weight, bias, stride, padding, dilation, groups, dims,                   \
                   "conv" #dims "d");                                                              \
  }                                                                                                \
  Tensor conv##dims##d_padding(const Tensor& input, const Tensor& weight,                          \
                               const std::optional<Tensor>& bias, IntArrayRef stride,              \
                               std::string_view padding, IntArrayRef dilation, int64_t groups) {   \
    return conv_padding(input, weight, bias, stride, padding, dilation, groups, dims,              \
                        "conv" #dims "d");                                                         \
  }                                                                                                \
  Tensor conv_transpose##dims##d(const Tensor& input, const Tensor& weight,                        \
                                 const std::optional<Tensor>& bias, IntArrayRef stride,            \
                                 IntArrayRef padding, IntArrayRef output_padding, int64_t groups,  \
                                 IntArrayRef dilation) {                                           \
    return conv_transpose_nd(input, weight, bias, stride, padding, output_padding, groups,         \
                             dilation, dims, "conv_transpose" #dims "d");                          \
  }
TORCH_CONV_ND(1)
TORCH_CONV_ND(2)
TORCH_CONV_ND(3)
#undef TORCH_CONV_ND

}  // namespace at::native
