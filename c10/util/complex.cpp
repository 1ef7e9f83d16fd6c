#include <c10/util/Half.h>
#include <c10/util/complex_type.h>

#include <complex>
#include <ostream>

namespace c10 {
std::ostream& operator<<(std::ostream& out, const complex<float>& z) {
  return out << std::complex<float>(z);
}
std::ostream& operator<<(std::ostream& out, const complex<double>& z) {
  return out << std::complex<double>(z);
}
std::ostream& operator<<(std::ostream& out, const complex<Half>& z) {
  return out << complex<float>(z);
}
}  // namespace c10
