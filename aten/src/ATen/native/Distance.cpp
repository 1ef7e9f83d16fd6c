// Distances and similarities of rows, and the bilinear form.

#define TORCH_ASSERT_ONLY_METHOD_OPERATORS
#include <ATen/ExpandUtils.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/bilinear.h>
#include <ATen/ops/bilinear_native.h>
#include <ATen/ops/cosine_similarity_native.h>
#include <ATen/ops/linalg_vector_norm.h>
#include <ATen/ops/norm.h>
#include <ATen/ops/pairwise_distance_native.h>
#include <c10/core/Scalar.h>
#include <c10/core/ScalarType.h>
#include <c10/util/Exception.h>

#include <algorithm>
#include <vector>

namespace at::native {

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
    TORCH_CHECK(input1.size(d) == input2.size(d), "bilinear(): input batch dimensions do not ",
                "match at dim ", d, ": got ", input1.size(d), " and ", input2.size(d));
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

}  // namespace at::native
