#pragma once

#include <c10/macros/Macros.h>
#include <c10/util/Backtrace.h>
#include <c10/util/StringUtil.h>

#include <cstdint>
#include <exception>
#include <string>
#include <utility>
#include <vector>

// Errors and warnings. Use the macros:
//
//   TORCH_CHECK(size > 0, "expected a positive size, got ", size);   // a mistake of the caller
//   TORCH_CHECK_INDEX(i < size, "index ", i, " is out of range");    // the same: an IndexError
//   TORCH_INTERNAL_ASSERT(ptr != nullptr);                           // a mistake of this library
//   TORCH_WARN("this is slow because ...");
//
// Arguments after the condition make the message: each is written with operator<<. They are
// evaluated only if the check fails. Failing is out of line: a check that passes costs a compare
// and a branch.

namespace c10 {

/// What every check throws; a RuntimeError in Python. It owns its texts, and a copy owns copies of
/// them. Reading is safe from several threads; `add_context` is not.
class C10_API Error : public std::exception {
 public:
  /// An error raised at a place in the source. Captures the addresses on the stack; `backtrace`
  /// finds their names.
  Error(SourceLocation source_location, std::string msg);
  /// An error whose backtrace is already text. `caller` is kept as a number, never read.
  Error(std::string msg, std::string backtrace, const void* caller = nullptr);
  /// A failed condition, in the form `[enforce fail at file:line] condition. msg`.
  Error(const char* file, uint32_t line, const char* condition, const std::string& msg,
        std::string backtrace = {}, const void* caller = nullptr);

  Error(const Error&) = default;
  Error& operator=(const Error&) = default;
  ~Error() override;

  /// Adds what the program was doing, on the way up the stack:
  ///
  ///   catch (c10::Error& e) {
  ///     e.add_context("while reading weights.pt");
  ///     throw;
  ///   }
  void add_context(std::string msg);

  // References and pointers below are valid until the next `add_context`.
  /// The message alone.
  const std::string& msg() const { return msg_; }
  const std::vector<std::string>& context() const { return context_; }
  /// The stack of the place that threw, one line a frame. The first call looks up the names, which
  /// takes milliseconds.
  const std::string& backtrace() const;
  /// Message, context and backtrace.
  const char* what() const noexcept override;
  /// Message and context, as Python shows them.
  const char* what_without_backtrace() const noexcept { return what_without_backtrace_.c_str(); }
  /// An address that tells who threw, or null.
  const void* caller() const noexcept { return caller_; }

 private:
  void refresh_what();
  std::string compute_what(bool include_backtrace) const;

  std::string msg_;
  std::vector<std::string> context_;
  std::string origin_;  // "Exception raised from f at file:line (most recent call first):"
  CapturedBacktrace frames_;
  mutable std::string backtrace_;
  mutable std::string what_;
  std::string what_without_backtrace_;
  const void* caller_ = nullptr;
};

// The comment names the Python exception that each of these becomes.
#define C10_DEFINE_ERROR(Name, Base) \
  class C10_API Name : public Base { \
   public:                           \
    using Base::Base;                \
    ~Name() override;                \
  }
C10_DEFINE_ERROR(IndexError, Error);                // IndexError
C10_DEFINE_ERROR(ValueError, Error);                // ValueError
C10_DEFINE_ERROR(TypeError, Error);                 // TypeError
C10_DEFINE_ERROR(BufferError, Error);               // BufferError
C10_DEFINE_ERROR(SyntaxError, Error);               // SyntaxError
C10_DEFINE_ERROR(NotImplementedError, Error);       // NotImplementedError
C10_DEFINE_ERROR(EnforceFiniteError, Error);        // RuntimeError
C10_DEFINE_ERROR(OnnxfiBackendSystemError, Error);  // RuntimeError
C10_DEFINE_ERROR(LinAlgError, Error);               // torch.linalg.LinAlgError
C10_DEFINE_ERROR(OutOfMemoryError, Error);          // torch.OutOfMemoryError
C10_DEFINE_ERROR(DistError, Error);                 // RuntimeError
C10_DEFINE_ERROR(AcceleratorError, Error);          // RuntimeError
#undef C10_DEFINE_ERROR

/// A warning on its way to the handler: its kind, its text and the place that it came from.
class C10_API Warning {
 public:
  enum class Kind : uint8_t { User, Deprecation };

  Warning(Kind kind, const SourceLocation& source_location, std::string msg, bool verbatim);

  Kind kind() const { return kind_; }
  const SourceLocation& source_location() const { return source_location_; }
  const std::string& msg() const { return msg_; }
  /// Whether the handler shows the text alone, without the place in the source.
  bool verbatim() const { return verbatim_; }

