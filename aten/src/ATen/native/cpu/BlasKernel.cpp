// Products of matrices for builds without a BLAS library: of real numbers in tiles that stay in
// registers, of complex ones with Eigen.

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
#include <memory>
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

// The real type of a number, whose vectors tiles are made of.
template <typename T>
struct PartOf {
  using type = T;
};
template <typename T>
struct PartOf<std::complex<T>> {
  using type = T;
};
template <typename T>
using part_t = typename PartOf<T>::type;
template <typename T>
constexpr bool is_complex = !std::is_same_v<T, part_t<T>>;

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
// Complex rows are packed: the real parts of a strip, then the imaginary ones.
template <typename T>
struct TileRows {
  const part_t<T>* a;
  int64_t step;
  int64_t part;
};

// N columns of b, and those of c that they give.
template <typename T>
struct TileColumns {
  const T* b;
  int64_t row;
  int64_t column;
  T* c;
  int64_t ldc;
};

// V vectors of rows and N columns of c stay in registers.
template <typename T, int V, int N>
void multiply_tile(const TileRows<T>& rows, const TileColumns<T>& columns, int64_t k, T alpha,
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

// The same for complex numbers, of which alpha and beta have no imaginary part.
template <typename T, int V, int N>
void multiply_complex_tile(const TileRows<T>& rows, const TileColumns<T>& columns, int64_t k,
                           T alpha, T beta) {
  using Part = part_t<T>;
  using Vec = vec::Vectorized<Part>;
  using Reg = vec::Register<Part>;
  constexpr int kLanes = Vec::size();
  Reg real[N][V];
  Reg imag[N][V];
#pragma GCC unroll 6
  for (int j = 0; j < N; ++j) {
#pragma GCC unroll 2
    for (int v = 0; v < V; ++v) real[j][v] = imag[j][v] = Reg{};
  }
  const Part* a = rows.a;
  const T* b = columns.b;
  const int64_t step = rows.step;
  const int64_t row = columns.row;
  const int64_t column = columns.column;
  for (int64_t l = 0; l < k; ++l) {
    Reg x[V];
    Reg y[V];
#pragma GCC unroll 2
    for (int v = 0; v < V; ++v) {
      x[v] = vec::to_register(Vec::loadu(a + v * kLanes));
      y[v] = vec::to_register(Vec::loadu(a + (V + v) * kLanes));
    }
#pragma GCC unroll 6
    for (int j = 0; j < N; ++j) {
      const Reg re = vec::to_register(Vec(b[j * column].real()));
      const Reg im = vec::to_register(Vec(b[j * column].imag()));
#pragma GCC unroll 2
      for (int v = 0; v < V; ++v) {
        real[j][v] += x[v] * re;
        imag[j][v] += x[v] * im;
        real[j][v] -= y[v] * im;
        imag[j][v] += y[v] * re;
      }
    }
    a += step;
    b += row;
  }
  const Vec factor(alpha.real());
  const Vec old(beta.real());
  const auto store = [&](Part* c, const Reg& pairs, int64_t count) {
    if (count <= 0) return;
    Vec value = std::bit_cast<Vec>(pairs) * factor;
    if (beta.real() != 0) value = vec::fmadd(old, vec::load_part(c, count), value);
    vec::store_part(c, value, count);
  };
#pragma GCC unroll 6
  for (int j = 0; j < N; ++j) {
    auto* c = reinterpret_cast<Part*>(columns.c + j * columns.ldc);
#pragma GCC unroll 2
    for (int v = 0; v < V; ++v) {
      const Reg re = real[j][v];
      const Reg im = imag[j][v];
      const int64_t count = 2 * (v + 1 < V ? kLanes : rows.part);
      const auto pairs_from = [&]<int kFirst>() {
        return vec::make_lanes<Reg>([&]<int kLane>() {
          return kLane % 2 == 0 ? re[kFirst + kLane / 2] : im[kFirst + kLane / 2];
        });
      };
      Part* to = c + 2 * v * kLanes;
      store(to, pairs_from.template operator()<0>(), std::min<int64_t>(kLanes, count));
      store(to + kLanes, pairs_from.template operator()<kLanes / 2>(), count - kLanes);
    }
  }
}

template <typename T>
using tile_fn = void (*)(const TileRows<T>&, const TileColumns<T>&, int64_t, T, T);
// A tile takes 24 of the 32 registers that AVX-512 has, and 12 of 16 elsewhere.
#if defined(CPU_CAPABILITY_AVX512)
template <typename T>
constexpr int64_t kTileVectors = is_complex<T> ? 2 : 4;
#else
template <typename T>
constexpr int64_t kTileVectors = is_complex<T> ? 1 : 2;
#endif
constexpr int64_t kTileColumns = 6;
template <typename T, int V, int N>
constexpr tile_fn<T> tile_of() {
  if constexpr (V > kTileVectors<T>) {
    return nullptr;
  } else if constexpr (is_complex<T>) {
    return &multiply_complex_tile<T, V, N>;
  } else {
    return &multiply_tile<T, V, N>;
  }
}
template <typename T, int V>
constexpr tile_fn<T> kTilesOf[] = {tile_of<T, V, 1>(), tile_of<T, V, 2>(), tile_of<T, V, 3>(),
                                   tile_of<T, V, 4>(), tile_of<T, V, 5>(), tile_of<T, V, 6>()};
template <typename T>
constexpr const tile_fn<T>* kTiles[] = {kTilesOf<T, 1>, kTilesOf<T, 2>, kTilesOf<T, 3>,
                                        kTilesOf<T, 4>};

// What is packed at a time: elements along k; elements of `a`, which are multiplied with columns of
// `b` that stay in the nearest caches.
constexpr int64_t kDepth = 256;
constexpr int64_t kPacked = 64 * kDepth;
constexpr int64_t kNearColumns = 512;

// op(a) from row i and element l of k on, `rows` rows and `depth` elements: packed by columns of
// `width` rows, of which those that `a` lacks are 0.
template <typename T>
void pack_rows(bool transposed, const T* a, int64_t lda, int64_t i, int64_t rows, int64_t l,
               int64_t depth, int64_t width, part_t<T>* out) {
  if constexpr (is_complex<T>) {
    const int64_t row = transposed ? lda : 1;
    const int64_t step = transposed ? 1 : lda;
    for (int64_t d = 0; d < depth; ++d) {
      const T* from = a + i * row + (l + d) * step;
      part_t<T>* real = out + 2 * d * width;
      part_t<T>* imag = real + width;
      for (int64_t r = 0; r < rows; ++r) {
        real[r] = from[r * row].real();
        imag[r] = from[r * row].imag();
      }
      std::fill(real + rows, imag, part_t<T>(0));
      std::fill(imag + rows, imag + width, part_t<T>(0));
    }
  } else {
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
}

// c = alpha * op(a) * op(b) + beta * c on the calling thread; false, and nothing done, where Eigen
// is faster: vectors of rows would be rather empty, or `b` is worth packing too.
template <typename T>
bool tiled_gemm(TransposeType transa, TransposeType transb, int64_t m, int64_t n, int64_t k,
                T alpha, const T* a, int64_t lda, const T* b, int64_t ldb, T beta, T* c,
                int64_t ldc) {
  using Part = part_t<T>;
  constexpr int64_t kLanes = vec::Vectorized<Part>::size();
  constexpr int64_t kStrip = kTileVectors<T> * kLanes;
  constexpr int64_t kFewVectors = 512;
  constexpr int64_t kFewColumns = 24;    // for which rows are not worth packing
  constexpr int64_t kNearRows = 40'000;  // elements of `a` that a strip may lie among
  constexpr int64_t kLargeSide = 128;
  constexpr double kLargeProduct = 288.0 * 288 * 288;  // multiply-adds
  const bool ta = transa == TransposeType::Transpose;
  const bool tb = transb == TransposeType::Transpose;
  const int64_t vectors = (m + kLanes - 1) / kLanes;
  // Complex rows are always packed, for which a few columns do not pay.
  const bool empty =
      is_complex<T> ? 8 * vectors * kLanes > 9 * m || n < 4 : vectors * kLanes > 2 * m;
  if (empty && vectors * n * k > kFewVectors) return false;
  if (std::min({m, n, k}) > kLargeSide && static_cast<double>(m) * n * k > kLargeProduct) {
    return false;
  }
  const bool packs =
      is_complex<T> || ta || (n > kFewColumns && lda * std::min(k, kDepth) > kNearRows);
  constexpr int64_t kParts = is_complex<T> ? 2 : 1;
  // Rows of a, which is packed or not: from row i and element l of k on.
  const auto rows_from = [&](const Part* from, int64_t step, int64_t i) {
    const int64_t rows = std::min(kStrip, m - i);
    return TileRows<T>{from, step, rows - (rows - 1) / kLanes * kLanes};
  };
  const auto multiply = [&](const TileRows<T>& from, int64_t i, int64_t l, int64_t j) {
    const int64_t rows = (std::min(kStrip, m - i) + kLanes - 1) / kLanes;
    const int64_t columns = std::min(kTileColumns, n - j);
    const TileColumns<T> to{tb ? b + l * ldb + j : b + j * ldb + l, tb ? ldb : 1, tb ? 1 : ldb,
                            c + j * ldc + i, ldc};
    // Later parts of k are added to what the first one wrote.
    kTiles<T>[rows - 1][columns - 1](from, to, std::min(kDepth, k - l), alpha,
                                     l == 0 ? beta : T(1));
  };
  alignas(64) Part packed[kPacked];
  for (int64_t near = 0; near < n; near += kNearColumns) {
    const int64_t end = std::min(n, near + kNearColumns);
    for (int64_t l = 0; l < k; l += kDepth) {
      const int64_t depth = std::min(kDepth, k - l);
      if constexpr (!is_complex<T>) {
        if (!packs) {
          // Column by column of c: where k is small, most of the time goes into writing it.
          for (int64_t j = near; j < end; j += kTileColumns) {
            for (int64_t i = 0; i < m; i += kStrip) {
              multiply(rows_from(a + l * lda + i, lda, i), i, l, j);
            }
          }
          continue;
        }
      }
      const int64_t block = kPacked / (kParts * depth) / kStrip * kStrip;
      for (int64_t first = 0; first < m; first += block) {
        const int64_t last = std::min(m, first + block);
        const auto width_at = [&](int64_t i) {
          return (std::min(kStrip, m - i) + kLanes - 1) / kLanes * kLanes;
        };
        for (int64_t i = first; i < last; i += kStrip) {
          pack_rows(ta, a, lda, i, std::min(kStrip, m - i), l, depth, width_at(i),
                    packed + (i - first) * kParts * depth);
        }
        for (int64_t j = near; j < end; j += kTileColumns) {
          for (int64_t i = first; i < last; i += kStrip) {
            multiply(rows_from(packed + (i - first) * kParts * depth, kParts * width_at(i), i), i,
                     l, j);
          }
        }
      }
    }
  }
  return true;
}

// R x C inner products of rows of a and columns of b, whose elements lie together along k.
template <typename T, int R, int C>
void multiply_lines(const T* a, int64_t lda, const T* b, int64_t ldb, int64_t k, T alpha, T beta,
                    T* c, int64_t ldc) {
  using Vec = vec::Vectorized<T>;
  using Reg = vec::Register<T>;
  constexpr int64_t kLanes = Vec::size();
  Reg sums[R][C];
#pragma GCC unroll 4
  for (int i = 0; i < R; ++i) {
#pragma GCC unroll 4
    for (int j = 0; j < C; ++j) sums[i][j] = Reg{};
  }
  const auto add = [&](const auto& load) {
    Reg right[C];
#pragma GCC unroll 4
    for (int j = 0; j < C; ++j) right[j] = vec::to_register(load(b + j * ldb));
#pragma GCC unroll 4
    for (int i = 0; i < R; ++i) {
      const Reg left = vec::to_register(load(a + i * lda));
#pragma GCC unroll 4
      for (int j = 0; j < C; ++j) sums[i][j] += left * right[j];
    }
  };
  int64_t l = 0;
  for (; l + kLanes <= k; l += kLanes) add([l](const T* p) { return Vec::loadu(p + l); });
  if (l < k) add([l, k](const T* p) { return vec::load_part(p + l, k - l); });
#pragma GCC unroll 4
  for (int i = 0; i < R; ++i) {
#pragma GCC unroll 4
    for (int j = 0; j < C; ++j) {
      const T sum = alpha * vec::sum_of_lanes(std::bit_cast<Vec>(sums[i][j]));
      T& out = c[j * ldc + i];
      out = beta == T(0) ? sum : beta * out + sum;
    }
  }
}

template <typename T>
using lines_fn = void (*)(const T*, int64_t, const T*, int64_t, int64_t, T, T, T*, int64_t);
template <typename T, int R>
constexpr lines_fn<T> kLinesOf[] = {&multiply_lines<T, R, 1>, &multiply_lines<T, R, 2>,
                                    &multiply_lines<T, R, 3>, &multiply_lines<T, R, 4>};
template <typename T>
constexpr const lines_fn<T>* kLines[] = {kLinesOf<T, 1>, kLinesOf<T, 2>, kLinesOf<T, 3>,
                                         kLinesOf<T, 4>};

// tiled_gemm() for few rows, or for few rows and columns whose elements lie together along k:
// vectors along k. False, and nothing done, for others.
template <typename T>
bool gemm_of_lines(TransposeType transa, TransposeType transb, int64_t m, int64_t n, int64_t k,
                   T alpha, const T* a, int64_t lda, const T* b, int64_t ldb, T beta, T* c,
                   int64_t ldc) {
  constexpr int64_t kLanes = vec::Vectorized<T>::size();
  constexpr int64_t kLine = 1024;  // What is multiplied at a time
  constexpr int64_t kTogether = 4;
  constexpr int64_t kPackedLines = 32;
  const bool ta = transa == TransposeType::Transpose;
  const bool tb = transb == TransposeType::Transpose;
  // Where tiles take longer to pack rows than to multiply them.
  const auto [least, most] = std::minmax(m, n);
  const bool few = most <= 12 || least <= 4 || (least <= 24 && most <= 128 && k >= 256);
  if (k < 4 * kLanes || !(2 * m <= kLanes || (few && ta && !tb))) return false;
  const auto buffer = std::make_unique_for_overwrite<T[]>(
      static_cast<size_t>(((ta ? 0 : m) + (tb ? kPackedLines : 0)) * kLine));
  T* const packed_columns = buffer.get() + (ta ? 0 : m) * kLine;
  const auto pack = [](const T* from, int64_t step, int64_t lines, int64_t depth, T* to) {
    constexpr auto kSize = static_cast<int64_t>(sizeof(T));
    copy_tile<T>(reinterpret_cast<char*>(to), kLine * kSize, reinterpret_cast<const char*>(from),
                 step * kSize, 0, lines, 0, depth);
  };
  for (int64_t l = 0; l < k; l += kLine) {
    const int64_t depth = std::min(kLine, k - l);
    const T* rows = a + l;
    int64_t row_step = lda;
    if (!ta) {
      pack(a + l * lda, lda, m, depth, buffer.get());
      rows = buffer.get();
      row_step = kLine;
    }
    for (int64_t first = 0; first < n; first += kPackedLines) {
      const int64_t last = std::min(n, first + kPackedLines);
      const T* columns = b + first * ldb + l;
      int64_t column_step = ldb;
      if (tb) {
        pack(b + l * ldb + first, ldb, last - first, depth, packed_columns);
        columns = packed_columns;
        column_step = kLine;
      }
      for (int64_t j = first; j < last; j += kTogether) {
        for (int64_t i = 0; i < m; i += kTogether) {
          kLines<T>[std::min(kTogether, m - i) - 1][std::min(kTogether, last - j) - 1](
              rows + i* row_step, row_step, columns + (j - first)* column_step, column_step, depth,
              alpha, l == 0 ? beta : T(1), c + j* ldc + i, ldc);
        }
      }
    }
  }
  return true;
}

// The same for few rows, where the elements of columns of b lie apart and those of rows together:
// the transpose of the product, whose vectors are full.
template <typename T>
bool gemm_of_transposes(TransposeType transa, TransposeType transb, int64_t m, int64_t n, int64_t k,
                        T alpha, const T* a, int64_t lda, const T* b, int64_t ldb, T beta, T* c,
                        int64_t ldc) {
  constexpr int64_t kLanes = vec::Vectorized<T>::size();
  if (2 * m > kLanes || 2 * n <= kLanes || k < 4 || transb != TransposeType::Transpose)
    return false;
  const bool ta = transa == TransposeType::Transpose;
  const auto product = std::make_unique_for_overwrite<T[]>(static_cast<size_t>(m * n));
  if (!tiled_gemm(TransposeType::NoTranspose,
                  ta ? TransposeType::NoTranspose : TransposeType::Transpose, n, m, k, alpha, b,
                  ldb, a, lda, T(0), product.get(), n)) {
    return false;
  }
  for (int64_t j = 0; j < n; ++j) {
    for (int64_t i = 0; i < m; ++i) {
      T& out = c[j * ldc + i];
      out = beta == T(0) ? product[i * n + j] : beta * out + product[i * n + j];
    }
  }
  return true;
}

// One product on the calling thread, scaled.
template <typename T>
void gemm_here(TransposeType transa, TransposeType transb, int64_t m, int64_t n, int64_t k, T alpha,
               const T* a, int64_t lda, const T* b, int64_t ldb, T beta, T* c, int64_t ldc) {
  if constexpr (!is_complex<T>) {
    if (gemm_of_transposes(transa, transb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc) ||
        gemm_of_lines(transa, transb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc)) {
      return;
    }
  }
  if (tiled_gemm(transa, transb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc)) return;
  scale_columns(m, n, beta, c, ldc);
  eigen_gemm(transa, transb, m, n, k, alpha, a, lda, b, ldb, c, ldc);
}

// A small c of long products: threads take parts of k, whose results are added in order. How many
// there are does not depend on the threads. False, and nothing done, for others.
template <typename T>
bool gemm_of_parts(TransposeType transa, TransposeType transb, int64_t m, int64_t n, int64_t k,
                   T alpha, const T* a, int64_t lda, const T* b, int64_t ldb, T beta, T* c,
                   int64_t ldc) {
  constexpr int64_t kSmallResult = 64 * 64;
  constexpr int64_t kLongPart = 4096;
  constexpr int64_t kMostParts = 16;
  const int64_t size = m * n;
  const int64_t parts = std::min({k / kLongPart, size * k / (2 * kSerialWork), kMostParts});
  if (size > kSmallResult || parts < 2) return false;
  const auto sums = std::make_unique_for_overwrite<T[]>(static_cast<size_t>(parts * size));
  at::parallel_for(0, parts, 1, [&](int64_t begin, int64_t end) {
    for (int64_t part = begin; part < end; ++part) {
      const int64_t l = k * part / parts;
      const int64_t depth = k * (part + 1) / parts - l;
      gemm_here(transa, transb, m, n, depth, alpha,
                transa == TransposeType::Transpose ? a + l : a + l * lda, lda,
                transb == TransposeType::Transpose ? b + l * ldb : b + l, ldb, T(0),
                sums.get() + part * size, m);
    }
  });
  scale_columns(m, n, beta, c, ldc);
  for (int64_t part = 0; part < parts; ++part) {
    const T* from = sums.get() + part * size;
    for (int64_t j = 0; j < n; ++j) {
      for (int64_t i = 0; i < m; ++i) c[j * ldc + i] += from[j * m + i];
    }
  }
  return true;
}

// Threads take bands of the longer side of c.
template <typename T>
void gemm_of_bands(TransposeType transa, TransposeType transb, int64_t m, int64_t n, int64_t k,
                   T alpha, const T* a, int64_t lda, const T* b, int64_t ldb, T beta, T* c,
                   int64_t ldc) {
  if (gemm_of_parts(transa, transb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc)) return;
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
