// Losses out of operators, which therefore are differentiable as often as those.

#define TORCH_ASSERT_ONLY_METHOD_OPERATORS
#include <ATen/ExpandUtils.h>
#include <ATen/core/Reduction.h>
#include <ATen/core/Tensor.h>
#include <ATen/core/grad_mode.h>
#include <ATen/native/OutVariant.h>
#include <ATen/ops/cosine_embedding_loss_native.h>
#include <ATen/ops/hinge_embedding_loss_native.h>
#include <ATen/ops/kl_div_native.h>
#include <ATen/ops/margin_ranking_loss_native.h>
#include <ATen/ops/multilabel_margin_loss_native.h>
#include <ATen/ops/nll_loss2d_native.h>
#include <ATen/ops/nll_loss_nd.h>
#include <ATen/ops/pairwise_distance.h>
#include <ATen/ops/poisson_nll_loss_native.h>
#include <ATen/ops/soft_margin_loss_native.h>
#include <ATen/ops/triplet_margin_loss_native.h>
#include <ATen/ops/where.h>
#include <ATen/ops/zeros_like.h>
#include <c10/core/DefaultDtype.h>
#include <c10/core/ScalarType.h>
#include <c10/util/Exception.h>

#include <numbers>

namespace at::native {
namespace {

Tensor reduce(const Tensor& loss, int64_t reduction) {
  if (reduction == at::Reduction::Mean) return loss.mean();
  if (reduction == at::Reduction::Sum) return loss.sum();
  return loss;
}

Tensor positive_part(const Tensor& t) { return t.clamp_min(0); }

}  // namespace

// t (log t - x) for x a logarithm; with log_target the target is one too.
Tensor kl_div(const Tensor& input, const Tensor& target, int64_t reduction, bool log_target) {
  TORCH_CHECK(!input.is_complex() && !target.is_complex(),
              "kl_div: expected tensors of real numbers, but got ", input.scalar_type(), " and ",
              target.scalar_type());
  TORCH_CHECK(input.is_floating_point() && target.is_floating_point(),
              "kl_div: Integral inputs not supported.");
  if (log_target) return reduce(target.exp().mul(target.sub(input)), reduction);
  // 0 log 0 is 0.
  const Tensor safe = target.masked_fill(target.eq(0), 1);
  return reduce(target.mul(safe.log()).sub(target.mul(input)), reduction);
}

// log(1 + exp(-t x))
Tensor soft_margin_loss(const Tensor& input, const Tensor& target, int64_t reduction) {
  TORCH_CHECK(
      !at::GradMode::is_enabled() || !target.requires_grad(),
      "The function 'soft_margin_loss' is not differentiable with respect to argument 'target'. This input cannot have requires_grad True.");
  const DimVector shape = at::infer_size_dimvector(input.sizes(), target.sizes());
  TORCH_CHECK(input.sizes().equals(shape), "output with shape ", input.sizes(),
              " doesn't match the broadcast shape ", IntArrayRef(shape));
  const Tensor margin = target.neg().to(input.scalar_type()).mul(input);
  TORCH_CHECK(margin.is_floating_point() || margin.is_complex(), "result type ",
              c10::get_default_dtype_as_scalartype(), " can't be cast to the desired output type ",
              input.scalar_type());
  return reduce(margin.exp().log1p(), reduction);
}

// 1 - cos for pairs that belong together (target 1), else cos above the margin (target -1).
Tensor cosine_embedding_loss(const Tensor& input1, const Tensor& input2, const Tensor& target,
                             double margin, int64_t reduction) {
  constexpr double kEpsilon = 1e-12;
  const int64_t dims = target.dim();
  TORCH_CHECK(dims == 0 || dims == 1,
              "0D or 1D target tensor expected, multi-target not supported");
  TORCH_CHECK(input1.dim() == dims + 1 && input2.dim() == dims + 1, dims,
              "D target tensor expects ", dims + 1, "D input tensors, but found inputs with sizes ",
              input1.sizes(), " and ", input2.sizes(), ".");
  const Tensor product = input1.mul(input2).sum(dims);
  const Tensor square1 = input1.mul(input1).sum(dims).add(kEpsilon);
  const Tensor square2 = input2.mul(input2).sum(dims).add(kEpsilon);
  const Tensor cosine = product.div(square1.mul(square2).sqrt());
  const Tensor zeros = at::zeros_like(cosine);
  const Tensor together = at::where(target.eq(1), cosine.neg().add(1), zeros);
  const Tensor apart = at::where(target.eq(-1), positive_part(cosine.sub(margin)), zeros);
  return reduce(together.add(apart), reduction);
}

// max(0, margin - t (x1 - x2))
Tensor margin_ranking_loss(const Tensor& input1, const Tensor& input2, const Tensor& target,
                           double margin, int64_t reduction) {
  TORCH_CHECK(input1.dim() == input2.dim() && input1.dim() == target.dim(),
              "margin_ranking_loss : All input tensors should have same dimension but got sizes: ",
              "input1: ", input1.sizes(), ", input2: ", input2.sizes(),
              ", target: ", target.sizes(), " ");
  return reduce(positive_part(target.neg().mul(input1.sub(input2)).add(margin)), reduction);
}

// x for target 1, max(0, margin - x) for target -1.
Tensor hinge_embedding_loss(const Tensor& self, const Tensor& target, double margin,
                            int64_t reduction) {
  const Tensor zeros = at::zeros_like(self);
  const Tensor apart = at::where(target.ne(1), positive_part(self.neg().add(margin)), zeros);
  return reduce(apart.add(at::where(target.ne(-1), self, zeros)), reduction);
}

// max(0, d(anchor, positive) - d(anchor, negative) + margin) (Schroff and others,
// arXiv:1503.03832).
Tensor triplet_margin_loss(const Tensor& anchor, const Tensor& positive, const Tensor& negative,
                           double margin, double p, double eps, bool swap, int64_t reduction) {
  TORCH_CHECK(
      anchor.dim() == positive.dim() && anchor.dim() == negative.dim(),
      "The anchor, positive, and negative tensors are expected to have the same number of dimensions, but got: anchor ",
      anchor.dim(), "D, positive ", positive.dim(), "D, and negative ", negative.dim(), "D inputs");
  const Tensor near = at::pairwise_distance(anchor, positive, p, eps);
  Tensor far = at::pairwise_distance(anchor, negative, p, eps);
  if (swap) far = far.minimum(at::pairwise_distance(positive, negative, p, eps));
  return reduce(positive_part(near.sub(far).add(margin)), reduction);
}

// exp(x) - t x, or x - t log x; with `full` Stirling's approximation of log t! for t over 1.
Tensor poisson_nll_loss(const Tensor& input, const Tensor& target, bool log_input, bool full,
                        double eps, int64_t reduction) {
  Tensor loss =
      log_input ? input.exp().sub(target.mul(input)) : input.sub(target.mul(input.add(eps).log()));
  if (full) {
    const Tensor stirling =
        target.mul(target.log()).sub(target).add(target.mul(2 * std::numbers::pi).log().mul(0.5));
    loss = loss.add(stirling.masked_fill(target.le(1), 0));
  }
  return reduce(loss, reduction);
}

Tensor nll_loss2d(const Tensor& self, const Tensor& target, const std::optional<Tensor>& weight,
                  int64_t reduction, int64_t ignore_index) {
  TORCH_CHECK(
      target.dim() == 3,
      "only batches of spatial targets supported (3D tensors) but got targets of dimension: ",
      target.dim());
  TORCH_CHECK(self.dim() == 4,
              "only batches of spatial inputs supported (4D tensors), but got input of dimension: ",
              self.dim());
  return at::nll_loss_nd(self, target, weight, reduction, ignore_index);
}

// The mean over classes i of max(0, 1 - (x[t] - x[i])), summed over targets t: those before the
// first -1 of each row; i is none of them.
Tensor multilabel_margin_loss(const Tensor& self, const Tensor& target, int64_t reduction) {
  TORCH_CHECK(self.dim() <= 2 && (self.dim() == 0 || self.size(-1) != 0),
              "Expected non-empty vector or matrix with optional 0-dim batch size, but got: ",
              self.sizes());
  TORCH_CHECK(self.sizes() == target.sizes(), "inconsistent target size: ", target.sizes(),
              " for input of size: ", self.sizes());
  TORCH_CHECK(target.scalar_type() == kLong, "expected scalar type Long but found ",
              target.scalar_type());
  TORCH_CHECK_NOT_IMPLEMENTED(c10::isFloatingType(self.scalar_type()),
                              "\"multilabel_margin_loss_forward_out_frame\" not implemented for '",
                              self.scalar_type(), "'");
  const Tensor x = self.dim() == 2 ? self : self.reshape({1, self.numel()});
  const Tensor t = target.reshape(x.sizes());
  const Tensor listed = t.lt(0).cumsum(-1).eq(0);
  const Tensor places = t.masked_fill(listed.logical_not(), 0);
  const Tensor is_target =
      at::zeros_like(x).scatter_add(-1, places, listed.to(x.scalar_type())).gt(0);
  const Tensor least = x.gather(-1, places).sub(1).unsqueeze(-1);
  const Tensor uncounted = is_target.unsqueeze(-2).logical_or(listed.logical_not().unsqueeze(-1));
  const Tensor margins = positive_part(x.unsqueeze(-2).sub(least)).masked_fill(uncounted, 0);
  const Tensor loss = margins.sum({-2, -1}).div(static_cast<double>(x.size(-1)));
  const Tensor reduced = reduce(loss, reduction);
  return reduction == at::Reduction::None && self.dim() < 2 ? reduced.squeeze(0) : reduced;
}

}  // namespace at::native
