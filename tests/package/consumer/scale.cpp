#include <torch/extension.h>

torch::Tensor scale(const torch::Tensor& x, double factor) { return x * factor; }

torch::Tensor triple(const torch::Tensor& x) { return x * 3.0; }

TORCH_LIBRARY(consumer, m) {
  m.def("scale", &scale);
  m.def("triple(Tensor x) -> Tensor");
}

TORCH_LIBRARY_IMPL(consumer, CPU, m) { m.impl("triple", &triple); }

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("scale", &scale); }
