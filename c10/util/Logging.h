#pragma once

#include <c10/macros/Macros.h>
#include <c10/util/Exception.h>
#include <c10/util/StringUtil.h>

#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

// Logging to standard error:
//
//   LOG(WARNING) << "the cache is full: " << size;
//   VLOG(2) << "details";
//
// TORCH_CPP_LOG_LEVEL chooses what is written: INFO, WARNING (the default), ERROR or FATAL, or a
// number. A negative number -n also shows VLOG(1) to VLOG(n).

namespace c10 {

enum class LogSeverity : int { INFO = 0, WARNING = 1, ERROR = 2, FATAL = 3 };

/// The least severity that is written.
C10_API int GetLogLevel();
C10_API void SetLogLevel(int severity);
/// The number that a value of TORCH_CPP_LOG_LEVEL means; nothing for one that means nothing.
C10_API std::optional<int> ParseLogLevel(const std::string& text);

/// Collects one message; the destructor writes it to standard error. FATAL also throws c10::Error.
class C10_API MessageLogger {
 public:
  /// `file` is not copied. A negative severity is a VLOG's.
  MessageLogger(const char* file, unsigned int line, int severity);
  ~MessageLogger() noexcept(false);
  C10_DISABLE_COPY_AND_ASSIGN(MessageLogger);

  std::ostream& stream() { return stream_; }

 private:
  const char* file_;
  unsigned int line_;
  int severity_;
  std::ostringstream stream_;
};

namespace detail {
// Turns a logged stream into void, so that it can be an operand of a conditional.
struct LogVoidify {
  void operator&(const std::ostream&) {}
};
}  // namespace detail

/// Tells a callback that an interface was used. A deployment sets it; by default there is none.
/// C10_LOG_API_USAGE_ONCE says it once for each place.
using APIUsageLogger = void (*)(const std::string& context);
C10_API void SetAPIUsageLogger(APIUsageLogger logger);
C10_API void LogAPIUsage(const std::string& context);

namespace detail {
/// LogAPIUsage as an expression for a static variable.
C10_API bool LogAPIUsageFakeReturn(const std::string& context);
}  // namespace detail

/// Writes the elements with a space between them, the first hundred.
template <typename Iterator>
std::ostream& PrintSequence(std::ostream& out, Iterator begin, Iterator end) {
  constexpr int kLimit = 100;
  for (int i = 0; begin != end; ++i, ++begin) {
    if (i > 0) out << ' ';
    if (i >= kLimit) return out << "...";
    out << *begin;
  }
  return out;
}

}  // namespace c10

// Tensors, sizes and others that are in containers of the standard library can be written with <<,
// as in PyTorch. Only there does the compiler look for the operator of a std::vector<int64_t>.
namespace std {
template <typename... Types>
ostream& operator<<(ostream& out, const vector<Types...>& container) {
  return c10::PrintSequence(out, container.begin(), container.end());
}
template <typename... Types>
ostream& operator<<(ostream& out, const set<Types...>& container) {
  return c10::PrintSequence(out, container.begin(), container.end());
}
template <typename First, typename Second>
ostream& operator<<(ostream& out, const pair<First, Second>& p) {
  return out << '(' << p.first << ", " << p.second << ')';
}
template <typename... Types>
ostream& operator<<(ostream& out, const map<Types...>& container) {
  return c10::PrintSequence(out, container.begin(), container.end());
}
}  // namespace std

#define C10_LOG_SEVERITY(severity) static_cast<int>(::c10::LogSeverity::severity)
#define LOG_AT_FILE_LINE(severity, file, line)          \
  !(C10_LOG_SEVERITY(severity) >= ::c10::GetLogLevel()) \
      ? static_cast<void>(0)                            \
      : ::c10::detail::LogVoidify() &                   \
            ::c10::MessageLogger(file, line, C10_LOG_SEVERITY(severity)).stream()

#ifndef LOG
#define LOG(severity) LOG_AT_FILE_LINE(severity, __FILE__, __LINE__)
#define LOG_IF(severity, condition) !(condition) ? static_cast<void>(0) : LOG(severity)
#define VLOG_IS_ON(verboselevel) (-(verboselevel) >= ::c10::GetLogLevel())
#define VLOG(verboselevel)            \
  !VLOG_IS_ON(verboselevel)           \
      ? static_cast<void>(0)          \
      : ::c10::detail::LogVoidify() & \
            ::c10::MessageLogger(__FILE__, __LINE__, -(verboselevel)).stream()
