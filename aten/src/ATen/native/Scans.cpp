// Running products, extreme values and sums of exponentials along a dimension.

#define TORCH_ASSERT_ONLY_METHOD_OPERATORS
#include <ATen/Dispatch.h>
#include <ATen/OpMathType.h>
#include <ATen/Parallel.h>
#include <ATen/TensorIterator.h>
#include <ATen/TensorMeta.h>
#include <ATen/WrapDimUtils.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/OutVariant.h>
#include <ATen/native/ReduceOps.h>
#include <ATen/native/Resize.h>
#include <ATen/native/Wrapping.h>
#include <ATen/ops/cummax_native.h>
#include <ATen/ops/cummaxmin_backward_native.h>
#include <ATen/ops/cummin_native.h>
#include <ATen/ops/cumprod_native.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/logcumsumexp_native.h>
#include <ATen/ops/zeros.h>
#include <c10/core/DefaultDtype.h>
#include <c10/core/ScalarType.h>
#include <c10/util/Exception.h>
#include <c10/util/complex_math.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <tuple>
#include <type_traits>
#include <vector>

namespace at::meta {

TORCH_META_FUNC(cumprod)
(const Tensor& self, int64_t dim, std::optional<ScalarType> dtype) {
  at::maybe_wrap_dim(dim, self.dim());
  const Tensor& out = maybe_get_output();
  const bool in_place = out.defined() && out.is_same(self);
  const ScalarType own = self.scalar_type();
  // A result that is there already says what is computed in.
  const ScalarType usual = out.defined()                                    ? out.scalar_type()
                           : c10::isIntegralType(own, /*includeBool=*/true) ? kLong
                                                                            : own;
  const ScalarType type = dtype.value_or(usual);
  TORCH_CHECK(!in_place || type == own, "Bad in-place call: input tensor dtype ", own,
              " and output tensor dtype ", type, " should match");
  set_output_raw_strided(0, self.sizes(), {}, self.options().dtype(type));
}

}  // namespace at::meta

