// Products of matrices for builds without a BLAS library: those whose operands fit a cache in a
// loop of our own, the larger ones, and complex ones, with Eigen.

#define TORCH_ASSERT_NO_OPERATORS
#include <ATen/native/CPUBlas.h>
#include <ATen/native/GemmLoops.h>

#include <ATen/Dispatch.h>
#include <ATen/Parallel.h>
#include <ATen/cpu/vec/vec.h>
#include <ATen/native/cpu/PartialVectors.h>
#include <ATen/native/cpu/Transpose.h>
#include <c10/core/ScalarType.h>
#include <c10/util/complex_type.h>

#include <algorithm>
#include <bit>
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
  using Reg = vec::Register<T>;
  constexpr int64_t kLanes = Vec::size();
  Reg sums[N][V];
#pragma GCC unroll 6
  for (int j = 0; j < N; ++j) {
#pragma GCC unroll 4
    for (int v = 0; v < V; ++v) sums[j][v] = Reg{};
  }
  const T* a = rows.a;
  const T* b = columns.b;
  const int64_t part = rows.part;
  const int64_t step = rows.step;
  const int64_t row = columns.row;
  const int64_t column = columns.column;
  for (int64_t l = 0; l < k; ++l) {
    Reg left[V];
#pragma GCC unroll 4
    for (int v = 0; v + 1 < V; ++v) left[v] = vec::to_register(Vec::loadu(a + v * kLanes));
    left[V - 1] = vec::to_register(vec::load_part(a + (V - 1) * kLanes, part));
#pragma GCC unroll 6
    for (int j = 0; j < N; ++j) {
      const Reg right = vec::to_register(Vec(b[j * column]));
#pragma GCC unroll 4
      for (int v = 0; v < V; ++v) sums[j][v] += left[v] * right;
    }
    a += step;
    b += row;
  }
#pragma GCC unroll 6
  for (int j = 0; j < N; ++j) {
    T* c = columns.c + j * columns.ldc;
#pragma GCC unroll 4
    for (int v = 0; v < V; ++v) {
      const int64_t count = v + 1 < V ? kLanes : part;
      Vec value = std::bit_cast<Vec>(sums[j][v]) * Vec(alpha);
      if (beta != T(0)) value = vec::fmadd(Vec(beta), vec::load_part(c + v * kLanes, count), value);
      vec::store_part(c + v * kLanes, value, count);
    }
  }
}

template <typename T>
using small_tile_fn = void (*)(const SmallRows<T>&, const SmallColumns<T>&, int64_t, T, T);
// A tile takes 24 of the 32 registers that AVX-512 has, and 12 of 16 elsewhere.
#if defined(CPU_CAPABILITY_AVX512)
constexpr int64_t kSmallVectors = 4;
#else
constexpr int64_t kSmallVectors = 2;
#endif
constexpr int64_t kSmallColumns = 6;
template <typename T, int V>
constexpr small_tile_fn<T> kSmallTilesOf[] = {&small_tile<T, V, 1>, &small_tile<T, V, 2>,
                                              &small_tile<T, V, 3>, &small_tile<T, V, 4>,
                                              &small_tile<T, V, 5>, &small_tile<T, V, 6>};
template <typename T>
constexpr const small_tile_fn<T>* kSmallTiles[] = {kSmallTilesOf<T, 1>, kSmallTilesOf<T, 2>,
                                                   kSmallTilesOf<T, 3>, kSmallTilesOf<T, 4>};

// Elements along k that are packed at a time.
constexpr int64_t kSmallDepth = 256;

// op(a) from row i and element l of k on, `rows` rows and `depth` elements: packed by columns of
// `width` rows, of which those that `a` lacks are 0.
template <typename T>
void pack_rows(bool transposed, const T* a, int64_t lda, int64_t i, int64_t rows, int64_t l,
               int64_t depth, int64_t width, T* out) {
  constexpr auto kSize = static_cast<int64_t>(sizeof(T));
  if (transposed) {
    copy_tile<T>(reinterpret_cast<char*>(out), width * kSize,
                 reinterpret_cast<const char*>(a + i * lda + l), lda * kSize, 0, depth, 0, rows);
  }
  for (int64_t d = 0; d < depth; ++d) {
    if (!transposed) std::copy_n(a + (l + d) * lda + i, rows, out + d * width);
    std::fill(out + d * width + rows, out + (d + 1) * width, T(0));
  }
}

