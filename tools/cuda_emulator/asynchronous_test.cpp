#include <array>
#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tools/cuda_emulator/run_ptx.h"
#include "tools/cuda_emulator/tensor_map.h"

namespace emulator {
namespace {

using U16 = std::uint16_t;
using U32 = std::uint32_t;

void expect_error(const std::string& text, std::vector<void*> pointers, Error::Kind kind,
                  const std::string& part, unsigned threads = 64) {
  try {
    run_kernel(text, std::move(pointers), {threads, 1, 1});
    ADD_FAILURE() << "no error, wanted: " << part;
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), kind) << error.what();
    EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
  }
}

// A loop that waits for a phase of a barrier; `number` makes its label.
std::string wait_for(const std::string& barrier, int parity, int number) {
  const std::string label = "wait" + std::to_string(number);
  return label + ": mbarrier.try_wait.parity.shared::cta.b64 %p9, [" + barrier + "], " +
         std::to_string(parity) + "; @!%p9 bra " + label + ";\n";
}

// Two barriers of one arrival and of 32; the first warp has numbers, the second takes them.
std::string two_warps(const std::string& first, const std::string& second) {
  return kernel_of(1, R"(
      .shared .align 8 .b8 barriers[16];
      .shared .align 4 .b8 table[128];
      mov.u32 %r10, barriers; add.u32 %r11, %r10, 8; mov.u32 %r12, table;
      and.b32 %r13, %r0, 31; mad.lo.u32 %r14, %r13, 4, %r12;
      setp.eq.u32 %p0, %r0, 0;
      @%p0 mbarrier.init.shared::cta.b64 [%r10], 32;
      @%p0 mbarrier.init.shared::cta.b64 [%r11], 32;
      bar.sync 0;
      setp.ge.u32 %p1, %r0, 32;
      @%p1 bra second;)" + first +
                          "ret; second:\n" + second + "ret;");
}

TEST(Mbarriers, OrderOneWarpAfterAnother) {
  // Two rounds through one place. The reader's warp comes first to its wait in the second round.
  const std::string arrive_full = "mbarrier.arrive.shared::cta.b64 _, [%r10];\n";
  const std::string arrive_empty = "mbarrier.arrive.shared::cta.b64 _, [%r11];\n";
  const std::string write = "st.shared.u32 [%r14], %r20;\n";
  const std::string read = "ld.shared.u32 %r21, [%r14]; add.u32 %r22, %r22, %r21;\n";
  std::vector<U32> out(32);
  run_kernel(two_warps("add.u32 %r20, %r0, 100;" + write + arrive_full + wait_for("%r11", 0, 1) +
                           "add.u32 %r20, %r0, 1000;" + write + arrive_full,
                       "mov.u32 %r22, 0;" + wait_for("%r10", 0, 2) + read + arrive_empty +
                           wait_for("%r10", 1, 3) + read +
                           "mul.wide.u32 %rd10, %r13, 4; add.u64 %rd10, %rd10, %rd0; "
                           "st.global.u32 [%rd10], %r22;"),
             {out.data()}, {64, 1, 1});
  for (U32 i = 0; i < 32; ++i) EXPECT_EQ(out[i], 1100 + 2 * i);
}

TEST(Mbarriers, WhatNeverComesIsTold) {
  std::vector<U32> out(32);
  expect_error(two_warps("", wait_for("%r10", 0, 1)), {out.data()}, Error::Kind::kDeadlock,
               "mbarrier.try_wait");
  const std::string arrive = "mbarrier.arrive.shared::cta.b64 _, [%r10];\n";
  expect_error(kernel_of(1, R"(
      .shared .align 8 .b8 barriers[8]; mov.u32 %r10, barriers;
      setp.eq.u32 %p0, %r0, 0; @%p0 mbarrier.init.shared::cta.b64 [%r10], 33; bar.sync 0;
      @%p0 mbarrier.arrive.shared::cta.b64 _, [%r10], 34;)"),
               {out.data()}, Error::Kind::kAsynchronous, "more arrivals in a phase than the 33");
  expect_error(kernel_of(1, ".shared .align 8 .b8 barriers[8]; mov.u32 %r10, barriers;" + arrive),
               {out.data()}, Error::Kind::kAsynchronous, "no mbarrier was started");
}

TEST(Mbarriers, TheirStartIsOrderedByABarrier) {
  options().racecheck = true;
  std::vector<U32> out(32);
  expect_error(kernel_of(1, R"(
      .shared .align 8 .b8 barriers[8]; mov.u32 %r10, barriers; setp.eq.u32 %p0, %r0, 0;
      @%p0 mbarrier.init.shared::cta.b64 [%r10], 64;
      mbarrier.arrive.shared::cta.b64 _, [%r10];)"),
               {out.data()}, Error::Kind::kRace, "with no barrier between");
  options().racecheck = false;
}

// A tensor (2, 3, 5, 40), and a box of 8 positions and 64 features.
class Boxes : public testing::Test {
 protected:
  static constexpr unsigned kRows = 8;
  static constexpr unsigned kColumns = 64;
  static constexpr std::array<unsigned, 4> kSizes = {40, 5, 3, 2};

