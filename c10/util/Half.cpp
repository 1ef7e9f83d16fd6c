#include <c10/util/Half.h>

#include <ostream>

namespace c10 {
std::ostream& operator<<(std::ostream& out, const Half& value) {
  return out << static_cast<float>(value);
}
}  // namespace c10
