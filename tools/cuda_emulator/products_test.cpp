#include <bit>
#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tools/cuda_emulator/half.h"
#include "tools/cuda_emulator/run_ptx.h"

namespace emulator {
namespace {

using U16 = std::uint16_t;
using U32 = std::uint32_t;

constexpr unsigned kRows = 64;
constexpr unsigned kDepth = 16;
constexpr unsigned kColumns = 16;
// In shared memory: A of 64 rows of 128 bytes, then B of 16 rows.
constexpr unsigned kBytesOfA = kRows * 128;
constexpr unsigned kBytes = kBytesOfA + 16 * 128;

// A product of 64 x 16 x 16 by four warps, of matrices that they copy to shared memory.
class WarpgroupProduct : public testing::Test {
 protected:
  WarpgroupProduct() : random(testing::UnitTest::GetInstance()->random_seed()) {
    std::uniform_real_distribution<float> some(-2, 2);
    for (auto& row : a)
      for (float& x : row) x = half_value(half_bits(some(random)));
    for (auto& row : b)
      for (float& x : row) x = half_value(half_bits(some(random)));
  }

  // A tile's element: pieces of eight are exchanged by the row.
  static void put(std::vector<U16>& tile, unsigned begin, unsigned row, unsigned column, U16 bits) {
    const unsigned piece = column / 8 ^ row % 8;
    tile[begin / 2 + row * 64 + piece * 8 + column % 8] = bits;
  }

  // The image of shared memory; B's rows are its columns where `transposed`.
  std::vector<U16> image(bool brain, bool transposed, unsigned first_column) const {
    std::vector<U16> tile(kBytes / 2);
    const auto bits = [&](float x) { return brain ? bfloat_bits(x) : half_bits(x); };
    for (unsigned i = 0; i < kRows; ++i)
      for (unsigned k = 0; k < kDepth; ++k) put(tile, 0, i, first_column + k, bits(a[i][k]));
    for (unsigned k = 0; k < kDepth; ++k) {
      for (unsigned j = 0; j < kColumns; ++j) {
        if (transposed) {
          put(tile, kBytesOfA, k, j, bits(b[k][j]));
        } else {
          put(tile, kBytesOfA, j, first_column + k, bits(b[k][j]));
        }
      }
    }
    return tile;
  }

  // Fragments of A as registers: two words for each of rows g and g + 8, for both halves of depth.
  std::vector<U32> fragments(bool brain) const {
    std::vector<U32> words(128 * 4);
    const auto bits = [&](float x) -> U32 { return brain ? bfloat_bits(x) : half_bits(x); };
    for (unsigned thread = 0; thread < 128; ++thread) {
      for (unsigned w = 0; w < 4; ++w) {
        const unsigned row = thread / 32 * 16 + thread % 32 / 4 + w % 2 * 8;
        const unsigned k = thread % 4 * 2 + w / 2 * 8;
        words[thread * 4 + w] = bits(a[row][k]) | bits(a[row][k + 1]) << 16;
      }
    }
    return words;
  }

  struct Text {
    std::string proxy = "fence.proxy.async.shared::cta;";
    std::string fence = "wgmma.fence.sync.aligned;";
    std::string product;
    std::string wait = "wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;";
  };

