#include <c10/util/Exception.h>
#include <c10/util/env.h>
#include <gtest/gtest.h>

#include <optional>
#include <string>

namespace {

constexpr const char* kName = "C10_ENV_TEST_VARIABLE";

struct CountingHandler : c10::WarningHandler {
  void process(const c10::Warning& warning) override { last = warning.msg(); }
  std::string last;
};

TEST(EnvTest, SetAndGet) {
  EXPECT_FALSE(c10::utils::has_env("C10_ENV_TEST_NEVER_SET"));
  EXPECT_EQ(c10::utils::get_env("C10_ENV_TEST_NEVER_SET"), std::nullopt);
  c10::utils::set_env(kName, "one");
  EXPECT_EQ(c10::utils::get_env(kName), "one");
  c10::utils::set_env(kName, "two", /*overwrite=*/false);
  EXPECT_EQ(c10::utils::get_env(kName), "one");
  c10::utils::set_env(kName, "two");
  EXPECT_EQ(c10::utils::get_env(kName), "two");
}

TEST(EnvTest, Booleans) {
  EXPECT_EQ(c10::utils::check_env("C10_ENV_TEST_NEVER_SET"), std::nullopt);
  for (const char* yes : {"1", "ON", "true", "Yes"}) {
    c10::utils::set_env(kName, yes);
    EXPECT_EQ(c10::utils::check_env(kName), true) << yes;
  }
  for (const char* no : {"0", "off", "FALSE", "no"}) {
    c10::utils::set_env(kName, no);
    EXPECT_EQ(c10::utils::check_env(kName), false) << no;
  }
}

TEST(EnvTest, WarnsAboutOtherValues) {
  CountingHandler handler;
  const c10::WarningUtils::WarningHandlerGuard guard(&handler);
  c10::utils::set_env(kName, "perhaps");
  EXPECT_EQ(c10::utils::check_env(kName), std::nullopt);
  EXPECT_EQ(handler.last,
            "Ignoring invalid value for boolean flag C10_ENV_TEST_VARIABLE: perhaps valid values "
            "are 0 or 1.");
}

}  // namespace
