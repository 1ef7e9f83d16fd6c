#include "factories.h"

#include <torch/torch.h>

#include <iostream>

// An operator of the program's own, found by name.
torch::Tensor twice(const torch::Tensor& x) { return x + x; }

TORCH_LIBRARY(hello, m) {
  m.def("twice(Tensor x) -> Tensor");
  m.impl("twice", TORCH_FN(twice));
}

int main() {
  check_requires_grad();
  check_values();
  check_blobs();
  check_dispatch();

  torch::Tensor x = torch::tensor({1.0F, 2.0F, 3.0F}).set_requires_grad(true);
  torch::Tensor loss = (x * x).sum();
  loss.backward();
  std::cout << x.grad() << '\n';

  auto op = c10::Dispatcher::singleton().findSchemaOrThrow("hello::twice", "");
  std::cout << op.typed<torch::Tensor(const torch::Tensor&)>().call(x.detach()).sum().item<float>()
            << '\n';
  return 0;
}
