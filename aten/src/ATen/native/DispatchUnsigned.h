#pragma once

// Lists of types with uint16, uint32 and uint64, for the few operators that have kernels of them,
// which are PyTorch's: copies, constants, products, bits, equality, sorting.

#include <ATen/Dispatch.h>
#include <c10/core/ScalarType.h>

#define AT_DISPATCH_CASE_BAREBONES_UNSIGNED_TYPES(...)   \
  AT_DISPATCH_CASE(c10::ScalarType::UInt16, __VA_ARGS__) \
  AT_DISPATCH_CASE(c10::ScalarType::UInt32, __VA_ARGS__) \
  AT_DISPATCH_CASE(c10::ScalarType::UInt64, __VA_ARGS__)

#define AT_DISPATCH_CASE_INTEGRAL_TYPES_V2(...) \
  AT_DISPATCH_CASE_INTEGRAL_TYPES(__VA_ARGS__)  \
  AT_DISPATCH_CASE_BAREBONES_UNSIGNED_TYPES(__VA_ARGS__)

// All integers; bool too.
#define AT_DISPATCH_INTEGRAL_TYPES_V2(TYPE, NAME, ...) \
  AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_INTEGRAL_TYPES_V2(__VA_ARGS__))
#define AT_DISPATCH_INTEGRAL_TYPES_V2_AND_BOOL(TYPE, NAME, ...)      \
  AT_DISPATCH_SWITCH(TYPE, NAME,                                     \
                     AT_DISPATCH_CASE_INTEGRAL_TYPES_V2(__VA_ARGS__) \
                         AT_DISPATCH_CASE(c10::ScalarType::Bool, __VA_ARGS__))

// All types that have an order: not the complex ones.
#define AT_DISPATCH_CASE_ORDERED_TYPES(...)            \
  AT_DISPATCH_CASE_INTEGRAL_TYPES_V2(__VA_ARGS__)      \
  AT_DISPATCH_CASE_FLOATING_TYPES(__VA_ARGS__)         \
  AT_DISPATCH_CASE_REDUCED_FLOATING_TYPES(__VA_ARGS__) \
  AT_DISPATCH_CASE(c10::ScalarType::Bool, __VA_ARGS__)
#define AT_DISPATCH_ORDERED_TYPES(TYPE, NAME, ...) \
  AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_ORDERED_TYPES(__VA_ARGS__))

// All types that a tensor may have.
#define AT_DISPATCH_STORED_TYPES(TYPE, NAME, ...)                \
  AT_DISPATCH_SWITCH(TYPE, NAME,                                 \
                     AT_DISPATCH_CASE_ORDERED_TYPES(__VA_ARGS__) \
                         AT_DISPATCH_CASE_COMPLEX_TYPES(__VA_ARGS__))
