#pragma once

#include <c10/macros/Export.h>
#include <c10/util/ArrayRef.h>
#include <c10/util/DimVector.h>

#include <cstdint>
#include <iosfwd>

namespace c10 {

/// The order of dimensions in memory, outermost first: Contiguous is N, C, H, W; ChannelsLast is
/// N, H, W, C; ChannelsLast3d is N, D, H, W, C. Sizes are in the logical order N, C, ... in all of
/// them. Preserve is for arguments only and means the format of the input.
enum class MemoryFormat : int8_t { Contiguous, Preserve, ChannelsLast, ChannelsLast3d, NumOptions };

inline MemoryFormat get_contiguous_memory_format() { return MemoryFormat::Contiguous; }

C10_API std::ostream& operator<<(std::ostream& stream, MemoryFormat memory_format);

/// The channels-last strides, in elements, of a tensor with sizes (N, C, H, W) or (C, H, W). Throws
/// c10::Error for another number of dimensions.
C10_API DimVector get_channels_last_strides_2d(IntArrayRef sizes);
/// The same for (N, C, D, H, W) or (C, D, H, W).
C10_API DimVector get_channels_last_strides_3d(IntArrayRef sizes);

/// Whether these are channels-last strides, with or without gaps. False if they are also row-major,
/// as for a tensor with one channel.
C10_API bool is_channels_last_strides_2d(IntArrayRef sizes, IntArrayRef strides);
C10_API bool is_channels_last_strides_3d(IntArrayRef sizes, IntArrayRef strides);

}  // namespace c10
