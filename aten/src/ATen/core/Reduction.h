#pragma once

#include <cstdint>

namespace at::Reduction {

// How a loss brings the losses of the elements together; an int64_t in schemas.
enum Reduction : int64_t {
  None,  // not at all
  Mean,
  Sum,
  END,
};

}  // namespace at::Reduction
