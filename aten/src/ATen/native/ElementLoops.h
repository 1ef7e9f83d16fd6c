#pragma once

// How elementwise loops run over a TensorIterator.

#include <ATen/Parallel.h>
#include <ATen/TensorIterator.h>
#include <c10/macros/Export.h>

#include <cstdint>

namespace at::native {

// As iter.for_each, for a body that does nothing with inputs but to read elements. Short rows that
// are dense in the outputs come many in one call, with copies of inputs that are repeated or apart.
TORCH_API void for_each_element(TensorIteratorBase& iter, TensorIteratorBase::loop1d_t loop,
                                int64_t grain_size = at::internal::GRAIN_SIZE);

}  // namespace at::native
