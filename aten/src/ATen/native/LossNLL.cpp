// Negative log likelihood, and cross entropy on top of it.

#define TORCH_ASSERT_ONLY_METHOD_OPERATORS
#include <ATen/Dispatch.h>
#include <ATen/Parallel.h>
#include <ATen/TensorMeta.h>
#include <ATen/core/Reduction.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/Resize.h>
#include <ATen/ops/cross_entropy_loss_native.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/nll_loss.h>
#include <ATen/ops/nll_loss2d_backward_native.h>
#include <ATen/ops/nll_loss2d_forward.h>
#include <ATen/ops/nll_loss2d_forward_native.h>
#include <ATen/ops/nll_loss_backward_native.h>
#include <ATen/ops/nll_loss_forward.h>
#include <ATen/ops/nll_loss_forward_native.h>
#include <ATen/ops/nll_loss_native.h>
#include <ATen/ops/nll_loss_nd.h>
#include <ATen/ops/nll_loss_nd_native.h>
#include <ATen/ops/where.h>
#include <ATen/ops/zeros.h>
#include <c10/core/Scalar.h>
#include <c10/core/ScalarType.h>
#include <c10/util/Exception.h>
#include <c10/util/accumulate.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <optional>
#include <tuple>
#include <vector>

namespace at::meta {
namespace {

// One class for each row; an input without rows is one.
void check_target_size(const Tensor& self, const Tensor& target) {
  if (self.dim() == 1) {
    TORCH_CHECK_VALUE(
        target.numel() == 1,
        "For 1D input, 1D target must have size 1, but got target size: ", target.numel());
  } else {
    TORCH_CHECK(target.dim() == 1 && self.size(0) == target.size(0),
                "size mismatch (got input: ", self.sizes(), ", target: ", target.sizes(), ")");
  }
}

}  // namespace

TORCH_META_FUNC(nll_loss_forward)
(const Tensor& self, const Tensor& target, OptionalTensorRef weight, int64_t reduction,
 int64_t ignore_index) {
  TORCH_CHECK(self.dim() > 0 && self.dim() <= 2, "input tensor should be 1D or 2D");
  TORCH_CHECK(target.dim() <= 1, "0D or 1D target tensor expected, multi-target not supported");
  check_target_size(self, target);
  const int64_t n_classes = self.size(-1);
  const bool has_weight = weight.has_value() && weight->defined();
  TORCH_CHECK(!has_weight || (weight->dim() == 1 && weight->numel() == n_classes),
              "weight tensor should be defined either for all ", n_classes,
              " classes or no classes but got weight tensor of shape: ",
              has_weight ? weight->sizes() : IntArrayRef{});
  const int64_t batch_size = self.dim() == 1 ? 1 : self.size(0);
  const std::vector<int64_t> shape = reduction == Reduction::None && self.dim() == 2
                                         ? std::vector<int64_t>{batch_size}
                                         : std::vector<int64_t>{};
  set_output_raw_strided(0, shape, {}, self.options());
  set_output_raw_strided(1, {}, {}, self.options());
}

TORCH_META_FUNC(nll_loss_backward)
(const Tensor& grad_output, const Tensor& self, const Tensor& target, OptionalTensorRef weight,
 int64_t reduction, int64_t ignore_index, const Tensor& total_weight) {
  TORCH_CHECK(self.dim() > 0 && self.dim() <= 2, "input tensor should be 1D or 2D");
  TORCH_CHECK(target.dim() <= 1, "0D or 1D target tensor expected, multi-target not supported");
  check_target_size(self, target);
  TORCH_CHECK(!weight.has_value() || !weight->defined() || weight->numel() == self.size(-1),
              "weight tensor should be defined either for all or no classes");
  TORCH_CHECK(total_weight.numel() == 1,
              "expected total_weight to be a  single element tensor, got: ",
              total_weight.toString(), " (", total_weight.numel(), " elements)");
  set_output_raw_strided(0, self.sizes(), {}, self.options());
}

}  // namespace at::meta

