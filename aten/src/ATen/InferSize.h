#pragma once

#include <c10/macros/Export.h>
#include <c10/util/ArrayRef.h>
#include <c10/util/DimVector.h>

#include <cstdint>
#include <vector>

namespace at {

// `shape` with its one -1 replaced so that it has `numel` elements. Throws "shape '[2, -1]' is
// invalid for input of size 3", or that only one dimension can be inferred.
TORCH_API std::vector<int64_t> infer_size(c10::IntArrayRef shape, int64_t numel);
TORCH_API c10::DimVector infer_size_dv(c10::IntArrayRef shape, int64_t numel);

}  // namespace at
