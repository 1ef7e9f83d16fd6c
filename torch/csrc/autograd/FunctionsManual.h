#pragma once

// The parts of derivative formulas that are too long for derivatives.yaml. All are made of
// operators, so that they can be differentiated again. An undefined gradient means zero.

#include <ATen/TensorGeometry.h>
#include <ATen/core/List.h>
#include <ATen/core/Tensor.h>
#include <c10/core/Scalar.h>
#include <c10/core/TensorOptions.h>
#include <c10/macros/Export.h>
#include <torch/csrc/autograd/function.h>
#include <torch/csrc/autograd/saved_variable.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace torch::autograd::generated::details {

using at::IntArrayRef;
using at::OptionalIntArrayRef;
using at::Scalar;
using at::Tensor;
using at::TensorList;
using OptionalTensorList = c10::List<std::optional<Tensor>>;

// ---- what generated nodes are made of ----

/// Gives out the positions of a node's outputs, in order.
struct IndexRangeGenerator {
  IndexRange range(size_t count) {
    const size_t first = next_;
    next_ += count;
    return {first, next_};
  }
  size_t size() const { return next_; }

 private:
  size_t next_ = 0;
};

/// Stores the gradient of one argument, or of the tensors of a list argument.
TORCH_API void copy_range(variable_list& out, IndexRange range, const Tensor& gradient);
TORCH_API void copy_range(variable_list& out, IndexRange range, TensorList gradients);

TORCH_API bool any_variable_defined(const variable_list& variables);
/// Empty for an undefined tensor.
TORCH_API std::optional<Tensor> to_optional(Tensor tensor);
TORCH_API std::vector<Tensor> unpack_list(const std::vector<SavedVariable>& saved,
                                          std::shared_ptr<Node> saved_for = nullptr);
TORCH_API OptionalTensorList unpack_opt_list(const std::vector<SavedVariable>& saved,
                                             std::shared_ptr<Node> saved_for = nullptr);
TORCH_API std::vector<std::vector<int64_t>> to_args_sizes(TensorList tensors);
TORCH_API std::vector<at::ScalarType> to_args_scalartypes(TensorList tensors);

/// Throws "the derivative for 'name' is not implemented."
[[noreturn]] TORCH_API Tensor not_implemented(const char* name, const char* reason = "");

// ---- arithmetic ----

/// `t * s`, or `t` for 1.
TORCH_API Tensor maybe_multiply(const Tensor& t, const Scalar& s);
TORCH_API Tensor _to_copy_backward(const Tensor& grad, const at::TensorOptions& self_options);
TORCH_API Tensor div_tensor_self_backward(const Tensor& grad, const Tensor& other,
                                          std::optional<std::string_view> rounding_mode);
TORCH_API Tensor div_tensor_self_backward(const Tensor& grad, const Scalar& other,
                                          std::optional<std::string_view> rounding_mode);
TORCH_API Tensor
div_tensor_other_backward(const Tensor& grad, const Tensor& self, const Tensor& other,
                          std::optional<std::string_view> rounding_mode = std::nullopt);
TORCH_API Tensor clamp_backward(const Tensor& grad, const Tensor& self,
                                const std::optional<Scalar>& min, const std::optional<Scalar>& max);
/// The gradient, half of it where the arguments tie, none where `rejected`.
TORCH_API Tensor grad_of_selected(const Tensor& grad, const Tensor& self, const Tensor& other,
                                  const Tensor& rejected);
TORCH_API Tensor pow_backward(const Tensor& grad, const Tensor& self, const Scalar& exponent);
TORCH_API Tensor pow_backward_self(const Tensor& grad, const Tensor& self, const Tensor& exponent);
TORCH_API Tensor pow_backward_exponent(const Tensor& grad, const Tensor& self,
                                       const Tensor& exponent, const Tensor& result);
TORCH_API Tensor pow_backward_exponent(const Tensor& grad, const Scalar& base,
                                       const Tensor& exponent, const Tensor& result);

