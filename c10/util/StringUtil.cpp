#include <c10/util/StringUtil.h>

#include <cstdio>
#include <ostream>
#include <sstream>
#include <string>
#include <string_view>

namespace c10 {
namespace detail {

void appendValue(std::string& out, long long value) { out += std::to_string(value); }
void appendValue(std::string& out, unsigned long long value) { out += std::to_string(value); }

void appendValue(std::string& out, double value) {
  char buffer[32];
  out.append(buffer, static_cast<size_t>(std::snprintf(buffer, sizeof(buffer), "%g", value)));
}

void appendValue(std::string& out, const void* pointer) {
  std::ostringstream stream;
  stream << pointer;
  out += stream.str();
}

void appendStreamed(std::string& out, const void* object, StreamPrinter print) {
  std::ostringstream stream;
  print(stream, object);
  out += stream.str();
}

std::ostream& writeTo(std::ostream& stream, std::string_view text) { return stream << text; }

}  // namespace detail

size_t ReplaceAll(std::string& s, std::string_view from, std::string_view to) {
  if (from.empty()) return 0;
  size_t count = 0;
  std::string result;
  size_t start = 0;
  for (size_t at = s.find(from); at != std::string::npos; at = s.find(from, start)) {
    result.append(s, start, at - start);
    result.append(to);
    start = at + from.size();
    ++count;
  }
  if (count == 0) return 0;
  result.append(s, start);
  s = std::move(result);
  return count;
}

std::string StripBasename(const std::string& full_path) {
  const size_t separator = full_path.find_last_of('/');
  return separator == std::string::npos ? full_path : full_path.substr(separator + 1);
}

std::ostream& operator<<(std::ostream& out, const SourceLocation& location) {
  return out << location.function << " at " << location.file << ":" << location.line;
}

}  // namespace c10
