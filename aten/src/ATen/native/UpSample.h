#pragma once

// What upsampling by the nearest element or between neighbours (UpSample.cpp) shares with
// resampling one axis after the other (UpSampleSeparable.cpp).

#include <ATen/core/Tensor.h>
#include <c10/util/ArrayRef.h>
#include <c10/util/OptionalArrayRef.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace at::native::upsampling {

enum class Filter { Nearest, NearestExact, Linear, Cubic };

// Input size over output size, or the inverse of a factor that is given; with corners aligned the
// distance between the places of two neighbours.
template <typename Real>
Real place_scale(int64_t in, int64_t out, bool align_corners, std::optional<double> factor) {
  if (align_corners) {
    return out > 1 ? static_cast<Real>(in - 1) / static_cast<Real>(out - 1) : Real(0);
  }
  if (factor.has_value() && *factor > 0) return static_cast<Real>(1.0 / *factor);
  return static_cast<Real>(in) / static_cast<Real>(out);
}

// Throws unless images of `dims` dimensions, with channels, can be sampled at that size.
void check_sizes(IntArrayRef input_size, IntArrayRef output_size, int64_t dims);

// The sizes of the output from either of two arguments.
std::vector<int64_t> wanted_size(const Tensor& input, OptionalIntArrayRef output_size,
                                 const std::optional<ArrayRef<double>>& factors);

// The factor of one dimension. Their number is checked by wanted_size, which need not have run yet.
std::optional<double> factor(const std::optional<ArrayRef<double>>& factors, size_t d);

// An image (N, C, H, W) at the size (H', W'), its columns first, then its rows, by a linear or a
// cubic filter. With `antialias` the filter is as wide as an output pixel where the image gets
// smaller, and the parameter of the cubic is -1/2 instead of -3/4: both as in Pillow. Bytes are
// resampled with weights of 16 bits and rounded after each axis, as in Pillow, on the CPU only.
Tensor resample(const Tensor& self, IntArrayRef output_size, Filter filter, bool align_corners,
                const std::array<std::optional<double>, 2>& scales, bool antialias);

}  // namespace at::native::upsampling
