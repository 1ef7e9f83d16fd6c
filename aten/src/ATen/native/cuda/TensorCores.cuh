#pragma once

// Tensor core instructions of sm_80 and later on tiles of 16-bit numbers in shared memory.
//
// The layouts of fragments are those of mma.m16n8k16 in the PTX ISA, section "Matrix Fragments for
// mma.m16n8k16 with floating point type": with g = lane / 4 and t = lane % 4, a thread has of
//   A (16 x 16)  rows g and g + 8, columns 2t, 2t + 1, 2t + 8 and 2t + 9, in four registers
//   B (16 x 8)   rows 2t, 2t + 1, 2t + 8 and 2t + 9, column g, in two registers
//   C (16 x 8)   rows g and g + 8, columns 2t and 2t + 1, in four floats

#include <c10/macros/Macros.h>
#include <c10/util/BFloat16.h>
#include <c10/util/Half.h>

#include <cstdint>
#include <type_traits>

namespace at::native::tensor_cores {

// c += a * b
template <typename T>
C10_DEVICE void multiply_add(float (&c)[4], const uint32_t (&a)[4], uint32_t b0, uint32_t b1) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
  if constexpr (std::is_same_v<T, c10::Half>) {
    asm volatile(
        "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
        "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
        : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
  } else {
    asm volatile(
        "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 "
        "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
        : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
  }
#endif
}

// Packs two numbers into a register, the first in the lower half.
template <typename T>
C10_DEVICE uint32_t pack(float low, float high) {
  uint32_t result = 0;
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
  if constexpr (std::is_same_v<T, c10::Half>) {
    asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(result) : "f"(high), "f"(low));
  } else {
    asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(result) : "f"(high), "f"(low));
  }
#endif
  return result;
}

C10_DEVICE inline uint32_t shared_address(const void* p) {
  return static_cast<uint32_t>(__cvta_generic_to_shared(p));
}

// Loads four 8 x 8 matrices (ldmatrix.x4); lanes 8i to 8i + 7 give the row addresses of matrix i.
C10_DEVICE inline void load_matrices(uint32_t (&r)[4], const void* row) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
               : "r"(shared_address(row)));
}
// The same, transposed.
C10_DEVICE inline void load_matrices_transposed(uint32_t (&r)[4], const void* row) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
               : "r"(shared_address(row)));
}

// Starts an asynchronous copy of 16 bytes to shared memory. If not `there`, reads nothing and
// stores zeros.
C10_DEVICE inline void copy_async(void* to, const void* from, bool there) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
  const int bytes = there ? 16 : 0;
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(shared_address(to)), "l"(from),
               "r"(bytes)
               : "memory");
#endif
}
C10_DEVICE inline void commit_copies() {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
  asm volatile("cp.async.commit_group;" ::: "memory");
#endif
}
// Waits until at most kPending of this thread's copy groups are unfinished.
template <int kPending>
C10_DEVICE void wait_copies() {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
  asm volatile("cp.async.wait_group %0;" ::"n"(kPending) : "memory");
#endif
}

// A tile in shared memory with rows of kColumns elements, swizzled in units of eight elements so
// that reading one column of eight rows has no bank conflicts.
template <typename T, int kColumns>
struct Tile {
  static_assert(kColumns % 64 == 0);
  T* data;

  C10_DEVICE T* at(int row, int column) const {
    return data + row * kColumns + ((column / 8) ^ (row % 8)) * 8 + column % 8;
  }

  // Starts copies of rows [first, first + kRows) of `count` rows of `columns` elements, `stride`
  // apart, with kThreads threads; zero-fills outside. The caller calls commit_copies().
  template <int kRows, int kThreads>
  C10_DEVICE void load(const T* from, int64_t stride, int64_t first, int64_t count,
                       int columns) const {
    constexpr int kPieces = kColumns / 8;
#pragma unroll
    for (int i = 0; i < kRows * kPieces / kThreads; ++i) {
      const int piece = i * kThreads + static_cast<int>(threadIdx.x);
      const int row = piece / kPieces;
      const int column = piece % kPieces * 8;
      const bool there = first + row < count && column < columns;
      copy_async(at(row, column), there ? from + (first + row) * stride + column : from, there);
    }
  }

  // Loads rows [row, row + 16), columns [column, column + 16) as A.
  C10_DEVICE void load_a(uint32_t (&a)[4], int row, int column) const {
    const int lane = static_cast<int>(threadIdx.x) % 32;
    load_matrices(a, at(row + lane % 16, column + lane / 16 * 8));
  }
  // Loads the transpose of that block as A: the rows of A are columns of the tile.
  C10_DEVICE void load_a_transposed(uint32_t (&a)[4], int row, int column) const {
    const int lane = static_cast<int>(threadIdx.x) % 32;
    load_matrices_transposed(a, at(row + lane / 16 * 8 + lane % 8, column + lane / 8 % 2 * 8));
  }
  // Loads its transpose as two B fragments: b[0] and b[1] from the first eight rows, b[2] and b[3]
  // from the last eight.
  C10_DEVICE void load_b_transposed(uint32_t (&b)[4], int row, int column) const {
    const int lane = static_cast<int>(threadIdx.x) % 32;
    load_matrices(b, at(row + lane / 16 * 8 + lane % 8, column + lane / 8 % 2 * 8));
  }
  // Loads it as two B fragments: b[0] and b[1] from the first eight columns, b[2] and b[3] from the
  // last eight.
  C10_DEVICE void load_b(uint32_t (&b)[4], int row, int column) const {
    const int lane = static_cast<int>(threadIdx.x) % 32;
    load_matrices_transposed(b, at(row + lane / 8 % 2 * 8 + lane % 8, column + lane / 16 * 8));
  }
};

}  // namespace at::native::tensor_cores
