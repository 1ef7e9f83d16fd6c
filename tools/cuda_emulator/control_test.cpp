#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tools/cuda_emulator/run_ptx.h"

namespace emulator {
namespace {

using U32 = std::uint32_t;

template <class F>
std::string error_of(Error::Kind kind, F&& call) {
  try {
    call();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), kind) << error.what();
    return error.what();
  }
  ADD_FAILURE() << "no error";
  return "";
}

constexpr const char* kSquare = R"(
.func (.param .b32 result) square(.param .b32 value)
{
  .reg .b32 %r<4>; .reg .pred %p<2>;
  ld.param.u32 %r1, [value];
  mul.lo.u32 %r2, %r1, %r1;
  setp.gt.u32 %p1, %r1, 10;
  @%p1 bra big;
  st.param.b32 [result], %r2;
  ret;
  big:
  st.param.b32 [result], 1000;
  ret;
}
)";

TEST(Call, FunctionsOfTheModule) {
  std::vector<U32> out(32);
  run_kernel(kernel_of(1, R"(
      mov.u32 %r1, 5;
      and.b32 %r2, %r0, 1;
      setp.eq.u32 %p0, %r2, 0;
      @%p0 bra even;
      {
        .param .b32 argument;
        st.param.b32 [argument+0], %r0;
        .param .b32 returned;
        call.uni (returned), square, (argument);
        ld.param.b32 %r1, [returned+0];
      }
      even:
      mad.lo.u64 %rd10, %rd9, 4, %rd0;
      st.global.u32 [%rd10], %r1;)",
                       kSquare),
             {out.data()});
  for (U32 i = 0; i < 32; ++i) EXPECT_EQ(out[i], i % 2 == 0 ? 5 : i > 10 ? 1000 : i * i);
}

constexpr const char* kAssertion = R"(
.extern .func __assertfail(.param .b64 a, .param .b64 b, .param .b32 c, .param .b64 d, .param .b64 e) ;
.global .align 1 .b8 message[6] = {105, 32, 60, 32, 110};
.global .align 1 .b8 file[5] = {97, 46, 99, 117};
.global .align 1 .b8 function[2] = {102};
)";

TEST(Call, AnAssertionTellsItsText) {
  const std::string body = R"(
      setp.ne.u32 %p0, %r0, 9;
      @%p0 bra fine;
      {
        .param .b64 a; .param .b64 b; .param .b32 c; .param .b64 d; .param .b64 e;
        mov.u64 %rd10, message; mov.u64 %rd11, file; mov.u64 %rd12, function;
        st.param.b64 [a], %rd10; st.param.b64 [b], %rd11; st.param.b32 [c], 96; st.param.b64 [d], %rd12;
        st.param.b64 [e], 1;
        call.uni __assertfail, (a, b, c, d, e);
      }
      fine:)";
  const std::string error = error_of(Error::Kind::kAssert, [&] {
    run_kernel(kernel_of(0, body, kAssertion), {}, {32, 1, 1}, {3, 1, 1});
  });
  EXPECT_EQ(error.substr(0, error.find('\n')), "a.cu:96: f: Assertion `i < n` failed");
  EXPECT_NE(error.find("block: (0, 0, 0), thread: (9, 0, 0)"), std::string::npos) << error;
}

std::string printed;

TEST(Call, Printing) {
  printed.clear();
  set_print([](std::string_view text) { printed += text; });
  run_kernel(kernel_of(0, R"(
      .local .align 8 .b8 values[16];
      mov.u64 %rd10, values;
      st.local.u32 [%rd10], %r0;
      st.local.f64 [%rd10+8], 0d3FF8000000000000;
      {
        .param .b64 a; .param .b64 b; .param .b32 c;
        mov.u64 %rd11, format;
        st.param.b64 [a], %rd11; st.param.b64 [b], %rd10;
        call.uni (c), vprintf, (a, b);
      })",
                       ".extern .func (.param .b32 c) vprintf(.param .b64 a, .param .b64 b) ;\n"
                       ".global .align 1 .b8 format[13] = {37, 100, 58, 32, 37, 46, 50, 102, 32, "
                       "37, 37, 10};\n"),
             {}, {2, 1, 1});
  set_print(nullptr);
  EXPECT_EQ(printed, "0: 1.50 %\n1: 1.50 %\n");
}

TEST(Control, ATrapIsToldWithItsPlace) {
  const std::string error = error_of(Error::Kind::kTrap, [] {
    run_kernel(kernel_of(0, "setp.eq.u32 %p0, %r0, 40;\n@%p0 trap;"), {}, {64, 1, 1});
  });
  EXPECT_NE(error.find("thread: (40, 0, 0)"), std::string::npos) << error;
  EXPECT_NE(error.find(": @%p0 trap;"), std::string::npos) << error;
}