  // Copies the image, makes products of {%f0 .. %f7}, which begin as 1, and stores them.
  static std::string kernel(const Text& text, unsigned first_column = 0) {
    std::string body = R"(
        .shared .align 1024 .b8 tile[)" +
                       std::to_string(kBytes) + R"(];
        mov.u32 %r10, tile; mov.u32 %r11, %r0;
        copy: mad.lo.u32 %r12, %r11, 4, %r10; mul.wide.u32 %rd10, %r11, 4;
        add.u64 %rd10, %rd10, %rd1; ld.global.u32 %r13, [%rd10]; st.shared.u32 [%r12], %r13;
        add.u32 %r11, %r11, 128; setp.lt.u32 %p0, %r11, )" +
                       std::to_string(kBytes / 4) + "; @%p0 bra copy;" + text.proxy + R"(
        bar.sync 0;
        mad.lo.u64 %rd11, %rd9, 16, %rd2; ld.global.v4.u32 {%r20, %r21, %r22, %r23}, [%rd11];
        cvt.u64.u32 %rd12, %r10; shr.u64 %rd12, %rd12, 4;
        or.b64 %rd12, %rd12, 0x4000004000000000;
        add.u64 %rd13, %rd12, )" +
                       std::to_string(kBytesOfA / 16) + ";\nadd.u64 %rd12, %rd12, " +
                       std::to_string(first_column / 8) + ";\n";
    for (int i = 0; i < 8; ++i) body += "mov.f32 %f" + std::to_string(i) + ", 0f3F800000;";
    body += text.fence + text.product + text.wait + "mad.lo.u64 %rd14, %rd9, 32, %rd0;";
    for (int i = 0; i < 8; ++i) {
      body += "st.global.f32 [%rd14+" + std::to_string(4 * i) + "], %f" + std::to_string(i) + ";";
    }
    return kernel_of(3, body);
  }

  static std::string product(const std::string& types, const std::string& a_and_b, bool adds,
                             const std::string& signs,
                             const std::string& d = "{%f0, %f1, %f2, %f3, %f4, %f5, %f6, %f7}") {
    return "wgmma.mma_async.sync.aligned.m64n16k16.f32." + types + " " + d + ", " + a_and_b + ", " +
           (adds ? "1" : "0") + ", 1, 1, " + signs + ";\n";
  }

  std::vector<float> results(const Text& text, const std::vector<U16>& tile,
                             const std::vector<U32>& words, unsigned first_column = 0) {
    std::vector<float> out(128 * 8);
    run_kernel(kernel(text, first_column),
               {out.data(), const_cast<U16*>(tile.data()), const_cast<U32*>(words.data())},
               {128, 1, 1});
    return out;
  }

  void expect_error(const Text& text, const std::string& part) {
    try {
      results(text, image(false, false, 0), fragments(false));
      ADD_FAILURE() << "no error, wanted: " << part;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), Error::Kind::kAsynchronous) << error.what();
      EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
    }
  }

  void expect_product(const std::vector<float>& out, double times, double plus,
                      const std::string& what) {
    for (unsigned thread = 0; thread < 128; ++thread) {
      for (unsigned i = 0; i < 8; ++i) {
        const unsigned row = thread / 32 * 16 + thread % 32 / 4 + i / 2 % 2 * 8;
        const unsigned column = i / 4 * 8 + thread % 4 * 2 + i % 2;
        double sum = 0;
        for (unsigned k = 0; k < kDepth; ++k) sum += double{a[row][k]} * b[k][column];
        ASSERT_NEAR(out[thread * 8 + i], times * sum + plus, 1e-5 * (1 + std::abs(sum)))
            << what << ", thread " << thread << ", number " << i;
      }
    }
  }

  void round_to_bfloat() {
    for (auto* matrix : {&a[0][0], &b[0][0]}) {
      const unsigned count = matrix == &a[0][0] ? kRows * kDepth : kDepth * kColumns;
      for (unsigned i = 0; i < count; ++i) matrix[i] = bfloat_value(bfloat_bits(matrix[i]));
    }
  }

  std::mt19937 random;
  float a[kRows][kDepth];
  float b[kDepth][kColumns];
};

TEST_F(WarpgroupProduct, OfEachKindOfOperand) {
  for (const bool brain : {false, true}) {
    if (brain) round_to_bfloat();
    const std::string types = brain ? "bf16.bf16" : "f16.f16";
    Text text;
    for (const unsigned first : {0u, 16u, 48u}) {
      // Descriptors of B and of A begin at the same column.
      text.product = "add.u64 %rd13, %rd13, " + std::to_string(first / 8) + ";" +
                     product(types, "%rd12, %rd13", false, "0, 0");
      expect_product(results(text, image(brain, false, first), fragments(brain), first), 1, 0,
                     types + " from shared memory");
    }
    text.product = product(types, "%rd12, %rd13", true, "0, 1");
    expect_product(results(text, image(brain, true, 0), fragments(brain)), 1, 1,
                   types + ", B transposed");
    text.product = product(types, "{%r20, %r21, %r22, %r23}, %rd13", true, "1");
    expect_product(results(text, image(brain, true, 0), fragments(brain)), 1, 1,
                   types + ", A in registers");
  }
}

