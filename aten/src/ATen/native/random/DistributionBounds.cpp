#define TORCH_ASSERT_ONLY_METHOD_OPERATORS
#include <ATen/native/DistributionBounds.h>

#include <c10/core/ScalarType.h>
#include <c10/util/BFloat16.h>
#include <c10/util/Exception.h>
#include <c10/util/Half.h>

#include <limits>

namespace at::native {

int64_t largest_exact_integer(ScalarType dtype) {
  switch (dtype) {
    case kDouble:
      return int64_t{1} << 53;
    case kFloat:
      return int64_t{1} << 24;
    case kHalf:
      return int64_t{1} << 11;
    case kBFloat16:
      return int64_t{1} << 8;
    case kBool:
      return 1;
    case kByte:
      return std::numeric_limits<uint8_t>::max();
    case kUInt16:
      return std::numeric_limits<uint16_t>::max();
    case kUInt32:
      return std::numeric_limits<uint32_t>::max();
    case kChar:
      return std::numeric_limits<int8_t>::max();
    case kShort:
      return std::numeric_limits<int16_t>::max();
    case kInt:
      return std::numeric_limits<int32_t>::max();
    default:
      return std::numeric_limits<int64_t>::max();
  }
}

namespace {

int64_t smallest_value(ScalarType dtype) {
  switch (dtype) {
    case kBool:
    case kByte:
    case kUInt16:
    case kUInt32:
    case kUInt64:
      return 0;
    case kChar:
      return std::numeric_limits<int8_t>::min();
    case kShort:
      return std::numeric_limits<int16_t>::min();
    case kInt:
      return std::numeric_limits<int32_t>::min();
    case kLong:
      return std::numeric_limits<int64_t>::min();
    default:
      return -largest_exact_integer(dtype);
  }
}

void warn_inexact(const char* name, int64_t value, ScalarType dtype) {
  const int64_t exact = largest_exact_integer(dtype);
  if (-exact <= value && value <= exact) return;
  TORCH_WARN(name, " is out of bounds [", -exact, ", ", exact, "]. Due to precision limitations ",
             dtype, " can support discrete uniform distribution only within this range.");
}

double largest_value(ScalarType dtype) {
  switch (dtype) {
    case kHalf:
      return std::numeric_limits<c10::Half>::max();
    case kBFloat16:
      return std::numeric_limits<c10::BFloat16>::max();
    case kFloat:
      return std::numeric_limits<float>::max();
    default:
      return std::numeric_limits<double>::max();
  }
}

}  // namespace

IntegerRange random_range(int64_t from, std::optional<int64_t> to, ScalarType dtype) {
  TORCH_CHECK(!c10::isComplexType(dtype),
              "check_random_bounds handles only integral, floating-point and boolean types");
  const int64_t high = largest_exact_integer(dtype);
  const int64_t last = to.has_value() ? *to - 1 : high;
  TORCH_CHECK(!to.has_value() || from < *to,
              "random_ expects 'from' to be less than 'to', but got from=", from,
              " >= to=", to.value_or(0));
  if (!c10::isFloatingType(dtype)) {
    const int64_t low = smallest_value(dtype);
    TORCH_CHECK(low <= from && from <= high, "from is out of bounds for ", dtype);
    TORCH_CHECK(low <= last && last <= high, "to - 1 is out of bounds for ", dtype);
  } else {
    warn_inexact("from", from, dtype);
    warn_inexact("to - 1", last, dtype);
  }
  return {static_cast<uint64_t>(last) - static_cast<uint64_t>(from) + 1, from};
}

void check_uniform(double from, double to, ScalarType dtype) {
  TORCH_CHECK_NOT_IMPLEMENTED(c10::isFloatingType(dtype),
                              "\"check_uniform_bounds\" not implemented for '", dtype, "'");
  const double largest = largest_value(dtype);
  TORCH_CHECK(-largest <= from && from <= largest, "from is out of bounds for ", dtype);
  TORCH_CHECK(-largest <= to && to <= largest, "to is out of bounds for ", dtype);
  TORCH_CHECK(from <= to, "uniform_ expects to return a [from, to) range, but found from=", from,
              " > to=", to);
  TORCH_CHECK(to - from <= largest, "uniform_ expects to-from <= std::numeric_limits<", dtype,
              ">::max(), but found to=", to, " and from=", from,
              " which result in to-from to exceed the limit");
}

void check_normal(double std) {
  TORCH_CHECK(std >= 0.0, "normal expects std >= 0.0, but found std ", std);
}

void check_exponential(double lambd) {
  TORCH_CHECK(lambd > 0.0, "exponential_ expects lambda > 0.0, but found lambda=", lambd);
}

void check_bernoulli(double p) {
  TORCH_CHECK(0 <= p && p <= 1, "bernoulli_ expects p to be in [0, 1], but got p=", p);
}

}  // namespace at::native
