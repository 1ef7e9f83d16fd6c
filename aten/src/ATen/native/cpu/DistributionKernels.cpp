// Loops of random numbers.

#define TORCH_ASSERT_NO_OPERATORS
#include <ATen/native/Distributions.h>

#include <ATen/Dispatch.h>
#include <ATen/Parallel.h>
#include <ATen/core/MT19937RNGEngine.h>
#include <ATen/cpu/vec/vec.h>
#include <ATen/native/cpu/ReducedFloat.h>
#include <c10/core/ScalarType.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>
#include <type_traits>

namespace at::native {
inline namespace CPU_CAPABILITY {
namespace {

constexpr int64_t kHalf = kNormalBlock / 2;
// Blocks that are transformed together: whole vectors of radii, and of angles.
constexpr int64_t kTogether = 16;

template <typename T>
void transform(T* data, int64_t blocks, T mean, T std) {
  using Vec = vec::Vectorized<T>;
  constexpr int64_t kNumbers = kTogether * kHalf;
  T radius[kNumbers];
  T angle[kNumbers];
  // What is not filled stays in the logarithm's domain.
  std::fill_n(radius, kNumbers, T(0));
  std::fill_n(angle, kNumbers, T(0));
  for (int64_t b = 0; b < blocks; ++b) {
    std::copy_n(data + b * kNormalBlock, kHalf, radius + b * kHalf);
    std::copy_n(data + b * kNormalBlock + kHalf, kHalf, angle + b * kHalf);
  }
  for (int64_t i = 0; i < blocks * kHalf; i += Vec::size()) {
    const Vec u1 = Vec(T(1)) - Vec::loadu(radius + i);  // (0, 1], for the logarithm
    const Vec r = (Vec(T(-2)) * u1.log()).sqrt();
    const Vec theta = Vec(T(2) * std::numbers::pi_v<T>) * Vec::loadu(angle + i);
    (r * theta.cos() * Vec(std) + Vec(mean)).store(radius + i);
    (r * theta.sin() * Vec(std) + Vec(mean)).store(angle + i);
  }
  for (int64_t b = 0; b < blocks; ++b) {
    std::copy_n(radius + b * kHalf, kHalf, data + b * kNormalBlock);
    std::copy_n(angle + b * kHalf, kHalf, data + b * kNormalBlock + kHalf);
  }
}

void normal_fill_kernel(void* data, int64_t blocks, double mean, double std,
                        c10::ScalarType dtype) {
  AT_DISPATCH_FLOATING_TYPES(dtype, "normal_kernel_cpu", [&] {
    auto* numbers = static_cast<scalar_t*>(data);
    const int64_t groups = at::divup(blocks, kTogether);
    at::parallel_for(0, groups, 32, [&](int64_t begin, int64_t end) {
      for (int64_t group = begin; group < end; ++group) {
        const int64_t first = group * kTogether;
        transform(numbers + first * kNormalBlock, std::min(kTogether, blocks - first),
                  static_cast<scalar_t>(mean), static_cast<scalar_t>(std));
      }
    });
  });
}

// ---- uniform numbers

// mt19937's words, by vectors of this capability: nothing here is shared with other code.
uint32_t twist(uint32_t u, uint32_t v) {
  const uint32_t mixed = (u & 0x80000000U) | (v & 0x7fffffffU);
  return (mixed >> 1) ^ ((0U - (v & 1U)) & 0x9908b0dfU);
}

void renew(uint32_t* s) {
  constexpr int n = MERSENNE_STATE_N;
  constexpr int m = MERSENNE_STATE_M;
  // Each word reads the next one before that is renewed, and one 397 further or 227 before it:
  // blocks of 64 words have what they read.
  uint32_t block[64];
  const auto renew_range = [&](int begin, int end, int offset) {
    for (int first = begin; first < end; first += 64) {
      const int count = std::min(64, end - first);
      for (int j = 0; j < count; ++j) {
        block[j] = s[first + j + offset] ^ twist(s[first + j], s[first + j + 1]);
      }
      for (int j = 0; j < count; ++j) s[first + j] = block[j];
    }
  };
  renew_range(0, n - m, m);
  renew_range(n - m, n - 1, m - n);
  s[n - 1] = s[m - 1] ^ twist(s[n - 1], s[0]);
}

void fill_words(mt19937_data_pod& engine, uint32_t* out, int64_t n) {
  uint32_t* const state = engine.state_.data();
  while (n > 0) {
    // `left_` counts the draw that renews the words too.
    if (engine.left_ == 1) {
      renew(state);
      engine.left_ = MERSENNE_STATE_N + 1;
      engine.next_ = 0;
    }
    const int64_t count = std::min<int64_t>(n, engine.left_ - 1);
    const uint32_t* const words = state + engine.next_;
    for (int64_t i = 0; i < count; ++i) {
      uint32_t y = words[i];
      y ^= y >> 11;
      y ^= (y << 7) & 0x9d2c5680U;
      y ^= (y << 15) & 0xefc60000U;
      y ^= y >> 18;
      out[i] = y;
    }
    engine.left_ -= static_cast<int>(count);
    engine.next_ += static_cast<uint32_t>(count);
    out += count;
    n -= count;
  }
}

constexpr int64_t kDrawn = 512;  // numbers at a time

// The low bits of two words, the first of which is the higher one.
int64_t double_bits(const uint32_t* words, int64_t i) {
  constexpr uint64_t kMask = (uint64_t{1} << std::numeric_limits<double>::digits) - 1;
  const uint64_t both = (uint64_t{words[2 * i]} << 32) | words[2 * i + 1];
  return static_cast<int64_t>(both & kMask);
}

// One rounding, also where processors are not known to have an instruction for it.
template <typename T>
void uniform_block(T* out, int64_t n, T from, T range, mt19937_data_pod& engine) {
  constexpr bool kWide = std::is_same_v<T, double>;
  constexpr auto kUnit = T(1) / static_cast<T>(uint64_t{1} << std::numeric_limits<T>::digits);
  uint32_t words[kDrawn * (kWide ? 2 : 1)];
  fill_words(engine, words, n * (kWide ? 2 : 1));
  if constexpr (kWide) {
    for (int64_t i = 0; i < n; ++i) out[i] = static_cast<T>(double_bits(words, i)) * kUnit;
  } else {
    for (int64_t i = 0; i < n; ++i) {
      out[i] = static_cast<T>(static_cast<int32_t>(words[i] & 0xffffffU)) * kUnit;
    }
  }
  if (from == T(0)) {
    for (int64_t i = 0; i < n; ++i) out[i] *= range;
  } else {
    for (int64_t i = 0; i < n; ++i) out[i] = std::fma(out[i], range, from);
  }
}

template <typename scalar_t>
void uniform_fill(scalar_t* data, int64_t n, double from, double to, mt19937_data_pod& engine) {
  constexpr bool kReduced = vec::is_reduced_floating_point_v<scalar_t>;
  using T = std::conditional_t<kReduced, float, scalar_t>;
  // Only the numbers are rounded to the dtype; those that are the upper bound then become the
  // lower.
  const auto first = static_cast<T>(from);
  const auto last = static_cast<T>(to);
  const auto low = static_cast<T>(static_cast<scalar_t>(first));
  const auto high = static_cast<T>(static_cast<scalar_t>(last));
  for (int64_t begin = 0; begin < n; begin += kDrawn) {
    const int64_t count = std::min(kDrawn, n - begin);
    T block[kDrawn];
    uniform_block(block, count, first, last - first, engine);
    if constexpr (kReduced) {
      // Rounded, to be compared.
      vec::narrow(data + begin, block, count);
      vec::widen(block, data + begin, count);
    }
    for (int64_t i = 0; i < count; ++i) block[i] = block[i] == high ? low : block[i];
    if constexpr (kReduced) {
      vec::narrow(data + begin, block, count);
    } else {
      std::copy_n(block, count, data + begin);
    }
  }
}

void uniform_fill_kernel(void* data, int64_t n, double from, double to, c10::ScalarType dtype,
                         mt19937_data_pod& engine) {
  AT_DISPATCH_FLOATING_TYPES_AND2(c10::kBFloat16, c10::kHalf, dtype, "uniform_kernel_cpu", [&] {
    uniform_fill(static_cast<scalar_t*>(data), n, from, to, engine);
  });
}

void bernoulli_fill_kernel(uint8_t* data, int64_t n, double p, mt19937_data_pod& engine) {
  // A product with a power of two is exact, and integers below a number are below its ceiling.
  constexpr auto kStates = static_cast<double>(uint64_t{1} << std::numeric_limits<double>::digits);
  const auto end = static_cast<int64_t>(std::ceil(p * kStates));
  uint32_t words[2 * kDrawn];
  for (int64_t begin = 0; begin < n; begin += kDrawn) {
    const int64_t count = std::min(kDrawn, n - begin);
    fill_words(engine, words, 2 * count);
    for (int64_t i = 0; i < count; ++i) data[begin + i] = double_bits(words, i) < end ? 1 : 0;
  }
}

}  // namespace
}  // namespace CPU_CAPABILITY

REGISTER_DISPATCH(bernoulli_fill_stub, &CPU_CAPABILITY::bernoulli_fill_kernel)
REGISTER_DISPATCH(uniform_fill_stub, &CPU_CAPABILITY::uniform_fill_kernel)
REGISTER_DISPATCH(normal_fill_stub, &CPU_CAPABILITY::normal_fill_kernel)

}  // namespace at::native