TEST(Control, EveryBlockAndThreadHasItsNumber) {
  std::vector<U32> out(2 * 3 * 4 * 2 * 3 * 5);
  run_kernel(kernel_of(1, R"(
      mov.u32 %r1, %ctaid.z; mov.u32 %r2, %nctaid.y; mov.u32 %r3, %ctaid.y; mad.lo.u32 %r4, %r1, %r2, %r3;
      mov.u32 %r2, %nctaid.x; mov.u32 %r3, %ctaid.x; mad.lo.u32 %r4, %r4, %r2, %r3;
      mov.u32 %r2, %ntid.z; mov.u32 %r3, %tid.z; mad.lo.u32 %r4, %r4, %r2, %r3;
      mov.u32 %r2, %ntid.y; mov.u32 %r3, %tid.y; mad.lo.u32 %r4, %r4, %r2, %r3;
      mov.u32 %r2, %ntid.x; mov.u32 %r3, %tid.x; mad.lo.u32 %r4, %r4, %r2, %r3;
      mul.wide.u32 %rd10, %r4, 4; add.u64 %rd10, %rd10, %rd0;
      st.global.u32 [%rd10], %r4;)"),
             {out.data()}, {5, 3, 2}, {4, 3, 2});
  for (U32 i = 0; i < out.size(); ++i) EXPECT_EQ(out[i], i);
}

TEST(Control, EndlessLoopsEnd) {
  options().instructions = 1000;
  const std::string error =
      error_of(Error::Kind::kDeadlock, [] { run_kernel(kernel_of(0, "again: bra again;"), {}); });
  options().instructions = 0;
  EXPECT_NE(error.find("an endless loop"), std::string::npos) << error;
}

TEST(Launch, SizesThatNoGpuTakes) {
  const std::string text = ".visible .entry k() .maxntid 64, 1, 1 { ret; }";
  const auto launch = [&](std::array<unsigned, 3> block, std::array<unsigned, 3> grid,
                          std::size_t shared) {
    return error_of(Error::Kind::kLaunch, [&] { run_kernel(text, {}, block, grid, shared); });
  };
  EXPECT_NE(launch({65, 1, 1}, {1, 1, 1}, 0).find("compiled for at most 64"), std::string::npos);
  EXPECT_NE(launch({2000, 1, 1}, {1, 1, 1}, 0).find("at most 1024"), std::string::npos);
  EXPECT_NE(launch({1, 1, 1}, {1, 70000, 1}, 0).find("65535"), std::string::npos);
  EXPECT_NE(launch({1, 1, 1}, {1, 0, 1}, 0).find("at least 1"), std::string::npos);
  EXPECT_NE(launch({1, 1, 1}, {1, 1, 1}, 300000).find("dynamic shared memory"), std::string::npos);
}

TEST(Module, WhatCannotBeReadHasItsLine) {
  const std::string error = error_of(Error::Kind::kSyntax, [] {
    Module module(module_of(".visible .entry k(\n.param .u64 a b)\n{ ret; }"));
  });
  EXPECT_NE(error.find("PTX, line 5: wanted"), std::string::npos) << error;
  EXPECT_NE(error.find("'b'"), std::string::npos) << error;
  const std::string label =
      error_of(Error::Kind::kSyntax, [] { run_kernel(kernel_of(0, "bra nowhere;"), {}); });
  EXPECT_NE(label.find("nowhere"), std::string::npos) << label;
}

TEST(Module, UnknownInstructionsAreErrorsWhenTheyAreReached) {
  const std::string text = kernel_of(0, "setp.eq.u32 %p0, %r0, 99;\n@%p0 frobnicate.u32 %r1;");
  run_kernel(text, {});
  const Module module(module_of(text));
  ASSERT_EQ(module.unknown_instructions().size(), 1u);
  EXPECT_NE(module.unknown_instructions()[0].find("frobnicate.u32"), std::string::npos);
  const std::string error =
      error_of(Error::Kind::kSyntax, [] { run_kernel(kernel_of(0, "frobnicate.u32 %r1;"), {}); });
  EXPECT_NE(error.find("does not know"), std::string::npos) << error;
  const Module short_of_operands(module_of(kernel_of(0, "bra;")));
  ASSERT_EQ(short_of_operands.unknown_instructions().size(), 1u);
  EXPECT_NE(short_of_operands.unknown_instructions()[0].find("bra; (it has too few operands)"),
            std::string::npos);
}

}  // namespace
}  // namespace emulator
