#pragma once

// Switches and settings of a program: gradients, threads, seeds.

#include <ATen/Context.h>
#include <ATen/Parallel.h>
#include <c10/core/GradMode.h>
#include <c10/core/InferenceMode.h>

namespace torch {

using c10::AutoGradMode;
using c10::InferenceMode;
using NoGradGuard = c10::NoGradGuard;

using at::get_num_interop_threads;
using at::get_num_threads;
using at::init_num_threads;
using at::manual_seed;
using at::set_num_interop_threads;
using at::set_num_threads;

}  // namespace torch
