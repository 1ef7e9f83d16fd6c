#include <c10/util/typeid.h>

#include <ostream>
#include <string_view>

namespace caffe2 {

// The names a demangler gives, which are part of many error texts; hence `long int`.
std::string_view TypeMeta::name() const noexcept {
  switch (type_) {
    case c10::ScalarType::Byte:
      return "unsigned char";
    case c10::ScalarType::Char:
      return "signed char";
    case c10::ScalarType::Short:
      return "short int";
    case c10::ScalarType::Int:
      return "int";
    case c10::ScalarType::Long:
      return "long int";
    case c10::ScalarType::Half:
      return "c10::Half";
    case c10::ScalarType::Float:
      return "float";
    case c10::ScalarType::Double:
      return "double";
    case c10::ScalarType::ComplexHalf:
      return "c10::complex<c10::Half>";
    case c10::ScalarType::ComplexFloat:
      return "c10::complex<float>";
    case c10::ScalarType::ComplexDouble:
      return "c10::complex<double>";
    case c10::ScalarType::Bool:
      return "bool";
    case c10::ScalarType::BFloat16:
      return "c10::BFloat16";
    case c10::ScalarType::UInt16:
      return "short unsigned int";
    case c10::ScalarType::UInt32:
      return "unsigned int";
    case c10::ScalarType::UInt64:
      return "long unsigned int";
    default:
      return "nullptr (uninitialized)";
  }
}

std::ostream& operator<<(std::ostream& stream, TypeMeta type_meta) {
  return stream << type_meta.name();
}

}  // namespace caffe2
