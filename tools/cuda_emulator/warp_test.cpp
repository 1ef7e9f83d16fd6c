#include <array>
#include <bit>
#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tools/cuda_emulator/run_ptx.h"

namespace emulator {
namespace {

using U32 = std::uint32_t;

constexpr const char* kStore = "mad.lo.u64 %rd10, %rd9, 4, %rd0; st.global.u32 [%rd10], %r1;";

std::vector<U32> lanes_of(const std::string& body, unsigned threads = 32,
                          const std::string& before = "") {
  std::vector<U32> out(threads);
  run_kernel(kernel_of(1, body + kStore, before), {out.data()}, {threads, 1, 1});
  return out;
}

std::string error_of(const std::string& body, Error::Kind kind, unsigned threads = 32) {
  try {
    lanes_of(body, threads);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), kind) << error.what();
    return error.what();
  }
  ADD_FAILURE() << "no error";
  return "";
}

TEST(Divergence, LanesMeetAgain) {
  // A loop of as many turns as the lane's number, then the lanes together.
  const std::vector<U32> out = lanes_of(R"(
      mov.u32 %r1, 0; mov.u32 %r2, 0;
      setp.eq.u32 %p0, %r0, 0;
      @%p0 bra done;
      loop:
      add.u32 %r1, %r1, 3;
      add.u32 %r2, %r2, 1;
      setp.lt.u32 %p1, %r2, %r0;
      @%p1 bra loop;
      done:
      activemask.b32 %r3;
      popc.b32 %r4, %r3;
      mad.lo.u32 %r1, %r1, 100, %r4;)");
  for (U32 i = 0; i < 32; ++i) EXPECT_EQ(out[i], 300 * i + 32);
}

TEST(Divergence, BothSidesOfABranch) {
  const std::vector<U32> out = lanes_of(R"(
      and.b32 %r2, %r0, 1;
      setp.eq.u32 %p0, %r2, 0;
      @%p0 bra even;
      mov.u32 %r1, 7;
      bra join;
      even:
      mov.u32 %r1, 9;
      join:
      shfl.sync.bfly.b32 %r3, %r1, 1, 31, -1;
      mad.lo.u32 %r1, %r1, 10, %r3;)");
  for (U32 i = 0; i < 32; ++i) EXPECT_EQ(out[i], i % 2 ? 79u : 97u);
}

TEST(Divergence, LanesMeetBehindBothSides) {
  const std::vector<U32> out = lanes_of(R"(
      setp.lt.u32 %p0, %r0, 5;
      @%p0 bra few;
      bra join;
      few:
      mov.u32 %r2, 0;
      join:
      activemask.b32 %r1;)");
  EXPECT_EQ(out, std::vector<U32>(32, 0xffffffffu));
}

TEST(Divergence, BranchesByATable) {
  const std::vector<U32> out = lanes_of(R"(
      table: .branchtargets zero, one, two;
      rem.u32 %r2, %r0, 3;
      brx.idx %r2, table;
      zero: mov.u32 %r1, 10; bra end;
      one: mov.u32 %r1, 11; bra end;
      two: mov.u32 %r1, 12;
      end:)");
  for (U32 i = 0; i < 32; ++i) EXPECT_EQ(out[i], 10 + i % 3);
}

TEST(Shuffle, EachMode) {
  const auto shuffle = [](const std::string& mode, const std::string& rest) {
    return lanes_of("add.u32 %r2, %r0, 100; shfl.sync." + mode + ".b32 %r1|%p0, %r2, " + rest +
                    ", -1; @!%p0 add.u32 %r1, %r1, 1000;");
  };
  const std::vector<U32> up = shuffle("up", "3, 0");
  const std::vector<U32> down = shuffle("down", "3, 31");
  const std::vector<U32> butterfly = shuffle("bfly", "5, 31");
  // Segments of 8 lanes.
  const std::vector<U32> index = shuffle("idx", "2, 0x181f");
  const std::vector<U32> segment_down = shuffle("down", "3, 0x181f");
  for (U32 i = 0; i < 32; ++i) {
    EXPECT_EQ(up[i], i >= 3 ? 100 + i - 3 : 1100 + i);
    EXPECT_EQ(down[i], i + 3 < 32 ? 100 + i + 3 : 1100 + i);
    EXPECT_EQ(butterfly[i], 100 + (i ^ 5));
    EXPECT_EQ(index[i], 100 + i / 8 * 8 + 2);
    EXPECT_EQ(segment_down[i], i % 8 + 3 < 8 ? 100 + i + 3 : 1100 + i);
  }
}

