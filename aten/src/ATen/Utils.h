#pragma once

// Small parts that kernels of extensions share.

#include <ATen/core/Generator.h>
#include <ATen/core/Tensor.h>
#include <c10/util/Exception.h>

#include <array>
#include <cstdint>

// Forbids copies and assignments.
#define AT_DISALLOW_COPY_AND_ASSIGN(TypeName) \
  TypeName(const TypeName&) = delete;         \
  void operator=(const TypeName&) = delete

namespace at {

/// How many elements a tensor has.
inline int64_t numel(const Tensor& tensor) { return tensor.numel(); }

/// The list as a std::array. One element stands for all N. Error if there are
/// neither one nor N.
template <size_t N>
std::array<int64_t, N> check_intlist(ArrayRef<int64_t> list, const char* name, int pos) {
  std::array<int64_t, N> result{};
  if (list.size() == 1) {
    result.fill(list[0]);
    return result;
  }
  TORCH_CHECK(list.size() == N, "Expected a list of ", N, " ints but got ", list.size(),
              " for argument #", pos, " '", name, "'");
  for (size_t i = 0; i < N; ++i) result[i] = list[i];
  return result;
}

}  // namespace at
