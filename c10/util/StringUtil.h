#pragma once

#include <c10/macros/Export.h>

#include <cstddef>
#include <iosfwd>
#include <string>
#include <string_view>
#include <type_traits>

// `c10::str(a, b, ...)` glues printable things into a string. Formatting is out of line and goes
// through small appenders, so that the thousands of TORCH_CHECK sites neither include <sstream>
// nor instantiate it. A class prints by its `operator<<(std::ostream&, const T&)`, which may be
// declared with <iosfwd> alone.

namespace c10 {
namespace detail {

C10_API void appendValue(std::string& out, long long value);
C10_API void appendValue(std::string& out, unsigned long long value);
/// Six significant digits, as a stream prints by default.
C10_API void appendValue(std::string& out, double value);
C10_API void appendValue(std::string& out, const void* pointer);

using StreamPrinter = void (*)(std::ostream&, const void*);
/// Runs `print(stream, object)` on a string stream and appends what it wrote.
C10_API void appendStreamed(std::string& out, const void* object, StreamPrinter print);
/// Writes text to a stream; lets headers define operator<< without <ostream>.
C10_API std::ostream& writeTo(std::ostream& stream, std::string_view text);

template <class T>
concept IndexableList = requires(const T& list) {
  list.data();
  list.size();
  list.begin();
};

template <class Stream, class T>
concept StreamInsertable = requires(Stream& stream, const T& value) { stream << value; };

template <class T>
void streamErased(std::ostream& stream, const void* object) {
  stream << *static_cast<const T*>(object);
}

template <class T>
void append(std::string& out, const T& value) {
  if constexpr (std::is_same_v<T, char>) {
    out.push_back(value);
  } else if constexpr (std::is_convertible_v<const T&, std::string_view>) {
    if constexpr (std::is_pointer_v<T>) {
      out.append(value == nullptr ? "(null)" : value);
    } else {
      out.append(std::string_view(value));
    }
  } else if constexpr (std::is_integral_v<T> ||
                       (std::is_enum_v<T> && std::is_convertible_v<T, int>)) {
    if constexpr (std::is_signed_v<T>) {
      appendValue(out, static_cast<long long>(value));
    } else {
      appendValue(out, static_cast<unsigned long long>(value));
    }
  } else if constexpr (std::is_floating_point_v<T>) {
    appendValue(out, static_cast<double>(value));
  } else if constexpr (std::is_pointer_v<T>) {
    appendValue(out, static_cast<const void*>(value));
  } else if constexpr (IndexableList<T>) {
    out.push_back('[');
    bool first = true;
    for (const auto& element : value) {
      if (!first) out.append(", ");
      first = false;
      append(out, element);
    }
    out.push_back(']');
  } else {
    appendStreamed(out, &value, &streamErased<T>);
  }
}

}  // namespace detail

/// Concatenates what the arguments print as. `bool` prints as 1 or 0, lists as `[a, b]`.
template <class... Args>
std::string str(const Args&... args) {
  std::string out;
  (detail::append(out, args), ...);
  return out;
}

/// Joins the elements of a list: `Join(", ", {"a", "b"})` is "a, b".
template <class Container>
std::string Join(std::string_view delimiter, const Container& values) {
  std::string out;
  bool first = true;
  for (const auto& value : values) {
    if (!first) out.append(delimiter);
    first = false;
    detail::append(out, value);
  }
  return out;
}

/// Replaces every `from` in `s` by `to`; returns how many were replaced. `from` must not be empty.
C10_API size_t ReplaceAll(std::string& s, std::string_view from, std::string_view to);

/// The file name of a path: what follows the last separator.
C10_API std::string StripBasename(const std::string& full_path);

/// A point in the source, captured by the checking macros.
struct C10_API SourceLocation {
  const char* function;
  const char* file;
  unsigned int line;
};
C10_API std::ostream& operator<<(std::ostream& out, const SourceLocation& location);

}  // namespace c10
