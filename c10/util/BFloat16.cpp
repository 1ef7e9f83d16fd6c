#include <c10/util/BFloat16.h>

#include <ostream>

namespace c10 {
std::ostream& operator<<(std::ostream& out, const BFloat16& value) {
  return out << static_cast<float>(value);
}
}  // namespace c10