 private:
  Kind kind_;
  SourceLocation source_location_;
  std::string msg_;
  bool verbatim_;
};
using UserWarning = Warning;
using DeprecationWarning = Warning;

/// Receives warnings. The default handler writes a line to standard error; the handler of the
/// Python module calls `warnings.warn`.
class C10_API WarningHandler {
 public:
  virtual ~WarningHandler();
  /// `warning` is borrowed for the call. What this throws goes to the code that warned.
  virtual void process(const Warning& warning);
};

namespace WarningUtils {
/// Sets this thread's handler; null restores the default handler. The handler is not owned: it must
/// outlive its use.
C10_API void set_warning_handler(WarningHandler* handler) noexcept;
/// This thread's handler, never null.
C10_API WarningHandler* get_warning_handler() noexcept;
/// Whether TORCH_WARN_ONCE warns each time, in all threads. False at first.
C10_API void set_warnAlways(bool always) noexcept;
C10_API bool get_warnAlways() noexcept;

/// Sets this thread's handler for a scope.
class C10_API WarningHandlerGuard {
 public:
  explicit WarningHandlerGuard(WarningHandler* handler) : previous_(get_warning_handler()) {
    set_warning_handler(handler);
  }
  ~WarningHandlerGuard() { set_warning_handler(previous_); }
  C10_DISABLE_COPY_AND_ASSIGN(WarningHandlerGuard);

 private:
  WarningHandler* previous_;
};

/// Sets "warn always" for a scope.
class C10_API WarnAlways {
 public:
  explicit WarnAlways(bool setting = true) : previous_(get_warnAlways()) {
    set_warnAlways(setting);
  }
  ~WarnAlways() { set_warnAlways(previous_); }
  C10_DISABLE_COPY_AND_ASSIGN(WarnAlways);

 private:
  bool previous_;
};
}  // namespace WarningUtils

/// Hands a warning to this thread's handler.
C10_API void warn(const Warning& warning);

/// The name of the exception's type, ": ", and its `what()`.
C10_API std::string GetExceptionString(const std::exception& e);

namespace detail {

// The failing side of the macros.
[[noreturn]] C10_API C10_COLD void torchCheckFail(const char* func, const char* file, uint32_t line,
                                                  const std::string& msg);
[[noreturn]] C10_API C10_COLD void torchCheckFail(const char* func, const char* file, uint32_t line,
                                                  const char* msg);
[[noreturn]] C10_API C10_COLD void torchInternalAssertFail(const char* func, const char* file,
                                                           uint32_t line, const char* condition,
                                                           const std::string& user_msg);
C10_API C10_COLD void torchWarn(const char* func, const char* file, uint32_t line,
                                Warning::Kind kind, const std::string& msg);

/// Throws `ErrorType`; a function, so that a check site holds one call and no cleanup code.
template <class ErrorType>
[[noreturn]] C10_NOINLINE C10_COLD void throwError(const char* func, const char* file,
                                                   uint32_t line, std::string msg) {
  throw ErrorType(SourceLocation{func, file, line}, std::move(msg));
}

inline const char* torchCheckMsgImpl(const char* default_msg) { return default_msg; }
inline const char* torchCheckMsgImpl(const char* /*default_msg*/, const char* msg) { return msg; }
template <class... Args>
C10_COLD std::string torchCheckMsgImpl(const char* /*default_msg*/, const Args&... args) {
  return ::c10::str(args...);
}

}  // namespace detail
}  // namespace c10

/// Throws the class `err_type` of namespace c10 with the string `msg`.
#define C10_THROW_ERROR(err_type, msg) \
  throw ::c10::err_type(               \
      ::c10::SourceLocation{__func__, __FILE__, static_cast<unsigned int>(__LINE__)}, msg)

// The message of a check: the arguments, or a text that quotes the condition.
#define TORCH_CHECK_MSG(cond, type, ...)                                                                             \
  (::c10::detail::torchCheckMsgImpl(                                                                                 \
      "Expected " #cond                                                                                              \
      " to be true, but got false.  "                                                                                \
      "(Could this error message be improved?  If so, please report an enhancement request to PyTorch.)" __VA_OPT__( \
          , ) __VA_ARGS__))

/// Throws c10::Error unless `cond`. The other arguments make the message. An `if`, as in PyTorch,
/// so that extensions which forget the semicolon compile: put braces around it in front of an
/// `else`.
#define TORCH_CHECK(cond, ...)                                                           \
  if (C10_UNLIKELY_OR_CONST(!(cond))) {                                                  \
    ::c10::detail::torchCheckFail(__func__, __FILE__, static_cast<uint32_t>(__LINE__),   \
                                  TORCH_CHECK_MSG(cond, "" __VA_OPT__(, ) __VA_ARGS__)); \
  }

