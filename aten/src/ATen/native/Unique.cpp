// Distinct elements, and distinct slices along a dimension.

#define TORCH_ASSERT_ONLY_METHOD_OPERATORS
#include <ATen/WrapDimUtils.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/DispatchUnsigned.h>
#include <ATen/ops/_unique2_native.h>
#include <ATen/ops/_unique_native.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/unique_consecutive_native.h>
#include <ATen/ops/unique_dim_consecutive_native.h>
#include <ATen/ops/unique_dim_native.h>
#include <c10/core/ScalarType.h>
#include <c10/util/Exception.h>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <optional>
#include <tuple>
#include <vector>

namespace at::native {
namespace {

using UniqueResult = std::tuple<Tensor, Tensor, Tensor>;

// The rows of `rows` (a matrix), in the order `order`: where a row differs from the one before, a
// group starts. Gives the first place of each group, and for every row its group.
struct Groups {
  std::vector<int64_t> first;
  Tensor inverse;
  Tensor counts;
};

template <typename Same>
Groups group(const std::vector<int64_t>& order, const Tensor& like, Same same) {
  Groups result;
  const auto n = static_cast<int64_t>(order.size());
  result.inverse = at::empty({n}, like.options().dtype(kLong));
  auto* inverse = result.inverse.mutable_data_ptr<int64_t>();
  for (int64_t i = 0; i < n; ++i) {
    const auto place = static_cast<size_t>(i);
    if (i == 0 || !same(order[place - 1], order[place])) result.first.push_back(i);
    inverse[order[place]] = static_cast<int64_t>(result.first.size()) - 1;
  }
  const auto groups = static_cast<int64_t>(result.first.size());
  result.counts = at::empty({groups}, like.options().dtype(kLong));
  auto* count = result.counts.mutable_data_ptr<int64_t>();
  for (int64_t g = 0; g < groups; ++g) {
    const auto place = static_cast<size_t>(g);
    count[g] = (g + 1 < groups ? result.first[place + 1] : n) - result.first[place];
  }
  return result;
}

Tensor empty_indices(const Tensor& like, IntArrayRef sizes) {
  return at::empty(sizes, like.options().dtype(kLong));
}

// `consecutive` groups neighbours alone; else everything is sorted first.
UniqueResult unique_flat(const Tensor& self, bool consecutive, bool return_inverse,
                         bool return_counts) {
  const Tensor flat = self.reshape({-1}).contiguous();
  const int64_t n = flat.numel();
  Tensor sorted = flat;
  Tensor places;
  if (!consecutive && n > 0) {
    if (return_inverse) {
      std::tie(sorted, places) = flat.sort(/*stable=*/true, 0, false);
    } else {
      sorted = std::get<0>(flat.sort());
    }
  }
  Tensor values = at::empty({n}, self.options());
  Tensor inverse = return_inverse ? empty_indices(self, {n}) : empty_indices(self, {0});
  std::vector<int64_t> starts;
  AT_DISPATCH_ORDERED_TYPES(self.scalar_type(), "unique", [&] {
    const auto* in = sorted.const_data_ptr<scalar_t>();
    auto* out = values.mutable_data_ptr<scalar_t>();
    const int64_t* place = places.defined() ? places.const_data_ptr<int64_t>() : nullptr;
    int64_t* to = return_inverse ? inverse.mutable_data_ptr<int64_t>() : nullptr;
    int64_t groups = 0;
    for (int64_t i = 0; i < n; ++i) {
      // NaN differs from itself, so that each is a group of its own.
      if (i == 0 || !(in[i] == in[i - 1])) {
        out[groups++] = in[i];
        if (return_counts) starts.push_back(i);
      }
      if (to != nullptr) to[place != nullptr ? place[i] : i] = groups - 1;
    }
    values.resize_({groups});
  });
  Tensor counts = empty_indices(self, {static_cast<int64_t>(starts.size())});
  auto* count = counts.mutable_data_ptr<int64_t>();
  for (size_t g = 0; g < starts.size(); ++g) {
    count[g] = (g + 1 < starts.size() ? starts[g + 1] : n) - starts[g];
  }
  return {values, return_inverse ? inverse.view(self.sizes()) : inverse, counts};
}

// Slices along `dim`, compared element after element.
UniqueResult unique_slices(const Tensor& self, int64_t dim_in, bool consecutive) {
  const int64_t dim = at::maybe_wrap_dim(dim_in, self.dim());
  bool some_zero = false;
  for (int64_t d = 0; d < self.dim(); ++d) some_zero = some_zero || (d != dim && self.size(d) == 0);
  if (self.dim() > 0 && self.size(dim) == 0) {
    TORCH_CHECK(!some_zero || self.size(dim) == 0,
                "Number of zero sized dimensions is more than one, so unique cannot be applied ");
    return {at::empty(self.sizes(), self.options()), empty_indices(self, {0}),
            empty_indices(self, {0})};
  }
  TORCH_CHECK(
      !some_zero,
      "There are 0 sized dimensions, and they aren't selected, so unique cannot be applied");
  const Tensor rows = self.movedim(dim, 0).contiguous();
  const int64_t n = rows.size(0);
  const int64_t width = rows.numel() / n;
  std::vector<int64_t> order(static_cast<size_t>(n));
  std::iota(order.begin(), order.end(), int64_t{0});
  Groups groups;
  AT_DISPATCH_ORDERED_TYPES(self.scalar_type(), "unique_dim", [&] {
    const auto* data = rows.const_data_ptr<scalar_t>();
    // NaN goes last, as where elements are sorted alone: without a place it would part equal rows.
    const auto less = [](scalar_t x, scalar_t y) { return x < y || (y != y && x == x); };
    if (!consecutive) {
      std::stable_sort(order.begin(), order.end(), [&](int64_t a, int64_t b) {
        return std::lexicographical_compare(data + a * width, data + (a + 1) * width,
                                            data + b * width, data + (b + 1) * width, less);
      });
    }
    groups = group(order, self, [&](int64_t a, int64_t b) {
      return std::equal(data + a * width, data + (a + 1) * width, data + b * width);
    });
  });
  std::vector<int64_t> chosen;
  for (const int64_t first : groups.first) chosen.push_back(order[static_cast<size_t>(first)]);
  const Tensor index = empty_indices(self, {static_cast<int64_t>(chosen.size())});
  std::copy(chosen.begin(), chosen.end(), index.mutable_data_ptr<int64_t>());
  const Tensor values = rows.index_select(0, index);
  return {values.movedim(0, dim), groups.inverse, groups.counts};
}

}  // namespace

std::tuple<Tensor, Tensor, Tensor> _unique2_cpu(const Tensor& self, bool sorted,
                                                bool return_inverse, bool return_counts) {
  return unique_flat(self, /*consecutive=*/false, return_inverse, return_counts);
}

std::tuple<Tensor, Tensor> _unique_cpu(const Tensor& self, bool sorted, bool return_inverse) {
  const auto [values, inverse, counts] =
      unique_flat(self, /*consecutive=*/false, return_inverse, /*return_counts=*/false);
  return {values, inverse};
}

std::tuple<Tensor, Tensor, Tensor> unique_dim_cpu(const Tensor& self, int64_t dim, bool sorted,
                                                  bool return_inverse, bool return_counts) {
  return unique_slices(self, dim, /*consecutive=*/false);
}

std::tuple<Tensor, Tensor, Tensor> unique_dim_consecutive_cpu(const Tensor& self, int64_t dim,
                                                              bool return_inverse,
                                                              bool return_counts) {
  return unique_slices(self, dim, /*consecutive=*/true);
}

std::tuple<Tensor, Tensor, Tensor> unique_consecutive_cpu(const Tensor& self, bool return_inverse,
                                                          bool return_counts,
                                                          std::optional<int64_t> dim) {
  if (dim.has_value() && !(self.dim() == 1 && *dim == 0)) {
    return unique_slices(self, *dim, /*consecutive=*/true);
  }
  return unique_flat(self, /*consecutive=*/true, return_inverse, return_counts);
}

}  // namespace at::native
