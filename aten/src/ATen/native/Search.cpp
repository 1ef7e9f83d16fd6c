// Places of values in sorted sequences, membership, and counts in bins.

#define TORCH_ASSERT_ONLY_METHOD_OPERATORS
#include <ATen/Dispatch.h>
#include <ATen/Parallel.h>
#include <ATen/ScalarOps.h>
#include <ATen/TensorMeta.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/OutVariant.h>
#include <ATen/native/Resize.h>
#include <ATen/native/TypeProperties.h>
#include <ATen/ops/bincount_native.h>
#include <ATen/ops/bucketize_native.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/histc_native.h>
#include <ATen/ops/isin_native.h>
#include <ATen/ops/result_type_native.h>
#include <ATen/ops/scalar_tensor.h>
#include <ATen/ops/searchsorted_native.h>
#include <ATen/ops/zeros.h>
#include <c10/core/Scalar.h>
#include <c10/core/ScalarType.h>
#include <c10/util/Exception.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string_view>
#include <vector>

namespace at::meta {
namespace {

void check_for_isin(const ScalarType a, const ScalarType b) {
  for (const ScalarType type : {a, b}) {
    TORCH_CHECK(type != kBool && !c10::isComplexType(type),
                "Unsupported input type encountered for isin(): ", type);
  }
}

}  // namespace

TORCH_META_FUNC2(isin, Tensor_Tensor)
(const Tensor& elements, const Tensor& test_elements, bool assume_unique, bool invert) {
  check_for_isin(elements.scalar_type(), test_elements.scalar_type());
  set_output_raw_strided(0, elements.sizes(), {}, elements.options().dtype(kBool));
}

TORCH_META_FUNC2(isin, Tensor_Scalar)
(const Tensor& elements, const Scalar& test_element, bool assume_unique, bool invert) {
  check_for_isin(elements.scalar_type(), test_element.type());
  set_output_raw_strided(0, elements.sizes(), {}, elements.options().dtype(kBool));
}

TORCH_META_FUNC2(isin, Scalar_Tensor)
(const Scalar& element, const Tensor& test_elements, bool assume_unique, bool invert) {
  check_for_isin(element.type(), test_elements.scalar_type());
  set_output_raw_strided(0, {}, {}, test_elements.options().dtype(kBool));
}

}  // namespace at::meta

namespace at::native {

// ---- isin

namespace {

// By binary search in the sorted test elements.
void isin_into(const Tensor& elements, const Tensor& test_elements, bool invert,
               const Tensor& out) {
  const ScalarType type = native::result_type(elements, test_elements);
  const Tensor sorted = std::get<0>(test_elements.to(type).reshape({-1}).sort());
  const Tensor input = elements.to(type).contiguous();
  const Tensor found = at::empty(elements.sizes(), out.options());
  AT_DISPATCH_ALL_TYPES_AND2(kHalf, kBFloat16, type, "isin", [&] {
    const auto* first = sorted.const_data_ptr<scalar_t>();
    const auto* last = first + sorted.numel();
    const auto* in = input.const_data_ptr<scalar_t>();
    auto* result = found.mutable_data_ptr<bool>();
    at::parallel_for(0, input.numel(), 1024, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        const auto* place = std::lower_bound(first, last, in[i]);
        result[i] = (place != last && *place == in[i]) != invert;
      }
    });
  });
  out.copy_(found);
}

}  // namespace

TORCH_IMPL_FUNC(isin_Tensor_Tensor_out)
(const Tensor& elements, const Tensor& test_elements, bool assume_unique, bool invert,
 const Tensor& out) {
  isin_into(elements, test_elements, invert, out);
}

TORCH_IMPL_FUNC(isin_Tensor_Scalar_out)
(const Tensor& elements, const Scalar& test_elements, bool assume_unique, bool invert,
 const Tensor& out) {
  out.copy_(invert ? elements.ne(test_elements) : elements.eq(test_elements));
}

TORCH_IMPL_FUNC(isin_Scalar_Tensor_out)
(const Scalar& elements, const Tensor& test_elements, bool assume_unique, bool invert,
 const Tensor& out) {
  isin_into(wrapped_scalar_tensor(elements, test_elements.device()), test_elements, invert, out);
}

// ---- searchsorted and bucketize

