#pragma once

#include <torch/headeronly/macros/Macros.h>

#include <sstream>
#include <stdexcept>
#include <string>

HIDDEN_NAMESPACE_BEGIN(torch, headeronly, detail)

template <typename... Args>
std::string joined(const Args&... args) {
  std::ostringstream out;
  (out << ... << args);
  return std::move(out).str();
}

// Throws what a failed check says: where it is, and the condition if there is no message.
template <typename... Args>
[[noreturn]] C10_NOINLINE void check_failed(const char* function, const char* file, int line,
                                            const char* condition, const Args&... message) {
  const std::string place = joined(function, ", ", file, ":", line, ", ");
  if constexpr (sizeof...(message) == 0) {
    throw std::runtime_error(joined(place, "Expected ", condition, " to be true, but got false."));
  } else {
    throw std::runtime_error(joined(place, message...));
  }
}

HIDDEN_NAMESPACE_END(torch, headeronly, detail)

/// Throws std::runtime_error, Python's RuntimeError, unless `cond`; the other arguments make the
/// message. Unlike TORCH_CHECK it needs no library. An `if`, as in PyTorch, so that extensions
/// which forget the semicolon compile.
#define STD_TORCH_CHECK(cond, ...)                                               \
  if (C10_UNLIKELY_OR_CONST(!(cond))) {                                          \
    ::torch::headeronly::detail::check_failed(__func__, __FILE__, __LINE__,      \
                                              #cond __VA_OPT__(, ) __VA_ARGS__); \
  }