TEST_F(WarpgroupProduct, ResultsFollowTheirRegisters) {
  // The second adds to what the first will be, in registers to which that was moved.
  Text text;
  std::string moves;
  for (int i = 0; i < 8; ++i)
    moves += "mov.f32 %f" + std::to_string(10 + i) + ", %f" + std::to_string(i) + ";";
  std::string back;
  for (int i = 0; i < 8; ++i)
    back += "mov.f32 %f" + std::to_string(i) + ", %f" + std::to_string(10 + i) + ";";
  text.product = product("f16.f16", "%rd12, %rd13", false, "0, 0") + moves +
                 "wgmma.commit_group.sync.aligned; wgmma.fence.sync.aligned;" +
                 product("f16.f16", "%rd12, %rd13", true, "0, 0",
                         "{%f10, %f11, %f12, %f13, %f14, %f15, %f16, %f17}");
  text.wait =
      "wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 1; "
      "wgmma.wait_group.sync.aligned 0;" +
      back;
  expect_product(results(text, image(false, false, 0), fragments(false)), 2, 0, "two products");
}

TEST_F(WarpgroupProduct, ResultsAreNoNumbersBeforeTheirWait) {
  Text text;
  text.product = product("f16.f16", "%rd12, %rd13", true, "0, 0") + "add.f32 %f3, %f3, 0f00000000;";
  const std::vector<float> out = results(text, image(false, false, 0), fragments(false));
  for (unsigned i = 0; i < out.size(); ++i) EXPECT_EQ(std::isnan(out[i]), i % 8 == 3) << i;
  // One group too many is left.
  text.product = product("f16.f16", "%rd12, %rd13", true, "0, 0");
  text.wait =
      "wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 1; add.f32 %f0, %f0, %f0; "
      "wgmma.wait_group.sync.aligned 0;";
  EXPECT_TRUE(std::isnan(results(text, image(false, false, 0), fragments(false))[0]));
}

TEST_F(WarpgroupProduct, ItsAIsReadAsLateAsMayBe) {
  Text text;
  text.product =
      product("f16.f16", "{%r20, %r21, %r22, %r23}, %rd13", false, "1") + "mov.u32 %r20, 0;";
  const std::vector<float> out = results(text, image(false, true, 0), fragments(false));
  double sum = 0;
  for (unsigned k = 0; k < kDepth; ++k) sum += double{a[0][k]} * b[k][0];
  EXPECT_GT(std::abs(out[0] - sum), 1e-4);
}

TEST_F(WarpgroupProduct, WhatIsMissingIsTold) {
  const std::string one = product("f16.f16", "%rd12, %rd13", false, "0, 0");
  Text text;
  text.product = one;
  text.proxy = "";
  expect_error(text, "with no fence.proxy.async since");
  text = Text();
  text.product = one;
  text.fence = "";
  expect_error(text, "no wgmma.fence since the last group");
  text.fence = Text().fence;
  text.wait = "wgmma.commit_group.sync.aligned;";
  expect_error(text, "ended before its product was computed");
  text.wait = Text().wait;
  text.product = "setp.lt.u32 %p1, %r0, 96; @!%p1 bra last;" + one + "last: ";
  expect_error(text, "the warps of a group have begun 1 and 0 products");
  text.product = "cvt.u64.u32 %rd15, %r0; add.u64 %rd12, %rd12, %rd15;" + one;
  expect_error(text, "lanes give different descriptors");
}

}  // namespace
}  // namespace emulator
