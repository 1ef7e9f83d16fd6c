// The mean over classes i but the target y of weight[y] max(0, margin - x[y] + x[i])^p.

#define TORCH_ASSERT_ONLY_METHOD_OPERATORS
#include <ATen/Dispatch.h>
#include <ATen/OpMathType.h>
#include <ATen/Parallel.h>
#include <ATen/core/Reduction.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/multi_margin_loss_backward_native.h>
#include <ATen/ops/multi_margin_loss_native.h>
#include <c10/core/Scalar.h>
#include <c10/core/ScalarType.h>
#include <c10/util/Exception.h>

#include <algorithm>
#include <cstdint>
#include <optional>

namespace at::native {
namespace {

struct Rows {
  Rows(const Tensor& self, const Tensor& target, const Scalar& p,
       const std::optional<Tensor>& weights)
      : scores((self.dim() < 2 ? self.reshape({1, -1}) : self).contiguous()) {
    TORCH_CHECK(self.dim() <= 2 && (self.dim() == 0 || self.size(-1) != 0),
                "Expected non-empty vector or matrix with optional 0-dim batch size, but got: ",
                self.sizes());
    TORCH_CHECK(
        target.dim() <= 1 && target.numel() == scores.size(0),
        "multi_margin_loss: target tensor should be 1-D with size equal to the number of input samples (batch size). Expected target size [",
        scores.size(0), "], but got ", target.sizes(), ". Input has shape ", self.sizes(), ".");
    TORCH_CHECK(p.equal(1) || p.equal(2), "only p == 1 and p == 2 supported");
    if (weights.has_value() && weights->defined()) {
      TORCH_CHECK(weights->dim() == 1 && weights->numel() == scores.size(1),
                  "inconsistent weight size, expected ", scores.size(1), " but got ",
                  weights->sizes());
      weight = weights->to(scores.scalar_type()).contiguous();
    }
    TORCH_CHECK(target.scalar_type() == kLong, "expected scalar type Long but found ",
                target.scalar_type());
    classes = target.reshape({-1}).contiguous();
  }
  Tensor scores;
  Tensor classes;
  Tensor weight;
};

// Calls row(i, x, y, weight[y] / classes) for each row.
template <typename scalar_t, typename F>
void for_each_row(const Rows& rows, const F& row) {
  using opmath_t = opmath_type<scalar_t>;
  const auto* x = rows.scores.const_data_ptr<scalar_t>();
  const auto* t = rows.classes.const_data_ptr<int64_t>();
  const auto* w = rows.weight.defined() ? rows.weight.const_data_ptr<scalar_t>() : nullptr;
  const int64_t n = rows.scores.size(1);
  constexpr int64_t kGrain = 8192;  // elements that are worth a thread
  at::parallel_for(0, rows.scores.size(0), std::max<int64_t>(1, kGrain / n),
                   [&](int64_t first, int64_t last) {
                     for (int64_t i = first; i < last; ++i) {
                       TORCH_CHECK(t[i] >= 0 && t[i] < n, "target out of range");
                       const auto factor = w != nullptr ? static_cast<opmath_t>(w[t[i]]) : 1;
                       row(i, x + i * n, t[i], factor / static_cast<opmath_t>(n));
                     }
                   });
}

}  // namespace

Tensor multi_margin_loss_cpu(const Tensor& self, const Tensor& target, const Scalar& p,
                             const Scalar& margin, const std::optional<Tensor>& weight,
                             int64_t reduction) {
  const Rows rows(self, target, p, weight);
  const int64_t n = rows.scores.size(1);
  const bool squared = p.equal(2);
  Tensor losses = at::empty(rows.classes.sizes(), self.options());
  AT_DISPATCH_FLOATING_TYPES_AND2(kBFloat16, kHalf, self.scalar_type(), "multi_margin_loss", [&] {
    using opmath_t = opmath_type<scalar_t>;
    auto* out = losses.mutable_data_ptr<scalar_t>();
    for_each_row<scalar_t>(rows, [&](int64_t i, const scalar_t* x, int64_t y, opmath_t factor) {
      const opmath_t base = margin.to<opmath_t>() - static_cast<opmath_t>(x[y]);
      double sum = 0;
      const auto add = [&](int64_t first, int64_t last) {
        for (int64_t c = first; c < last; ++c) {
          const opmath_t z = base + static_cast<opmath_t>(x[c]);
          const opmath_t hinge = z < 0 ? opmath_t(0) : z;  // NaN stays.
          sum += squared ? hinge * hinge : hinge;
        }
      };
      add(0, y);
      add(y + 1, n);
      out[i] = static_cast<scalar_t>(sum * factor);
    });
  });
  if (reduction == at::Reduction::Mean) return losses.mean();
  if (reduction == at::Reduction::Sum) return losses.sum();
  return losses.view(target.sizes());
}

Tensor multi_margin_loss_backward_cpu(const Tensor& grad_output, const Tensor& self,
                                      const Tensor& target, const Scalar& p, const Scalar& margin,
                                      const std::optional<Tensor>& weight, int64_t reduction) {
  const Rows rows(self, target, p, weight);
  const int64_t n = rows.scores.size(1);
  const bool squared = p.equal(2);
  const bool each = reduction == at::Reduction::None;
  const Tensor grad = grad_output.contiguous();
  Tensor grad_input = at::empty(rows.scores.sizes(), self.options());
  AT_DISPATCH_FLOATING_TYPES_AND2(
      kBFloat16, kHalf, self.scalar_type(), "multi_margin_loss_backward", [&] {
        using opmath_t = opmath_type<scalar_t>;
        const auto* g = grad.const_data_ptr<scalar_t>();
        auto* out = grad_input.mutable_data_ptr<scalar_t>();
        const auto mean = static_cast<opmath_t>(
            reduction == at::Reduction::Mean ? std::max<int64_t>(1, rows.scores.size(0)) : 1);
        for_each_row<scalar_t>(rows, [&](int64_t i, const scalar_t* x, int64_t y, opmath_t factor) {
          const opmath_t base = margin.to<opmath_t>() - static_cast<opmath_t>(x[y]);
          const opmath_t scale = static_cast<opmath_t>(g[each ? i : 0]) * factor / mean;
          scalar_t* gx = out + i * n;
          double sum = 0;
          const auto write = [&](int64_t first, int64_t last) {
            for (int64_t c = first; c < last; ++c) {
              const opmath_t z = base + static_cast<opmath_t>(x[c]);
              const opmath_t slope = z <= 0 ? opmath_t(0) : scale * (squared ? 2 * z : opmath_t(1));
              gx[c] = static_cast<scalar_t>(slope);
              sum += slope;
            }
          };
          write(0, y);
          write(y + 1, n);
          gx[y] = static_cast<scalar_t>(-sum);
        });
      });
  return grad_input.view(self.sizes());
}

// For devices without the loops above.
namespace {

// max(0, margin - x[y] + x[i]), and 0 for the target itself.
Tensor hinges(const Rows& rows, const Scalar& margin) {
  const Tensor index = rows.classes.unsqueeze(1);
  TORCH_CHECK(!index.lt(0).logical_or(index.ge(rows.scores.size(1))).any().item().toBool(),
              "target out of range");
  return rows.scores.gather(1, index)
      .neg()
      .add(margin)
      .add(rows.scores)
      .clamp_min(0)
      .scatter(1, index, 0);
}

// Of each row, to multiply with.
Tensor factors(const Rows& rows, const Tensor& t) {
  const Tensor scaled = t.div(static_cast<double>(rows.scores.size(1)));
  return rows.weight.defined() ? scaled.mul(rows.weight.index_select(0, rows.classes)) : scaled;
}

}  // namespace

Tensor multi_margin_loss_cuda(const Tensor& self, const Tensor& target, const Scalar& p,
                              const Scalar& margin, const std::optional<Tensor>& weight,
                              int64_t reduction) {
  const Rows rows(self, target, p, weight);
  const Tensor hinge = hinges(rows, margin);
  const Tensor losses = factors(rows, (p.equal(2) ? hinge.mul(hinge) : hinge).sum({1}));
  if (reduction == at::Reduction::Mean) return losses.mean();
  if (reduction == at::Reduction::Sum) return losses.sum();
  return losses.view(target.sizes());
}

Tensor multi_margin_loss_backward_cuda(const Tensor& grad_output, const Tensor& self,
                                       const Tensor& target, const Scalar& p, const Scalar& margin,
                                       const std::optional<Tensor>& weight, int64_t reduction) {
  const Rows rows(self, target, p, weight);
  const Tensor hinge = hinges(rows, margin);
  Tensor scale = factors(rows, grad_output.reshape({-1}).expand(rows.classes.sizes()));
  if (reduction == at::Reduction::Mean) scale = scale.div(rows.scores.size(0));
  const Tensor slope = p.equal(2) ? hinge.mul(2) : hinge.gt(0).to(self.scalar_type());
  const Tensor grads = slope.mul(scale.unsqueeze(1));
  return grads.scatter(1, rows.classes.unsqueeze(1), grads.sum({1}, true).neg()).view(self.sizes());
}

}  // namespace at::native