#endif

// Unless `val1 op val2`, logs an error and throws c10::Error with the same text. More can be
// streamed behind it: `TORCH_CHECK_EQ(a, b) << "in the second pass"`.
#define TORCH_CHECK_OP(val1, val2, op)                                                          \
  ((val1)op(val2))                                                                              \
      ? static_cast<void>(0)                                                                    \
      : ::c10::detail::LogVoidify() &                                                           \
            ::c10::MessageLogger(__FILE__, __LINE__, C10_LOG_SEVERITY(FATAL)).stream()          \
                << "Check failed: " #val1 " " #op " " #val2 " (" << (val1) << " vs. " << (val2) \
                << "). "
#define TORCH_CHECK_EQ(val1, val2) TORCH_CHECK_OP(val1, val2, ==)
#define TORCH_CHECK_NE(val1, val2) TORCH_CHECK_OP(val1, val2, !=)
#define TORCH_CHECK_LE(val1, val2) TORCH_CHECK_OP(val1, val2, <=)
#define TORCH_CHECK_LT(val1, val2) TORCH_CHECK_OP(val1, val2, <)
#define TORCH_CHECK_GE(val1, val2) TORCH_CHECK_OP(val1, val2, >=)
#define TORCH_CHECK_GT(val1, val2) TORCH_CHECK_OP(val1, val2, >)
#ifdef NDEBUG
#define C10_DCHECK_OP(val1, val2, op) \
  while (false) TORCH_CHECK_OP(val1, val2, op)
#else
#define C10_DCHECK_OP(val1, val2, op) TORCH_CHECK_OP(val1, val2, op)
#endif
#define TORCH_DCHECK_EQ(val1, val2) C10_DCHECK_OP(val1, val2, ==)
#define TORCH_DCHECK_NE(val1, val2) C10_DCHECK_OP(val1, val2, !=)
#define TORCH_DCHECK_LE(val1, val2) C10_DCHECK_OP(val1, val2, <=)
#define TORCH_DCHECK_LT(val1, val2) C10_DCHECK_OP(val1, val2, <)
#define TORCH_DCHECK_GE(val1, val2) C10_DCHECK_OP(val1, val2, >=)
#define TORCH_DCHECK_GT(val1, val2) C10_DCHECK_OP(val1, val2, >)

// Caffe2's names, which older extensions use.
#define CAFFE_ENFORCE(condition, ...)                                              \
  do {                                                                             \
    if (C10_UNLIKELY(!(condition))) {                                              \
      throw ::c10::Error(__FILE__, __LINE__, #condition, ::c10::str(__VA_ARGS__)); \
    }                                                                              \
  } while (false)
#define CAFFE_THROW(...) throw ::c10::Error(__FILE__, __LINE__, "", ::c10::str(__VA_ARGS__))
#define CAFFE_ENFORCE_OP(x, y, op, ...) \
  CAFFE_ENFORCE((x)op(y), (x), " vs ", (y), ". " __VA_OPT__(, ) __VA_ARGS__)
#define CAFFE_ENFORCE_EQ(x, y, ...) CAFFE_ENFORCE_OP(x, y, == __VA_OPT__(, ) __VA_ARGS__)
#define CAFFE_ENFORCE_NE(x, y, ...) CAFFE_ENFORCE_OP(x, y, != __VA_OPT__(, ) __VA_ARGS__)
#define CAFFE_ENFORCE_LE(x, y, ...) CAFFE_ENFORCE_OP(x, y, <= __VA_OPT__(, ) __VA_ARGS__)
#define CAFFE_ENFORCE_LT(x, y, ...) CAFFE_ENFORCE_OP(x, y, < __VA_OPT__(, ) __VA_ARGS__)
#define CAFFE_ENFORCE_GE(x, y, ...) CAFFE_ENFORCE_OP(x, y, >= __VA_OPT__(, ) __VA_ARGS__)
#define CAFFE_ENFORCE_GT(x, y, ...) CAFFE_ENFORCE_OP(x, y, > __VA_OPT__(, ) __VA_ARGS__)

#define C10_LOG_API_USAGE_ONCE(...)                              \
  C10_UNUSED static const bool C10_ANONYMOUS_VARIABLE(logFlag) = \
      ::c10::detail::LogAPIUsageFakeReturn(__VA_ARGS__)