TORCH_API Tensor angle_backward(const Tensor& grad, const Tensor& self);
TORCH_API Tensor clamp_backward(const Tensor& grad, const Tensor& self,
                                const std::optional<Tensor>& min, const std::optional<Tensor>& max);
/// The gradient of a bound: of the elements that it replaced.
TORCH_API Tensor clamp_backward_min(const Tensor& grad, const Tensor& self,
                                    const std::optional<Tensor>& min,
                                    const std::optional<Tensor>& max);
TORCH_API Tensor clamp_backward_max(const Tensor& grad, const Tensor& self,
                                    const std::optional<Tensor>& min,
                                    const std::optional<Tensor>& max);
TORCH_API Tensor copysign_backward(const Tensor& grad, const Tensor& self, const Tensor& result);
TORCH_API Tensor deg2rad_backward(const Tensor& grad);
TORCH_API Tensor rad2deg_backward(const Tensor& grad);
TORCH_API Tensor i1_backward(const Tensor& grad, const Tensor& self, const Tensor& result);
TORCH_API Tensor i1e_backward(const Tensor& grad, const Tensor& self, const Tensor& result);
TORCH_API Tensor infinitely_differentiable_logit_backward(const Tensor& grad, const Tensor& self,
                                                          std::optional<double> eps);
TORCH_API Tensor mvlgamma_backward(const Tensor& grad, const Tensor& self, int64_t p);
TORCH_API Tensor sgn_backward(const Tensor& self, const Tensor& grad, const Tensor& sgn);
TORCH_API Tensor sinc_backward(const Tensor& grad, const Tensor& self);
TORCH_API Tensor xlogy_self_backward(const Tensor& grad, const Tensor& self, const Scalar& other);

// ---- views ----

TORCH_API Tensor as_strided_backward(const Tensor& grad, const at::TensorGeometry& input,
                                     IntArrayRef sizes, IntArrayRef strides,
                                     std::optional<int64_t> storage_offset);
TORCH_API Tensor permute_backwards(const Tensor& grad, IntArrayRef dims);
TORCH_API Tensor slice_backward_wrapper(const Tensor& grad, IntArrayRef input_sizes, int64_t dim,
                                        std::optional<int64_t> start, std::optional<int64_t> end,
                                        int64_t step);
TORCH_API Tensor split_backward(const variable_list& grads, int64_t split_size, int64_t dim,
                                IntArrayRef sizes, const at::TensorOptions& options);
TORCH_API Tensor split_with_sizes_backward(const variable_list& grads, IntArrayRef split_sizes,
                                           int64_t dim, IntArrayRef sizes,
                                           const at::TensorOptions& options);
TORCH_API Tensor unbind_backward(const variable_list& grads, int64_t dim);
TORCH_API Tensor unsqueeze_to(const Tensor& self, IntArrayRef sizes);
TORCH_API Tensor unsqueeze_to(const Tensor& self, int64_t dim, IntArrayRef sizes);
TORCH_API Tensor unsqueeze_to(const Tensor& self, IntArrayRef dims, IntArrayRef sizes);
TORCH_API Tensor repeat_backward(Tensor grad, IntArrayRef repeats, IntArrayRef input_sizes);

// ---- reductions ----

/// Puts back the dimensions that a reduction removed, with size 1.
TORCH_API Tensor restore_reduced_dims(const Tensor& output, IntArrayRef dims, bool keepdim);
/// Divides the gradient evenly among the elements under `mask` of each reduced slice.
TORCH_API Tensor scale_grad_by_count(const Tensor& grad, const Tensor& mask, IntArrayRef dims);
TORCH_API Tensor evenly_distribute_backward(const Tensor& grad, const Tensor& input,
                                            const Tensor& value);
TORCH_API Tensor sum_backward(const Tensor& grad, IntArrayRef sizes, OptionalIntArrayRef dims,
                              bool keepdim);
