#include <c10/core/SymInt.h>

#include <cmath>
#include <ostream>

namespace c10 {

SymFloat SymFloat::sqrt() const { return std::sqrt(value_); }

std::ostream& operator<<(std::ostream& out, const SymBool& value) {
  return out << (value.as_bool_unchecked() ? "True" : "False");
}
std::ostream& operator<<(std::ostream& out, const SymFloat& value) {
  return out << value.as_float_unchecked();
}
std::ostream& operator<<(std::ostream& out, const SymInt& value) {
  return out << value.as_int_unchecked();
}

}  // namespace c10
