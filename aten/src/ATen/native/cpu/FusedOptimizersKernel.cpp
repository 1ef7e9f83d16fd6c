// Steps of optimisers for lists of parameters, and the scaling of gradients.

#define TORCH_ASSERT_NO_OPERATORS
#include <ATen/native/FusedOptimizers.h>

#include <ATen/Dispatch.h>
#include <ATen/OpMathType.h>
#include <ATen/Parallel.h>
#include <ATen/cpu/vec/vec.h>
#include <ATen/native/TensorRows.h>
#include <c10/core/ScalarType.h>
#include <c10/util/ArrayRef.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace at::native {
inline namespace CPU_CAPABILITY {

namespace {

using vec::Vectorized;

// Elements that are worth a thread.
constexpr int64_t kGrain = 16384;

// A vector of what elements are computed in, from at most that many elements, and back.
template <typename scalar_t, typename T = opmath_type<scalar_t>>
Vectorized<T> load(const scalar_t* data, int64_t count) {
  if constexpr (std::is_same_v<scalar_t, T>) {
    return Vectorized<T>::loadu(data, count);
  } else {
    std::array<T, Vectorized<T>::size()> values{};
    for (int64_t i = 0; i < count; ++i) values[static_cast<size_t>(i)] = static_cast<T>(data[i]);
    return Vectorized<T>::loadu(values.data());
  }
}
template <typename scalar_t, typename T = opmath_type<scalar_t>>
void store(const Vectorized<T>& vector, scalar_t* data, int64_t count) {
  if constexpr (std::is_same_v<scalar_t, T>) {
    vector.store(data, static_cast<int>(count));
  } else {
    std::array<T, Vectorized<T>::size()> values;
    vector.store(values.data());
    for (int64_t i = 0; i < count; ++i) {
      data[i] = static_cast<scalar_t>(values[static_cast<size_t>(i)]);
    }
  }
}

// Applies `step` to vectors of all roles of a row, and stores those that `written` names.
template <typename scalar_t, size_t kRoles, typename Step>
void step_row(const TensorRow& row, const Step& step, const std::array<bool, kRoles>& written) {
  using V = Vectorized<opmath_type<scalar_t>>;
  parallel_for(0, row.numel, kGrain, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; i += V::size()) {
      const int64_t count = std::min<int64_t>(V::size(), end - i);
      V x[kRoles];
      for (size_t r = 0; r < kRoles; ++r) {
        if (row.data[r] != nullptr) {
          x[r] = load(static_cast<const scalar_t*>(row.data[r]) + i, count);
        }
      }
      step(x);
      for (size_t r = 0; r < kRoles; ++r) {
        if (row.data[r] != nullptr && written[r]) {
          store(x[r], static_cast<scalar_t*>(row.data[r]) + i, count);
        }
      }
    }
  });
}

bool is_left_out(const GradScaling& scaling) {
  return scaling.found_inf != nullptr && *scaling.found_inf != 0;
}

void fused_adam_kernel(ScalarType dtype, ArrayRef<TensorRow> rows, const AdamOptions& options) {
  if (is_left_out(options.scaling)) return;
  AT_DISPATCH_FLOATING_TYPES_AND2(kHalf, kBFloat16, dtype, "fused_adam_kernel_cpu", [&] {
    for (const TensorRow& row : rows) {
      const optimizer::AdamStep<opmath_type<scalar_t>> step(options, *row.step);
      step_row<scalar_t, 5>(row, step, {true, step.scaled, true, true, true});
    }
  });
}

void fused_sgd_kernel(ScalarType dtype, ArrayRef<TensorRow> rows, const SGDOptions& options) {
  if (is_left_out(options.scaling)) return;
  AT_DISPATCH_FLOATING_TYPES_AND2(kHalf, kBFloat16, dtype, "fused_sgd_kernel_cpu", [&] {
    const optimizer::SGDStep<opmath_type<scalar_t>> step(options, 0);
    for (const TensorRow& row : rows) {
      step_row<scalar_t, 3>(row, step, {true, step.scaled, true});
    }
  });
}

void amp_unscale_kernel(ScalarType dtype, ArrayRef<TensorRow> rows, float* found_inf,
                        const float* inv_scale) {
  AT_DISPATCH_FLOATING_TYPES_AND2(
      kHalf, kBFloat16, dtype, "_amp_foreach_non_finite_check_and_unscale_cpu", [&] {
        using T = opmath_type<scalar_t>;
        const T factor = static_cast<T>(*inv_scale);
        for (const TensorRow& row : rows) {
          auto* data = static_cast<scalar_t*>(row.data[0]);
          for (int64_t i = 0; i < row.numel; ++i) {
            const T value = static_cast<T>(data[i]);
            if (!std::isfinite(value)) *found_inf = 1;
            data[i] = static_cast<scalar_t>(factor == T(1) ? value : value * factor);
          }
        }
      });
}

void amp_update_scale_kernel(float* scale, int* growth_tracker, const float* found_inf,
                             double growth_factor, double backoff_factor, int64_t growth_interval) {
  optimizer::AmpScaling{growth_factor, backoff_factor, growth_interval}(scale, growth_tracker,
                                                                        found_inf);
}

}  // namespace

REGISTER_DISPATCH(fused_adam_stub, &fused_adam_kernel)
REGISTER_DISPATCH(fused_sgd_stub, &fused_sgd_kernel)
REGISTER_DISPATCH(amp_unscale_stub, &amp_unscale_kernel)
REGISTER_DISPATCH(amp_update_scale_stub, &amp_update_scale_kernel)

}  // namespace CPU_CAPABILITY
}  // namespace at::native
