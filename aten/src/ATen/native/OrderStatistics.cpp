// Median, k-th value, mode and quantiles.

#define TORCH_ASSERT_ONLY_METHOD_OPERATORS
#include <ATen/Dispatch.h>
#include <ATen/MemoryOverlap.h>
#include <ATen/Parallel.h>
#include <ATen/TensorIterator.h>
#include <ATen/TensorOperators.h>
#include <ATen/WrapDimUtils.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/OutVariant.h>
#include <ATen/native/ReduceOpsUtils.h>
#include <ATen/native/Resize.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/full_like.h>
#include <ATen/ops/ge.h>
#include <ATen/ops/kthvalue.h>
#include <ATen/ops/kthvalue_native.h>
#include <ATen/ops/median.h>
#include <ATen/ops/median_native.h>
#include <ATen/ops/mode_native.h>
#include <ATen/ops/nanmedian.h>
#include <ATen/ops/nanmedian_native.h>
#include <ATen/ops/nanquantile.h>
#include <ATen/ops/nanquantile_native.h>
#include <ATen/ops/quantile.h>
#include <ATen/ops/quantile_native.h>
#include <ATen/ops/scalar_tensor.h>
#include <c10/core/ScalarType.h>
#include <c10/util/Exception.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace at::native {
namespace {

template <typename T>
bool is_nan(T x) {
  return x != x;
}

// NaN counts as the largest number.
template <typename T>
bool less_nan(T a, T b) {
  return (!is_nan(a) && is_nan(b)) || a < b;
}

std::vector<int64_t> reduced_shape(const Tensor& self, int64_t dim, bool keepdim) {
  std::vector<int64_t> shape = self.sizes().vec();
  if (self.dim() == 0) return shape;
  if (keepdim) {
    shape[static_cast<size_t>(dim)] = 1;
  } else {
    shape.erase(shape.begin() + dim);
  }
  return shape;
}

// Calls `choose(line, n)`, which gives the place of an element, for every line along `dim`, and
// writes these elements and places.
template <typename scalar_t, typename Choose>
void choose_along(const Tensor& self, int64_t dim, Tensor& values, Tensor& indices,
                  Choose&& choose) {
  const Tensor lines = self.movedim(dim, -1).contiguous();
  const int64_t n = lines.size(-1);
  const int64_t rows = lines.numel() / std::max<int64_t>(n, 1);
  const auto* data = lines.const_data_ptr<scalar_t>();
  const Tensor v = at::empty({rows}, values.options());
  const Tensor i = at::empty({rows}, indices.options());
  auto* value = v.mutable_data_ptr<scalar_t>();
  auto* index = i.mutable_data_ptr<int64_t>();
  const int64_t grain = std::max<int64_t>(1, at::internal::GRAIN_SIZE / std::max<int64_t>(n, 1));
  at::parallel_for(0, rows, grain, [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) {
      const scalar_t* line = data + row * n;
      index[row] = choose(line, n);
      value[row] = line[index[row]];
    }
  });
  values.copy_(v.view(values.sizes()));
  indices.copy_(i.view(indices.sizes()));
}

// The place of the k-th smallest element (from 0).
template <typename scalar_t>
int64_t place_of_kth(const scalar_t* line, int64_t n, int64_t k) {
  std::vector<int64_t> order(static_cast<size_t>(n));
  std::iota(order.begin(), order.end(), int64_t{0});
  std::nth_element(order.begin(), order.begin() + k, order.end(), [line](int64_t a, int64_t b) {
    return less_nan(line[a], line[b]) || (!less_nan(line[b], line[a]) && a < b);
  });
  return order[static_cast<size_t>(k)];
}

// Checks what is written to and gives it its shape; false where no line is left to choose from.
bool resize_selection(const char* name, const Tensor& self, int64_t dim, bool keepdim,
                      Tensor& values, Tensor& indices) {
  TORCH_CHECK(values.scalar_type() == self.scalar_type(), name,
              "(): Expected out tensor to have "
              "dtype ",
              self.scalar_type(), ", but got ", values.scalar_type(), " instead");
  TORCH_CHECK(indices.scalar_type() == kLong, name,
              "(): Expected out tensor to have dtype Long, but got ", indices.scalar_type(),
              " instead");
  at::assert_no_overlap(values, self);
  zero_numel_check_dims(self, IntArrayRef(&dim, 1), (std::string(name) + "()").c_str());
  const std::vector<int64_t> shape = reduced_shape(self, dim, keepdim);
  resize_output(values, shape);
  resize_output(indices, shape);
  if (self.dim() > 0) return self.numel() > 0;
  values.copy_(self);
  indices.zero_();
  return false;
}

