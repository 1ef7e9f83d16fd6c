#pragma once

// Transposed copies of elements, in squares that fit registers.

#include <ATen/cpu/vec/vec.h>
#include <hwy/highway.h>

#include <cstddef>
#include <cstdint>

namespace at::native {
inline namespace CPU_CAPABILITY {

#if !HWY_HAVE_SCALABLE && HWY_TARGET != HWY_SCALAR
// A square of as many elements a side as 16 bytes hold: rows of `in` become columns of `out`.
// Strides are in bytes.
template <typename opaque_t>
void transpose_square(opaque_t* out, int64_t out_stride, const char* in, int64_t in_stride) {
  namespace hw = hwy::HWY_NAMESPACE;
  constexpr size_t kSide = 16 / sizeof(opaque_t);
  using Lane = hwy::UnsignedFromSize<sizeof(opaque_t)>;
  const hw::FixedTag<Lane, kSide> d;
  hw::Vec<decltype(d)> rows[kSide];
  hw::Vec<decltype(d)> next[kSide];
  for (size_t k = 0; k < kSide; ++k) {
    rows[k] = hw::LoadU(d, reinterpret_cast<const Lane*>(in + static_cast<int64_t>(k) * in_stride));
  }
  // The perfect shuffle, as often as a side can be halved.
  for (size_t width = kSide; width > 1; width /= 2) {
    for (size_t k = 0; k < kSide / 2; ++k) {
      next[2 * k] = hw::InterleaveLower(d, rows[k], rows[k + kSide / 2]);
      next[2 * k + 1] = hw::InterleaveUpper(d, rows[k], rows[k + kSide / 2]);
    }
    for (size_t k = 0; k < kSide; ++k) rows[k] = next[k];
  }
  for (size_t k = 0; k < kSide; ++k) {
    hw::StoreU(rows[k], d,
               reinterpret_cast<Lane*>(reinterpret_cast<char*>(out) +
                                       static_cast<int64_t>(k) * out_stride));
  }
}
template <typename opaque_t>
constexpr int64_t kSquare = sizeof(opaque_t) < 16 ? 16 / sizeof(opaque_t) : 0;
#else
template <typename opaque_t>
constexpr int64_t kSquare = 0;
#endif

// out(row, column) = in(column, row) for rows [first_row, last_row) and columns [first, last), in
// squares and one by one. Strides are in bytes: of `out` between rows, of `in` between columns;
// elements of a row of `out` and of a column of `in` lie together.
template <typename opaque_t>
void copy_tile(char* out, int64_t out_stride, const char* in, int64_t in_stride, int64_t first_row,
               int64_t last_row, int64_t first, int64_t last) {
  constexpr auto kSize = static_cast<int64_t>(sizeof(opaque_t));
  int64_t row = first_row;
  int64_t squares = first;
  if constexpr (kSquare<opaque_t> > 0) {
    constexpr int64_t kSide = kSquare<opaque_t>;
    for (; row + kSide <= last_row; row += kSide) {
      for (squares = first; squares + kSide <= last; squares += kSide) {
        transpose_square(reinterpret_cast<opaque_t*>(out + row * out_stride) + squares, out_stride,
                         in + row * kSize + squares * in_stride, in_stride);
      }
    }
  }
  for (int64_t r = first_row; r < last_row; ++r) {
    auto* to = reinterpret_cast<opaque_t*>(out + r * out_stride);
    const char* from = in + r * kSize;
    for (int64_t c = r < row ? squares : first; c < last; ++c) {
      to[c] = *reinterpret_cast<const opaque_t*>(from + c * in_stride);
    }
  }
}

}  // namespace CPU_CAPABILITY
}  // namespace at::native
