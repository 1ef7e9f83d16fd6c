#pragma once

// out= variants of operators that compute their result before they know where it goes.

#include <ATen/core/Tensor.h>

namespace at::native {

// Copies `result` to `out`, which takes its shape. Throws "result type Float can't be cast to the
// desired output type Long" where the type would lose its category.
Tensor& write_to_out(const Tensor& result, Tensor& out);

// The same for operators that do not convert: throws "Expected out tensor to have dtype float, but
// got double instead" where the types differ.
Tensor& write_out(Tensor& out, const Tensor& result);

}  // namespace at::native