namespace at::native {
namespace {

// The weight of each class, or null for ones.
template <typename scalar_t>
const scalar_t* weight_data(const Tensor& weight) {
  return weight.defined() ? weight.const_data_ptr<scalar_t>() : nullptr;
}

Tensor contiguous_weight(OptionalTensorRef weight) {
  return weight.has_value() && weight->defined() ? weight->contiguous() : Tensor();
}

// The target classes as int64, one for each row.
Tensor classes(const Tensor& target) {
  TORCH_CHECK(target.scalar_type() == kLong || target.scalar_type() == kByte,
              "expected target dtype to be Long or Byte, but got ", target.scalar_type());
  return target.to(kLong).contiguous().view({-1});
}

void check_class(int64_t target, int64_t n_classes) {
  TORCH_CHECK_INDEX(target >= 0 && target < n_classes, "Target ", target, " is out of bounds.");
}

}  // namespace

TORCH_IMPL_FUNC(nll_loss_forward_out_cpu)
(const Tensor& self, const Tensor& target, OptionalTensorRef weight, int64_t reduction,
 int64_t ignore_index, const Tensor& output, const Tensor& total_weight) {
  const Tensor input = self.dim() == 1 ? self.unsqueeze(0) : self;
  const Tensor target_classes = classes(target);
  const Tensor w = contiguous_weight(weight);
  const int64_t rows = input.size(0);
  const int64_t n_classes = input.size(1);
  AT_DISPATCH_FLOATING_TYPES_AND2(kBFloat16, kHalf, input.scalar_type(), "nll_loss_out_frame", [&] {
    const auto* x = input.const_data_ptr<scalar_t>();
    const auto* t = target_classes.const_data_ptr<int64_t>();
    const auto* wd = weight_data<scalar_t>(w);
    const int64_t row_stride = input.stride(0);
    const int64_t class_stride = input.stride(1);
    const bool each = reduction == at::Reduction::None;
    const Tensor losses = each ? at::empty({rows}, input.options()) : Tensor();
    auto* l = each ? losses.mutable_data_ptr<scalar_t>() : nullptr;
    double loss_sum = 0;
    double weight_sum = 0;
    for (int64_t i = 0; i < rows; ++i) {
      const int64_t c = t[i];
      if (c == ignore_index) {
        if (each) l[i] = scalar_t(0);
        continue;
      }
      check_class(c, n_classes);
      const double class_weight = wd != nullptr ? static_cast<double>(wd[c]) : 1.0;
      const double loss = -static_cast<double>(x[i * row_stride + c * class_stride]) * class_weight;
      if (each) l[i] = static_cast<scalar_t>(loss);
      loss_sum += loss;
      weight_sum += class_weight;
    }
    if (each) {
      output.copy_(losses.view(output.sizes()));
      total_weight.fill_(0);
    } else {
      // The mean over nothing is NaN.
      output.fill_(reduction == at::Reduction::Mean ? loss_sum / weight_sum : loss_sum);
      total_weight.fill_(weight_sum);
    }
  });
}

TORCH_IMPL_FUNC(nll_loss_backward_out_cpu)
(const Tensor& grad_output, const Tensor& self, const Tensor& target, OptionalTensorRef weight,
 int64_t reduction, int64_t ignore_index, const Tensor& total_weight, const Tensor& grad_input) {
  grad_input.zero_();
  const Tensor grad_rows = grad_input.dim() == 1 ? grad_input.unsqueeze(0) : grad_input;
  const Tensor target_classes = classes(target);
  const Tensor w = contiguous_weight(weight);
  const int64_t rows = grad_rows.size(0);
  const int64_t n_classes = grad_rows.size(1);
  AT_DISPATCH_FLOATING_TYPES_AND2(
      kBFloat16, kHalf, self.scalar_type(), "nll_loss_backward_out_frame", [&] {
        auto* g = grad_rows.mutable_data_ptr<scalar_t>();
        const auto* t = target_classes.const_data_ptr<int64_t>();
        const auto* wd = weight_data<scalar_t>(w);
        const int64_t row_stride = grad_rows.stride(0);
        const int64_t class_stride = grad_rows.stride(1);
        const bool each = reduction == at::Reduction::None && self.dim() == 2;
        const Tensor grad = grad_output.contiguous();
        const auto* go = grad.const_data_ptr<scalar_t>();
        const double scale =
            reduction == at::Reduction::Mean ? 1.0 / total_weight.item().toDouble() : 1.0;
        for (int64_t i = 0; i < rows; ++i) {
          const int64_t c = t[i];
          if (c == ignore_index) continue;
          check_class(c, n_classes);
          const double class_weight = wd != nullptr ? static_cast<double>(wd[c]) : 1.0;
          g[i * row_stride + c * class_stride] =
              static_cast<scalar_t>(-class_weight * static_cast<double>(go[each ? i : 0]) * scale);
        }
      });
}

namespace {

// Images of shape (N, C, H, W), whose classes are of shape (N, H, W).
struct Images {
  Images(const Tensor& self, const Tensor& target, const std::optional<Tensor>& weights)
      : scores(self.flatten(2)), target(classes(target)), pixels(self.size(2) * self.size(3)) {
    TORCH_CHECK(target.dim() == 3 && self.dim() == 4 && self.size(0) == target.size(0) &&
                    self.size(2) == target.size(1) && self.size(3) == target.size(2),
                "size mismatch (got input: ", self.sizes(), " , target: ", target.sizes(), ")");
    if (weights.has_value() && weights->defined()) {
      TORCH_CHECK(weights->numel() == self.size(1),
                  "weight tensor should be defined either for all or no classes");
      weight = weights->contiguous();
    }
  }

