// Which operators autocasting casts, and to what: the lists of PyTorch's documentation of
// torch.amp, as far as the operators exist.

#define TORCH_ASSERT_ONLY_METHOD_OPERATORS
#include <ATen/autocast_mode.h>
#include <ATen/core/Tensor.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/function_schema.h>
#include <ATen/core/ivalue.h>
#include <ATen/core/stack.h>
#include <c10/core/DeviceType.h>
#include <c10/core/ScalarType.h>
#include <c10/core/impl/LocalDispatchKeySet.h>
#include <c10/util/ArrayRef.h>
#include <c10/util/Exception.h>
#include <c10/util/intrusive_ptr.h>
#include <torch/library.h>

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <utility>
#include <vector>

namespace at::autocast {
namespace {

using c10::DeviceType;
using c10::IValue;
using c10::OperatorHandle;
using c10::ScalarType;
using c10::Stack;

constexpr auto kCPU = DeviceType::CPU;
constexpr auto kCUDA = DeviceType::CUDA;

// What a list says of its operators.
enum class CastPolicy : uint8_t {
  lower_precision_fp,  // all arguments in the lower dtype
  fp32,                // all arguments in float
  fp32_set_opt_dtype,  // the argument `dtype` is float, unless the caller gave one
  fp32_append_dtype,   // the overload that takes a dtype, with float
  promote,             // all arguments in the widest of their dtypes
};

bool is_eligible(const Tensor& t, DeviceType device_type) {
  return t.defined() && t.device().type() == device_type && t.is_floating_point() &&
         t.scalar_type() != ScalarType::Double;
}

// Calls `f` with every tensor of the arguments, those of lists too.
template <typename F>
void for_each_tensor(const Stack& arguments, const F& f) {
  for (const IValue& value : arguments) {
    if (value.isTensor()) {
      f(value.toTensor());
    } else if (value.isList()) {
      for (const IValue& element : value.toListRef()) {
        if (element.isTensor()) f(element.toTensor());
      }
    }
  }
}

IValue cast(const IValue& value, ScalarType to, DeviceType device_type) {
  if (value.isTensor()) return cached_cast(to, value.toTensor(), device_type);
  if (!value.isList()) return value;
  const auto& list = value.toListImpl();
  std::vector<IValue> elements;
  elements.reserve(list->list.size());
  bool changed = false;
  for (const IValue& element : list->list) {
    elements.push_back(cast(element, to, device_type));
    changed |= element.isTensor();
  }
  if (!changed) return value;
  return c10::make_intrusive<c10::detail::ListImpl>(std::move(elements), list->elementType);
}

void cast_all(Stack* stack, ScalarType to, DeviceType device_type) {
  for (IValue& value : *stack) value = cast(value, to, device_type);
}

// Float if one argument is, else the lower dtype. Doubles and tensors of other devices do not
// count.
ScalarType widest(const Stack& arguments, DeviceType device_type) {
  const ScalarType lower = get_autocast_dtype(device_type);
  ScalarType result = lower;
  for_each_tensor(arguments, [&](const Tensor& t) {
    if (!is_eligible(t, device_type)) return;
    TORCH_CHECK(t.scalar_type() == ScalarType::Float || t.scalar_type() == lower,
                "Unexpected floating ScalarType in at::autocast::prioritize");
    if (t.scalar_type() == ScalarType::Float) result = ScalarType::Float;
  });
  return result;
}

// The kernel of an operator of a list.
template <CastPolicy policy, DeviceType device_type>
void cast_and_call(const OperatorHandle& op, Stack* stack) {
  const c10::impl::ExcludeDispatchKeyGuard no_autocast(
      get_autocast_dispatch_key_from_device_type(device_type));
  // Arguments of an outer call may lie below this one's.
  const size_t count = op.schema().arguments().size();
  Stack arguments(std::make_move_iterator(stack->end() - static_cast<std::ptrdiff_t>(count)),
                  std::make_move_iterator(stack->end()));
  stack->resize(stack->size() - count);
  const OperatorHandle* called = &op;
  if constexpr (policy == CastPolicy::lower_precision_fp) {
    cast_all(&arguments, get_autocast_dtype(device_type), device_type);
  } else if constexpr (policy == CastPolicy::fp32) {
    cast_all(&arguments, ScalarType::Float, device_type);
  } else if constexpr (policy == CastPolicy::promote) {
    cast_all(&arguments, widest(arguments, device_type), device_type);
  } else if constexpr (policy == CastPolicy::fp32_set_opt_dtype) {
    IValue& dtype = arguments.at(*op.schema().argumentIndexWithName("dtype"));
    if (dtype.isNone() && is_eligible(arguments.at(0).toTensor(), device_type)) {
      dtype = IValue(ScalarType::Float);
    }
  } else {
    // norm.Scalar(self, p) and norm.ScalarOpt_dim(self, p, dim, keepdim): the one with a dtype.
    static const OperatorHandle with_dtype =
        c10::Dispatcher::singleton().findSchemaOrThrow("aten::norm", "ScalarOpt_dim_dtype");
    const Tensor self = arguments.at(0).toTensor();
    if (count == 2) {
      arguments.emplace_back(std::vector<int64_t>());
      arguments.emplace_back(false);
    }
    arguments.emplace_back(is_eligible(self, device_type) ? ScalarType::Float : self.scalar_type());
    called = &with_dtype;
  }
  called->callBoxed(&arguments);
  for (IValue& result : arguments) stack->push_back(std::move(result));
}

template <CastPolicy policy, DeviceType device_type>
torch::CppFunction kernel() {
  return torch::CppFunction::makeFromBoxedFunction<&cast_and_call<policy, device_type>>();
}

template <CastPolicy policy, DeviceType device_type>
void impl(torch::Library& m, c10::ArrayRef<const char*> operators) {
  for (const char* name : operators) m.impl(name, kernel<policy, device_type>());
}

void refuse_binary_cross_entropy(const OperatorHandle&, Stack*) {
  TORCH_CHECK(
      false,
      "torch.nn.functional.binary_cross_entropy and torch.nn.BCELoss are unsafe to autocast.\n"
      "Many models use a sigmoid layer right before the binary cross entropy layer.\n"
      "In this case, combine the two layers using torch.nn.functional.binary_cross_entropy_with_logits\n"
      "or torch.nn.BCEWithLogitsLoss.  binary_cross_entropy_with_logits and BCEWithLogits are\n"
      "safe to autocast.");
}

constexpr const char* kCPULowerPrecision[] = {
    "_addmm_activation",
    "addbmm",
    "addmm",
    "baddbmm",
    "bmm",
    "conv1d",
    "conv1d.padding",
    "conv2d",
    "conv2d.padding",
    "conv3d",
    "conv3d.padding",
    "conv_transpose1d",
    "conv_transpose2d.input",
    "conv_transpose3d.input",
    "linalg_vecdot",
    "linear",
    "matmul",
    "mkldnn_rnn_layer",
    "mm",
    "prelu",
    "scaled_dot_product_attention",
};

constexpr const char* kCPUFloat[] = {
    "adaptive_avg_pool3d",
    "adaptive_max_pool3d",
    "avg_pool3d",
    "binary_cross_entropy",
    "binary_cross_entropy_with_logits",
    "cdist",
    "cholesky",
    "cholesky_inverse",
    "cholesky_solve",
    "cosine_embedding_loss",
    "cross_entropy_loss",
    "ctc_loss.IntList",
    "ctc_loss.Tensor",
    "fft_fft",
    "fft_fft2",
    "fft_fftn",
    "fft_hfft",
    "fft_ifft",
    "fft_ifft2",
    "fft_ifftn",
    "fft_ihfft",
    "fft_irfft",
    "fft_irfft2",
    "fft_irfftn",
    "fft_rfft",
    "fft_rfft2",
    "fft_rfftn",
    "fractional_max_pool2d",
    "fractional_max_pool3d",
    "geqrf",
    "grid_sampler",
    "grid_sampler_2d",
    "grid_sampler_3d",
    "hinge_embedding_loss",
    "huber_loss",
    "inverse",
    "kl_div",
    "l1_loss",
    "linalg_cholesky",
    "linalg_cholesky_ex",
    "linalg_cond",
    "linalg_cond.p_str",
    "linalg_eig",
    "linalg_eigh",
    "linalg_eigvals",
    "linalg_eigvalsh",
    "linalg_householder_product",
    "linalg_inv",
    "linalg_inv_ex",
    "linalg_lstsq",
    "linalg_matrix_rank",
    "linalg_matrix_rank.atol_rtol_float",
    "linalg_matrix_rank.atol_rtol_tensor",
    "linalg_matrix_rank.tol_tensor",
    "linalg_qr",
    "linalg_solve",
    "linalg_svd",
    "linalg_svdvals",
    "linalg_tensorinv",
    "linalg_tensorsolve",
    "lu_solve",
    "margin_ranking_loss",
    "max_pool3d",
    "max_unpool2d",
    "max_unpool3d",
    "mse_loss",
    "multi_margin_loss",
    "multilabel_margin_loss",
    "nanquantile",
    "nanquantile.scalar",
    "nll_loss",
    "nll_loss2d",
    "orgqr",
    "ormqr",
    "pinverse",
    "poisson_nll_loss",
    "polar",
    "prod",
    "prod.dim_int",
    "qr",
    "quantile",
    "quantile.scalar",
    "reflection_pad1d",
    "reflection_pad2d",
    "replication_pad1d",
    "replication_pad2d",
    "replication_pad3d",
    "smooth_l1_loss",
    "soft_margin_loss",
    "stft",
    "stft.center",
    "svd",
    "trace",
    "triangular_solve",
    "triplet_margin_loss",
    "view_as_complex",
};

constexpr const char* kCUDALowerPrecision[] = {
    "_convolution",
    "_thnn_fused_lstm_cell",
    "addbmm",
    "addmm",
    "addmv",
    "addr",
    "baddbmm",
    "bmm",
    "chain_matmul",
    "conv1d",
    "conv2d",
    "conv3d",
    "conv_transpose1d",
    "conv_transpose2d.input",
    "conv_transpose3d.input",
    "convolution",
    "einsum",
    "linalg_multi_dot",
    "linalg_vecdot",
    "linear",
    "matmul",
    "mm",
    "mv",
    "prelu",
    "scaled_dot_product_attention",
};

constexpr const char* kCUDAFloat[] = {
    "_upsample_bicubic2d_aa",
    "_upsample_bilinear2d_aa",
    "_upsample_nearest_exact1d",
    "_upsample_nearest_exact2d",
    "_upsample_nearest_exact3d",
    "acos",
    "asin",
    "binary_cross_entropy_with_logits",
    "cdist",
    "cosh",
    "cosine_embedding_loss",
    "cosine_similarity",
    "dist",
    "erfinv",
    "exp",
    "expm1",
    "frobenius_norm.dim",
    "group_norm",
    "hinge_embedding_loss",
    "huber_loss",
    "kl_div",
    "l1_loss",
    "layer_norm",
    "log",
    "log10",
    "log1p",
    "log2",
    "logsumexp",
    "margin_ranking_loss",
    "mse_loss",
    "multi_margin_loss",
    "multilabel_margin_loss",
    "native_layer_norm",
    "nll_loss",
    "nll_loss2d",
    "nuclear_norm",
    "nuclear_norm.dim",
    "pdist",
    "poisson_nll_loss",
    "pow.Scalar",
    "pow.Tensor_Scalar",
    "pow.Tensor_Tensor",
    "reciprocal",
    "renorm",
    "rms_norm",
    "rsqrt",
    "sinh",
    "smooth_l1_loss",
    "soft_margin_loss",
    "softplus",
    "tan",
    "triplet_margin_loss",
    "upsample_bicubic2d",
    "upsample_bilinear2d",
    "upsample_linear1d",
    "upsample_nearest1d",
    "upsample_nearest2d",
    "upsample_nearest3d",
    "upsample_trilinear3d",
};

constexpr const char* kCUDAFloatUnlessGiven[] = {
    "cumprod",
    "cumsum",
    "linalg_matrix_norm",
    "linalg_matrix_norm.str_ord",
    "linalg_vector_norm",
    "log_softmax.int",
    "prod",
    "prod.dim_int",
    "softmax.int",
    "sum",
    "sum.dim_IntList",
};

constexpr const char* kCUDAWidest[] = {
    "addcdiv",      "addcmul",   "atan2",       "bilinear",  "cross", "dot",
    "grid_sampler", "index_put", "scatter_add", "tensordot", "vdot",
};

}  // namespace

TORCH_LIBRARY_IMPL(aten, AutocastCPU, m) {
  impl<CastPolicy::lower_precision_fp, kCPU>(m, kCPULowerPrecision);
  impl<CastPolicy::fp32, kCPU>(m, kCPUFloat);
  impl<CastPolicy::promote, kCPU>(m, {"stack", "cat", "index_copy"});
}

TORCH_LIBRARY_IMPL(aten, AutocastCUDA, m) {
  impl<CastPolicy::lower_precision_fp, kCUDA>(m, kCUDALowerPrecision);
  impl<CastPolicy::fp32, kCUDA>(m, kCUDAFloat);
  impl<CastPolicy::fp32_set_opt_dtype, kCUDA>(m, kCUDAFloatUnlessGiven);
  impl<CastPolicy::fp32_append_dtype, kCUDA>(m, {"norm.Scalar", "norm.ScalarOpt_dim"});
  impl<CastPolicy::promote, kCUDA>(m, kCUDAWidest);
  m.impl("binary_cross_entropy",
         torch::CppFunction::makeFromBoxedFunction<&refuse_binary_cross_entropy>());
}

}  // namespace at::autocast
