#include <array>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tools/cuda_emulator/run_ptx.h"

namespace emulator {
namespace {

using U32 = std::uint32_t;
using U64 = std::uint64_t;

std::string error_of(const std::string& text, std::vector<void*> pointers, Error::Kind kind,
                     std::array<unsigned, 3> block = {32, 1, 1}, std::size_t shared = 0) {
  try {
    run_kernel(text, std::move(pointers), block, {1, 1, 1}, shared);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), kind) << error.what();
    return error.what();
  }
  ADD_FAILURE() << "no error";
  return "";
}

TEST(Memory, VectorsAndSmallTypes) {
  std::vector<std::int8_t> in(4 * 32);
  std::iota(in.begin(), in.end(), -64);
  std::vector<std::int32_t> out(4 * 32);
  run_kernel(kernel_of(2, R"(
      mad.lo.u64 %rd10, %rd9, 4, %rd1; mad.lo.u64 %rd11, %rd9, 16, %rd0;
      ld.global.v4.s8 {%rs0, %rs1, %rs2, %rs3}, [%rd10];
      cvt.s32.s16 %r1, %rs0; cvt.s32.s16 %r2, %rs1; cvt.s32.s16 %r3, %rs2; cvt.s32.s16 %r4, %rs3;
      st.global.v4.b32 [%rd11], {%r1, %r2, %r3, %r4};)"),
             {out.data(), in.data()});
  for (std::size_t i = 0; i < out.size(); ++i) EXPECT_EQ(out[i], in[i]);
}

TEST(Memory, SharedMemoryHasAGenericAddress) {
  std::vector<U32> out(64);
  run_kernel(kernel_of(1, R"(
      .shared .align 4 .b8 table[256];
      shl.b32 %r1, %r0, 2;
      mov.u32 %r2, table;
      add.u32 %r3, %r2, %r1;
      st.shared.u32 [%r3], %r0;
      bar.sync 0;
      mov.u64 %rd10, table;
      cvta.shared.u64 %rd11, %rd10;
      sub.u32 %r4, 63, %r0;
      mul.wide.u32 %rd12, %r4, 4;
      add.u64 %rd13, %rd11, %rd12;
      ld.u32 %r5, [%rd13];
      cvta.to.shared.u64 %rd14, %rd13;
      cvt.u32.u64 %r6, %rd14;
      ld.shared.u32 %r7, [%r6];
      add.u32 %r8, %r5, %r7;
      mad.lo.u64 %rd15, %rd9, 4, %rd0;
      st.global.u32 [%rd15], %r8;)"),
             {out.data()}, {64, 1, 1});
  for (U32 i = 0; i < 64; ++i) EXPECT_EQ(out[i], 2 * (63 - i));
}

TEST(Memory, EachThreadHasItsLocalMemory) {
  std::vector<U32> out(32);
  run_kernel(kernel_of(1, R"(
      .local .align 8 .b8 depot[16];
      .reg .b64 %SP; .reg .b64 %SPL;
      mov.u64 %SPL, depot;
      cvta.local.u64 %SP, %SPL;
      st.local.u32 [%SPL+8], %r0;
      add.u64 %rd10, %SP, 8;
      ld.u32 %r1, [%rd10];
      mad.lo.u64 %rd11, %rd9, 4, %rd0;
      st.global.u32 [%rd11], %r1;)"),
             {out.data()});
  for (U32 i = 0; i < 32; ++i) EXPECT_EQ(out[i], i);
}

TEST(Memory, VariablesOfTheModule) {
  const Module module(module_of(kernel_of(
      1, R"(
      ld.global.u8 %r1, [text+1];
      ld.const.f32 %f1, [half];
      cvt.rzi.u32.f32 %r2, %f1;
      ld.global.u64 %rd10, [place];
      ld.u8 %r3, [%rd10];
      add.u32 %r4, %r1, %r2; add.u32 %r4, %r4, %r3;
      st.global.u32 [counter], %r4;
      st.global.u32 [%rd0], %r4;)",
      ".global .align 1 .b8 text[4] = {97, 98, 99};\n.const .align 4 .f32 half = 0f42280000;\n"
      ".global .align 4 .u32 counter;\n.global .align 8 .u64 place = generic(text)+2;\n")));
  U32 out = 0;
  void* pointer = &out;
  void* arguments[] = {&pointer};
  Launch launch;
  launch.arguments = arguments;
  run(module.kernels()[0], launch);
  EXPECT_EQ(out, 98u + 42u + 99u);
  const Variable* counter = module.variable("counter");
  ASSERT_NE(counter, nullptr);
  EXPECT_EQ(*static_cast<U32*>(counter->address), out);
  EXPECT_EQ(counter->bytes, 4u);
  EXPECT_EQ(module.variable("nothing"), nullptr);
}

TEST(Memory, DynamicSharedMemoryLiesBehindStatic) {
  std::vector<U32> out(32);
  const std::string text = kernel_of(1, R"(
      .shared .align 4 .b8 first[20];
      mov.u32 %r1, more;
      mov.u32 %r2, first;
      sub.u32 %r3, %r1, %r2;
      mad.lo.u32 %r4, %r0, 4, %r1;
      st.shared.u32 [%r4], %r3;
      ld.shared.u32 %r5, [%r4];
      mad.lo.u64 %rd10, %rd9, 4, %rd0;
      st.global.u32 [%rd10], %r5;)",
                                     ".extern .shared .align 16 .b8 more[];\n");
  run_kernel(text, {out.data()}, {32, 1, 1}, {1, 1, 1}, 128);
  for (const U32 value : out) EXPECT_EQ(value, 32u);
  const std::string error = error_of(text, {out.data()}, Error::Kind::kAddress, {32, 1, 1}, 64);
  EXPECT_NE(error.find("a write of 4 bytes at offset 96 of 96 bytes of shared memory"),
            std::string::npos)
      << error;
  EXPECT_NE(error.find("thread: (16, 0, 0)"), std::string::npos) << error;
  EXPECT_NE(error.find("st.shared.u32"), std::string::npos) << error;
}

