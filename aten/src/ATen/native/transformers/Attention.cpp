// Scaled dot-product attention (Vaswani and others, arXiv:1706.03762): in tiles if possible,
// otherwise as matrix products and a softmax.

#define TORCH_ASSERT_ONLY_METHOD_OPERATORS
#include <ATen/core/Tensor.h>
#include <ATen/native/FlashAttention.h>
#include <ATen/ops/_scaled_dot_product_attention_math.h>
#include <ATen/ops/_scaled_dot_product_attention_math_native.h>
#include <ATen/ops/_scaled_dot_product_flash_attention_for_cpu.h>
#include <ATen/ops/_scaled_dot_product_flash_attention_for_cpu_backward_native.h>
#include <ATen/ops/_scaled_dot_product_flash_attention_for_cpu_native.h>
#include <ATen/ops/dropout.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/scaled_dot_product_attention_native.h>
#include <ATen/ops/where.h>
#include <ATen/ops/zeros.h>
#include <c10/core/GradMode.h>
#include <c10/core/ScalarType.h>
#include <c10/util/Exception.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <tuple>
#include <vector>

namespace at::native {

DEFINE_DISPATCH(flash_attention_stub);
DEFINE_DISPATCH(flash_attention_backward_stub);
DEFINE_DISPATCH(has_flash_attention_stub);

namespace {

bool given(const std::optional<Tensor>& t) { return t.has_value() && t->defined(); }

void check_attention(const Tensor& query, const Tensor& key, const Tensor& value,
                     const std::optional<Tensor>& mask) {
  TORCH_CHECK(
      query.scalar_type() == key.scalar_type() && query.scalar_type() == value.scalar_type(),
      "Expected query, key, and value to have the same dtype, but got query.dtype: ", query.dtype(),
      " key.dtype: ", key.dtype(), " and value.dtype: ", value.dtype(), " instead.");
  TORCH_CHECK(query.device() == key.device() && query.device() == value.device(),
              "Expected query, key, and value to have the same device type, but got query.device: ",
              query.device(), " key.device: ", key.device(), " and value.device: ", value.device(),
              " instead.");
  TORCH_CHECK(
      query.dim() >= 2 && key.dim() >= 2 && value.dim() >= 2,
      "Expected query, key, and value to all be  at least 2 dimensional, but got query.dim: ",
      query.dim(), " key.dim: ", key.dim(), " and value.dim: ", value.dim(), " instead.");
  if (!given(mask)) return;
  TORCH_CHECK(
      mask->scalar_type() == kBool || mask->scalar_type() == query.scalar_type() ||
          (mask->scalar_type() == kFloat &&
           (query.scalar_type() == kHalf || query.scalar_type() == kBFloat16)),
      "Expected attn_mask dtype to be bool or float or to match query dtype, but got attn_mask.dtype: ",
      mask->dtype(), " and  query.dtype: ", query.dtype(), " instead.");
}

// What is added to the scores: 0 where a mask of booleans is true, -inf where it is false.
std::optional<Tensor> additive_mask(const std::optional<Tensor>& mask, ScalarType dtype) {
  if (!given(mask)) return std::nullopt;
  if (mask->scalar_type() != kBool) return mask->to(dtype);
  return at::zeros(mask->sizes(), mask->options().dtype(dtype))
      .masked_fill(mask->logical_not(), -std::numeric_limits<double>::infinity());
}

Tensor causal_mask(int64_t queries, int64_t keys, const TensorOptions& options) {
  return at::ones({queries, keys}, options.dtype(kBool)).tril();
}

// Combines a mask with causality.
Tensor causal_part(const Tensor& mask, const Tensor& query, const Tensor& key) {
  const Tensor causal = causal_mask(query.size(-2), key.size(-2), query.options());
  if (mask.scalar_type() == kBool) return mask.logical_and(causal);
  return mask.masked_fill(causal.logical_not(), -std::numeric_limits<double>::infinity());
}

double scale_of(const Tensor& query, std::optional<double> scale) {
  return scale.value_or(1.0 / std::sqrt(static_cast<double>(query.size(-1))));
}

// Repeats the heads of keys or values, of which each serves several heads of queries.
Tensor repeat_heads(const Tensor& t, const Tensor& query) {
  const int64_t heads = query.size(-3);
  const int64_t own = t.size(-3);
  TORCH_CHECK(own > 0 && heads % own == 0,
              "Number of heads in key and value must divide the number of heads in query, but got ",
              own, " and ", heads);
  if (heads == own) return t;
  std::vector<int64_t> shape = t.sizes().vec();
  shape.insert(shape.end() - 2, heads / own);
  std::vector<int64_t> result = t.sizes().vec();
  result[result.size() - 3] = heads;
  return t.unsqueeze(-3).expand(shape).reshape(result);
}

// Whether the device has tiles for the type and the number of features.
bool has_tiles(const Tensor& query) {
  if (query.is_cpu()) return query.is_floating_point();
  // Rows are loaded 16 bytes at a time and kept in registers.
  constexpr int64_t kPiece = 8;
  constexpr int64_t kMostFeatures = 128;
  const int64_t features = query.size(-1);
  return query.is_cuda() && (query.scalar_type() == kHalf || query.scalar_type() == kBFloat16) &&
         features % kPiece == 0 && features <= kMostFeatures &&
         has_flash_attention_stub.is_device_supported(c10::DeviceType::CUDA) &&
         has_flash_attention_stub(c10::DeviceType::CUDA, query.device());
}

bool can_tile(const Tensor& query, const Tensor& key, const Tensor& value,
              const std::optional<Tensor>& mask, double dropout_p) {
  const bool tensors = query.dim() == 4 && key.dim() == 4 && value.dim() == 4 && has_tiles(query);
  if (!tensors || dropout_p != 0.0) return false;
  if (given(mask) && ((c10::GradMode::is_enabled() && mask->requires_grad()) || mask->dim() > 4)) {
    return false;
  }
  // The tiles broadcast nothing but the mask.
  for (int64_t d = 0; d < 2; ++d) {
    if (query.size(d) != key.size(d) || query.size(d) != value.size(d)) return false;
  }
  return key.size(2) == value.size(2) && query.size(3) == key.size(3) &&
         key.size(3) == value.size(3) && query.numel() > 0 && key.numel() > 0;
}

// Whether a GPU can read rows in pieces of sixteen bytes.
bool has_aligned_rows(const Tensor& t) {
  constexpr int64_t kBytes = 16;
  if (reinterpret_cast<uintptr_t>(t.const_data_ptr()) % kBytes != 0 || t.stride(-1) != 1) {
    return false;
  }
  for (int64_t d = 0; d < t.dim() - 1; ++d) {
    const int64_t bytes = t.stride(d) * static_cast<int64_t>(t.element_size());
    if (t.size(d) > 1 && bytes % kBytes != 0) return false;
  }
  return true;
}

// A tensor the tiles can read: of a type that is computed in, rows contiguous.
Tensor tile_operand(const Tensor& t) {
  if (t.is_cuda()) return has_aligned_rows(t) ? t : t.clone(MemoryFormat::Contiguous);
  const Tensor wide = t.scalar_type() == kBFloat16 || t.scalar_type() == kHalf ? t.to(kFloat) : t;
  return wide.stride(-1) == 1 && wide.stride(-2) >= wide.size(-1) ? wide : wide.contiguous();
}

template <typename Pointer>
AttentionOperand<Pointer> operand(const Tensor& t, Pointer data) {
  return {data, {t.stride(0), t.stride(1), t.stride(2)}};
}

// The problem of tensors that the tiles can read. `mask` keeps the mask's values alive.
AttentionProblem problem_of(const Tensor& q, const Tensor& k, const Tensor& v,
                            const std::optional<Tensor>& attn_mask, bool is_causal, double scale,
                            const Tensor& output, const Tensor& logsumexp, Tensor& mask) {
  AttentionProblem p{};
  p.batch = q.size(0);
  p.heads = q.size(1);
  p.queries = q.size(2);
  p.keys = k.size(2);
  p.features = q.size(3);
  p.value_features = v.size(3);
  p.causal = is_causal;
  p.scale = scale;
  p.query = operand<const void*>(q, q.const_data_ptr());
  p.key = operand<const void*>(k, k.const_data_ptr());
  p.value = operand<const void*>(v, v.const_data_ptr());
  p.output = operand<void*>(output, output.mutable_data_ptr());
  p.logsumexp = logsumexp.mutable_data_ptr();
  if (given(attn_mask)) {
    mask = additive_mask(attn_mask, q.scalar_type())->expand({p.batch, p.heads, p.queries, p.keys});
    p.mask = operand<const void*>(mask, mask.const_data_ptr());
    p.mask_column_stride = mask.stride(3);
  }
  return p;
}

}  // namespace

std::tuple<Tensor, Tensor> flash_attention(const Tensor& query, const Tensor& key,
                                           const Tensor& value, double dropout_p, bool is_causal,
                                           const std::optional<Tensor>& attn_mask,
                                           std::optional<double> scale) {
  TORCH_CHECK(
      query.is_floating_point(),
      "scaled_dot_product_attention_flash_attention: Expected data type in FP32, FP64, BF16, FP16, but got ",
      query.scalar_type(), " instead.");
  TORCH_CHECK(query.dim() == 4 && key.dim() == 4 && value.dim() == 4,
              "scaled_dot_product_attention_flash_attention: Accept only 4 dims inputs shape of ",
              "{B, H, T, K}");
  TORCH_CHECK(dropout_p == 0.0,
              "scaled_dot_product_attention_flash_attention: Currently do not support dropout > 0");
  TORCH_CHECK(query.size(3) == value.size(3) && key.size(3) == value.size(3),
              "scaled_dot_product_attention_flash_attention: Q/K/V should have the same head size");
  TORCH_CHECK(
      query.size(0) == key.size(0) && query.size(0) == value.size(0) &&
          query.size(1) == key.size(1) && query.size(1) == value.size(1) &&
          key.size(2) == value.size(2),
      "scaled_dot_product_attention_flash_attention: Q/K/V should have the same batch, heads, and K/V the same length");
  const Tensor q = tile_operand(query);
  const Tensor k = tile_operand(key);
  const Tensor v = tile_operand(value);
  const Tensor output = at::empty({q.size(0), q.size(1), q.size(2), v.size(3)}, q.options());
  const Tensor logsumexp = at::empty({q.size(0), q.size(1), q.size(2)},
                                     q.options().dtype(q.is_cuda() ? kFloat : q.scalar_type()));
  Tensor mask;
  const AttentionProblem p =
      problem_of(q, k, v, attn_mask, is_causal, scale_of(query, scale), output, logsumexp, mask);
  flash_attention_stub(q.device().type(), p, q.scalar_type());
  return {output.to(query.scalar_type()), logsumexp};
}

namespace {

// By the tiles of a GPU.
std::tuple<Tensor, Tensor, Tensor> tiled_backward(const Tensor& grad_out, const Tensor& query,
                                                  const Tensor& key, const Tensor& value,
                                                  const Tensor& out, const Tensor& logsumexp,
                                                  bool is_causal,
                                                  const std::optional<Tensor>& attn_mask,
                                                  double scale) {
  const Tensor q = tile_operand(query);
  const Tensor k = tile_operand(key);
  const Tensor v = tile_operand(value);
  const Tensor o = tile_operand(out);
  const Tensor grad = tile_operand(grad_out);
  const Tensor sums = logsumexp.contiguous();
  const Tensor grad_query = at::zeros(q.sizes(), q.options().dtype(kFloat));
  const Tensor grad_key = at::empty(k.sizes(), k.options());
  const Tensor grad_value = at::empty(v.sizes(), v.options());
  Tensor mask;
  AttentionGradients gradients{};
  gradients.problem = problem_of(q, k, v, attn_mask, is_causal, scale, o, sums, mask);
  gradients.grad_output = operand<const void*>(grad, grad.const_data_ptr());
  gradients.grad_query = grad_query.mutable_data_ptr<float>();
  gradients.grad_key = operand<void*>(grad_key, grad_key.mutable_data_ptr());
  gradients.grad_value = operand<void*>(grad_value, grad_value.mutable_data_ptr());
  flash_attention_backward_stub(q.device().type(), gradients, q.scalar_type());
  return {grad_query.to(query.scalar_type()), grad_key, grad_value};
}

}  // namespace

// With P the softmax, recomputed from the logarithms of its sums, and D the sums of dO * O:
// dV = P^T dO, dS = P * (dO V^T - D), dQ = dS K, dK = dS^T Q.
std::tuple<Tensor, Tensor, Tensor> flash_attention_backward(
    const Tensor& grad_out, const Tensor& query, const Tensor& key, const Tensor& value,
    const Tensor& out, const Tensor& logsumexp, double dropout_p, bool is_causal,
    const std::optional<Tensor>& attn_mask, std::optional<double> scale_opt) {
  if (query.is_cuda()) {
    return tiled_backward(grad_out, query, key, value, out, logsumexp, is_causal, attn_mask,
                          scale_of(query, scale_opt));
  }
  const ScalarType dtype = query.scalar_type();
  const ScalarType wide = logsumexp.scalar_type();
  const double scale = scale_of(query, scale_opt);
  const Tensor q = query.to(wide);
  const Tensor k = key.to(wide);
  const Tensor v = value.to(wide);
  const Tensor dout = grad_out.to(wide);
  Tensor scores = at::matmul(q, k.transpose(-2, -1)).mul_(scale);
  if (given(attn_mask)) scores.add_(*additive_mask(attn_mask, wide));
  if (is_causal) {
    scores.masked_fill_(causal_mask(q.size(2), k.size(2), q.options()).logical_not(),
                        -std::numeric_limits<double>::infinity());
  }
  // Queries that saw nothing have -inf there.
  const Tensor sums =
      logsumexp.masked_fill(logsumexp.eq(-std::numeric_limits<double>::infinity()), 0);
  const Tensor p = scores.sub_(sums.unsqueeze(-1)).exp_();
  const Tensor grad_value = at::matmul(p.transpose(-2, -1), dout);
  const Tensor delta = dout.mul(out.to(wide)).sum(-1, /*keepdim=*/true);
  const Tensor ds = at::matmul(dout, v.transpose(-2, -1)).sub_(delta).mul_(p).mul_(scale);
  return {at::matmul(ds, k).to(dtype), at::matmul(ds.transpose(-2, -1), q).to(dtype),
          grad_value.to(dtype)};
}

std::tuple<Tensor, Tensor> _scaled_dot_product_attention_math(
    const Tensor& query, const Tensor& key, const Tensor& value,
    const std::optional<Tensor>& attn_mask, double dropout_p, bool is_causal,
    const std::optional<Tensor>& dropout_mask, std::optional<double> scale, bool enable_gqa) {
  check_attention(query, key, value, attn_mask);
  // Half of the scale on each side keeps products of narrow types small.
  const double root = std::sqrt(std::abs(scale_of(query, scale)));
  const double sign = scale.has_value() && *scale < 0 ? -1.0 : 1.0;
  // The narrow types are computed in float and rounded once.
  const ScalarType dtype = query.scalar_type();
  const ScalarType wide = dtype == kBFloat16 || dtype == kHalf ? kFloat : dtype;
  const Tensor q = query.to(wide).mul(root * sign);
  const Tensor k = (enable_gqa ? repeat_heads(key, query) : key).to(wide);
  const Tensor v = (enable_gqa ? repeat_heads(value, query) : value).to(wide);
  Tensor scores = at::matmul(q, k.mul(root).transpose(-2, -1));
  std::optional<Tensor> mask = attn_mask;
  if (is_causal) {
    TORCH_CHECK(
        !given(mask),
        "_scaled_dot_product_attention: Explicit attn_mask should not be set when is_causal=True");
    mask = causal_mask(query.size(-2), key.size(-2), query.options());
  }
  if (given(mask)) scores = scores.add(*additive_mask(mask, wide));
  Tensor weights = scores.softmax(-1);
  if (given(mask)) {
    // Queries that see nothing attend to nothing.
    const Tensor blind =
        scores.eq(-std::numeric_limits<double>::infinity()).all(-1, /*keepdim=*/true);
    weights = weights.masked_fill(blind, 0);
  }
  if (dropout_p > 0.0) {
    if (given(dropout_mask)) {
      const Tensor kept = weights.masked_fill(dropout_mask->logical_not(), 0);
      return {at::matmul(kept, v.mul(1.0 / (1.0 - dropout_p))).to(dtype), weights.to(dtype)};
    }
    weights = at::dropout(weights, dropout_p, /*train=*/true);
  }
  return {at::matmul(weights, v).to(dtype), weights.to(dtype)};
}

Tensor scaled_dot_product_attention(const Tensor& query, const Tensor& key, const Tensor& value,
                                    const std::optional<Tensor>& attn_mask, double dropout_p,
                                    bool is_causal, std::optional<double> scale, bool enable_gqa) {
  check_attention(query, key, value, attn_mask);
  const Tensor k = enable_gqa && query.dim() >= 3 ? repeat_heads(key, query) : key;
  const Tensor v = enable_gqa && query.dim() >= 3 ? repeat_heads(value, query) : value;
  if (can_tile(query, k, v, attn_mask, dropout_p)) {
    // Only tiles take both.
    const bool both = is_causal && given(attn_mask);
    const std::optional<Tensor> mask = both ? causal_part(*attn_mask, query, key) : attn_mask;
    return std::get<0>(at::_scaled_dot_product_flash_attention_for_cpu(
        query, k, v, dropout_p, is_causal && !both, mask, scale));
  }
  return std::get<0>(at::_scaled_dot_product_attention_math(
      query, k, v, attn_mask, dropout_p, is_causal, std::nullopt, scale, /*enable_gqa=*/false));
}

}  // namespace at::native
