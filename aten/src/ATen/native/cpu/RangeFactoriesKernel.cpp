// The loop of arange.

#define TORCH_ASSERT_NO_OPERATORS
#include <ATen/native/RangeFactories.h>

#include <ATen/Dispatch.h>
#include <ATen/Parallel.h>
#include <ATen/TensorIterator.h>
#include <ATen/native/Wrapping.h>
#include <c10/core/Scalar.h>

#include <cstdint>
#include <type_traits>

namespace at::native {
inline namespace CPU_CAPABILITY {
namespace {

void arange_kernel(TensorIterator& iter, const Scalar& start_scalar, const Scalar& /*end*/,
                   const Scalar& step_scalar) {
  AT_DISPATCH_ALL_TYPES_AND2(kHalf, kBFloat16, iter.dtype(), "arange_cpu", [&] {
    using accscalar_t = std::conditional_t<std::is_integral_v<scalar_t>, int64_t, double>;
    const auto start = start_scalar.to<accscalar_t>();
    const auto step = step_scalar.to<accscalar_t>();
    auto* out = static_cast<scalar_t*>(iter.data_ptr(0));
    at::parallel_for(0, iter.numel(), at::internal::GRAIN_SIZE, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        const auto distance = wrapping_mul(static_cast<accscalar_t>(i), step);
        out[i] = static_cast<scalar_t>(wrapping_add(start, distance));
      }
    });
  });
}

}  // namespace
}  // namespace CPU_CAPABILITY

REGISTER_DISPATCH(arange_stub, &CPU_CAPABILITY::arange_kernel)

}  // namespace at::native