namespace {

void check_searchsorted(const Tensor& boundaries, const Tensor& input, bool out_int32, bool right,
                        const std::optional<std::string_view>& side, const Tensor* sorter,
                        const Tensor* output) {
  if (side.has_value()) {
    TORCH_CHECK(*side == "left" || *side == "right",
                "torch.searchsorted(): side can only be 'left' or 'right' but got ", *side);
    TORCH_CHECK(*side == "right" || !right,
                "torch.searchsorted(): side and right can't be set to opposites, got side of ",
                *side, " while right was True");
  }
  TORCH_CHECK(
      boundaries.device() == input.device(),
      "torch.searchsorted(): boundaries and input value tensors should have same device type, but got boundaries tensor device type ",
      boundaries.device(), " and input value tensor device type ", input.device());
  TORCH_CHECK(
      boundaries.dim() != 0,
      "torch.searchsorted(): input value can be a scalar only when boundaries tensor dimension is 1, but we got boundaries tensor dim(",
      boundaries.dim(), ") and input value's dim(", input.dim(), ") numel(", input.numel(), ")");
  TORCH_CHECK(
      boundaries.dim() == 1 || input.dim() != 0,
      "torch.searchsorted(): input value can be a scalar only when boundaries tensor dimension is 1, but we got boundaries tensor dim(",
      boundaries.dim(), ") and input value's dim(", input.dim(), ") numel(", input.numel(), ")");
  bool leading_match = boundaries.dim() == 1;
  if (!leading_match && boundaries.dim() == input.dim()) {
    leading_match = true;
    for (int64_t d = 0; d + 1 < input.dim(); ++d) {
      leading_match = leading_match && boundaries.size(d) == input.size(d);
    }
  }
  TORCH_CHECK(
      leading_match,
      "torch.searchsorted(): boundaries tensor should be 1 dimension or the first N-1 dimensions of boundaries tensor and input value tensor must match, but we got boundaries tensor ",
      boundaries.sizes(), " and input value tensor ", input.sizes());
  if (sorter != nullptr) {
    TORCH_CHECK(
        sorter->sizes() == boundaries.sizes(),
        "torch.searchsorted(): boundary and sorter must have the same size, but got boundary tensor ",
        boundaries.sizes(), "and got sorter tensor ", sorter->sizes());
    TORCH_CHECK(sorter->scalar_type() == kLong,
                "torch.searchsorted(): sorter must be a tensor of long dtype but got dtype ",
                sorter->scalar_type());
    if (sorter->numel() > 0) {
      TORCH_CHECK(
          sorter->min().item().toLong() >= 0 && sorter->max().item().toLong() < sorter->size(-1),
          "torch.searchsorted(): sorter index out of range");
    }
  }
  TORCH_CHECK(
      output == nullptr || output->scalar_type() == (out_int32 ? kInt : kLong),
      "torch.searchsorted(): output tensor's dtype is wrong, it can only be Int(int32) or Long(int64) depending on whether out_int32 flag is True, but we got output tensor's dtype ",
      output == nullptr ? kLong : output->scalar_type(), " and out_int32 flag is ",
      (out_int32 ? "True" : "False"));
}

Tensor search(const Tensor& sorted_sequence, const Tensor& self, bool out_int32, bool right,
              const Tensor* sorter) {
  // A row of boundaries for every row of values, or one for all of them.
  const ScalarType type = native::result_type(sorted_sequence, self);
  Tensor boundaries = sorted_sequence.to(type).contiguous();
  const Tensor values = self.to(type).contiguous();
  // A few values are looked up through the sorter; for more of them the boundaries are sorted.
  constexpr int64_t kLookUps = 32;
  Tensor order;
  if (sorter != nullptr && values.numel() < boundaries.numel() / kLookUps) {
    order = sorter->contiguous();
  } else if (sorter != nullptr) {
    boundaries = boundaries.gather(-1, *sorter).contiguous();
  }
  Tensor places = at::empty(self.sizes(), self.options().dtype(kLong));
  const int64_t width = boundaries.size(-1);
  const bool shared = boundaries.dim() == 1;
  const int64_t row_length = self.dim() == 0 ? 1 : self.size(-1);
  AT_DISPATCH_ALL_TYPES_AND2(kHalf, kBFloat16, type, "searchsorted_out_cpu", [&] {
    const auto* bounds = boundaries.const_data_ptr<scalar_t>();
    const auto* in = values.const_data_ptr<scalar_t>();
    auto* out = places.mutable_data_ptr<int64_t>();
    const int64_t* places_in_order = order.defined() ? order.const_data_ptr<int64_t>() : nullptr;
    // NaN sorts behind every number.
    const auto less = [](scalar_t a, scalar_t b) { return a < b || (b != b && a == a); };
    at::parallel_for(0, values.numel(), 200, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        const int64_t row = shared ? 0 : i / row_length * width;
        const auto* first = bounds + row;
        const auto* last = first + width;
        if (places_in_order != nullptr) {
          const int64_t* from = places_in_order + row;
          const auto below = [&](int64_t place) {
            return right ? !less(in[i], first[place]) : less(first[place], in[i]);
          };
          out[i] = std::partition_point(from, from + width, below) - from;
          continue;
        }
        out[i] = (right ? std::upper_bound(first, last, in[i], less)
                        : std::lower_bound(first, last, in[i], less)) -
                 first;
      }
    });
  });
  return out_int32 ? places.to(kInt) : places;
}