// ---- median

std::tuple<Tensor&, Tensor&> median_along(const Tensor& self, int64_t dim_in, bool keepdim,
                                          Tensor& values, Tensor& indices, bool ignore_nan) {
  const char* name = ignore_nan ? "nanmedian" : "median";
  const int64_t dim = at::maybe_wrap_dim(dim_in, self.dim());
  if (!resize_selection(name, self, dim, keepdim, values, indices)) return {values, indices};
  AT_DISPATCH_ALL_TYPES_AND2(kHalf, kBFloat16, self.scalar_type(), "median_out", [&] {
    choose_along<scalar_t>(self, dim, values, indices,
                           [ignore_nan](const scalar_t* line, int64_t n) {
                             int64_t nans = 0;
                             int64_t first_nan = -1;
                             for (int64_t i = n - 1; i >= 0; --i) {
                               if (is_nan(line[i])) {
                                 ++nans;
                                 first_nan = i;
                               }
                             }
                             if (nans > 0 && (!ignore_nan || nans == n)) return first_nan;
                             return place_of_kth(line, n, (n - nans - 1) / 2);
                           });
  });
  return {values, indices};
}

Tensor median_of_all(const Tensor& self, bool ignore_nan) {
  if (self.numel() == 0) {
    return at::empty({}, self.options()).fill_(std::numeric_limits<double>::quiet_NaN());
  }
  // The copy may be reordered.
  const Tensor data = self.clone(MemoryFormat::Contiguous);
  Tensor result = at::empty({}, self.options());
  AT_DISPATCH_ALL_TYPES_AND2(kHalf, kBFloat16, self.scalar_type(), "median_cpu", [&] {
    auto* first = data.mutable_data_ptr<scalar_t>();
    auto* last = first + data.numel();
    int64_t count = data.numel();
    if constexpr (!std::is_integral_v<scalar_t>) {
      auto* numbers_end = std::partition(first, last, [](scalar_t x) { return !is_nan(x); });
      if (numbers_end != last && (!ignore_nan || numbers_end == first)) {
        *result.mutable_data_ptr<scalar_t>() = std::numeric_limits<scalar_t>::quiet_NaN();
        return;
      }
      count = numbers_end - first;
    }
    auto* middle = first + (count - 1) / 2;
    std::nth_element(first, middle, first + count);
    *result.mutable_data_ptr<scalar_t>() = *middle;
  });
  return result;
}

std::tuple<Tensor, Tensor> empty_selection(const Tensor& self) {
  return {at::empty({0}, self.options()), at::empty({0}, self.options().dtype(kLong))};
}

}  // namespace

std::tuple<Tensor&, Tensor&> median_out_cpu(const Tensor& self, int64_t dim, bool keepdim,
                                            Tensor& values, Tensor& indices) {
  return median_along(self, dim, keepdim, values, indices, /*ignore_nan=*/false);
}

std::tuple<Tensor, Tensor> median(const Tensor& self, int64_t dim, bool keepdim) {
  auto [values, indices] = empty_selection(self);
  at::median_out(values, indices, self, dim, keepdim);
  return {values, indices};
}

std::tuple<Tensor&, Tensor&> nanmedian_out_cpu(const Tensor& self, int64_t dim, bool keepdim,
                                               Tensor& values, Tensor& indices) {
  return median_along(self, dim, keepdim, values, indices, /*ignore_nan=*/true);
}

std::tuple<Tensor, Tensor> nanmedian(const Tensor& self, int64_t dim, bool keepdim) {
  auto [values, indices] = empty_selection(self);
  at::nanmedian_out(values, indices, self, dim, keepdim);
  return {values, indices};
}

Tensor median_cpu(const Tensor& self) { return median_of_all(self, /*ignore_nan=*/false); }

Tensor nanmedian_cpu(const Tensor& self) { return median_of_all(self, /*ignore_nan=*/true); }

// ---- kthvalue

