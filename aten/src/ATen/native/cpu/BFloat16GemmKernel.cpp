// Products of BFloat16 matrices by the processor's own instruction, where it has one: two products
// and their sum in float at once.

#define TORCH_ASSERT_NO_OPERATORS
#include <ATen/native/CPUBlas.h>
#include <ATen/native/GemmLoops.h>
#include <ATen/native/cpu/Transpose.h>

#include <ATen/Parallel.h>
#include <c10/util/BFloat16.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>

#if defined(CPU_CAPABILITY_AVX512) && defined(__x86_64__)
#include <immintrin.h>
// Highway has this instruction in a target of its own alone; AVX-512 is this file's.
#define AT_BFLOAT16_GEMM 1
#define AT_TARGET __attribute__((target("avx512bf16")))
#endif

namespace at::native::cpublas {
inline namespace CPU_CAPABILITY {
namespace {

#if AT_BFLOAT16_GEMM

using c10::BFloat16;

constexpr int64_t kLanes = 16;
// A tile of c that stays in registers: 64 rows, 6 columns.
constexpr int64_t kRows = 4 * kLanes;
constexpr int64_t kColumns = 6;

uint32_t pair(BFloat16 low, BFloat16 high) {
  return static_cast<uint32_t>(low.x) | static_cast<uint32_t>(high.x) << 16;
}

// Elements of k lie in pairs: element (i, l) of a matrix whose neighbours along k are `step` apart.
// The last one has 0 beside it where k is odd.
uint32_t pair_at(const BFloat16* p, int64_t step, bool whole) {
  return pair(p[0], whole ? p[step] : BFloat16(0));
}

// Column j of b: pairs one after the other.
void pack_column(const BFloat16* b, int64_t step, int64_t k, uint32_t* out) {
  if (step == 1) {
    std::memcpy(out, b, static_cast<size_t>(k) * sizeof(BFloat16));
    if (k % 2 != 0) out[k / 2] = pair(b[k - 1], BFloat16(0));
    return;
  }
  for (int64_t l = 0; l < k; l += 2) out[l / 2] = pair_at(b + l * step, step, l + 1 < k);
}

// `width` rows of a, a number of vectors, or fewer and zeros: for each pair along k a column of
// them.
AT_TARGET void pack_rows(const BFloat16* a, int64_t row, int64_t step, int64_t rows, int64_t width,
                         int64_t k, uint32_t* out) {
  int64_t first = 0;
  if (step == 1 && row != 1) {
    // Pairs lie together: they are transposed as they are.
    constexpr auto kSize = static_cast<int64_t>(sizeof(BFloat16));
    first = k / 2 * 2;
    copy_tile<uint32_t>(reinterpret_cast<char*>(out), width * 2 * kSize,
                        reinterpret_cast<const char*>(a), row * kSize, 0, k / 2, 0, rows);
    for (int64_t l = 0; l < first; l += 2, out += width) std::fill(out + rows, out + width, 0u);
  }
  const int64_t whole = row == 1 ? rows / kLanes * kLanes : 0;
  for (int64_t l = first; l < k; l += 2, out += width) {
    const BFloat16* column = a + l * step;
    const bool two = l + 1 < k;
    for (int64_t i = 0; i < whole; i += kLanes) {
      const auto load = [](const BFloat16* p) {
        return _mm512_cvtepu16_epi32(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(p)));
      };
      const __m512i high = two ? load(column + step + i) : _mm512_setzero_si512();
      _mm512_storeu_si512(out + i, _mm512_or_si512(load(column + i), _mm512_slli_epi32(high, 16)));
    }
    for (int64_t i = whole; i < rows; ++i) out[i] = pair_at(column + i * row, step, two);
    std::fill(out + rows, out + width, 0u);
  }
}

struct Output {
  BFloat16* c;
  int64_t ldc;
  float alpha;
  float beta;
};

// Computes N columns and V vectors of rows of c. Stores only the first `rows` rows: c has no more.
template <int V, int N>
AT_TARGET void multiply_tile(const uint32_t* a, const uint32_t* b, int64_t pairs, int64_t rows,
                             const Output& output) {
  __m512 sums[N][V];
#pragma GCC unroll 6
  for (int j = 0; j < N; ++j) {
#pragma GCC unroll 4
    for (int v = 0; v < V; ++v) sums[j][v] = _mm512_setzero_ps();
  }
  for (int64_t p = 0; p < pairs; ++p) {
    __m512bh left[V];
#pragma GCC unroll 4
    for (int v = 0; v < V; ++v) {
      left[v] = reinterpret_cast<__m512bh>(_mm512_loadu_si512(a + (p * V + v) * kLanes));
    }
#pragma GCC unroll 6
    for (int j = 0; j < N; ++j) {
      const auto right =
          reinterpret_cast<__m512bh>(_mm512_set1_epi32(static_cast<int>(b[j * pairs + p])));
#pragma GCC unroll 4
      for (int v = 0; v < V; ++v) sums[j][v] = _mm512_dpbf16_ps(sums[j][v], left[v], right);
    }
  }
  const __m512 alpha = _mm512_set1_ps(output.alpha);
  const __m512 beta = _mm512_set1_ps(output.beta);
#pragma GCC unroll 6
  for (int j = 0; j < N; ++j) {
    BFloat16* c = output.c + j * output.ldc;
#pragma GCC unroll 4
    for (int v = 0; v < V; ++v) {
      const int64_t left = rows - v * kLanes;
      if (left <= 0) break;
      const auto mask = static_cast<__mmask16>(left >= kLanes ? 0xffff : (1 << left) - 1);
      __m512 value = _mm512_mul_ps(alpha, sums[j][v]);
      if (output.beta != 0) {
        const __m256i old = _mm256_maskz_loadu_epi16(mask, c + v * kLanes);
        const __m512i wide = _mm512_slli_epi32(_mm512_cvtepu16_epi32(old), 16);
        value = _mm512_fmadd_ps(beta, _mm512_castsi512_ps(wide), value);
      }
      const __m256bh narrow = _mm512_cvtneps_pbh(value);
      _mm256_mask_storeu_epi16(c + v * kLanes, mask, reinterpret_cast<__m256i>(narrow));
    }
  }
}

using multiply_fn = void (*)(const uint32_t*, const uint32_t*, int64_t, int64_t, const Output&);
template <int V>
constexpr multiply_fn kMultiplyOf[] = {&multiply_tile<V, 1>, &multiply_tile<V, 2>,
                                       &multiply_tile<V, 3>, &multiply_tile<V, 4>,
                                       &multiply_tile<V, 5>, &multiply_tile<V, 6>};
constexpr const multiply_fn* kMultiply[] = {kMultiplyOf<1>, kMultiplyOf<2>, kMultiplyOf<3>,
                                            kMultiplyOf<4>};

bool bfloat16_gemm_kernel(TransposeType transa, TransposeType transb, int64_t m, int64_t n,
                          int64_t k, double alpha, const BFloat16* a, int64_t lda,
                          const BFloat16* b, int64_t ldb, double beta, BFloat16* c, int64_t ldc) {
  static const bool supported = __builtin_cpu_supports("avx512bf16") != 0;
  if (!supported) return false;
  const int64_t a_row = transa == TransposeType::Transpose ? lda : 1;
  const int64_t a_step = transa == TransposeType::Transpose ? 1 : lda;
  const int64_t b_step = transb == TransposeType::Transpose ? ldb : 1;
  const int64_t b_column = transb == TransposeType::Transpose ? 1 : ldb;
  const int64_t pairs = (k + 1) / 2;
  const std::unique_ptr<uint32_t[]> packed_b(new uint32_t[static_cast<size_t>(pairs * n)]);
  at::parallel_for(0, n, grain_of(k), [&](int64_t begin, int64_t end) {
    for (int64_t j = begin; j < end; ++j) {
      pack_column(b + j * b_column, b_step, k, packed_b.get() + j * pairs);
    }
  });
  // Tasks are strips of rows, cut into parts of columns where there are too few strips.
  const int64_t strips = (m + kRows - 1) / kRows;
  const int64_t most_rows = (m + kLanes - 1) / kLanes * kLanes;
  const int64_t threads = at::get_num_threads();
  const int64_t tiles = (n + kColumns - 1) / kColumns;
  const int64_t parts = std::min(tiles, strips >= threads ? 1 : (threads + strips - 1) / strips);
  const int64_t tiles_each = (tiles + parts - 1) / parts;
  at::parallel_for(
      0, strips * parts, grain_of(kRows * k * n / parts), [&](int64_t begin, int64_t end) {
        const std::unique_ptr<uint32_t[]> packed_a(
            new uint32_t[static_cast<size_t>(pairs * std::min(kRows, most_rows))]);
        int64_t packed_strip = -1;
        for (int64_t task = begin; task < end; ++task) {
          const int64_t strip = task / parts;
          const int64_t first = strip * kRows;
          const int64_t rows = std::min(kRows, m - first);
          const int64_t vectors = (rows + kLanes - 1) / kLanes;
          if (strip != packed_strip) {
            pack_rows(a + first * a_row, a_row, a_step, rows, vectors * kLanes, k, packed_a.get());
            packed_strip = strip;
          }
          const int64_t from = task % parts * tiles_each * kColumns;
          const int64_t to = std::min(n, from + tiles_each * kColumns);
          for (int64_t j = from; j < to; j += kColumns) {
            const Output output{c + first + j * ldc, ldc, static_cast<float>(alpha),
                                static_cast<float>(beta)};
            kMultiply[vectors - 1][std::min(kColumns, to - j) - 1](
                packed_a.get(), packed_b.get() + j * pairs, pairs, rows, output);
          }
        }
      });
  return true;
}

#else

bool bfloat16_gemm_kernel(TransposeType /*transa*/, TransposeType /*transb*/, int64_t /*m*/,
                          int64_t /*n*/, int64_t /*k*/, double /*alpha*/,
                          const c10::BFloat16* /*a*/, int64_t /*lda*/, const c10::BFloat16* /*b*/,
                          int64_t /*ldb*/, double /*beta*/, c10::BFloat16* /*c*/, int64_t /*ldc*/) {
  return false;
}

#endif

}  // namespace
}  // namespace CPU_CAPABILITY

REGISTER_DISPATCH(bfloat16_gemm_stub, &CPU_CAPABILITY::bfloat16_gemm_kernel)

}  // namespace at::native::cpublas
