// Elements taken, put, filled, copied and reduced by index.

#define TORCH_ASSERT_ONLY_METHOD_OPERATORS
#include <ATen/Context.h>
#include <ATen/Dispatch.h>
#include <ATen/ExpandUtils.h>
#include <ATen/MemoryOverlap.h>
#include <ATen/OpMathType.h>
#include <ATen/TensorMeta.h>
#include <ATen/WrapDimUtils.h>
#include <ATen/core/List.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/OutVariant.h>
#include <ATen/native/Resize.h>
#include <ATen/native/TensorAdvancedIndexing.h>
#include <ATen/ops/_unique2.h>
#include <ATen/ops/_unsafe_view.h>
#include <ATen/ops/argwhere_native.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/index_copy_native.h>
#include <ATen/ops/index_fill_native.h>
#include <ATen/ops/index_reduce_native.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/put_native.h>
#include <ATen/ops/scalar_tensor.h>
#include <ATen/ops/scatter_native.h>
#include <ATen/ops/scatter_reduce_native.h>
#include <ATen/ops/take.h>
#include <ATen/ops/take_along_dim.h>
#include <ATen/ops/take_along_dim_native.h>
#include <ATen/ops/take_native.h>
#include <ATen/ops/where.h>
#include <ATen/ops/zeros.h>
#include <c10/core/Scalar.h>
#include <c10/core/ScalarType.h>
#include <c10/util/Exception.h>
#include <c10/util/StringUtil.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <vector>

