// How many numbers fall between edges.

#define TORCH_ASSERT_ONLY_METHOD_OPERATORS
#include <ATen/Dispatch.h>
#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/histogram_native.h>
#include <ATen/ops/linspace.h>
#include <ATen/ops/zeros.h>
#include <c10/util/ArrayRef.h>
#include <c10/util/Exception.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <tuple>

namespace at::native {

namespace {

void check_input(const Tensor& self, const std::optional<Tensor>& weight) {
  TORCH_CHECK(
      !weight || !weight->defined() || weight->sizes() == self.sizes(),
      "torch.histogramdd: if weight tensor is provided it should have the same shape as the input tensor excluding its innermost dimension, but got input with shape ",
      self.sizes(), " and weight with shape ",
      weight && weight->defined() ? weight->sizes() : IntArrayRef());
  TORCH_CHECK(
      !weight || !weight->defined() || weight->scalar_type() == self.scalar_type(),
      "torch.histogramdd: if weight tensor is provided, input tensor and weight tensor should have the same dtype, but got input(dtype=",
      self.scalar_type(), "), and weight(dtype=",
      weight && weight->defined() ? weight->scalar_type() : self.scalar_type(), ")");
}

// `edges` ascend; a number equal to the last edge belongs to the last interval.
Tensor count(const Tensor& self, const Tensor& edges, const std::optional<Tensor>& weight,
             bool density) {
  const int64_t bins = edges.numel() - 1;
  Tensor hist = at::zeros({bins}, self.options());
  const Tensor values = self.contiguous();
  const Tensor bounds = edges.contiguous();
  const Tensor weights = weight && weight->defined() ? weight->contiguous() : Tensor();
  AT_DISPATCH_FLOATING_TYPES(self.scalar_type(), "histogramdd", [&] {
    const scalar_t* value = values.const_data_ptr<scalar_t>();
    const scalar_t* edge = bounds.const_data_ptr<scalar_t>();
    const scalar_t* by = weights.defined() ? weights.const_data_ptr<scalar_t>() : nullptr;
    scalar_t* sums = hist.mutable_data_ptr<scalar_t>();
    for (int64_t i = 0; i < values.numel(); ++i) {
      const scalar_t x = value[i];
      if (!(x >= edge[0] && x <= edge[bins])) continue;  // nan is nowhere
      const int64_t at = std::upper_bound(edge, edge + bins + 1, x) - edge - 1;
      sums[std::min(at, bins - 1)] += by ? by[i] : scalar_t(1);
    }
  });
  if (!density) return hist;
  return hist / hist.sum() / (edges.slice(0, 1) - edges.slice(0, 0, bins));
}

}  // namespace

std::tuple<Tensor, Tensor> histogram(const Tensor& self, const Tensor& bins,
                                     const std::optional<Tensor>& weight, bool density) {
  check_input(self, weight);
  TORCH_CHECK(bins.dim() == 1, "torch.histogramdd: bins tensor should have one dimension, but got ",
              bins.dim(), " dimensions in the bins tensor for dimension 0");
  TORCH_CHECK(
      bins.scalar_type() == self.scalar_type(),
      "torch.histogramdd: input tensor and bins tensors should have the same dtype, but got input with dtype ",
      self.dtype(), " and bins for dimension 0 with dtype ", bins.dtype());
  TORCH_CHECK(bins.numel() >= 1,
              "torch.histogramdd: bins tensor should have at least 1 element, but got ",
              bins.numel());
  TORCH_CHECK(bins.numel() > 1, "torch.histogram(): bins must be > 0, but got 0 for dimension 0");
  return {count(self, bins, weight, density), bins.clone()};
}

std::tuple<Tensor, Tensor> histogram(const Tensor& self, int64_t bins,
                                     std::optional<ArrayRef<double>> range,
                                     const std::optional<Tensor>& weight, bool density) {
  check_input(self, weight);
  TORCH_CHECK(bins > 0, "torch.histogram(): bins must be > 0, but got ", bins, " for dimension 0");
  double low = 0;
  double high = 0;
  if (range) {
    TORCH_CHECK(
        range->size() == 2,
        "torch.histogramdd: for a 1-dimensional histogram range should have 2 elements, but got ",
        range->size());
    low = (*range)[0];
    high = (*range)[1];
  } else if (self.numel() > 0) {
    low = self.min().item().toDouble();
    high = self.max().item().toDouble();
  } else {
    high = 1;
  }
  TORCH_CHECK(std::isfinite(low) && std::isfinite(high), "torch.histogramdd: dimension 0's range [",
              low, ", ", high, "] is not finite");
  TORCH_CHECK(low <= high, "torch.histogramdd: min should not exceed max, but got min ", low,
              " max ", high, " for dimension 0");
  if (low == high) {
    low -= 0.5;
    high += 0.5;
  }
  const Tensor edges = at::linspace(low, high, bins + 1, self.options());
  return {count(self, edges, weight, density), edges};
}

}  // namespace at::native
