#include <torch/extension.h>

torch::Tensor add_square(const torch::Tensor& x, double c) { return x * x + c; }

TORCH_LIBRARY(my_ops, m) { m.def("add_square(Tensor x, float c) -> Tensor", &add_square); }
PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {}
