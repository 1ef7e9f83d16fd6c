#pragma once

// AT_DISPATCH_SWITCH without a library behind it:
//
//   THO_DISPATCH_SWITCH(t.scalar_type(), "scale",
//                       THO_DISPATCH_CASE(torch::headeronly::ScalarType::Float, [&] {
//                         scale(t.mutable_data_ptr<scalar_t>());
//                       }))

#include <torch/headeronly/core/ScalarType.h>
#include <torch/headeronly/macros/Macros.h>
#include <torch/headeronly/util/Exception.h>

/// Runs the function of the case of `TYPE`, a ScalarType, and returns its result. Throws
/// std::runtime_error, `"NAME" not implemented for 'Int'`, if there is no such case.
#define THO_DISPATCH_SWITCH(TYPE, NAME, ...)                          \
  [&] {                                                               \
    constexpr const char* at_dispatch_name = NAME;                    \
    const ::torch::headeronly::ScalarType at_dispatch_type = TYPE;    \
    switch (at_dispatch_type) {                                       \
      __VA_ARGS__                                                     \
      default:                                                        \
        throw std::runtime_error(::torch::headeronly::detail::joined( \
            '"', at_dispatch_name, "\" not implemented for '",        \
            ::torch::headeronly::toString(at_dispatch_type), "'"));   \
    }                                                                 \
  }()

/// A case of it; the function sees the C++ type as scalar_t.
#define THO_DISPATCH_CASE(enum_type, ...)                                                         \
  case enum_type: {                                                                               \
    using scalar_t [[maybe_unused]] = ::torch::headeronly::impl::ScalarTypeToCPPTypeT<enum_type>; \
    return __VA_ARGS__();                                                                         \
  }
