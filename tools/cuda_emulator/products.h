#pragma once

#include <cstdint>
#include <vector>

#include "tools/cuda_emulator/warp.h"

namespace emulator {

// The products of wgmma.mma_async that a warp has begun, its sixteen rows of each. One is computed
// when the warp waits for its group, from what shared memory and the registers of A hold then;
// until then its results are marks, numbers that are none. A mark may be moved from register to
// register, as compilers do, and becomes the result where it is then; whoever computes with it has
// no number.
class Products {
 public:
  struct Product {
    const Instruction* instruction;
    std::uint64_t a;  // descriptors, or no A
    std::uint64_t b;
    bool adds;
    std::uint64_t group;
    std::uint32_t mark;                 // of its first number
    std::vector<std::uint32_t> before;  // bits of the numbers that are added to
    std::vector<std::uint32_t> pieces;  // offsets in shared memory of the sixteen bytes it reads
  };

  void fence() { fenced_ = true; }
  void begin(Warp& warp, const Instruction& instruction);
  void commit();
  // Computes all but the last groups.
  void wait(Warp& warp, std::uint64_t pending);
  // Whether one that is not computed yet reads there.
  bool reads(std::uint32_t offset, std::uint32_t bytes) const;

  // At the end of a block: throws Error where a product was not waited for.
  void finish(const Warp& warp) const;
  // How many there were: warps of a group begin the same.
  std::uint64_t count() const { return count_; }

 private:
  std::vector<Product> pending_;
  std::uint64_t group_ = 0;
  std::uint64_t count_ = 0;
  bool fenced_ = false;
};

}  // namespace emulator
