#pragma once

// One macro for every list of types, as AT_DISPATCH_V2 of ATen/Dispatch_v2.h, which has the lists:
//
//   THO_DISPATCH_V2(t.scalar_type(), "fill", AT_WRAP([&] { fill<scalar_t>(t); }),
//                   AT_EXPAND(AT_ALL_TYPES), torch::headeronly::ScalarType::Half);

#include <ATen/Dispatch_v2.h>
#include <torch/headeronly/core/Dispatch.h>

#define THO_PRIVATE_CASES_V2(BODY, TYPE, ...) \
  THO_DISPATCH_CASE(TYPE, AT_WRAP BODY)       \
  __VA_OPT__(THO_PRIVATE_CASES_AGAIN AT_PRIVATE_NOTHING()(BODY, __VA_ARGS__))
#define THO_PRIVATE_CASES_AGAIN() THO_PRIVATE_CASES_V2

#define THO_DISPATCH_V2(TYPE, NAME, BODY, ...) \
  THO_DISPATCH_SWITCH(TYPE, NAME, AT_PRIVATE_SCAN(THO_PRIVATE_CASES_V2((BODY), __VA_ARGS__)))
