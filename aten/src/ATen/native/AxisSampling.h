#pragma once

// Reading a tensor along one axis at weighted places, by operators alone: what padding and
// upsampling are made of on a device without loops for them.

#include <ATen/core/Tensor.h>
#include <c10/util/ArrayRef.h>

#include <cstdint>

namespace at::native {

// Position i of the result is the sum over t < count of weight[i * count + t] times position
// index[i * count + t] of `x`. Without weights count is 1, and positions are copied.
Tensor sample_axis(const Tensor& x, int64_t axis, int64_t count, IntArrayRef index,
                   ArrayRef<double> weight);

// The gradient of the input, of `size` positions along the axis, by that of the result.
Tensor scatter_axis(const Tensor& grad, int64_t axis, int64_t size, int64_t count,
                    IntArrayRef index, ArrayRef<double> weight);

}  // namespace at::native
