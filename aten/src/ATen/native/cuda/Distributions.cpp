// Random numbers on a GPU: checks, and a stretch of the generator's numbers for each call.

#define TORCH_ASSERT_ONLY_METHOD_OPERATORS
#include <ATen/core/Tensor.h>
#include <ATen/cuda/CUDAGeneratorImpl.h>
#include <ATen/native/cuda/DistributionKernels.h>
#include <ATen/ops/bernoulli_native.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/exponential_native.h>
#include <ATen/ops/normal_native.h>
#include <ATen/ops/random_native.h>
#include <ATen/ops/uniform_native.h>
#include <c10/core/ScalarType.h>
#include <c10/util/Exception.h>

#include <cstdint>
#include <limits>
#include <mutex>
#include <optional>
#include <utility>

namespace at::native {
namespace {

PhiloxCudaState draw(const Tensor& self, const std::optional<Generator>& gen) {
  auto* generator = get_generator_or_default<CUDAGeneratorImpl>(
      gen, at::cuda::detail::getDefaultCUDAGenerator(self.device().index()));
  const std::lock_guard<std::mutex> lock(generator->mutex_);
  return generator->philox_cuda_state(kRandomBlocks);
}

// Calls fill(contiguous tensor, state) for `self`.
template <typename Fill>
Tensor& fill_with(Tensor& self, const std::optional<Generator>& gen, const Fill& fill) {
  if (self.numel() == 0) return self;
  const PhiloxCudaState state = draw(self, gen);
  if (self.is_contiguous()) {
    fill(self, state);
  } else {
    const Tensor dense = at::empty_like(self, MemoryFormat::Contiguous);
    fill(dense, state);
    self.copy_(dense);
  }
  return self;
}

// Integers up to here are exact in a type.
int64_t largest_integer(ScalarType dtype) {
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

}  // namespace

Tensor& uniform_cuda_(Tensor& self, double from, double to, std::optional<Generator> gen) {
  TORCH_CHECK(c10::isFloatingType(self.scalar_type()),
              "\"check_uniform_bounds\" not implemented for '", self.scalar_type(), "'");
  TORCH_CHECK(from <= to, "uniform_ expects to return a [from, to) range, but found from=", from,
              " > to=", to);
  return fill_with(self, gen, [&](const Tensor& dense, PhiloxCudaState state) {
    fill_uniform(dense, from, to, state);
  });
}

Tensor& normal_cuda_(Tensor& self, double mean, double std, std::optional<Generator> gen) {
  TORCH_CHECK(std >= 0.0, "normal expects std >= 0.0, but found std ", std);
  return fill_with(self, gen, [&](const Tensor& dense, PhiloxCudaState state) {
    fill_normal(dense, mean, std, state);
  });
}

Tensor& exponential_cuda_(Tensor& self, double lambd, std::optional<Generator> gen) {
  TORCH_CHECK(lambd > 0.0, "exponential_ expects lambda > 0.0, but found lambda=", lambd);
  return fill_with(self, gen, [&](const Tensor& dense, PhiloxCudaState state) {
    fill_exponential(dense, lambd, state);
  });
}

Tensor& bernoulli_cuda_(Tensor& self, double p, std::optional<Generator> gen) {
  TORCH_CHECK(0 <= p && p <= 1, "bernoulli_ expects p to be in [0, 1], but got p=", p);
  return fill_with(self, gen, [&](const Tensor& dense, PhiloxCudaState state) {
    fill_bernoulli(dense, p, state);
  });
}

Tensor& bernoulli_cuda_(Tensor& self, const Tensor& p, std::optional<Generator> gen) {
  const Tensor probabilities = p.to(self.device(), kFloat).expand(self.sizes()).contiguous();
  return fill_with(self, gen, [&](const Tensor& dense, PhiloxCudaState state) {
    fill_bernoulli(dense, probabilities, state);
  });
}

Tensor& random_cuda_(Tensor& self, std::optional<Generator> gen) {
  const uint64_t range = static_cast<uint64_t>(largest_integer(self.scalar_type())) + 1;
  return fill_with(self, gen, [&](const Tensor& dense, PhiloxCudaState state) {
    fill_integers(dense, range, 0, state);
  });
}

Tensor& random_cuda_(Tensor& self, int64_t from, std::optional<int64_t> to,
                     std::optional<Generator> gen) {
  const int64_t last = to.has_value() ? *to - 1 : largest_integer(self.scalar_type());
  TORCH_CHECK(!to.has_value() || from < *to,
              "random_ expects 'from' to be less than 'to', but got from=", from,
              " >= to=", to.value_or(0));
  if (!c10::isFloatingType(self.scalar_type())) {
    const int64_t high = largest_integer(self.scalar_type());
    const bool is_unsigned = self.scalar_type() == kBool || self.scalar_type() == kByte;
    const int64_t low = is_unsigned ? 0 : -high - 1;
    TORCH_CHECK(low <= from && from <= high, "from is out of bounds for ", self.scalar_type());
    TORCH_CHECK(low <= last && last <= high, "to - 1 is out of bounds for ", self.scalar_type());
  }
  const uint64_t range = static_cast<uint64_t>(last) - static_cast<uint64_t>(from) + 1;
  return fill_with(self, gen, [&](const Tensor& dense, PhiloxCudaState state) {
    fill_integers(dense, range, from, state);
  });
}

Tensor& random_cuda_(Tensor& self, int64_t to, std::optional<Generator> gen) {
  return native::random_cuda_(self, 0, to, std::move(gen));
}

}  // namespace at::native
