// New tensors of random numbers.

#define TORCH_ASSERT_ONLY_METHOD_OPERATORS
#include <ATen/CPUGeneratorImpl.h>
#include <ATen/Dispatch.h>
#include <ATen/core/Generator.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/DistributionBounds.h>
#include <ATen/native/OutVariant.h>
#include <ATen/native/Resize.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/rand_like_native.h>
#include <ATen/ops/rand_native.h>
#include <ATen/ops/randint_like_native.h>
#include <ATen/ops/randint_native.h>
#include <ATen/ops/randn_like_native.h>
#include <ATen/ops/randn_native.h>
#include <ATen/ops/randperm.h>
#include <ATen/ops/randperm_native.h>
#include <c10/core/ScalarType.h>
#include <c10/util/Exception.h>

#include <cstdint>
#include <mutex>
#include <optional>
#include <utility>

namespace at::native {

Tensor rand(IntArrayRef size, std::optional<ScalarType> dtype, std::optional<Layout> layout,
            std::optional<Device> device, std::optional<bool> pin_memory) {
  return native::rand(size, static_cast<std::optional<Generator>>(std::nullopt), dtype, layout,
                      device, pin_memory);
}

Tensor rand(IntArrayRef size, std::optional<Generator> generator, std::optional<ScalarType> dtype,
            std::optional<Layout> layout, std::optional<Device> device,
            std::optional<bool> pin_memory) {
  return at::empty(size, dtype, layout, device, pin_memory, std::nullopt)
      .uniform_(0, 1, std::move(generator));
}

Tensor rand_like(const Tensor& self, std::optional<ScalarType> dtype, std::optional<Layout> layout,
                 std::optional<Device> device, std::optional<bool> pin_memory,
                 std::optional<MemoryFormat> memory_format) {
  return at::empty_like(self, dtype, layout, device, pin_memory, memory_format)
      .uniform_(0, 1, std::nullopt);
}

Tensor randn(IntArrayRef size, std::optional<ScalarType> dtype, std::optional<Layout> layout,
             std::optional<Device> device, std::optional<bool> pin_memory) {
  return native::randn(size, static_cast<std::optional<Generator>>(std::nullopt), dtype, layout,
                       device, pin_memory);
}

Tensor randn(IntArrayRef size, std::optional<Generator> generator, std::optional<ScalarType> dtype,
             std::optional<Layout> layout, std::optional<Device> device,
             std::optional<bool> pin_memory) {
  return at::empty(size, dtype, layout, device, pin_memory, std::nullopt)
      .normal_(0, 1, std::move(generator));
}

Tensor randn_like(const Tensor& self, std::optional<ScalarType> dtype, std::optional<Layout> layout,
                  std::optional<Device> device, std::optional<bool> pin_memory,
                  std::optional<MemoryFormat> memory_format) {
  return at::empty_like(self, dtype, layout, device, pin_memory, memory_format)
      .normal_(0, 1, std::nullopt);
}

Tensor randint(int64_t high, IntArrayRef size, std::optional<ScalarType> dtype,
               std::optional<Layout> layout, std::optional<Device> device,
               std::optional<bool> pin_memory) {
  return native::randint(0, high, size, std::nullopt, dtype, layout, device, pin_memory);
}

Tensor randint(int64_t high, IntArrayRef size, std::optional<Generator> generator,
               std::optional<ScalarType> dtype, std::optional<Layout> layout,
               std::optional<Device> device, std::optional<bool> pin_memory) {
  return native::randint(0, high, size, std::move(generator), dtype, layout, device, pin_memory);
}

Tensor randint(int64_t low, int64_t high, IntArrayRef size, std::optional<ScalarType> dtype,
               std::optional<Layout> layout, std::optional<Device> device,
               std::optional<bool> pin_memory) {
  return native::randint(low, high, size, std::nullopt, dtype, layout, device, pin_memory);
}

Tensor randint(int64_t low, int64_t high, IntArrayRef size, std::optional<Generator> generator,
               std::optional<ScalarType> dtype, std::optional<Layout> layout,
               std::optional<Device> device, std::optional<bool> pin_memory) {
  return at::empty(size, dtype.value_or(kLong), layout, device, pin_memory, std::nullopt)
      .random_(low, high, std::move(generator));
}

Tensor randint_like(const Tensor& self, int64_t high, std::optional<ScalarType> dtype,
                    std::optional<Layout> layout, std::optional<Device> device,
                    std::optional<bool> pin_memory, std::optional<MemoryFormat> memory_format) {
  return at::empty_like(self, dtype, layout, device, pin_memory, memory_format)
      .random_(0, high, std::nullopt);
}

namespace {

// Fisher and Yates: each place receives one of those that are left.
template <typename scalar_t>
void shuffle(Tensor& result, int64_t n, CPUGeneratorImpl* generator) {
  const std::lock_guard<std::mutex> lock(generator->mutex_);
  auto* data = result.mutable_data_ptr<scalar_t>();
  for (int64_t i = 0; i < n; ++i) data[i] = static_cast<scalar_t>(i);
  for (int64_t i = 0; i < n - 1; ++i) {
    const auto left = static_cast<uint64_t>(n - i);
    const uint64_t z =
        (left < (uint64_t{1} << 28) ? generator->random() : generator->random64()) % left;
    std::swap(data[i], data[i + static_cast<int64_t>(z)]);
  }
}

}  // namespace

Tensor randperm(int64_t n, std::optional<ScalarType> dtype, std::optional<Layout> layout,
                std::optional<Device> device, std::optional<bool> pin_memory) {
  return native::randperm(n, std::nullopt, dtype, layout, device, pin_memory);
}

Tensor randperm(int64_t n, std::optional<Generator> generator, std::optional<ScalarType> dtype,
                std::optional<Layout> layout, std::optional<Device> device,
                std::optional<bool> pin_memory) {
  TORCH_CHECK(n >= 0, "n must be non-negative, got ", n);
  const ScalarType type = dtype.value_or(kLong);
  TORCH_CHECK(type != kBool && largest_exact_integer(type) >= n - 1,
              "n is too large for result tensor type: '", type, "'");
  Tensor result = at::empty({n}, type, layout, device, pin_memory, std::nullopt);
  if (result.is_meta()) return result;
  if (!result.is_cpu()) {
    // Where there is no order in which numbers are drawn: the order of random keys.
    const Tensor keys = at::empty({n}, result.options().dtype(kLong)).random_(std::move(generator));
    return result.copy_(keys.argsort());
  }
  auto* cpu_generator =
      get_generator_or_default<CPUGeneratorImpl>(generator, at::detail::getDefaultCPUGenerator());
  AT_DISPATCH_ALL_TYPES_AND2(kHalf, kBFloat16, type, "randperm",
                             [&] { shuffle<scalar_t>(result, n, cpu_generator); });
  return result;
}

// ---- out= of the factories

Tensor& rand_out(IntArrayRef size, Tensor& result) {
  return native::rand_out(size, std::nullopt, result);
}

Tensor& rand_out(IntArrayRef size, std::optional<Generator> generator, Tensor& result) {
  resize_output(result, size);
  return result.uniform_(0, 1, std::move(generator));
}

Tensor& randn_out(IntArrayRef size, Tensor& result) {
  return native::randn_out(size, std::nullopt, result);
}

Tensor& randn_out(IntArrayRef size, std::optional<Generator> generator, Tensor& result) {
  resize_output(result, size);
  return result.normal_(0, 1, std::move(generator));
}

Tensor& randint_out(int64_t high, IntArrayRef size, Tensor& result) {
  return native::randint_out(0, high, size, std::nullopt, result);
}

Tensor& randint_out(int64_t high, IntArrayRef size, std::optional<Generator> generator,
                    Tensor& result) {
  return native::randint_out(0, high, size, std::move(generator), result);
}

Tensor& randint_out(int64_t low, int64_t high, IntArrayRef size, Tensor& result) {
  return native::randint_out(low, high, size, std::nullopt, result);
}

Tensor& randint_out(int64_t low, int64_t high, IntArrayRef size, std::optional<Generator> generator,
                    Tensor& result) {
  resize_output(result, size);
  return result.random_(low, high, std::move(generator));
}

Tensor& randperm_out(int64_t n, Tensor& result) {
  return write_to_out(at::randperm(n, result.options()), result);
}

Tensor& randperm_out_cpu(int64_t n, std::optional<Generator> generator, Tensor& result) {
  return write_to_out(at::randperm(n, std::move(generator), result.options()), result);
}

// ---- the shape of another tensor, with a generator

Tensor rand_like(const Tensor& self, std::optional<Generator> generator,
                 std::optional<ScalarType> dtype, std::optional<Layout> layout,
                 std::optional<Device> device, std::optional<bool> pin_memory,
                 std::optional<MemoryFormat> memory_format) {
  return at::empty_like(self, dtype, layout, device, pin_memory, memory_format)
      .uniform_(0, 1, std::move(generator));
}

Tensor randint_like(const Tensor& self, int64_t high, std::optional<Generator> generator,
                    std::optional<ScalarType> dtype, std::optional<Layout> layout,
                    std::optional<Device> device, std::optional<bool> pin_memory,
                    std::optional<MemoryFormat> memory_format) {
  return at::empty_like(self, dtype, layout, device, pin_memory, memory_format)
      .random_(0, high, std::move(generator));
}

Tensor randint_like(const Tensor& self, int64_t low, int64_t high, std::optional<ScalarType> dtype,
                    std::optional<Layout> layout, std::optional<Device> device,
                    std::optional<bool> pin_memory, std::optional<MemoryFormat> memory_format) {
  return at::empty_like(self, dtype, layout, device, pin_memory, memory_format)
      .random_(low, high, std::nullopt);
}

Tensor randint_like(const Tensor& self, int64_t low, int64_t high,
                    std::optional<Generator> generator, std::optional<ScalarType> dtype,
                    std::optional<Layout> layout, std::optional<Device> device,
                    std::optional<bool> pin_memory, std::optional<MemoryFormat> memory_format) {
  return at::empty_like(self, dtype, layout, device, pin_memory, memory_format)
      .random_(low, high, std::move(generator));
}

Tensor randint_like(const Tensor& self, const Tensor& high, std::optional<ScalarType> dtype,
                    std::optional<Layout> layout, std::optional<Device> device,
                    std::optional<bool> pin_memory, std::optional<MemoryFormat> memory_format) {
  TORCH_CHECK(high.numel() == 1 && high.dim() == 0 && high.device().is_cpu(),
              "high must be a scalar tensor and on CPU");
  return native::randint_like(self, high.item().toLong(), std::nullopt, dtype, layout, device,
                              pin_memory, memory_format);
}

Tensor randint_like(const Tensor& self, const Tensor& high, std::optional<Generator> generator,
                    std::optional<ScalarType> dtype, std::optional<Layout> layout,
                    std::optional<Device> device, std::optional<bool> pin_memory,
                    std::optional<MemoryFormat> memory_format) {
  TORCH_CHECK(high.numel() == 1 && high.dim() == 0 && high.device().is_cpu(),
              "high must be a scalar tensor and on CPU");
  return native::randint_like(self, high.item().toLong(), std::move(generator), dtype, layout,
                              device, pin_memory, memory_format);
}

}  // namespace at::native