TEST(Shuffle, HalvesOfAWarpByThemselves) {
  const std::vector<U32> out = lanes_of(R"(
      setp.lt.u32 %p0, %r0, 16;
      selp.b32 %r2, 0xffff, 0xffff0000, %p0;
      shfl.sync.bfly.b32 %r1, %r0, 1, 31, %r2;
      @!%p0 bra end;
      shfl.sync.bfly.b32 %r1, %r1, 2, 31, 0xffff;
      end:)");
  for (U32 i = 0; i < 32; ++i) EXPECT_EQ(out[i], i < 16 ? i ^ 3 : i ^ 1);
}

TEST(Warp, VotesMatchesAndSums) {
  const std::vector<U32> ballot =
      lanes_of("setp.gt.u32 %p0, %r0, 20; vote.sync.ballot.b32 %r1, %p0, -1;");
  EXPECT_EQ(ballot[7], 0xffe00000u);
  const std::vector<U32> any = lanes_of(
      "setp.eq.u32 %p0, %r0, 20; vote.sync.any.pred %p1, %p0, -1; vote.sync.all.pred %p2, !%p0, "
      "-1; "
      "selp.b32 %r1, 1, 0, %p1; @%p2 add.u32 %r1, %r1, 2;");
  EXPECT_EQ(any[0], 1u);
  const std::vector<U32> match = lanes_of("rem.u32 %r2, %r0, 5; match.any.sync.b32 %r1, %r2, -1;");
  const std::vector<U32> sum = lanes_of("redux.sync.add.u32 %r1, %r0, -1;");
  for (U32 i = 0; i < 32; ++i) {
    U32 wanted = 0;
    for (U32 j = 0; j < 32; ++j) wanted |= i % 5 == j % 5 ? 1u << j : 0;
    EXPECT_EQ(match[i], wanted);
    EXPECT_EQ(sum[i], 31u * 16);
  }
}

TEST(Warp, WhoIsMissedIsTold) {
  const std::string ended =
      error_of("setp.eq.u32 %p0, %r0, 5; @%p0 exit; shfl.sync.bfly.b32 %r1, %r0, 1, 31, -1;",
               Error::Kind::kDeadlock);
  EXPECT_NE(ended.find("lane 5 is named by the mask"), std::string::npos) << ended;
  const std::string apart = error_of(R"(
      setp.eq.u32 %p0, %r0, 5;
      @%p0 bra other;
      bar.warp.sync -1;
      other:
      vote.sync.ballot.b32 %r1, %p0, -1;)",
                                     Error::Kind::kDeadlock);
  EXPECT_NE(apart.find("wait for each other at different places"), std::string::npos) << apart;
  EXPECT_NE(apart.find("bar.warp.sync"), std::string::npos) << apart;
  const std::string foreign =
      error_of("shfl.sync.bfly.b32 %r1, %r0, 1, 31, 0xff;", Error::Kind::kDeadlock);
  EXPECT_NE(foreign.find("whose mask does not name it"), std::string::npos) << foreign;
}

TEST(Barrier, OrdersTheWarpsOfABlock) {
  const std::vector<U32> out = lanes_of(R"(
      .shared .align 4 .b8 table[1024];
      mov.u32 %r2, table;
      mad.lo.u32 %r3, %r0, 4, %r2;
      st.shared.u32 [%r3], %r0;
      bar.sync 0;
      sub.u32 %r4, 255, %r0;
      mad.lo.u32 %r5, %r4, 4, %r2;
      ld.shared.u32 %r1, [%r5];)",
                                        256);
  for (U32 i = 0; i < 256; ++i) EXPECT_EQ(out[i], 255 - i);
}

