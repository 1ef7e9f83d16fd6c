// Random numbers on a GPU.

#define TORCH_ASSERT_NO_OPERATORS
#include <ATen/native/cuda/DistributionKernels.h>

#include <ATen/Dispatch.h>
#include <ATen/core/PhiloxRNGEngine.h>
#include <ATen/core/TensorBase.h>
#include <c10/core/ScalarType.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>
#include <c10/macros/Macros.h>
#include <c10/util/Exception.h>

#include <cstdint>
#include <limits>
#include <type_traits>

namespace at::native {
namespace {

constexpr int kThreads = 256;
constexpr int kElements = 4;  // of a thread

// Doubles for doubles, else floats.
template <typename scalar_t>
using Real = std::conditional_t<std::is_same_v<scalar_t, double>, double, float>;

// Uniform in [0, 1), with as many random bits as the type has digits.
C10_DEVICE float unit(uint32_t bits) { return static_cast<float>(bits >> 8) * 0x1p-24f; }
C10_DEVICE double unit(uint32_t high, uint32_t low) {
  return static_cast<double>((uint64_t{high} << 32 | low) >> 11) * 0x1p-53;
}

// Four uniform numbers; for a type of doubles from eight words.
template <typename T>
C10_DEVICE void units(Philox4_32& engine, T (&u)[kElements]) {
  const auto first = engine.next4();
  if constexpr (std::is_same_v<T, double>) {
    const auto second = engine.next4();
    u[0] = unit(first.x[0], first.x[1]);
    u[1] = unit(first.x[2], first.x[3]);
    u[2] = unit(second.x[0], second.x[1]);
    u[3] = unit(second.x[2], second.x[3]);
  } else {
#pragma unroll
    for (int i = 0; i < kElements; ++i) u[i] = unit(first.x[i]);
  }
}

template <typename scalar_t, typename Draw>
__global__ void __launch_bounds__(kThreads)
    random_kernel(scalar_t* out, int64_t count, PhiloxCudaState state, Draw draw) {
  const int64_t group = int64_t{blockIdx.x} * kThreads + threadIdx.x;
  const int64_t first = group * kElements;
  if (first >= count) return;
  Philox4_32 engine(state.current_seed(), static_cast<uint64_t>(group), state.current_offset());
  scalar_t values[kElements];
  draw(engine, first, count, values);
#pragma unroll
  for (int i = 0; i < kElements; ++i) {
    if (first + i < count) out[first + i] = values[i];
  }
}

template <typename scalar_t, typename Draw>
void launch(const TensorBase& self, PhiloxCudaState state, const Draw& draw) {
  const int64_t count = self.numel();
  if (count == 0) return;
  const int64_t blocks = (count + kThreads * kElements - 1) / (kThreads * kElements);
  TORCH_CHECK(blocks <= std::numeric_limits<int32_t>::max(), count,
              " random numbers are more than a GPU launches");
  const c10::cuda::CUDAGuard guard(self.device());
  random_kernel<<<static_cast<unsigned>(blocks), kThreads, 0, c10::cuda::getCurrentCUDAStream()>>>(
      static_cast<scalar_t*>(self.mutable_data_ptr()), count, state, draw);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
}

template <typename scalar_t>
struct Uniform {
  using T = Real<scalar_t>;
  T from, to;
  C10_DEVICE void operator()(Philox4_32& engine, int64_t, int64_t,
                             scalar_t (&values)[kElements]) const {
    T u[kElements];
    units(engine, u);
#pragma unroll
    for (int i = 0; i < kElements; ++i) {
      values[i] = static_cast<scalar_t>(from + u[i] * (to - from));
      // Rounding may have reached the end, which is not of the range.
      if (from < to && static_cast<T>(values[i]) >= to) values[i] = static_cast<scalar_t>(from);
    }
  }
};

// Box and Muller: two uniform numbers become two normal ones.
template <typename scalar_t>
struct Normal {
  using T = Real<scalar_t>;
  T mean, std;
  C10_DEVICE void operator()(Philox4_32& engine, int64_t, int64_t,
                             scalar_t (&values)[kElements]) const {
    T u[kElements];
    units(engine, u);
#pragma unroll
    for (int i = 0; i < kElements; i += 2) {
      const T radius = ::sqrt(T(-2) * ::log(T(1) - u[i]));  // of (0, 1]
      T sine;
      T cosine;
      if constexpr (std::is_same_v<T, double>) {
        ::sincospi(2 * u[i + 1], &sine, &cosine);
      } else {
        ::sincospif(2 * u[i + 1], &sine, &cosine);
      }
      values[i] = static_cast<scalar_t>(radius * cosine * std + mean);
      values[i + 1] = static_cast<scalar_t>(radius * sine * std + mean);
    }
  }
};

template <typename scalar_t>
struct Exponential {
  using T = Real<scalar_t>;
  T lambda;
  C10_DEVICE void operator()(Philox4_32& engine, int64_t, int64_t,
                             scalar_t (&values)[kElements]) const {
    T u[kElements];
    units(engine, u);
#pragma unroll
    for (int i = 0; i < kElements; ++i) {
      values[i] = static_cast<scalar_t>(-::log1p(-u[i]) / lambda);
    }
  }
};

template <typename scalar_t>
struct Bernoulli {
  double p;
  C10_DEVICE void operator()(Philox4_32& engine, int64_t, int64_t,
                             scalar_t (&values)[kElements]) const {
    double u[kElements];
    units(engine, u);
#pragma unroll
    for (int i = 0; i < kElements; ++i) values[i] = static_cast<scalar_t>(u[i] < p ? 1 : 0);
  }
};

template <typename scalar_t>
struct BernoulliOfEach {
  const float* p;
  C10_DEVICE void operator()(Philox4_32& engine, int64_t first, int64_t count,
                             scalar_t (&values)[kElements]) const {
    float u[kElements];
    units(engine, u);
#pragma unroll
    for (int i = 0; i < kElements; ++i) {
      const float probability = first + i < count ? p[first + i] : 0.0f;
      CUDA_KERNEL_ASSERT(probability >= 0 && probability <= 1 && "probabilities are from 0 to 1");
      values[i] = static_cast<scalar_t>(u[i] < probability ? 1 : 0);
    }
  }
};

template <typename scalar_t>
struct Integers {
  uint64_t range;
  int64_t base;
  C10_DEVICE void operator()(Philox4_32& engine, int64_t, int64_t,
                             scalar_t (&values)[kElements]) const {
    const auto first = engine.next4();
    const auto second = engine.next4();
#pragma unroll
    for (int i = 0; i < kElements; ++i) {
      uint64_t x = uint64_t{first.x[i]} << 32 | second.x[i];
      if (range != 0) x %= range;
      values[i] = static_cast<scalar_t>(static_cast<int64_t>(x + static_cast<uint64_t>(base)));
    }
  }
};

}  // namespace

void fill_uniform(const TensorBase& self, double from, double to, PhiloxCudaState state) {
  AT_DISPATCH_FLOATING_TYPES_AND2(kHalf, kBFloat16, self.scalar_type(), "uniform_cuda", [&] {
    using T = Real<scalar_t>;
    launch<scalar_t>(self, state, Uniform<scalar_t>{static_cast<T>(from), static_cast<T>(to)});
  });
}

void fill_normal(const TensorBase& self, double mean, double std, PhiloxCudaState state) {
  AT_DISPATCH_FLOATING_TYPES_AND2(kHalf, kBFloat16, self.scalar_type(), "normal_cuda", [&] {
    using T = Real<scalar_t>;
    launch<scalar_t>(self, state, Normal<scalar_t>{static_cast<T>(mean), static_cast<T>(std)});
  });
}

void fill_exponential(const TensorBase& self, double lambda, PhiloxCudaState state) {
  AT_DISPATCH_FLOATING_TYPES_AND2(kHalf, kBFloat16, self.scalar_type(), "exponential_cuda", [&] {
    launch<scalar_t>(self, state, Exponential<scalar_t>{static_cast<Real<scalar_t>>(lambda)});
  });
}

void fill_bernoulli(const TensorBase& self, double p, PhiloxCudaState state) {
  AT_DISPATCH_ALL_TYPES_AND3(kBool, kHalf, kBFloat16, self.scalar_type(), "bernoulli_cuda",
                             [&] { launch<scalar_t>(self, state, Bernoulli<scalar_t>{p}); });
}

void fill_bernoulli(const TensorBase& self, const TensorBase& p, PhiloxCudaState state) {
  const auto* probabilities = p.const_data_ptr<float>();
  AT_DISPATCH_ALL_TYPES_AND3(kBool, kHalf, kBFloat16, self.scalar_type(), "bernoulli_cuda", [&] {
    launch<scalar_t>(self, state, BernoulliOfEach<scalar_t>{probabilities});
  });
}

void fill_integers(const TensorBase& self, uint64_t range, int64_t base, PhiloxCudaState state) {
  AT_DISPATCH_ALL_TYPES_AND3(kBool, kHalf, kBFloat16, self.scalar_type(), "random_cuda", [&] {
    launch<scalar_t>(self, state, Integers<scalar_t>{range, base});
  });
}

}  // namespace at::native
