// Loops of clamping, where, and extreme values along a dimension.

#define TORCH_ASSERT_NO_OPERATORS
#include <ATen/native/TensorCompare.h>

#include <ATen/Dispatch.h>
#include <ATen/Parallel.h>
#include <ATen/TensorIterator.h>
#include <ATen/core/TensorBase.h>
#include <ATen/native/cpu/FloatLoops.h>
#include <ATen/native/cpu/Loops.h>
#include <ATen/native/cpu/OpaqueElement.h>
#include <c10/core/Scalar.h>
#include <c10/core/ScalarType.h>

#include <algorithm>
#include <cmath>

namespace at::native {
inline namespace CPU_CAPABILITY {

namespace {

// Comparisons are written so that a NaN element stays.

void clamp_kernel(TensorIteratorBase& iter) {
  AT_DISPATCH_ALL_TYPES_AND2(kBFloat16, kHalf, iter.common_dtype(), "clamp_cpu", [&] {
    cpu_kernel(iter, [](scalar_t a, scalar_t low, scalar_t high) -> scalar_t {
      if (a != a) return a;
      if (low != low) return low;
      if (high != high) return high;
      const scalar_t raised = a < low ? low : a;
      return high < raised ? high : raised;
    });
  });
}

void clamp_scalar_kernel(TensorIteratorBase& iter, const Scalar& min, const Scalar& max) {
  const ScalarType dtype = iter.common_dtype();
  if (c10::isFloatingType(dtype)) {
    const double low = min.to<double>();
    const double high = max.to<double>();
    unary_float_kernel(
        iter, "clamp_scalar_cpu",
        [=](auto a) {
          using T = decltype(a);
          const T raised = a < T(low) ? T(low) : a;
          return T(high) < raised ? T(high) : raised;
        },
        [=](auto a) {
          using T = typename decltype(a)::value_type;
          return vec::clamp(a, decltype(a)(T(low)), decltype(a)(T(high)));
        });
    return;
  }
  AT_DISPATCH_INTEGRAL_TYPES(dtype, "clamp_scalar_cpu", [&] {
    const auto low = min.to<scalar_t>();
    const auto high = max.to<scalar_t>();
    cpu_kernel(iter, [=](scalar_t a) -> scalar_t {
      const scalar_t raised = a < low ? low : a;
      return high < raised ? high : raised;
    });
  });
}

void clamp_min_scalar_kernel(TensorIteratorBase& iter, const Scalar& min) {
  const ScalarType dtype = iter.common_dtype();
  if (c10::isFloatingType(dtype)) {
    const double low = min.to<double>();
    unary_float_kernel(
        iter, "clamp_min_scalar_cpu",
        [=](auto a) { return a < decltype(a)(low) ? decltype(a)(low) : a; },
        [=](auto a) {
          using T = typename decltype(a)::value_type;
          return vec::clamp_min(a, decltype(a)(T(low)));
        });
    return;
  }
  AT_DISPATCH_INTEGRAL_TYPES(dtype, "clamp_min_scalar_cpu", [&] {
    const auto low = min.to<scalar_t>();
    cpu_kernel(iter, [=](scalar_t a) -> scalar_t { return a < low ? low : a; });
  });
}

void clamp_max_scalar_kernel(TensorIteratorBase& iter, const Scalar& max) {
  const ScalarType dtype = iter.common_dtype();
  if (c10::isFloatingType(dtype)) {
    const double high = max.to<double>();
    unary_float_kernel(
        iter, "clamp_max_scalar_cpu",
        [=](auto a) { return decltype(a)(high) < a ? decltype(a)(high) : a; },
        [=](auto a) {
          using T = typename decltype(a)::value_type;
          return vec::clamp_max(a, decltype(a)(T(high)));
        });
    return;
  }
  AT_DISPATCH_INTEGRAL_TYPES(dtype, "clamp_max_scalar_cpu", [&] {
    const auto high = max.to<scalar_t>();
    cpu_kernel(iter, [=](scalar_t a) -> scalar_t { return high < a ? high : a; });
  });
}

void where_kernel_impl(TensorIterator& iter) {
  dispatch_element_size(iter.element_size(0), [&](auto element) {
    using opaque_t = decltype(element);
    iter.for_each([](char** data, const int64_t* strides, int64_t n) {
      for (int64_t i = 0; i < n; ++i) {
        const bool condition = *reinterpret_cast<const bool*>(data[1] + i * strides[1]);
        const char* source = condition ? data[2] + i * strides[2] : data[3] + i * strides[3];
        *reinterpret_cast<opaque_t*>(data[0] + i * strides[0]) =
            *reinterpret_cast<const opaque_t*>(source);
      }
    });
  });
}

// A NaN is more extreme than any number, and the first place wins.
template <typename scalar_t, typename Better>
void minmax_along_dim(const TensorBase& values, const TensorBase& indices, const TensorBase& self,
                      int64_t dim, Better better) {
  const int64_t n = self.size(dim);
  const int64_t stride = self.stride(dim);
  const auto* base = self.const_data_ptr<scalar_t>();
  auto* value_data = values.mutable_data_ptr<scalar_t>();
  auto* index_data = indices.mutable_data_ptr<int64_t>();
  const auto sizes = self.sizes();
  const auto strides = self.strides();
  const int64_t ndim = self.dim();
  const int64_t outputs = values.numel();
  const int64_t grain = std::max<int64_t>(1, at::internal::GRAIN_SIZE / std::max<int64_t>(n, 1));
  at::parallel_for(0, outputs, grain, [&](int64_t begin, int64_t end) {
    for (int64_t out = begin; out < end; ++out) {
      int64_t offset = 0;
      int64_t rest = out;
      for (int64_t d = ndim - 1; d >= 0; --d) {
        if (d == dim) continue;
        offset += (rest % sizes[d]) * strides[d];
        rest /= sizes[d];
      }
      const scalar_t* row = base + offset;
      scalar_t best = row[0];
      int64_t place = 0;
      for (int64_t i = 1; i < n && best == best; ++i) {
        const scalar_t candidate = row[i * stride];
        if (better(candidate, best) || !(candidate == candidate)) {
          best = candidate;
          place = i;
        }
      }
      value_data[out] = best;
      index_data[out] = place;
    }
  });
}

void max_kernel(const TensorBase& values, const TensorBase& indices, const TensorBase& self,
                int64_t dim) {
  AT_DISPATCH_ALL_TYPES_AND3(kBFloat16, kHalf, kBool, self.scalar_type(), "max_cpu", [&] {
    minmax_along_dim<scalar_t>(values, indices, self, dim,
                               [](scalar_t a, scalar_t b) { return b < a; });
  });
}

void min_kernel(const TensorBase& values, const TensorBase& indices, const TensorBase& self,
                int64_t dim) {
  AT_DISPATCH_ALL_TYPES_AND3(kBFloat16, kHalf, kBool, self.scalar_type(), "min_cpu", [&] {
    minmax_along_dim<scalar_t>(values, indices, self, dim,
                               [](scalar_t a, scalar_t b) { return a < b; });
  });
}

}  // namespace
}  // namespace CPU_CAPABILITY

REGISTER_DISPATCH(clamp_stub, &CPU_CAPABILITY::clamp_kernel)
REGISTER_DISPATCH(clamp_scalar_stub, &CPU_CAPABILITY::clamp_scalar_kernel)
REGISTER_DISPATCH(clamp_min_scalar_stub, &CPU_CAPABILITY::clamp_min_scalar_kernel)
REGISTER_DISPATCH(clamp_max_scalar_stub, &CPU_CAPABILITY::clamp_max_scalar_kernel)
REGISTER_DISPATCH(where_kernel, &CPU_CAPABILITY::where_kernel_impl)
REGISTER_DISPATCH(max_stub, &CPU_CAPABILITY::max_kernel)
REGISTER_DISPATCH(min_stub, &CPU_CAPABILITY::min_kernel)

}  // namespace at::native