namespace at::native {

// ---- take and put: places in the flattened tensor

namespace {

void check_linear_index(const char* name, const Tensor& index) {
  TORCH_CHECK(index.scalar_type() == kLong, name, "(): Expected a long tensor for index, but got ",
              index.scalar_type());
}

}  // namespace

namespace {

c10::List<std::optional<Tensor>> one_index(const Tensor& index) {
  c10::List<std::optional<Tensor>> places;
  places.push_back(index.reshape({-1}));
  return places;
}

// The places in each dimension that linear indices stand for. Where these are out of range, that in
// the first dimension is.
c10::List<std::optional<Tensor>> unravelled(const Tensor& self, const Tensor& index) {
  std::vector<Tensor> of_dim(static_cast<size_t>(self.dim()));
  Tensor rest = index.reshape({-1});
  rest = at::where(rest.lt(0), rest.add(self.numel()), rest);
  for (int64_t d = self.dim(); d-- > 1;) {
    of_dim[static_cast<size_t>(d)] = rest.remainder(self.size(d));
    rest = rest.div(self.size(d), "floor");
  }
  of_dim[0] = at::where(rest.lt(0), rest.sub(self.size(0)), rest);
  c10::List<std::optional<Tensor>> places;
  for (Tensor& place : of_dim) places.push_back(std::move(place));
  return places;
}

}  // namespace

Tensor take(const Tensor& self, const Tensor& index) {
  check_linear_index("take", index);
  TORCH_CHECK_INDEX(!(self.numel() == 0 && index.numel() != 0),
                    "take(): tried to take from an empty tensor");
  if (index.numel() == 0) {
    return at::_unsafe_view(self.reshape({-1}).slice(0, 0, 0).clone(), index.sizes());
  }
  // A few elements of a tensor that reshape would copy.
  constexpr int64_t kFew = 8;
  if (self.is_cpu() && !self.is_contiguous() && index.numel() < self.numel() / kFew) {
    return at::_unsafe_view(self.index(unravelled(self, index)), index.sizes());
  }
  return at::_unsafe_view(self.reshape({-1}).index(one_index(index)), index.sizes());
}

Tensor& take_out(const Tensor& self, const Tensor& index, Tensor& out) {
  TORCH_CHECK(self.scalar_type() == out.scalar_type(),
              "take(): self and out expected to have the same dtype, but got self.dtype = ",
              self.scalar_type(), " and out.dtype = ", out.scalar_type());
  at::assert_no_internal_overlap(out);
  at::assert_no_overlap(out, index);
  at::assert_no_overlap(out, self);
  return write_to_out(at::take(self, index), out);
}

Tensor& put_(Tensor& self, const Tensor& index, const Tensor& source, bool accumulate) {
  check_linear_index("put_", index);
  TORCH_CHECK(self.scalar_type() == source.scalar_type(),
              "put_(): self and source expected to have the same dtype, but got self.dtype = ",
              self.scalar_type(), " and source.dtype = ", source.scalar_type());
  TORCH_CHECK(
      source.numel() == index.numel(),
      "put_(): Expected source and index to have the same number of elements, but got source.numel() = ",
      source.numel(), ", index.numel() = ", index.numel());
  TORCH_CHECK_INDEX(!(self.numel() == 0 && index.numel() != 0),
                    "put_(): tried to put elements into an empty tensor");
  at::assert_no_internal_overlap(self);
  at::assert_no_overlap(self, index);
  at::assert_no_overlap(self, source);
  if (!accumulate) at::globalContext().alertNotDeterministic("put_");
  if (index.numel() == 0) return self;
  Tensor flat =
      self.is_contiguous() ? self.view({-1}) : self.clone(MemoryFormat::Contiguous).view({-1});
  flat.index_put_(one_index(index), source.reshape({-1}), accumulate);
  if (!self.is_contiguous()) self.copy_(flat.view(self.sizes()));
  return self;
}

Tensor put(const Tensor& self, const Tensor& index, const Tensor& source, bool accumulate) {
  return self.clone(MemoryFormat::Preserve).put_(index, source, accumulate);
}

Tensor take_along_dim(const Tensor& self, const Tensor& indices, std::optional<int64_t> opt_dim) {
  TORCH_CHECK(indices.scalar_type() == kLong,
              "torch.take_along_dim(): dtype of indices should be Long but got ",
              indices.scalar_type());
  if (!opt_dim.has_value()) return self.reshape({-1}).gather(0, indices.reshape({-1}));
  TORCH_CHECK(
      self.dim() == indices.dim(),
      "torch.take_along_dim(): input and indices should have the same number of dimensions, but got ",
      self.dim(), " dimensions for input, and ", indices.dim(), " dimensions for indices");
  const int64_t dim = at::maybe_wrap_dim(*opt_dim, self.dim());
  const Tensor places = at::where(indices.lt(0), indices.add(self.size(dim)), indices);
  // Both broadcast in the other dimensions.
  std::vector<int64_t> self_sizes = self.sizes().vec();
  self_sizes[static_cast<size_t>(dim)] = indices.size(dim);
  const std::vector<int64_t> index_shape = at::infer_size(self_sizes, indices.sizes());
  std::vector<int64_t> index_sizes = indices.sizes().vec();
  index_sizes[static_cast<size_t>(dim)] = self.size(dim);
  const std::vector<int64_t> self_shape = at::infer_size(index_sizes, self.sizes());
  return self.expand(self_shape).gather(dim, places.expand(index_shape));
}

Tensor& take_along_dim_out(const Tensor& self, const Tensor& indices, std::optional<int64_t> dim,
                           Tensor& out) {
  return write_out(out, at::take_along_dim(self, indices, dim));
}

Tensor argwhere(const Tensor& self) { return self.nonzero(); }

// ---- index_fill

namespace {

Tensor& fill_at(Tensor& self, int64_t dim, const Tensor& index, const Tensor& value) {
  TORCH_CHECK_INDEX(index.scalar_type() == kLong || index.scalar_type() == kInt,
                    "index_fill_(): Expected dtype int32/int64 for index.");
  TORCH_CHECK_INDEX(index.dim() <= 1, "Index has to be a vector/scalar");
  if (at::has_internal_overlap(self) == MemOverlap::Yes) {
    TORCH_WARN(
        "Use of index_fill_ on expanded tensors is deprecated. Please clone() the tensor before performing this operation.");
  }
  at::assert_no_overlap(self, index);
  dim = at::maybe_wrap_dim(dim, self.dim());
  if (self.numel() == 0 || index.numel() == 0) return self;
  Tensor target = self.dim() == 0 ? self.view({1}) : self;
  c10::List<std::optional<Tensor>> places;
  for (int64_t d = 0; d < dim; ++d) places.push_back(std::optional<Tensor>());
  Tensor chosen = index.to(kLong).reshape({-1});
  // The gradient of the value counts each element once.
  if (value.requires_grad()) chosen = std::get<0>(at::_unique2(chosen));
  places.push_back(chosen);
  target.index_put_(places, value.to(self.scalar_type()));
  return self;
}

}  // namespace

Tensor& index_fill_(Tensor& self, int64_t dim, const Tensor& index, const Scalar& source) {
  TORCH_CHECK(self.is_complex() || !source.isComplex(),
              "index_fill_(): Converting complex Scalar to non-complex type is not supported");
  return fill_at(self, dim, index, at::scalar_tensor(source, self.options()));
}

Tensor& index_fill_(Tensor& self, int64_t dim, const Tensor& index, const Tensor& source) {
  TORCH_CHECK(source.dim() == 0,
              "index_fill_ only supports a 0-dimensional value tensor, but got tensor with ",
              source.dim(), " dimension(s).");
  TORCH_CHECK(self.is_complex() || !source.is_complex(),
              "index_fill_(): Converting complex Scalar to non-complex type is not supported");
  return fill_at(self, dim, index, source);
}

Tensor index_fill(const Tensor& self, int64_t dim, const Tensor& index, const Scalar& source) {
  return self.clone(MemoryFormat::Preserve).index_fill_(dim, index, source);
}

Tensor index_fill(const Tensor& self, int64_t dim, const Tensor& index, const Tensor& source) {
  return self.clone(MemoryFormat::Preserve).index_fill_(dim, index, source);
}

}  // namespace at::native

