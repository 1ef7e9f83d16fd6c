#pragma once

// Conversions between Python and the C++ interface, for modules that bind it: those of
// torch/extension.h without its version check.

#include <torch/csrc/utils/pybind.h>
#include <torch/types.h>
