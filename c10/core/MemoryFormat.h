#pragma once

#include <c10/macros/Export.h>
#include <c10/util/ArrayRef.h>
#include <c10/util/DimVector.h>

#include <cstdint>
#include <iosfwd>

namespace c10 {

/// The order of dimensions in memory. Preserve is an argument only: "what the input has".
enum class MemoryFormat : int8_t { Contiguous, Preserve, ChannelsLast, ChannelsLast3d, NumOptions };

inline MemoryFormat get_contiguous_memory_format() { return MemoryFormat::Contiguous; }

C10_API std::ostream& operator<<(std::ostream& stream, MemoryFormat memory_format);

/// The strides of a tensor of `sizes` (N, C, H, W or C, H, W) whose channels vary fastest.
C10_API DimVector get_channels_last_strides_2d(IntArrayRef sizes);
/// The same for N, C, D, H, W or C, D, H, W.
C10_API DimVector get_channels_last_strides_3d(IntArrayRef sizes);

/// True when strides say "channels last"; false when they say something else or could be read both
/// ways, as those of a tensor with one channel can.
C10_API bool is_channels_last_strides_2d(IntArrayRef sizes, IntArrayRef strides);
C10_API bool is_channels_last_strides_3d(IntArrayRef sizes, IntArrayRef strides);

}  // namespace c10