// c = alpha * op(a) * op(b) + beta * c on the calling thread; false, and nothing done, where the
// product is so large, or its vectors so empty, that Eigen is faster.
template <typename T>
bool small_gemm(TransposeType transa, TransposeType transb, int64_t m, int64_t n, int64_t k,
                T alpha, const T* a, int64_t lda, const T* b, int64_t ldb, T beta, T* c,
                int64_t ldc) {
  constexpr int64_t kLanes = vec::Vectorized<T>::size();
  constexpr int64_t kStrip = kSmallVectors * kLanes;
  constexpr int64_t kFewVectors = 512;
  constexpr int64_t kMostWork = 256 * 256 * 256;  // multiply-adds, where there are many columns
  constexpr int64_t kFewColumns = 24;             // for which rows are not worth packing
  constexpr int64_t kNearRows = 40'000;           // elements of `a` that a strip may lie among
  constexpr int64_t kMostSide = int64_t(1) << 20;
  if (m > kMostSide || n > kMostSide || k > kMostSide) return false;
  const bool ta = transa == TransposeType::Transpose;
  const bool tb = transb == TransposeType::Transpose;
  // Long rows of a transposed matrix take longer to pack.
  const bool slow = ta && k > 128 && m > kStrip;
  if (n > kFewColumns && m * n * k > (slow ? kMostWork / 8 : kMostWork)) return false;
  const int64_t vectors = (m + kLanes - 1) / kLanes;
  if (vectors * n * k > kFewVectors && vectors * kLanes > 2 * m) return false;
  const bool packs = ta || (n > kFewColumns && lda * std::min(k, kSmallDepth) > kNearRows);
  // A tile of c at row i and column j, from element l of k on.
  const auto multiply = [&](const SmallRows<T>& from, int64_t i, int64_t l, int64_t j) {
    const int64_t rows = (std::min(kStrip, m - i) + kLanes - 1) / kLanes;
    const int64_t columns = std::min(kSmallColumns, n - j);
    const SmallColumns<T> to{tb ? b + l * ldb + j : b + j * ldb + l, tb ? ldb : 1, tb ? 1 : ldb,
                             c + j * ldc + i, ldc};
    // Later parts of k are added to what the first one wrote.
    kSmallTiles<T>[rows - 1][columns - 1](from, to, std::min(kSmallDepth, k - l), alpha,
                                          l == 0 ? beta : T(1));
  };
  const auto unpacked = [&](int64_t i, int64_t l) {
    const int64_t rows = std::min(kStrip, m - i);
    return SmallRows<T>{a + l * lda + i, lda, rows - (rows - 1) / kLanes * kLanes};
  };
  if (!packs && k <= kSmallDepth) {
    // Column by column of c: where k is small, most of the time goes into writing it.
    for (int64_t j = 0; j < n; j += kSmallColumns) {
      for (int64_t i = 0; i < m; i += kStrip) multiply(unpacked(i, 0), i, 0, j);
    }
    return true;
  }
  alignas(64) T packed[kStrip * kSmallDepth];
  for (int64_t i = 0; i < m; i += kStrip) {
    for (int64_t l = 0; l < k; l += kSmallDepth) {
      SmallRows<T> from = unpacked(i, l);
      if (packs) {
        const int64_t rows = std::min(kStrip, m - i);
        const int64_t width = (rows + kLanes - 1) / kLanes * kLanes;
        pack_rows(ta, a, lda, i, rows, l, std::min(kSmallDepth, k - l), width, packed);
        from.a = packed;
        from.step = width;
      }
      for (int64_t j = 0; j < n; j += kSmallColumns) multiply(from, i, l, j);
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

// One product on the calling thread, scaled.
template <typename T>
void gemm_here(TransposeType transa, TransposeType transb, int64_t m, int64_t n, int64_t k, T alpha,
               const T* a, int64_t lda, const T* b, int64_t ldb, T beta, T* c, int64_t ldc) {
  if constexpr (std::is_floating_point_v<T>) {
    if (small_gemm(transa, transb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc)) return;
  } else {
    if (tiny_gemm(transa, transb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc)) return;
  }
  scale_columns(m, n, beta, c, ldc);
  eigen_gemm(transa, transb, m, n, k, alpha, a, lda, b, ldb, c, ldc);
}

// Threads take bands of the longer side of c.
template <typename T>
void gemm_of_bands(TransposeType transa, TransposeType transb, int64_t m, int64_t n, int64_t k,
                   T alpha, const T* a, int64_t lda, const T* b, int64_t ldb, T beta, T* c,
                   int64_t ldc) {
  const int64_t column_work = std::max<int64_t>(m * k, 1);
  const int64_t row_work = std::max<int64_t>(n * k, 1);
  const auto aligned = [](int64_t grain) { return (grain + 15) / 16 * 16; };
  if (n >= m) {
    at::parallel_for(0, n, aligned(kSerialWork / column_work), [&](int64_t begin, int64_t end) {
      const T* bb = transb == TransposeType::Transpose ? b + begin : b + begin * ldb;
      gemm_here(transa, transb, m, end - begin, k, alpha, a, lda, bb, ldb, beta, c + begin * ldc,
                ldc);
    });
  } else {
    at::parallel_for(0, m, aligned(kSerialWork / row_work), [&](int64_t begin, int64_t end) {
      const T* aa = transa == TransposeType::Transpose ? a + begin * lda : a + begin;
      gemm_here(transa, transb, end - begin, n, k, alpha, aa, lda, b, ldb, beta, c + begin, ldc);
    });
  }
}

void gemm_kernel(TransposeType transa, TransposeType transb, int64_t m, int64_t n, int64_t k,
                 double alpha, const void* a, int64_t lda, const void* b, int64_t ldb, double beta,
                 void* c, int64_t ldc, c10::ScalarType dtype) {
  AT_DISPATCH_FLOATING_AND_COMPLEX_TYPES(dtype, "gemm", [&] {
    using T = typename Element<scalar_t>::type;
    using Real = typename c10::scalar_value_type<scalar_t>::type;
    gemm_of_bands(transa, transb, m, n, k, T(static_cast<Real>(alpha)), static_cast<const T*>(a),
                  lda, static_cast<const T*>(b), ldb, T(static_cast<Real>(beta)),
                  static_cast<T*>(c), ldc);
  });
}

}  // namespace
}  // namespace CPU_CAPABILITY

REGISTER_DISPATCH(gemm_stub, &CPU_CAPABILITY::gemm_kernel)

}  // namespace at::native::cpublas

#endif
