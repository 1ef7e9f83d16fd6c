#include <c10/util/TypeCast.h>

#include <stdexcept>
#include <string>

namespace c10 {
void report_overflow(const char* name) {
  throw std::runtime_error(std::string("value cannot be converted to type ") + name +
                           " without overflow");
}
}  // namespace c10
