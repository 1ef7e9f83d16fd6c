// A program of somebody else: operators, gradients, modules, TorchScript and files.

#include <torch/script.h>
#include <torch/torch.h>

#include <cstdio>
#include <cstdlib>
#include <sstream>

namespace {

void check(bool holds, const char* what) {
  if (!holds) {
    std::fprintf(stderr, "not so: %s\n", what);
    std::exit(1);
  }
}

}  // namespace

int main() {
  // d/dx sum(sin(x)^2) = sin(2x).
  auto x = torch::randn({64}, torch::dtype(torch::kDouble).requires_grad(true));
  x.sin().pow(2).sum().backward();
  check(torch::allclose(x.grad(), (2 * x.detach()).sin()), "the gradient of sin(x)^2 is sin(2x)");

  // A product by its definition.
  auto a = torch::randn({5, 7}, torch::kDouble);
  auto b = torch::randn({7, 3}, torch::kDouble);
  auto product = (a.unsqueeze(2) * b.unsqueeze(0)).sum(1);
  check(torch::allclose(a.mm(b), product), "mm is the sum of products");

  // A module, trained for one step, and what its file gives back.
  torch::nn::Linear linear(7, 3);
  torch::optim::SGD descent(linear->parameters(), 0.01);
  auto input = torch::randn({16, 7});
  auto loss = [&] { return linear(input).square().mean(); };
  auto before = loss();
  before.backward();
  descent.step();
  check(loss().item<float>() < before.item<float>(), "a step of descent lowers the loss");
  std::stringstream file;
  torch::save(linear, file);
  torch::nn::Linear other(7, 3);
  torch::load(other, file);
  check(torch::equal(other(input), linear(input)), "a loaded module computes the same");

  auto compiled = torch::jit::compile("def twice(x):\n    return x + x\n");
  auto twice = compiled->run_method("twice", a).toTensor();
  check(torch::equal(twice, 2 * a), "a compiled function runs");

  std::printf("%s\n", TORCH_VERSION);
  return 0;
}
