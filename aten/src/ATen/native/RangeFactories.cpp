// arange: evenly spaced numbers from `start` to, and without, `end`.

#define TORCH_ASSERT_ONLY_METHOD_OPERATORS
#include <ATen/native/RangeFactories.h>

#include <ATen/Dispatch.h>
#include <ATen/TensorIterator.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/arange_native.h>
#include <ATen/ops/empty.h>
#include <c10/core/DefaultDtype.h>
#include <c10/core/Scalar.h>
#include <c10/core/TensorOptions.h>
#include <c10/util/Exception.h>

#include <cmath>
#include <limits>
#include <type_traits>

namespace at::native {

DEFINE_DISPATCH(arange_stub);

namespace {

int64_t arange_size(const Scalar& start, const Scalar& end, const Scalar& step,
                    bool integral_result) {
  const double dstart = start.to<double>();
  const double dend = end.to<double>();
  const double dstep = step.to<double>();
  TORCH_CHECK(dstep > 0 || dstep < 0, "step must be nonzero");
  TORCH_CHECK(std::isfinite(dstart) && std::isfinite(dend), "unsupported range: ", dstart, " -> ",
              dend);
  TORCH_CHECK((dstep > 0 && dend >= dstart) || (dstep < 0 && dend <= dstart),
              "upper bound and lower bound inconsistent with step sign");
  double size = 0;
  if (integral_result && start.isIntegral(true) && end.isIntegral(true) && step.isIntegral(true)) {
    // In integers: doubles cannot tell neighbours beyond 2^53 apart.
    // Unsigned, as the distance may be twice what int64 holds.
    const auto istart = static_cast<uint64_t>(start.to<int64_t>());
    const auto iend = static_cast<uint64_t>(end.to<int64_t>());
    const auto istep = static_cast<uint64_t>(step.to<int64_t>());
    const uint64_t distance = dstep > 0 ? iend - istart : istart - iend;
    const uint64_t stride = dstep > 0 ? istep : 0 - istep;
    const uint64_t count = distance / stride + (distance % stride != 0 ? 1 : 0);
    TORCH_CHECK(count < static_cast<uint64_t>(std::numeric_limits<int64_t>::max()),
                "invalid size, possible overflow?");
    return static_cast<int64_t>(count);
  } else {
    size = std::ceil((dend - dstart) / dstep);
  }
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
  const bool integral = isIntegralType(result.scalar_type(), /*includeBool=*/false);
  const int64_t size = arange_size(start, end, step, integral);
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

}  // namespace at::native