  // Calls image(i) for each image, which begins with pixel i * pixels.
  template <typename Image>
  void for_each_image(const Image& image) const {
    const int64_t grain = std::max<int64_t>(1, kGrain / std::max<int64_t>(1, pixels));
    at::parallel_for(0, scores.size(0), grain, [&](int64_t first, int64_t last) {
      for (int64_t i = first; i < last; ++i) image(i);
    });
  }

  static constexpr int64_t kGrain = 8192;  // pixels that are worth a thread
  Tensor scores;
  Tensor target;
  Tensor weight;
  int64_t pixels;
};

}  // namespace

std::tuple<Tensor, Tensor> nll_loss2d_forward(const Tensor& self, const Tensor& target,
                                              const std::optional<Tensor>& weight,
                                              int64_t reduction, int64_t ignore_index) {
  const Images images(self, target, weight);
  const bool each = reduction == at::Reduction::None;
  Tensor output = at::empty(each ? target.sizes() : IntArrayRef(), self.options());
  Tensor total_weight = at::zeros({}, self.options());
  AT_DISPATCH_FLOATING_TYPES_AND2(kBFloat16, kHalf, self.scalar_type(), "nll_loss2d", [&] {
    const Tensor& scores = images.scores;
    const auto* x = scores.const_data_ptr<scalar_t>();
    const auto* t = images.target.const_data_ptr<int64_t>();
    const auto* w = weight_data<scalar_t>(images.weight);
    auto* out = output.mutable_data_ptr<scalar_t>();
    const int64_t pixels = images.pixels;
    const int64_t n_classes = scores.size(1);
    const int64_t class_stride = scores.stride(1);
    const int64_t pixel_stride = scores.stride(2);
    // Each image adds up by itself, whatever thread has it.
    std::vector<double> losses(static_cast<size_t>(scores.size(0)), 0);
    std::vector<double> weights(losses.size(), 0);
    images.for_each_image([&](int64_t i) {
      const scalar_t* image = x + i * scores.stride(0);
      const int64_t* target_classes = t + i * pixels;
      scalar_t* each_loss = out + (each ? i * pixels : 0);
      double loss_sum = 0;
      double weight_sum = 0;
      for (int64_t k = 0; k < pixels; ++k) {
        const int64_t c = target_classes[k];
        if (c == ignore_index) {
          if (each) each_loss[k] = scalar_t(0);
          continue;
        }
        check_class(c, n_classes);
        const double class_weight = w != nullptr ? static_cast<double>(w[c]) : 1.0;
        const double loss =
            -static_cast<double>(image[c * class_stride + k * pixel_stride]) * class_weight;
        if (each) each_loss[k] = static_cast<scalar_t>(loss);
        loss_sum += loss;
        weight_sum += class_weight;
      }
      losses[static_cast<size_t>(i)] = loss_sum;
      weights[static_cast<size_t>(i)] = weight_sum;
    });
    if (each) return;
    const double loss = std::accumulate(losses.begin(), losses.end(), 0.0);
    const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
    // The mean over nothing is NaN.
    output.fill_(reduction == at::Reduction::Mean ? loss / sum : loss);
    total_weight.fill_(sum);
  });
  return {output, total_weight};
}

Tensor nll_loss2d_backward(const Tensor& grad_output, const Tensor& self, const Tensor& target,
                           const std::optional<Tensor>& weight, int64_t reduction,
                           int64_t ignore_index, const Tensor& total_weight) {
  const Images images(self, target, weight);
  const bool each = reduction == at::Reduction::None;
  Tensor grad_input = at::zeros(self.sizes(), self.options());
  const Tensor grad = grad_output.contiguous();
  AT_DISPATCH_FLOATING_TYPES_AND2(kBFloat16, kHalf, self.scalar_type(), "nll_loss2d_backward", [&] {
    auto* gx = grad_input.mutable_data_ptr<scalar_t>();
    const auto* go = grad.const_data_ptr<scalar_t>();
    const auto* t = images.target.const_data_ptr<int64_t>();
    const auto* w = weight_data<scalar_t>(images.weight);
    const int64_t pixels = images.pixels;
    const int64_t n_classes = self.size(1);
    const double scale =
        reduction == at::Reduction::Mean ? 1.0 / total_weight.item().toDouble() : 1.0;
    const double one = each || grad.numel() == 0 ? 0.0 : -static_cast<double>(*go) * scale;
    images.for_each_image([&](int64_t i) {
      scalar_t* image = gx + i * n_classes * pixels;
      const int64_t* target_classes = t + i * pixels;
      const scalar_t* each_grad = go + (each ? i * pixels : 0);
      for (int64_t k = 0; k < pixels; ++k) {
        const int64_t c = target_classes[k];
        if (c == ignore_index) continue;
        check_class(c, n_classes);
        const double slope = each ? -static_cast<double>(each_grad[k]) : one;
        const double class_weight = w != nullptr ? static_cast<double>(w[c]) : 1.0;
        image[c * pixels + k] = static_cast<scalar_t>(class_weight * slope);
      }
    });
  });
  return grad_input;
}

Tensor nll_loss(const Tensor& self, const Tensor& target, const std::optional<Tensor>& weight,
                int64_t reduction, int64_t ignore_index) {
  return std::get<0>(at::nll_loss_forward(self, target, weight, reduction, ignore_index));
}

// Inputs of shape (N, C, d1, ...) are losses of N * d1 * ... rows.
Tensor nll_loss_nd(const Tensor& self, const Tensor& target, const std::optional<Tensor>& weight,
                   int64_t reduction, int64_t ignore_index) {
  TORCH_CHECK_VALUE(self.dim() >= 1, "Expected 1 or more dimensions (got ", self.dim(), ")");
  TORCH_CHECK_VALUE(self.dim() == 1 || self.size(0) == target.size(0),
                    "Expected input batch_size (", self.size(0), ") to match target batch_size (",
                    target.dim() > 0 ? target.size(0) : 0, ").");
  if (self.dim() <= 2) return at::nll_loss(self, target, weight, reduction, ignore_index);
  std::vector<int64_t> expected = self.sizes().vec();
  expected.erase(expected.begin() + 1);
  TORCH_CHECK(target.sizes() == IntArrayRef(expected), "Expected target size ",
              IntArrayRef(expected), ", got ", target.sizes());
  if (self.is_cpu() && c10::isFloatingType(self.scalar_type())) {
    const int64_t pixels = c10::multiply_integers(expected.begin() + 1, expected.end());
    const Tensor images = self.reshape({self.size(0), self.size(1), 1, pixels});
    const Tensor loss = std::get<0>(at::nll_loss2d_forward(
        images, target.reshape({self.size(0), 1, pixels}), weight, reduction, ignore_index));
    return reduction == at::Reduction::None ? loss.view(target.sizes()) : loss;
  }
  const Tensor rows = self.movedim(1, -1).reshape({-1, self.size(1)});
  const Tensor loss = at::nll_loss(rows, target.reshape({-1}), weight, reduction, ignore_index);
  return reduction == at::Reduction::None ? loss.view(target.sizes()) : loss;
}

namespace {

// Targets that are probabilities of classes.
Tensor cross_entropy_loss_prob_target(const Tensor& self, const Tensor& target,
                                      const Tensor& weight, int64_t reduction,
                                      double label_smoothing) {
  const int64_t class_dim = self.dim() == 1 ? 0 : 1;
  const int64_t n_classes = self.size(class_dim);
  Tensor log_prob = self.log_softmax(class_dim, self.scalar_type());
  const Tensor probabilities =
      label_smoothing > 0
          ? target.mul(1 - label_smoothing).add(label_smoothing / static_cast<double>(n_classes))
          : target;
  Tensor terms = log_prob.mul(probabilities);
  if (weight.defined()) {
    std::vector<int64_t> shape(static_cast<size_t>(self.dim()), 1);
    shape[static_cast<size_t>(class_dim)] = n_classes;
    terms = terms.mul(weight.view(shape));
  }
  if (reduction == at::Reduction::None) return terms.sum(class_dim).neg();
  if (reduction == at::Reduction::Sum) return terms.sum().neg();
  // In floating point: no classes make 0 / 0, which is NaN, as the mean of nothing is.
  const double count = static_cast<double>(self.numel()) / static_cast<double>(n_classes);
  return terms.sum().div(count).neg();
}

// (1 - smoothing) * nll + smoothing / n_classes * sum over all classes.
Tensor cross_entropy_loss_label_smoothing(const Tensor& self, const Tensor& target,
                                          const Tensor& weight, int64_t reduction,
                                          int64_t ignore_index, double label_smoothing) {
  const int64_t class_dim = self.dim() == 1 ? 0 : 1;
  const int64_t n_classes = self.size(class_dim);
  const Tensor log_prob = self.log_softmax(class_dim, self.scalar_type());
  const Tensor nll = at::nll_loss_nd(
      log_prob, target, weight.defined() ? std::optional<Tensor>(weight) : std::nullopt, reduction,
      ignore_index);
  Tensor smooth = log_prob.neg();
  if (weight.defined()) {
    std::vector<int64_t> shape(static_cast<size_t>(self.dim()), 1);
    shape[static_cast<size_t>(class_dim)] = n_classes;
    smooth = smooth.mul(weight.view(shape));
  }
  smooth = smooth.sum(class_dim);
  const Tensor ignored = target.eq(ignore_index);
  smooth = smooth.masked_fill(ignored, 0);
  if (reduction == at::Reduction::Sum) {
    smooth = smooth.sum();
  } else if (reduction == at::Reduction::Mean) {
    Tensor total = weight.defined()
                       ? weight.index_select(0, target.masked_fill(ignored, 0).reshape({-1}))
                             .masked_fill(ignored.reshape({-1}), 0)
                             .sum()
                       : ignored.logical_not().sum().to(self.scalar_type());
    smooth = smooth.sum().div(total);
  }
  return nll.mul(1 - label_smoothing).add(smooth.mul(label_smoothing / n_classes));
}

}  // namespace

Tensor cross_entropy_loss(const Tensor& self, const Tensor& target,
                          const std::optional<Tensor>& weight, int64_t reduction,
                          int64_t ignore_index, double label_smoothing) {
  const Tensor w = weight.value_or(Tensor());
  TORCH_CHECK(label_smoothing >= 0.0 && label_smoothing <= 1.0,
              "label_smoothing must be between 0.0 and 1.0. Got: ", label_smoothing);
  if (self.sizes() == target.sizes()) {
    TORCH_CHECK(at::isFloatingType(target.scalar_type()),
                "Expected floating point type for target with class probabilities, got ",
                target.scalar_type());
    TORCH_CHECK(ignore_index < 0, "ignore_index is not supported for floating point target");
    return cross_entropy_loss_prob_target(self, target, w, reduction, label_smoothing);
  }
  if (label_smoothing > 0.0) {
    return cross_entropy_loss_label_smoothing(self, target, w, reduction, ignore_index,
                                              label_smoothing);
  }
  const int64_t class_dim = self.dim() == 1 ? 0 : 1;
  return at::nll_loss_nd(self.log_softmax(class_dim, self.scalar_type()), target, weight, reduction,
                         ignore_index);
}

}  // namespace at::native
