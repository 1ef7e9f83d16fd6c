#pragma once

// Products that each backend computes in its own way.

#include <ATen/core/Tensor.h>
#include <c10/macros/Export.h>
#include <c10/util/Exception.h>

namespace at::native {

// Throws unless both are vectors of one length and dtype, as dot wants them.
inline void dot_check(const Tensor& self, const Tensor& other) {
  TORCH_CHECK(self.dim() == 1 && other.dim() == 1, "1D tensors expected, but got ", self.dim(),
              "D and ", other.dim(), "D tensors");
  TORCH_CHECK(self.scalar_type() == other.scalar_type(),
              "dot : expected both vectors to have same dtype, but found ", self.scalar_type(),
              " and ", other.scalar_type());
  TORCH_CHECK(self.numel() == other.numel(), "inconsistent tensor size, expected tensor [",
              self.numel(), "] and src [", other.numel(),
              "] to have the same number of elements, but got ", self.numel(), " and ",
              other.numel(), " elements respectively");
}

// dot() where a tensor is the conjugate of its elements, as in vdot(): the CPU copies none of them.
TORCH_API Tensor dot_of_conjugates(const Tensor& self, const Tensor& tensor);

}  // namespace at::native