TORCH_API Tensor nansum_backward(const Tensor& grad, const Tensor& self, OptionalIntArrayRef dims,
                                 bool keepdim);
TORCH_API Tensor mean_backward(const Tensor& grad, IntArrayRef sizes, OptionalIntArrayRef dims,
                               int64_t numel, bool keepdim);
TORCH_API Tensor var_backward(Tensor grad, const Tensor& self, OptionalIntArrayRef dims,
                              const std::optional<Scalar>& correction, bool keepdim);
TORCH_API Tensor std_backward(const Tensor& result, const Tensor& grad, const Tensor& self,
                              OptionalIntArrayRef dims, const std::optional<Scalar>& correction,
                              bool keepdim);
TORCH_API Tensor prod_backward(const Tensor& grad, const Tensor& input, const Tensor& result);
TORCH_API Tensor prod_backward(Tensor grad, const Tensor& input, Tensor result, int64_t dim,
                               bool keepdim);
TORCH_API Tensor norm_backward(const Tensor& grad, const Tensor& self,
                               const std::optional<Scalar>& p, const Tensor& norm);
TORCH_API Tensor norm_backward(Tensor grad, const Tensor& self, const std::optional<Scalar>& p,
                               Tensor norm, IntArrayRef dims, bool keepdim);
TORCH_API Tensor linalg_vector_norm_backward(const Tensor& grad, const Tensor& self,
                                             const Scalar& ord, const Tensor& norm,
                                             OptionalIntArrayRef dims, bool keepdim);
TORCH_API Tensor logsumexp_backward(const Tensor& grad, const Tensor& self, const Tensor& result,
                                    IntArrayRef dims, bool keepdim);

TORCH_API Tensor aminmax_backward(const Tensor& self, std::optional<int64_t> dim, bool keepdim,
                                  const Tensor& grad_min, const Tensor& grad_max, const Tensor& min,
                                  const Tensor& max);
TORCH_API Tensor cumprod_backward(const Tensor& grad, const Tensor& input, int64_t dim,
                                  const Tensor& output);
TORCH_API Tensor logcumsumexp_backward(const Tensor& grad, const Tensor& self, const Tensor& result,
                                       int64_t dim);
TORCH_API Tensor renorm_backward(const Tensor& grad, const Tensor& self, const Scalar& p,
                                 int64_t dim, const Scalar& maxnorm);

// ---- activations and losses ----

TORCH_API Tensor gelu_double_backward(const Tensor& ggI, const Tensor& gO, const Tensor& input,
                                      std::string_view approximate);
TORCH_API Tensor infinitely_differentiable_silu_backward(const Tensor& grad_output,
                                                         const Tensor& input);
TORCH_API Tensor softplus_double_backward(const Tensor& grad, const Tensor& input,
                                          const Scalar& beta, const Scalar& threshold);
TORCH_API Tensor softmax_double_backward(const Tensor& grad, const Tensor& grad_output, int64_t dim,
                                         const Tensor& output);
TORCH_API Tensor smooth_l1_loss_double_backward(const Tensor& grad, const Tensor& input,
                                                const Tensor& target, int64_t reduction,
                                                double beta);
TORCH_API Tensor mse_loss_double_backward(const Tensor& grad, const Tensor& input,
                                          int64_t reduction);
TORCH_API Tensor binary_cross_entropy_target_backward(const Tensor& grad, const Tensor& self,
                                                      const Tensor& target,
                                                      const std::optional<Tensor>& weight,
                                                      int64_t reduction);
TORCH_API Tensor binary_cross_entropy_double_backward(const Tensor& grad_output, const Tensor& grad,
                                                      const Tensor& input, const Tensor& target,
                                                      const std::optional<Tensor>& weight,
                                                      int64_t reduction);
TORCH_API Tensor binary_cross_entropy_double_backward_target(
    const Tensor& grad, const Tensor& grad_output, const Tensor& self, const Tensor& target,
    const std::optional<Tensor>& weight, int64_t reduction);
