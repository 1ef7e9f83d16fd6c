#pragma once

// Transposed copies of elements, in squares that fit registers.

#include <ATen/cpu/vec/vec.h>
#include <ATen/native/cpu/PartialVectors.h>
#include <hwy/base.h>

#include <cstdint>
#include <cstring>

namespace at::native {
inline namespace CPU_CAPABILITY {

// A vector of `kSide` elements, of which only the bits matter.
template <typename opaque_t, int kSide>
struct SideOf {
  using Lane = hwy::UnsignedFromSize<sizeof(opaque_t)>;
  typedef Lane type __attribute__((vector_size(sizeof(Lane) * kSide)));
};

// A square of kSide elements a side: rows of `in` become columns of `out`. Strides are in bytes.
template <int kSide, typename opaque_t>
void transpose_square(opaque_t* out, int64_t out_stride, const char* in, int64_t in_stride) {
  using Row = typename SideOf<opaque_t, kSide>::type;
  Row rows[kSide];
  Row next[kSide];
#pragma GCC unroll 16
  for (int k = 0; k < kSide; ++k) std::memcpy(&rows[k], in + k * in_stride, sizeof(Row));
  // The perfect shuffle, as often as a side can be halved.
#pragma GCC unroll 4
  for (int width = kSide; width > 1; width /= 2) {
#pragma GCC unroll 8
    for (int k = 0; k < kSide / 2; ++k) {
      const Row a = rows[k];
      const Row b = rows[k + kSide / 2];
      next[2 * k] = vec::make_lanes<Row>(
          [&]<int kLane>() { return kLane % 2 == 0 ? a[kLane / 2] : b[kLane / 2]; });
      next[2 * k + 1] = vec::make_lanes<Row>([&]<int kLane>() {
        return kLane % 2 == 0 ? a[(kSide + kLane) / 2] : b[(kSide + kLane) / 2];
      });
    }
#pragma GCC unroll 16
    for (int k = 0; k < kSide; ++k) rows[k] = next[k];
  }
#pragma GCC unroll 16
  for (int k = 0; k < kSide; ++k) {
    std::memcpy(reinterpret_cast<char*>(out) + k * out_stride, &rows[k], sizeof(Row));
  }
}

// The side of the largest squares that fit registers, and that of those for what they leave; 0
// stands for elements one by one.
template <typename opaque_t>
constexpr int smaller_side(int side) {
  constexpr int kSize = sizeof(opaque_t);
#if defined(CPU_CAPABILITY_AVX512)
  // AVX-512 moves elements of 32 and 64 bits between any lanes of two vectors at once.
  if (side * kSize > 64 && (kSize == 4 || kSize == 8)) return 64 / kSize;
  if (side * kSize > 32 && (kSize == 4 || kSize == 8)) return 32 / kSize;
#endif
  return side * kSize > 16 && kSize < 16 ? 16 / kSize : 0;
}
template <typename opaque_t>
constexpr int kLargestSide = smaller_side<opaque_t>(1024);

// out(row, column) = in(column, row) for rows [first_row, last_row) and columns [first, last), in
// squares and one by one. Strides are in bytes: of `out` between rows, of `in` between columns;
// elements of a row of `out` and of a column of `in` lie together.
template <typename opaque_t, int kSide = kLargestSide<opaque_t>>
void copy_tile(char* out, int64_t out_stride, const char* in, int64_t in_stride, int64_t first_row,
               int64_t last_row, int64_t first, int64_t last) {
  constexpr auto kSize = static_cast<int64_t>(sizeof(opaque_t));
  const auto row_of = [&](int64_t row) {
    return reinterpret_cast<opaque_t*>(out + row * out_stride);
  };
  if constexpr (kSide > 0) {
    constexpr int kNext = smaller_side<opaque_t>(kSide);
    const int64_t end_row = last_row - (last_row - first_row) % kSide;
    const int64_t end = last - (last - first) % kSide;
    for (int64_t row = first_row; row < end_row; row += kSide) {
      for (int64_t column = first; column < end; column += kSide) {
        transpose_square<kSide>(row_of(row) + column, out_stride,
                                in + row * kSize + column * in_stride, in_stride);
      }
    }
    copy_tile<opaque_t, kNext>(out, out_stride, in, in_stride, first_row, end_row, end, last);
    copy_tile<opaque_t, kNext>(out, out_stride, in, in_stride, end_row, last_row, first, last);
  } else {
    for (int64_t row = first_row; row < last_row; ++row) {
      opaque_t* to = row_of(row);
      const char* from = in + row * kSize;
      for (int64_t column = first; column < last; ++column) {
        std::memcpy(to + column, from + column * in_stride, sizeof(opaque_t));
      }
    }
  }
}

}  // namespace CPU_CAPABILITY
}  // namespace at::native
