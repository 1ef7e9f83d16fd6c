#include <c10/util/Type.h>

#include <cstdlib>
#include <string>

#if __has_include(<cxxabi.h>)
#include <cxxabi.h>
#endif

namespace c10 {

std::string demangle(const char* name) {
#if __has_include(<cxxabi.h>)
  int status = -1;
  char* demangled = abi::__cxa_demangle(name, nullptr, nullptr, &status);
  if (status == 0 && demangled != nullptr) {
    std::string result(demangled);
    std::free(demangled);
    return result;
  }
#endif
  return name;
}

}  // namespace c10
