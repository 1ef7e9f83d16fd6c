#include <c10/util/Flags.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <iostream>
#include <limits>
#include <vector>

namespace c10 {

C10_DEFINE_REGISTRY(C10FlagsRegistry, C10FlagParser, const std::string&)

namespace {

bool parsed = false;

std::string& usage() {
  static std::string text = "(Usage message not set.)";
  return text;
}

bool is_bool_flag(const std::string& name) {
  const char* help = C10FlagsRegistry()->HelpMessage(name);
  return help != nullptr && std::string(help).rfind("(bool,", 0) == 0;
}

void show_help(const char* program) {
  std::cout << program << '\n' << usage() << "\nArguments:\n";
  std::vector<std::string> names = C10FlagsRegistry()->Keys();
  std::sort(names.begin(), names.end());
  for (const std::string& name : names) {
    std::cout << "    --" << name << ": " << C10FlagsRegistry()->HelpMessage(name) << '\n';
  }
}

template <typename T, typename Number>
bool parse_number(const std::string& content, T* value, Number (*read)(const char*, char**)) {
  char* end = nullptr;
  errno = 0;
  const Number number = read(content.c_str(), &end);
  const bool whole = end != content.c_str() && *end == '\0' && errno == 0;
  if (whole && number >= std::numeric_limits<T>::lowest() &&
      number <= std::numeric_limits<T>::max()) {
    *value = static_cast<T>(number);
    return true;
  }
  std::cerr << "C10 flag: wanted a number, got \"" << content << "\"\n";
  return false;
}

}  // namespace

void SetUsageMessage(const std::string& message) { usage() = message; }
const char* UsageMessage() { return usage().c_str(); }
bool CommandLineFlagsHasBeenParsed() { return parsed; }

bool ParseCommandLineFlags(int* pargc, char*** pargv) {
  if (*pargc == 0) return true;
  char** argv = *pargv;
  const int count = *pargc;
  bool success = true;
  int kept = 1;
  for (int i = 1; i < count; ++i) {
    const std::string argument(argv[i]);
    if (argument == "--help") {
      show_help(argv[0]);
      std::exit(0);
    }
    if (argument.rfind("--", 0) != 0 || argument == "--") {
      argv[kept++] = argv[i];
      continue;
    }
    const size_t equals = argument.find('=');
    const std::string name = argument.substr(2, equals == std::string::npos ? equals : equals - 2);
    if (!C10FlagsRegistry()->Has(name)) {
      std::cerr << "C10 flag: there is no --" << name << "; --help lists the flags\n";
      success = false;
      break;
    }
    std::string value;
    if (equals != std::string::npos) {
      value = argument.substr(equals + 1);
    } else if (is_bool_flag(name)) {
      value = "true";
    } else if (i + 1 < count) {
      value = argv[++i];
    } else {
      std::cerr << "C10 flag: --" << name << " has no value\n";
      success = false;
      break;
    }
    if (!C10FlagsRegistry()->Create(name, value)->success()) {
      std::cerr << "C10 flag: --" << name << " cannot be \"" << value << "\"\n";
      success = false;
      break;
    }
  }
  if (success) {
    *pargc = kept;
    parsed = true;
  }
  return success;
}

template <>
bool C10FlagParser::Parse<std::string>(const std::string& content, std::string* value) {
  *value = content;
  return true;
}
template <>
bool C10FlagParser::Parse<int>(const std::string& content, int* value) {
  return parse_number<int, long long>(
      content, value, [](const char* s, char** e) { return std::strtoll(s, e, 0); });
}
template <>
bool C10FlagParser::Parse<int64_t>(const std::string& content, int64_t* value) {
  return parse_number<int64_t, long long>(
      content, value, [](const char* s, char** e) { return std::strtoll(s, e, 0); });
}
template <>
bool C10FlagParser::Parse<double>(const std::string& content, double* value) {
  return parse_number<double, double>(content, value,
                                      [](const char* s, char** e) { return std::strtod(s, e); });
}
template <>
bool C10FlagParser::Parse<bool>(const std::string& content, bool* value) {
  for (const char* yes : {"true", "True", "TRUE", "1"}) {
    if (content == yes) return *value = true;
  }
  for (const char* no : {"false", "False", "FALSE", "0"}) {
    if (content == no) {
      *value = false;
      return true;
    }
  }
  std::cerr << "C10 flag: wanted true or false, got \"" << content << "\"\n";
  return false;
}

}  // namespace c10
