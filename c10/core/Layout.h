#pragma once

#include <c10/macros/Export.h>

#include <cstdint>
#include <iosfwd>

namespace c10 {

/// How a tensor's elements are laid out in memory. Only Strided has an implementation; the others
/// exist so that code may ask and options may be refused by name.
enum class Layout : int8_t {
  Strided,
  Sparse,
  SparseCsr,
  Mkldnn,
  SparseCsc,
  SparseBsr,
  SparseBsc,
  Jagged,
  NumOptions,
};

constexpr Layout kStrided = Layout::Strided;
constexpr Layout kSparse = Layout::Sparse;
constexpr Layout kMkldnn = Layout::Mkldnn;
constexpr Layout kJagged = Layout::Jagged;

/// Prints the enumerator's name.
C10_API std::ostream& operator<<(std::ostream& stream, Layout layout);

}  // namespace c10
