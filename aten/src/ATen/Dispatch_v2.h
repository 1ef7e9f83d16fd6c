#pragma once

// One macro for every list of types:
//
//   AT_DISPATCH_V2(self.scalar_type(), "fill", AT_WRAP([&] { fill<scalar_t>(self); }),
//                  AT_EXPAND(AT_ALL_TYPES), kHalf, kBFloat16);

#include <ATen/Dispatch.h>
#include <c10/core/ScalarType.h>

#define AT_WRAP(...) __VA_ARGS__
#define AT_EXPAND(LIST) LIST

// Lists of types.
#define AT_FLOATING_TYPES c10::kDouble, c10::kFloat
#define AT_REDUCED_FLOATING_TYPES c10::kHalf, c10::kBFloat16
#define AT_COMPLEX_TYPES c10::kComplexDouble, c10::kComplexFloat
#define AT_INTEGRAL_TYPES c10::kByte, c10::kChar, c10::kInt, c10::kLong, c10::kShort
#define AT_BAREBONES_UNSIGNED_TYPES c10::kUInt16, c10::kUInt32, c10::kUInt64
#define AT_INTEGRAL_TYPES_V2 AT_INTEGRAL_TYPES, AT_BAREBONES_UNSIGNED_TYPES
#define AT_ALL_TYPES AT_INTEGRAL_TYPES, AT_FLOATING_TYPES
#define AT_ALL_TYPES_AND_COMPLEX AT_ALL_TYPES, AT_COMPLEX_TYPES
#define AT_FLOATING_AND_COMPLEX_TYPES AT_FLOATING_TYPES, AT_COMPLEX_TYPES

// A case for each type. The preprocessor expands no macro inside itself; a name that becomes a
// macro only when it is scanned again goes round that, and AT_PRIVATE_SCAN scans 64 times.
#define AT_PRIVATE_NOTHING
#define AT_PRIVATE_SCAN4(...) __VA_ARGS__
#define AT_PRIVATE_SCAN3(...) \
  AT_PRIVATE_SCAN4(AT_PRIVATE_SCAN4(AT_PRIVATE_SCAN4(AT_PRIVATE_SCAN4(__VA_ARGS__))))
#define AT_PRIVATE_SCAN2(...) \
  AT_PRIVATE_SCAN3(AT_PRIVATE_SCAN3(AT_PRIVATE_SCAN3(AT_PRIVATE_SCAN3(__VA_ARGS__))))
#define AT_PRIVATE_SCAN(...) \
  AT_PRIVATE_SCAN2(AT_PRIVATE_SCAN2(AT_PRIVATE_SCAN2(AT_PRIVATE_SCAN2(__VA_ARGS__))))
#define AT_PRIVATE_CASES_V2(BODY, TYPE, ...) \
  AT_DISPATCH_CASE(TYPE, AT_WRAP BODY)       \
  __VA_OPT__(AT_PRIVATE_CASES_AGAIN AT_PRIVATE_NOTHING()(BODY, __VA_ARGS__))
#define AT_PRIVATE_CASES_AGAIN() AT_PRIVATE_CASES_V2

#define AT_DISPATCH_V2(TYPE, NAME, BODY, ...) \
  AT_DISPATCH_SWITCH(TYPE, NAME, AT_PRIVATE_SCAN(AT_PRIVATE_CASES_V2((BODY), __VA_ARGS__)))
