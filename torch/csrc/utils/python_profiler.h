#pragma once

#include <torch/csrc/python_headers.h>

namespace torch::profiler {

// Functions of torch._C that torch.profiler calls, about what the calling thread does:
//
//   _profiler_start(shapes: bool)
//   _profiler_stop() -> list of (scope, name, start, end, thread, shapes), times in nanoseconds
//   _profiler_begin(name) -> a number for _profiler_end(number)
PyMethodDef* python_functions();

}  // namespace torch::profiler
