#include <c10/macros/Macros.h>
#include <c10/util/Backtrace.h>
#include <gtest/gtest.h>

#include <string>

namespace {

C10_NOINLINE c10::CapturedBacktrace capture_here(size_t skip, size_t maximum) {
  return c10::CapturedBacktrace::capture(skip, maximum);
}

TEST(BacktraceTest, EmptyUntilCaptured) {
  const c10::CapturedBacktrace backtrace;
  EXPECT_TRUE(backtrace.empty());
  EXPECT_EQ(backtrace.symbolize(), "");
}

TEST(BacktraceTest, SkipsAndLimits) {
  const size_t all = capture_here(0, 64).size();
  ASSERT_GT(all, 2u);
  EXPECT_EQ(capture_here(1, 64).size(), all - 1);
  EXPECT_EQ(capture_here(0, 2).size(), 2u);
  EXPECT_TRUE(capture_here(10000, 1).empty());
}

TEST(BacktraceTest, OneNumberedLineAFrame) {
  const c10::CapturedBacktrace backtrace = capture_here(0, 3);
  const std::string text = backtrace.symbolize();
  EXPECT_EQ(text.rfind("frame #0: ", 0), 0u) << text;
  EXPECT_NE(text.find("\nframe #2: "), std::string::npos) << text;
  EXPECT_EQ(text.find("frame #3"), std::string::npos) << text;
  EXPECT_EQ(text.back(), '\n');
}

TEST(BacktraceTest, TextOfTheCallingThread) {
  EXPECT_EQ(c10::get_backtrace().rfind("frame #0: ", 0), 0u);
}

}  // namespace
