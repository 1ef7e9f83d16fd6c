#pragma once

// Distributions over a generator `gen` with random() and random64(). The samples are PyTorch's for
// the same draws. The caller holds the generator's lock.

#include <c10/util/BFloat16.h>
#include <c10/util/Exception.h>
#include <c10/util/Half.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>
#include <type_traits>

namespace at {

namespace transformation {
// The low bits of `random` as a number in [from, to), 24 of them for the types smaller than float
// too. One rounding, as on the processors PyTorch's kernels are made for.
template <typename T, typename Bits>
auto uniform_real(Bits random, T from, T to) {
  using Wide = std::conditional_t<std::is_same_v<T, double>, double, float>;
  constexpr int kDigits = std::numeric_limits<Wide>::digits;
  constexpr auto kMask = static_cast<uint64_t>((uint64_t{1} << kDigits) - 1);
  const Wide unit = static_cast<Wide>(random & kMask) / static_cast<Wide>(uint64_t{1} << kDigits);
  return std::fma(unit, static_cast<Wide>(to) - static_cast<Wide>(from), static_cast<Wide>(from));
}
}  // namespace transformation

// Uniform in [from, to): 53 bits for double, 24 for float and the types smaller than it.
template <typename T>
class uniform_real_distribution {
 public:
  uniform_real_distribution(T from, T to) : from_(from), to_(to) {
    TORCH_CHECK(from <= to, "uniform_ expects to return a [from, to) range, but found from=", from,
                " > to=", to);
  }
  template <typename RNG>
  auto operator()(RNG gen) const {
    if constexpr (std::is_same_v<T, double>) {
      return transformation::uniform_real<T>(gen->random64(), from_, to_);
    } else {
      return transformation::uniform_real<T>(gen->random(), from_, to_);
    }
  }

 private:
  T from_;
  T to_;
};

// Box and Muller (1958). Two samples at a time; the generator keeps the second.
template <typename T>
class normal_distribution {
 public:
  normal_distribution(T mean, T stdv) : mean_(mean), stdv_(stdv) {
    TORCH_CHECK(stdv >= 0, "stdv_in must be positive: ", stdv);
  }
  template <typename RNG>
  T operator()(RNG gen) const {
    if constexpr (std::is_same_v<T, double>) {
      if (const auto cached = gen->next_double_normal_sample()) {
        gen->set_next_double_normal_sample({});
        return *cached * stdv_ + mean_;
      }
    } else {
      if (const auto cached = gen->next_float_normal_sample()) {
        gen->set_next_float_normal_sample({});
        return *cached * stdv_ + mean_;
      }
    }
    const uniform_real_distribution<T> uniform(T(0), T(1));
    const T u1 = uniform(gen);
    const T u2 = uniform(gen);
    const T r = std::sqrt(T(-2) * std::log1p(-u2));
    const T theta = T(2) * std::numbers::pi_v<T> * u1;
    if constexpr (std::is_same_v<T, double>) {
      gen->set_next_double_normal_sample(r * std::sin(theta));
    } else {
      gen->set_next_float_normal_sample(r * std::sin(theta));
    }
    return r * std::cos(theta) * stdv_ + mean_;
  }

 private:
  T mean_;
  T stdv_;
};

// 1 with probability `p`, else 0.
template <typename T>
class bernoulli_distribution {
 public:
  explicit bernoulli_distribution(T p) : p_(p) {
    TORCH_CHECK(p >= 0 && p <= 1, "bernoulli_ expects p to be in [0, 1], but got p=", p);
  }
  template <typename RNG>
  int operator()(RNG gen) const {
    const uniform_real_distribution<T> uniform(T(0), T(1));
    return uniform(gen) < p_ ? 1 : 0;
  }

 private:
  T p_;
};

// An integer in [base, base + range). A range of 0 stands for 2^64.
template <typename T>
class uniform_int_from_to_distribution {
 public:
  uniform_int_from_to_distribution(uint64_t range, int64_t base) : range_(range), base_(base) {}
  template <typename RNG>
  T operator()(RNG gen) const {
    const uint64_t random = range_ == 0 || range_ >= (uint64_t{1} << 28)
                                ? gen->random64()
                                : static_cast<uint64_t>(gen->random());
    const uint64_t offset = range_ == 0 ? random : random % range_;
    return static_cast<T>(static_cast<int64_t>(offset + static_cast<uint64_t>(base_)));
  }

 private:
  uint64_t range_;
  int64_t base_;
};

// -log(1 - u) / lambda.
template <typename T>
class exponential_distribution {
 public:
  explicit exponential_distribution(T lambda) : lambda_(lambda) {}
  template <typename RNG>
  T operator()(RNG gen) const {
    const uniform_real_distribution<T> uniform(T(0), T(1));
    return T(-1) / lambda_ * std::log1p(-uniform(gen));
  }

 private:
  T lambda_;
};

}  // namespace at
