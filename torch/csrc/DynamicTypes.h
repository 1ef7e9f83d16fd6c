#pragma once

// Objects of Python for element types and layouts, and back.

#include <torch/csrc/Dtype.h>
#include <torch/csrc/Layout.h>
#include <torch/csrc/python_headers.h>
