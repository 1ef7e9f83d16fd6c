#pragma once

// out= variants of operators that compute their result before they know where it goes.

#include <ATen/core/Tensor.h>

namespace at::native {

// Copies `result` to `out`, which takes its shape. Throws "result type Float can't be cast to the
// desired output type Long" where the type would lose its category.
Tensor& write_to_out(const Tensor& result, Tensor& out);

}  // namespace at::native