// ---- index_copy, index_reduce, scatter_reduce

namespace at::meta {
namespace {

// The sizes of `t` without that of `dim`; a scalar has no others.
std::vector<int64_t> slice_sizes(const Tensor& t, int64_t dim) {
  std::vector<int64_t> sizes = t.sizes().vec();
  if (!sizes.empty()) sizes.erase(sizes.begin() + dim);
  return sizes;
}

// `index` names places along `dim` of `self` for the slices of `source`.
void check_index_source(const char* name, const Tensor& self, int64_t dim, const Tensor& index,
                        const Tensor& source) {
  TORCH_CHECK_INDEX(index.dim() < 2, name, "(): Index should have dimension 1 or 0 (got ",
                    index.dim(), ")");
  TORCH_CHECK(self.scalar_type() == source.scalar_type(), name,
              "(): self and source expected to have the same dtype, but got (self) ",
              self.scalar_type(), " and (source) ", source.scalar_type());
  TORCH_CHECK_INDEX(!(source.dim() == 0 && index.numel() != 1), name,
                    "(): When source is scalar, index should have one element (got ", index.numel(),
                    ")");
  TORCH_CHECK_INDEX(
      source.dim() == self.dim() || source.dim() == 0 || self.dim() == 0, name,
      "(): When source and destination are not scalars, their dimensionality must match. "
      "Source dimensionality (",
      source.dim(), "), destination dimensionality (", self.dim(), ")");
  const std::vector<int64_t> slice = slice_sizes(self, dim);
  const std::vector<int64_t> source_slice = slice_sizes(source, dim);
  TORCH_CHECK(
      slice == source_slice, name,
      "(): Source/destination tensor must have same slice shapes. Destination slice shape: ",
      c10::Join(" ", slice), " at dimension ", dim,
      " and source slice shape: ", c10::Join(" ", source_slice), " at dimension 0.");
  TORCH_CHECK_INDEX(source.dim() == 0 || index.numel() == source.size(dim), name,
                    "(): Number of indices (", index.numel(),
                    ") should be equal to source.size(dim) (",
                    source.dim() == 0 ? 1 : source.size(dim), ")");
}

}  // namespace

TORCH_META_FUNC(index_copy)
(const Tensor& self, int64_t dim, const Tensor& index, const Tensor& source) {
  dim = at::maybe_wrap_dim(dim, self.dim());
  const Tensor& result = maybe_get_output();
  if (result.defined()) {
    at::assert_no_internal_overlap(result);
    at::assert_no_overlap(result, index);
    at::assert_no_overlap(result, source);
  }
  TORCH_CHECK_INDEX(index.scalar_type() == kLong,
                    "index_copy_(): Expected a long tensor for index, but got ",
                    index.scalar_type());
  check_index_source("index_copy_", self, dim, index, source);
  set_output_raw_strided(0, self.sizes(), {}, self.options());
}

TORCH_META_FUNC(index_reduce)
(const Tensor& self, int64_t dim, const Tensor& index, const Tensor& source,
 const std::string_view reduce, bool include_self) {
  TORCH_CHECK(reduce == "prod" || reduce == "mean" || reduce == "amax" || reduce == "amin",
              "index_reduce(): Expected reduce to be one of prod, mean, amax or amin but got ",
              reduce, ".");
  dim = at::maybe_wrap_dim(dim, self.dim());
  TORCH_CHECK(index.scalar_type() == kLong || index.scalar_type() == kInt,
              "index_reduce_(): Expected dtype int32/int64 for index");
  check_index_source("index_reduce_", self, dim, index, source);
  set_output_raw_strided(0, self.sizes(), {}, self.options());
}

namespace {

bool is_reduction(const std::string_view reduce) {
  return reduce == "sum" || reduce == "prod" || reduce == "mean" || reduce == "amax" ||
         reduce == "amin";
}

int64_t size_or_one(const Tensor& t, int64_t dim) { return t.dim() == 0 ? 1 : t.size(dim); }

void check_scatter(const char* name, const Tensor& self, int64_t dim, const Tensor& index,
                   const Tensor* src) {
  TORCH_CHECK(index.scalar_type() == kLong || index.scalar_type() == kInt, name,
              "(): Expected dtype int32/int64 for index");
  TORCH_CHECK(src == nullptr || self.scalar_type() == src->scalar_type(), name,
              "(): Expected self.dtype to be equal to src.dtype");
  if (index.numel() == 0) return;
  const int64_t ndim = std::max<int64_t>(self.dim(), 1);
  TORCH_CHECK(ndim == std::max<int64_t>(index.dim(), 1),
              "Index tensor must have the same number of dimensions as self tensor");
  TORCH_CHECK(src == nullptr || std::max<int64_t>(src->dim(), 1) == ndim,
              "Index tensor must have the same number of dimensions as src tensor");
  for (int64_t d = 0; d < ndim; ++d) {
    const int64_t size = size_or_one(index, d);
    TORCH_CHECK((d == dim || size <= size_or_one(self, d)) &&
                    (src == nullptr || size <= size_or_one(*src, d)),
                "Expected index ", index.sizes(), " to be no larger than self ", self.sizes(),
                " apart from dimension ", dim,
                src == nullptr ? "" : " and to be no larger size than src ",
                src == nullptr ? IntArrayRef() : src->sizes());
  }
}

// scatter() knows two reductions, by other names.
void check_scatter_reduce_name(const std::string_view reduce) {
  TORCH_CHECK(reduce == "add" || reduce == "multiply",
              "reduce argument must be either add or multiply.");
}

}  // namespace

TORCH_META_FUNC2(scatter_reduce, two)
(const Tensor& self, int64_t dim, const Tensor& index, const Tensor& src,
 const std::string_view reduce, bool include_self) {
  TORCH_CHECK(is_reduction(reduce),
              "reduce argument must be either sum, prod, mean, amax or amin, got ", reduce, ".");
  check_scatter("scatter_reduce", self, at::maybe_wrap_dim(dim, self.dim()), index, &src);
  set_output_raw_strided(0, self.sizes(), {}, self.options());
}

TORCH_META_FUNC2(scatter, reduce)
(const Tensor& self, int64_t dim, const Tensor& index, const Tensor& src,
 const std::string_view reduce) {
  check_scatter_reduce_name(reduce);
  check_scatter("scatter", self, at::maybe_wrap_dim(dim, self.dim()), index, &src);
  set_output_raw_strided(0, self.sizes(), {}, self.options());
}

TORCH_META_FUNC2(scatter, value_reduce)
(const Tensor& self, int64_t dim, const Tensor& index, const Scalar& value,
 const std::string_view reduce) {
  check_scatter_reduce_name(reduce);
  check_scatter("scatter", self, at::maybe_wrap_dim(dim, self.dim()), index, nullptr);
  set_output_raw_strided(0, self.sizes(), {}, self.options());
}

}  // namespace at::meta

