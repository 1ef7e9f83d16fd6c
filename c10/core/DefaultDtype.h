#pragma once

#include <c10/core/ScalarType.h>
#include <c10/macros/Export.h>
#include <c10/util/typeid.h>

namespace c10 {

/// Sets the type of floating-point tensors made without one; float at first. Throws unless it is a
/// floating type.
C10_API void set_default_dtype(caffe2::TypeMeta dtype);
C10_API caffe2::TypeMeta get_default_dtype();
C10_API ScalarType get_default_dtype_as_scalartype();
/// The complex type whose parts have the default type.
C10_API caffe2::TypeMeta get_default_complex_dtype();

}  // namespace c10