std::tuple<Tensor&, Tensor&> kthvalue_out_cpu(const Tensor& self, int64_t k, int64_t dim_in,
                                              bool keepdim, Tensor& values, Tensor& indices) {
  const int64_t dim = at::maybe_wrap_dim(dim_in, self.dim());
  const int64_t size = self.dim() > 0 ? self.size(dim) : 1;
  const bool any = resize_selection("kthvalue", self, dim, keepdim, values, indices);
  TORCH_CHECK(k >= 1 && k <= size, "kthvalue(): selected number k out of range for dimension ",
              dim);
  if (!any) return {values, indices};
  AT_DISPATCH_ALL_TYPES_AND2(kHalf, kBFloat16, self.scalar_type(), "kthvalue_cpu", [&] {
    choose_along<scalar_t>(self, dim, values, indices, [k](const scalar_t* line, int64_t n) {
      return place_of_kth(line, n, k - 1);
    });
  });
  return {values, indices};
}

std::tuple<Tensor, Tensor> kthvalue(const Tensor& self, int64_t k, int64_t dim, bool keepdim) {
  auto [values, indices] = empty_selection(self);
  at::kthvalue_out(values, indices, self, k, dim, keepdim);
  return {values, indices};
}

// ---- mode: the most frequent element, the smallest of these, at its last place

std::tuple<Tensor&, Tensor&> mode_out(const Tensor& self, int64_t dim_in, bool keepdim,
                                      Tensor& values, Tensor& indices) {
  const int64_t dim = at::maybe_wrap_dim(dim_in, self.dim());
  if (!resize_selection("mode", self, dim, keepdim, values, indices)) return {values, indices};
  AT_DISPATCH_ALL_TYPES_AND3(kBool, kHalf, kBFloat16, self.scalar_type(), "mode", [&] {
    choose_along<scalar_t>(self, dim, values, indices, [](const scalar_t* line, int64_t n) {
      std::vector<int64_t> order(static_cast<size_t>(n));
      std::iota(order.begin(), order.end(), int64_t{0});
      std::stable_sort(order.begin(), order.end(),
                       [line](int64_t a, int64_t b) { return less_nan(line[a], line[b]); });
      int64_t best = 0;
      int64_t longest = 0;
      for (int64_t begin = 0; begin < n;) {
        int64_t end = begin + 1;
        const scalar_t value = line[order[static_cast<size_t>(begin)]];
        while (end < n && line[order[static_cast<size_t>(end)]] == value) ++end;
        if (end - begin > longest) {
          longest = end - begin;
          best = order[static_cast<size_t>(end - 1)];
        }
        begin = end;
      }
      return best;
    });
  });
  return {values, indices};
}

std::tuple<Tensor, Tensor> mode(const Tensor& self, int64_t dim, bool keepdim) {
  auto [values, indices] = empty_selection(self);
  native::mode_out(self, dim, keepdim, values, indices);
  return {values, indices};
}

// ---- quantiles, made of operators so that they can be differentiated