namespace at::native {
namespace {

Tensor at_least_1d(const Tensor& t) { return t.dim() == 0 ? t.view({1}) : t; }

// A vector of indices as a tensor of the shape of `like` that varies along `dim` alone.
Tensor along(const Tensor& index, int64_t dim, const Tensor& like) {
  std::vector<int64_t> shape(static_cast<size_t>(like.dim()), 1);
  shape[static_cast<size_t>(dim)] = index.numel();
  return index.to(kLong).reshape({-1}).view(shape).expand(like.sizes());
}

// The neutral element of a reduction.
Scalar identity_of(const std::string_view reduce, ScalarType type) {
  if (reduce == "prod") return 1;
  if (reduce == "sum" || reduce == "mean") return 0;
  const bool largest = reduce == "amin";
  if (type == kBool) return largest;
  if (!c10::isIntegralType(type, /*includeBool=*/false)) {
    const double infinity = std::numeric_limits<double>::infinity();
    return largest ? infinity : -infinity;
  }
  Scalar result;
  AT_DISPATCH_INTEGRAL_TYPES(type, "index_reduce", [&] {
    using limits = std::numeric_limits<scalar_t>;
    result = Scalar(static_cast<int64_t>(largest ? limits::max() : limits::min()));
  });
  return result;
}

void scatter_combine(const Tensor& self, int64_t dim, const Tensor& index, const Tensor& src,
                     const std::string_view reduce) {
  if (reduce == "sum" || reduce == "mean") {
    scatter_add_stub(self.device().type(), self, dim, index, src);
    return;
  }
  const ScatterCombination how = reduce == "prod"   ? ScatterCombination::Product
                                 : reduce == "amax" ? ScatterCombination::Largest
                                                    : ScatterCombination::Smallest;
  scatter_combine_stub(self.device().type(), self, dim, index, src, how);
}

// Makes sums means: `index` names, along `dim` of `count`, the places of what was added, and
// `count` has the shape of the sums or one that expands to it.
void divide_by_count(const Tensor& sums, const Tensor& count, int64_t dim, const Tensor& index) {
  const Tensor ones = at::ones(index.sizes(), count.options());
  scatter_add_stub(count.device().type(), count, dim, index, ones);
  count.masked_fill_(count.eq(0), 1);
  if (c10::isIntegralType(sums.scalar_type(), /*includeBool=*/true)) {
    sums.div_(count, "floor");
  } else {
    sums.div_(count);
  }
}

Tensor start_of_count(IntArrayRef sizes, bool include_self, const TensorOptions& options) {
  return include_self ? at::ones(sizes, options) : at::zeros(sizes, options);
}

void scatter_reduce_into(const Tensor& result, int64_t dim, const Tensor& index_in,
                         const Tensor& src_in, const std::string_view reduce, bool include_self) {
  at::assert_no_internal_overlap(result);
  if (index_in.numel() == 0) return;
  const Tensor target = at_least_1d(result);
  const Tensor index = at_least_1d(index_in.to(kLong));
  const Tensor src = at_least_1d(src_in);
  if (!include_self) {
    target.scatter_(dim, index, identity_of(reduce, target.scalar_type()));
  }
  scatter_combine(target, dim, index, src, reduce);
  if (reduce == "mean") {
    divide_by_count(target, start_of_count(target.sizes(), include_self, target.options()), dim,
                    index);
  }
}

}  // namespace

TORCH_IMPL_FUNC(index_copy_out)
(const Tensor& self, int64_t dim, const Tensor& index, const Tensor& source, const Tensor& result) {
  dim = at::maybe_wrap_dim(dim, self.dim());
  if (!result.is_same(self)) result.copy_(self);
  if (index.numel() == 0) return;
  const Tensor target = at_least_1d(result);
  const Tensor values = at_least_1d(source);
  if (index.is_cpu()) {
    const Tensor places = index.contiguous();
    const auto* place = places.const_data_ptr<int64_t>();
    const int64_t size = target.size(dim);
    for (int64_t i = 0; i < places.numel(); ++i) {
      TORCH_CHECK_INDEX(place[i] >= 0 && place[i] < size, "index_copy_(): index ", place[i],
                        " is out of bounds for dimension ", dim, " with size ", size);
    }
  }
  scatter_stub(target.device().type(), target, dim, along(index, dim, values), values);
}

TORCH_IMPL_FUNC(index_reduce_cpu_out)
(const Tensor& self, int64_t dim, const Tensor& index, const Tensor& source,
 const std::string_view reduce, bool include_self, const Tensor& result) {
  dim = at::maybe_wrap_dim(dim, self.dim());
  if (!result.is_same(self)) result.copy_(self);
  const Tensor values = at_least_1d(source);
  const bool mean = reduce == "mean";
  scatter_reduce_into(result, dim, along(index, dim, values), values, mean ? "sum" : reduce,
                      include_self);
  if (!mean || index.numel() == 0) return;
  // What is counted is the same along all other dimensions.
  const Tensor target = at_least_1d(result);
  std::vector<int64_t> shape(static_cast<size_t>(target.dim()), 1);
  shape[static_cast<size_t>(dim)] = target.size(dim);
  const Tensor count = start_of_count(shape, include_self, target.options());
  shape[static_cast<size_t>(dim)] = index.numel();
  divide_by_count(target, count, dim, index.to(kLong).reshape(shape));
}

TORCH_IMPL_FUNC(scatter_reduce_two)
(const Tensor& self, int64_t dim, const Tensor& index, const Tensor& src,
 const std::string_view reduce, bool include_self, const Tensor& out) {
  dim = at::maybe_wrap_dim(dim, self.dim());
  if (!out.is_same(self)) out.copy_(self);
  scatter_reduce_into(out, dim, index, src, reduce, include_self);
}

TORCH_IMPL_FUNC(scatter_reduce_out)
(const Tensor& self, int64_t dim, const Tensor& index, const Tensor& src,
 const std::string_view reduce, const Tensor& out) {
  dim = at::maybe_wrap_dim(dim, self.dim());
  if (!out.is_same(self)) out.copy_(self);
  scatter_reduce_into(out, dim, index, src, reduce == "add" ? "sum" : "prod",
                      /*include_self=*/true);
}

TORCH_IMPL_FUNC(scatter_value_reduce_out)
(const Tensor& self, int64_t dim, const Tensor& index, const Scalar& value,
 const std::string_view reduce, const Tensor& out) {
  dim = at::maybe_wrap_dim(dim, self.dim());
  if (!out.is_same(self)) out.copy_(self);
  const Tensor src = at::scalar_tensor(value, out.options()).expand(index.sizes());
  scatter_reduce_into(out, dim, index, src, reduce == "add" ? "sum" : "prod",
                      /*include_self=*/true);
}

}  // namespace at::native
