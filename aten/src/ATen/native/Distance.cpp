// Distances and similarities of rows, and the bilinear form.

#define TORCH_ASSERT_ONLY_METHOD_OPERATORS
#include <ATen/ExpandUtils.h>
#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/Distance.h>
#include <ATen/native/LinalgSupport.h>
#include <ATen/ops/_cdist_backward_native.h>
#include <ATen/ops/_cdist_forward.h>
#include <ATen/ops/_cdist_forward_native.h>
#include <ATen/ops/bilinear.h>
#include <ATen/ops/bilinear_native.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/cdist.h>
#include <ATen/ops/cdist_native.h>
#include <ATen/ops/cosine_similarity_native.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/linalg_vector_norm.h>
#include <ATen/ops/norm.h>
#include <ATen/ops/ones_like.h>
#include <ATen/ops/pairwise_distance_native.h>
#include <ATen/ops/pdist_native.h>
#include <ATen/ops/triu_indices.h>
#include <ATen/ops/zeros.h>
#include <ATen/ops/zeros_like.h>
#include <c10/core/GradMode.h>
#include <c10/core/Scalar.h>
#include <c10/core/ScalarType.h>
#include <c10/util/Exception.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

namespace at::native {

DEFINE_DISPATCH(cdist_stub);
DEFINE_DISPATCH(cdist_backward_stub);

// x1 . x2 / (max(|x1|, eps) max(|x2|, eps))
Tensor cosine_similarity(const Tensor& x1, const Tensor& x2, int64_t dim, double eps) {
  const ScalarType common = at::promoteTypes(x1.scalar_type(), x2.scalar_type());
  TORCH_CHECK(at::isFloatingType(common) || at::isComplexType(common),
              "expected common dtype to be floating point, yet common dtype is ", common);
  const std::vector<int64_t> shape = at::infer_size(x1.sizes(), x2.sizes());
  const Tensor a = x1.to(common).expand(shape);
  const Tensor b = x2.to(common).expand(shape);
  const auto unit = [&](const Tensor& t) {
    const Tensor length = at::linalg_vector_norm(t, 2, {dim}, /*keepdim=*/true);
    return t.div(length.clamp_min(eps));
  };
  return unit(a).mul(unit(b)).sum(dim);
}

// |x1 - x2 + eps| along the last dimension.
Tensor pairwise_distance(const Tensor& x1, const Tensor& x2, double p, double eps, bool keepdim) {
  const int64_t innermost = std::max(x1.dim(), x2.dim()) - 1;
  return at::norm(x1.sub(x2).add(eps), p, {innermost}, keepdim);
}

// out[o] = sum over i, j of input1[i] weight[o, i, j] input2[j], plus the bias.
Tensor bilinear(const Tensor& input1, const Tensor& input2, const Tensor& weight,
                const std::optional<Tensor>& bias) {
  const bool has_bias = bias.has_value() && bias->defined();
  TORCH_CHECK(input1.dim() == input2.dim(), "bilinear(): input dimensions do not match: got ",
              input1.dim(), " and ", input2.dim());
  for (int64_t d = 0; d + 1 < input1.dim(); ++d) {
    TORCH_CHECK(input1.size(d) == input2.size(d),
                "bilinear(): input batch dimensions do not match at dim ", d, ": got ",
                input1.size(d), " and ", input2.size(d));
  }
  TORCH_CHECK(weight.dim() == 3 && input1.dim() > 0 && input1.size(-1) == weight.size(1),
              "bilinear(): input1 size does not match weight size: got ",
              input1.dim() > 0 ? input1.size(-1) : 0, " but expected ",
              weight.dim() == 3 ? weight.size(1) : 0);
  TORCH_CHECK(input2.size(-1) == weight.size(2),
              "bilinear(): input2 size does not match weight size: got ", input2.size(-1),
              " but expected ", weight.size(2));
  TORCH_CHECK(!has_bias || bias->size(0) == weight.size(0),
              "bilinear(): bias size does not match weight size: got ",
              has_bias ? bias->size(0) : 0, " but expected ", weight.size(0));
  const ScalarType dtype = input1.scalar_type();
  if (dtype == kBFloat16 || dtype == kHalf) {
    // In float, rounded once.
    const std::optional<Tensor> wide = has_bias ? bias->to(kFloat) : std::optional<Tensor>();
    return at::bilinear(input1.to(kFloat), input2.to(kFloat), weight.to(kFloat), wide).to(dtype);
  }
  const int64_t out = weight.size(0);
  std::vector<int64_t> shape = input1.sizes().vec();
  shape.back() = out;
  const Tensor x1 = input1.reshape({-1, input1.size(-1)});
  const Tensor x2 = input2.reshape({-1, input2.size(-1)});
  const Tensor matrix = weight.permute({1, 0, 2}).reshape({weight.size(1), out * weight.size(2)});
  const Tensor rows = x1.mm(matrix).view({x1.size(0), out, weight.size(2)});
  const Tensor result =
      rows.mul(x2.unsqueeze(1)).sum({-1}, /*keepdim=*/false, rows.scalar_type()).reshape(shape);
  return has_bias ? result.add(*bias) : result;
}

// ---- distances between the rows of two matrices

Tensor _cdist_forward(const Tensor& x1, const Tensor& x2, double p,
                      std::optional<int64_t> compute_mode) {
  const int64_t n = x1.size(-2);
  const int64_t m = x2.size(-2);
  const int64_t k = x1.size(-1);
  std::vector<int64_t> shape =
      at::infer_size(x1.sizes().slice(0, static_cast<size_t>(x1.dim() - 2)),
                     x2.sizes().slice(0, static_cast<size_t>(x2.dim() - 2)));
  std::vector<int64_t> shape1 = shape;
  std::vector<int64_t> shape2 = shape;
  shape1.insert(shape1.end(), {n, k});
  shape2.insert(shape2.end(), {m, k});
  shape.insert(shape.end(), {n, m});
  const Tensor left = x1.expand(shape1).contiguous();
  const Tensor right = x2.is_same(x1) ? left : x2.expand(shape2).contiguous();
  Tensor result = at::empty(shape, x1.options());
  if (result.numel() == 0) return result;
  if (k == 0) return result.zero_();
  cdist_stub(result.device().type(), result, left, right, p);
  return result;
}

namespace {

// What _cdist_backward computes, without a tensor of the differences of all pairs.
Tensor cdist_gradient(const Tensor& grad, const Tensor& x1, const Tensor& x2, double p,
                      const Tensor& cdist) {
  const int64_t n = x1.size(-2);
  const int64_t m = x2.size(-2);
  const int64_t k = x1.size(-1);
  const std::vector<int64_t> batch = batch_sizes(cdist).vec();
  const auto expanded = [&](const Tensor& x, int64_t rows, int64_t columns) {
    return x.expand(appended(batch, {rows, columns})).contiguous();
  };
  const Tensor left = expanded(x1, n, k);
  const Tensor right = expanded(x2, m, k);
  const Tensor slopes = expanded(grad, n, m);
  const Tensor distances = expanded(cdist, n, m);
  Tensor result = at::zeros(left.sizes(), x1.options());
  if (result.numel() == 0 || m == 0 || p == 0) return result;
  cdist_backward_stub(result.device().type(), result, slopes, left, right, p, distances);
  return result;
}

}  // namespace

Tensor _cdist_backward(const Tensor& grad, const Tensor& x1, const Tensor& x2, double p,
                       const Tensor& cdist) {
  if (!c10::GradMode::is_enabled() && cdist.is_cpu()) {
    return cdist_gradient(grad, x1, x2, p, cdist);
  }
  const Tensor difference = x1.unsqueeze(-2) - x2.unsqueeze(-3);
  const Tensor norms = cdist.unsqueeze(-1);
  Tensor slope;
  if (p == 1) {
    slope = difference.sign();
  } else if (p == 0) {
    slope = at::zeros_like(difference);
  } else if (p == std::numeric_limits<double>::infinity()) {
    slope = difference.sign() * difference.abs().eq(norms);
  } else {
    // For p < 1 the power of a difference of 0 is infinite: the subgradient there is 0 as well.
    slope = (difference.sign() * (difference.abs() / norms).pow(p - 1))
                .masked_fill(norms.eq(0).logical_or(difference.eq(0)), 0);
  }
  return (grad.unsqueeze(-1) * slope).sum({-2});
}

Tensor cdist(const Tensor& x1, const Tensor& x2, double p, std::optional<int64_t> compute_mode) {
  TORCH_CHECK(x1.is_floating_point(),
              "cdist only supports floating-point dtypes, X1 got: ", x1.scalar_type());
  TORCH_CHECK(x2.is_floating_point(),
              "cdist only supports floating-point dtypes, X2 got: ", x2.scalar_type());
  TORCH_CHECK(x1.dim() >= 2, "cdist only supports at least 2D tensors, X1 got: ", x1.dim(), "D");
  TORCH_CHECK(x2.dim() >= 2, "cdist only supports at least 2D tensors, X2 got: ", x2.dim(), "D");
  TORCH_CHECK(x1.size(-1) == x2.size(-1),
              "X1 and X2 must have the same number of columns. X1: ", x1.size(-1),
              " X2: ", x2.size(-1));
  TORCH_CHECK(p >= 0, "cdist only supports non-negative p values");
  const int64_t mode = compute_mode.value_or(0);
  TORCH_CHECK(mode >= 0 && mode <= 2, "possible modes: 0, 1, 2, but was: ", mode);
  const int64_t rows1 = x1.size(-2);
  const int64_t rows2 = x2.size(-2);
  if (p == 2 && x1.numel() > 0 && x2.numel() > 0 &&
      (mode == 1 || (mode == 0 && (rows1 > 25 || rows2 > 25)))) {
    // |a|^2 - 2 a b + |b|^2, in one matrix product: many rows.
    const Tensor a = x1.pow(2).sum({-1}, /*keepdim=*/true);
    const Tensor b = x2.pow(2).sum({-1}, /*keepdim=*/true);
    const Tensor left = at::cat({x1.mul(-2), a, at::ones_like(a)}, -1);
    const Tensor right = at::cat({x2, at::ones_like(b), b}, -1);
    const Tensor squares = left.matmul(right.mT()).clamp_min(0);
    if (!c10::GradMode::is_enabled() || !squares.requires_grad()) return squares.sqrt();
    // The root's derivative at 0 is infinite; the subgradient of the distance there is 0.
    const Tensor same = squares.eq(0);
    return squares.masked_fill(same, 1).sqrt().masked_fill(same, 0);
  }
  return at::_cdist_forward(x1, x2, p, mode);
}

// The distances above the diagonal of cdist, row by row.
Tensor pdist(const Tensor& self, double p) {
  TORCH_CHECK(self.dim() == 2, "pdist only supports 2D tensors, got: ", self.dim(), "D");
  TORCH_CHECK(self.is_floating_point(), "pdist only supports floating-point dtypes");
  TORCH_CHECK(p >= 0, "pdist only supports non-negative p values");
  const int64_t n = self.size(0);
  const Tensor pairs = at::triu_indices(n, n, 1, self.options().dtype(kLong));
  // Differences, not the product of matrices: near rows have exact distances.
  const Tensor all = at::cdist(self, self, p, /*compute_mode=*/2);
  return all.flatten().index_select(0, pairs.select(0, 0).mul(n).add(pairs.select(0, 1)));
}

}  // namespace at::native