const Tensor* pointer(const std::optional<Tensor>& t) {
  return t.has_value() && t->defined() ? &*t : nullptr;
}

}  // namespace

Tensor searchsorted_cpu(const Tensor& sorted_sequence, const Tensor& self, bool out_int32,
                        bool right, const std::optional<std::string_view> side,
                        const std::optional<Tensor>& sorter) {
  check_searchsorted(sorted_sequence, self, out_int32, right, side, pointer(sorter), nullptr);
  return search(sorted_sequence, self, out_int32, right || (side.has_value() && *side == "right"),
                pointer(sorter));
}

Tensor& searchsorted_out_cpu(const Tensor& sorted_sequence, const Tensor& self, bool out_int32,
                             bool right, const std::optional<std::string_view> side,
                             const std::optional<Tensor>& sorter, Tensor& result) {
  check_searchsorted(sorted_sequence, self, out_int32, right, side, pointer(sorter), &result);
  return write_to_out(search(sorted_sequence, self, out_int32,
                             right || (side.has_value() && *side == "right"), pointer(sorter)),
                      result);
}

namespace {

// Where numbers are searched: between integers there is a place for every number.
Tensor wide(const Tensor& boundaries, const Scalar& number) {
  const ScalarType type = boundaries.scalar_type();
  if (number.isComplex()) return boundaries.to(c10::toComplexType(type));
  if (!c10::isIntegralType(type, /*includeBool=*/true)) return boundaries;
  return boundaries.to(number.isFloatingPoint() ? kDouble : kLong);
}

}  // namespace

Tensor searchsorted_cpu(const Tensor& sorted_sequence, const Scalar& self, bool out_int32,
                        bool right, const std::optional<std::string_view> side,
                        const std::optional<Tensor>& sorter) {
  const Tensor boundaries = wide(sorted_sequence, self);
  const Tensor value = at::scalar_tensor(self, boundaries.options());
  return native::searchsorted_cpu(boundaries, value, out_int32, right, side, sorter);
}

Tensor& searchsorted_out_cpu(const Tensor& sorted_sequence, const Scalar& self, bool out_int32,
                             bool right, const std::optional<std::string_view> side,
                             const std::optional<Tensor>& sorter, Tensor& result) {
  const Tensor boundaries = wide(sorted_sequence, self);
  const Tensor value = at::scalar_tensor(self, boundaries.options());
  return native::searchsorted_out_cpu(boundaries, value, out_int32, right, side, sorter, result);
}

Tensor bucketize_cpu(const Tensor& self, const Tensor& boundaries, bool out_int32, bool right) {
  TORCH_CHECK(boundaries.dim() == 1, "boundaries tensor must be 1 dimension, but got dim(",
              boundaries.dim(), ")");
  return native::searchsorted_cpu(boundaries, self, out_int32, right, std::nullopt, std::nullopt);
}

Tensor& bucketize_out_cpu(const Tensor& self, const Tensor& boundaries, bool out_int32, bool right,
                          Tensor& result) {
  TORCH_CHECK(boundaries.dim() == 1, "boundaries tensor must be 1 dimension, but got dim(",
              boundaries.dim(), ")");
  return native::searchsorted_out_cpu(boundaries, self, out_int32, right, std::nullopt,
                                      std::nullopt, result);
}