TEST(Barrier, ReducesPredicates) {
  const std::vector<U32> out = lanes_of(R"(
      setp.ge.u32 %p0, %r0, 90;
      bar.red.popc.u32 %r1, 0, %p0;
      bar.red.or.pred %p1, 0, %p0;
      bar.red.and.pred %p2, 0, !%p0;
      @%p1 add.u32 %r1, %r1, 100;
      @%p2 add.u32 %r1, %r1, 1000;)",
                                        100);
  for (const U32 value : out) EXPECT_EQ(value, 110u);
}

TEST(Barrier, OneThatCannotBeMetIsAnError) {
  const std::string error = error_of("setp.lt.u32 %p0, %r0, 32; @%p0 bar.sync 1; bar.sync 2;",
                                     Error::Kind::kDeadlock, 64);
  EXPECT_NE(error.find("barriers that the others never reach"), std::string::npos) << error;
  EXPECT_NE(error.find("thread: (32, 0, 0)"), std::string::npos) << error;
  const std::string divergent = error_of(
      "setp.lt.u32 %p0, %r0, 3; @%p0 bar.sync 0; @!%p0 bar.sync 1;", Error::Kind::kDeadlock);
  EXPECT_NE(divergent.find("threads of one warp wait"), std::string::npos) << divergent;
}

class Races : public testing::Test {
 protected:
  void SetUp() override { options().racecheck = true; }
  void TearDown() override { options().racecheck = false; }

  static std::string exchange(const std::string& barrier, const std::string& partner) {
    return ".shared .align 4 .b8 table[512]; mov.u32 %r2, table; mad.lo.u32 %r3, %r0, 4, %r2; "
           "st.shared.u32 [%r3], %r0;" +
           barrier + "xor.b32 %r4, %r0, " + partner +
           "; mad.lo.u32 %r5, %r4, 4, %r2; ld.shared.u32 %r1, [%r5];";
  }
};

TEST_F(Races, AMissingBarrierIsFound) {
  lanes_of(exchange("bar.sync 0;", "64"), 128);
  const std::string error = error_of(exchange("", "64"), Error::Kind::kUninitialized, 128);
  EXPECT_NE(error.find("nobody wrote it"), std::string::npos) << error;
  const std::string again =
      error_of(exchange("bar.sync 0; st.shared.u32 [%r3], %r3;", "64"), Error::Kind::kRace, 128);
  EXPECT_NE(again.find("with no barrier between"), std::string::npos) << again;
}

TEST_F(Races, ABarrierOfTheWarpIsEnoughWithinIt) {
  lanes_of(exchange("bar.warp.sync -1;", "1"), 128);
  const std::string error = error_of(exchange("", "1"), Error::Kind::kRace, 32);
  EXPECT_NE(error.find("reads what thread 1 has written"), std::string::npos) << error;
  error_of(exchange("bar.sync 0; add.u32 %r6, %r0, 1; bar.warp.sync -1; st.shared.u32 [%r3], %r6; "
                    "bar.warp.sync -1;",
                    "32"),
           Error::Kind::kRace, 64);
}

TEST_F(Races, PaddingMayBeReadWithTheRest) {
  const std::string store =
      ".shared .align 8 .b8 pair[8]; mov.u32 %r2, pair; st.shared.u32 [%r2], 5;";
  EXPECT_EQ(lanes_of(store + "ld.shared.v2.u32 {%r1, %r3}, [%r2];", 1)[0], 5u);
  error_of(store + "ld.shared.u32 %r1, [%r2+4];", Error::Kind::kUninitialized, 1);
}

TEST_F(Races, AtomicsDoNotDisturbEachOther) {
  const std::vector<U32> out = lanes_of(R"(
      .shared .align 4 .b8 sum[4];
      mov.u32 %r2, sum;
      setp.eq.u32 %p0, %r0, 0;
      @%p0 st.shared.u32 [%r2], 0;
      bar.sync 0;
      atom.shared.add.u32 %r3, [%r2], %r0;
      bar.sync 0;
      ld.shared.u32 %r1, [%r2];)",
                                        64);
  EXPECT_EQ(out[5], 63u * 32);
}

}  // namespace
}  // namespace emulator
