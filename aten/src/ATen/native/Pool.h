#pragma once

// What poolings share: arguments checked and brought into three dimensions.

#include <ATen/native/DispatchStub.h>
#include <c10/core/MemoryFormat.h>
#include <c10/core/ScalarType.h>
#include <c10/macros/Macros.h>
#include <c10/util/ArrayRef.h>

#include <array>
#include <cstdint>
#include <vector>

namespace at {
class Tensor;

namespace native {

// A pooling of `planes` volumes in three dimensions, which those in one and two are with sizes
// of 1.
struct PoolGeometry {
  using Dims = std::array<int64_t, 3>;

  int64_t planes = 1;
  Dims in = {1, 1, 1};
  Dims out = {1, 1, 1};
  Dims kernel = {1, 1, 1};
  Dims stride = {1, 1, 1};
  Dims padding = {0, 0, 0};
  Dims dilation = {1, 1, 1};
  std::vector<int64_t> out_sizes;  // of the output tensor

  int64_t in_size() const { return in[0] * in[1] * in[2]; }
  int64_t out_size() const { return out[0] * out[1] * out[2]; }
};

// The geometry of a pooling over the last `dims` dimensions. Throws, with the operator's `name`,
// for arguments of wrong lengths and values, and for an output without elements.
PoolGeometry pool_geometry(const char* name, const Tensor& input, int64_t dims,
                           c10::IntArrayRef kernel, c10::IntArrayRef stride,
                           c10::IntArrayRef padding, c10::IntArrayRef dilation, bool ceil_mode);

// The same where the sizes of the output are given; windows then depend on the position. `mean` is
// whether means are taken, which allow channels to be none.
PoolGeometry adaptive_pool_geometry(const char* name, const Tensor& input, int64_t dims,
                                    c10::IntArrayRef output_size, bool mean);
// Throws if a dimension of the `what` of an adaptive pooling, from `first` on, is empty.
void check_adaptive_sizes(const char* name, const char* what, const Tensor& tensor, int64_t first);
// A contiguous result in a memory format; unlike contiguous(), its strides say the format where
// sizes of 1 leave it open.
Tensor pooled_in_format(const Tensor& result, c10::MemoryFormat format);

// The window of adaptive pooling: elements [begin, end) for element i of `out`. From an element of
// the input to the windows that hold it, the sizes change places.
C10_HOST_DEVICE inline int64_t adaptive_begin(int64_t i, int64_t out, int64_t in) {
  return i * in / out;
}
C10_HOST_DEVICE inline int64_t adaptive_end(int64_t i, int64_t out, int64_t in) {
  return ((i + 1) * in + out - 1) / out;
}

// Kernels on contiguous tensors of `dtype`.

// The maximum of each window and its place in the volume. NaN counts as the greatest; of several
// NaN the last one's place counts, of equal maxima the first one's.
using max_pool_fn = void (*)(const PoolGeometry& g, bool adaptive, c10::ScalarType dtype,
                             const void* x, void* y, int64_t* indices);
DECLARE_DISPATCH(max_pool_fn, max_pool_stub)
// The same where the `channels` elements of a place lie together: g.planes / channels such volumes.
using max_pool_channels_last_fn = void (*)(const PoolGeometry& g, bool adaptive, int64_t channels,
                                           c10::ScalarType dtype, const void* x, void* y,
                                           int64_t* indices);
DECLARE_DISPATCH(max_pool_channels_last_fn, max_pool_channels_last_stub)
// Adds each element of gy to the element of gx that was the maximum; gx of Half and BFloat16 is
// written anew, and has one channel. The `channels` elements of a place lie together. Throws
// IndexError for an index outside the volume.
struct MaxPoolGradient {
  const char* name;  // of the operator
  int64_t volumes;
  int64_t channels;
  int64_t in_size;
  int64_t out_size;
};
using max_pool_backward_fn = void (*)(const MaxPoolGradient& pool, c10::ScalarType dtype,
                                      const void* gy, const int64_t* indices, void* gx);
DECLARE_DISPATCH(max_pool_backward_fn, max_pool_backward_stub)

// How a mean's windows are counted; a divisor of 0 stands for none.
struct AveragePool {
  bool adaptive = true;
  bool count_include_pad = false;
  int64_t divisor = 0;
};
// From x to y; backwards from the gradient of y to that of x, which is overwritten.
using average_pool_fn = void (*)(const PoolGeometry& g, const AveragePool& pool,
                                 c10::ScalarType dtype, const void* from, void* to);
DECLARE_DISPATCH(average_pool_fn, average_pool_stub)
DECLARE_DISPATCH(average_pool_fn, average_pool_backward_stub)

}  // namespace native
}  // namespace at