/// In a handler of c10::Error, by reference: adds a line of context, and throws the error again.
#define TORCH_RETHROW(e, ...)                 \
  do {                                        \
    (e).add_context(::c10::str(__VA_ARGS__)); \
    throw;                                    \
  } while (false)

/// Throws the class `error_t` of namespace c10 unless `cond`.
#define TORCH_CHECK_WITH(error_t, cond, ...)                   \
  if (C10_UNLIKELY_OR_CONST(!(cond))) {                        \
    ::c10::detail::throwError<::c10::error_t>(                 \
        __func__, __FILE__, static_cast<uint32_t>(__LINE__),   \
        TORCH_CHECK_MSG(cond, "" __VA_OPT__(, ) __VA_ARGS__)); \
  }

#define TORCH_CHECK_INDEX(cond, ...) TORCH_CHECK_WITH(IndexError, cond, __VA_ARGS__)
#define TORCH_CHECK_VALUE(cond, ...) TORCH_CHECK_WITH(ValueError, cond, __VA_ARGS__)
#define TORCH_CHECK_TYPE(cond, ...) TORCH_CHECK_WITH(TypeError, cond, __VA_ARGS__)
#define TORCH_CHECK_NOT_IMPLEMENTED(cond, ...) \
  TORCH_CHECK_WITH(NotImplementedError, cond, __VA_ARGS__)
#define TORCH_CHECK_LINALG(cond, ...) TORCH_CHECK_WITH(LinAlgError, cond, __VA_ARGS__)
#define TORCH_CHECK_BUFFER(cond, ...) TORCH_CHECK_WITH(BufferError, cond, __VA_ARGS__)
#define TORCH_CHECK_ARG(cond, argN, ...) \
  TORCH_CHECK(cond, "invalid argument ", argN, ": ", __VA_ARGS__)
#define TORCH_CHECK_IF_NOT_ON_CUDA(cond, ...) TORCH_CHECK(cond, __VA_ARGS__)

/// Throws c10::Error unless a condition holds that this library itself must keep. The message has
/// the condition and the place, and asks the user to report it.
#define TORCH_INTERNAL_ASSERT(cond, ...)                                                          \
  do {                                                                                            \
    if (C10_UNLIKELY_OR_CONST(!(cond))) {                                                         \
      ::c10::detail::torchInternalAssertFail(__func__, __FILE__, static_cast<uint32_t>(__LINE__), \
                                             #cond, ::c10::str(__VA_ARGS__));                     \
    }                                                                                             \
  } while (false)

/// An internal assertion of debug builds; release builds compile but never evaluate it.
#ifdef NDEBUG
#define TORCH_INTERNAL_ASSERT_DEBUG_ONLY(...)      \
  do {                                             \
    if (false) TORCH_INTERNAL_ASSERT(__VA_ARGS__); \
  } while (false)
#else
#define TORCH_INTERNAL_ASSERT_DEBUG_ONLY(...) TORCH_INTERNAL_ASSERT(__VA_ARGS__)
#endif

#define TORCH_WARN_WITH(kind, ...)                                              \
  ::c10::detail::torchWarn(__func__, __FILE__, static_cast<uint32_t>(__LINE__), \
                           ::c10::Warning::Kind::kind, ::c10::str(__VA_ARGS__))
/// Warns the user: hands the text to this thread's WarningHandler.
#define TORCH_WARN(...) TORCH_WARN_WITH(User, __VA_ARGS__)
#define TORCH_WARN_DEPRECATION(...) TORCH_WARN_WITH(Deprecation, __VA_ARGS__)

#define C10_WARN_ONCE_IMPL(...)                                                  \
  do {                                                                           \
    if (::c10::WarningUtils::get_warnAlways()) {                                 \
      __VA_ARGS__;                                                               \
    } else {                                                                     \
      C10_UNUSED static const bool torch_warned_already = ((__VA_ARGS__), true); \
    }                                                                            \
  } while (false)
/// Warns the first time that the program reaches this line. Warns each time after
/// `set_warnAlways(true)`.
#define TORCH_WARN_ONCE(...) C10_WARN_ONCE_IMPL(TORCH_WARN(__VA_ARGS__))
#define TORCH_WARN_DEPRECATION_ONCE(...) C10_WARN_ONCE_IMPL(TORCH_WARN_DEPRECATION(__VA_ARGS__))

// Names that older extension code uses.
#define AT_ASSERT(cond, ...) TORCH_INTERNAL_ASSERT(cond, __VA_ARGS__)
#define AT_ERROR(...) TORCH_CHECK(false, ::c10::str(__VA_ARGS__))
