#pragma once

// Shaders cut down to what their constants choose.

#include <c10/macros/Export.h>
#include <c10/util/ArrayRef.h>

#include <cstdint>
#include <vector>

namespace at::vulkan {

/// The SPIR-V of a shader without what it cannot reach once its specialisation constants are known.
///
/// A shader of a family has a `switch` with one case an operation. A driver translates every case,
/// with each function that it calls, before it drops all but one: for the largest family that takes
/// 30 ms on lavapipe, and 2 ms where one case is left. `OpSwitch` by a constant of 32 bits keeps
/// its chosen target; blocks and functions that nothing reaches any more are left out.
///
/// @param code a valid module, as glslang makes it.
/// @param constants the value of each specialisation constant, by its SpecId; those beyond the end
///   keep their defaults, and so do their switches.
/// @return a valid module that computes the same with these constants.
TORCH_API std::vector<uint32_t> chosen_cases(c10::ArrayRef<uint32_t> code,
                                             c10::ArrayRef<uint32_t> constants);

}  // namespace at::vulkan
