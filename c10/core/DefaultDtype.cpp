#include <c10/core/DefaultDtype.h>
#include <c10/util/Exception.h>

#include <atomic>

namespace c10 {
namespace {
std::atomic<ScalarType> default_dtype{ScalarType::Float};
}

void set_default_dtype(caffe2::TypeMeta dtype) {
  TORCH_CHECK_TYPE(isFloatingType(dtype.toScalarType()),
                   "only floating-point types are supported as the default type");
  default_dtype = dtype.toScalarType();
}
ScalarType get_default_dtype_as_scalartype() {
  return default_dtype.load(std::memory_order_relaxed);
}
caffe2::TypeMeta get_default_dtype() {
  return caffe2::TypeMeta::fromScalarType(get_default_dtype_as_scalartype());
}
caffe2::TypeMeta get_default_complex_dtype() {
  return caffe2::TypeMeta::fromScalarType(toComplexType(get_default_dtype_as_scalartype()));
}

}  // namespace c10
