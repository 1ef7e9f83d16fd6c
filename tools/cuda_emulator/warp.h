#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "tools/cuda_emulator/program.h"
#include "tools/cuda_emulator/ptx.h"

namespace emulator {

constexpr unsigned kLanes = 32;
constexpr std::uint32_t kAllLanes = 0xffffffffu;

class Asynchronous;
class Block;
class Products;
class RaceCheck;

// Calls f(lane) for the lanes of a mask; the loop over all lanes is one for the compiler to
// vectorise.
template <class F>
[[gnu::always_inline]] inline void each_lane(std::uint32_t lanes, F&& f) {
  if (lanes == kAllLanes) {
#pragma GCC ivdep
    for (unsigned lane = 0; lane < kLanes; ++lane) f(lane);
  } else {
    for (; lanes; lanes &= lanes - 1) f(static_cast<unsigned>(__builtin_ctz(lanes)));
  }
}

// A fault of one lane; the scheduler adds where it was.
struct Fault {
  Error::Kind kind;
  unsigned lane;
  std::string text;
};

// A copy that cp.async began and that is not made before the thread waits for it.
struct PendingCopy {
  std::uint64_t source;
  std::uint64_t destination;  // in shared memory
  unsigned bytes;
  unsigned source_bytes;  // the rest is zero
  unsigned lane;
  unsigned group;
};

// 32 threads. Lanes that stand at one instruction are a group, and the group of the smallest
// address goes first, so that lanes which diverged meet again.
class Warp {
 public:
  enum class State { kReady, kBarrier, kFinished };

  // Prepares the registers, and the local memory of the `count` lanes that exist, for a block.
  void prepare(Block& block, unsigned index, unsigned count);
  void start();

  // Executes until all lanes have ended, stand at a barrier, or let other warps go on.
  State run();

  template <class T>
  T* values(std::uint32_t offset) const {
    return reinterpret_cast<T*>(registers_ + offset);
  }
  std::uint32_t& predicate(std::uint32_t offset) const { return *values<std::uint32_t>(offset); }

  Block& block() const { return *block_; }
  unsigned index() const { return index_; }
  std::uint32_t alive() const { return alive_; }
  std::uint32_t existing() const { return existing_; }
  std::byte* local(unsigned lane) const { return local_.get() + lane * local_bytes_; }
  std::size_t local_bytes() const { return local_bytes_; }

  std::uint32_t carry = 0;  // the flag CC.CF of each lane
  std::vector<PendingCopy> copies;
  std::array<unsigned, kLanes> copy_group{};
  std::uint32_t epoch = 0;  // how many barriers of the warp there were

  std::shared_ptr<Products> products;  // of wgmma, once there was one
  std::span<std::uint32_t> register_words() const;

  // The wait that found nothing, when the warp lets others go on for it.
  const Instruction* stalled = nullptr;
  // Where the lanes stand at a barrier of the block.
  const Instruction* barrier = nullptr;
  std::uint32_t barrier_lanes = 0;
  State state = State::kReady;

  // Text for an error: which thread, and the line that it executes.
  std::string place(const Instruction* instruction, unsigned lane) const;

 private:
  struct Group {
    const Instruction* next;
    std::uint32_t lanes;
    bool waiting;
  };

  bool choose();
  void park(const Instruction* next, std::uint32_t lanes, bool waiting);
  void go(const Instruction* next);
  void jump(const Instruction& instruction, std::uint32_t taken);
  void jump_by_table(const Instruction& instruction, std::uint32_t lanes);
  void call(const Instruction& instruction, std::uint32_t taken);
  void go_back(const Instruction& instruction, std::uint32_t taken);
  void end(std::uint32_t lanes);
  void synchronize(const Instruction& instruction, std::uint32_t lanes);
  bool at_barrier(const Instruction& instruction, std::uint32_t lanes);
  std::uint32_t members(const Instruction& instruction, unsigned lane) const;
  [[noreturn]] void report_deadlock() const;

  std::byte* registers_ = nullptr;
  std::unique_ptr<std::byte[]> register_storage_;
  std::unique_ptr<std::byte[]> local_;
  std::size_t local_bytes_ = 0;
  Block* block_ = nullptr;
  unsigned index_ = 0;
  std::uint32_t existing_ = 0;
  std::uint32_t alive_ = 0;
  const Instruction* next_ = nullptr;   // of the group that runs
  const Instruction* limit_ = nullptr;  // where another group stands
  std::uint32_t lanes_ = 0;
  std::uint64_t steps_ = 0;
  std::vector<Group> groups_;  // the others
};

// One block of threads, run by one thread of the host.
class Block {
 public:
  Block(const Kernel& kernel, const Launch& launch, const std::byte* parameters);
  ~Block();

  void run(const std::array<unsigned, 3>& index);
  const std::vector<Warp>& warps() const { return warps_; }

  const Kernel& kernel;
  const Launch& launch;
  const std::byte* const parameters;
  std::array<unsigned, 3> index{};
  unsigned threads;

  std::byte* shared = nullptr;
  std::size_t shared_bytes;
  std::unique_ptr<RaceCheck> races;
  std::unique_ptr<Asynchronous> asynchronous;  // where the kernel has such instructions

  // Allocations in which the last accesses lay.
  std::array<Allocation, 4> recent{};

 private:
  bool release();
  void finish() const;
  [[noreturn]] void report_deadlock() const;

  std::unique_ptr<std::byte[]> shared_storage_;
  std::vector<Warp> warps_;
};

// Host addresses of an access of `bytes` at each lane, checked: that they are aligned, and
// allocated.
void resolve(Warp& warp, const Instruction& instruction, std::uint32_t lanes, unsigned bytes,
             bool write, std::uint64_t* addresses);
// The same check for addresses already known.
void check_addresses(Warp& warp, std::uint32_t lanes, unsigned bytes, bool write,
                     const std::uint64_t* addresses);

FindAllocation find_allocation();
void print(std::string_view text);

}  // namespace emulator
