#pragma once

// The part of FunctionsManual.h for layers of neural networks.

#include <ATen/core/Tensor.h>
#include <c10/core/Scalar.h>
#include <c10/macros/Export.h>

#include <array>
#include <cstdint>
#include <optional>
#include <tuple>

namespace torch::autograd::generated::details {

/// The elements of `grad`, of a pooling's input, that were the maxima.
TORCH_API at::Tensor max_pool_double_backward(const at::Tensor& grad, const at::Tensor& indices,
                                              int64_t dims);
TORCH_API at::Tensor constant_pad_nd_backward(const at::Tensor& grad, at::IntArrayRef pad);

/// By grad_output, input and grid, given the gradients of what grid_sampler_{2,3}d_backward
/// returns.
TORCH_API std::tuple<at::Tensor, at::Tensor, at::Tensor> grid_sampler_double_backward(
    const at::Tensor& grad_by_input, const at::Tensor& grad_by_grid, const at::Tensor& grad_output,
    const at::Tensor& input, const at::Tensor& grid, int64_t interpolation_mode,
    int64_t padding_mode, bool align_corners);

/// Out of operators where the gradient is to be differentiated again; else the fused kernel.
TORCH_API std::tuple<at::Tensor, at::Tensor, at::Tensor> batch_norm_backward(
    const at::Tensor& grad, const at::Tensor& input, const std::optional<at::Tensor>& weight,
    const std::optional<at::Tensor>& running_mean, const std::optional<at::Tensor>& running_var,
    const at::Tensor& save_mean, const at::Tensor& save_invstd, bool training, double eps,
    std::array<bool, 3> grad_input_mask);
TORCH_API std::tuple<at::Tensor, at::Tensor, at::Tensor> group_norm_backward(
    const at::Tensor& grad, const at::Tensor& grad_mean, const at::Tensor& grad_rstd,
    const at::Tensor& input, const at::Tensor& mean, const at::Tensor& rstd,
    const std::optional<at::Tensor>& weight, int64_t N, int64_t C, int64_t HxW, int64_t group,
    double eps, std::array<bool, 3> grad_input_mask);
TORCH_API std::tuple<at::Tensor, at::Tensor> rms_norm_backward(
    const at::Tensor& grad, const at::Tensor& input, at::IntArrayRef normalized_shape,
    const at::Tensor& rstd, const std::optional<at::Tensor>& weight,
    std::array<bool, 2> grad_input_mask);

/// The gradient of a real-to-complex transform. Each frequency that the result has counts once.
TORCH_API at::Tensor fft_r2c_backward(const at::Tensor& grad, at::IntArrayRef dim,
                                      int64_t normalization, bool onesided, at::IntArrayRef sizes);
/// The gradient of a complex-to-real transform. Frequencies whose conjugates are left out count
/// twice.
TORCH_API at::Tensor fft_c2r_backward(const at::Tensor& grad, at::IntArrayRef dim,
                                      int64_t normalization);

TORCH_API at::Tensor elu_double_backward(const at::Tensor& grad, const at::Tensor& grad_output,
                                         const at::Scalar& alpha, const at::Scalar& scale,
                                         const at::Scalar& input_scale, bool is_result,
                                         const at::Tensor& self_or_result);
TORCH_API at::Tensor hardswish_double_backward(const at::Tensor& grad,
                                               const at::Tensor& grad_output,
                                               const at::Tensor& self);
TORCH_API at::Tensor infinitely_differentiable_mish_backward(const at::Tensor& grad,
                                                             const at::Tensor& self);
TORCH_API std::tuple<at::Tensor, at::Tensor, at::Tensor> prelu_double_backward(
    const at::Tensor& grad_self, const at::Tensor& grad_weight, const at::Tensor& grad_output,
    const at::Tensor& self, const at::Tensor& weight);
TORCH_API std::tuple<at::Tensor, at::Tensor> glu_double_backward(const at::Tensor& grad,
                                                                 const at::Tensor& grad_output,
                                                                 const at::Tensor& self,
                                                                 int64_t dim);
TORCH_API at::Tensor log_sigmoid_double_backward(const at::Tensor& grad, const at::Tensor& self);

/// By the fused kernel; out of operators where the gradient is to be differentiated again.
TORCH_API std::tuple<at::Tensor, at::Tensor, at::Tensor> scaled_dot_product_attention_backward(
    const at::Tensor& grad, const at::Tensor& query, const at::Tensor& key, const at::Tensor& value,
    const at::Tensor& output, const at::Tensor& logsumexp, double dropout_p, bool is_causal,
    const std::optional<at::Tensor>& attn_mask, std::optional<double> scale);

}  // namespace torch::autograd::generated::details
