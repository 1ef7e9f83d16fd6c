#pragma once

#include <torch/csrc/python_headers.h>

namespace torch::cuda {

// What torch/cuda calls of torch._C; each list ends with an empty entry.
PyMethodDef* python_functions();
PyMethodDef* stream_functions();
PyMethodDef* graph_functions();
PyMethodDef* cudnn_functions();
PyMethodDef* nvtx_functions();
PyMethodDef* nccl_functions();
PyMethodDef* profiler_functions();

}  // namespace torch::cuda
