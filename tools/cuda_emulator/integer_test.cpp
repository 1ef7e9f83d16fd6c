#include <bit>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tools/cuda_emulator/run_ptx.h"

namespace emulator {
namespace {

constexpr std::size_t kCount = 70;  // two warps and a part of one
const std::uint64_t kSeed = std::random_device()();

template <class D, class A, class F>
void expect_binary(const std::string& instruction, F&& reference) {
  SCOPED_TRACE(instruction + ", seed " + std::to_string(kSeed));
  const std::vector<A> a = some_integers<A>(kCount, kSeed);
  std::vector<A> b = some_integers<A>(kCount, kSeed + 1);
  b[0] = 3;
  const std::vector<D> d = evaluate<D>(instruction + " %d, %a, %b;", a, b);
  for (std::size_t i = 0; i < kCount; ++i)
    EXPECT_EQ(d[i], reference(a[i], b[i])) << a[i] << ", " << b[i];
}

using S32 = std::int32_t;
using U32 = std::uint32_t;
using S64 = std::int64_t;
using U64 = std::uint64_t;

TEST(Integer, Arithmetic) {
  expect_binary<S32, S32>("add.s32", [](S64 a, S64 b) { return static_cast<S32>(a + b); });
  expect_binary<std::int16_t, std::int16_t>(
      "sub.s16", [](S64 a, S64 b) { return static_cast<std::int16_t>(a - b); });
  expect_binary<U64, U64>("mul.lo.u64", [](U64 a, U64 b) { return a * b; });
  expect_binary<U32, U32>("mul.hi.u32", [](U64 a, U64 b) { return static_cast<U32>(a * b >> 32); });
  expect_binary<S64, S64>("mul.hi.s64",
                          [](S64 a, S64 b) { return static_cast<S64>(__int128{a} * b >> 64); });
  expect_binary<S64, S32>("mul.wide.s32", [](S64 a, S64 b) { return a * b; });
  expect_binary<U32, std::uint16_t>("mul.wide.u16", [](U32 a, U32 b) { return a * b; });
  expect_binary<S32, S32>("min.s32", [](S32 a, S32 b) { return a < b ? a : b; });
  expect_binary<U32, U32>("max.u32", [](U32 a, U32 b) { return a > b ? a : b; });
}

TEST(Integer, SaturatesWhereAsked) {
  expect_binary<S32, S32>("add.sat.s32", [](S64 a, S64 b) {
    return static_cast<S32>(
        std::clamp<S64>(a + b, std::numeric_limits<S32>::min(), std::numeric_limits<S32>::max()));
  });
}

TEST(Integer, SumsOfProductsOfBytes) {
  const std::vector<U32> a = some_integers<U32>(kCount, kSeed);
  const std::vector<U32> b = some_integers<U32>(kCount, kSeed + 7);
  const std::vector<U32> d = evaluate<U32>("dp4a.s32.u32 %d, %a, %b, %c;", a, b, a);
  for (std::size_t i = 0; i < kCount; ++i) {
    S64 sum = a[i];
    for (int byte = 0; byte < 32; byte += 8) {
      sum += S64{static_cast<std::int8_t>(a[i] >> byte)} * static_cast<std::uint8_t>(b[i] >> byte);
    }
    EXPECT_EQ(d[i], static_cast<U32>(sum)) << "seed " << kSeed;
  }
}

TEST(Integer, DivisionStopsAtNothing) {
  expect_binary<S32, S32>("div.s32", [](S64 a, S64 b) { return b ? static_cast<S32>(a / b) : -1; });
  expect_binary<U64, U64>("div.u64", [](U64 a, U64 b) { return b ? a / b : ~U64{0}; });
  expect_binary<S64, S64>("rem.s64", [](S64 a, S64 b) { return b == -1 ? 0 : b ? a % b : a; });
}

TEST(Integer, Shifts) {
  const std::vector<S32> a = some_integers<S32>(kCount, kSeed);
  std::vector<U32> b(kCount);
  for (std::size_t i = 0; i < kCount; ++i) b[i] = static_cast<U32>(i);
  const std::vector<S32> right = evaluate<S32>("shr.s32 %d, %a, %b;", a, b);
  const std::vector<S32> left = evaluate<S32>("shl.b32 %d, %a, %b;", a, b);
  const std::vector<U32> funnel = evaluate<U32>("shf.l.wrap.b32 %d, %a, %c, %b;", a, b, a);
  for (std::size_t i = 0; i < kCount; ++i) {
    EXPECT_EQ(right[i], i < 32 ? a[i] >> i : a[i] < 0 ? -1 : 0);
    EXPECT_EQ(left[i], i < 32 ? static_cast<S32>(static_cast<U32>(a[i]) << i) : 0);
    EXPECT_EQ(funnel[i], std::rotl(static_cast<U32>(a[i]), static_cast<int>(i % 32)));
  }
}

TEST(Integer, CarriesRippleThroughWords) {
  const std::vector<U64> a = some_integers<U64>(kCount, kSeed);
  const std::vector<U64> b = some_integers<U64>(kCount, kSeed + 2);
  const std::string split = "mov.b64 {%r1, %r2}, %a; mov.b64 {%r3, %r4}, %b;";
  const std::vector<U64> sum = evaluate<U64>(
      split + "add.cc.u32 %r5, %r1, %r3; addc.u32 %r6, %r2, %r4; mov.b64 %d, {%r5, %r6};", a, b);
  const std::vector<U64> difference = evaluate<U64>(
      split + "sub.cc.u32 %r5, %r1, %r3; subc.u32 %r6, %r2, %r4; mov.b64 %d, {%r5, %r6};", a, b);
  // The upper 64 bits of a product, by products of halves.
  const std::vector<U64> high = evaluate<U64>(split + R"(
      mul.hi.u32 %r10, %r1, %r3;
      mad.lo.cc.u32 %r10, %r1, %r4, %r10;
      madc.hi.u32 %r11, %r1, %r4, 0;
      mad.lo.cc.u32 %r10, %r2, %r3, %r10;
      madc.hi.cc.u32 %r11, %r2, %r3, %r11;
      addc.u32 %r12, 0, 0;
      mad.lo.cc.u32 %r11, %r2, %r4, %r11;
      madc.hi.u32 %r12, %r2, %r4, %r12;
      mov.b64 %d, {%r11, %r12};)",
                                              a, b);
  for (std::size_t i = 0; i < kCount; ++i) {
    EXPECT_EQ(sum[i], a[i] + b[i]);
    EXPECT_EQ(difference[i], a[i] - b[i]);
    EXPECT_EQ(high[i], static_cast<U64>(static_cast<unsigned __int128>(a[i]) * b[i] >> 64));
  }
}

TEST(Integer, CountsAndFields) {
  const std::vector<U32> a = some_integers<U32>(kCount, kSeed);
  const std::vector<U32> ones = evaluate<U32>("popc.b32 %d, %a;", a);
  const std::vector<U32> zeros = evaluate<U32>("clz.b32 %d, %a;", a);
  const std::vector<U32> highest = evaluate<U32>("bfind.u32 %d, %a;", a);
  const std::vector<U32> twice = evaluate<U32>("brev.b32 %r1, %a; brev.b32 %d, %r1;", a);
  const std::vector<U32> first = evaluate<U32>("brev.b32 %r1, %a; clz.b32 %d, %r1;", a);
  const std::vector<U32> field = evaluate<U32>("bfe.u32 %d, %a, 5, 11;", a);
  const std::vector<S32> signed_field = evaluate<S32>("bfe.s32 %d, %a, 5, 11;", a);
  const std::vector<U32> inserted = evaluate<U32>("bfi.b32 %d, %a, %b, 7, 9;", a, ones);
  for (std::size_t i = 0; i < kCount; ++i) {
    EXPECT_EQ(ones[i], static_cast<U32>(std::popcount(a[i])));
    EXPECT_EQ(zeros[i], static_cast<U32>(std::countl_zero(a[i])));
    EXPECT_EQ(highest[i], a[i] ? 31 - zeros[i] : 0xffffffffu);
    EXPECT_EQ(twice[i], a[i]);
    EXPECT_EQ(first[i], static_cast<U32>(std::countr_zero(a[i])));
    EXPECT_EQ(field[i], a[i] >> 5 & 0x7ff);
    EXPECT_EQ(signed_field[i], static_cast<S32>(a[i] << 16) >> 21);
    EXPECT_EQ(inserted[i], (ones[i] & ~0xff80u) | (a[i] & 0x1ff) << 7);
  }
}

TEST(Integer, BytesArePermuted) {
  const std::vector<U32> a = some_integers<U32>(kCount, kSeed);
  const std::vector<U32> b = some_integers<U32>(kCount, kSeed + 3);
  const std::vector<U32> swapped = evaluate<U32>("prmt.b32 %d, %a, %b, 0x0123;", a, b);
  const std::vector<U32> mixed = evaluate<U32>("prmt.b32 %d, %a, %b, 0x7610;", a, b);
  const std::vector<U32> sign = evaluate<U32>("prmt.b32 %d, %a, %b, 0xbbbb;", a, b);
  for (std::size_t i = 0; i < kCount; ++i) {
    EXPECT_EQ(swapped[i], __builtin_bswap32(a[i]));
    EXPECT_EQ(mixed[i], (a[i] & 0xffff) | (b[i] & 0xffff0000u));
    EXPECT_EQ(sign[i], a[i] >> 31 ? 0xffffffffu : 0);
  }
}

TEST(Integer, AnyFunctionOfThreeBits) {
  const std::vector<U32> a = some_integers<U32>(kCount, kSeed);
  const std::vector<U32> b = some_integers<U32>(kCount, kSeed + 4);
  const std::vector<U32> c = some_integers<U32>(kCount, kSeed + 5);
  const std::vector<U32> exclusive = evaluate<U32>("lop3.b32 %d, %a, %b, %c, 0x96;", a, b, c);
  const std::vector<U32> choice = evaluate<U32>("lop3.b32 %d, %a, %b, %c, 0xca;", a, b, c);
  for (std::size_t i = 0; i < kCount; ++i) {
    EXPECT_EQ(exclusive[i], a[i] ^ b[i] ^ c[i]);
    EXPECT_EQ(choice[i], (a[i] & b[i]) | (~a[i] & c[i]));
  }
}

TEST(Integer, Predicates) {
  const std::vector<S32> a = some_integers<S32>(kCount, kSeed);
  const std::vector<S32> b = some_integers<S32>(kCount, kSeed + 6);
  const std::vector<S32> d = evaluate<S32>(R"(
      setp.lt.s32 %p0|%p1, %a, %b;
      setp.gt.and.u32 %p2, %a, %b, !%p0;
      xor.pred %p3, %p0, %p2;
      not.pred %p4, %p3;
      selp.b32 %r1, 1, 0, %p0;
      @%p1 add.s32 %r1, %r1, 2;
      @!%p2 add.s32 %r1, %r1, 4;
      selp.b32 %r2, 8, 0, %p4;
      add.s32 %d, %r1, %r2;)",
                                           a, b);
  for (std::size_t i = 0; i < kCount; ++i) {
    const bool less = a[i] < b[i];
    const bool above = static_cast<U32>(a[i]) > static_cast<U32>(b[i]) && !less;
    EXPECT_EQ(d[i], less + 2 * !less + 4 * !above + 8 * (less == above));
  }
}

}  // namespace
}  // namespace emulator
