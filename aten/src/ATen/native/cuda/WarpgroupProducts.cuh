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

// d = a b^T, or d += a b^T with kAdd; each row of A and of B holds the 16 features of this step.
#define TORCH_PRODUCT_OF_ROWS(TYPES)                                                               \
  asm volatile(                                                                                    \
      "wgmma.mma_async.sync.aligned.m64n128k16.f32." TYPES                                         \
      " "                                                                                          \
      "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, "     \
      "%19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, "      \
      "%36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, %48, %49, %50, %51, %52, "      \
      "%53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63}, %64, %65, %66, 1, 1, 0, 0;"         \
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]),        \
        "+f"(d[7]), "+f"(d[8]), "+f"(d[9]), "+f"(d[10]), "+f"(d[11]), "+f"(d[12]), "+f"(d[13]),    \
        "+f"(d[14]), "+f"(d[15]), "+f"(d[16]), "+f"(d[17]), "+f"(d[18]), "+f"(d[19]), "+f"(d[20]), \
        "+f"(d[21]), "+f"(d[22]), "+f"(d[23]), "+f"(d[24]), "+f"(d[25]), "+f"(d[26]), "+f"(d[27]), \
        "+f"(d[28]), "+f"(d[29]), "+f"(d[30]), "+f"(d[31]), "+f"(d[32]), "+f"(d[33]), "+f"(d[34]), \
        "+f"(d[35]), "+f"(d[36]), "+f"(d[37]), "+f"(d[38]), "+f"(d[39]), "+f"(d[40]), "+f"(d[41]), \
        "+f"(d[42]), "+f"(d[43]), "+f"(d[44]), "+f"(d[45]), "+f"(d[46]), "+f"(d[47]), "+f"(d[48]), \
        "+f"(d[49]), "+f"(d[50]), "+f"(d[51]), "+f"(d[52]), "+f"(d[53]), "+f"(d[54]), "+f"(d[55]), \
        "+f"(d[56]), "+f"(d[57]), "+f"(d[58]), "+f"(d[59]), "+f"(d[60]), "+f"(d[61]), "+f"(d[62]), \
        "+f"(d[63])                                                                                \
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
#define TORCH_PRODUCT_64(TYPES)                                                                    \
  asm volatile(                                                                                    \
      "wgmma.mma_async.sync.aligned.m64n64k16.f32." TYPES                                          \
      " "                                                                                          \
      "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, "     \
      "%19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31}, {%32, %33, %34, %35}, "   \
      "%36, 1, 1, 1, 1;"                                                                           \
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]),        \
        "+f"(d[7]), "+f"(d[8]), "+f"(d[9]), "+f"(d[10]), "+f"(d[11]), "+f"(d[12]), "+f"(d[13]),    \
        "+f"(d[14]), "+f"(d[15]), "+f"(d[16]), "+f"(d[17]), "+f"(d[18]), "+f"(d[19]), "+f"(d[20]), \
        "+f"(d[21]), "+f"(d[22]), "+f"(d[23]), "+f"(d[24]), "+f"(d[25]), "+f"(d[26]), "+f"(d[27]), \
        "+f"(d[28]), "+f"(d[29]), "+f"(d[30]), "+f"(d[31])                                         \
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b))
#define TORCH_PRODUCT_128(TYPES)                                                                   \
  asm volatile(                                                                                    \
      "wgmma.mma_async.sync.aligned.m64n128k16.f32." TYPES                                         \
      " "                                                                                          \
      "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, "     \
      "%19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, "      \
      "%36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, %48, %49, %50, %51, %52, "      \
      "%53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63}, {%64, %65, %66, %67}, %68, 1, "     \
      "1, 1, 1;"                                                                                   \
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]),        \
        "+f"(d[7]), "+f"(d[8]), "+f"(d[9]), "+f"(d[10]), "+f"(d[11]), "+f"(d[12]), "+f"(d[13]),    \
        "+f"(d[14]), "+f"(d[15]), "+f"(d[16]), "+f"(d[17]), "+f"(d[18]), "+f"(d[19]), "+f"(d[20]), \
        "+f"(d[21]), "+f"(d[22]), "+f"(d[23]), "+f"(d[24]), "+f"(d[25]), "+f"(d[26]), "+f"(d[27]), \
        "+f"(d[28]), "+f"(d[29]), "+f"(d[30]), "+f"(d[31]), "+f"(d[32]), "+f"(d[33]), "+f"(d[34]), \
        "+f"(d[35]), "+f"(d[36]), "+f"(d[37]), "+f"(d[38]), "+f"(d[39]), "+f"(d[40]), "+f"(d[41]), \
        "+f"(d[42]), "+f"(d[43]), "+f"(d[44]), "+f"(d[45]), "+f"(d[46]), "+f"(d[47]), "+f"(d[48]), \
        "+f"(d[49]), "+f"(d[50]), "+f"(d[51]), "+f"(d[52]), "+f"(d[53]), "+f"(d[54]), "+f"(d[55]), \
        "+f"(d[56]), "+f"(d[57]), "+f"(d[58]), "+f"(d[59]), "+f"(d[60]), "+f"(d[61]), "+f"(d[62]), \
        "+f"(d[63])                                                                                \
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
