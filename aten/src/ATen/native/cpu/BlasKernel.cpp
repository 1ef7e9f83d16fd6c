// Products of matrices with Eigen, for builds without a BLAS library. For small ones Eigen's
// packing takes longer than the product: these have a loop of their own.

#define TORCH_ASSERT_NO_OPERATORS
#include <ATen/native/CPUBlas.h>
#include <ATen/native/GemmLoops.h>

#include <ATen/Dispatch.h>
#include <ATen/Parallel.h>
#include <ATen/cpu/vec/vec.h>
#include <ATen/native/cpu/PartialVectors.h>
#include <c10/core/ScalarType.h>
#include <c10/util/complex_type.h>

#include <algorithm>
#include <array>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#if !defined(TORCH_USE_BLAS)

// GCC's AVX-512 intrinsics start from values that are undefined on purpose.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#pragma GCC diagnostic ignored "-Wuninitialized"
#endif

// Eigen's functions are inline: under one name for all capabilities the linker would keep only one
// of them, with instructions that another processor may not have.
#define TORCH_EIGEN_NAMESPACE_OF(capability) Eigen_##capability
#define TORCH_EIGEN_NAMESPACE(capability) TORCH_EIGEN_NAMESPACE_OF(capability)
#define Eigen TORCH_EIGEN_NAMESPACE(CPU_CAPABILITY)
#include <Eigen/Core>

