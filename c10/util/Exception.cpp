#include <c10/util/Exception.h>
#include <c10/util/Logging.h>
#include <c10/util/Type.h>

#include <atomic>
#include <iostream>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace c10 {

namespace {
// Guards what errors compute late. An exception is rarely read by two threads; one lock does.
std::mutex& lazy_text_mutex() {
  static std::mutex* const mutex = new std::mutex;  // outlives every error
  return *mutex;
}
}  // namespace

Error::Error(SourceLocation source_location, std::string msg)
    : msg_(std::move(msg)),
      origin_(c10::str("Exception raised from ", source_location, " (most recent call first):\n")),
      frames_(CapturedBacktrace::capture(/*frames_to_skip=*/1)) {
  refresh_what();
}

Error::Error(std::string msg, std::string backtrace, const void* caller)
    : msg_(std::move(msg)), backtrace_(std::move(backtrace)), caller_(caller) {
  refresh_what();
}

Error::Error(const char* file, uint32_t line, const char* condition, const std::string& msg,
             std::string backtrace, const void* caller)
    : Error(
          c10::str("[enforce fail at ", StripBasename(file), ":", line, "] ", condition, ". ", msg),
          std::move(backtrace), caller) {}

Error::~Error() = default;

void Error::add_context(std::string msg) {
  context_.push_back(std::move(msg));
  refresh_what();
}

void Error::refresh_what() {
  what_.clear();
  what_without_backtrace_ = compute_what(/*include_backtrace=*/false);
}

std::string Error::compute_what(bool include_backtrace) const {
  std::string text = msg_;
  if (context_.size() == 1) {
    text += c10::str(" (", context_[0], ")");
  } else {
    for (const std::string& line : context_) text += c10::str("\n  ", line);
  }
  if (include_backtrace && !backtrace_.empty()) text += c10::str("\n", backtrace_);
  return text;
}

const std::string& Error::backtrace() const {
  const std::lock_guard<std::mutex> lock(lazy_text_mutex());
  if (backtrace_.empty() && !frames_.empty()) backtrace_ = origin_ + frames_.symbolize();
  return backtrace_;
}

const char* Error::what() const noexcept {
  try {
    backtrace();
    const std::lock_guard<std::mutex> lock(lazy_text_mutex());
    if (what_.empty()) what_ = compute_what(/*include_backtrace=*/true);
    return what_.c_str();
  } catch (...) {
    return what_without_backtrace_.c_str();
  }
}

// Defined here, so that each class has its type information in one library.
IndexError::~IndexError() = default;
ValueError::~ValueError() = default;
TypeError::~TypeError() = default;
BufferError::~BufferError() = default;
SyntaxError::~SyntaxError() = default;
NotImplementedError::~NotImplementedError() = default;
EnforceFiniteError::~EnforceFiniteError() = default;
OnnxfiBackendSystemError::~OnnxfiBackendSystemError() = default;
LinAlgError::~LinAlgError() = default;
OutOfMemoryError::~OutOfMemoryError() = default;
DistError::~DistError() = default;
AcceleratorError::~AcceleratorError() = default;

Warning::Warning(Kind kind, const SourceLocation& source_location, std::string msg, bool verbatim)
    : kind_(kind), source_location_(source_location), msg_(std::move(msg)), verbatim_(verbatim) {}

WarningHandler::~WarningHandler() = default;

void WarningHandler::process(const Warning& warning) {
  LOG_AT_FILE_LINE(WARNING, warning.source_location().file, warning.source_location().line)
      << "Warning: " << warning.msg() << " (function " << warning.source_location().function << ")";
}

namespace WarningUtils {
namespace {
thread_local WarningHandler* current_handler = nullptr;
std::atomic<bool> warn_always{false};

WarningHandler* base_handler() {
  static WarningHandler* const handler = new WarningHandler;
  return handler;
}
}  // namespace

void set_warning_handler(WarningHandler* handler) noexcept { current_handler = handler; }
WarningHandler* get_warning_handler() noexcept {
  return current_handler != nullptr ? current_handler : base_handler();
}
void set_warnAlways(bool always) noexcept { warn_always = always; }
bool get_warnAlways() noexcept { return warn_always; }
}  // namespace WarningUtils

void warn(const Warning& warning) { WarningUtils::get_warning_handler()->process(warning); }

std::string GetExceptionString(const std::exception& e) {
  return demangle(typeid(e).name()) + ": " + e.what();
}

namespace detail {

void torchCheckFail(const char* func, const char* file, uint32_t line, const std::string& msg) {
  throw Error(SourceLocation{func, file, line}, msg);
}
void torchCheckFail(const char* func, const char* file, uint32_t line, const char* msg) {
  throw Error(SourceLocation{func, file, line}, msg);
}

void torchInternalAssertFail(const char* func, const char* file, uint32_t line,
                             const char* condition, const std::string& user_msg) {
  throw Error(SourceLocation{func, file, line},
              c10::str(condition, " INTERNAL ASSERT FAILED at \"", file, "\":", line,
                       ", please report a bug to PyTorch. ", user_msg));
}

void torchWarn(const char* func, const char* file, uint32_t line, Warning::Kind kind,
               const std::string& msg) {
  warn(Warning(kind, SourceLocation{func, file, line}, msg, /*verbatim=*/false));
}

}  // namespace detail
}  // namespace c10
