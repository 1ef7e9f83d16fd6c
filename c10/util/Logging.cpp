#include <c10/util/Exception.h>
#include <c10/util/Logging.h>
#include <c10/util/StringUtil.h>
#include <c10/util/env.h>

#include <atomic>
#include <cctype>
#include <iostream>
#include <optional>
#include <string>

namespace c10 {

std::optional<int> ParseLogLevel(const std::string& text) {
  std::string upper;
  for (const char c : text) {
    upper.push_back(static_cast<char>(std::toupper(static_cast<unsigned char>(c))));
  }
  static constexpr const char* kNames[] = {"INFO", "WARNING", "ERROR", "FATAL"};
  for (int i = 0; i < 4; ++i) {
    if (upper == kNames[i]) return i;
  }
  const bool negative = !text.empty() && text[0] == '-';
  const std::string digits = negative ? text.substr(1) : text;
  if (digits.empty() || digits.size() > 3) return std::nullopt;
  int value = 0;
  for (const char c : digits) {
    if (c < '0' || c > '9') return std::nullopt;
    value = value * 10 + (c - '0');
  }
  return negative ? -value : value;
}

namespace {

int initial_log_level() {
  constexpr int kDefault = static_cast<int>(LogSeverity::WARNING);
  const std::optional<std::string> text = utils::get_env("TORCH_CPP_LOG_LEVEL");
  if (!text.has_value() || text->empty()) return kDefault;
  const std::optional<int> level = ParseLogLevel(*text);
  if (level.has_value()) return *level;
  std::cerr << "TORCH_CPP_LOG_LEVEL=" << *text
            << " is not INFO, WARNING, ERROR, FATAL or a number. Using WARNING.\n";
  return kDefault;
}

std::atomic<int>& log_level() {
  static std::atomic<int> level{initial_log_level()};
  return level;
}

std::atomic<APIUsageLogger>& api_usage_logger() {
  static std::atomic<APIUsageLogger> logger{nullptr};
  return logger;
}

}  // namespace

int GetLogLevel() { return log_level().load(std::memory_order_relaxed); }
void SetLogLevel(int severity) { log_level().store(severity, std::memory_order_relaxed); }

MessageLogger::MessageLogger(const char* file, unsigned int line, int severity)
    : file_(file), line_(line), severity_(severity) {}

MessageLogger::~MessageLogger() noexcept(false) {
  static constexpr const char kLetters[] = "IWEF";
  const char letter = severity_ < 0 ? 'V' : kLetters[severity_ > 3 ? 3 : severity_];
  const std::string text =
      c10::str("[", letter, " ", StripBasename(file_), ":", line_, "] ", stream_.str());
  std::cerr << text + "\n";  // one write: lines of several threads do not mix
  if (severity_ >= static_cast<int>(LogSeverity::FATAL)) {
    throw Error(SourceLocation{"LOG(FATAL)", file_, line_}, text);
  }
}

void SetAPIUsageLogger(APIUsageLogger logger) { api_usage_logger() = logger; }
void LogAPIUsage(const std::string& context) {
  if (APIUsageLogger logger = api_usage_logger()) logger(context);
}

namespace detail {
bool LogAPIUsageFakeReturn(const std::string& context) {
  LogAPIUsage(context);
  return true;
}
}  // namespace detail

}  // namespace c10
