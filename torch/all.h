#pragma once

// The whole C++ interface: tensors, operators, autograd, registration of operators.

#if defined(TORCH_TARGET_VERSION) || defined(TORCH_STABLE_ONLY)
#error \
    "torch/all.h is no part of the stable ABI, which TORCH_TARGET_VERSION and TORCH_STABLE_ONLY promise: include torch/csrc/stable/library.h and ops.h"
#endif

#include <ATen/core/LegacyTypeDispatch.h>
#include <torch/csrc/autograd/anomaly_mode.h>
#include <torch/csrc/autograd/autograd.h>
#include <torch/csrc/autograd/custom_function.h>
#include <torch/csrc/autograd/variable.h>
#include <torch/cuda.h>
#include <torch/custom_class.h>
#include <torch/library.h>
#include <torch/serialize.h>
#include <torch/tensor_factories.h>
#include <torch/types.h>
#include <torch/utils.h>

// What extensions written for PyTorch take for granted after one of its headers.
#include <cassert>
#include <iomanip>
#include <iostream>

// An older name of TORCH_INTERNAL_ASSERT.
#define AT_ASSERTM(condition, ...) TORCH_INTERNAL_ASSERT(condition, __VA_ARGS__)
