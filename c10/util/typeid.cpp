#include <c10/util/typeid.h>

#include <ostream>
#include <string_view>

namespace caffe2 {

std::string_view TypeMeta::name() const noexcept {
  switch (type_) {
#define CASE(cpp_type, scalar_type)  \
  case c10::ScalarType::scalar_type: \
    return #cpp_type;
    AT_FORALL_SCALAR_TYPES_WITH_COMPLEX(CASE)
#undef CASE
    default:
      return "nullptr (uninitialized)";
  }
}

std::ostream& operator<<(std::ostream& stream, TypeMeta type_meta) {
  return stream << type_meta.name();
}

}  // namespace caffe2
