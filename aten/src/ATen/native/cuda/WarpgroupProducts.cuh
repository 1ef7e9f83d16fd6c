#pragma once

// Products of a warpgroup, four warps together, on Hopper's tensor cores: wgmma.mma_async of the
// PTX ISA, section "Asynchronous Warpgroup Level Matrix Instructions". Only code for sm_90a has it.
//
// One product adds A (64 x 16, in shared memory or registers) times B (16 x N, in shared memory) to
// D (64 x N floats). Warp w has rows 16 w to 16 w + 15 with the fragments of TensorCores.cuh:
// `d[4 * n + e]` is element e of the fragment of columns 8 n to 8 n + 7.
//
// Products are asynchronous. Between begin_products() and wait_products() nothing may touch `d` or
// a register fragment of A; keep() stops the compiler from moving such accesses.

#include <c10/macros/Macros.h>
#include <c10/util/Half.h>

#include <cstdint>
#include <type_traits>

namespace at::native::warpgroup {

#ifdef __CUDA_ARCH_FEAT_SM90_ALL

// Describes a tile in shared memory with the 128-byte swizzle of tensor maps: in rows of 128 bytes
// (64 elements), the 16-byte unit p of row r lies at p ^ (r % 8). Of longer rows, the next 128
// bytes of all rows begin `next_columns` bytes later. The tile is aligned to 1024 bytes; `address`
// lies in its first row or at the start of any eighth row.
C10_DEVICE inline uint64_t matrix_descriptor(uint32_t address, uint32_t next_columns) {
  constexpr uint64_t kEightRows = 1024;
  constexpr uint64_t kSwizzle128 = 1;
  return uint64_t{(address & 0x3ffff) >> 4} | uint64_t{next_columns >> 4} << 16 |
         kEightRows >> 4 << 32 | kSwizzle128 << 62;
}

// Orders earlier register writes before the products that follow.
C10_DEVICE inline void begin_products() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }
C10_DEVICE inline void commit_products() {
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}
// Waits until at most kPending groups of products are unfinished.
template <int kPending>
C10_DEVICE void wait_products() {
  asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(kPending) : "memory");
}

// Stops the compiler from moving accesses to these registers across this point.
template <int kCount>
C10_DEVICE void keep(float (&numbers)[kCount]) {
#pragma unroll
  for (int i = 0; i < kCount; ++i) asm volatile("" : "+f"(numbers[i])::"memory");
}
template <int kCount>
C10_DEVICE void keep(uint32_t (&fragments)[kCount][4]) {
#pragma unroll
  for (int i = 0; i < kCount; ++i) {
#pragma unroll
    for (int k = 0; k < 4; ++k) asm volatile("" : "+r"(fragments[i][k])::"memory");
  }
}

// The registers of D in an asm statement: their names in its text, and its operands.
#define TORCH_D_NAMES_32                                                        \
  "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, " \
  "%17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31"
#define TORCH_D_NAMES_64                                                        \
  TORCH_D_NAMES_32                                                              \
  ", "                                                                          \
  "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, " \
  "%47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, " \
  "%62, %63"
#define TORCH_D_8(i)                                                                          \
  "+f"(d[i]), "+f"(d[i + 1]), "+f"(d[i + 2]), "+f"(d[i + 3]), "+f"(d[i + 4]), "+f"(d[i + 5]), \
      "+f"(d[i + 6]), "+f"(d[i + 7])
#define TORCH_D_32 TORCH_D_8(0), TORCH_D_8(8), TORCH_D_8(16), TORCH_D_8(24)
#define TORCH_D_64 TORCH_D_32, TORCH_D_8(32), TORCH_D_8(40), TORCH_D_8(48), TORCH_D_8(56)

// d = a b^T, or d += a b^T with kAdd; each row of A and of B holds the 16 features of this step.
#define TORCH_PRODUCT_OF_ROWS(TYPES)                                                      \
  asm volatile("wgmma.mma_async.sync.aligned.m64n128k16.f32." TYPES " {" TORCH_D_NAMES_64 \
               "}, %64, %65, %66, 1, 1, 0, 0;"                                            \
               : TORCH_D_64                                                               \
               : "l"(a), "l"(b), "n"(kAdd))
template <typename T, bool kAdd>
C10_DEVICE void multiply_rows(float (&d)[64], uint64_t a, uint64_t b) {
  if constexpr (std::is_same_v<T, c10::Half>) {
    TORCH_PRODUCT_OF_ROWS("f16.f16");
  } else {
    TORCH_PRODUCT_OF_ROWS("bf16.bf16");
  }
}
#undef TORCH_PRODUCT_OF_ROWS

// d += a b with A in registers; B has 16 rows, one for each column of A, of N elements.
#define TORCH_PRODUCT_64(TYPES)                                                          \
  asm volatile("wgmma.mma_async.sync.aligned.m64n64k16.f32." TYPES " {" TORCH_D_NAMES_32 \
               "}, {%32, %33, %34, %35}, %36, 1, 1, 1, 1;"                               \
               : TORCH_D_32                                                              \
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b))
#define TORCH_PRODUCT_128(TYPES)                                                          \
  asm volatile("wgmma.mma_async.sync.aligned.m64n128k16.f32." TYPES " {" TORCH_D_NAMES_64 \
               "}, {%64, %65, %66, %67}, %68, 1, 1, 1, 1;"                                \
               : TORCH_D_64                                                               \
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b))
template <typename T, int kHalf>
C10_DEVICE void multiply_columns(float (&d)[kHalf], const uint32_t (&a)[4], uint64_t b) {
  static_assert(kHalf == 32 || kHalf == 64);
  if constexpr (std::is_same_v<T, c10::Half> && kHalf == 32) {
    TORCH_PRODUCT_64("f16.f16");
  } else if constexpr (std::is_same_v<T, c10::Half>) {
    TORCH_PRODUCT_128("f16.f16");
  } else if constexpr (kHalf == 32) {
    TORCH_PRODUCT_64("bf16.bf16");
  } else {
    TORCH_PRODUCT_128("bf16.bf16");
  }
}
#undef TORCH_PRODUCT_64
#undef TORCH_PRODUCT_128
#undef TORCH_D_NAMES_32
#undef TORCH_D_NAMES_64
#undef TORCH_D_8
#undef TORCH_D_32
#undef TORCH_D_64

// Sets the number of registers per thread of this warpgroup; all its warps call it. A warpgroup
// that only starts copies gives registers up to those that compute.
template <int kRegisters>
C10_DEVICE void give_registers_back() {
  asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(kRegisters));
}
template <int kRegisters>
C10_DEVICE void take_registers() {
  asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(kRegisters));
}

#endif

}  // namespace at::native::warpgroup
