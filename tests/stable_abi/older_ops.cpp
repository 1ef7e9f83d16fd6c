// An extension for PyTorch 2.10 and later: the headers declare nothing newer.

#define TORCH_TARGET_VERSION (2ULL << 56 | 10ULL << 48)

#include <torch/csrc/stable/accelerator.h>
#include <torch/csrc/stable/device.h>
#include <torch/csrc/stable/generator.h>
#include <torch/csrc/stable/library.h>
#include <torch/csrc/stable/macros.h>
#include <torch/csrc/stable/ops.h>
#include <torch/csrc/stable/stableivalue_conversions.h>
#include <torch/csrc/stable/tensor.h>
#include <torch/csrc/stable/version.h>
#include <torch/headeronly/util/HeaderOnlyArrayRef.h>

#include <cstdint>
#include <vector>

namespace {

using torch::stable::Tensor;

static_assert(TORCH_FEATURE_VERSION == TORCH_VERSION_2_10_0);

Tensor twice(const Tensor& x) {
  const std::vector<int64_t> flat = {-1};
  return torch::stable::sum(torch::stable::reshape(torch::stable::subtract(x, x, -1.0), flat));
}

}  // namespace

STABLE_TORCH_LIBRARY(stable_older, m) { m.def("twice(Tensor x) -> Tensor"); }
STABLE_TORCH_LIBRARY_IMPL(stable_older, CompositeExplicitAutograd, m) {
  m.impl("twice", TORCH_BOX(&twice));
}
