#include <c10/core/MemoryFormat.h>
#include <c10/util/Exception.h>

#include <initializer_list>
#include <ostream>

namespace c10 {
namespace {

// Dimensions from the fastest-varying to the slowest, counted from the end so that the batch may
// be missing: for N, C, H, W the order is C, W, H, N.
DimVector strides_in_order(IntArrayRef sizes, std::initializer_list<int> fastest_first) {
  const int dim = static_cast<int>(sizes.size());
  DimVector strides(sizes.size(), 0);
  int64_t stride = 1;
  for (const int from_end : fastest_first) {
    const int d = dim - from_end;
    if (d < 0) continue;  // no batch
    strides[static_cast<size_t>(d)] = stride;
    stride *= sizes[static_cast<size_t>(d)];
  }
  return strides;
}

// Strides must not fall along the order. Two ambiguous cases say "no": a stride of 0 for channels
// (an expanded tensor), and dimensions of size 1 that a row-major tensor has too.
bool strides_follow(IntArrayRef sizes, IntArrayRef strides, std::initializer_list<size_t> order) {
  if (strides[1] == 0) return false;
  int64_t least = 0;
  for (const size_t d : order) {
    if (sizes[d] == 0) return false;
    if (strides[d] < least) return false;
    // N, 1, H, W both ways has the same strides but for the batch's: row-major is meant.
    if (d == 0 && least == strides[1]) return false;
    least = strides[d];
    if (sizes[d] > 1) least *= sizes[d];
  }
  return true;
}

}  // namespace

std::ostream& operator<<(std::ostream& stream, MemoryFormat memory_format) {
  switch (memory_format) {
    case MemoryFormat::Contiguous:
      return stream << "Contiguous";
    case MemoryFormat::Preserve:
      return stream << "Preserve";
    case MemoryFormat::ChannelsLast:
      return stream << "ChannelsLast";
    case MemoryFormat::ChannelsLast3d:
      return stream << "ChannelsLast3d";
    default:
      TORCH_CHECK(false, "Unknown memory format ", static_cast<int>(memory_format));
  }
}

DimVector get_channels_last_strides_2d(IntArrayRef sizes) {
  TORCH_INTERNAL_ASSERT(sizes.size() == 3 || sizes.size() == 4,
                        "ChannelsLast2d doesn't support size ", sizes.size());
  return strides_in_order(sizes, {3, 1, 2, 4});
}

DimVector get_channels_last_strides_3d(IntArrayRef sizes) {
  TORCH_INTERNAL_ASSERT(sizes.size() == 4 || sizes.size() == 5,
                        "ChannelsLast3d doesn't support size ", sizes.size());
  return strides_in_order(sizes, {4, 1, 2, 3, 5});
}

bool is_channels_last_strides_2d(IntArrayRef sizes, IntArrayRef strides) {
  return sizes.size() == 4 && strides_follow(sizes, strides, {1, 3, 2, 0});
}

bool is_channels_last_strides_3d(IntArrayRef sizes, IntArrayRef strides) {
  return sizes.size() == 5 && strides_follow(sizes, strides, {1, 4, 3, 2, 0});
}

}  // namespace c10
