#pragma once

// Memory that nothing initialized, which differs from run to run.

#include <c10/macros/Export.h>

namespace at {
class Tensor;

namespace native {

// The setting torch.utils.deterministic.fill_uninitialized_memory, which is true at first.
TORCH_API bool deterministic_fill_uninitialized_memory();
TORCH_API void set_deterministic_fill_uninitialized_memory(bool fill);

// Whether deterministic algorithms have to give such memory a value.
bool fills_uninitialized_memory();

// NaN, or the largest integer, in every element.
void fill_empty_deterministic_(Tensor& tensor);

}  // namespace native
}  // namespace at
