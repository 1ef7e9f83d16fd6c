// Random numbers. The same seed gives PyTorch's numbers on the CPU, except for bernoulli_, whose
// numbers there depend on the math library it was built with.

#define TORCH_ASSERT_ONLY_METHOD_OPERATORS
#include <ATen/native/DispatchUnsigned.h>
#include <ATen/native/Distributions.h>

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/TensorIterator.h>
#include <ATen/core/DistributionsHelper.h>
#include <ATen/core/Generator.h>
#include <ATen/core/MT19937RNGEngine.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/Copy.h>
#include <ATen/native/DistributionBounds.h>
#include <ATen/ops/bernoulli_native.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/normal_native.h>
#include <ATen/ops/random_native.h>
#include <ATen/ops/uniform_native.h>
#include <ATen/ops/view_as_real.h>
#include <c10/core/ScalarType.h>
#include <c10/util/Exception.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <mutex>
#include <numbers>
#include <optional>
#include <type_traits>
#include <utility>

namespace at::native {

DEFINE_DISPATCH(bernoulli_fill_stub);
DEFINE_DISPATCH(normal_fill_stub);
DEFINE_DISPATCH(uniform_fill_stub);

namespace {

constexpr int64_t kBlock = 512;  // elements that are drawn together

CPUGeneratorImpl* cpu_generator(const std::optional<Generator>& generator) {
  return get_generator_or_default<CPUGeneratorImpl>(generator,
                                                    at::detail::getDefaultCPUGenerator());
}

// Calls fill(data, n) for all elements of `self` in order of memory: with a block of its own where
// they are apart.
template <typename scalar_t, typename Fill>
void fill_in_blocks(const Tensor& self, Fill fill) {
  if (self.is_contiguous()) {
    fill(self.mutable_data_ptr<scalar_t>(), self.numel());
    return;
  }
  auto iter = TensorIterator::borrowing_nullary_op(self);
  // Rows that are short, or whose elements are apart, take what was drawn for many of them.
  constexpr int64_t kLongRow = 64;
  const bool dense = iter.ndim() > 0 && iter.strides(0)[0] == int64_t{sizeof(scalar_t)} &&
                     (iter.ndim() == 1 || iter.shape()[0] >= kLongRow);
  scalar_t block[kBlock];
  int64_t next = 0;
  int64_t drawn = 0;
  int64_t left = iter.numel();
  iter.serial_for_each(
      [&](char** data, const int64_t* strides, int64_t n) {
        if (dense) {
          fill(reinterpret_cast<scalar_t*>(data[0]), n);
          return;
        }
        for (int64_t i = 0; i < n; ++i) {
          if (next == drawn) {
            drawn = std::min(kBlock, left);
            left -= drawn;
            next = 0;
            fill(block, drawn);
          }
          *reinterpret_cast<scalar_t*>(data[0] + i * strides[0]) = block[next++];
        }
      },
      {0, iter.numel()});
}

// Writes draw() to every element of `self` in order of memory, under the generator's lock.
template <typename scalar_t, typename Draw>
void fill_serially(const Tensor& self, CPUGeneratorImpl* generator, Draw draw) {
  const std::lock_guard<std::mutex> lock(generator->mutex_);
  fill_in_blocks<scalar_t>(self, [&](scalar_t* data, int64_t n) {
    if constexpr (std::is_same_v<scalar_t, c10::Half> || std::is_same_v<scalar_t, c10::BFloat16>) {
      // Rounded by vectors, a block at a time.
      float block[kBlock];
      for (int64_t begin = 0; begin < n; begin += kBlock) {
        const int64_t count = std::min(kBlock, n - begin);
        for (int64_t i = 0; i < count; ++i) block[i] = static_cast<float>(draw());
        narrow_stub(DeviceType::CPU, data + begin, block, count, self.scalar_type());
      }
    } else {
      for (int64_t i = 0; i < n; ++i) data[i] = static_cast<scalar_t>(draw());
    }
  });
}

// Calls fill with the words of the generator's engine, which it advances, under the lock.
template <typename Fill>
void with_engine(CPUGeneratorImpl* generator, Fill fill) {
  const std::lock_guard<std::mutex> lock(generator->mutex_);
  mt19937 engine = generator->engine();
  mt19937_data_pod words = engine.data();
  fill(words);
  engine.set_data(words);
  generator->set_engine(engine);
}

// ---- normal

template <typename T>
void to_normal(T* data, int64_t blocks, T mean, T std) {
  normal_fill_stub(DeviceType::CPU, data, blocks, static_cast<double>(mean),
                   static_cast<double>(std), c10::CppTypeToScalarType<T>::value);
}

void fill_uniform(void* data, int64_t n, ScalarType dtype, mt19937_data_pod& engine) {
  uniform_fill_stub(DeviceType::CPU, data, n, 0, 1, dtype, engine);
}

// If the size is no multiple of the block, the last block is drawn again, up to the end.
template <typename T>
void normal_fill(T* data, int64_t size, T mean, T std, CPUGeneratorImpl* generator) {
  constexpr ScalarType dtype = c10::CppTypeToScalarType<T>::value;
  with_engine(generator, [&](mt19937_data_pod& engine) {
    fill_uniform(data, size, dtype, engine);
    to_normal(data, size / kNormalBlock, mean, std);
    if (size % kNormalBlock != 0) {
      T* last = data + size - kNormalBlock;
      fill_uniform(last, kNormalBlock, dtype, engine);
      to_normal(last, 1, mean, std);
    }
  });
}

// 16-bit types are filled from blocks of floats. The last block is drawn whole, up to the end.
void narrow_normal_fill(uint16_t* data, int64_t size, float mean, float std, ScalarType dtype,
                        CPUGeneratorImpl* generator) {
  static_assert(kBlock % kNormalBlock == 0);
  with_engine(generator, [&](mt19937_data_pod& engine) {
    float block[kBlock];
    const auto fill = [&](int64_t begin, int64_t count) {
      fill_uniform(block, count, kFloat, engine);
      to_normal(block, count / kNormalBlock, mean, std);
      narrow_stub(DeviceType::CPU, data + begin, block, count, dtype);
    };
    const int64_t whole = size / kNormalBlock * kNormalBlock;
    for (int64_t begin = 0; begin < whole; begin += kBlock) {
      fill(begin, std::min(kBlock, whole - begin));
    }
    if (whole < size) fill(size - kNormalBlock, kNormalBlock);
  });
}

}  // namespace

Tensor& normal_(Tensor& self, double mean, double std, std::optional<Generator> gen) {
  check_normal(std);
  if (self.is_complex()) {
    // The variance is that of both parts together.
    Tensor parts = at::view_as_real(self);
    native::normal_(parts, mean, std / std::numbers::sqrt2, std::move(gen));
    return self;
  }
  if (self.numel() == 0) return self;
  TORCH_CHECK_NOT_IMPLEMENTED(c10::isFloatingType(self.scalar_type()),
                              "\"normal_kernel_cpu\" not implemented for '", self.scalar_type(),
                              "'");
  if (self.is_meta()) return self;
  CPUGeneratorImpl* generator = cpu_generator(gen);
  AT_DISPATCH_FLOATING_TYPES_AND2(kBFloat16, kHalf, self.scalar_type(), "normal_kernel_cpu", [&] {
    if (self.numel() < kNormalBlock || !self.is_contiguous()) {
      at::normal_distribution<double> normal(mean, std);
      fill_serially<scalar_t>(self, generator, [&] { return normal(generator); });
    } else {
      auto* data = self.mutable_data_ptr<scalar_t>();
      if constexpr (sizeof(scalar_t) < sizeof(float)) {
        narrow_normal_fill(reinterpret_cast<uint16_t*>(data), self.numel(),
                           static_cast<float>(mean), static_cast<float>(std), self.scalar_type(),
                           generator);
      } else {
        normal_fill(data, self.numel(), static_cast<scalar_t>(mean), static_cast<scalar_t>(std),
                    generator);
      }
    }
  });
  return self;
}

// ---- uniform

Tensor& uniform_(Tensor& self, double from, double to, std::optional<Generator> gen) {
  if (self.is_complex()) {
    Tensor parts = at::view_as_real(self);
    native::uniform_(parts, from, to, std::move(gen));
    return self;
  }
  check_uniform(from, to, self.scalar_type());
  if (self.is_meta() || self.numel() == 0) return self;
  CPUGeneratorImpl* generator = cpu_generator(gen);
  AT_DISPATCH_FLOATING_TYPES_AND2(kBFloat16, kHalf, self.scalar_type(), "uniform_kernel_cpu", [&] {
    with_engine(generator, [&](mt19937_data_pod& engine) {
      fill_in_blocks<scalar_t>(self, [&](scalar_t* data, int64_t n) {
        uniform_fill_stub(DeviceType::CPU, data, n, from, to, self.scalar_type(), engine);
      });
    });
  });
  return self;
}

// ---- integers

namespace {

// Integers in [base, base + range).
void random_from_to(Tensor& self, uint64_t range, int64_t base, CPUGeneratorImpl* generator) {
  AT_DISPATCH_ORDERED_TYPES(self.scalar_type(), "random_from_to_kernel_cpu", [&] {
    // A 32-bit division gives the same numbers and is faster.
    if (range != 0 && range < (uint64_t{1} << 28)) {
      const auto divisor = static_cast<uint32_t>(range);
      fill_serially<scalar_t>(self, generator, [&] {
        return base + static_cast<int64_t>(generator->random() % divisor);
      });
      return;
    }
    at::uniform_int_from_to_distribution<int64_t> random(range, base);
    fill_serially<scalar_t>(self, generator, [&] { return random(generator); });
  });
}

// Any int64_t: what random_(from) of the least one draws.
Tensor& random_of_all_bits(Tensor& self, CPUGeneratorImpl* generator) {
  const ScalarType type = self.scalar_type();
  TORCH_CHECK(
      type == kLong || type == kDouble || type == kFloat || type == kBFloat16,
      "random_full_64_bits_range_kernel_cpu handles only int64, double, float and bfloat16");
  if (self.is_meta() || self.numel() == 0) return self;
  AT_DISPATCH_ALL_TYPES_AND(kBFloat16, type, "random_full_64_bits_range_kernel_cpu", [&] {
    fill_serially<scalar_t>(self, generator,
                            [&] { return static_cast<int64_t>(generator->random64()); });
  });
  return self;
}

}  // namespace

Tensor& random_(Tensor& self, std::optional<Generator> gen) {
  if (self.is_meta() || self.numel() == 0) return self;
  CPUGeneratorImpl* generator = cpu_generator(gen);
  const auto count = static_cast<uint64_t>(largest_exact_integer(self.scalar_type())) + 1;
  const bool wide = self.scalar_type() == kLong || self.scalar_type() == kDouble;
  AT_DISPATCH_ALL_TYPES_AND3(kBool, kBFloat16, kHalf, self.scalar_type(), "random_kernel_cpu", [&] {
    fill_serially<scalar_t>(self, generator, [&]() -> int64_t {
      const uint64_t x = wide ? generator->random64() : generator->random();
      return static_cast<int64_t>(x % count);
    });
  });
  return self;
}

Tensor& random_(Tensor& self, int64_t from, std::optional<int64_t> to,
                std::optional<Generator> gen) {
  if (!to.has_value() && from == std::numeric_limits<int64_t>::lowest()) {
    return random_of_all_bits(self, cpu_generator(gen));
  }
  const IntegerRange range = random_range(from, to, self.scalar_type());
  if (self.is_meta() || self.numel() == 0) return self;
  random_from_to(self, range.count, range.first, cpu_generator(gen));
  return self;
}

Tensor& random_(Tensor& self, int64_t to, std::optional<Generator> gen) {
  return self.random_(0, to, std::move(gen));
}

// ---- bernoulli

Tensor& bernoulli_(Tensor& self, double p, std::optional<Generator> gen) {
  check_bernoulli(p);
  if (self.is_meta() || self.numel() == 0) return self;
  CPUGeneratorImpl* generator = cpu_generator(gen);
  AT_DISPATCH_ALL_TYPES_AND3(kBool, kBFloat16, kHalf, self.scalar_type(), "bernoulli_scalar_cpu_",
                             [&] {
                               const scalar_t values[] = {scalar_t(0), scalar_t(1)};
                               with_engine(generator, [&](mt19937_data_pod& engine) {
                                 fill_in_blocks<scalar_t>(self, [&](scalar_t* data, int64_t n) {
                                   uint8_t drawn[kBlock];
                                   for (int64_t begin = 0; begin < n; begin += kBlock) {
                                     const int64_t count = std::min(kBlock, n - begin);
                                     bernoulli_fill_stub(DeviceType::CPU, drawn, count, p, engine);
                                     for (int64_t i = 0; i < count; ++i)
                                       data[begin + i] = values[drawn[i]];
                                   }
                                 });
                               });
                             });
  return self;
}

Tensor& bernoulli_(Tensor& self, const Tensor& p, std::optional<Generator> gen) {
  if (self.is_meta() || self.numel() == 0) return self;
  if (!p.is_floating_point()) {
    C10_THROW_ERROR(
        NotImplementedError,
        c10::str("\"bernoulli_tensor_cpu_p_\" not implemented for '", p.scalar_type(), "'"));
  }
  const Tensor probabilities = p.expand(self.sizes()).to(kDouble).contiguous();
  const bool wide = p.scalar_type() == kDouble;
  CPUGeneratorImpl* generator = cpu_generator(gen);
  AT_DISPATCH_ALL_TYPES_AND3(
      kBool, kBFloat16, kHalf, self.scalar_type(), "bernoulli_tensor_cpu_self_", [&] {
        const auto* next = probabilities.const_data_ptr<double>();
        const Tensor draws = at::empty(self.sizes(), self.options());
        fill_serially<scalar_t>(draws, generator, [&] {
          const double probability = *next++;
          TORCH_CHECK(probability >= 0 && probability <= 1,
                      "Expected p_in >= 0 && p_in <= 1 to be true, but got false.");
          // As many random bits as the probabilities' type has digits.
          if (wide) return at::bernoulli_distribution<double>(probability)(generator) != 0;
          return at::bernoulli_distribution<float>(static_cast<float>(probability))(generator) != 0;
        });
        self.copy_(draws);
      });
  return self;
}

Tensor bernoulli(const Tensor& self, std::optional<Generator> gen) {
  return at::empty_like(self, MemoryFormat::Contiguous).bernoulli_(self, std::move(gen));
}

Tensor bernoulli(const Tensor& self, double p, std::optional<Generator> gen) {
  return at::empty_like(self, MemoryFormat::Contiguous).bernoulli_(p, std::move(gen));
}

}  // namespace at::native
