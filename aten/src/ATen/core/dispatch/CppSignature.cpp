#include <ATen/core/dispatch/CppSignature.h>

#if defined(__GNUC__)
#include <cxxabi.h>

#include <cstdlib>
#endif

namespace c10::impl {

std::string CppSignature::name() const {
#if defined(__GNUC__)
  int status = 0;
  char* demangled = abi::__cxa_demangle(signature_.name(), nullptr, nullptr, &status);
  if (demangled != nullptr) {
    std::string name(demangled);
    std::free(demangled);
    return name;
  }
#endif
  return signature_.name();
}

}  // namespace c10::impl
