#pragma once

#include <c10/core/ScalarType.h>
#include <c10/util/typeid.h>

#include <optional>

namespace c10 {

/// The two types that say what an element is name each other; the conversions lose nothing.
constexpr caffe2::TypeMeta scalarTypeToTypeMeta(ScalarType scalar_type) {
  return caffe2::TypeMeta::fromScalarType(scalar_type);
}
constexpr ScalarType typeMetaToScalarType(caffe2::TypeMeta dtype) { return dtype.toScalarType(); }
inline std::optional<ScalarType> optTypeMetaToScalarType(
    std::optional<caffe2::TypeMeta> type_meta) {
  if (!type_meta.has_value()) return std::nullopt;
  return type_meta->toScalarType();
}

}  // namespace c10
