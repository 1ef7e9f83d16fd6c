#pragma once

#include <torch/headeronly/macros/Macros.h>
#include <torch/headeronly/util/Exception.h>

#define TORCH_SUCCESS 0
#define TORCH_FAILURE 1

/// Throws std::runtime_error, with the call and its place, if a function of the C interface returns
/// an error. STABLE_TORCH_ERROR_CODE_CHECK of torch/csrc/stable/macros.h says the reason too.
#define TORCH_ERROR_CODE_CHECK(call)                                                              \
  if ((call) != TORCH_SUCCESS) {                                                                  \
    throw std::runtime_error(::torch::headeronly::detail::joined(#call " API call failed at ",    \
                                                                 __FILE__, ", line ", __LINE__)); \
  }
