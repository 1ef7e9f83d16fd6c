// Loops of sum, mean, prod, extreme values, any and all.

#define TORCH_ASSERT_NO_OPERATORS
#include <ATen/native/ReduceOps.h>

#include <ATen/AccumulateType.h>
#include <ATen/Dispatch.h>
#include <ATen/core/TensorBase.h>
#include <ATen/cpu/vec/vec.h>
#include <ATen/native/ReduceFormulas.h>
#include <ATen/native/Wrapping.h>
#include <ATen/native/cpu/ReducedFloat.h>
#include <ATen/native/cpu/StridedReduce.h>
#include <c10/core/ScalarType.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace at::native {
inline namespace CPU_CAPABILITY {
namespace {

using vec::Vectorized;

// What vectors of T add up to, for the types whose sums stay in range: see StridedReduce.h.
template <typename T, bool = std::is_floating_point_v<T> || std::is_same_v<T, int64_t>>
struct SumVectors {};

// Elements of 16 bits are made floats.
template <typename T>
using Widened = std::conditional_t<vec::is_reduced_floating_point_v<T>, float, T>;

template <typename T>
struct SumVectors<T, true> {
  using vec_t = Vectorized<T>;
  static vec_t vec_identity() { return vec_t(T(0)); }
  static vec_t vec_combine(const vec_t& a, const vec_t& b) { return a + b; }
};

template <typename T>
struct SumOp : SumVectors<Widened<T>> {
  using acc_t = at::acc_type<T, /*is_cuda=*/false>;
  double factor;

  explicit SumOp(double f) : factor(f) {}

  acc_t identity() const { return acc_t(0); }
  template <typename U>
  acc_t reduce(acc_t acc, U x) const {
    return combine(acc, static_cast<acc_t>(x));
  }
  acc_t combine(acc_t a, acc_t b) const { return wrapping_add(a, b); }
  acc_t project(acc_t acc) const {
    if constexpr (std::is_integral_v<acc_t>) {
      return acc;
    } else {
      return acc * acc_t(factor);
    }
  }
};

void sum_kernel(const TensorBase& out, const TensorBase& self, DimMask mask, double factor) {
  AT_DISPATCH_ALL_TYPES_AND2(kHalf, kBFloat16, self.scalar_type(), "sum_cpu", [&] {
    strided_reduce<scalar_t, scalar_t>(out, self, mask, SumOp<scalar_t>{factor});
  });
}

// What is taken in as vectors: numbers of floating point, whose products are accumulated in A.
template <typename T, typename A>
struct ProdVectors {};

template <typename T, typename A>
  requires std::is_floating_point_v<A>
struct ProdVectors<T, A> {
  using vec_t = Vectorized<A>;
  static vec_t vec_identity() { return vec_t(A(1)); }
  static vec_t vec_combine(const vec_t& a, const vec_t& b) { return a * b; }
};

// Complex numbers that lie together: products side by side, which the compiler makes vectors of.
template <typename V, typename A>
struct ProdVectors<c10::complex<V>, A> {
  c10::complex<double> reduce_run(const c10::complex<V>* data, int64_t n) const {
    constexpr int64_t kProducts = 8;
    double real[kProducts];
    double imag[kProducts];
    std::fill_n(real, kProducts, 1.0);
    std::fill_n(imag, kProducts, 0.0);
    const auto* parts = reinterpret_cast<const V*>(data);
    const auto multiply = [&](int64_t k, double x, double y) {
      const double product = real[k] * x - imag[k] * y;
      imag[k] = real[k] * y + imag[k] * x;
      real[k] = product;
    };
    int64_t i = 0;
    for (; i + kProducts <= n; i += kProducts) {
      for (int64_t k = 0; k < kProducts; ++k) {
        multiply(k, static_cast<double>(parts[2 * (i + k)]),
                 static_cast<double>(parts[2 * (i + k) + 1]));
      }
    }
    for (int64_t k = 0; i + k < n; ++k) {
      multiply(k, static_cast<double>(parts[2 * (i + k)]),
               static_cast<double>(parts[2 * (i + k) + 1]));
    }
    for (int64_t width = kProducts / 2; width > 0; width /= 2) {
      for (int64_t k = 0; k < width; ++k) multiply(k, real[k + width], imag[k + width]);
    }
    return {real[0], imag[0]};
  }
};

template <typename T>
struct ProdOp : ProdVectors<T, at::acc_type<T, /*is_cuda=*/false>> {
  using acc_t = at::acc_type<T, /*is_cuda=*/false>;

  acc_t identity() const { return acc_t(1); }
  template <typename U>
  acc_t reduce(acc_t acc, U x) const {
    return combine(acc, static_cast<acc_t>(x));
  }
  acc_t combine(acc_t a, acc_t b) const { return wrapping_mul(a, b); }
  acc_t project(acc_t acc) const { return acc; }
};

void prod_kernel(const TensorBase& out, const TensorBase& self, DimMask mask) {
  AT_DISPATCH_ALL_TYPES_AND_COMPLEX_AND2(kHalf, kBFloat16, self.scalar_type(), "prod_cpu", [&] {
    strided_reduce<scalar_t, scalar_t>(out, self, mask, ProdOp<scalar_t>{});
  });
}

template <typename T, bool kMax, bool = std::is_arithmetic_v<T> && !std::is_same_v<T, bool>>
struct ExtremeVectors {};

template <typename T, bool kMax>
struct ExtremeVectors<T, kMax, true> {
  using vec_t = Vectorized<T>;
  static vec_t vec_identity() { return vec_t(reduction::extreme_identity<T>(kMax)); }
  static vec_t vec_combine(const vec_t& a, const vec_t& b) {
    return kMax ? vec::maximum(a, b) : vec::minimum(a, b);
  }
};

template <typename T, bool kMax>
struct ExtremeOp : ExtremeVectors<T, kMax> {
  using acc_t = T;

  acc_t identity() const { return reduction::extreme_identity<T>(kMax); }
  acc_t combine(acc_t a, acc_t b) const { return reduction::extreme(a, b, kMax); }
  acc_t reduce(acc_t acc, T x) const { return combine(acc, x); }
  acc_t project(acc_t acc) const { return acc; }
};

void max_values_kernel(const TensorBase& out, const TensorBase& self, DimMask mask) {
  AT_DISPATCH_ALL_TYPES_AND3(kBFloat16, kHalf, kBool, self.scalar_type(), "max_values_cpu", [&] {
    strided_reduce<scalar_t, scalar_t>(out, self, mask, ExtremeOp<Widened<scalar_t>, true>{});
  });
}

void min_values_kernel(const TensorBase& out, const TensorBase& self, DimMask mask) {
  AT_DISPATCH_ALL_TYPES_AND3(kBFloat16, kHalf, kBool, self.scalar_type(), "min_values_cpu", [&] {
    strided_reduce<scalar_t, scalar_t>(out, self, mask, ExtremeOp<Widened<scalar_t>, false>{});
  });
}

struct AndOp {
  using acc_t = bool;
  bool identity() const { return true; }
  bool reduce(bool acc, bool x) const { return acc && x; }
  bool combine(bool a, bool b) const { return a && b; }
  bool project(bool acc) const { return acc; }
};

struct OrOp {
  using acc_t = bool;
  bool identity() const { return false; }
  bool reduce(bool acc, bool x) const { return acc || x; }
  bool combine(bool a, bool b) const { return a || b; }
  bool project(bool acc) const { return acc; }
};

void and_kernel(const TensorBase& out, const TensorBase& self, DimMask mask) {
  strided_reduce<bool, bool>(out, self, mask, AndOp{});
}

void or_kernel(const TensorBase& out, const TensorBase& self, DimMask mask) {
  strided_reduce<bool, bool>(out, self, mask, OrOp{});
}

}  // namespace
}  // namespace CPU_CAPABILITY

REGISTER_DISPATCH(sum_stub, &CPU_CAPABILITY::sum_kernel)
REGISTER_DISPATCH(prod_stub, &CPU_CAPABILITY::prod_kernel)
REGISTER_DISPATCH(max_values_stub, &CPU_CAPABILITY::max_values_kernel)
REGISTER_DISPATCH(min_values_stub, &CPU_CAPABILITY::min_values_kernel)
REGISTER_DISPATCH(and_stub, &CPU_CAPABILITY::and_kernel)
REGISTER_DISPATCH(or_stub, &CPU_CAPABILITY::or_kernel)

}  // namespace at::native
