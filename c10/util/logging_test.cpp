#include <c10/util/Exception.h>
#include <c10/util/Logging.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

namespace {

class LoggingTest : public testing::Test {
 protected:
  LoggingTest() : saved_(c10::GetLogLevel()) {}
  ~LoggingTest() override { c10::SetLogLevel(saved_); }

  // What `body` writes to standard error.
  template <class Body>
  std::string written(Body body) {
    testing::internal::CaptureStderr();
    body();
    return testing::internal::GetCapturedStderr();
  }

 private:
  int saved_;
};

TEST_F(LoggingTest, LevelDecidesWhatIsWritten) {
  c10::SetLogLevel(1);
  const std::string text = written([] {
    LOG(INFO) << "quiet";
    LOG(WARNING) << "loud " << 7;
  });
  EXPECT_EQ(text.find("quiet"), std::string::npos);
  EXPECT_NE(text.find("[W logging_test.cpp:"), std::string::npos) << text;
  EXPECT_NE(text.find("] loud 7\n"), std::string::npos) << text;
}

TEST_F(LoggingTest, SilentMessagesAreNotEvaluated) {
  c10::SetLogLevel(2);
  int evaluated = 0;
  LOG(INFO) << ++evaluated;
  VLOG(1) << ++evaluated;
  EXPECT_EQ(evaluated, 0);
}

TEST_F(LoggingTest, VerboseLevels) {
  c10::SetLogLevel(-2);
  EXPECT_TRUE(VLOG_IS_ON(2));
  EXPECT_FALSE(VLOG_IS_ON(3));
  const std::string text = written([] {
    VLOG(2) << "seen";
    VLOG(3) << "unseen";
  });
  EXPECT_NE(text.find("[V "), std::string::npos) << text;
  EXPECT_NE(text.find("seen"), std::string::npos);
  EXPECT_EQ(text.find("unseen"), std::string::npos);
}

TEST_F(LoggingTest, FatalThrows) {
  std::string message;
  const std::string text = written([&message] {
    try {
      LOG(FATAL) << "the end";
    } catch (const c10::Error& e) {
      message = e.msg();
    }
  });
  EXPECT_NE(message.find("the end"), std::string::npos);
  EXPECT_NE(text.find("[F "), std::string::npos);
}

TEST_F(LoggingTest, LogIf) {
  c10::SetLogLevel(0);
  const std::string text = written([] {
    LOG_IF(INFO, 1 + 1 == 2) << "yes";
    LOG_IF(INFO, 1 + 1 == 3) << "no";
  });
  EXPECT_NE(text.find("yes"), std::string::npos);
  EXPECT_EQ(text.find("no\n"), std::string::npos);
}

TEST(LogLevelTest, ParsesNamesAndNumbers) {
  EXPECT_EQ(c10::ParseLogLevel("INFO"), 0);
  EXPECT_EQ(c10::ParseLogLevel("warning"), 1);
  EXPECT_EQ(c10::ParseLogLevel("ERROR"), 2);
  EXPECT_EQ(c10::ParseLogLevel("FATAL"), 3);
  EXPECT_EQ(c10::ParseLogLevel("-3"), -3);
  EXPECT_EQ(c10::ParseLogLevel("2"), 2);
  for (const char* bad : {"", "-", "LOUD", "1x", "99999"}) {
    EXPECT_EQ(c10::ParseLogLevel(bad), std::nullopt) << bad;
  }
}

std::vector<std::string>& used() {
  static std::vector<std::string> names;
  return names;
}

void use_api() { C10_LOG_API_USAGE_ONCE("api.name"); }

TEST(APIUsageTest, LoggedOnce) {
  c10::SetAPIUsageLogger([](const std::string& context) { used().push_back(context); });
  use_api();
  use_api();
  c10::SetAPIUsageLogger(nullptr);
  c10::LogAPIUsage("unheard");
  EXPECT_EQ(used(), std::vector<std::string>{"api.name"});
}

TEST(CheckOpTest, SaysBothSidesAndWhatIsStreamed) {
  TORCH_CHECK_EQ(1, 1) << "unheard";
  try {
    TORCH_CHECK_LT(3, 2) << "in the second pass";
    FAIL();
  } catch (const c10::Error& error) {
    const std::string said = error.what_without_backtrace();
    EXPECT_NE(said.find("Check failed: 3 < 2 (3 vs. 2). in the second pass"), std::string::npos);
  }
}

TEST(CaffeEnforceTest, SaysConditionSidesAndMessage) {
  CAFFE_ENFORCE(true);
  CAFFE_ENFORCE_EQ(1, 1, "unheard");
  const auto said = [](auto body) -> std::string {
    try {
      body();
    } catch (const c10::Error& error) {
      return error.what_without_backtrace();
    }
    return "";
  };
  const std::string plain = said([] { CAFFE_ENFORCE(1 > 2, "more than ", 3); });
  EXPECT_NE(plain.find("1 > 2. more than 3"), std::string::npos) << plain;
  const std::string sides = said([] { CAFFE_ENFORCE_LT(3, 2, "in the second pass"); });
  EXPECT_NE(sides.find("3 vs 2. in the second pass"), std::string::npos) << sides;
  EXPECT_NE(said([] { CAFFE_THROW("what ", 4); }).find("what 4"), std::string::npos);
}

TEST(PrintTest, ContainersOfTheStandardLibrary) {
  std::ostringstream out;
  out << std::vector<int64_t>{1, 2} << "; " << std::map<std::string, int>{{"a", 1}} << "; "
      << std::vector<int>(101);
  EXPECT_TRUE(out.str().starts_with("1 2; (a, 1); 0 0 0")) << out.str();
  EXPECT_TRUE(out.str().ends_with("0 0 ...")) << out.str();
}

}  // namespace
