#pragma once

// Lists of tensors as the kernels that work on whole lists take them: a row for each tensor, with
// where the tensors of its roles begin. An optimiser's roles are the parameter, its gradient, and
// what is remembered of it.

#include <array>
#include <cstddef>
#include <cstdint>

namespace at::native {

constexpr size_t kMostRoles = 5;

struct TensorRow {
  std::array<void*, kMostRoles> data;  // null where a role is not played
  const float* step;                   // how many steps the parameter has taken; may be null
  int64_t numel;
};

}  // namespace at::native