namespace at::native::cpublas {
inline namespace CPU_CAPABILITY {
namespace {

// Eigen's complex numbers are std's, of the same layout as ours.
template <typename T>
struct Element {
  using type = T;
};
template <typename T>
struct Element<c10::complex<T>> {
  using type = std::complex<T>;
};

template <typename T>
using ConstMatrix =
    Eigen::Map<const Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic>, 0, Eigen::OuterStride<>>;
template <typename T>
using MutableMatrix =
    Eigen::Map<Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic>, 0, Eigen::OuterStride<>>;

// One product on the calling thread.
template <typename T>
void eigen_gemm(TransposeType transa, TransposeType transb, int64_t m, int64_t n, int64_t k,
                T alpha, const T* a, int64_t lda, const T* b, int64_t ldb, T* c, int64_t ldc) {
  const bool ta = transa == TransposeType::Transpose;
  const bool tb = transb == TransposeType::Transpose;
  const ConstMatrix<T> ma(a, ta ? k : m, ta ? m : k, Eigen::OuterStride<>(lda));
  const ConstMatrix<T> mb(b, tb ? n : k, tb ? k : n, Eigen::OuterStride<>(ldb));
  MutableMatrix<T> mc(c, m, n, Eigen::OuterStride<>(ldc));
  if (ta && tb) {
    mc.noalias() += alpha * (ma.transpose() * mb.transpose());
  } else if (ta) {
    mc.noalias() += alpha * (ma.transpose() * mb);
  } else if (tb) {
    mc.noalias() += alpha * (ma * mb.transpose());
  } else {
    mc.noalias() += alpha * (ma * mb);
  }
}

// Rows of a, at most V vectors of them: l is `step` behind l - 1; the last vector has `part` rows.
template <typename T>
struct SmallRows {
  const T* a;
  int64_t step;
  int64_t part;
};

// N columns of b, and those of c that they give.
template <typename T>
struct SmallColumns {
  const T* b;
  int64_t row;
  int64_t column;
  T* c;
  int64_t ldc;
};

// V vectors of rows and N columns of c stay in registers.
template <typename T, int V, int N>
void small_tile(const SmallRows<T>& rows, const SmallColumns<T>& columns, int64_t k, T alpha,
                T beta) {
  using Vec = vec::Vectorized<T>;
  std::array<Vec, static_cast<size_t>(V * N)> sums;
  sums.fill(Vec(T(0)));
  const T* a = rows.a;
  std::array<const T*, static_cast<size_t>(N)> b;
  for (int j = 0; j < N; ++j) b[j] = columns.b + j * columns.column;
  for (int64_t l = 0; l < k; ++l) {
    std::array<Vec, static_cast<size_t>(V)> left;
#pragma GCC unroll 4
    for (int v = 0; v + 1 < V; ++v) left[v] = Vec::loadu(a + v * Vec::size());
    left[V - 1] = vec::load_part(a + (V - 1) * Vec::size(), rows.part);
#pragma GCC unroll 6
    for (int j = 0; j < N; ++j) {
      const Vec right(b[j][l * columns.row]);
#pragma GCC unroll 4
      for (int v = 0; v < V; ++v) sums[j * V + v] = vec::fmadd(left[v], right, sums[j * V + v]);
    }
    a += rows.step;
  }
#pragma GCC unroll 6
  for (int j = 0; j < N; ++j) {
    T* c = columns.c + j * columns.ldc;
#pragma GCC unroll 4
    for (int v = 0; v < V; ++v, c += Vec::size()) {
      const int64_t part = v + 1 < V ? int64_t(Vec::size()) : rows.part;
      Vec value = sums[j * V + v] * Vec(alpha);
      if (beta != T(0)) value = vec::fmadd(Vec(beta), vec::load_part(c, part), value);
      vec::store_part(c, value, part);
    }
  }
}

template <typename T>
using small_tile_fn = void (*)(const SmallRows<T>&, const SmallColumns<T>&, int64_t, T, T);
constexpr int64_t kSmallVectors = 4;
constexpr int64_t kSmallColumns = 6;
template <typename T, int V>
constexpr small_tile_fn<T> kSmallTilesOf[] = {&small_tile<T, V, 1>, &small_tile<T, V, 2>,
                                              &small_tile<T, V, 3>, &small_tile<T, V, 4>,
                                              &small_tile<T, V, 5>, &small_tile<T, V, 6>};
template <typename T>
constexpr const small_tile_fn<T>* kSmallTiles[] = {kSmallTilesOf<T, 1>, kSmallTilesOf<T, 2>,
                                                   kSmallTilesOf<T, 3>, kSmallTilesOf<T, 4>};

// Elements of transposed rows that are packed at a time.
constexpr int64_t kSmallDepth = 64;

// c = alpha * op(a) * op(b) + beta * c on the calling thread; false, and nothing done, where the
// product is so large, or its vectors so empty, that Eigen is faster.
template <typename T>
bool small_gemm(TransposeType transa, TransposeType transb, int64_t m, int64_t n, int64_t k,
                T alpha, const T* a, int64_t lda, const T* b, int64_t ldb, T beta, T* c,
                int64_t ldc) {
  constexpr int64_t kLanes = vec::Vectorized<T>::size();
  constexpr int64_t kFewVectors = 512;
  constexpr int64_t kSmallWork = 16384;
  constexpr int64_t kShallow = 32;
  // Where k is small, rows that lie together need no packing however many there are.
  const int64_t most =
      transa == TransposeType::NoTranspose && k <= kShallow ? kSerialWork : kSmallWork;
  if (m > most || n > most || k > most || m * n > most || m * n * k > most) return false;
  const int64_t vectors = (m + kLanes - 1) / kLanes;
  if (vectors * n * k > kFewVectors && vectors * kLanes > 2 * m) return false;
  const bool ta = transa == TransposeType::Transpose;
  const bool tb = transb == TransposeType::Transpose;
  alignas(64) T packed[kSmallVectors * kLanes * kSmallDepth];
  const int64_t strip = kSmallVectors * kLanes;
  for (int64_t i = 0; i < m; i += strip) {
    const int64_t rows = std::min(strip, m - i);
    const int64_t of_strip = (rows + kLanes - 1) / kLanes;
    for (int64_t l = 0; l < k; l += ta ? kSmallDepth : k) {
      const int64_t depth = ta ? std::min(kSmallDepth, k - l) : k;
      SmallRows<T> from{a + i, lda, rows - (of_strip - 1) * kLanes};
      if (ta) {
        const int64_t width = of_strip * kLanes;
        for (int64_t r = 0; r < rows; ++r) {
          const T* row = a + (i + r) * lda + l;
          for (int64_t d = 0; d < depth; ++d) packed[d * width + r] = row[d];
        }
        for (int64_t r = rows; r < width; ++r) {
          for (int64_t d = 0; d < depth; ++d) packed[d * width + r] = T(0);
        }
        from.a = packed;
        from.step = width;
      }
      // Later parts of k are added to what the first one wrote.
      const T scale = l == 0 ? beta : T(1);
      for (int64_t j = 0; j < n; j += kSmallColumns) {
        const int64_t columns = std::min(kSmallColumns, n - j);
        const SmallColumns<T> to{tb ? b + l * ldb + j : b + j * ldb + l, tb ? ldb : 1, tb ? 1 : ldb,
                                 c + j * ldc + i, ldc};
        kSmallTiles<T>[of_strip - 1][columns - 1](from, to, depth, alpha, scale);
      }
    }
  }
  return true;
}

// Complex numbers of a few elements each.
template <typename T>
bool tiny_gemm(TransposeType transa, TransposeType transb, int64_t m, int64_t n, int64_t k, T alpha,
               const T* a, int64_t lda, const T* b, int64_t ldb, T beta, T* c, int64_t ldc) {
  constexpr int64_t kTiny = 64;
  if (m > kTiny || n > kTiny || k > kTiny || m * n * k > kTiny) return false;
  using Real = typename T::value_type;
  const bool ta = transa == TransposeType::Transpose;
  const bool tb = transb == TransposeType::Transpose;
  for (int64_t j = 0; j < n; ++j) {
    for (int64_t i = 0; i < m; ++i) {
      Real real(0);
      Real imag(0);
      for (int64_t l = 0; l < k; ++l) {
        const T x = ta ? a[i * lda + l] : a[l * lda + i];
        const T y = tb ? b[l * ldb + j] : b[j * ldb + l];
        real += x.real() * y.real() - x.imag() * y.imag();
        imag += x.real() * y.imag() + x.imag() * y.real();
      }
      // Factors are real here.
      T& out = c[j * ldc + i];
      const T before =
          beta.real() == 0 ? T(0) : T(out.real() * beta.real(), out.imag() * beta.real());
      out = T(alpha.real() * real + before.real(), alpha.real() * imag + before.imag());
    }
  }
  return true;
}

// Threads take bands of the longer side of c.
template <typename T>
void eigen_gemm_parallel(TransposeType transa, TransposeType transb, int64_t m, int64_t n,
                         int64_t k, T alpha, const T* a, int64_t lda, const T* b, int64_t ldb,
                         T beta, T* c, int64_t ldc) {
  const int64_t column_work = std::max<int64_t>(m * k, 1);
  const int64_t row_work = std::max<int64_t>(n * k, 1);
  const auto aligned = [](int64_t grain) { return (grain + 15) / 16 * 16; };
  if (n >= m) {
    at::parallel_for(0, n, aligned(kSerialWork / column_work), [&](int64_t begin, int64_t end) {
      const T* bb = transb == TransposeType::Transpose ? b + begin : b + begin * ldb;
      T* cc = c + begin * ldc;
      scale_columns(m, end - begin, beta, cc, ldc);
      eigen_gemm(transa, transb, m, end - begin, k, alpha, a, lda, bb, ldb, cc, ldc);
    });
  } else {
    at::parallel_for(0, m, aligned(kSerialWork / row_work), [&](int64_t begin, int64_t end) {
      const T* aa = transa == TransposeType::Transpose ? a + begin * lda : a + begin;
      T* cc = c + begin;
      scale_columns(end - begin, n, beta, cc, ldc);
      eigen_gemm(transa, transb, end - begin, n, k, alpha, aa, lda, b, ldb, cc, ldc);
    });
  }
}

void gemm_kernel(TransposeType transa, TransposeType transb, int64_t m, int64_t n, int64_t k,
                 double alpha, const void* a, int64_t lda, const void* b, int64_t ldb, double beta,
                 void* c, int64_t ldc, c10::ScalarType dtype) {
  AT_DISPATCH_FLOATING_AND_COMPLEX_TYPES(dtype, "gemm", [&] {
    using T = typename Element<scalar_t>::type;
    using Real = typename c10::scalar_value_type<scalar_t>::type;
    const auto run = [&](const auto& multiply) {
      return multiply(transa, transb, m, n, k, T(static_cast<Real>(alpha)),
                      static_cast<const T*>(a), lda, static_cast<const T*>(b), ldb,
                      T(static_cast<Real>(beta)), static_cast<T*>(c), ldc);
    };
    if constexpr (std::is_floating_point_v<T>) {
      if (run(small_gemm<T>)) return;
    } else {
      if (run(tiny_gemm<T>)) return;
    }
    run(eigen_gemm_parallel<T>);
  });
}

}  // namespace
}  // namespace CPU_CAPABILITY

REGISTER_DISPATCH(gemm_stub, &CPU_CAPABILITY::gemm_kernel)

}  // namespace at::native::cpublas

#endif
