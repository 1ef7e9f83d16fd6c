#pragma once

#include <ATen/core/TensorBase.h>
#include <c10/core/Scalar.h>
#include <c10/macros/Export.h>

#include <cstdint>
#include <iosfwd>

namespace at {

// Writes the values, two-dimensional slice by slice with lines of at most `linesize` columns, and
// then the type and shape: `[ CPUFloatType{2,3} ]`.
TORCH_API std::ostream& print(std::ostream& out, const Tensor& tensor, int64_t linesize);
TORCH_API std::ostream& operator<<(std::ostream& out, const Tensor& tensor);

}  // namespace at