namespace at::native {

DEFINE_DISPATCH(cumprod_stub);

namespace {

// Calls `scan(in, out, index, n, stride)` for every line along `dim` of contiguous tensors.
template <typename F>
void for_each_line(const TensorBase& self, int64_t dim, F&& f) {
  const int64_t n = self.size(dim);
  int64_t stride = 1;
  for (int64_t d = dim + 1; d < self.dim(); ++d) stride *= self.size(d);
  const int64_t lines = self.numel() / std::max<int64_t>(n, 1);
  const int64_t grain = std::max<int64_t>(1, at::internal::GRAIN_SIZE / std::max<int64_t>(n, 1));
  at::parallel_for(0, lines, grain, [&](int64_t begin, int64_t end) {
    for (int64_t line = begin; line < end; ++line) {
      f(line / stride * stride * n + line % stride, n, stride);
    }
  });
}

void cumprod_kernel(const TensorBase& result, const TensorBase& self, int64_t dim) {
  const ScalarType type = self.scalar_type();
  AT_DISPATCH_ALL_TYPES_AND_COMPLEX_AND2(kHalf, kBFloat16, type, "cumprod_out_cpu", [&] {
    using acc_t = opmath_type<scalar_t>;
    const auto* in = self.const_data_ptr<scalar_t>();
    auto* to = result.mutable_data_ptr<scalar_t>();
    for_each_line(self, dim, [&](int64_t base, int64_t n, int64_t stride) {
      acc_t product(1);
      for (int64_t i = 0; i < n; ++i) {
        product = wrapping_mul(product, static_cast<acc_t>(in[base + i * stride]));
        to[base + i * stride] = static_cast<scalar_t>(product);
      }
    });
  });
}

}  // namespace

REGISTER_ALL_CPU_DISPATCH(cumprod_stub, &cumprod_kernel)

TORCH_IMPL_FUNC(cumprod_out)
(const Tensor& self, int64_t dim, std::optional<ScalarType> dtype, const Tensor& result) {
  if (self.numel() == 0) return;
  if (self.dim() == 0) {
    result.copy_(self);
    return;
  }
  const ScalarType type = result.scalar_type() == kBool ? kLong : result.scalar_type();
  const Tensor input = self.to(type).contiguous();
  const Tensor out = at::empty(self.sizes(), result.options().dtype(type));
  cumprod_stub(self.device().type(), out, input, at::maybe_wrap_dim(dim, self.dim()));
  result.copy_(out);
}

// ---- cummax and cummin: with the last place where the value was met

namespace {

template <typename Better>
std::tuple<Tensor&, Tensor&> extreme_scan(const char* name, const Tensor& self, int64_t dim_in,
                                          Tensor& values, Tensor& indices, Better better) {
  TORCH_CHECK(values.scalar_type() == self.scalar_type(), name,
              "(): Expected out tensor to have "
              "dtype ",
              self.scalar_type(), ", but got ", values.scalar_type(), " instead");
  TORCH_CHECK(indices.scalar_type() == kLong, name,
              "(): Expected out tensor to have dtype Long, but got ", indices.scalar_type(),
              " instead");
  const int64_t dim = at::maybe_wrap_dim(dim_in, self.dim());
  resize_output(values, self.sizes());
  resize_output(indices, self.sizes());
  if (self.dim() == 0) {
    values.copy_(self);
    indices.zero_();
    return {values, indices};
  }
  if (self.numel() == 0) return {values, indices};
  const Tensor input = self.contiguous();
  const Tensor v = at::empty(self.sizes(), values.options());
  const Tensor i = at::empty(self.sizes(), indices.options());
  AT_DISPATCH_ALL_TYPES_AND3(kBool, kBFloat16, kHalf, self.scalar_type(), name, [&] {
    const auto* in = input.const_data_ptr<scalar_t>();
    auto* value = v.mutable_data_ptr<scalar_t>();
    auto* index = i.mutable_data_ptr<int64_t>();
    for_each_line(input, dim, [&](int64_t base, int64_t n, int64_t stride) {
      scalar_t best = in[base];
      int64_t place = 0;
      for (int64_t k = 0; k < n; ++k) {
        const scalar_t x = in[base + k * stride];
        // A NaN, once met, stays.
        if (x != x || (best == best && better(x, best))) {
          best = x;
          place = k;
        }
        value[base + k * stride] = best;
        index[base + k * stride] = place;
      }
    });
  });
  values.copy_(v);
  indices.copy_(i);
  return {values, indices};
}

}  // namespace

std::tuple<Tensor&, Tensor&> cummax_out(const Tensor& self, int64_t dim, Tensor& values,
                                        Tensor& indices) {
  return extreme_scan("cummax", self, dim, values, indices, [](auto a, auto b) { return a >= b; });
}

std::tuple<Tensor, Tensor> cummax(const Tensor& self, int64_t dim) {
  Tensor values = at::empty(self.sizes(), self.options());
  Tensor indices = at::empty(self.sizes(), self.options().dtype(kLong));
  native::cummax_out(self, dim, values, indices);
  return {values, indices};
}

std::tuple<Tensor&, Tensor&> cummin_out(const Tensor& self, int64_t dim, Tensor& values,
                                        Tensor& indices) {
  return extreme_scan("cummin", self, dim, values, indices, [](auto a, auto b) { return a <= b; });
}

std::tuple<Tensor, Tensor> cummin(const Tensor& self, int64_t dim) {
  Tensor values = at::empty(self.sizes(), self.options());
  Tensor indices = at::empty(self.sizes(), self.options().dtype(kLong));
  native::cummin_out(self, dim, values, indices);
  return {values, indices};
}

Tensor cummaxmin_backward(const Tensor& grad, const Tensor& input, const Tensor& indices,
                          int64_t dim) {
  if (input.numel() == 0) return input;
  return at::zeros(input.sizes(), grad.options()).scatter_add(dim, indices, grad);
}

// ---- logcumsumexp

namespace {

template <typename T>
T log_add_exp(T a, T b) {
  if (a != a || b != b) return a + b;
  const T high = std::max(a, b);
  const T low = std::min(a, b);
  if (low == high && std::isinf(high)) return high;
  return high + std::log1p(std::exp(low - high));
}

template <typename T>
c10::complex<T> log_add_exp(c10::complex<T> a, c10::complex<T> b) {
  const bool first = a.real() >= b.real();
  const c10::complex<T> high = first ? a : b;
  const c10::complex<T> low = first ? b : a;
  if (std::isinf(low.real()) && low.real() < 0) return high;
  return high + log(exp(low - high) + T(1));
}

}  // namespace

Tensor& logcumsumexp_out(const Tensor& self, int64_t dim_in, Tensor& result) {
  const int64_t dim = at::maybe_wrap_dim(dim_in, self.dim());
  const ScalarType type = c10::isIntegralType(self.scalar_type(), /*includeBool=*/true)
                              ? c10::get_default_dtype_as_scalartype()
                              : self.scalar_type();
  TORCH_CHECK(result.scalar_type() == type, "expected scalar_type(", type, ") but got ",
              result.scalar_type());
  resize_output(result, self.sizes());
  if (self.numel() == 0) return result;
  if (self.dim() == 0) return result.copy_(self);
  const Tensor input = self.to(type).contiguous();
  const Tensor out = at::empty(self.sizes(), result.options());
  AT_DISPATCH_FLOATING_AND_COMPLEX_TYPES_AND2(kHalf, kBFloat16, type, "logcumsumexp_out_cpu", [&] {
    using acc_t = opmath_type<scalar_t>;
    const auto* in = input.const_data_ptr<scalar_t>();
    auto* to = out.mutable_data_ptr<scalar_t>();
    for_each_line(input, dim, [&](int64_t base, int64_t n, int64_t stride) {
      auto acc = static_cast<acc_t>(in[base]);
      to[base] = in[base];
      for (int64_t i = 1; i < n; ++i) {
        acc = log_add_exp(acc, static_cast<acc_t>(in[base + i * stride]));
        to[base + i * stride] = static_cast<scalar_t>(acc);
      }
    });
  });
  return result.copy_(out);
}

Tensor logcumsumexp(const Tensor& self, int64_t dim) {
  const ScalarType type = c10::isIntegralType(self.scalar_type(), /*includeBool=*/true)
                              ? c10::get_default_dtype_as_scalartype()
                              : self.scalar_type();
  Tensor result = at::empty(self.sizes(), self.options().dtype(type));
  return native::logcumsumexp_out(self, dim, result);
}

}  // namespace at::native
