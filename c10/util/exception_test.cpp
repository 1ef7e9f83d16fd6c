#include <c10/util/Exception.h>
#include <c10/util/expect_throw.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace {

TEST(ExceptionTest, CheckPassesWithoutEvaluatingTheMessage) {
  int evaluated = 0;
  TORCH_CHECK(true, "never ", ++evaluated);
  TORCH_INTERNAL_ASSERT(true, "never ", ++evaluated);
  EXPECT_EQ(evaluated, 0);
}

TEST(ExceptionTest, CheckJoinsItsArguments) {
  const int got = 3;
  EXPECT_THROW_MESSAGE(TORCH_CHECK(got == 2, "expected 2, got ", got), c10::Error,
                       "expected 2, got 3");
}

TEST(ExceptionTest, CheckWithoutMessageNamesTheCondition) {
  const int one = 1;
  EXPECT_THROW_MESSAGE(
      TORCH_CHECK(one == 2), c10::Error,
      "Expected one == 2 to be true, but got false.  (Could this error message be improved?  If so, please report an enhancement request to PyTorch.)");
}

TEST(ExceptionTest, EachMacroThrowsItsClass) {
  EXPECT_THROW_MESSAGE(TORCH_CHECK_INDEX(false, "i"), c10::IndexError, "i");
  EXPECT_THROW_MESSAGE(TORCH_CHECK_VALUE(false, "v"), c10::ValueError, "v");
  EXPECT_THROW_MESSAGE(TORCH_CHECK_TYPE(false, "t"), c10::TypeError, "t");
  EXPECT_THROW_MESSAGE(TORCH_CHECK_NOT_IMPLEMENTED(false, "n"), c10::NotImplementedError, "n");
  EXPECT_THROW_MESSAGE(TORCH_CHECK_LINALG(false, "l"), c10::LinAlgError, "l");
  EXPECT_THROW_MESSAGE(C10_THROW_ERROR(OutOfMemoryError, "o"), c10::OutOfMemoryError, "o");
  EXPECT_THROW_MESSAGE(AT_ERROR("a", 1), c10::Error, "a1");
}

TEST(ExceptionTest, ErrorsAreCaughtAsTheirBase) {
  EXPECT_THROW(TORCH_CHECK_INDEX(false, "x"), c10::Error);
  EXPECT_THROW(TORCH_CHECK(false, "x"), std::exception);
}

TEST(ExceptionTest, InternalAssertNamesConditionAndPlace) {
  EXPECT_THROW_CONTAINS(TORCH_INTERNAL_ASSERT(1 > 2, "sizes ", 5), c10::Error,
                        "1 > 2 INTERNAL ASSERT FAILED at \"");
  EXPECT_THROW_CONTAINS(TORCH_INTERNAL_ASSERT(1 > 2, "sizes ", 5), c10::Error,
                        ", please report a bug to PyTorch. sizes 5");
  EXPECT_THROW_CONTAINS(TORCH_INTERNAL_ASSERT(false), c10::Error, "exception_test.cpp");
}

TEST(ExceptionTest, DebugAssertFollowsNdebug) {
#ifdef NDEBUG
  EXPECT_NO_THROW(TORCH_INTERNAL_ASSERT_DEBUG_ONLY(false));
#else
  EXPECT_THROW(TORCH_INTERNAL_ASSERT_DEBUG_ONLY(false), c10::Error);
#endif
}

// Extensions of PyTorch forget the semicolon, which its macro does not need.
// clang-format off
TEST(ExceptionTest, ChecksNeedNoSemicolon) {
  int reached = 0;
  if (reached == 1) TORCH_CHECK(false, "not reached")
  TORCH_CHECK(reached == 0)
  TORCH_CHECK_VALUE(reached == 0, "no")
  ++reached;
  EXPECT_EQ(reached, 1);
}
// clang-format on

TEST(ExceptionTest, WhatHasTheBacktraceAndTheShortTextHasNot) {
  try {
    TORCH_CHECK(false, "boom");
  } catch (const c10::Error& e) {
    EXPECT_STREQ(e.what_without_backtrace(), "boom");
    const std::string full = e.what();
    EXPECT_EQ(full.rfind("boom\nException raised from ", 0), 0u) << full;
    EXPECT_NE(full.find("exception_test.cpp"), std::string::npos) << full;
    EXPECT_NE(full.find("frame #0: "), std::string::npos) << full;
    EXPECT_EQ(e.msg(), "boom");
    return;
  }
  FAIL() << "nothing was thrown";
}

TEST(ExceptionTest, CopiesKeepTheBacktrace) {
  const c10::Error original(c10::SourceLocation{"f", "file.cpp", 12}, "text");
  const c10::Error copy = original;
  EXPECT_STREQ(copy.what(), original.what());
  EXPECT_NE(copy.backtrace().find("f at file.cpp:12"), std::string::npos);
}

TEST(ExceptionTest, ContextIsShown) {
  c10::Error e("message", "");
  e.add_context("while adding");
  EXPECT_STREQ(e.what(), "message (while adding)");
  e.add_context("while training");
  EXPECT_STREQ(e.what(), "message\n  while adding\n  while training");
  EXPECT_EQ(e.context().size(), 2u);
}

TEST(ExceptionTest, EnforceForm) {
  const c10::Error e("dir/file.cpp", 3, "x > 0", "x is -1");
  EXPECT_STREQ(e.what_without_backtrace(), "[enforce fail at file.cpp:3] x > 0. x is -1");
}

TEST(ExceptionTest, ExceptionStringHasTheType) {
  const c10::IndexError e("out", "");
  EXPECT_EQ(c10::GetExceptionString(e), "c10::IndexError: out");
}

struct Recorder : c10::WarningHandler {
  void process(const c10::Warning& warning) override {
    messages.push_back(warning.msg());
    kinds.push_back(warning.kind());
    lines.push_back(warning.source_location().line);
  }
  std::vector<std::string> messages;
  std::vector<c10::Warning::Kind> kinds;
  std::vector<unsigned> lines;
};

TEST(WarningTest, GoesToTheHandlerOfTheThread) {
  Recorder recorder;
  {
    const c10::WarningUtils::WarningHandlerGuard guard(&recorder);
    TORCH_WARN("value ", 3);
    TORCH_WARN_DEPRECATION("old");
  }
  EXPECT_NE(c10::WarningUtils::get_warning_handler(), &recorder);
  EXPECT_EQ(recorder.messages, (std::vector<std::string>{"value 3", "old"}));
  EXPECT_EQ(recorder.kinds[0], c10::Warning::Kind::User);
  EXPECT_EQ(recorder.kinds[1], c10::Warning::Kind::Deprecation);
  EXPECT_EQ(recorder.lines[1], recorder.lines[0] + 1);
}

void warn_once() { TORCH_WARN_ONCE("once"); }

TEST(WarningTest, OnceUnlessAlways) {
  Recorder recorder;
  const c10::WarningUtils::WarningHandlerGuard guard(&recorder);
  warn_once();
  warn_once();
  EXPECT_EQ(recorder.messages.size(), 1u);
  {
    const c10::WarningUtils::WarnAlways always;
    warn_once();
    warn_once();
  }
  EXPECT_EQ(recorder.messages.size(), 3u);
  warn_once();
  EXPECT_EQ(recorder.messages.size(), 3u);
}

TEST(WarningTest, DefaultHandlerWritesToStandardError) {
  testing::internal::CaptureStderr();
  TORCH_WARN("shown");
  const std::string text = testing::internal::GetCapturedStderr();
  EXPECT_NE(text.find("Warning: shown (function TestBody)"), std::string::npos) << text;
}

}  // namespace
