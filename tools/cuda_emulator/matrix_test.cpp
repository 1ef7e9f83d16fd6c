#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tools/cuda_emulator/half.h"
#include "tools/cuda_emulator/run_ptx.h"

namespace emulator {
namespace {

using Bits = std::uint16_t;

std::vector<Bits> some_halves(std::size_t count, bool brain, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<float> values(-2, 2);
  std::vector<Bits> result;
  for (std::size_t i = 0; i < count; ++i)
    result.push_back(brain ? bfloat_bits(values(random)) : half_bits(values(random)));
  return result;
}

std::vector<double> product(const std::vector<Bits>& a, const std::vector<Bits>& b, int rows,
                            int columns, int depth, bool brain) {
  std::vector<double> result(rows * columns);
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < columns; ++j) {
      for (int k = 0; k < depth; ++k) {
        const auto value = [&](Bits bits) {
          return double{brain ? bfloat_value(bits) : half_value(bits)};
        };
        result[i * columns + j] += value(a[i * depth + k]) * value(b[k * columns + j]);
      }
    }
  }
  return result;
}

// 16 x 16 and 16 x 8, row after row, through shared memory: ldmatrix, transposed for the right one.
std::string multiply_text(const std::string& type) {
  return kernel_of(3, R"(
      .shared .align 16 .b8 left[512];
      .shared .align 16 .b8 right[256];
      mov.u32 %r1, left; mov.u32 %r2, right;
      mad.lo.u64 %rd10, %rd9, 16, %rd1; ld.global.v4.u32 {%r10, %r11, %r12, %r13}, [%rd10];
      mad.lo.u32 %r3, %r0, 16, %r1; st.shared.v4.u32 [%r3], {%r10, %r11, %r12, %r13};
      mad.lo.u64 %rd11, %rd9, 8, %rd2; ld.global.v2.u32 {%r10, %r11}, [%rd11];
      mad.lo.u32 %r4, %r0, 8, %r2; st.shared.v2.u32 [%r4], {%r10, %r11};
      bar.sync 0;
      // Lanes 0-15 the rows of the left columns, 16-31 those of the right ones.
      and.b32 %r5, %r0, 15; shr.u32 %r6, %r0, 4;
      mad.lo.u32 %r7, %r5, 32, %r1; mad.lo.u32 %r7, %r6, 16, %r7;
      ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r20, %r21, %r22, %r23}, [%r7];
      mad.lo.u32 %r8, %r5, 16, %r2;
      ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%r24, %r25}, [%r8];
      mov.f32 %f0, 0f3F800000; mov.f32 %f1, 0f40000000; mov.f32 %f2, 0f00000000; mov.f32 %f3, 0f00000000;
      mma.sync.aligned.m16n8k16.row.col.f32.)" +
                          type + "." + type + R"(.f32
          {%f0, %f1, %f2, %f3}, {%r20, %r21, %r22, %r23}, {%r24, %r25}, {%f0, %f1, %f2, %f3};
      // Row lane / 4, columns 2 (lane % 4) and the next; then 8 rows below.
      shr.u32 %r30, %r0, 2; and.b32 %r31, %r0, 3;
      mul.lo.u32 %r32, %r30, 32; mad.lo.u32 %r32, %r31, 8, %r32;
      cvt.u64.u32 %rd12, %r32; add.u64 %rd12, %rd12, %rd0;
      st.global.v2.f32 [%rd12], {%f0, %f1};
      st.global.v2.f32 [%rd12+256], {%f2, %f3};)");
}

TEST(Matrix, ProductsOfTiles) {
  const std::uint64_t seed = std::random_device()();
  for (const bool brain : {false, true}) {
    SCOPED_TRACE("seed " + std::to_string(seed) + (brain ? ", bf16" : ", f16"));
    std::vector<Bits> a = some_halves(16 * 16, brain, seed);
    std::vector<Bits> b = some_halves(16 * 8, brain, seed + 1);
    std::vector<float> d(16 * 8);
    run_kernel(multiply_text(brain ? "bf16" : "f16"), {d.data(), a.data(), b.data()});
    const std::vector<double> wanted = product(a, b, 16, 8, 16, brain);
    for (int i = 0; i < 16; ++i) {
      for (int j = 0; j < 8; ++j) {
        const double start = i >= 8 ? 0 : j % 2 ? 2 : 1;
        EXPECT_NEAR(d[i * 8 + j], wanted[i * 8 + j] + start, 1e-4) << i << ", " << j;
      }
    }
  }
}

TEST(Matrix, FragmentsOfWmma) {
  const std::uint64_t seed = std::random_device()();
  std::vector<Bits> a = some_halves(256, true, seed);
  std::vector<Bits> b = some_halves(256, true, seed + 1);
  std::vector<Bits> transposed(256);
  for (int i = 0; i < 256; ++i) transposed[i % 16 * 16 + i / 16] = b[i];
  for (const bool columns : {false, true}) {
    std::vector<float> d(256);
    run_kernel(kernel_of(3, std::string(R"(
        mov.f32 %f0, 0f3F000000; mov.u32 %r1, 16;
        wmma.load.a.sync.aligned.row.m16n16k16.global.bf16 {%r10, %r11, %r12, %r13}, [%rd1], %r1;
        wmma.load.b.sync.aligned.)") +
                                (columns ? "col" : "row") +
                                R"(.m16n16k16.global.bf16 {%r14, %r15, %r16, %r17}, [%rd2], %r1;
        wmma.mma.sync.aligned.row.)" +
                                (columns ? "col" : "row") + R"(.m16n16k16.f32.bf16.bf16.f32
            {%f10, %f11, %f12, %f13, %f14, %f15, %f16, %f17}, {%r10, %r11, %r12, %r13}, {%r14, %r15, %r16, %r17},
            {%f0, %f0, %f0, %f0, %f0, %f0, %f0, %f0};
        wmma.store.d.sync.aligned.row.m16n16k16.global.f32 [%rd0], {%f10, %f11, %f12, %f13, %f14, %f15, %f16, %f17}, %r1;)"),
               {d.data(), a.data(), columns ? transposed.data() : b.data()});
    const std::vector<double> wanted = product(a, b, 16, 16, 16, true);
    for (int i = 0; i < 256; ++i)
      EXPECT_NEAR(d[i], wanted[i] + 0.5, 1e-4) << i << ", seed " << seed;
  }
}

TEST(Matrix, StoredFragmentsAreSeenAfterABarrier) {
  const auto text = [](const std::string& barrier) {
    return kernel_of(1, R"(
        .shared .align 32 .b8 tile[1024];
        mov.f32 %f0, 0f3F000000; mov.u32 %r1, 16; mov.u32 %r2, tile;
        wmma.store.d.sync.aligned.row.m16n16k16.shared.f32
            [%r2], {%f0, %f0, %f0, %f0, %f0, %f0, %f0, %f0}, %r1;)" +
                            barrier + R"(
        ld.shared.f32 %f1, [%r2];
        mad.lo.u64 %rd10, %rd9, 4, %rd0;
        st.global.f32 [%rd10], %f1;)");
  };
  options().racecheck = true;
  std::vector<float> out(32);
  run_kernel(text("bar.warp.sync -1;"), {out.data()});
  EXPECT_EQ(out, std::vector<float>(32, 0.5f));
  EXPECT_THROW(run_kernel(text(""), {out.data()}), Error);
  options().racecheck = false;
}

}  // namespace
}  // namespace emulator