Tensor bucketize_cpu(const Scalar& self, const Tensor& boundaries, bool out_int32, bool right) {
  const Tensor wider = wide(boundaries, self);
  return native::bucketize_cpu(at::scalar_tensor(self, wider.options()), wider, out_int32, right);
}

// ---- bincount

Tensor _bincount_cpu(const Tensor& self, const std::optional<Tensor>& weights_opt,
                     int64_t minlength) {
  TORCH_CHECK(minlength >= 0, "minlength should be >= 0");
  const Tensor* weights = pointer(weights_opt);
  TORCH_CHECK_NOT_IMPLEMENTED(c10::isIntegralType(self.scalar_type(), /*includeBool=*/false),
                              "\"bincount_cpu\" not implemented for '", self.scalar_type(), "'");
  TORCH_CHECK(self.dim() == 1, "bincount only supports 1-d non-negative integral inputs.");
  TORCH_CHECK(weights == nullptr || (weights->dim() == 1 && weights->numel() == self.numel()),
              "weights should be 1-d and have the same length as input");
  if (self.numel() == 0) {
    return at::zeros({minlength}, self.options().dtype(kLong));
  }
  TORCH_CHECK(self.min().item().toLong() >= 0,
              "bincount only supports 1-d non-negative integral inputs.");
  const int64_t bins = std::max(self.max().item().toLong() + 1, minlength);
  const Tensor places = self.to(kLong).contiguous();
  const auto* place = places.const_data_ptr<int64_t>();
  if (weights == nullptr) {
    Tensor counts = at::zeros({bins}, places.options());
    auto* count = counts.mutable_data_ptr<int64_t>();
    for (int64_t i = 0; i < places.numel(); ++i) ++count[place[i]];
    return counts;
  }
  // Single precision stays; everything else is summed in double.
  const Tensor values =
      weights->to(weights->scalar_type() == kFloat ? kFloat : kDouble).contiguous();
  Tensor sums = at::zeros({bins}, values.options());
  AT_DISPATCH_FLOATING_TYPES(values.scalar_type(), "bincount_cpu", [&] {
    const auto* value = values.const_data_ptr<scalar_t>();
    auto* sum = sums.mutable_data_ptr<scalar_t>();
    for (int64_t i = 0; i < places.numel(); ++i) sum[place[i]] += value[i];
  });
  return sums;
}

// ---- histc

Tensor histogram_histc(const Tensor& self, int64_t bins, const Scalar& min, const Scalar& max) {
  TORCH_CHECK(bins > 0, "bins must be > 0, but got ", bins);
  TORCH_CHECK_NOT_IMPLEMENTED(c10::isFloatingType(self.scalar_type()),
                              "\"histogram_cpu\" not implemented for '", self.scalar_type(), "'");
  if (self.scalar_type() == kHalf || self.scalar_type() == kBFloat16) {
    // Bins and counts beyond 2048 need more digits.
    return native::histogram_histc(self.to(kFloat), bins, min, max).to(self.scalar_type());
  }
  double low = min.to<double>();
  double high = max.to<double>();
  if (low == high && self.numel() > 0) {
    low = self.min().item().toDouble();
    high = self.max().item().toDouble();
  }
  if (low == high) {
    low -= 1;
    high += 1;
  }
  TORCH_CHECK(std::isfinite(low) && std::isfinite(high), "range of [", low, ", ", high,
              "] is not finite");
  TORCH_CHECK(low < high, "max must be larger than min");
  Tensor counts = at::zeros({bins}, self.options());
  const Tensor input = self.contiguous();
  AT_DISPATCH_FLOATING_TYPES(self.scalar_type(), "histogram_cpu", [&] {
    const auto* in = input.const_data_ptr<scalar_t>();
    auto* count = counts.mutable_data_ptr<scalar_t>();
    const auto first = static_cast<scalar_t>(low);
    const auto last = static_cast<scalar_t>(high);
    for (int64_t i = 0; i < input.numel(); ++i) {
      if (!(in[i] >= first && in[i] <= last)) continue;
      const auto bin =
          static_cast<int64_t>((in[i] - first) / (last - first) * static_cast<scalar_t>(bins));
      count[std::min(bin, bins - 1)] += 1;
    }
  });
  return counts;
}

Tensor& histogram_histc_out(const Tensor& self, int64_t bins, const Scalar& min, const Scalar& max,
                            Tensor& out) {
  return write_out(out, native::histogram_histc(self, bins, min, max));
}

}  // namespace at::native