TEST(Memory, AtomicsLoseNothing) {
  for (const int threads : {1, 2}) {
    options().threads = threads;
    std::array<U32, 2> out{0, 1000000};
    float sum = 0;
    run_kernel(kernel_of(2, R"(
        atom.global.add.u32 %r1, [%rd0], 1;
        atom.global.min.u32 %r2, [%rd0+4], %r1;
        red.global.add.f32 [%rd1], 0f3F000000;)"),
               {out.data(), &sum}, {256, 1, 1}, {40, 1, 1});
    EXPECT_EQ(out[0], 256u * 40);
    EXPECT_EQ(out[1], 0u);
    EXPECT_EQ(sum, 128.0f * 40);
  }
  options().threads = 1;
}

TEST(Memory, CompareAndSwapTakesTurns) {
  U32 out = 1;
  // Each thread multiplies by 3, modulo 2^32.
  run_kernel(kernel_of(1, R"(
      ld.global.u32 %r1, [%rd0];
      again:
      mul.lo.u32 %r2, %r1, 3;
      atom.global.cas.b32 %r3, [%rd0], %r1, %r2;
      setp.ne.u32 %p0, %r3, %r1;
      mov.u32 %r1, %r3;
      @%p0 bra again;)"),
             {&out}, {100, 1, 1});
  U32 wanted = 1;
  for (int i = 0; i < 100; ++i) wanted *= 3;
  EXPECT_EQ(out, wanted);
}

std::array<std::byte, 64> memory alignas(64);

bool find_memory(std::uintptr_t address, Allocation* found) {
  const auto begin = reinterpret_cast<std::uintptr_t>(memory.data());
  if (address < begin || address >= begin + memory.size()) return false;
  *found = {begin, begin + memory.size(), true};
  return true;
}

class Checked : public testing::Test {
 protected:
  void SetUp() override { set_find_allocation(find_memory); }
  void TearDown() override { set_find_allocation(nullptr); }
};

TEST_F(Checked, AccessesEndWithTheAllocation) {
  const std::string text =
      kernel_of(1, "mad.lo.u64 %rd10, %rd9, 4, %rd0; ld.global.u32 %r1, [%rd10];");
  run_kernel(text, {memory.data()}, {16, 1, 1});
  const std::string error = error_of(text, {memory.data()}, Error::Kind::kAddress, {32, 1, 1});
  EXPECT_NE(error.find("a read of 4 bytes"), std::string::npos) << error;
  EXPECT_NE(error.find("which is not allocated"), std::string::npos) << error;
  EXPECT_NE(error.find("kernel: kernel"), std::string::npos) << error;
  EXPECT_NE(error.find("thread: (16, 0, 0)"), std::string::npos) << error;
  const std::string beyond =
      error_of(kernel_of(1, "st.global.u64 [%rd0+56], %rd0; st.global.u32 [%rd0+64], %r0;"),
               {memory.data()}, Error::Kind::kAddress, {1, 1, 1});
  EXPECT_NE(beyond.find("a write of 4 bytes"), std::string::npos) << beyond;
}

TEST_F(Checked, AccessesBeforeTheFirstAddressAreNotAfterTheLast) {
  // The first access is remembered, and an element before a null pointer is compared with it.
  const std::string error = error_of(
      kernel_of(1, "ld.global.u32 %r1, [%rd0]; mov.u64 %rd10, 0; ld.global.u32 %r1, [%rd10+-4];"),
      {memory.data()}, Error::Kind::kAddress);
  EXPECT_NE(error.find("a read of 4 bytes at 0xfffffffffffffffc, which is not allocated"),
            std::string::npos)
      << error;
}

TEST_F(Checked, AccessesAreAligned) {
  const std::string error = error_of(kernel_of(1, "ld.global.v2.f32 {%f0, %f1}, [%rd0+4];"),
                                     {memory.data()}, Error::Kind::kMisaligned);
  EXPECT_NE(error.find("a read of 8 bytes"), std::string::npos) << error;
  EXPECT_NE(error.find("not aligned"), std::string::npos) << error;
}

TEST(Copies, AreMadeWhenTheyAreWaitedFor) {
  std::vector<U32> in(8);
  std::iota(in.begin(), in.end(), 100u);
  std::vector<U32> out(3, 1);
  run_kernel(kernel_of(2, R"(
      .shared .align 16 .b8 tile[32];
      mov.u32 %r1, tile;
      cp.async.ca.shared.global [%r1], [%rd1], 16;
      cp.async.commit_group;
      cp.async.cg.shared.global [%r1+16], [%rd1+16], 16, 8;
      cp.async.commit_group;
      ld.shared.u32 %r2, [%r1];
      cp.async.wait_group 1;
      ld.shared.u32 %r3, [%r1+4];
      ld.shared.u32 %r4, [%r1+16];
      cp.async.wait_all;
      ld.shared.u32 %r5, [%r1+20];
      ld.shared.u32 %r6, [%r1+24];
      add.u32 %r7, %r5, %r6;
      st.global.u32 [%rd0], %r3;
      st.global.u32 [%rd0+4], %r7;
      and.b32 %r8, %r2, %r4;
      st.global.u32 [%rd0+8], %r8;)"),
             {out.data(), in.data()}, {1, 1, 1});
  EXPECT_EQ(out, (std::vector<U32>{101, 105, 0xffffffffu}));
}

}  // namespace
}  // namespace emulator
