// Random numbers on a GPU: checks, and a stretch of the generator's numbers for each call.

#define TORCH_ASSERT_ONLY_METHOD_OPERATORS
#include <ATen/core/Tensor.h>
#include <ATen/cuda/CUDAGeneratorImpl.h>
#include <ATen/native/DistributionBounds.h>
#include <ATen/native/cuda/DistributionKernels.h>
#include <ATen/ops/bernoulli_native.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/exponential_native.h>
#include <ATen/ops/normal_native.h>
#include <ATen/ops/random_native.h>
#include <ATen/ops/uniform_native.h>
#include <c10/core/ScalarType.h>

#include <cstdint>
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

}  // namespace

Tensor& uniform_cuda_(Tensor& self, double from, double to, std::optional<Generator> gen) {
  check_uniform(from, to, self.scalar_type());
  return fill_with(self, gen, [&](const Tensor& dense, PhiloxCudaState state) {
    fill_uniform(dense, from, to, state);
  });
}

Tensor& normal_cuda_(Tensor& self, double mean, double std, std::optional<Generator> gen) {
  check_normal(std);
  return fill_with(self, gen, [&](const Tensor& dense, PhiloxCudaState state) {
    fill_normal(dense, mean, std, state);
  });
}

Tensor& exponential_cuda_(Tensor& self, double lambd, std::optional<Generator> gen) {
  check_exponential(lambd);
  return fill_with(self, gen, [&](const Tensor& dense, PhiloxCudaState state) {
    fill_exponential(dense, lambd, state);
  });
}

Tensor& bernoulli_cuda_(Tensor& self, double p, std::optional<Generator> gen) {
  check_bernoulli(p);
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
  const uint64_t range = static_cast<uint64_t>(largest_exact_integer(self.scalar_type())) + 1;
  return fill_with(self, gen, [&](const Tensor& dense, PhiloxCudaState state) {
    fill_integers(dense, range, 0, state);
  });
}

Tensor& random_cuda_(Tensor& self, int64_t from, std::optional<int64_t> to,
                     std::optional<Generator> gen) {
  const IntegerRange range = random_range(from, to, self.scalar_type());
  return fill_with(self, gen, [&](const Tensor& dense, PhiloxCudaState state) {
    fill_integers(dense, range.count, range.first, state);
  });
}

Tensor& random_cuda_(Tensor& self, int64_t to, std::optional<Generator> gen) {
  return native::random_cuda_(self, 0, to, std::move(gen));
}

}  // namespace at::native
