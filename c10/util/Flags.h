#pragma once

// Options of a program, by name.
//
//   C10_DEFINE_int(batch, 32, "images of a step");     // in one source: FLAGS_batch
//   C10_DECLARE_int(batch);                            // in the others
//   c10::ParseCommandLineFlags(&argc, &argv);          // ./program --batch=64

#include <c10/macros/Export.h>
#include <c10/util/Registry.h>

#include <cstdint>
#include <string>
#include <utility>

namespace c10 {

/// Sets the flags that the command line names, as --name=value or --name value, and leaves the
/// other arguments in *pargv. A bool's name alone means true. Returns false and writes to stderr
/// what it could not read. --help writes the flags and ends the program.
C10_API bool ParseCommandLineFlags(int* pargc, char*** pargv);
C10_API void SetUsageMessage(const std::string& message);
C10_API const char* UsageMessage();
/// Whether ParseCommandLineFlags was called.
C10_API bool CommandLineFlagsHasBeenParsed();

/// Reads one flag's value.
class C10_API C10FlagParser {
 public:
  bool success() const { return success_; }

 protected:
  template <typename T>
  bool Parse(const std::string& content, T* value);
  bool success_{false};
};
template <>
C10_API bool C10FlagParser::Parse<std::string>(const std::string& content, std::string* value);
template <>
C10_API bool C10FlagParser::Parse<int>(const std::string& content, int* value);
template <>
C10_API bool C10FlagParser::Parse<int64_t>(const std::string& content, int64_t* value);
template <>
C10_API bool C10FlagParser::Parse<double>(const std::string& content, double* value);
template <>
C10_API bool C10FlagParser::Parse<bool>(const std::string& content, bool* value);

C10_DECLARE_REGISTRY(C10FlagsRegistry, C10FlagParser, const std::string&);

}  // namespace c10

#define C10_DEFINE_typed_var(type, name, default_value, help_str)                                  \
  C10_EXPORT type FLAGS_##name = default_value;                                                    \
  namespace c10 {                                                                                  \
  namespace {                                                                                      \
  class C10FlagParser_##name : public C10FlagParser {                                              \
   public:                                                                                         \
    explicit C10FlagParser_##name(const std::string& content) {                                    \
      success_ = C10FlagParser::Parse<type>(content, &FLAGS_##name);                               \
    }                                                                                              \
  };                                                                                               \
  RegistererC10FlagsRegistry g_C10FlagsRegistry_##name(                                            \
      #name, C10FlagsRegistry(), RegistererC10FlagsRegistry::DefaultCreator<C10FlagParser_##name>, \
      "(" #type ", default " #default_value ") " help_str);                                        \
  }                                                                                                \
  }

#define C10_DEFINE_int(name, default_value, help_str) \
  C10_DEFINE_typed_var(int, name, default_value, help_str)
#define C10_DEFINE_int32(name, default_value, help_str) \
  C10_DEFINE_int(name, default_value, help_str)
#define C10_DEFINE_int64(name, default_value, help_str) \
  C10_DEFINE_typed_var(int64_t, name, default_value, help_str)
#define C10_DEFINE_double(name, default_value, help_str) \
  C10_DEFINE_typed_var(double, name, default_value, help_str)
#define C10_DEFINE_bool(name, default_value, help_str) \
  C10_DEFINE_typed_var(bool, name, default_value, help_str)
#define C10_DEFINE_string(name, default_value, help_str) \
  C10_DEFINE_typed_var(std::string, name, default_value, help_str)

#define C10_DECLARE_typed_var(type, name) C10_API extern type FLAGS_##name
#define C10_DECLARE_int(name) C10_DECLARE_typed_var(int, name)
#define C10_DECLARE_int32(name) C10_DECLARE_int(name)
#define C10_DECLARE_int64(name) C10_DECLARE_typed_var(int64_t, name)
#define C10_DECLARE_double(name) C10_DECLARE_typed_var(double, name)
#define C10_DECLARE_bool(name) C10_DECLARE_typed_var(bool, name)
#define C10_DECLARE_string(name) C10_DECLARE_typed_var(std::string, name)

#define TORCH_DECLARE_typed_var(type, name) C10_API extern type FLAGS_##name
#define TORCH_DECLARE_int(name) C10_DECLARE_int(name)
#define TORCH_DECLARE_int64(name) C10_DECLARE_int64(name)
#define TORCH_DECLARE_double(name) C10_DECLARE_double(name)
#define TORCH_DECLARE_bool(name) C10_DECLARE_bool(name)
#define TORCH_DECLARE_string(name) C10_DECLARE_string(name)
