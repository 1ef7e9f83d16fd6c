// Attention by tiles of scores, with a running maximum and sum (Dao, Fu, Ermon, Rudra and Re,
// arXiv:2205.14135).

#define TORCH_ASSERT_NO_OPERATORS
#include <ATen/native/FlashAttention.h>

#include <ATen/Dispatch.h>
#include <ATen/Parallel.h>
#include <ATen/cpu/vec/vec.h>
#include <ATen/native/CPUBlas.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

namespace at::native {
inline namespace CPU_CAPABILITY {
namespace {

using cpublas::TransposeType;
using vec::Vectorized;

constexpr int64_t kQueries = 64;
constexpr int64_t kKeys = 256;

template <typename T, typename Pointer>
auto* at_position(const AttentionOperand<Pointer>& operand, int64_t b, int64_t h, int64_t i) {
  using Element = std::conditional_t<std::is_const_v<std::remove_pointer_t<Pointer>>, const T, T>;
  return static_cast<Element*>(operand.data) + b * operand.strides[0] + h * operand.strides[1] +
         i * operand.strides[2];
}

template <typename T>
T lane_max(const Vectorized<T>& v) {
  T lanes[Vectorized<T>::size()];
  v.store(lanes);
  return *std::max_element(lanes, lanes + Vectorized<T>::size());
}

template <typename T>
T lane_sum(const Vectorized<T>& v) {
  T lanes[Vectorized<T>::size()];
  v.store(lanes);
  T sum(0);
  for (const T lane : lanes) sum += lane;
  return sum;
}

// x = x * scale + mask; returns the greatest element.
template <typename T>
T scale_row(T* x, int64_t n, T scale, const T* mask, int64_t mask_stride) {
  using Vec = Vectorized<T>;
  constexpr T kLowest = -std::numeric_limits<T>::infinity();
  Vec best(kLowest);
  int64_t i = 0;
  if (mask == nullptr || mask_stride == 1) {
    for (; i + Vec::size() <= n; i += Vec::size()) {
      Vec v = Vec::loadu(x + i) * Vec(scale);
      if (mask != nullptr) v += Vec::loadu(mask + i);
      v.store(x + i);
      best = vec::maximum(best, v);
    }
  }
  T greatest = lane_max(best);
  // Two loops: of one the compiler would make loads without effect from no memory, which are slow.
  if (mask == nullptr) {
    for (; i < n; ++i) {
      x[i] *= scale;
      greatest = std::max(greatest, x[i]);
    }
  } else {
    for (; i < n; ++i) {
      x[i] = x[i] * scale + mask[i * mask_stride];
      greatest = std::max(greatest, x[i]);
    }
  }
  return greatest;
}

// x = exp(x - shift); returns the sum.
template <typename T>
T exp_row(T* x, int64_t n, T shift) {
  using Vec = Vectorized<T>;
  Vec sums(T(0));
  // Below this exp is 0 in both types, and Highway's polynomial need not be left for it.
  const Vec floor(std::is_same_v<T, float> ? T(-87) : T(-708));
  int64_t i = 0;
  for (; i + Vec::size() <= n; i += Vec::size()) {
    const Vec delta = Vec::loadu(x + i) - Vec(shift);
    const Vec e = Vec::blendv(vec::maximum(delta, floor).exp(), Vec(T(0)), delta < floor);
    e.store(x + i);
    sums += e;
  }
  T sum = lane_sum(sums);
  for (; i < n; ++i) {
    x[i] = std::exp(x[i] - shift);
    sum += x[i];
  }
  return sum;
}

template <typename T>
void scale_in_place(T* x, int64_t n, T factor) {
  using Vec = Vectorized<T>;
  int64_t i = 0;
  for (; i + Vec::size() <= n; i += Vec::size()) (Vec::loadu(x + i) * Vec(factor)).store(x + i);
  for (; i < n; ++i) x[i] *= factor;
}

template <typename T>
struct Tile {
  std::vector<T> scores = std::vector<T>(static_cast<size_t>(kQueries * kKeys));
  std::vector<T> output;
  T greatest[kQueries];
  T sum[kQueries];

  explicit Tile(int64_t value_features) : output(static_cast<size_t>(kQueries * value_features)) {}
};

// Queries [begin, end) of one head.
template <typename T>
void attend(const AttentionProblem& p, int64_t b, int64_t h, int64_t begin, int64_t end,
            Tile<T>& tile) {
  constexpr T kLowest = -std::numeric_limits<T>::infinity();
  const int64_t rows = end - begin;
  const c10::ScalarType dtype = c10::CppTypeToScalarType<T>::value;
  std::fill_n(tile.greatest, rows, kLowest);
  std::fill_n(tile.sum, rows, T(0));
  std::fill_n(tile.output.data(), rows * p.value_features, T(0));
  const int64_t seen = p.causal ? std::min(p.keys, end) : p.keys;
  for (int64_t key = 0; key < seen; key += kKeys) {
    const int64_t columns = std::min(kKeys, seen - key);
    // As BLAS stores matrices: scores^T (columns x rows) = K Q^T.
    cpublas::gemm(TransposeType::Transpose, TransposeType::NoTranspose, columns, rows, p.features,
                  1.0, at_position<T>(p.key, b, h, key), p.key.strides[2],
                  at_position<T>(p.query, b, h, begin), p.query.strides[2], 0.0, tile.scores.data(),
                  columns, dtype);
    for (int64_t r = 0; r < rows; ++r) {
      T* row = tile.scores.data() + r * columns;
      const int64_t visible =
          p.causal ? std::clamp<int64_t>(begin + r + 1 - key, 0, columns) : columns;
      const T* mask = p.mask.data == nullptr
                          ? nullptr
                          : at_position<T>(p.mask, b, h, begin + r) + key * p.mask_column_stride;
      const T greatest = std::max(tile.greatest[r], scale_row(row, visible, static_cast<T>(p.scale),
                                                              mask, p.mask_column_stride));
      if (greatest == kLowest) {
        std::fill_n(row, columns, T(0));
        continue;
      }
      const T sum = exp_row(row, visible, greatest);
      std::fill(row + visible, row + columns, T(0));
      const T factor = std::exp(tile.greatest[r] - greatest);
      if (factor != T(1)) {
        scale_in_place(tile.output.data() + r * p.value_features, p.value_features, factor);
      }
      tile.sum[r] = tile.sum[r] * factor + sum;
      tile.greatest[r] = greatest;
    }
    // output^T (value_features x rows) += V^T scores^T
    cpublas::gemm(TransposeType::NoTranspose, TransposeType::NoTranspose, p.value_features, rows,
                  columns, 1.0, at_position<T>(p.value, b, h, key), p.value.strides[2],
                  tile.scores.data(), columns, 1.0, tile.output.data(), p.value_features, dtype);
  }
  T* logsumexp = static_cast<T*>(p.logsumexp) + (b * p.heads + h) * p.queries + begin;
  for (int64_t r = 0; r < rows; ++r) {
    T* row = tile.output.data() + r * p.value_features;
    // A query that sees nothing has an output of 0.
    if (tile.sum[r] != T(0)) scale_in_place(row, p.value_features, T(1) / tile.sum[r]);
    std::copy_n(row, p.value_features, at_position<T>(p.output, b, h, begin + r));
    logsumexp[r] = tile.greatest[r] + std::log(tile.sum[r]);
  }
}

void flash_attention_kernel(const AttentionProblem& p, c10::ScalarType dtype) {
  const int64_t blocks = (p.queries + kQueries - 1) / kQueries;
  AT_DISPATCH_FLOATING_TYPES(dtype, "flash_attention", [&] {
    at::parallel_for(0, p.batch * p.heads * blocks, 1, [&](int64_t first, int64_t last) {
      Tile<scalar_t> tile(p.value_features);
      for (int64_t task = first; task < last; ++task) {
        const int64_t begin = task % blocks * kQueries;
        const int64_t head = task / blocks;
        attend<scalar_t>(p, head / p.heads, head % p.heads, begin,
                         std::min(begin + kQueries, p.queries), tile);
      }
    });
  });
}

}  // namespace
}  // namespace CPU_CAPABILITY

REGISTER_DISPATCH(flash_attention_stub, &CPU_CAPABILITY::flash_attention_kernel)

}  // namespace at::native
