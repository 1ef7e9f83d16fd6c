#pragma once

// out= variants of operators whose kernels make their result themselves.

#include <ATen/core/Tensor.h>
#include <ATen/native/Resize.h>
#include <c10/util/Exception.h>

namespace at::native {

// Resizes `out` to the result's shape if need be and copies the result into it. Throws where the
// types differ.
inline Tensor& write_out(Tensor& out, const Tensor& result) {
  TORCH_CHECK(out.scalar_type() == result.scalar_type(), "Expected out tensor to have dtype ",
              c10::toString(result.scalar_type()), ", but got ", c10::toString(out.scalar_type()),
              " instead");
  TORCH_CHECK(out.device() == result.device(), "Expected out tensor to have device ",
              result.device(), ", but got ", out.device(), " instead");
  resize_output(out, result.sizes());
  return out.copy_(result);
}

}  // namespace at::native