namespace {

Tensor quantile_impl(const char* name, const Tensor& self, const Tensor& q,
                     std::optional<int64_t> opt_dim, bool keepdim,
                     const std::string_view interpolation, bool ignore_nan) {
  TORCH_CHECK(self.numel() > 0, name, "() input tensor must be non-empty");
  TORCH_CHECK(q.dim() <= 1, name, "() q must be a scalar or 1D tensor");
  TORCH_CHECK(self.scalar_type() == kFloat || self.scalar_type() == kDouble, name,
              "() input tensor must be either float or double dtype");
  TORCH_CHECK(self.scalar_type() == q.scalar_type(), name,
              "() q tensor must be same dtype as the input tensor");
  TORCH_CHECK(self.device() == q.device(), name,
              "() q tensor must be on the same device as the input tensor");
  TORCH_CHECK(interpolation == "linear" || interpolation == "lower" || interpolation == "higher" ||
                  interpolation == "midpoint" || interpolation == "nearest",
              name,
              "() interpolation must be one of linear, lower, higher, midpoint or nearest, "
              "but got ",
              interpolation);
  TORCH_CHECK(q.numel() == 0 || at::ge(q, 0).logical_and(q.le(1)).all().item().toBool(), name,
              "() q values must be in the range [0, 1]");
  const int64_t dim = at::maybe_wrap_dim(opt_dim.value_or(0), self.dim());
  // Lines become rows.
  const bool flat = !opt_dim.has_value() || self.dim() == 0;
  const Tensor lines = flat ? self.reshape({1, -1}) : self.movedim(dim, -1);
  const Tensor sorted = std::get<0>(lines.sort(-1, false));
  const int64_t n = sorted.size(-1);
  // q as the last dimension.
  const Tensor q_row = q.reshape({-1});
  std::vector<int64_t> rank_shape = sorted.sizes().vec();
  rank_shape.back() = q_row.numel();
  Tensor ranks;
  if (ignore_nan) {
    const Tensor count =
        sorted.isnan().logical_not().sum({-1}, /*keepdim=*/true).to(q.scalar_type());
    ranks = (count - 1).clamp_min(0) * q_row;
  } else {
    ranks = (q_row * static_cast<double>(n - 1)).expand(rank_shape);
    // A NaN anywhere is the result: its rank is the last, where NaN sorts to.
    const Tensor has_nan = sorted.isnan().any(-1, /*keepdim=*/true).expand(rank_shape);
    ranks = ranks.masked_fill(has_nan, static_cast<double>(n - 1));
  }
  if (interpolation == "lower") {
    ranks = ranks.floor();
  } else if (interpolation == "higher") {
    ranks = ranks.ceil();
  } else if (interpolation == "nearest") {
    ranks = ranks.round();
  }
  const Tensor below = ranks.floor().to(kLong);
  Tensor values = sorted.gather(-1, below);
  if (interpolation == "linear" || interpolation == "midpoint") {
    const Tensor weight =
        interpolation == "midpoint" ? at::full_like(ranks, 0.5) : ranks - ranks.floor();
    const Tensor above = ranks.ceil().to(kLong);
    values = values.lerp(sorted.gather(-1, above), weight);
  }
  // q comes first, and the reduced dimension goes, or stays with size 1.
  if (flat) {
    std::vector<int64_t> shape;
    if (q.dim() == 1) shape.push_back(q.numel());
    if (keepdim) shape.insert(shape.end(), static_cast<size_t>(self.dim()), 1);
    return values.reshape(shape);
  }
  values = values.movedim(-1, 0);
  if (keepdim) values = values.unsqueeze(dim + 1);
  return q.dim() == 0 ? values.squeeze(0) : values;
}

Tensor one_quantile(const Tensor& self, double q) {
  TORCH_CHECK(q >= 0 && q <= 1, "quantile() q must be in the range [0, 1] but got ", q);
  return at::scalar_tensor(q, self.options());
}

}  // namespace

Tensor quantile(const Tensor& self, const Tensor& q, std::optional<int64_t> dim, bool keepdim,
                const std::string_view interpolation) {
  return quantile_impl("quantile", self, q, dim, keepdim, interpolation, false);
}

Tensor quantile(const Tensor& self, double q, std::optional<int64_t> dim, bool keepdim,
                const std::string_view interpolation) {
  return at::quantile(self, one_quantile(self, q), dim, keepdim, interpolation);
}

Tensor& quantile_out(const Tensor& self, const Tensor& q, std::optional<int64_t> dim, bool keepdim,
                     const std::string_view interpolation, Tensor& out) {
  return write_out(out, at::quantile(self, q, dim, keepdim, interpolation));
}

Tensor& quantile_out(const Tensor& self, double q, std::optional<int64_t> dim, bool keepdim,
                     const std::string_view interpolation, Tensor& out) {
  return write_out(out, at::quantile(self, q, dim, keepdim, interpolation));
}

Tensor nanquantile(const Tensor& self, const Tensor& q, std::optional<int64_t> dim, bool keepdim,
                   const std::string_view interpolation) {
  return quantile_impl("nanquantile", self, q, dim, keepdim, interpolation, true);
}

Tensor nanquantile(const Tensor& self, double q, std::optional<int64_t> dim, bool keepdim,
                   const std::string_view interpolation) {
  return at::nanquantile(self, one_quantile(self, q), dim, keepdim, interpolation);
}

Tensor& nanquantile_out(const Tensor& self, const Tensor& q, std::optional<int64_t> dim,
                        bool keepdim, const std::string_view interpolation, Tensor& out) {
  return write_out(out, at::nanquantile(self, q, dim, keepdim, interpolation));
}

Tensor& nanquantile_out(const Tensor& self, double q, std::optional<int64_t> dim, bool keepdim,
                        const std::string_view interpolation, Tensor& out) {
  return write_out(out, at::nanquantile(self, q, dim, keepdim, interpolation));
}

}  // namespace at::native
