// arange: evenly spaced numbers from `start` to, and without, `end`. linspace and logspace: as many
// numbers as are asked for, `end` among them.

#define TORCH_ASSERT_ONLY_METHOD_OPERATORS
#include <ATen/native/RangeFactories.h>

#include <ATen/Dispatch.h>
#include <ATen/OpMathType.h>
#include <ATen/Parallel.h>
#include <ATen/TensorIterator.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/arange_native.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/linspace.h>
#include <ATen/ops/linspace_native.h>
#include <ATen/ops/logspace.h>
#include <ATen/ops/logspace_native.h>
#include <c10/core/DefaultDtype.h>
#include <c10/core/Scalar.h>
#include <c10/core/TensorOptions.h>
#include <c10/util/Exception.h>
#include <c10/util/complex_math.h>

#include <cmath>
#include <limits>
#include <type_traits>

namespace at::native {

DEFINE_DISPATCH(arange_stub);

namespace {

// In integers for an integral result: its arguments are cut to integers before they count, and
// doubles cannot tell neighbours beyond 2^53 apart.
int64_t integral_arange_size(const Scalar& start, const Scalar& end, const Scalar& step) {
  const int64_t first = start.to<int64_t>();
  const int64_t last = end.to<int64_t>();
  const int64_t by = step.to<int64_t>();
  TORCH_CHECK_VALUE(by != 0, "step must be nonzero");
  TORCH_CHECK((by > 0 && last >= first) || (by < 0 && last <= first),
              "upper bound and lower bound inconsistent with step sign");
  // Unsigned, as the distance may be twice what int64 holds.
  const auto from = static_cast<uint64_t>(first);
  const auto to = static_cast<uint64_t>(last);
  const uint64_t distance = by > 0 ? to - from : from - to;
  const uint64_t stride = by > 0 ? static_cast<uint64_t>(by) : 0 - static_cast<uint64_t>(by);
  const uint64_t count = distance / stride + (distance % stride != 0 ? 1 : 0);
  TORCH_CHECK(count < static_cast<uint64_t>(std::numeric_limits<int64_t>::max()),
              "invalid size, possible overflow?");
  return static_cast<int64_t>(count);
}

int64_t arange_size(const Scalar& start, const Scalar& end, const Scalar& step,
                    bool integral_result) {
  const double first = start.to<double>();
  const double last = end.to<double>();
  const double by = step.to<double>();
  TORCH_CHECK(std::isfinite(first) && std::isfinite(last), "unsupported range: ", first, " -> ",
              last);
  TORCH_CHECK(by > 0 || by < 0, "step must be nonzero");
  if (integral_result) return integral_arange_size(start, end, step);
  TORCH_CHECK((by > 0 && last >= first) || (by < 0 && last <= first),
              "upper bound and lower bound inconsistent with step sign");
  const double size = std::ceil((last - first) / by);
  TORCH_CHECK(size >= 0 && size < static_cast<double>(std::numeric_limits<int64_t>::max()),
              "invalid size, possible overflow?");
  return static_cast<int64_t>(size);
}

}  // namespace

Tensor arange(const Scalar& end, std::optional<ScalarType> dtype, std::optional<Layout> layout,
              std::optional<Device> device, std::optional<bool> pin_memory) {
  return native::arange(/*start=*/0, end, dtype, layout, device, pin_memory);
}

Tensor arange(const Scalar& start, const Scalar& end, std::optional<ScalarType> dtype,
              std::optional<Layout> layout, std::optional<Device> device,
              std::optional<bool> pin_memory) {
  return native::arange(start, end, /*step=*/1, dtype, layout, device, pin_memory);
}

Tensor arange(const Scalar& start, const Scalar& end, const Scalar& step,
              std::optional<ScalarType> dtype, std::optional<Layout> layout,
              std::optional<Device> device, std::optional<bool> pin_memory) {
  if (!dtype.has_value() && start.isIntegral(true) && end.isIntegral(true) &&
      step.isIntegral(true)) {
    dtype = kLong;
  }
  Tensor result = at::empty({0}, dtype, layout, device, pin_memory, std::nullopt);
  return at::arange_out(result, start, end, step);
}

Tensor& arange_out(const Scalar& end, Tensor& result) {
  return at::arange_out(result, /*start=*/0, end, /*step=*/1);
}

Tensor& arange_out(const Scalar& start, const Scalar& end, const Scalar& step, Tensor& result) {
  const int64_t size = arange_size(start, end, step, result.scalar_type() == kLong);
  const int64_t numel = result.numel();
  if (numel != size) {
    if (numel > 0) {
      TORCH_WARN("The number of elements in the out tensor of shape ", result.sizes(), " is ",
                 numel, " which does not match the computed number of elements ", size,
                 ". Note that this may occur as a result of rounding error. "
                 "The out tensor will be resized to a tensor of shape (",
                 size, ",).");
    }
    result.resize_({size});
  }
  if (result.is_meta()) return result;
  Tensor r = result.is_contiguous() ? result : result.contiguous();
  auto iter = TensorIterator::borrowing_nullary_op(r);
  arange_stub(iter.device_type(), iter, start, end, step);
  if (!result.is_contiguous()) result.copy_(r);
  return result;
}

// ---- linspace and logspace

namespace {

void check_steps(int64_t steps) { TORCH_CHECK(steps >= 0, "number of steps must be non-negative"); }

void check_0d(const char* name, const Tensor& start, const Tensor& end) {
  TORCH_CHECK(start.dim() == 0 && end.dim() == 0, name,
              " only supports 0-dimensional start and end tensors, but got start with ",
              start.dim(), " dimension(s) and end with ", end.dim(), " dimension(s).");
}

// Complex limits make complex numbers.
ScalarType spaced_dtype(const char* name, const Scalar& start, const Scalar& end,
                        std::optional<ScalarType> dtype) {
  if (start.isComplex() || end.isComplex()) {
    const ScalarType complex = c10::toComplexType(c10::get_default_dtype_as_scalartype());
    TORCH_CHECK(!dtype.has_value() || c10::isComplexType(*dtype), "torch.", name,
                "(): inferred dtype ", complex, " can't be safely cast to passed dtype ",
                dtype.value_or(complex));
    return dtype.value_or(complex);
  }
  return dtype.value_or(c10::get_default_dtype_as_scalartype());
}

double power(double base, double x) { return std::pow(base, x); }

template <typename T>
c10::complex<T> power(double base, c10::complex<T> x) {
  return exp(x * static_cast<T>(std::log(base)));
}

// Both halves are counted from their own end, so that `end` is exact and the result symmetric.
template <typename scalar_t, typename step_t, typename F>
void fill_spaced(scalar_t* out, step_t start, step_t end, int64_t steps, F&& value) {
  if (steps == 1) {
    out[0] = value(start);
    return;
  }
  const step_t step = (end - start) / static_cast<step_t>(steps - 1);
  const int64_t half = steps / 2;
  at::parallel_for(0, steps, at::internal::GRAIN_SIZE, [&](int64_t first, int64_t last) {
    for (int64_t i = first; i < last; ++i) {
      const auto position = static_cast<step_t>(i < half ? i : steps - i - 1);
      out[i] = value(i < half ? start + step * position : end - step * position);
    }
  });
}

}  // namespace

Tensor& linspace_out(const Scalar& start, const Scalar& end, int64_t steps, Tensor& result) {
  check_steps(steps);
  if (result.numel() != steps) result.resize_({steps});
  if (result.is_meta() || steps == 0) return result;
  if (steps == 1) return result.fill_(start);
  Tensor r = result.is_contiguous() ? result : at::empty(result.sizes(), result.options());
  AT_DISPATCH_ALL_TYPES_AND_COMPLEX_AND2(kBFloat16, kHalf, r.scalar_type(), "linspace_cpu", [&] {
    // Integers are cut off after a step in single precision, as their steps need not be whole.
    using step_t = std::conditional_t<std::is_integral_v<scalar_t>, float, scalar_t>;
    const step_t first = std::is_integral_v<scalar_t> ? static_cast<step_t>(start.to<scalar_t>())
                                                      : start.to<step_t>();
    const step_t last =
        std::is_integral_v<scalar_t> ? static_cast<step_t>(end.to<scalar_t>()) : end.to<step_t>();
    fill_spaced(r.mutable_data_ptr<scalar_t>(), first, last, steps,
                [](step_t x) { return static_cast<scalar_t>(x); });
  });
  if (!r.is_same(result)) result.copy_(r.view(result.sizes()));
  return result;
}

Tensor& logspace_out(const Scalar& start, const Scalar& end, int64_t steps, double base,
                     Tensor& result) {
  check_steps(steps);
  if (result.numel() != steps) result.resize_({steps});
  if (result.is_meta() || steps == 0) return result;
  Tensor r = result.is_contiguous() ? result : at::empty(result.sizes(), result.options());
  AT_DISPATCH_ALL_TYPES_AND_COMPLEX_AND2(kBFloat16, kHalf, r.scalar_type(), "logspace_cpu", [&] {
    // Limits of integers are integers, the steps between them need not be whole.
    using step_t = std::conditional_t<c10::is_complex<scalar_t>::value, scalar_t, double>;
    fill_spaced(r.mutable_data_ptr<scalar_t>(), static_cast<step_t>(start.to<scalar_t>()),
                static_cast<step_t>(end.to<scalar_t>()), steps,
                [base](step_t x) { return static_cast<scalar_t>(power(base, x)); });
  });
  if (!r.is_same(result)) result.copy_(r.view(result.sizes()));
  return result;
}

Tensor linspace(const Scalar& start, const Scalar& end, int64_t steps,
                std::optional<ScalarType> dtype, std::optional<Layout> layout,
                std::optional<Device> device, std::optional<bool> pin_memory) {
  check_steps(steps);
  Tensor result = at::empty({steps}, spaced_dtype("linspace", start, end, dtype), layout, device,
                            pin_memory, std::nullopt);
  return at::linspace_out(result, start, end, steps);
}

Tensor logspace(const Scalar& start, const Scalar& end, int64_t steps, double base,
                std::optional<ScalarType> dtype, std::optional<Layout> layout,
                std::optional<Device> device, std::optional<bool> pin_memory) {
  check_steps(steps);
  Tensor result = at::empty({steps}, spaced_dtype("logspace", start, end, dtype), layout, device,
                            pin_memory, std::nullopt);
  return at::logspace_out(result, start, end, steps, base);
}

// The limits may be zero-dimensional tensors.

Tensor linspace(const Tensor& start, const Tensor& end, int64_t steps,
                std::optional<ScalarType> dtype, std::optional<Layout> layout,
                std::optional<Device> device, std::optional<bool> pin_memory) {
  check_0d("linspace", start, end);
  return at::linspace(start.item(), end.item(), steps, dtype, layout, device, pin_memory);
}

Tensor linspace(const Tensor& start, const Scalar& end, int64_t steps,
                std::optional<ScalarType> dtype, std::optional<Layout> layout,
                std::optional<Device> device, std::optional<bool> pin_memory) {
  check_0d("linspace", start, start);
  return at::linspace(start.item(), end, steps, dtype, layout, device, pin_memory);
}

Tensor linspace(const Scalar& start, const Tensor& end, int64_t steps,
                std::optional<ScalarType> dtype, std::optional<Layout> layout,
                std::optional<Device> device, std::optional<bool> pin_memory) {
  check_0d("linspace", end, end);
  return at::linspace(start, end.item(), steps, dtype, layout, device, pin_memory);
}

Tensor& linspace_out(const Tensor& start, const Tensor& end, int64_t steps, Tensor& result) {
  check_0d("linspace", start, end);
  return at::linspace_out(result, start.item(), end.item(), steps);
}

Tensor& linspace_out(const Tensor& start, const Scalar& end, int64_t steps, Tensor& result) {
  check_0d("linspace", start, start);
  return at::linspace_out(result, start.item(), end, steps);
}

Tensor& linspace_out(const Scalar& start, const Tensor& end, int64_t steps, Tensor& result) {
  check_0d("linspace", end, end);
  return at::linspace_out(result, start, end.item(), steps);
}

Tensor logspace(const Tensor& start, const Tensor& end, int64_t steps, double base,
                std::optional<ScalarType> dtype, std::optional<Layout> layout,
                std::optional<Device> device, std::optional<bool> pin_memory) {
  check_0d("logspace", start, end);
  return at::logspace(start.item(), end.item(), steps, base, dtype, layout, device, pin_memory);
}

Tensor logspace(const Tensor& start, const Scalar& end, int64_t steps, double base,
                std::optional<ScalarType> dtype, std::optional<Layout> layout,
                std::optional<Device> device, std::optional<bool> pin_memory) {
  check_0d("logspace", start, start);
  return at::logspace(start.item(), end, steps, base, dtype, layout, device, pin_memory);
}

Tensor logspace(const Scalar& start, const Tensor& end, int64_t steps, double base,
                std::optional<ScalarType> dtype, std::optional<Layout> layout,
                std::optional<Device> device, std::optional<bool> pin_memory) {
  check_0d("logspace", end, end);
  return at::logspace(start, end.item(), steps, base, dtype, layout, device, pin_memory);
}

Tensor& logspace_out(const Tensor& start, const Tensor& end, int64_t steps, double base,
                     Tensor& result) {
  check_0d("logspace", start, end);
  return at::logspace_out(result, start.item(), end.item(), steps, base);
}

Tensor& logspace_out(const Tensor& start, const Scalar& end, int64_t steps, double base,
                     Tensor& result) {
  check_0d("logspace", start, start);
  return at::logspace_out(result, start.item(), end, steps, base);
}

Tensor& logspace_out(const Scalar& start, const Tensor& end, int64_t steps, double base,
                     Tensor& result) {
  check_0d("logspace", end, end);
  return at::logspace_out(result, start, end.item(), steps, base);
}

}  // namespace at::native
