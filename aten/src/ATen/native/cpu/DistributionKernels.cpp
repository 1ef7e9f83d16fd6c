// Loops of random numbers.

#define TORCH_ASSERT_NO_OPERATORS
#include <ATen/native/Distributions.h>

#include <ATen/Dispatch.h>
#include <ATen/Parallel.h>
#include <ATen/cpu/vec/vec.h>
#include <c10/core/ScalarType.h>

#include <algorithm>
#include <cstdint>
#include <numbers>

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

}  // namespace
}  // namespace CPU_CAPABILITY

REGISTER_DISPATCH(normal_fill_stub, &CPU_CAPABILITY::normal_fill_kernel)

}  // namespace at::native