  Boxes() : tensor(std::size_t{2} * 3 * 5 * kStride), out(kRows * kColumns) {
    std::mt19937 random(testing::UnitTest::GetInstance()->random_seed());
    for (U16& value : tensor) value = static_cast<U16>(random());
    map.mark = TensorMap::kMark;
    map.box[0] = kColumns;
    map.box[1] = kRows;
    map.box[2] = map.box[3] = 1;
    for (int d = 0; d < 4; ++d) map.extent[d] = kSizes[d];
    map.address = reinterpret_cast<std::uint64_t>(tensor.data());
    map.stride[0] = 2 * kStride;
    map.stride[1] = 2 * kStride * 5;
    map.stride[2] = 2 * kStride * 15;
  }

  // One thread copies a box, all threads give what is there.
  static std::string kernel(const std::string& fence, const std::string& wait,
                            const std::string& position = "{0, 2, 1, 1}") {
    return kernel_of(2, R"(
        .shared .align 1024 .b8 tile[1024];
        .shared .align 8 .b8 barrier[8];
        mov.u32 %r10, barrier; mov.u32 %r11, tile;
        setp.ne.u32 %p0, %r0, 0; @%p0 bra started;
        mbarrier.init.shared::cta.b64 [%r10], 1;)" +
                            fence + R"(
        mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r10], 1024;
        cp.async.bulk.tensor.4d.shared::cluster.global.mbarrier::complete_tx::bytes
            [%r11], [%rd1, )" +
                            position + R"(], [%r10];
        started:
        bar.sync 0;)" + wait +
                            R"(
        mad.lo.u32 %r12, %r0, 16, %r11;
        ld.shared.v4.u32 {%r20, %r21, %r22, %r23}, [%r12];
        mad.lo.u64 %rd10, %rd9, 16, %rd0;
        st.global.v4.u32 [%rd10], {%r20, %r21, %r22, %r23};)");
  }
  static constexpr const char* kFence = "fence.mbarrier_init.release.cluster;";

  static constexpr unsigned kStride = 48;  // elements from position to position
  std::vector<U16> tensor;
  std::vector<U16> out;
  alignas(64) TensorMap map{};
};

TEST_F(Boxes, ArriveExchangedAndWithZerosBeyondTheTensor) {
  run_kernel(kernel(kFence, wait_for("%r10", 0, 1)), {out.data(), &map}, {64, 1, 1});
  for (unsigned row = 0; row < kRows; ++row) {
    for (unsigned column = 0; column < kColumns; ++column) {
      const bool inside = row + 2 < kSizes[1] && column < kSizes[0];
      const U16 wanted =
          inside ? tensor[(1 * 15 + 1 * 5 + row + 2) * std::size_t{kStride} + column] : 0;
      const unsigned piece = column / 8 ^ row;
      EXPECT_EQ(out[row * kColumns + piece * 8 + column % 8], wanted) << row << ", " << column;
    }
  }
}

TEST_F(Boxes, AreNotThereBeforeTheirBarrierSaysSo) {
  expect_error(kernel(kFence, ""), {out.data(), &map}, Error::Kind::kAsynchronous,
               "ended before its copies have arrived");
  for (const U16 value : out) EXPECT_EQ(value, 0xffff);
}

TEST_F(Boxes, NeedABarrierThatTheEngineSees) {
  expect_error(kernel("", wait_for("%r10", 0, 1)), {out.data(), &map}, Error::Kind::kAsynchronous,
               "with no fence.mbarrier_init");
}

TEST_F(Boxes, DoNotOverwriteWhatThreadsWroteWithoutAFence) {
  const std::string write = std::string(kFence) + "st.shared.u32 [%r11+64], %r0;";
  expect_error(kernel(write, wait_for("%r10", 0, 1)), {out.data(), &map},
               Error::Kind::kAsynchronous, "with no fence.proxy.async since");
  run_kernel(kernel(write + "fence.proxy.async.shared::cta;", wait_for("%r10", 0, 1)),
             {out.data(), &map}, {64, 1, 1});
}

TEST_F(Boxes, StayInTheMemoryThatIsAllocated) {
  static std::vector<Allocation> allocations;
  const auto add = [](const void* data, std::size_t bytes) {
    const auto begin = reinterpret_cast<std::uintptr_t>(data);
    allocations.push_back({begin, begin + bytes, true});
  };
  add(tensor.data(), sizeof(U16) * tensor.size());
  add(out.data(), sizeof(U16) * out.size());
  add(&map, sizeof map);
  set_find_allocation([](std::uintptr_t address, Allocation* found) {
    for (const Allocation& allocation : allocations) {
      if (address < allocation.begin || address >= allocation.end) continue;
      *found = allocation;
      return true;
    }
    return false;
  });
  map.extent[1] = 500;
  expect_error(kernel(kFence, wait_for("%r10", 0, 1), "{0, 200, 1, 1}"), {out.data(), &map},
               Error::Kind::kAddress, "a read of 2 bytes at");
  set_find_allocation(nullptr);
}

}  // namespace
}  // namespace emulator
