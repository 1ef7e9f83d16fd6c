// Windows that weigh a stretch of a signal. A periodic one of n numbers is a symmetric one of n + 1
// without its last, so that it continues itself.

#define TORCH_ASSERT_ONLY_METHOD_OPERATORS
#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/bartlett_window_native.h>
#include <ATen/ops/blackman_window_native.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/hamming_window_native.h>
#include <ATen/ops/hann_window_native.h>
#include <ATen/ops/kaiser_window_native.h>
#include <ATen/ops/ones.h>
#include <c10/core/DefaultDtype.h>
#include <c10/core/ScalarType.h>
#include <c10/util/Exception.h>

#include <numbers>
#include <optional>
#include <string_view>

namespace at::native {

namespace {

#define TORCH_WINDOW_OPTIONS                                                                   \
  std::optional<ScalarType> dtype, std::optional<Layout> layout, std::optional<Device> device, \
      std::optional<bool> pin_memory

// The window whose k-th number is `formula(k, last)`, computed in double precision; `last` is the
// position of the last number of the symmetric window.
template <typename Formula>
Tensor make_window(std::string_view name, int64_t length, bool periodic, TORCH_WINDOW_OPTIONS,
                   const Formula& formula) {
  const ScalarType type = dtype.value_or(c10::get_default_dtype_as_scalartype());
  const TensorOptions options =
      TensorOptions().dtype(type).layout(layout).device(device).pinned_memory(pin_memory);
  TORCH_CHECK(layout.value_or(Layout::Strided) == Layout::Strided, name,
              " is not implemented for sparse types, got: ", *layout);
  TORCH_CHECK(isFloatingType(type) || isComplexType(type), name,
              " expects floating point dtypes, got: ", type);
  TORCH_CHECK(length >= 0, name,
              " requires non-negative window_length, got window_length=", length);
  if (length == 0) return at::empty({0}, options);
  if (length == 1) return at::ones({1}, options);
  const Tensor k = at::arange(length, options.dtype(kDouble));
  return formula(k, static_cast<double>(periodic ? length : length - 1)).to(type);
}

Tensor cosine(const Tensor& k, double last, double frequency) {
  return (k * (2 * std::numbers::pi * frequency / last)).cos();
}

}  // namespace

#define TORCH_OPTIONS dtype, layout, device, pin_memory

// 1 - |2 k / N - 1|
Tensor bartlett_window(int64_t window_length, bool periodic, TORCH_WINDOW_OPTIONS) {
  return make_window("bartlett_window", window_length, periodic, TORCH_OPTIONS,
                     [](const Tensor& k, double last) { return 1 - (k * (2 / last) - 1).abs(); });
}
Tensor bartlett_window(int64_t window_length, TORCH_WINDOW_OPTIONS) {
  return native::bartlett_window(window_length, /*periodic=*/true, TORCH_OPTIONS);
}

// 0.42 - 0.5 cos(2 pi k / N) + 0.08 cos(4 pi k / N)
Tensor blackman_window(int64_t window_length, bool periodic, TORCH_WINDOW_OPTIONS) {
  return make_window("blackman_window", window_length, periodic, TORCH_OPTIONS,
                     [](const Tensor& k, double last) {
                       return 0.42 - cosine(k, last, 1) * 0.5 + cosine(k, last, 2) * 0.08;
                     });
}
Tensor blackman_window(int64_t window_length, TORCH_WINDOW_OPTIONS) {
  return native::blackman_window(window_length, /*periodic=*/true, TORCH_OPTIONS);
}

// alpha - beta cos(2 pi k / N)
Tensor hamming_window(int64_t window_length, bool periodic, double alpha, double beta,
                      TORCH_WINDOW_OPTIONS) {
  return make_window(
      "hamming_window", window_length, periodic, TORCH_OPTIONS,
      [&](const Tensor& k, double last) { return alpha - cosine(k, last, 1) * beta; });
}
Tensor hamming_window(int64_t window_length, bool periodic, double alpha, TORCH_WINDOW_OPTIONS) {
  return native::hamming_window(window_length, periodic, alpha, /*beta=*/0.46, TORCH_OPTIONS);
}
Tensor hamming_window(int64_t window_length, bool periodic, TORCH_WINDOW_OPTIONS) {
  return native::hamming_window(window_length, periodic, /*alpha=*/0.54, TORCH_OPTIONS);
}
Tensor hamming_window(int64_t window_length, TORCH_WINDOW_OPTIONS) {
  return native::hamming_window(window_length, /*periodic=*/true, TORCH_OPTIONS);
}

// sin(pi k / N)^2
Tensor hann_window(int64_t window_length, bool periodic, TORCH_WINDOW_OPTIONS) {
  return make_window("hann_window", window_length, periodic, TORCH_OPTIONS,
                     [](const Tensor& k, double last) { return 0.5 - cosine(k, last, 1) * 0.5; });
}
Tensor hann_window(int64_t window_length, TORCH_WINDOW_OPTIONS) {
  return native::hann_window(window_length, /*periodic=*/true, TORCH_OPTIONS);
}

// I0(beta sqrt(1 - (2 k / N - 1)^2)) / I0(beta)
Tensor kaiser_window(int64_t window_length, bool periodic, double beta, TORCH_WINDOW_OPTIONS) {
  return make_window("kaiser_window", window_length, periodic, TORCH_OPTIONS,
                     [&](const Tensor& k, double last) {
                       const Tensor x = k * (2 / last) - 1;
                       const Tensor inside = (1 - x * x).clamp_min(0).sqrt() * beta;
                       return inside.i0() / at::ones({}, inside.options()).mul_(beta).i0();
                     });
}
Tensor kaiser_window(int64_t window_length, bool periodic, TORCH_WINDOW_OPTIONS) {
  return native::kaiser_window(window_length, periodic, /*beta=*/12.0, TORCH_OPTIONS);
}
Tensor kaiser_window(int64_t window_length, TORCH_WINDOW_OPTIONS) {
  return native::kaiser_window(window_length, /*periodic=*/true, TORCH_OPTIONS);
}

}  // namespace at::native
