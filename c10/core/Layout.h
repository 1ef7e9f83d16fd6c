#pragma once

#include <c10/macros/Export.h>

#include <cstdint>
#include <iosfwd>

namespace c10 {

/// How a tensor's elements are laid out in memory.
enum class Layout : int8_t { Strided = 0, NumOptions = 1 };

constexpr Layout kStrided = Layout::Strided;

/// Prints "Strided".
C10_API std::ostream& operator<<(std::ostream& stream, Layout layout);

}  // namespace c10
