#pragma once

#include <cstdint>

namespace emulator {

// What the emulated driver writes into a CUtensorMap: a tensor of elements of two bytes with four
// dimensions, the innermost first, whose boxes have rows of 128 bytes with exchanged pieces.
struct TensorMap {
  static constexpr std::uint32_t kMark = 0x7e50f00d;
  std::uint32_t mark;
  std::uint32_t box[4];
  std::uint32_t extent[4];
  std::uint64_t address;
  std::uint64_t stride[3];  // in bytes, of all dimensions but the first
};
static_assert(sizeof(TensorMap) <= 128);
constexpr unsigned kTensorMapBytes = 128;
constexpr unsigned kTensorElement = 2;

}  // namespace emulator
