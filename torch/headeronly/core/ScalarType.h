#pragma once

// The element types, for code without a library behind it. Printing one into a stream needs libc10;
// toString does not.

#include <c10/core/ScalarType.h>
#include <torch/headeronly/macros/Macros.h>
#include <torch/headeronly/util/BFloat16.h>
#include <torch/headeronly/util/Half.h>
#include <torch/headeronly/util/complex.h>

#include <concepts>

HIDDEN_NAMESPACE_BEGIN(torch, headeronly)

using c10::CppTypeToScalarType;
using c10::isQIntType;
using c10::NumScalarTypes;
using c10::ScalarType;
using c10::toUnderlying;

/// The name of the enumerator, such as "Float". A template, so that a call without a namespace
/// takes c10::toString and is not ambiguous.
template <std::same_as<ScalarType> Type>
constexpr const char* toString(Type t) {
  switch (t) {
#define CASE(cpp_type, name) \
  case ScalarType::name:     \
    return #name;
    AT_FORALL_SCALAR_TYPES_WITH_COMPLEX(CASE)
#undef CASE
    case ScalarType::Undefined:
      return "Undefined";
    default:
      return "UNKNOWN_SCALAR";
  }
}

namespace impl {
using c10::impl::ScalarTypeToCPPTypeT;
}  // namespace impl

HIDDEN_NAMESPACE_END(torch, headeronly)
