#pragma once

#include <torch/csrc/stable/c/shim.h>
#include <torch/headeronly/util/Exception.h>
#include <torch/headeronly/util/shim_utils.h>

#include <stdexcept>

#if TORCH_FEATURE_VERSION >= TORCH_VERSION_2_13_0
/// Throws std::runtime_error, with the library's message, if a function of the C interface returns
/// an error.
#define STABLE_TORCH_ERROR_CODE_CHECK(call)                                                        \
  if ((call) != TORCH_SUCCESS) {                                                                   \
    throw std::runtime_error(::torch::headeronly::detail::joined(                                  \
        torch_exception_get_what_without_backtrace(), " (originally from " #call " at ", __FILE__, \
        ", line ", __LINE__, ")"));                                                                \
  }
#else
// The functions that say the message came with PyTorch 2.13.
#define STABLE_TORCH_ERROR_CODE_CHECK(call) TORCH_ERROR_CODE_CHECK(call)
#endif