TORCH_API Tensor binary_cross_entropy_double_backward_grad_output(
    const Tensor& grad, const Tensor& input, const Tensor& target,
    const std::optional<Tensor>& weight, int64_t reduction);
TORCH_API Tensor binary_cross_entropy_with_logits_backward(const Tensor& grad, const Tensor& input,
                                                           const Tensor& target,
                                                           const std::optional<Tensor>& weight,
                                                           const std::optional<Tensor>& pos_weight,
                                                           int64_t reduction);
TORCH_API Tensor binary_cross_entropy_with_logits_target_backward(
    const Tensor& grad, const Tensor& self, const Tensor& target,
    const std::optional<Tensor>& weight, const std::optional<Tensor>& pos_weight,
    int64_t reduction);
/// What surviving elements are multiplied by: 1 when dropout is off.
TORCH_API double native_dropout_scale(double p, std::optional<bool> train);
TORCH_API Tensor infinitely_differentiable_native_dropout_backward(const Tensor& grad,
                                                                   const Tensor& mask,
                                                                   double scale);
TORCH_API Tensor embedding_dense_double_backward(const Tensor& grad, const Tensor& indices,
                                                 int64_t padding_idx);
TORCH_API std::tuple<Tensor, Tensor, Tensor> layer_norm_backward(
    const Tensor& grad, const Tensor& input, IntArrayRef normalized_shape, const Tensor& mean,
    const Tensor& rstd, const std::optional<Tensor>& weight, const std::optional<Tensor>& bias,
    const std::array<bool, 3>& grad_input_mask);

// ---- indexing ----

TORCH_API std::vector<Tensor> cat_tensors_backward(const Tensor& grad,
                                                   const std::vector<std::vector<int64_t>>& sizes,
                                                   const std::vector<at::ScalarType>& dtypes,
                                                   int64_t dim);
TORCH_API std::vector<Tensor> stack_tensors_backward(const Tensor& grad, int64_t dim,
                                                     const std::vector<at::ScalarType>& dtypes);
TORCH_API std::vector<Tensor> block_diag_backward(const Tensor& grad,
                                                  const std::vector<std::vector<int64_t>>& sizes,
                                                  const std::vector<at::ScalarType>& dtypes);
TORCH_API Tensor roll_backward(const Tensor& grad, IntArrayRef shifts, IntArrayRef dims);
TORCH_API Tensor trace_backward(const Tensor& grad, IntArrayRef input_sizes);
TORCH_API Tensor index_backward(const Tensor& grad, IntArrayRef input_sizes,
                                const OptionalTensorList& indices);
TORCH_API Tensor index_put_self_backward(const Tensor& grad, const OptionalTensorList& indices);
TORCH_API Tensor masked_fill_backward(const Tensor& grad, const Tensor& mask);
TORCH_API Tensor masked_scatter_backward(const Tensor& grad, const Tensor& mask,
                                         IntArrayRef source_sizes);

TORCH_API Tensor index_copy_source_backward(const Tensor& grad, IntArrayRef source_sizes,
                                            int64_t dim, const Tensor& index);
TORCH_API std::tuple<Tensor, Tensor> index_reduce_backward(const Tensor& grad, const Tensor& self,
                                                           int64_t dim, const Tensor& index,
                                                           const Tensor& source,
                                                           std::string_view reduce,
                                                           bool include_self, const Tensor& result);
TORCH_API std::tuple<Tensor, Tensor> scatter_reduce_backward(
    const Tensor& grad, const Tensor& self, int64_t dim, const Tensor& index, const Tensor& src,
    std::string_view reduce, bool include_self, const Tensor& result);

}  // namespace torch::autograd::generated::details

#include <torch/csrc/autograd/FunctionsManualLinalg.h>
#include <torch/csrc/autograd/FunctionsManualNN.h>
