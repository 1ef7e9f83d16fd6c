#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "tools/cuda_emulator/tensor_map.h"
#include "tools/cuda_emulator/warp.h"

// What a block of Hopper does while its threads go on: the barriers in shared memory that count
// arrivals and bytes, and the copies of boxes of tensors.
namespace emulator {

class Asynchronous {
 public:
  explicit Asynchronous(Block& block) : block_(block), writer_((block.shared_bytes + 15) / 16) {}

  // At the beginning of a block, and at its end: throws Error for what has not arrived.
  void start();
  void finish() const;

  // mbarrier.*, at an offset in shared memory. All throw Fault.
  void start_barrier(const Warp& warp, unsigned lane, std::uint32_t offset, std::uint32_t count);
  void end_barrier(unsigned lane, std::uint32_t offset);
  std::uint64_t arrive(unsigned lane, std::uint32_t offset, std::uint32_t count);
  void expect(unsigned lane, std::uint32_t offset, std::uint32_t bytes);
  // How many phases are over.
  std::uint64_t phases(unsigned lane, std::uint32_t offset);

  // cp.async.bulk.tensor, which is made when no thread can go on without it: the last one first, or
  // in every other block the first.
  struct Copy {
    TensorMap map;
    std::int32_t position[4];
    std::uint32_t destination;
    std::uint32_t bytes;
    std::uint32_t barrier;
    const Warp* warp;
    const Instruction* instruction;
    unsigned lane;
  };
  void start_copy(Warp& warp, const Copy& copy);
  bool finish_copy();

  // Threads write through one path to shared memory, copies and products take another: what the
  // first wrote, the second sees after fence.proxy.async.
  void written(const Warp& warp, std::size_t offset, std::size_t bytes);
  void publish(const Warp& warp);           // fence.proxy.async
  void publish_barriers(const Warp& warp);  // fence.mbarrier_init
  // Throws Fault where a product may not read sixteen bytes now.
  void check_product(unsigned lane, std::uint32_t offset) const;

 private:
  struct Barrier {
    std::uint32_t expected = 0;
    std::int64_t arrivals = 0;  // still to come
    std::int64_t bytes = 0;     // announced and not there
    std::uint64_t phases = 0;
    unsigned warp = 0;  // that started it
    bool published = false;
  };

  Barrier& find(unsigned lane, std::uint32_t offset);
  static void advance(Barrier& barrier);

  Block& block_;
  std::map<std::uint32_t, Barrier> barriers_;
  std::vector<Copy> copies_;
  std::vector<std::uint16_t> writer_;  // of sixteen bytes: 1 + the warp that wrote there, or 0
};

}  // namespace emulator
