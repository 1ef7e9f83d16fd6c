// Small triangular systems by substitution, in vectors along the right hand sides. A block of these
// is transposed first, so that a vector has one row of many systems.

#define TORCH_ASSERT_NO_OPERATORS
#include <ATen/native/GemmLoops.h>

#include <ATen/Dispatch.h>
#include <ATen/cpu/vec/vec.h>
#include <ATen/native/cpu/Transpose.h>
#include <c10/core/ScalarType.h>
#include <c10/util/complex_type.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace at::native::cpublas {
inline namespace CPU_CAPABILITY {
namespace {

using vec::Vectorized;

// V vectors of numbers. Complex ones have their real and imaginary parts in vectors of their own,
// which lie one behind the other in a row.
template <typename T, int V>
struct Numbers {
  using Real = typename c10::scalar_value_type<T>::type;
  using Vec = Vectorized<Real>;
  static constexpr bool kComplex = c10::is_complex<T>::value;
  static constexpr int kParts = kComplex ? 2 : 1;
  static constexpr int64_t kWidth = V * Vec::size();

  std::array<Vec, static_cast<size_t>(V* kParts)> parts;

  static Numbers load(const Real* row) {
    Numbers n;
#pragma GCC unroll 8
    for (int v = 0; v < V * kParts; ++v) n.parts[v] = Vec::loadu(row + v * Vec::size());
    return n;
  }
  void store(Real* row) const {
#pragma GCC unroll 8
    for (int v = 0; v < V * kParts; ++v) parts[v].store(row + v * Vec::size());
  }
  // this - a * x
  void subtract(T a, const Real* x) {
    if constexpr (kComplex) {
      const Vec real(a.real());
      const Vec imag(a.imag());
      const Vec minus_real(-a.real());
      const Vec minus_imag(-a.imag());
#pragma GCC unroll 4
      for (int v = 0; v < V; ++v) {
        const Vec x_real = Vec::loadu(x + v * Vec::size());
        const Vec x_imag = Vec::loadu(x + (V + v) * Vec::size());
        parts[v] = vec::fmadd(imag, x_imag, vec::fmadd(minus_real, x_real, parts[v]));
        parts[V + v] = vec::fmadd(minus_imag, x_real, vec::fmadd(minus_real, x_imag, parts[V + v]));
      }
    } else {
      const Vec minus(-a);
#pragma GCC unroll 4
      for (int v = 0; v < V; ++v) {
        parts[v] = vec::fmadd(minus, Vec::loadu(x + v * Vec::size()), parts[v]);
      }
    }
  }
  void divide(T a) {
    if constexpr (kComplex) {
      const T inverse = T(1) / a;
      const Vec real(inverse.real());
      const Vec imag(inverse.imag());
#pragma GCC unroll 4
      for (int v = 0; v < V; ++v) {
        const Vec re = parts[v];
        const Vec im = parts[V + v];
        parts[v] = re * real - im * imag;
        parts[V + v] = re * imag + im * real;
      }
    } else {
      const Vec divisor(a);
#pragma GCC unroll 4
      for (int v = 0; v < V; ++v) parts[v] = parts[v] / divisor;
    }
  }
};

template <typename T, int V>
void substitute(const TriangularSystem& s, const T* lower, int64_t first, int64_t count) {
  using N = Numbers<T, V>;
  using Real = typename N::Real;
  constexpr int64_t kRow = N::kParts * N::kWidth;
  alignas(64) Real rows[kMostRows * kRow];
  auto* b = static_cast<T*>(s.b) + first * s.ldb;
  for (int64_t i = 0; i < s.n; ++i) {
    std::fill(rows + i * kRow, rows + (i + 1) * kRow, Real(0));
  }
  // Rows in memory lie in this order or, by steps of -1, in the opposite one.
  constexpr auto kSize = static_cast<int64_t>(sizeof(T));
  T* const first_row = s.b_step > 0 ? b : b - (s.n - 1);
  Real* const its_row = s.b_step > 0 ? rows : rows + (s.n - 1) * kRow;
  const int64_t row_stride = s.b_step * kRow * static_cast<int64_t>(sizeof(Real));
  if constexpr (N::kComplex) {
    for (int64_t c = 0; c < count; ++c) {
      const T* column = b + c * s.ldb;
      for (int64_t i = 0; i < s.n; ++i) {
        rows[i * kRow + c] = column[i * s.b_step].real();
        rows[i * kRow + N::kWidth + c] = column[i * s.b_step].imag();
      }
    }
  } else {
    copy_tile<T>(reinterpret_cast<char*>(its_row), row_stride,
                 reinterpret_cast<const char*>(first_row), s.ldb * kSize, 0, s.n, 0, count);
  }
  for (int64_t i = 0; i < s.n; ++i) {
    N x = N::load(rows + i * kRow);
    const T* row = lower + i * kMostRows;
    for (int64_t j = 0; j < i; ++j) x.subtract(row[j], rows + j * kRow);
    if (!s.unit) x.divide(row[i]);
    x.store(rows + i * kRow);
  }
  if constexpr (N::kComplex) {
    for (int64_t c = 0; c < count; ++c) {
      T* column = b + c * s.ldb;
      for (int64_t i = 0; i < s.n; ++i) {
        column[i * s.b_step] = T(rows[i * kRow + c], rows[i * kRow + N::kWidth + c]);
      }
    }
  } else {
    copy_tile<T>(reinterpret_cast<char*>(first_row), s.ldb * kSize,
                 reinterpret_cast<const char*>(its_row), row_stride, 0, count, 0, s.n);
  }
}

void triangular_kernel(const TriangularSystem& s, c10::ScalarType dtype) {
  AT_DISPATCH_FLOATING_AND_COMPLEX_TYPES(dtype, "triangular_solve", [&] {
    using Real = typename c10::scalar_value_type<scalar_t>::type;
    constexpr int64_t kLanes = Vectorized<Real>::size();
    const auto* a = static_cast<const scalar_t*>(s.a);
    scalar_t lower[kMostRows * kMostRows];
    for (int64_t i = 0; i < s.n; ++i) {
      for (int64_t j = 0; j <= i; ++j) {
        lower[i * kMostRows + j] = a[i * s.row_step + j * s.column_step];
      }
    }
    int64_t first = 0;
    for (; s.nrhs - first > 2 * kLanes; first += 4 * kLanes) {
      substitute<scalar_t, 4>(s, lower, first, std::min(4 * kLanes, s.nrhs - first));
    }
    for (; first < s.nrhs; first += kLanes) {
      substitute<scalar_t, 1>(s, lower, first, std::min(kLanes, s.nrhs - first));
    }
  });
}

}  // namespace
}  // namespace CPU_CAPABILITY

REGISTER_DISPATCH(triangular_stub, &CPU_CAPABILITY::triangular_kernel)

}  // namespace at::native::cpublas
