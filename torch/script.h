#pragma once

// For extensions that include this header for their operators; there is no TorchScript here.

#include <ATen/core/op_registration/op_registration.h>
#include <torch/all.h>
