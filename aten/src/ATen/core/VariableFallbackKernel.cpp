// Keys above the backends do nothing unless an operator has a kernel for them.

#include <c10/core/DispatchKeySet.h>
#include <torch/library.h>

#include <vector>

namespace {

using c10::DispatchKey;
using c10::DispatchKeySet;

constexpr DispatchKeySet kPassedOver =
    c10::autograd_dispatch_keyset_with_ADInplaceOrView | c10::autocast_dispatch_keyset |
    DispatchKeySet({DispatchKey::BackendSelect, DispatchKey::Python});

std::vector<torch::Library> fallbacks() {
  std::vector<torch::Library> result;
  for (const DispatchKey key : kPassedOver) {
    result.emplace_back(torch::Library::IMPL, "_", key, __FILE__, __LINE__);
    result.back().fallback(torch::CppFunction::makeFallthrough());
  }
  return result;
}

const std::vector<torch::Library> kFallbacks = fallbacks();

}  // namespace
