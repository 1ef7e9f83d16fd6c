#pragma once

// Automatic differentiation: torch::autograd::backward, grad, Function.

#include <torch/csrc/autograd/autograd.h>
#include <torch/csrc/autograd/custom_function.h>
