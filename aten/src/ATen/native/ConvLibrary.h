#pragma once

// Convolutions by a library of the device, where a build has one: cuDNN.

#include <ATen/native/ConvUtils.h>
#include <ATen/native/DispatchStub.h>
#include <c10/core/ScalarType.h>
#include <c10/macros/Export.h>

#include <atomic>
#include <cstdint>

namespace at::native {

// torch.backends.cudnn's switches.
struct ConvLibraryOptions {
  std::atomic<bool> enabled{true};
  std::atomic<bool> benchmark{false};  // measure the algorithms of a new shape, keep the fastest
  std::atomic<bool> deterministic{false};  // only algorithms that always give the same bits
  std::atomic<bool> allow_tf32{true};      // products of floats with ten bits of mantissa
};
TORCH_API ConvLibraryOptions& conv_library_options();

// Which tensor of ConvUtils.h's three is computed of the other two.
enum class ConvProduct : uint8_t { FORWARD, BACKWARD_INPUT, BACKWARD_WEIGHT };

// False if the library has no algorithm for it; then nothing is written. Half and BFloat16 are
// added up in float.
using conv_library_fn = bool (*)(ConvProduct product, const ConvGeometry& g, c10::ScalarType dtype,
                                 void* x, void* w, void* y);

DECLARE_DISPATCH(conv_library_fn, conv_library_stub)

}  // namespace at::native
